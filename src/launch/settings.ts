import type { Address } from 'viem'
import { z } from 'zod'
import type { Launcher } from '../chain/launchers.ts'
import type { Template } from './draft.ts'

/** What the operator set for launches. */
export interface LaunchSettings {
  /** None: nothing can be launched, and /launch says so. */
  templates: readonly Template[]
  /** By chain id. */
  launchers: Readonly<Record<number, Launcher>>
  /** What a symbol must match as a whole, and how that is said. */
  symbol: { pattern: RegExp; allowed: string }
  /** The integrator that every payload must name, where the operator set one. */
  integrator: Address | undefined
  /** Where the bot's own pages are, without a trailing slash. */
  publicUrl: string | undefined
  /** The operator's own signing page, with {token}, {chain}, {to} and {digest} to be filled in. */
  signingUrlTemplate: string | undefined
}

/** TEMPLATES, read as JSON. */
export const templatesSchema = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(200),
      label: z.string().min(1).max(60),
      chain: z.number().int().positive(),
      about: z.string().max(200).optional(),
    }),
    'must be a list such as [{"id":"…","label":"Standard","chain":8453}]',
  )
  .max(25, 'must have 25 templates at most')

/** SYMBOL_PATTERN. */
export const symbolSchema = z.string().transform((text, context): LaunchSettings['symbol'] => {
  try {
    return { pattern: new RegExp(`^(?:${text})$`, 'u'), allowed: `what matches ${text}` }
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a regular expression such as [A-Z]{2,8}' })
    return z.NEVER
  }
})
/** What a symbol must match where the operator does not say. */
export const usualSymbol: LaunchSettings['symbol'] = {
  pattern: /^[A-Za-z0-9]{1,15}$/u,
  allowed: '1 to 15 letters from A to Z and digits',
}
