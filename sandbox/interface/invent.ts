import Big from 'big.js'
import { addressOf, digestOf } from './address.ts'
import { hostileLinks, hostileNames, inventDescription, inventName } from './names.ts'
import { numerairesOf } from './numeraire.ts'
import type { Random } from './random.ts'
import {
  auctionPrice,
  categories,
  proceedsOf,
  type Quirk,
  type Status,
  type TimeForm,
  type Token,
} from './token.ts'

const day = 86_400
// The document lists two values it has seen, not all there are.
const undocumentedCategory = 'game-coin'
const reserved = new Set(['OTTER', 'LANTERN', 'HARBOR'])
const quirks: readonly Quirk[] = [
  'no-auction-pool',
  'no-description',
  'no-image',
  'no-status',
  'null-creator',
  'null-market-data',
  'null-graduation',
  'sentinel-graduation',
  'lowercase-address',
]
const timeForms: readonly TimeForm[] = ['seconds', 'milliseconds', 'iso']
const poolTypes = ['v3', 'v4', 'multicurve', 'scheduled-multicurve', 'decay-multicurve'] as const

interface Course {
  createdAt: number
  startsAt: number
  endsAt: number
  sold: number
  pace: number
  graduatedAt: number | undefined
}

/** A newly announced auction that starts in minutes and sells out or ends within the hour. */
export function soonCourse(random: Random, now: number): Course {
  const startsAt = now + random.int(60, 300)
  const length = random.int(600, 2400)
  return {
    createdAt: now,
    startsAt,
    endsAt: startsAt + length,
    sold: 0,
    pace: random.between(0.1, 1.6) / length,
    graduatedAt: undefined,
  }
}

function courseOf(status: Status, random: Random, now: number): Course {
  if (status === 'incoming') {
    if (random.chance(0.2)) return soonCourse(random, now)
    const startsAt = now + random.int(300, 3 * day)
    const length = random.int(day / 4, 4 * day)
    const createdAt = now - random.int(60, day)
    const pace = random.between(0.2, 1.5) / length
    return { createdAt, startsAt, endsAt: startsAt + length, sold: 0, pace, graduatedAt: undefined }
  }
  const length = random.int(day / 4, 4 * day)
  if (status === 'live') {
    const sold = random.between(0.01, 0.97)
    // A few end while a newcomer watches.
    const left = random.chance(0.12) ? random.int(120, 1800) : random.int(1800, length)
    const startsAt = now - (length - Math.min(left, length - 600))
    const endsAt = startsAt + length
    const pace = (random.between(0.3, 1.4) * (1 - sold)) / (endsAt - now)
    return { createdAt: startsAt - 3600, startsAt, endsAt, sold, pace, graduatedAt: undefined }
  }
  const endsAt = now - Math.round(random.magnitude(600, (status === 'stall' ? 60 : 240) * day))
  const startsAt = endsAt - length
  const sold = status === 'stall' ? random.between(0, 0.15) : random.between(0.6, 1)
  return {
    createdAt: startsAt - 3600,
    startsAt,
    endsAt,
    sold,
    pace: sold / length,
    graduatedAt: status === 'graduated' ? endsAt : undefined,
  }
}

// Most launches mint a billion; the rest spreads prices from billionths to thousands of dollars.
function sizeOf(random: Random): { price: number; supply: number } {
  const marketCap = random.magnitude(5e3, 5e7)
  if (random.chance(0.6)) return { price: marketCap / 1e9, supply: 1e9 }
  const price = random.magnitude(1e-9, 5000)
  const exponent = Math.round(Math.log10(marketCap / price))
  return { price, supply: 10 ** Math.min(15, Math.max(3, exponent)) }
}

function socialLinks(random: Random, name: string): { label: string; url: string }[] {
  const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  const links = [
    { label: 'Website', url: `https://${slug}.example/` },
    { label: 'X', url: `https://x.com/${slug}` },
    { label: 'Telegram', url: `https://t.me/${slug}` },
    { label: 'Source', url: `https://github.com/example/${slug}` },
  ].filter(() => random.chance(0.5))
  return random.chance(0.1) ? [...links, ...hostileLinks] : links
}

