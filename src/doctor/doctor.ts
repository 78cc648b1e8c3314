import { isDeepStrictEqual } from 'node:util'
import Big from 'big.js'
import { assetKey, baseToken, fieldsOf, sameListing } from '../api/asset.ts'
import { type Figures, figuresOf, readFigures } from '../api/figures.ts'
import { Transport } from '../api/http.ts'
import type { Asset, QueryNames } from '../api/schema.ts'
import { type MoneyField, type Units, unknownUnit } from '../api/units.ts'
import { shortAddress } from '../chain/address.ts'
import { type Chain, chainById, numeraireSymbol } from '../chain/chains.ts'
import type { Logger } from '../log.ts'
import {
  accessFindings,
  adviceByKind,
  hiddenFinding,
  ignoredFinding,
  listAsBot,
  listFinding,
  otherEndpoints,
  requirements,
} from './endpoints.ts'
import { type ChainFacts, ChainReader } from './facts.ts'
import {
  type ApiLimits,
  LimitedApi,
  type NoAnswer,
  type Parameter,
  parametersOf,
  queryOf,
} from './limited-api.ts'
import type { ListQuery } from './list-query.ts'
import {
  type CheckedNames,
  checkNames,
  checkStatuses,
  nameAdvice,
  refusedAdvice,
} from './query-names.ts'
import {
  type CallFinding,
  type NameFinding,
  type Report,
  type Sample,
  type SampleRow,
  type StatusFinding,
  unprovedUnits,
} from './report.ts'
import {
  corrected,
  type DoctorSettings,
  lineToHide,
  settingLines,
  type Tables,
} from './settings.ts'
import { refusalOf } from './trial.ts'
import { checkUnits, type UnitFinding } from './units.ts'

const maxRounds = 5

/**
 * Calls every read endpoint with the operator's settings, one question at a time, applies its findings and examines
 * everything again until nothing changes. With two chains it takes about 32 requests, 60 to 160 if most names are
 * wrong, and more if refusals don't name them. At the limits it reports what it did not ask.
 */
export async function doctor(
  settings: DoctorSettings,
  log: Logger,
  limits: Partial<ApiLimits> = {},
): Promise<Report> {
  // No circuit breaker: each question is asked, whatever happened to the last.
  const breakAfter = Number.MAX_SAFE_INTEGER
  const onRefusal = (text: string) => api.noteRefusal(text)
  const transport = new Transport({ ...settings, log, breakAfter, onRefusal })
  const api = new LimitedApi(transport, limits)
  try {
    return await examine(settings, api)
  } finally {
    await transport.close()
  }
}

async function examine(settings: DoctorSettings, api: LimitedApi): Promise<Report> {
  const sources = { api, chainReader: new ChainReader(settings.launches) }
  const rounds: Examination[] = []
  let tables: Tables = settings
  let isSettled = false
  while (!isSettled && rounds.length < maxRounds && api.unsent.length === 0) {
    const round = await examineWith(settings, tables, sources)
    // An unfinished round knows less than the one before.
    if (api.unsent.length > 0 && rounds.length > 0) break
    if ('error' in round) return failedReport(settings, api, round)
    rounds.push(round)
    const next = corrected(tables, round.found, round.statuses, round.units)
    isSettled = settingLines(tables, next).length === 0 && api.unsent.length === 0
    tables = next
  }
  return reportOf({ settings, api, rounds, tables, isSettled })
}

/** Makes the report if no question was answered. */
function failedReport(settings: DoctorSettings, api: LimitedApi, answer: NoAnswer): Report {
  const { error } = answer
  const detail = error.status === undefined ? error.message : refusalOf(answer)
  const call = `GET /assets/ on ${settings.chains[0]}`
  return {
    baseUrl: settings.baseUrl,
    failure: error.kind,
    calls: [
      ...accessFindings(error),
      { endpoint: call, verdict: 'wrong', detail: `${error.kind}: ${detail}` },
    ],
    names: [],
    statuses: [],
    units: [],
    settings: [],
    hiding: [],
    advice: [
      adviceByKind[error.kind],
      ...(error.kind === 'invalid' ? refusedAdvice(settings, api.asked) : []),
      ...unsentAdvice(api),
    ],
    odd: 0,
    requests: api.asked,
    isSettled: api.unsent.length === 0,
    needsOperator: true,
  }
}

interface Outcome {
  settings: DoctorSettings
  api: LimitedApi
  rounds: readonly Examination[]
  tables: Tables
  isSettled: boolean
}

