import Big from 'big.js'
import { getAddress } from 'viem'
import { openingPrice, priceAt, proceedsOf, soldAt } from './pool.ts'
import {
  addressOf,
  categories,
  digestOf,
  hookPool,
  numerairesOf,
  type Quirk,
  robinhood,
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
  'no-graduation',
  'lowercase-address',
]
const timeForms: readonly TimeForm[] = ['seconds', 'milliseconds', 'iso']
const poolTypes = ['v3', 'v4', 'multicurve', 'scheduled-multicurve', 'decay-multicurve'] as const

type Course = Pick<Token, 'createdAt' | 'startsAt' | 'endsAt' | 'sold' | 'pace' | 'graduatedAt'>

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
    // A few end while a newcomerMs watches.
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
interface Wanted {
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
  wanted: Wanted,
): Token {
  if (chain === robinhood) return inventOnCurve(random, key, now, wanted)
  const label = labelOf(random, wanted)
  const course = wanted.course ?? courseOf(wanted.status, random, now)
  const size = sizeOf(random)
  const startPrice = size.price / priceAt({ sale: 'auction', startPrice: 1 }, course.sold)
  const toSell = size.supply * random.pick([0.2, 0.5, 0.6, 0.8])
  const raised = proceedsOf({ sale: 'auction', startPrice, toSell }, course.sold)
  const market = wanted.status === 'graduated' ? random.between(0.2, 6) : 1
  const traded = wanted.status === 'incoming' ? 0 : random.magnitude(0.001, 0.4)
  const price = size.price * market
  const address = addressOf(`token ${key}`)
  const drawn = [...quirks.filter(() => random.chance(0.05)), ...unspoken(address)]
  return {
    chain,
    address,
    poolAddress: addressOf(`auction pool ${key}`),
    poolId: digestOf(`pool id ${key}`),
    poolType: random.pick(poolTypes),
    ...label,
    description: wanted.label
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
    sale: 'auction',
    startPrice,
    minShare: random.pick([0.1, 0.2, 0.3]),
    ...course,
    timeForm: random.pick(timeForms),
    quirks: new Set(random.chance(0.2) ? [...drawn, 'exponent-prices' as const] : drawn),
    showcase: undefined,
    status: wanted.status,
    price,
    priceBefore: price / Math.exp(random.normal() * 0.2),
    volume: price * size.supply * traded,
    volumeBefore: price * size.supply * traded * Math.exp(random.normal() * 0.5),
    // No pool holds more than all tokens are worth, however far their price fell.
    liquidity: Math.min(raised * random.between(0.5, 0.95), price * size.supply),
  }
}

function labelOf(random: Random, { label }: Wanted): { name: string; symbol: string } {
  let found = label ?? inventName(random)
  while (!label && reserved.has(found.symbol)) found = inventName(random)
  return found
}

/** What the API leaves out about a token: market data of about every third, and of as many where it is asked for alone. */
function unspoken(address: string): Quirk[] {
  const number = Number(BigInt(address) % 9973n)
  return [
    ...(number % 10 < 3 ? ['null-market-data' as const] : []),
    ...(number % 7 < 2 ? ['short-alone' as const] : []),
  ]
}

