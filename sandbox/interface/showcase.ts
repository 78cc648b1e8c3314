import { type Address, zeroAddress } from 'viem'
import { addressOf, auctionPrice, digestOf, numerairesOf, type Token } from './token.ts'

const day = 86_400

/** Where the showcase tokens live, in every world. */
export const showcaseAddresses = {
  moonOtter: '0x0773E25C1B5d4A3F9e8C7d6B5a49382716F5A10e',
  otterSpace: addressOf('Otter Space'),
  lantern: addressOf('Paper Lantern'),
  harbor: addressOf('Quiet Harbor'),
} as const satisfies Record<string, Address>

interface Outline {
  chain: number
  address: Address
  name: string
  symbol: string
  description: string
  startPrice: number
  sold: number
  age: number
}

function outlined(outline: Outline, now: number): Token {
  const [numeraire] = numerairesOf(outline.chain)
  if (!numeraire) throw new Error('every chain has a numeraire')
  const price = auctionPrice(outline.startPrice, outline.sold)
  const createdAt = now - outline.age
  return {
    chain: outline.chain,
    address: outline.address,
    poolAddress: addressOf(`auction pool of ${outline.address}`),
    poolId: digestOf(`pool id of ${outline.address}`),
    poolType: 'multicurve',
    name: outline.name,
    symbol: outline.symbol,
    description: outline.description,
    creator: addressOf(`creator of ${outline.address}`),
    feeReceiver: addressOf(`fee receiver of ${outline.address}`),
    categories: ['product-coin'],
    socialLinks: [],
    vesting: [],
    numeraire,
    supply: 1e9,
    toSell: 6e8,
    startPrice: outline.startPrice,
    minShare: 0.25,
    createdAt,
    startsAt: createdAt + 3600,
    endsAt: now + 2 * day,
    timeForm: 'seconds',
    quirks: new Set(),
    showcase: { sold: outline.sold },
    status: 'live',
    sold: outline.sold,
    pace: outline.sold / outline.age,
    price,
    priceBefore: price / 1.154,
    volume: price * 2.4e7,
    volumeBefore: price * 2e7,
    liquidity: price * 1.1e8,
    graduatedAt: undefined,
  }
}

/**
 * The tokens that people and tests look for first. $OTTER names two tokens on Base, $LANTERN one on
 * Base and $HARBOR one on Base Sepolia; only those on one of `chains` are given.
 */
export function showcaseTokens(chains: readonly number[], now: number): Token[] {
  const moonOtter: Token = {
    ...outlined(
      {
        chain: 8453,
        address: showcaseAddresses.moonOtter,
        name: 'Moon Otter',
        symbol: 'OTTER',
        description:
          'Moon Otter pays for night patrols on three rivers. Every trade leaves one per cent to the keepers, who publish what they saw each morning. Holders name the pups.',
        startPrice: 0.0005,
        sold: 0.42,
        age: 1.5 * day,
      },
      now,
    ),
    categories: ['builder-coin', 'product-coin'],
    socialLinks: [
      { label: 'Website', url: 'https://moonotter.example/' },
      { label: 'X', url: 'https://x.com/moonotter_example' },
      { label: 'Old site', url: 'http://old.moonotter.example/' },
    ],
    vesting: [
      {
        address: addressOf(`creator of ${showcaseAddresses.moonOtter}`),
        amount: '50000000000000000000000000',
        percentage: '5',
      },
    ],
  }
  const otterSpace: Token = {
    ...outlined(
      {
        chain: 8453,
        address: showcaseAddresses.otterSpace,
        name: 'Otter Space',
        symbol: 'OTTER',
        description: 'The other otter. Gone to the stars in spring.',
        startPrice: 0.00001,
        sold: 1,
        age: 60 * day,
      },
      now,
    ),
    status: 'graduated',
    endsAt: now - 57 * day,
    graduatedAt: now - 57 * day,
    timeForm: 'iso',
  }
  const lantern: Token = {
    ...outlined(
      {
        chain: 8453,
        address: showcaseAddresses.lantern,
        name: 'Paper Lantern',
        symbol: 'LANTERN',
        description: 'Light for reading, funded by readers.',
        startPrice: 0.00002,
        sold: 1,
        age: 30 * day,
      },
      now,
    ),
    status: 'graduated',
    endsAt: now - 26 * day,
    graduatedAt: now - 26 * day,
    timeForm: 'milliseconds',
    feeReceiver: zeroAddress,
  }
  const harbor = outlined(
    {
      chain: 84532,
      address: showcaseAddresses.harbor,
      name: 'Quiet Harbor',
      symbol: 'HARBOR',
      description: 'A test harbour for test boats.',
      startPrice: 0.000001,
      sold: 0.73,
      age: 0.8 * day,
    },
    now,
  )
  return [moonOtter, otterSpace, lantern, harbor].filter((token) => chains.includes(token.chain))
}
