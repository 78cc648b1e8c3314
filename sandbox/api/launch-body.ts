import { z } from 'zod'
import { categories } from './token.ts'

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'not an address')

/** The body of `POST /auction-templates`; the beneficiaries' shape is the one seen in live requests. */
export const templateBody = z.object({
  template_id: z.string(),
  metadata: z.object({
    token_name: z.string().min(1),
    token_symbol: z.string().min(1),
    user_address: evmAddress,
    token_uri: z.string().startsWith('ipfs://'),
    beneficiaries: z
      .array(z.object({ beneficiary: evmAddress, shares: z.string().regex(/^\d{1,18}$/) }))
      .default([]),
  }),
  debug: z.boolean().default(false),
})

export type TemplateBody = z.output<typeof templateBody>

/**
 * The body of `POST /ipfs/upload-metadata`. A recipient's amount is in 18-decimal base units, as the assets'
 * `token_uri_data` give it back, the percentage one of the supply.
 */
export const metadataBody = z.object({
  name: z.string(),
  description: z.string(),
  image_hash: z.string(),
  social_links: z.array(z.object({ label: z.string(), url: z.string() })).default([]),
  vesting_recipients: z
    .array(
      z.object({
        address: evmAddress,
        amount: z
          .string()
          .regex(/^\d{1,40}$/, 'not a whole number of base units')
          .optional(),
        percentage: z
          .string()
          .regex(/^\d{1,3}(?:\.\d{1,16})?$/, 'not a percentage')
          .optional(),
      }),
    )
    .default([]),
  fee_receiver: z.string().default(''),
  categories: z.array(z.enum(categories)).default([]),
})

export type MetadataBody = z.output<typeof metadataBody>
