import type { Event } from '../../src/alerts/event.ts'
import type { Rule, Scope } from '../../src/alerts/rule.ts'

const chain = 8453
const creators = 2_000
const assets = 5_000
const numeraires = ['numeraire-0', 'numeraire-1'] as const
const categories = ['builder-coin', 'product-coin'] as const
const percents = [25, 50, 75, 90, 100]

/**
 * Returns the rule of the subscription with this number: two of five match everything or much, the others one asset or
 * creator.
 */
export function ruleOfNumber(number: number): Rule {
  const draw = seededNumbers(number)
  const within = draw(2) === 0 ? {} : { chain }
  const one: Scope =
    draw(2) === 0 ? { asset: `asset-${draw(assets)}` } : { creator: `creator-${draw(creators)}` }
  const wide = draw(10)
  if (wide >= 7) return { kind: 'progress', setting: { percents }, scope: { ...one, ...within } }
  const many: Scope[] = [
    {},
    { category: categories[draw(2)] },
    { numeraire: numeraires[draw(2)] },
    one,
    one,
  ]
  const scope = { ...many[draw(many.length)], ...within }
  return wide < 4 ? { kind: 'live', setting: {}, scope } : { kind: 'graduated', setting: {}, scope }
}

/** Makes an event that matches many subscriptions (a new auction) or few (one asset's progress). */
export function newsOf(sort: 'wide' | 'narrow', key: string, now: number): Event {
  const asset = {
    asset_address: 'asset-17',
    asset_numeraire_address: numeraires[0],
    asset_categories: [categories[0]],
    auction_pool: { base_token: { token_creator_address: 'creator-17' } },
  }
  const about = { key, chain, asset: 'asset-17', at: now, usefulUntil: now + 3600 }
  return sort === 'wide'
    ? { ...about, body: { kind: 'live', asset } }
    : { ...about, body: { kind: 'progress', asset, from: '0.2', to: '0.26' } }
}

/** Makes a generator of numbers below a limit that depend only on the seed. */
function seededNumbers(seed: number): (limit: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0
    return ((state ^ (state >>> 12)) >>> 0) % limit
  }
}
