import { firewallText } from '../api/access.ts'
import type { ReadAssets } from '../api/asset.ts'
import { type Asset, differ, documentedChainName, type QueryNames } from '../api/schema.ts'
import type { ApiError, ApiErrorKind } from '../errors.ts'
import {
  type Answer,
  baseMeanings,
  isOptionalMeaning,
  isRefused,
  type LimitedApi,
  type NoAnswer,
  type Parameter,
  parametersOf,
  queryOf,
  without,
} from './limited-api.ts'
import type { ListQuery } from './list-query.ts'
import type { CallFinding } from './report.ts'
import { refusalOf } from './trial.ts'

/** Advice for the operator if the API gave no usable answer. */
export const adviceByKind: Record<ApiErrorKind, string> = {
  unauthorised: 'The API refuses the key: check API_KEY.',
  forbidden: 'The API refuses the key: check API_KEY, and what it may do.',
  blocked: `Before the key is looked at, ${firewallText}.`,
  'not-found': 'There is no such endpoint there: check API_BASE_URL, which ends with /v1.',
  invalid: 'The API refuses the question: see its own documentation for query names.',
  'rate-limited': 'The API asks for fewer calls: run this again later.',
  unavailable: 'Nothing usable answers there: check API_BASE_URL and the network.',
  malformed: 'Something else than the v1 API answers there: check API_BASE_URL.',
}

/** Reports whether the API answers and accepts the key. */
export function accessFindings(error: ApiError | undefined): CallFinding[] {
  const reached = error?.kind !== 'unavailable' || error.status !== undefined
  const refused = error?.kind === 'unauthorised' || error?.kind === 'forbidden'
  const authorised = refused ? 'wrong' : error ? 'unknown' : 'ok'
  return [
    { endpoint: 'reachable', verdict: reached ? 'ok' : 'wrong', detail: reached ? 'yes' : 'no' },
    {
      endpoint: 'authorised',
      verdict: authorised,
      detail: { wrong: 'no', unknown: 'cannot tell', ok: 'yes' }[authorised],
    },
  ]
}

/** Reports whether a chain can be listed. */
export function listFinding(chain: number, answer: Answer<ReadAssets>): CallFinding {
  return callFinding(`GET /assets/ on ${chain}`, answer, countOf)
}

/** Reports a chain for which another chain's assets are listed. */
export function ignoredFinding(chain: number, home: number): CallFinding {
  const detail = `answers with the assets of chain ${home}`
  return { endpoint: `GET /assets/ on ${chain}`, verdict: 'wrong', detail }
}

/** Reports a chain of which the bot's question lists nothing, though the API lists assets without it. */
export function hiddenFinding(chain: number): CallFinding {
  const detail =
    'the API lists nothing for it, though it has assets of other chains; is it the id that you mean?'
  return { endpoint: `GET /assets/ on ${chain}`, verdict: 'wrong', detail }
}

/** Lists this chain as the bot does. */
export function listAsBot(
  { api, chain }: ListQuery,
  names: QueryNames,
): Promise<Answer<ReadAssets>> {
  return api.list(queryOf(parametersOf(names, chain)))
}

