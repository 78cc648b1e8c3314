import { type Address, zeroAddress } from 'viem'
import { addressOf, auctionPrice, digestOf, numerairesOf, plainToken, type Token } from './token.ts'

const day = 86_400

/** Where the showcase tokens live, in every world. */
export const showcaseAddresses = {
  moonOtter: '0x0773E25C1B5d4A3F9e8C7d6B5a49382716F5A10e',
  otterSpace: addressOf('Otter Space'),
  lantern: addressOf('Paper Lantern'),
  harbor: addressOf('Quiet Harbor'),
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
  const price = auctionPrice(startPrice, sold)
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
 * Base and $HARBOR one on Base Sepolia; only those on one of `chains` are given.
 */
export function showcaseTokens(chains: readonly number[], now: number): Token[] {
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
  ].filter(({ chain }) => chains.includes(chain))
}