function vesting(random: Random, key: string, supply: number): Token['vesting'] {
  return Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, (_, index) => {
    const percentage = random.int(1, 10)
    return {
      address: addressOf(`vesting ${index} of ${key}`),
      amount: Big(supply).times('1e16').times(percentage).toFixed(0),
      percentage: String(percentage),
    }
  })
}

/** Which name, status and course an invented token shall have; what is not said is drawn. */
export interface Wish {
  status: Status
  course?: Course
  label?: { name: string; symbol: string }
}

/** Invents one token; `key` makes its addresses, so the same key and random numbers give the same. */
export function inventToken(
  random: Random,
  chain: number,
  key: string,
  now: number,
  wish: Wish,
): Token {
  let label = wish.label ?? inventName(random)
  while (!wish.label && reserved.has(label.symbol)) label = inventName(random)
  const course = wish.course ?? courseOf(wish.status, random, now)
  const size = sizeOf(random)
  const startPrice = size.price / auctionPrice(1, course.sold)
  const toSell = size.supply * random.pick([0.2, 0.5, 0.6, 0.8])
  const raised = proceedsOf({ startPrice, toSell }, course.sold)
  const market = wish.status === 'graduated' ? random.between(0.2, 6) : 1
  const traded = wish.status === 'incoming' ? 0 : random.magnitude(0.001, 0.4)
  const price = size.price * market
  const drawn = quirks.filter(() => random.chance(0.05))
  return {
    chain,
    address: addressOf(`token ${key}`),
    poolAddress: addressOf(`auction pool ${key}`),
    poolId: digestOf(`pool id ${key}`),
    poolType: random.pick(poolTypes),
    ...label,
    description: wish.label
      ? `${label.name}\n\n${inventDescription(random)}`
      : inventDescription(random),
    creator: addressOf(`creator ${random.int(1, 12)} of ${chain}`),
    feeReceiver: addressOf(`fee receiver ${random.int(1, 12)} of ${chain}`),
    categories: [...categories, undocumentedCategory].filter((category) =>
      random.chance(category === undocumentedCategory ? 0.05 : 0.45),
    ),
    socialLinks: socialLinks(random, label.name),
    vesting: vesting(random, key, size.supply),
    numeraire: random.pick(numerairesOf(chain)),
    supply: size.supply,
    toSell,
    startPrice,
    minShare: random.pick([0.1, 0.2, 0.3]),
    ...course,
    timeForm: random.pick(timeForms),
    quirks: new Set(random.chance(0.2) ? [...drawn, 'exponent-prices' as const] : drawn),
    showcase: undefined,
    status: wish.status,
    price,
    priceBefore: price / Math.exp(random.normal() * 0.2),
    volume: price * size.supply * traded,
    volumeBefore: price * size.supply * traded * Math.exp(random.normal() * 0.5),
    // No pool holds more than all tokens are worth, however far their price fell.
    liquidity: Math.min(raised * random.between(0.5, 0.95), price * size.supply),
    graduatedAt: course.graduatedAt,
  }
}

const mix: readonly { status: Status; share: number }[] = [
  { status: 'live', share: 0.4 },
  { status: 'graduated', share: 0.3 },
  { status: 'incoming', share: 0.15 },
  { status: 'stall', share: 0.15 },
]

/** Invents about `count` tokens on a chain: all statuses, a shared ticker, and the hostile names. */
export function inventTokens(random: Random, chain: number, count: number, now: number): Token[] {
  const labels: { name: string; symbol: string }[] = [
    ...hostileNames,
    ...['Black', 'Green', 'Pink', 'White'].map((kind) => ({
      name: `${kind} Pepper`,
      symbol: 'PEPPER',
    })),
  ]
  const tokens = mix.flatMap(({ status, share }) =>
    Array.from({ length: Math.round(count * share) }, (_, index) => {
      // Every third one takes an odd label, so that live and graduated ones have some.
      const label = index % 3 === 0 && status !== 'incoming' ? labels.shift() : undefined
      const wish = label ? { status, label } : { status }
      return inventToken(random, chain, `${chain} ${status} ${index}`, now, wish)
    }),
  )
  const [first, second, ...rest] = tokens
  // pool_address is not unique: two assets of one hook show the same.
  return first && second ? [first, { ...second, poolAddress: first.poolAddress }, ...rest] : tokens
}