/** Searches and fetches an asset and its auction, as the bot does. */
export async function otherEndpoints(
  { api, chain }: ListQuery,
  names: QueryNames,
  assets: readonly Asset[],
): Promise<CallFinding[]> {
  const [asset] = assets
  const pool = assets.find((each) => each.auction_pool?.pool_address)?.auction_pool?.pool_address
  const term = asset?.asset_address ?? 'otter'
  const otherParameters = queryOf(parametersOf(names, chain, ['chain', 'limit']))
  const search = await api.search({ ...otherParameters, [names.term]: term })
  const ofChain = queryOf(parametersOf(names, chain, ['chain']))
  return [
    callFinding('GET /assets/search', search, countOf),
    asset
      ? assetFinding(asset, await api.asset(asset.asset_address, ofChain))
      : nothingToAsk('GET /assets/{address}'),
    pool
      ? callFinding(
          'GET /auctions/{pool}',
          await api.auction(pool, { [documentedChainName]: chain }),
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
  if ('value' in answer) return { endpoint, verdict: 'ok', detail: describe(answer.value) }
  if (answer.isUnsent) return { endpoint, verdict: 'unknown', detail: 'not asked' }
  return { endpoint, verdict: 'wrong', detail: failureOf(answer) }
}

function failureOf(answer: NoAnswer): string {
  const { kind, message, status } = answer.error
  return status === undefined ? `${kind}: ${message}` : `${kind}: ${refusalOf(answer)}`
}

function countOf({ received, assets }: ReadAssets): string {
  const unusable = received - assets.length
  const skipped = unusable === 0 ? '' : `, ${unusable} of them unusable`
  return received === 1 ? '1 asset' : `${received} assets${skipped}`
}

/** Parameters that the endpoints require, and what the bot can't send, for people. */
interface Requirements {
  calls: CallFinding[]
  advice: string[]
}

/** Whether the endpoint refuses these parameters; undefined if unknown. */
type Refuses = (parameters: readonly Parameter[]) => Promise<boolean | undefined>

/**
 * Finds the parameters that each endpoint requires, by their names there. The bot sends all but those that are optional
 * in the document and have no neutral value.
 */
export async function requirements(
  listQuery: ListQuery,
  names: QueryNames,
  address: string | undefined,
): Promise<Requirements> {
  const { api, base, searchExtras } = listQuery
  const usual = listQuery.otherParameters(baseMeanings)
  const optional = base.parameters.filter(({ meaning }) => isOptionalMeaning(meaning))
  const ofList = await requiredOf([...usual, ...optional], async (parameters) =>
    isRefusal(await api.list(queryOf(parameters))),
  )
  const list = requirementsText('/assets/', ofList)
  if (address === undefined) return list
  const otherParameters = without(usual, 'status', 'offset')
  const term: Parameter = { meaning: 'term', name: names.term, value: address }
  const ofSearch = await requiredOf([...otherParameters, ...searchExtras], async (parameters) =>
    isRefusal(await api.search(queryOf([...parameters, term]))),
  )
  const ofAsset = await requiredOf(without(otherParameters, 'limit'), (parameters) =>
    refusesAsset(api, address, parameters),
  )
  const all = [
    list,
    requirementsText('/assets/search', ofSearch),
    requirementsText('/assets/{address}', ofAsset),
  ]
  return {
    calls: all.flatMap(({ calls }) => calls),
    advice: all.flatMap(({ advice }) => advice),
  }
}

function isRefusal(answer: Answer<unknown>): boolean | undefined {
  return 'error' in answer && !isRefused(answer) ? undefined : 'error' in answer
}

// "Not found" may only mean that the endpoint defaults to another chain than the asset's.
async function refusesAsset(
  api: LimitedApi,
  address: string,
  parameters: readonly Parameter[],
): Promise<boolean | undefined> {
  const answer = await api.asset(address, queryOf(parameters))
  if ('error' in answer && !isRefused(answer)) return undefined
  return 'error' in answer && answer.error.kind === 'invalid'
}

/** Finds the required parameters; empty if an answer is unknown. */
async function requiredOf(
  parameters: readonly Parameter[],
  refuses: Refuses,
): Promise<Parameter[]> {
  // If all of them are refused, nothing follows; if none are needed, none is required.
  if ((await refuses(parameters)) !== false || (await refuses([])) !== true) return []
  const required: Parameter[] = []
  for (const parameter of parameters) {
    const isRequired = await refuses(parameters.filter((each) => each !== parameter))
    if (isRequired === undefined) return []
    if (isRequired) required.push(parameter)
  }
  return required
}

function requirementsText(path: string, required: readonly Parameter[]): Requirements {
  if (required.length === 0) return { calls: [], advice: [] }
  const unsent = required.filter(({ meaning }) => isOptionalMeaning(meaning))
  const missing = listOf(unsent.map(({ name }) => name))
  const wanted = listOf(required.map(({ name }) => name))
  const detail = unsent.length === 0 ? wanted : `${wanted}; the bot can’t send ${missing}`
  const verdict = unsent.length === 0 ? 'ok' : 'wrong'
  return {
    calls: [{ endpoint: `GET ${path} wants`, verdict, detail }],
    advice: unsent.length === 0 ? [] : [unservedAdvice(path, unsent, missing)],
  }
}

function unservedAdvice(path: string, unsent: readonly Parameter[], missing: string): string {
  const why = unsent.map(({ meaning }) =>
    meaning === 'ordering' ? 'no order means newest first' : 'no category means all of them',
  )
  const lost =
    path === '/assets/'
      ? 'lists and alerts of what is new do not work.'
      : 'nobody can search by name; an asset is still found by its address.'
  return (
    `GET ${path} refuses a question without ${missing}, which the document leaves optional. The bot can’t send it, as ` +
    `${listOf(why)}, and there is no setting for it. With this API ${lost} Ask who runs it to make it optional.`
  )
}

function listOf(words: readonly string[]): string {
  return [...words.slice(0, -2), words.slice(-2).join(' and ')].join(', ')
}
