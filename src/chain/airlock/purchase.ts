import type { Address } from 'viem'
import type { Bundle } from './calldata.ts'
import { Flow } from './flow.ts'
import type { PoolData } from './layouts.ts'
import { endless, smaller } from './range.ts'
import { readSteps, type Step, type SwapPool } from './router.ts'

/** A purchase in the transaction of the launch. Amounts in base units. */
export interface FirstPurchase {
  /** The most that is paid, in the quote token; its coin goes with the transaction. */
  paid: bigint
  /** The least that has to come for it. */
  least: bigint
  /** The most that comes; absent if the payment alone limits it. */
  most?: bigint
  to: Address | 'sender'
}

/** What a person is told of the purchase, and the wei that have to go with the transaction. */
interface Reading {
  purchase: FirstPurchase
  value: bigint
  problems: readonly string[]
}

/** The fee in the key of a pool whose fee its hook sets. */
const dynamicFee = 0x800000

/** The pool that a launch opens; undefined where its address can't be told from the payload. */
export function launchPool(pool: PoolData | undefined, initializer: Address): SwapPool | undefined {
  if (pool?.form === 'v3') return { fee: pool.fee }
  // Only the hook initializer is its own hook; those of the others stand somewhere else.
  if (pool?.form !== 'curves' || !pool.hook) return undefined
  const fee = BigInt(pool.hook.address) === 0n ? pool.fee : dynamicFee
  return { fee, tickSpacing: pool.tickSpacing, hooks: initializer.toLowerCase() }
}

/**
 * Reads the commands of a first purchase, as the Universal Router 2.0 that the bundler is built for runs them on behalf
 * of the bundler. All that is not a plain purchase of the token out of `pool` is a problem in words: what is paid, what
 * comes and to whom is then only what they most likely mean.
 */
export function readPurchase(
  bundle: Bundle,
  quote: Address,
  token: Address | undefined,
  pool: SwapPool | undefined,
): Reading {
  const { steps, problems } = readSteps(bundle.commands, bundle.inputs)
  const [swap, ...more] = steps.filter((step) => step.do === 'swap')
  if (!swap) {
    return {
      purchase: { paid: 0n, least: 0n, to: 'sender' },
      value: 0n,
      problems: [...problems, 'its first purchase buys nothing'],
    }
  }
  if (more.length > 0) problems.push('its first purchase is more than one trade')
  if (token === undefined) {
    problems.push(
      'where the token will stand is not known, and with that what its first purchase buys',
    )
  }
  const asset = token ?? swap.buys
  if (!same(swap.pays, quote) || !same(swap.buys, asset)) {
    problems.push(
      `its first purchase pays ${swap.pays} for ${swap.buys}, not the quote token for the new token`,
    )
  }
  if (!pool || !samePool(swap.pool, pool)) {
    problems.push('its first purchase is not known to be from the pool of this launch')
  }
  const value = coinFor(steps, swap)
  const flow = new Flow(quote, asset, value)
  for (const step of steps) flow.take(step)
  const { paid, bought, to } = flow.end()
  const purchase = {
    paid,
    least: bought.least,
    ...(bought.most < endless && { most: bought.most }),
    to,
  }
  if (paid === 0n) problems.push('its first purchase does not say how much it pays')
  if (value >= 2n ** 112n) problems.push('its first purchase sets no limit on what it pays')
  return { purchase, value, problems: [...problems, ...flow.problems] }
}

/** What is wrapped or settled in so many words, or else what the trade takes at most. */
function coinFor(steps: readonly Step[], swap: Step & { do: 'swap' }): bigint {
  const named = (kind: 'wrap' | 'settle') =>
    steps.flatMap((step) =>
      step.do === kind && typeof step.amount === 'bigint' ? [step.amount] : [],
    )
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)
  const most = swap.exact === 'out' ? swap.limit : swap.given === 'all' ? 0n : swap.given
  const guards = steps.flatMap((step) => (step.do === 'settle' ? [step.guard] : []))
  const least = guards.reduce(smaller, most)
  return sum(named('wrap')) || sum(named('settle')) || least
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function samePool(one: SwapPool, other: SwapPool): boolean {
  return one.fee === other.fee && one.tickSpacing === other.tickSpacing && one.hooks === other.hooks
}