function reportOf({ settings, api, rounds, tables, isSettled }: Outcome): Report {
  const last = rounds.at(-1)
  if (!last) throw new Error('nothing was examined')
  const names = withChanges(
    rounds.map((round) => round.names),
    ({ meaning }) => meaning,
  )
  const statuses = withChanges(
    rounds.map((round) => round.statuses),
    ({ word }) => word,
  )
  const units = withChanges(
    rounds.map((round) => round.units),
    ({ field }) => field,
  )
  const lines = settingLines(settings, tables)
  const sample = sampleOf(last.samples, tables.units)
  const { odd, advice } = oddAssets(last.samples, tables.units)
  const wrong = [...last.calls, ...names, ...statuses].some(({ verdict }) => verdict === 'wrong')
  return {
    baseUrl: settings.baseUrl,
    calls: last.calls,
    names,
    statuses,
    units,
    settings: lines,
    hiding: lineToHide(
      tables,
      unprovedUnits(last).map(({ field }) => field),
    ),
    advice: [
      ...unsentAdvice(api),
      ...last.advice,
      ...nameAdvice(names, tables.queryNames),
      ...advice,
    ],
    odd,
    requests: api.asked,
    isSettled,
    needsOperator: wrong || lines.length > 0 || api.unsent.length > 0,
    ...(sample && { sample }),
  }
}

/** Advice about questions that were not asked because of the limits. */
function unsentAdvice({ unsent, asked }: LimitedApi): string[] {
  if (unsent.length === 0) return []
  const paths = [...Map.groupBy(unsent, (path) => path)].map(
    ([path, all]) => `${all.length} to ${path}`,
  )
  return [
    `The doctor stopped after ${asked} questions: that many, or so much time, no API should take. Left unasked: ` +
      `${paths.join(', ')}, and what would have followed from them. What is marked ? above may be open for that alone: ` +
      'run the doctor again when the API answers faster.',
  ]
}

/** Returns the last round's findings, with the reasons for changes made in earlier rounds. */
function withChanges<Finding extends { better?: unknown }>(
  rounds: readonly (readonly Finding[])[],
  keyOf: (finding: Finding) => string,
): Finding[] {
  const last = rounds.at(-1) ?? []
  const changes = new Map<string, Finding>()
  for (const finding of rounds.flat()) {
    if (finding.better === undefined) continue
    const first = changes.get(keyOf(finding)) ?? finding
    changes.set(keyOf(finding), { ...first, better: finding.better })
  }
  const keys = new Set(last.map(keyOf))
  return [
    ...last.map((finding) => changes.get(keyOf(finding)) ?? finding),
    ...[...changes].filter(([key]) => !keys.has(key)).map(([, finding]) => finding),
  ]
}

/** The result of one examination with one set of tables. */
interface Examination {
  calls: CallFinding[]
  names: NameFinding[]
  statuses: StatusFinding[]
  units: UnitFinding[]
  /** The configured names, corrected by the findings. */
  found: QueryNames
  /** Sample by which units were judged. */
  samples: readonly SampledAsset[]
  /** Requirements of the API that the bot can't meet. */
  advice: string[]
}

const maxChains = 5
/** Max chains whose assets are used to judge units and status words. */
const maxSampled = 2

/** The API and the nodes, shared by all rounds of a run. */
interface Sources {
  api: LimitedApi
  chainReader: ChainReader
}

/** Examines the API with these tables, or returns why it can't be asked at all. */
async function examineWith(
  settings: DoctorSettings,
  tables: Tables,
  { api, chainReader }: Sources,
): Promise<Examination | NoAnswer> {
  const checked = await checkOnFirstWithAssets(settings.chains, tables.queryNames, api)
  if ('error' in checked) return checked
  const { findings, names, listQuery } = checked
  const listings = await listChains(settings.chains, listQuery, names)
  const { assets } = listings
  const single = await otherEndpoints(listQuery, names, assets)
  const required = await requirements(listQuery, names, assets[0]?.asset_address)
  const sampled = listings.listQueries.slice(0, maxSampled)
  const statuses = await checkStatuses(sampled, tables.statusWords)
  const samples: SampledAsset[] = []
  const chainFacts: ChainFacts[] = []
  for (const each of sampled) {
    const { chain } = each
    const read = await chainReader.read(chain, await sampleOfChain(each, names))
    samples.push(...read.assets.map((asset) => ({ asset, chain })))
    chainFacts.push(...read.facts)
  }
  const units = checkUnits(
    samples.map(({ asset }) => asset),
    tables.units,
    { chainFacts, recorded: settings.recorded },
  )
  return {
    calls: [...accessFindings(undefined), ...listings.calls, ...single, ...required.calls],
    names: findings,
    statuses,
    units,
    found: names,
    samples,
    advice: required.advice,
  }
}