/** A token of Robinhood Chain: the standard launch, most of them near the price at which they opened. */
function inventOnCurve(random: Random, key: string, now: number, wanted: Wanted): Token {
  const { name } = labelOf(random, wanted)
  // Its launcher takes letters alone.
  const { symbol } = labelOf(random, { status: 'live' })
  const isNew = wanted.course !== undefined
  const numeraire = random.pick(numerairesOf(robinhood))
  const startPrice = openingPrice(numeraire)
  const rise = random.chance(0.4) ? random.between(1, 1.5) : random.magnitude(1.5, 500)
  const price = isNew ? startPrice : startPrice * rise
  const sold = soldAt({ startPrice }, price)
  const toSell = 1e9
  const createdAt = now - (isNew ? 0 : Math.round(random.magnitude(60, 140 * day)))
  const address = getAddress(`${addressOf(`token ${key}`).slice(0, -4)}1e18`)
  const creator = addressOf(`creator ${random.int(1, 12)} of ${robinhood}`)
  const volume = isNew ? 0 : price * toSell * random.magnitude(0.001, 0.6)
  const drawn: Quirk[] = ['lowercase-address', ...unspoken(address)]
  if (random.chance(0.15)) drawn.push('null-market-data')
  if (random.chance(0.4)) drawn.push('no-times')
  return {
    ...hookPool(address, random.chance(0.2)),
    name,
    symbol,
    description: random.chance(0.6) ? '' : inventDescription(random),
    creator,
    feeReceiver: creator,
    categories: [],
    socialLinks: socialLinks(random, name),
    vesting: [],
    numeraire,
    supply: toSell,
    toSell,
    startPrice,
    createdAt,
    startsAt: createdAt,
    endsAt: createdAt,
    timeForm: random.pick(timeForms),
    quirks: new Set(drawn),
    showcase: undefined,
    sold,
    ...(random.chance(0.4) ? { statedPercent: 12.5 } : {}),
    price,
    priceBefore: Math.max(startPrice, price / Math.exp(random.normal() * 0.4)),
    volume,
    volumeBefore: volume * Math.exp(random.normal() * 0.5),
    liquidity: 2 * proceedsOf({ sale: 'curve', startPrice, toSell }, sold),
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
      const wanted = label ? { status, label } : { status }
      return inventToken(random, chain, `${chain} ${status} ${index}`, now, wanted)
    }),
  )
  if (chain === 8453) quoteInBuilderCoin(tokens)
  const [first, second, ...rest] = tokens
  // pool_address is not unique: two assets of one hook show the same.
  return first && second ? [first, { ...second, poolAddress: first.poolAddress }, ...rest] : tokens
}

/** Every fourth product coin is quoted in a builder's coin, for as long as the world lasts at the price of its beginning. */
function quoteInBuilderCoin(tokens: Token[]): void {
  const builder = tokens.find(
    ({ status, symbol, categories: has }) =>
      status === 'graduated' && /^[A-Z]+$/u.test(symbol) && has.includes('builder-coin'),
  )
  if (!builder) return
  const { address, name, symbol, price } = builder
  const numeraire = { address, name, symbol, decimals: 18, usd: price }
  for (const [index, token] of tokens.entries()) {
    if (token === builder || !token.categories.includes('product-coin')) continue
    if (BigInt(token.address) % 4n === 0n) tokens[index] = { ...token, numeraire }
  }
}

const firsts =
  'Amber Arctic Autumn Basalt Brass Bright Clever Cloud Cobalt Copper Coral Cosmic Crystal Dawn Deep Desert Distant Drifting Dusty Electric Ember Feral First Folded Frosty Garden Gentle Gilded Glass Golden Grand Granite Hidden Honest Indigo Ivory Jade Kind Little Loud Lucky Lunar Maple Midnight Misty Mossy Nimble Northern Open Opal Paper Patient Pocket Polar Proper Quiet Rapid River Rusty Saffron Salty Scarlet Second Silent Silver Sleepy Slow Solar Spare Stone Sunday Tidal Tiny Velvet Violet Wandering Wild Winter Wooden'.split(
    ' ',
  )
const seconds =
  'Abacus Acorn Almanac Anchor Atlas Badger Banjo Beacon Bicycle Biscuit Bramble Bridge Cactus Canyon Castle Cedar Chess Cipher Clover Comet Cricket Dolphin Engine Falcon Fern Ferry Fiddle Finch Fjord Forge Fox Gecko Glacier Heron Hedgehog Island Juniper Kettle Kiln Kite Ledger Lemur Library Lichen Loom Magpie Mango Marble Meadow Mirror Moth Narwhal Nebula Oak Orchard Owl Oyster Parrot Pebble Pelican Piano Pigeon Pixel Plum Pretzel Puffin Quartz Rabbit Radish Raven Reef Robot Rocket Sailor Salmon Scooter Signal Sparrow Spruce Sundial Swallow Tandem Teapot Thistle Tugboat Turnip Umbrella Violin Walrus Wharf Willow Wombat Yarn Zeppelin'.split(
    ' ',
  )
