import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import { z } from 'zod'
import { baseToken } from '../api/asset.ts'
import type { Api } from '../api/client.ts'
import { dollarsPerQuote } from '../api/figures.ts'
import { builtAuctionSchema } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { isAddress, shortAddress } from '../chain/address.ts'
import { compareWithAnswer, type Mismatch } from '../chain/airlock/answer.ts'
import { calldataDigest, entryOf, plain } from '../chain/airlock/calldata.ts'
import { effectsOf } from '../chain/airlock/effects.ts'
import {
  type Decoded,
  decodePayload,
  type ModuleEntry,
  moduleBook,
} from '../chain/airlock/modules.ts'
import type { Blame } from '../chain/airlock/refusals.ts'
import type { RehearsalResult } from '../chain/airlock/rehearse.ts'
import {
  chainById,
  entryPoint,
  knownDecimals,
  numeraireSymbol,
  quoteKind,
  wrappedCoin,
} from '../chain/chains.ts'
import { type ChainNode, maxDecimals } from '../chain/node.ts'
import { type Message, t } from '../core/view.ts'
import { ApiError } from '../errors.ts'
import { isQuoteSymbol } from '../views/lookalike.ts'
import { askedOf, type LaunchInputs, pinnedIntegrator, pinnedRows } from './build-inputs.ts'
import type { CheckedPayload, Payload } from './payload.ts'
import { tokenDecimals } from './table/value.ts'
import { bookOf, type Check, type Rehearsal, type StoredText, verdictOf } from './verdict.ts'

/** Result of the checks. Only `ready` is handed out at once; `unverified` after a second confirmation. */
export type CheckResult =
  | { kind: 'ready'; payload: CheckedPayload }
  /** Why, most important first. */
  | { kind: 'unverified'; doubts: readonly StoredText[]; payload: CheckedPayload }
  | { kind: 'mismatch'; mismatches: readonly Mismatch[] }
  /** `blame`: the answer to change so that the contracts accept it. */
  | { kind: 'refused'; reason: Message; blame?: Blame }

interface CheckInputs extends LaunchInputs {
  uri: string
  /** The API's answer as JSON. */
  answer: string
  /** Whether nobody knows if the CID under which the picture was published names it. */
  isPictureUnread?: boolean
  /** The operator's integrator. */
  integrator: Address | undefined
  /** The operator's additional modules on this chain. */
  modules: readonly ModuleEntry[] | undefined
}

/** Sources of what the payload itself doesn't contain. */
export interface CheckSources {
  /** Undefined if no node is configured for the chain. */
  node: Pick<ChainNode, 'rehearse' | 'block' | 'hasCode' | 'tokenFacts' | 'gasPrice'> | undefined
  /** Looks up a token that was launched over the API; undefined if the API has none, or fails. */
  launched: (chain: number, token: Address) => Promise<LaunchedToken | undefined>
  /** Returns a token's price in dollars as a decimal text; undefined if unknown. */
  usd: (chain: number, quote: Address) => Promise<string | undefined>
  /** Compares the document on IPFS with the upload. */
  metadata: () => Promise<Check['metadata']>
  /** Unix seconds. */
  now: () => number
}

/** A token that was launched over the API, as it says. */
interface LaunchedToken {
  symbol: string
  decimals: number
}

const calldataSchema = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-f]{2})+$/u)])
/** Min seconds that a person needs to read the table and sign. */
const minSigningSeconds = 120

/**
 * Runs all checks that are possible before signing; those on the chain need a node.
 * @throws NodeError if the node fails
 */
export async function checkBuilt(inputs: CheckInputs, sources: CheckSources): Promise<CheckResult> {
  const built = builtAuctionSchema.parse(JSON.parse(inputs.answer))
  const calldata = calldataSchema.parse(built.encoded_payload.toLowerCase())
  const said = built.token_address
  if (said !== undefined && !isAddress(said)) {
    const what = 'token address'
    return { kind: 'mismatch', mismatches: [{ what, expected: 'an address', found: said }] }
  }
  const decoded = decodePayload(calldata, moduleBook(inputs.chain, inputs.modules))
  const token = said === undefined ? undefined : getAddress(said.toLowerCase())
  const integrator = inputs.integrator ?? pinnedIntegrator(inputs.template)
  let unchecked: readonly string[] = []
  if (decoded.call) {
    const { name, symbol, uri } = inputs
    const expected = { params: built.params, name, symbol, uri, integrator }
    const compared = compareWithAnswer(decoded, expected)
    if (compared.mismatches.length > 0) return { kind: 'mismatch', mismatches: compared.mismatches }
    unchecked = compared.unchecked
  }
  return new BuiltCheck(inputs, sources, { calldata, token, decoded, integrator, unchecked }).run()
}

