import { setTimeout as delay } from 'node:timers/promises'
import {
  type Address,
  createPublicClient,
  erc20Abi,
  formatUnits,
  getAddress,
  type Hex,
  http,
  isAddress,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  parseEventLogs,
  zeroHash,
} from 'viem'
import { moduleAt } from '../chain/modules.ts'
import type { MetadataBody } from './launch-body.ts'
import { type LaunchChain, type Launches, launcherAbi, vestedAmount } from './launches.ts'
import { proceedsOf } from './pool.ts'
import {
  dynamicLasts,
  dynamicMinimum,
  dynamicStartsAfter,
  initialSupply,
  numTokensToSell,
  openingPrice,
} from './templates.ts'
import { numerairesOf, plainToken, type Quirk, type Token } from './token.ts'
import type { World } from './world.ts'

const uriAbi = parseAbi(['function tokenURI() view returns (string)'])
const poolManagerAbi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const pollEveryMs = 50
/** Seconds in which this stand-in sells a curve; its sale has no end. */
const curveLasts = 2 * 86_400
const whole = 10n ** 18n

interface Launched {
  asset: Address
  pool: Address
  /** Of the pool on Uniswap V4. */
  poolId: Hex
  initializer: Address
  numeraire: Address
  /** Who sent the transaction. */
  sender: Address
}

interface Parts {
  chain: LaunchChain
  launches: Launches
  world: World
}

/** Looks for launches on a chain and adds each to the world, until it is stopped. */
export class LaunchWatch {
  readonly #parts: Parts
  readonly #client: PublicClient
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  #next: bigint | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#client = createPublicClient({ transport: http(parts.chain.rpcUrl, { retryCount: 0 }) })
    this.#running = this.#watch()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      // A chain that does not answer is looked at again; what it did meanwhile is then found.
      await this.#look().catch(() => undefined)
      await delay(pollEveryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #look(): Promise<void> {
    const latest = await this.#client.getBlockNumber({ cacheTime: 0 })
    const fromBlock = this.#next ?? 0n
    if (fromBlock > latest) return
    const logs = await this.#client.getContractEvents({
      abi: launcherAbi,
      eventName: 'Create',
      address: this.#parts.chain.launcher.airlock,
      fromBlock,
      toBlock: latest,
      strict: true,
    })
    for (const { args, transactionHash } of logs) {
      const { asset, poolOrHook: pool, initializer, numeraire } = args
      const { from: sender, logs: all } = await this.#client.getTransactionReceipt({
        hash: transactionHash,
      })
      const [opened] = parseEventLogs({ abi: poolManagerAbi, logs: all })
      const poolId = opened?.args.id ?? zeroHash
      await this.#add({ asset, pool, poolId, initializer, numeraire, sender })
    }
    this.#next = latest + 1n
  }

  async #add(launched: Launched): Promise<void> {
    const { chain, launches, world } = this.#parts
    if (world.asset(chain.chainId, launched.asset)) return
    const at = { address: launched.asset } as const
    const [name, symbol, uri] = await Promise.all([
      this.#client.readContract({ ...at, abi: erc20Abi, functionName: 'name' }),
      this.#client.readContract({ ...at, abi: erc20Abi, functionName: 'symbol' }),
      this.#client.readContract({ ...at, abi: uriAbi, functionName: 'tokenURI' }),
    ])
    const built = launches.built.find(({ result }) =>
      isAddressEqual(result.token_address, launched.asset),
    )
    const creator = getAddress(built?.asked.metadata.user_address ?? launched.sender)
    const metadata = launches.metadata(uri)
    const dynamic = isAddressEqual(launched.initializer, moduleAt('UniswapV4Initializer'))
    const now = Math.floor(world.now / 1000)
    world.add({
      ...auctionOf(launched, chain.chainId, now, dynamic),
      name,
      symbol,
      creator,
      ...described(metadata, creator),
    })
  }
}

/** What the metadata tell of a token. */
function described(metadata: MetadataBody | undefined, creator: Address) {
  const picture = metadata?.image_hash.replace(/^ipfs:\/\//u, '') ?? ''
  const receiver = metadata?.fee_receiver ?? ''
  return {
    description: metadata?.description ?? '',
    feeReceiver: isAddress(receiver) ? getAddress(receiver) : creator,
    categories: metadata?.categories ?? [],
    socialLinks: metadata?.social_links ?? [],
    picture,
    vesting: (metadata?.vesting_recipients ?? []).map(({ address, ...share }) => {
      const amount = vestedAmount(share)
      const percentage = formatUnits((amount * 10n ** 18n) / initialSupply, 16)
      return { address: getAddress(address), amount: String(amount), percentage }
    }),
  }
}

/** A sale that has just begun, or an auction that begins when its payload says. */
function auctionOf(
  { asset, pool, poolId, numeraire }: Launched,
  chain: number,
  now: number,
  isAuction: boolean,
) {
  const supply = Number(initialSupply / whole)
  const known = numerairesOf(chain).find(({ address }) => isAddressEqual(address, numeraire))
  const quote = known ?? {
    address: getAddress(numeraire),
    name: 'Unknown',
    symbol: '?',
    decimals: 18,
    usd: 1,
  }
  const price = openingPrice(isAuction) * quote.usd
  const startsAt = isAuction ? now + dynamicStartsAfter : now
  const lasts = isAuction ? dynamicLasts : curveLasts
  const toSell = Number(numTokensToSell / whole)
  const largest = proceedsOf({ sale: 'auction', startPrice: price, toSell }, 1) / quote.usd
  return {
    ...plainToken,
    chain,
    address: getAddress(asset),
    poolAddress: getAddress(pool),
    poolId,
    poolType: isAuction ? 'v4' : 'multicurve',
    numeraire: quote,
    supply,
    toSell,
    startPrice: price,
    minShare: isAuction ? Number(formatUnits(dynamicMinimum, 18)) / largest : 0,
    quirks: new Set<Quirk>(isAuction ? [] : ['open-ended']),
    createdAt: now,
    startsAt,
    endsAt: startsAt + lasts,
    status: isAuction ? 'incoming' : 'live',
    pace: 1.2 / lasts,
    price,
    priceBefore: price,
  } as const satisfies Partial<Token>
}
