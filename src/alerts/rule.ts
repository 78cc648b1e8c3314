import { z } from 'zod'

/** What can be followed, in the order in which it is offered. */
export const kinds = [
  'live',
  'incoming',
  'progress',
  'ending',
  'graduated',
  'price',
  'mcap',
  'digest',
] as const
export type Kind = (typeof kinds)[number]

const percent = z.int().min(1).max(100)
/** A plain decimal above zero, in dollars (or in the numeraire where the interface gives no dollars). */
const positive = z
  .string()
  .max(40)
  .regex(/^\d+(?:\.\d+)?$/u)

const movementSchema = z.union([
  z.strictObject({ above: positive }),
  z.strictObject({ below: positive }),
  /** Per cent, up or down, from where it was last told. */
  z.strictObject({ moves: z.int().min(1).max(1000) }),
])
export type Movement = z.output<typeof movementSchema>

/** What a kind is set to. */
export const settingSchemas = {
  live: z.strictObject({}),
  incoming: z.strictObject({}),
  /** Per cent sold, ascending, each once. */
  progress: z.strictObject({ percents: z.array(percent).min(1).max(20) }),
  /** Minutes before the end. */
  ending: z.strictObject({ minutes: z.int().min(5).max(1440) }),
  graduated: z.strictObject({}),
  price: movementSchema,
  mcap: movementSchema,
  /** The hour of the day in an IANA time zone. */
  digest: z.strictObject({ hour: z.int().min(0).max(23), zone: z.string().max(64) }),
} satisfies Record<Kind, z.ZodType>
type Settings = { [K in Kind]: z.output<(typeof settingSchemas)[K]> }

/** Which assets: what is absent is any. Addresses are compared whatever their case. */
export const scopeSchema = z.object({
  chain: z.number().optional(),
  asset: z.string().optional(),
  numeraire: z.string().optional(),
  creator: z.string().optional(),
  category: z.string().optional(),
})
export type Scope = z.output<typeof scopeSchema>

/** What one follows: a kind, its setting, and which assets. */
export type Rule = { [K in Kind]: { kind: K; setting: Settings[K]; scope: Scope } }[Kind]
export type RuleOf<K extends Kind> = Extract<Rule, { kind: K }>
