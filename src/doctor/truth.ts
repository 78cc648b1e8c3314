import { type Address, formatUnits, getAddress, isAddressEqual, zeroAddress } from 'viem'
import { currentPool } from '../api/figures.ts'
import { decimal as wireNumber } from '../api/number.ts'
import { type Asset, addressPattern } from '../api/schema.ts'
import { decimal, priceAt } from '../chain/airlock/curve.ts'
import { type LaunchedSale, readLaunchedSale } from '../chain/airlock/sale.ts'
import { maxDecimals } from '../chain/node.ts'
import { ask, type Viewer, view, type Words } from '../chain/rpc.ts'

/**
 * Data of an asset from the chain. Amounts are decimal texts without exponent, in whole tokens or whole quote tokens;
 * unreadable ones are absent.
 */
export interface Truth {
  asset: Address
  tokenDecimals?: number | undefined
  quoteDecimals?: number | undefined
  /** Current total supply. */
  supply?: string | undefined
  toSell?: string | undefined
  /** Tokens sold, net of those sold back. */
  sold?: string | undefined
  /** Price in quote tokens, in the launch pool; absent once the asset graduated. */
  price?: string | undefined
  /** Quote tokens raised, without fees. */
  raised?: string | undefined
}

/** The node of a chain, and the launch contract there if it is known. */
export interface TruthSource {
  node: Viewer
  airlock: Address | undefined
}

/** Data of a chain's assets by lower-case address; undefined if there is no token. */
export type KnownTruths = Map<string, Truth | undefined>

const maxAssets = 5
/** Digits of a price; more than an interface gives. */
const priceDigits = 18

/**
 * Reads the most informative assets of a chain: first those in their auction with many amounts, and one per quote token
 * before a second of any, because decimals differ. Assets already read are skipped.
 * @throws NodeError if the node doesn't answer, or answers for another chain
 */
export async function readTruths(
  source: TruthSource,
  assets: readonly Asset[],
  known: KnownTruths = new Map(),
): Promise<Truth[]> {
  const truths: Truth[] = []
  for (const asset of mostInformative(assets)) {
    const address = asset.asset_address.toLowerCase()
    if (!known.has(address)) known.set(address, await readTruth(source, asset))
    const truth = known.get(address)
    if (truth) truths.push(truth)
  }
  return truths
}

/**
 * Reads one asset with at most 12 contract calls; undefined if there is no token at its address.
 * @throws NodeError if the node doesn't answer, or answers for another chain
 */
export async function readTruth(
  { node, airlock }: TruthSource,
  asset: Asset,
): Promise<Truth | undefined> {
  const token = getAddress(asset.asset_address)
  const [[decimals, supply], sale] = await Promise.all([
    ask(node, [view(token, 'decimals()'), view(token, 'totalSupply()')]),
    airlock && readLaunchedSale(node, airlock, token),
  ])
  if (!decimals && !supply) return undefined
  const tokenDecimals = decimalsIn(decimals)
  const quote = sale?.quote ?? addressOf(asset.asset_numeraire_address)
  const quoteDecimals = quote && (await decimalsOf(node, quote))
  return {
    asset: token,
    tokenDecimals,
    quoteDecimals,
    supply: amount(supply?.[0], tokenDecimals),
    toSell: amount(sale?.toSell, tokenDecimals),
    sold: amount(sale?.sold, tokenDecimals),
    price: price(sale, tokenDecimals, quoteDecimals),
    raised: amount(sale?.raised, quoteDecimals),
  }
}

function mostInformative(assets: readonly Asset[]): readonly Asset[] {
  const sorted = assets.toSorted(
    (one, other) => informativeAmounts(other) - informativeAmounts(one),
  )
  const seen = new Map<string, number>()
  const ranked = sorted.map((asset) => {
    const quote = asset.asset_numeraire_address?.toLowerCase() ?? ''
    const before = seen.get(quote) ?? 0
    seen.set(quote, before + 1)
    return { asset, before }
  })
  return ranked
    .toSorted((one, other) => one.before - other.before)
    .slice(0, maxAssets)
    .map(({ asset }) => asset)
}

/** Counts the amounts that can be compared with the chain: those above 0, if the auction's pool trades. */
function informativeAmounts(asset: Asset): number {
  if (currentPool(asset) !== 'auction') return 0
  const { auction_pool: pool } = asset
  const amounts = [...Object.values(pool ?? {}), ...Object.values(pool?.pool_market_data ?? {})]
  return amounts.filter((each) => typeof each === 'string' && wireNumber(each)?.gt(0)).length
}

/** Looks up the quote token's decimals; the zero address is the native coin. */
async function decimalsOf(node: Viewer, quote: Address): Promise<number | undefined> {
  if (isAddressEqual(quote, zeroAddress)) return 18
  const [said] = await ask(node, [view(quote, 'decimals()')])
  return decimalsIn(said)
}

function price(
  sale: LaunchedSale | undefined,
  tokenDecimals: number | undefined,
  quoteDecimals: number | undefined,
): string | undefined {
  if (!sale?.sqrtPrice || tokenDecimals === undefined || quoteDecimals === undefined) {
    return undefined
  }
  const { numerator, denominator } = priceAt(sale.sqrtPrice, sale.isToken0)
  const whole = {
    numerator: numerator * 10n ** BigInt(tokenDecimals),
    denominator: denominator * 10n ** BigInt(quoteDecimals),
  }
  return decimal(whole, priceDigits)
}

function amount(units: bigint | undefined, decimals: number | undefined): string | undefined {
  return units === undefined || decimals === undefined ? undefined : formatUnits(units, decimals)
}

function decimalsIn(words: Words): number | undefined {
  const said = words?.[0]
  return said === undefined || said > maxDecimals ? undefined : Number(said)
}

function addressOf(text: string | undefined): Address | undefined {
  return text !== undefined && addressPattern.test(text) ? getAddress(text) : undefined
}
