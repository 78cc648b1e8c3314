import { expect, test } from 'vitest'
import { trimmedAssetSchema } from '../../../src/alerts/asset.ts'
import { graduatedAt, liveView } from '../../../src/alerts/kinds/phase.ts'
import { phaseOf } from '../../../src/alerts/poll.ts'
import { eventView } from '../../../src/alerts/views/notification.ts'
import { baseToken } from '../../../src/api/asset.ts'
import { figuresOf } from '../../../src/api/figures.ts'
import type { Asset } from '../../../src/api/schema.ts'
import { defaultUnits as units } from '../../../src/api/units.ts'
import { cardFacts } from '../../../src/cards/asset-card.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { asset, fullAsset, now, paths, withValue } from '../views/sample.ts'
import { everyEvent, liveWire } from './views/events.ts'

const chain = 8453

/** All that alerts make of an asset. */
function shown(about: Asset) {
  const phases = ['incoming', 'live', 'graduated', 'ended', 'gone'] as const
  return [
    ...Object.values(everyEvent(about)).map((body) => eventView({ body, chain, units, now })),
    ...phases.map((phase) => liveView({ asset: about, chain, units, now, phase })),
    cardFacts({ asset: about, chain: chainById(chain), units, now, history: [], phase: 'live' }),
  ]
}

/** All by which they find out what is news, and for whom. */
function compared(about: Asset) {
  const { startsAt, endsAt, createdAt, progress, price, marketCap } = figuresOf(about, units)
  return [
    { startsAt, endsAt, createdAt, progress, price, marketCap },
    phaseOf({ by: 'fetch', asset: about }, undefined, figuresOf(about, units), now),
    graduatedAt(about, figuresOf(about, units)),
    baseToken(about)?.token_creator_address,
    about.asset_numeraire_address,
    about.asset_categories,
  ]
}

test('of an asset as much is kept as alerts show and compare, whatever is missing of it', () => {
  for (const wire of [fullAsset, liveWire]) {
    for (const path of [[], ...paths(wire)]) {
      if (path.join() === 'asset_address') continue
      const whole = asset(path.length === 0 ? wire : withValue(wire, path, undefined))
      const brief = trimmedAssetSchema.parse(whole)
      expect(shown(brief), path.join('.')).toEqual(shown(whole))
      expect(compared(brief), path.join('.')).toEqual(compared(whole))
    }
  }
})

test('a name, a symbol and a description without an end read as before', () => {
  for (const field of ['token_name', 'token_symbol', 'token_description']) {
    const path = ['auction_pool', 'base_token', field]
    for (const long of ['an otter '.repeat(1000), '🦦'.repeat(5000)]) {
      const whole = asset(withValue(liveWire, path, long))
      expect(shown(trimmedAssetSchema.parse(whole))).toEqual(shown(whole))
    }
  }
})
