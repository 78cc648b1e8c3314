import { differ } from '../api/address.ts'
import type { ReadAssets } from '../api/answers.ts'
import { documentedChainName, type QueryNames } from '../api/query-names.ts'
import type { Asset } from '../api/schema.ts'
import type { ApiError } from '../errors.ts'
import type { Inquiry } from './inquiry.ts'
import { refusalOf } from './judgement.ts'
import type { Answer, NoAnswer } from './probe.ts'
import { partsOf, queryOf } from './question.ts'
import type { CallFinding } from './report.ts'

/** Whether the interface is there, and takes the key. */
export function access(error: ApiError | undefined): CallFinding[] {
  const reached = error?.kind !== 'unavailable' || error.status !== undefined
  const refused = error?.kind === 'unauthorised' || error?.kind === 'forbidden'
  const authorised = refused ? 'wrong' : error ? 'unknown' : 'well'
  return [
    { endpoint: 'reachable', verdict: reached ? 'well' : 'wrong', detail: reached ? 'yes' : 'no' },
    {
      endpoint: 'authorised',
      verdict: authorised,
      detail: { wrong: 'no', unknown: 'cannot tell', well: 'yes' }[authorised],
    },
  ]
}

/** Whether a chain can be listed. */
export function listFinding(chain: number, answer: Answer<ReadAssets>): CallFinding {
  return callFinding(`GET /assets/ on ${chain}`, answer, countOf)
}

/** A chain for which the assets of another are listed. */
export function ignoredFinding(chain: number, home: number): CallFinding {
  const detail = `answers with the assets of chain ${home}`
  return { endpoint: `GET /assets/ on ${chain}`, verdict: 'wrong', detail }
}

/** A chain of which other questions list assets, but not the one that the bot asks. */
export function hiddenFinding(chain: number): CallFinding {
  const detail = 'nothing, asked as the bot does; other names list assets'
  return { endpoint: `GET /assets/ on ${chain}`, verdict: 'wrong', detail }
}

/** Lists this chain as the bot does, with all that an interface may require. */
export function listed({ probe, chain }: Inquiry, names: QueryNames): Promise<Answer<ReadAssets>> {
  return probe.list(queryOf(partsOf(names, chain)))
}

/** Searches and fetches one asset and looks its auction up, as the bot does. */
export async function singles(
  { probe, chain }: Inquiry,
  names: QueryNames,
  assets: readonly Asset[],
): Promise<CallFinding[]> {
  const [asset] = assets
  const pool = assets.find((each) => each.auction_pool?.pool_address)?.auction_pool?.pool_address
  const term = asset?.asset_address ?? 'otter'
  const around = queryOf(partsOf(names, chain, ['chain', 'limit']))
  const search = await probe.search({ ...around, [names.term]: term })
  const ofChain = queryOf(partsOf(names, chain, ['chain']))
  return [
    callFinding('GET /assets/search', search, countOf),
    asset
      ? assetFinding(asset, await probe.asset(asset.asset_address, ofChain))
      : nothingToAsk('GET /assets/{address}'),
    pool
      ? callFinding(
          'GET /auctions/{pool}',
          await probe.auction(pool, { [documentedChainName]: chain }),
          (found) => found.auction_base_token_name ?? 'found',
        )
      : nothingToAsk('GET /auctions/{pool}'),
  ]
}

function nothingToAsk(endpoint: string): CallFinding {
  return { endpoint, verdict: 'unknown', detail: 'nothing is listed to ask for' }
}

function assetFinding(asked: Asset, answer: Answer<Asset>): CallFinding {
  const endpoint = 'GET /assets/{address}'
  if ('value' in answer && differ(answer.value.asset_address, asked.asset_address)) {
    return { endpoint, verdict: 'wrong', detail: 'another asset than the one asked for' }
  }
  return callFinding(endpoint, answer, () => 'the one asked for')
}

function callFinding<Value>(
  endpoint: string,
  answer: Answer<Value>,
  describe: (value: Value) => string,
): CallFinding {
  if ('value' in answer) return { endpoint, verdict: 'well', detail: describe(answer.value) }
  if (answer.isUnasked) return { endpoint, verdict: 'unknown', detail: 'not asked' }
  return { endpoint, verdict: 'wrong', detail: failureOf(answer) }
}

function failureOf(answer: NoAnswer): string {
  const { kind, message, status } = answer.error
  return status === undefined ? `${kind}: ${message}` : `${kind}: ${refusalOf(answer)}`
}

function countOf({ received, unusable }: ReadAssets): string {
  const skipped = unusable === 0 ? '' : `, ${unusable} of them unusable`
  return received === 1 ? '1 asset' : `${received} assets${skipped}`
}