/** Lists each chain as the bot does; `listQueries` are those that list assets of their own. */
async function listChains(
  chains: DoctorSettings['chains'],
  listQuery: ListQuery,
  names: QueryNames,
): Promise<{ calls: CallFinding[]; listQueries: ListQuery[]; assets: readonly Asset[] }> {
  const home = await listAsBot(listQuery, names)
  const { answer: known } = listQuery.base
  const { assets } = 'value' in home ? home.value : known
  const isHidden = 'value' in home && home.value.received === 0 && known.assets.length > 0
  const calls = [isHidden ? hiddenFinding(listQuery.chain) : listFinding(listQuery.chain, home)]
  const listQueries = [listQuery]
  const others = chains.filter((chain) => chain !== listQuery.chain)
  for (const chain of others.slice(0, maxChains - 1)) {
    const other = await listQuery.on(chain)
    const answer = 'error' in other ? other : await listAsBot(other, names)
    const isOfHomeChain = 'value' in answer && sameListing(assets, answer.value.assets)
    calls.push(isOfHomeChain ? ignoredFinding(chain, listQuery.chain) : listFinding(chain, answer))
    if (!('error' in other) && !isOfHomeChain) listQueries.push(other)
  }
  const detail = `not examined: only ${maxChains} chains are`
  const rest = others.slice(maxChains - 1).map(
    (chain): CallFinding => ({
      endpoint: `GET /assets/ on ${chain}`,
      verdict: 'unknown',
      detail,
    }),
  )
  return { calls: [...calls, ...rest], listQueries, assets }
}

/** Judges on the first chain with assets; an empty one proves nothing. */
async function checkOnFirstWithAssets(
  chains: DoctorSettings['chains'],
  names: QueryNames,
  api: LimitedApi,
): Promise<CheckedNames | NoAnswer> {
  const [first, ...others] = chains
  const checked = await checkNames(api, names, chains)
  if ('error' in checked || checked.listQuery.base.answer.assets.length > 0) return checked
  for (const chain of others.slice(0, maxChains - 1)) {
    const rest = chains.filter((each) => each !== chain && each !== first)
    const other = await checkNames(api, names, [chain, first, ...rest])
    if (!('error' in other) && other.listQuery.base.answer.assets.length > 0) return other
  }
  return checked
}

const maxPages = 3

/** Collects assets of a chain to judge units by: some pages of all and one of the live ones, without duplicates. */
async function sampleOfChain(listQuery: ListQuery, names: QueryNames): Promise<Asset[]> {
  const known = new Map<string, Asset>()
  const add = (assets: readonly Asset[]) => {
    const before = known.size
    for (const asset of assets) known.set(assetKey(asset), asset)
    return known.size > before
  }
  const parameters = parametersOf(names, listQuery.chain)
  let offset = 0
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await listQuery.api.list(queryOf(withValue(parameters, 'offset', offset)))
    // If they can't all be sent, the answered question's assets are the sample.
    if ('error' in answer && page === 0) return listQuery.base.answer.assets
    if ('error' in answer) break
    const { assets, received } = answer.value
    if (!add(assets)) break
    offset += received
  }
  const live = await listQuery.api.list(queryOf(withValue(parameters, 'status', 'live')))
  if ('value' in live) add(live.value.assets)
  return [...known.values()]
}

function withValue(
  parameters: readonly Parameter[],
  meaning: Parameter['meaning'],
  value: string | number,
): Parameter[] {
  return parameters.map((parameter) =>
    parameter.meaning === meaning ? { ...parameter, value } : parameter,
  )
}

/** An asset of the sample, and the id of the chain that it was listed on. */
interface SampledAsset {
  asset: Asset
  chain: number
}

/** Picks the asset with the most values, and returns them raw and as a card shows them. */
export function sampleOf(assets: readonly SampledAsset[], units: Units): Sample | undefined {
  const [most] = assets.toSorted(
    (left, right) => figureCount(right, units) - figureCount(left, units),
  )
  if (!most) return undefined
  const { asset } = most
  const { token_name: name = '(no name)', token_symbol: symbol = '' } = baseToken(asset) ?? {}
  return {
    address: asset.asset_address,
    name: symbol === '' ? name : `${name} ($${symbol})`,
    rows: rowsOf(most, units),
  }
}