const endings = ['', '', '', '', ' Club', ' Labs', ' Protocol', ' Society', ' Works']

/** An invented name and its ticker; tickers are nouns, so some are shared by several tokens. */
function inventName(random: Random): { name: string; symbol: string } {
  const first = random.pick(firsts)
  const second = random.pick(seconds)
  const symbol = random.chance(0.7) ? second : `${first.slice(0, 1)}${second.slice(0, 4)}`
  return { name: `${first} ${second}${random.pick(endings)}`, symbol: symbol.toUpperCase() }
}

const sentences = [
  'A small coin with a long memory.',
  'Holders vote on what gets built next, every second Tuesday.',
  'Fees go to the people who answer the support mail.',
  'Started as a joke in a group chat and got out of hand in the friendliest way.',
  'The team ships in the open: the road map is a public list and so is the budget.',
  'Each holder gets a postcard, for as long as the stamps last.',
  'Half of the proceeds buys trees; the other half buys time to look after them.',
  'No promises, no road map, one very good drawing.',
  'An experiment in paying open-source maintainers by the week.',
  'Made for players of a game that is not finished yet.',
]

/** A description of no, few or many sentences; long ones show how cards shorten. */
function inventDescription(random: Random): string {
  const length = random.pick([0, 1, 1, 2, 2, 3, 12])
  return Array.from({ length }, () => random.pick(sentences)).join(' ')
}

/** Names written by people who test what a chat does with them: each must show as harmless text. */
export const hostileNames: readonly { name: string; symbol: string }[] = [
  { name: '@everyone', symbol: '@here' },
  { name: '<b>Bold</b><script>alert(1)</script>', symbol: '<i>X</i>' },
  { name: '[click](https://evil.example)', symbol: 'CLICK' },
  { name: 'Safe \u202Egnp.exe\u202C', symbol: '\u202ERTL' },
  { name: 'Zero\u200B\u200C\u200DWidth\uFEFF', symbol: 'Z\u200BW' },
  { name: 'Long '.repeat(60).trim(), symbol: 'LONGLONG'.repeat(8) },
  { name: 'Two\nLines\r\n\r\nand more', symbol: 'NEW\nLINE' },
  { name: '', symbol: '' },
  { name: 'https://evil.example', symbol: 'evil.example' },
  { name: '*_~|`> # -', symbol: '*_~|`' },
  { name: 'Z̸̡̛͔̗̒͌a̶̢̧̛͈̓l̷̨̛̲̄g̵̛̖̈́o̸̧̱͊̌', symbol: 'Z̸̡A̶̢L̷̨' },
  { name: '👨‍👩‍👧‍👦 Family 🏳️‍🌈', symbol: '👩🏽‍🚀' },
  { name: 'قمر الثعلب', symbol: 'قمر' },
  { name: '月のカワウソ 달 수달', symbol: '月獺' },
  { name: '<@&123456789012345678> <#1>', symbol: 'tg://user?id=1' },
]

/** Links of which a card should show the https ones alone. */
const hostileLinks = [
  { label: 'Website', url: 'http://plain.example/' },
  { label: 'Prize', url: 'javascript:alert(document.cookie)' },
  { label: 'Broken', url: 'ht!tp:/not a url' },
  { label: '', url: '' },
  { label: '](https://evil.example)', url: 'https://links.example/)](evil)?q=<b>&"' },
  { label: 'Lookalike', url: 'https://gavel.example@evil.example/' },
] as const

/** A stream of numbers that is the same for the same seed, so that a world can be built twice alike. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 (included) to 1 (excluded); the mulberry32 generator. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next()
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1))
  }

  /** Spread evenly over magnitudes: as many answers between 1 and 10 as between 10 and 100. */
  magnitude(low: number, high: number): number {
    return 10 ** this.between(Math.log10(low), Math.log10(high))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(this.next() * choices.length)]
    if (chosen === undefined) throw new RangeError('nothing to pick from')
    return chosen
  }

  /** Normally distributed with mean 0 and deviation 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }
}
