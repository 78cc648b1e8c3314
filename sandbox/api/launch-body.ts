import { z } from 'zod'
import { categories } from './token.ts'

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'not an address')

/** The body of `POST /auction-templates`. Shares are 18-decimal fractions of one, as text. */
export const templateBody = z.object({
  template_id: z.string(),
  metadata: z.object({
    token_name: z.string().min(1),
    token_symbol: z.string().min(1),
    user_address: evmAddress,
    token_uri: z.string().startsWith('ipfs://'),
    beneficiaries: z
      .array(z.object({ beneficiary: evmAddress, shares: z.string().regex(/^\d{1,19}$/) }))
      .default([]),
  }),
  debug: z.boolean().default(false),
})

export type TemplateBody = z.output<typeof templateBody>

/** The body of `POST /ipfs/upload-metadata`. A recipient's amount is a number of whole tokens, the percentage one of the supply. */
export const metadataBody = z.object({
  name: z.string(),
  description: z.string(),
  image_hash: z.string(),
  social_links: z.array(z.object({ label: z.string(), url: z.string() })),
  vesting_recipients: z.array(
    z.object({
      address: evmAddress,
      amount: z.int().nonnegative(),
      percentage: z.number().min(0).max(100).optional(),
    }),
  ),
  fee_receiver: z.union([evmAddress, z.literal('')]).default(''),
  categories: z.array(z.enum(categories)).default([]),
})

export type MetadataBody = z.output<typeof metadataBody>
