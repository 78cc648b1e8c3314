import { z } from 'zod'

/** The kinds of alerts, in the order in which they are offered. */
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
/** A plain decimal above zero, in US dollars (in the numeraire if the API gives no dollars). */
const positive = z
  .string()
  .max(40)
  .regex(/^\d+(?:\.\d+)?$/u)

const movementSchema = z.union([
  z.strictObject({ above: positive }),
  z.strictObject({ below: positive }),
  /** Percent, up or down, from the value of the last notification. */
  z.strictObject({ moves: z.int().min(1).max(1000) }),
])
export type Movement = z.output<typeof movementSchema>

/** The setting of each kind. */
export const settingSchemas = {
  live: z.strictObject({}),
  incoming: z.strictObject({}),
  /** Percent sold, ascending, without duplicates. */
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

/** Which assets a rule is about; an absent field means any. Addresses are compared without case. */
export const scopeSchema = z.object({
  chain: z.number().optional(),
  asset: z.string().optional(),
  numeraire: z.string().optional(),
  creator: z.string().optional(),
  category: z.string().optional(),
})
export type Scope = z.output<typeof scopeSchema>

/** A kind of alert, its setting, and the assets it is about: the thing a chat subscribes to. */
export type Rule = { [K in Kind]: { kind: K; setting: Settings[K]; scope: Scope } }[Kind]
export type RuleOf<K extends Kind> = Extract<Rule, { kind: K }>
