import type { Address } from 'viem'
import { z } from 'zod'
import { isLayoutId, layouts } from '../chain/airlock/layouts.ts'
import type { ModuleEntry } from '../chain/airlock/modules.ts'
import type { Launcher } from '../chain/launchers.ts'
import type { Template } from './draft.ts'
import { readAsked } from './table.ts'

/** What the operator set for launches. */
export interface LaunchSettings {
  /** None: nothing can be launched, and /launch says so. */
  templates: readonly Template[]
  /** By chain id. */
  launchers: Readonly<Record<number, Launcher>>
  /** Modules of the operator's own by chain id, beside those that are known. */
  modules: Readonly<Record<number, readonly ModuleEntry[]>>
  /** What a symbol must match as a whole, and how that is said. */
  symbol: { pattern: RegExp; allowed: string }
  /** The integrator that every payload must name, where the operator set one. */
  integrator: Address | undefined
  /** Where the bot's own pages are, without a trailing slash. */
  publicUrl: string | undefined
  /** The operator's own signing page, with {token}, {chain}, {to} and {digest} to be filled in. */
  signingUrlTemplate: string | undefined
}

/** What a template expects, by row of the table. */
const expectsSchema = z.record(z.string(), z.unknown()).superRefine((given, context) => {
  const read = readAsked(withoutPseudo(given))
  if ('wrong' in read) context.addIssue({ code: 'custom', message: read.wrong })
})

/** In a template's vesting the line to `asked` has no amount; the table has no such line. */
function withoutPseudo(given: Record<string, unknown>): Record<string, unknown> {
  const { vesting, ...rest } = given
  const lines = z.array(z.looseObject({ to: z.string() })).safeParse(vesting).data
  return lines ? { ...rest, vesting: lines.filter(({ to }) => to !== 'asked') } : given
}

/** TEMPLATES, read as JSON. */
export const templatesSchema = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(200),
      label: z.string().min(1).max(60),
      chain: z.number().int().positive(),
      about: z.string().max(200).optional(),
      expects: expectsSchema.optional(),
    }),
    'must be a list such as [{"id":"…","label":"Standard","chain":8453}], or the path of a file with one',
  )
  .max(25, 'must have 25 templates at most')

const moduleEntry = z.strictObject({
  address: z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/u)]),
  layout: z.string().refine(isLayoutId, `must be one of ${Object.keys(layouts).join(', ')}`),
  kind: z.string().optional(),
  name: z.string().min(1).max(60).optional(),
})

/** MODULES, read as JSON: lists by chain id. The kind follows from the layout, and is checked if it is given. */
export const modulesSchema = z
  .record(
    z.string().regex(/^[1-9]\d{0,14}$/u),
    z.array(moduleEntry).max(200),
    'must be lists by chain id, such as {"8453":[{"address":"0x…","layout":"multicurve","name":"Ours"}]}',
  )
  .transform((given, context) => {
    const found: Record<number, ModuleEntry[]> = {}
    for (const [chain, entries] of Object.entries(given)) {
      found[Number(chain)] = entries.map(({ kind, ...entry }) => {
        if (kind !== undefined && kind !== layouts[entry.layout].kind) {
          const message = `${entry.layout} is a layout of a ${layouts[entry.layout].kind}, not of a ${kind}`
          context.addIssue({ code: 'custom', message })
        }
        return entry
      })
    }
    return found
  })

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
export const defaultSymbol: LaunchSettings['symbol'] = {
  pattern: /^[A-Za-z0-9]{1,15}$/u,
  allowed: '1 to 15 letters from A to Z and digits',
}