interface Built {
  calldata: Hex
  token: Address | undefined
  decoded: ReturnType<typeof decodePayload>
  integrator: Address | undefined
  unchecked: readonly string[]
}

class BuiltCheck {
  readonly #inputs: CheckInputs
  readonly #sources: CheckSources
  readonly #built: Built

  constructor(inputs: CheckInputs, sources: CheckSources, built: Built) {
    this.#inputs = inputs
    this.#sources = sources
    this.#built = built
  }

  async run(): Promise<CheckResult> {
    const { decoded, calldata, unchecked } = this.#built
    const { chain, launcher, wallet, name, symbol, uri } = this.#inputs
    const now = this.#sources.now()
    const to = entryPoint(launcher, entryOf(calldata))
    const late = decoded.call && this.#tooSoon(decoded, now)
    if (late !== undefined) return { kind: 'refused', reason: late, blame: 'time' }
    const outcome = await this.#rehearse(to ?? launcher.to)
    if (outcome.kind === 'refused') return outcome
    const { fromBlock } = outcome
    const check = await this.#check(outcome, to, now)
    const verdict = verdictOf(calldata, wallet, check, chainById(chain).coin)
    const staleAt = this.#staleAt()
    const payload: CheckedPayload = {
      chain,
      to: to ?? launcher.to,
      airlock: launcher.airlock,
      calldata,
      // Launches cost gas alone, and what an entry that also buys would pay is not read.
      value: '0',
      digest: calldataDigest(calldata),
      wallet,
      name,
      symbol,
      uri,
      ...(check.token !== undefined && { token: check.token }),
      verified: verdict.doubts.length === 0,
      check,
      ...(unchecked.length > 0 && { unchecked: [...unchecked] }),
      simulation: outcome.simulation,
      ...(fromBlock !== undefined && { fromBlock: String(fromBlock) }),
      ...(staleAt !== undefined && { staleAt }),
    }
    return verdict.doubts.length === 0
      ? { kind: 'ready', payload }
      : { kind: 'unverified', doubts: verdict.doubts, payload }
  }

  /** Returns why there is too little time to sign; undefined if there is enough. */
  #tooSoon(decoded: Decoded, now: number): Message | undefined {
    const { deadline } = decoded.call.binding ?? {}
    if (deadline !== undefined && deadline < now + minSigningSeconds) {
      return t('verify-late-launcher')
    }
    const { starts } = effectsOf(decoded, { token: this.#built.token })
    const isAuction = decoded.pool?.form === 'auction'
    if (starts === undefined || starts >= now + minSigningSeconds) return undefined
    // A curve whose start has passed opens at once; an auction's launch reverts.
    if (starts <= now && !isAuction) return undefined
    return t('verify-late-start')
  }

  #staleAt(): number | undefined {
    const { decoded } = this.#built
    const start =
      decoded.call && decoded.pool?.form === 'auction' ? decoded.pool.startingTime : undefined
    const deadline = decoded.call?.binding?.deadline
    const ends = [start, deadline].filter((each) => each !== undefined).map(Number)
    return ends.length === 0 ? undefined : Math.min(...ends)
  }

