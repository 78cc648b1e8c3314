import type { Address } from 'viem'
import { z } from 'zod'
import { addressSchema } from '../chain/address.ts'
import { isLayoutId, layouts } from '../chain/airlock/layouts.ts'
import type { ModuleEntry } from '../chain/airlock/modules.ts'
import type { Launcher } from '../chain/chains.ts'
import type { Template } from './draft.ts'
import { readAsked } from './table.ts'

/** The operator's settings for launches. */
export interface LaunchSettings {
  /** If empty nothing can be launched, and /launch says so. */
  templates: readonly Template[]
  /** By chain id. */
  launchers: Readonly<Record<number, Launcher>>
  /** The operator's additional modules, by chain id. */
  modules: Readonly<Record<number, readonly ModuleEntry[]>>
  /** The pattern that a whole symbol must match; `typed` is the operator's own, as it was written. */
  symbol: { pattern: RegExp; typed?: string }
  /** The integrator that every payload must name, if the operator set one. */
  integrator: Address | undefined
  /** Base URL of the bot's own pages, without a trailing slash. */
  publicUrl: string | undefined
  /** URL of the operator's own signing page, with the placeholders {token}, {chain}, {to} and {digest}. */
  signingUrlTemplate: string | undefined
}

/** A template's expected values, by row of the table. */
const expectsSchema = z.record(z.string(), z.unknown()).superRefine((given, context) => {
  const read = readAsked(withoutAskedLine(given))
  if ('wrong' in read) context.addIssue({ code: 'custom', message: read.wrong })
})

/** Removes the line to `asked` from vesting: it has no amount and is no row of the table. */
function withoutAskedLine(given: Record<string, unknown>): Record<string, unknown> {
  const { vesting, ...rest } = given
  const lines = z.array(z.looseObject({ to: z.string() })).safeParse(vesting).data
  return lines ? { ...rest, vesting: lines.filter(({ to }) => to !== 'asked') } : given
}

/** Parses TEMPLATES (JSON). */
export const templatesSchema = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(200),
      label: z.string().min(1).max(60),
      chain: z.number().int().positive(),
      about: z.string().max(200).optional(),
      openShare: z
        .string()
        .regex(
          /^(?:100|\d{1,2}(?:\.\d{1,16})?)$/u,
          'must be a percentage from 0 to 100, such as "35"',
        )
        .optional(),
      expects: expectsSchema.optional(),
    }),
    'must be a list such as [{"id":"…","label":"Standard","chain":8453}], or the path of a file with one',
  )
  .max(25, 'must have 25 templates at most')

const moduleEntry = z.strictObject({
  address: addressSchema,
  layout: z.string().refine(isLayoutId, `must be one of ${Object.keys(layouts).join(', ')}`),
  kind: z.string().optional(),
  name: z.string().min(1).max(60).optional(),
})

/** Parses MODULES (JSON): lists by chain id. The kind follows from the layout; if given, it must match. */
export const modulesSchema = z
  .record(
    z.string().regex(/^[1-9]\d{0,14}$/u),
    z.array(moduleEntry).max(200),
    'must be lists by chain id, such as {"8453":[{"address":"0x…","layout":"multicurve","name":"Ours"}]}',
  )
  .transform((entriesByChain, context) => {
    const modules: Record<number, ModuleEntry[]> = {}
    for (const [chain, entries] of Object.entries(entriesByChain)) {
      modules[Number(chain)] = entries.map(({ kind, ...entry }) => {
        if (kind !== undefined && kind !== layouts[entry.layout].kind) {
          const message = `${entry.layout} is a layout of a ${layouts[entry.layout].kind}, not of a ${kind}`
          context.addIssue({ code: 'custom', message })
        }
        return entry
      })
    }
    return modules
  })