function figureCount({ asset }: SampledAsset, units: Units): number {
  const known = Object.values(figuresOf(asset, units)).filter((value) => value !== undefined)
  return known.length
}

/** The fields of a card, with the figure that each gives; `twin` gives the same one. */
const cardFields: readonly { field: string; figure: keyof Figures; twin?: MoneyField }[] = [
  { field: 'pool_price', figure: 'price', twin: 'pool_current_price' },
  { field: 'pool_current_price', figure: 'price', twin: 'pool_price' },
  { field: 'pool_price_change_24h', figure: 'change24h' },
  { field: 'pool_market_cap', figure: 'marketCap', twin: 'pool_current_market_cap' },
  { field: 'pool_current_market_cap', figure: 'marketCap', twin: 'pool_market_cap' },
  { field: 'pool_liquidity', figure: 'liquidity', twin: 'pool_current_liquidity' },
  { field: 'pool_current_liquidity', figure: 'liquidity', twin: 'pool_liquidity' },
  { field: 'pool_volume_usd_24h', figure: 'volume24h' },
  { field: 'pool_current_sale_progress_percentage', figure: 'progress' },
  { field: 'pool_current_total_tokens_sold', figure: 'sold' },
  { field: 'pool_config_num_tokens_to_sell', figure: 'toSell' },
  { field: 'pool_current_total_proceeds', figure: 'proceeds' },
  { field: 'pool_config_min_proceeds', figure: 'minProceeds' },
  { field: 'pool_config_max_proceeds', figure: 'maxProceeds' },
  { field: 'pool_config_starting_time', figure: 'startsAt' },
  { field: 'pool_config_ending_time', figure: 'endsAt' },
  { field: 'asset_creation_timestamp', figure: 'createdAt' },
  { field: 'asset_migration_timestamp', figure: 'migratedAt' },
]

function rowsOf({ asset, chain }: SampledAsset, units: Units): SampleRow[] {
  const shown = figuresOf(asset, units)
  const texts: Readonly<Record<string, unknown>> = { ...fieldsOf(asset), ...asset }
  const quote = quoteText(chainById(chain), asset.asset_numeraire_address)
  return cardFields.flatMap(({ field, figure, twin }) => {
    const raw = texts[field]
    if (typeof raw !== 'string') return []
    const value = shown[figure]
    // A card uses the first of two fields that agrees with the others.
    const isOwn = twin === undefined || isGivenWithout(twin, figure)
    const isTwins = twin !== undefined && isGivenWithout(field, figure)
    const isFirst = !field.startsWith('pool_current')
    if (isTwins && !(isOwn && isFirst)) return [{ field, raw, shown: `(not used: ${twin} is)` }]
    const text = isOwn ? valueText(figure, value, quote) : undefined
    return [{ field, raw, shown: text ?? '(not shown)' }]
  })

  /** Whether the figure is the same if nobody knows the unit of this field. */
  function isGivenWithout(field: string, figure: keyof Figures): boolean {
    const without = figuresOf(asset, { ...units, [field]: unknownUnit })[figure]
    return without !== undefined && isDeepStrictEqual(without, shown[figure])
  }
}

function valueText(
  figure: keyof Figures,
  value: Figures[keyof Figures],
  quote: string,
): string | undefined {
  if (typeof value === 'number') return timeText(value)
  if (typeof value === 'object') {
    return `${value.amount} ${value.currency === 'usd' ? 'USD' : quote}`
  }
  return figure === 'change24h' || figure === 'progress' ? shareText(value) : value
}

function quoteText(chain: Chain, address = ''): string {
  return numeraireSymbol(chain, address) ?? (shortAddress(address) || 'quote tokens')
}

function shareText(ratio: string | undefined): string | undefined {
  return ratio === undefined ? undefined : `${Big(ratio).times(100).toFixed()}%`
}

function timeText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Counts the assets whose figures contradict each other under these units. */
function oddAssets(
  assets: readonly SampledAsset[],
  units: Units,
): { odd: number; advice: string[] } {
  const odd = assets.flatMap(({ asset }) => {
    const [field] = readFigures(asset, units).broken
    return field === undefined ? [] : [{ address: asset.asset_address, field }]
  })
  const [first] = odd
  if (!first) return { odd: 0, advice: [] }
  const advice = [
    `${odd.length} of ${assets.length} assets have figures that contradict each other, such as ${first.address} with its ` +
      `${first.field}. The bot leaves those out. If they are many, look at the units above; if they are few, there is nothing to set.`,
  ]
  return { odd: odd.length, advice }
}
