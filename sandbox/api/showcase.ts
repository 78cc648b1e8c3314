import { type Address, zeroAddress } from 'viem'
import { openingPrice, priceAt, proceedsOf, soldAt } from './pool.ts'
import {
  addressOf,
  digestOf,
  hookPool,
  numerairesOf,
  plainToken,
  robinhood,
  type Token,
} from './token.ts'

const day = 86_400

/** Where the showcase tokens live, in every world. */
export const showcaseAddresses = {
  moonOtter: '0x0773E25C1B5d4A3F9e8C7d6B5a49382716F5A10e',
  otterSpace: addressOf('Otter Space'),
  lantern: addressOf('Paper Lantern'),
  harbor: addressOf('Quiet Harbor'),
  rizo: '0xc99FD9FF8494229C8271a9053e489F6405f61e18',
  artificialInu: '0x2E8c31162b855A2ffa90F6F8634643Ad6F111e18',
} as const satisfies Record<string, Address>

type Outline = Pick<Token, 'name' | 'symbol' | 'description' | 'startPrice' | 'sold'> &
  Partial<Token> & { age: number }

function showcaseToken(
  chain: number,
  address: Address,
  now: number,
  { age, ...outline }: Outline,
): Token {
  const [numeraire] = numerairesOf(chain)
  if (!numeraire) throw new Error('every chain has a numeraire')
  const { startPrice, sold } = outline
  const price = priceAt({ sale: 'auction', startPrice }, sold)
  const createdAt = now - age
  return {
    ...plainToken,
    chain,
    address,
    poolAddress: addressOf(`auction pool of ${address}`),
    poolId: digestOf(`pool id of ${address}`),
    poolType: 'multicurve',
    creator: addressOf(`creator of ${address}`),
    feeReceiver: addressOf(`fee receiver of ${address}`),
    categories: ['product-coin'],
    numeraire,
    supply: 1e9,
    toSell: 6e8,
    minShare: 0.25,
    createdAt,
    startsAt: createdAt + 3600,
    endsAt: now + 2 * day,
    showcase: { sold },
    status: 'live',
    pace: sold / age,
    price,
    priceBefore: price / 1.154,
    volume: price * 2.4e7,
    volumeBefore: price * 2e7,
    liquidity: price * 1.1e8,
    ...outline,
  }
}

/**
 * The tokens that people and tests look for first. $OTTER names two tokens on Base, $LANTERN one on
 * Base and $HARBOR one on Base Sepolia; those on Robinhood Chain are as they were recorded. Only those on one of `chains`
 * are given.
 */
export function showcaseTokens(chains: readonly number[], now: number): Token[] {
  return [...inventedTokens(now), ...recordedTokens(now)].filter(({ chain }) =>
    chains.includes(chain),
  )
}

function inventedTokens(now: number): Token[] {
  const { moonOtter, otterSpace, lantern, harbor } = showcaseAddresses
  const ended = (ago: number) =>
    ({ status: 'graduated', endsAt: now - ago, graduatedAt: now - ago }) as const
  return [
    showcaseToken(8453, moonOtter, now, {
      name: 'Moon Otter',
      symbol: 'OTTER',
      description:
        'Moon Otter pays for night patrols on three rivers. Every trade leaves one percent to the keepers, who publish what they saw each morning. Holders name the pups.',
      startPrice: 0.0005,
      sold: 0.42,
      age: 1.5 * day,
      categories: ['builder-coin', 'product-coin'],
      socialLinks: [
        { label: 'Website', url: 'https://moonotter.example/' },
        { label: 'X', url: 'https://x.com/moonotter_example' },
        { label: 'Old site', url: 'http://old.moonotter.example/' },
      ],
      vesting: [
        {
          address: addressOf(`creator of ${moonOtter}`),
          amount: '50000000000000000000000000',
          percentage: '5',
        },
      ],
    }),
    showcaseToken(8453, otterSpace, now, {
      name: 'Otter Space',
      symbol: 'OTTER',
      description: 'The other otter. Gone to the stars in spring.',
      startPrice: 0.00001,
      sold: 1,
      age: 60 * day,
      ...ended(57 * day),
      timeForm: 'iso',
    }),
    showcaseToken(8453, lantern, now, {
      name: 'Paper Lantern',
      symbol: 'LANTERN',
      description: 'Light for reading, funded by readers.',
      startPrice: 0.00002,
      sold: 1,
      age: 30 * day,
      ...ended(26 * day),
      timeForm: 'milliseconds',
      feeReceiver: zeroAddress,
    }),
    showcaseToken(84532, harbor, now, {
      name: 'Quiet Harbor',
      symbol: 'HARBOR',
      description: 'A test harbour for test boats.',
      startPrice: 0.000001,
      sold: 0.73,
      age: 0.8 * day,
    }),
  ]
}

type Recorded = Pick<Token, 'address' | 'name' | 'symbol'> &
  Partial<Token> & { quote: string; marketCap: number; age: number }

function recordedToken(now: number, { quote, marketCap, age, ...recorded }: Recorded): Token {
  const numeraire = numerairesOf(robinhood).find(({ symbol }) => symbol === quote)
  if (!numeraire) throw new Error(`${quote} is no quote token`)
  const [supply, createdAt] = [1e9, now - age]
  const price = marketCap / supply
  const startPrice = openingPrice(numeraire)
  const sold = soldAt({ startPrice }, price)
  const creator = addressOf(`creator of ${recorded.address}`)
  return {
    ...plainToken,
    ...hookPool(recorded.address),
    description: '',
    creator,
    feeReceiver: creator,
    numeraire,
    supply,
    toSell: supply,
    startPrice,
    createdAt,
    startsAt: createdAt,
    endsAt: createdAt,
    quirks: new Set(['lowercase-address']),
    showcase: { sold },
    sold,
    price,
    priceBefore: price,
    volume: marketCap * 0.1,
    volumeBefore: marketCap * 0.1,
    liquidity: 2 * proceedsOf({ sale: 'curve', startPrice, toSell: supply }, sold),
    ...recorded,
  }
}

// Rizo is a row of the API's GraphQL, recorded on 2026-09-14 in a test of a public client. The others are rows of a sibling
// index, recorded on 2026-09-02, which miscounts the six decimals of USDG; their names are invented.
function recordedTokens(now: number): Token[] {
  return [
    recordedToken(now, {
      address: showcaseAddresses.rizo,
      name: 'Rizo',
      symbol: 'RIZO',
      quote: 'TSLA',
      marketCap: 284080.493699,
      priceBefore: 2.84080493699e-4 / 1.1544070358332528,
      volume: 115924,
      statedPercent: 12.5,
      age: 3.5 * day,
    }),
    recordedToken(now, {
      address: showcaseAddresses.artificialInu,
      name: 'Artificial Inu',
      symbol: 'AI',
      quote: 'NVDA',
      marketCap: 251_735_000,
      age: 50 * day,
    }),
    recordedToken(now, {
      address: '0xbC69eaCaA9C542A0EBc9Fe39F83119c17a561e18',
      name: 'Paper Dollar',
      symbol: 'PAPER',
      quote: 'USDG',
      marketCap: 24_040,
      misreadCap: '12020068839362.504878956',
      age: 12 * 3600,
    }),
    recordedToken(now, {
      address: '0x85C2c2AAAf51FDf5962f6119Ec6A8e0db82d1E18',
      name: 'Tin Dollar',
      symbol: 'TIN',
      quote: 'USDG',
      marketCap: 78_796,
      misreadCap: '78796309827.120852555',
      age: 11 * 3600,
    }),
  ]
}
