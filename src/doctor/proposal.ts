import type { Ratio } from '../chain/airlock/curve.ts'
import { decimal } from '../chain/airlock/curve.ts'
import type { Effects } from '../chain/airlock/effects.ts'
import { type Asked, type Viewpoint, valuesOf } from '../launch/table.ts'

/** How vesting is released that a person asks for: seconds. */
export interface Release {
  cliff: number
  duration: number
}

/** What is further away than this is a date that whoever runs the template chose, not so long after it is built. */
const longest = 30 * 86_400
const minute = 60

/**
 * What a template that builds this is to be pinned with. What belongs to one payload alone is left out or widened: its
 * market cap is a range, times are seconds after the check, and bound payloads are bound to one launch each.
 */
export function expectationsOf(
  effects: Effects,
  view: Viewpoint,
  release: Release | undefined,
  /** Whether a release is set though nobody vests: what stands there depends on the person then. */
  isIdle: boolean,
): Asked {
  const integrator = BigInt(effects.integrator) === 0n ? undefined : effects.integrator
  const { binding: _, ...values } = valuesOf(effects, { ...view, integrator })
  const named =
    values.integrator === 'integrator' && integrator ? integrator.toLowerCase() : values.integrator
  return {
    ...values,
    ...(release && { vesting: [...lines(values.vesting), { to: 'asked', ...release }] }),
    opening: withoutPrice(values.opening),
    trading: later(values.trading, 'from', view),
    limit: later(values.limit, 'until', view),
    tradingFee: later(values.tradingFee, 'from', view),
    hook: ofHook(values.hook, view),
    laterHook: ofHook(values.laterHook, view),
    governance: without(values.governance, 'name'),
    integrator: named,
    ...(isIdle && { idle: undefined }),
    ...(values.purchase === null && { purchase: undefined }),
  }
}

function lines(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function without(value: unknown, name: string): unknown {
  if (!isFields(value)) return value
  const { [name]: _, ...rest } = value
  return rest
}

function later(value: unknown, name: string, { now }: Viewpoint): unknown {
  if (!isFields(value)) return value
  const moment = value[name]
  if (!isFields(moment) || typeof moment.at !== 'number') return value
  const seconds = moment.at - now
  if (seconds >= longest) return value
  return { ...value, [name]: { in: Math.round(seconds / minute) * minute } }
}

function ofHook(value: unknown, view: Viewpoint): unknown {
  return isFields(value) ? { ...value, fee: later(value.fee, 'from', view) } : value
}

/** The quote token's own price moves while the template stays as it is. */
const range = [80n, 125n] as const

function withoutPrice(value: unknown): unknown {
  if (!isFields(value) || typeof value.cap !== 'string') return value
  const cap = ratioOf(value.cap)
  return {
    cap: range.map((percent) =>
      decimal({ numerator: cap.numerator * percent, denominator: cap.denominator * 100n }, 3),
    ),
  }
}

function ratioOf(text: string): Ratio {
  const [integer = '0', fraction = ''] = text.split('.')
  return { numerator: BigInt(integer + fraction), denominator: 10n ** BigInt(fraction.length) }
}
