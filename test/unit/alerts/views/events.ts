import type { DigestBody, DigestEntry } from '../../../../src/alerts/kinds/digest.ts'
import type { EventBody } from '../../../../src/alerts/kinds/kind.ts'
import type { Kind } from '../../../../src/alerts/kinds/list.ts'
import type { Asset } from '../../../../src/api/schema.ts'
import { address, asset, fullAsset, now, withValue } from '../../views/sample.ts'

/** An auction that is going on, as the API gives it. */
export const liveWire = withValue(fullAsset, ['graduation_pool'], undefined)
const liveAsset = asset(liveWire)

const usd = (amount: string) => ({ amount, currency: 'usd' as const })

const entry: DigestEntry = {
  asset: address,
  chain: 8453,
  name: 'Moon Otter',
  symbol: 'OTTER',
  price: usd('0.01234'),
  marketCap: usd('12345678.9'),
  change24h: '0.154',
  progress: '0.42',
  endsAt: now + 7200,
}

export const digest: DigestBody = {
  kind: 'digest',
  scope: {},
  date: '2023-11-14',
  zone: 'Europe/Berlin',
  counts: { wentLive: 5, graduated: 2, live: 12 },
  endingSoon: [entry],
  newest: [{ ...entry, asset: address.replace('aaa', 'aab'), marketCap: undefined }],
  graduated: [{ ...entry, asset: address.replace('aaa', 'aac'), progress: '1' }],
  movers: [{ ...entry, asset: address.replace('aaa', 'aad') }],
}

/** The names of the events below: one by the name of each kind, and those that read differently. */
type EventName = Kind | 'sold out' | 'price moved' | 'mcap moved'

/** An event of every kind and appearance. */
export function everyEvent(about: Asset = liveAsset): Record<EventName, EventBody> {
  const move = { asset: about, reference: usd('0.5') } as const
  return {
    live: { kind: 'live', asset: about },
    incoming: { kind: 'incoming', asset: about },
    progress: { kind: 'progress', asset: about, from: '0.1', to: '0.509' },
    'sold out': { kind: 'progress', asset: about, from: '0.9', to: '1' },
    ending: { kind: 'ending', asset: about, fromMinutes: 31, minutes: 30, endsAt: now + 1800 },
    graduated: { kind: 'graduated', asset: about },
    price: { ...move, kind: 'price', value: usd('0.52'), direction: 'up', by: 'crossing' },
    'price moved': {
      ...move,
      kind: 'price',
      value: usd('0.562'),
      direction: 'up',
      by: 'movement',
    },
    mcap: {
      ...move,
      kind: 'mcap',
      reference: usd('2500000'),
      value: usd('2400000'),
      direction: 'down',
      by: 'crossing',
    },
    'mcap moved': {
      ...move,
      kind: 'mcap',
      reference: usd('2000000'),
      value: usd('1500000'),
      direction: 'down',
      by: 'movement',
    },
    digest,
  }
}