  async #check(outcome: NotRefused, to: Address | undefined, now: number): Promise<Check> {
    const { chain, answers, template, isPictureUnread } = this.#inputs
    const { decoded, integrator, calldata } = this.#built
    const [quote, metadata] = await Promise.all([this.#quote(), this.#sources.metadata()])
    const { passed } = outcome
    const token = passed?.asset ?? this.#built.token
    const rehearsed = passed?.rehearsed
    const unsendable =
      to === undefined && decoded.call
        ? [
            t('terms-why-unsendable', {
              chain: chainById(chain).name,
              entry: entryOf(calldata) ?? '–',
            }),
          ]
        : []
    const coinUsd = passed && (await this.#coinUsd(quote))
    return {
      ...(token !== undefined && { token }),
      quote,
      ...(rehearsed && {
        protocol: rehearsed.protocol,
        rehearsal: storedRehearsal(rehearsed, this.#inputs.wallet),
      }),
      ...(integrator && { integrator }),
      now,
      modules: decoded.call
        ? decoded.modules.flatMap(({ module }) => (module ? [{ ...module }] : []))
        : [],
      asked: { ...askedOf(answers, template) },
      pinned: pinnedRows(answers, template),
      ...(passed && {
        cost: {
          gas: String(passed.gas),
          ...(outcome.gasPrice !== undefined && { price: String(outcome.gasPrice) }),
          ...(coinUsd !== undefined && { usd: coinUsd }),
        },
      }),
      metadata,
      ...(isPictureUnread && { picture: 'not read back' as const }),
      doubts: unsendable,
    }
  }

  /** Finds the quote token's symbol and decimals: in the bot's own table, else among launched tokens and on the chain. */
  async #quote(): Promise<Check['quote']> {
    const { decoded } = this.#built
    if (!decoded.call) return { symbol: 'unknown', known: false }
    const { numeraire } = decoded.call.params
    const chain = chainById(this.#inputs.chain)
    const usd = await this.#sources.usd(chain.id, numeraire)
    const worth = usd === undefined ? {} : { usd }
    const symbol = numeraireSymbol(chain, numeraire)
    const decimals = knownDecimals(chain, numeraire)
    if (symbol !== undefined && decimals !== undefined) {
      return { symbol, known: true, decimals, ...worth }
    }
    const { node } = this.#sources
    const [launched, onChain] = await Promise.all([
      this.#sources.launched(chain.id, numeraire),
      node?.tokenFacts(numeraire),
    ])
    // The API's word alone counts only where there is no node.
    const facts = node ? onChain : launched
    const named = launched?.symbol ?? facts?.symbol
    const shown = named !== undefined && isQuoteSymbol(named, chain) ? named : undefined
    // The token has to be called on the chain as the API calls it, and not as another.
    const isHonest = launched !== undefined && facts !== undefined && shown === facts.symbol
    return {
      symbol: shown ?? shortAddress(numeraire),
      known: false,
      ...(isHonest && { launched: true as const }),
      ...(facts && { decimals: facts.decimals }),
      ...worth,
    }
  }

  /** Returns the price in dollars of the coin that pays for gas. */
  async #coinUsd(quote: Check['quote']): Promise<string | undefined> {
    const chain = chainById(this.#inputs.chain)
    if (quote.known && [chain.coin, `W${chain.coin}`].includes(quote.symbol)) return quote.usd
    const wrapped = wrappedCoin(chain)
    return wrapped && this.#sources.usd(chain.id, wrapped)
  }

  async #rehearse(to: Address): Promise<Outcome> {
    const { node } = this.#sources
    const { calldata, token, decoded } = this.#built
    const { launcher, wallet } = this.#inputs
    if (!node) return skipped(t('verify-no-node'))
    if (!decoded.call) {
      const fromBlock = await node.block()
      if (token !== undefined && (await node.hasCode(token))) {
        return { kind: 'refused', reason: t('refused-exists', { token }) }
      }
      return { ...skipped(t('verify-unreadable')), fromBlock }
    }
    const { airlock } = launcher
    const fromBlock = await node.block()
    const result = await rehearsePayload(node, { to, airlock, calldata, wallet, token }, decoded)
    if (result.kind === 'refused') return result
    return {
      kind: 'went on',
      passed: result,
      fromBlock,
      gasPrice: await node.gasPrice(),
      simulation: {
        kind: 'passed',
        gas: String(result.gas),
        ...(result.note !== undefined && { note: result.note }),
      },
    }
  }
}

interface NotRefused {
  kind: 'went on'
  passed?: Extract<RehearsalResult, { kind: 'passed' }>
  simulation: Payload['simulation']
  fromBlock?: bigint
  gasPrice?: bigint | undefined
}
type Outcome = NotRefused | Extract<RehearsalResult, { kind: 'refused' }>

function skipped(reason: Message): NotRefused {
  return { kind: 'went on', simulation: { kind: 'none', reason } }
}

type RehearsedPayload = Pick<Payload, 'to' | 'airlock' | 'calldata' | 'wallet'> & {
  token?: Address | undefined
}

/**
 * Rehearses a payload from the creator's account on the latest block.
 * @throws NodeError if the node fails
 */
export function rehearsePayload(
  node: Pick<ChainNode, 'rehearse'>,
  { to, airlock, calldata, wallet, token }: RehearsedPayload,
  decoded: Decoded,
): Promise<RehearsalResult> {
  const { params, binding } = decoded.call
  const pool = decoded.pool
  // A launcher refuses any other token than the one that the payload is bound to.
  const foreseen = token ?? binding?.expectedAsset
  return node.rehearse({
    to,
    airlock,
    calldata,
    from: wallet,
    ...(foreseen !== undefined && { token: foreseen }),
    modules: decoded.modules.filter(({ kind }) => kind !== 'hook'),
    quote: params.numeraire,
    supply: params.initialSupply,
    beneficiaries:
      pool && 'beneficiaries' in pool ? pool.beneficiaries.map((each) => each.beneficiary) : [],
  })
}

/** Decodes a stored payload; undefined if it is no launch or was not checked. */
export function decodedOf({
  calldata,
  check,
}: Pick<Payload, 'calldata' | 'check'>): Decoded | undefined {
  const decoded = check && decodePayload(calldata, bookOf(check))
  return decoded?.call ? decoded : undefined
}

type Rehearsed = NonNullable<Extract<RehearsalResult, { kind: 'passed' }>['rehearsed']>

/** Converts a rehearsal to the form stored with a check. */
export function storedRehearsal(rehearsed: Rehearsed, wallet: Address): Rehearsal {
  const { holders, pool, assetData, coins, moved } = rehearsed
  const taken = (movements: typeof moved) =>
    movements
      .filter(({ from }) => isAddressEqual(from, wallet))
      .reduce((sum, { amount }) => sum + amount, 0n)
  return {
    holders: holders.map(({ address, amount }) => ({ address, amount: String(amount) })),
    ...(pool && {
      pool: {
        holders: [...pool.holders],
        ...(pool.id && { id: pool.id }),
        sqrtPrice: String(pool.sqrtPrice),
        ...(pool.fee !== undefined && { fee: pool.fee }),
      },
    }),
    timelock: assetData.timelock,
    governance: assetData.governance,
    integrator: assetData.integrator,
    taken: { coins: String(taken(coins)), quote: String(taken(moved)) },
  }
}

/** Looks up a token that was launched over the API; undefined if the API has none, or fails. */
export async function launchedToken(
  api: Pick<Api, 'asset'>,
  chain: number,
  token: Address,
): Promise<LaunchedToken | undefined> {
  try {
    const { value } = await api.asset(token, chain)
    const { token_symbol: symbol, token_decimals: decimals } = baseToken(value) ?? {}
    const shown = plain(symbol ?? '').slice(0, 20)
    const places = decimals ?? tokenDecimals
    return shown === '' || places < 0 || places > maxDecimals
      ? undefined
      : { symbol: shown, decimals: places }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Max relative difference between assets' rates; more points to a wrong unit. */
const maxApart = 0.1

/**
 * Derives a quote token's price in dollars from the API's assets that are sold for it.
 * @returns undefined if no asset has a price, the prices disagree, or the API fails
 */
export async function quoteUsd(
  { api, units }: { api: Pick<Api, 'assets'>; units: Units },
  chain: number,
  quote: Address,
): Promise<string | undefined> {
  if (quoteKind(quote) === 'dollar') return '1'
  try {
    const { value } = await api.assets({ chain, numeraire: quote, limit: 20 })
    const rates = value.items
      .map((asset) => dollarsPerQuote(asset, units))
      .filter((rate) => rate !== undefined)
      .map(Number)
      .sort((one, other) => one - other)
    const middle = rates[Math.floor(rates.length / 2)]
    const [low, high] = [
      rates[Math.floor(rates.length / 4)],
      rates[Math.floor((rates.length * 3) / 4)],
    ]
    if (middle === undefined || low === undefined || high === undefined) return undefined
    return high - low <= middle * maxApart ? String(middle) : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
