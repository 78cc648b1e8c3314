import { assetKey, statusOf } from '../api/asset.ts'
import { FigureWatch } from '../api/figure-watch.ts'
import { readFigures } from '../api/figures.ts'
import {
  type Asset,
  type AssetFilter,
  defaultQueryNames,
  type ListStatus,
  listStatuses,
  type QueryNames,
  queryMeanings,
  type StatusWords,
  statuses,
} from '../api/schema.ts'
import type { UnitField, Units } from '../api/units.ts'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { Asker } from './asker.ts'
import { type CardSample, cardSample, figureCount } from './card-rows.ts'
import { type ChainList, type Home, homeOf, listChains } from './key-chains.ts'
import { checkName, type NameFinding } from './query-names.ts'

/** A word of `asset_status`; if it is not known, the document's word for it, or undefined if that can't be told. */
export interface StatusFinding {
  word: string
  count: number
  isKnown: boolean
  meaning?: ListStatus | undefined
}

/**
 * The number of assets of a sample that show each figure, and how often each field is left out because it contradicts
 * others.
 */
export interface SampleFigures {
  count: number
  priced: number
  inDollars: number
  odd: number
  broken: readonly (readonly [field: UnitField, count: number])[]
  /** Whether so many are odd that a unit is probably wrong. */
  areOdd: boolean
}

/** The results of one look at the API. It proves nothing. */
export interface ApiReport {
  baseUrl: string
  requests: number
  lists: readonly ChainList[]
  /** Why no chain could be listed. */
  failure?: ApiError
  /** Why not all lists of cards and words came. */
  unasked?: ApiError
  names: readonly NameFinding[]
  statuses: readonly StatusFinding[]
  figures?: SampleFigures
  cards: readonly CardSample[]
  /** Lines for the settings file. */
  lines: readonly string[]
}

type ApiConfig = Pick<Config, 'api' | 'chains' | 'rpcUrls' | 'proxy'>

const maxSample = 100

/** Looks at the API with at most some 40 requests: fewer if its query names are as usual. */
export async function examineApi(config: ApiConfig, log: Logger): Promise<ApiReport> {
  const asker = new Asker(config, log)
  try {
    const report = await examined(config, asker)
    return { ...report, baseUrl: config.api.baseUrl, requests: asker.requests }
  } finally {
    await asker.close()
  }
}

async function examined(
  { api, chains }: ApiConfig,
  asker: Asker,
): Promise<Omit<ApiReport, 'baseUrl' | 'requests'>> {
  const { queryNames, units, statusWords } = api
  const first = await listChains(asker, queryNames, chains)
  const begun = homeOf(first)
  if (!begun) {
    const failure = first.every(({ page }) => !page) ? first[0]?.error : undefined
    const none = { names: [], statuses: [], cards: [], lines: [] }
    return { lists: first, ...none, ...(failure && { failure }) }
  }
  const checked = await checkNames({ api, chains }, asker, { lists: first, home: begun })
  const { names, findings, lists, home } = checked
  const { chain, page } = home
  const has = (meaning: NameFinding['meaning']) =>
    findings.some((finding) => finding.meaning === meaning && finding.effect)
  let unasked: ApiError | undefined
  const ask = async (filter: AssetFilter): Promise<readonly Asset[]> => {
    try {
      return (await asker.list(names, { ...filter, chain })).unfiltered
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      unasked = error
      return []
    }
  }
  const byStatus = new Map<ListStatus, readonly Asset[]>()
  for (const status of has('status') ? listStatuses : [])
    byStatus.set(status, await ask({ status }))
  // A word is a status only if no other list has it.
  const compared = unasked ? new Map<ListStatus, readonly Asset[]>() : byStatus
  const next = has('offset') ? await ask({ offset: page.receivedCount }) : []
  const sample = distinct([...page.unfiltered, ...next]).slice(0, maxSample)
  const all = distinct([...sample, ...[...byStatus.values()].flat()])
  const words = statusFindings(all, compared, statusWords)
  const figures = sampleFigures(sample, units)
  return {
    lists,
    names: findings,
    statuses: words,
    figures,
    cards: pickedOf(all, units, figures).map((asset) => cardSample(asset, chain, units)),
    lines: [...nameLine(queryNames, names), ...statusLine(statusWords, words)],
    ...(unasked && { unasked }),
  }
}

interface Listed {
  lists: readonly ChainList[]
  home: Home
}

/** Checks one name after the other, each with the better ones for those before it. */
async function checkNames(
  { api, chains }: Pick<ApiConfig, 'api' | 'chains'>,
  asker: Asker,
  { lists, home }: Listed,
): Promise<Listed & { names: QueryNames; findings: NameFinding[] }> {
  const result = { lists, home, names: api.queryNames, findings: [] as NameFinding[] }
  for (const meaning of queryMeanings) {
    const otherChain = lists.find((list) => list.chain !== result.home.chain)?.chain ?? 1
    const trial = { ...result.home, asker, units: api.units, otherChain }
    const finding = await checkName(trial, result.names, meaning)
    result.findings.push(finding)
    if (finding.better === undefined) continue
    result.names = { ...result.names, [meaning]: finding.better }
    // Under another name for the chain these are other assets.
    if (meaning === 'chain') result.lists = await listChains(asker, result.names, chains)
    result.home = homeOf(result.lists) ?? home
  }
  return result
}

function distinct(assets: readonly Asset[]): Asset[] {
  return [...new Map(assets.map((asset) => [assetKey(asset), asset])).values()]
}

/** The asset of each status that shows most, and if many are odd, one with the field that most often is. */
function pickedOf(assets: readonly Asset[], units: Units, figures: SampleFigures): Asset[] {
  const fullest = assets.toSorted(
    (one, other) => figureCount(other, units) - figureCount(one, units),
  )
  const ofStatuses = statuses.map((status) => fullest.find((each) => statusOf(each) === status))
  const [[field] = []] = figures.areOdd ? figures.broken : []
  const odd = fullest.find((asset) =>
    readFigures(asset, units).broken.some((each) => each === field),
  )
  const picked = [...ofStatuses, odd].filter((asset) => asset !== undefined)
  return picked.length > 0 ? [...new Set(picked)] : fullest.slice(0, 1)
}

function sampleFigures(assets: readonly Asset[], units: Units): SampleFigures {
  const broken = new Map<UnitField, number>()
  const onHidden = (field: UnitField) => broken.set(field, (broken.get(field) ?? 0) + 1)
  const watch = new FigureWatch({ units, onHidden })
  watch.check(assets)
  const read = assets.map((asset) => readFigures(asset, units))
  const worths = read.map(({ figures: { price, marketCap } }) => [price, marketCap])
  return {
    count: assets.length,
    priced: worths.filter(([price]) => price).length,
    inDollars: worths.filter((all) => all.some((money) => money?.currency === 'usd')).length,
    odd: read.filter((each) => each.broken.length > 0).length,
    broken: [...broken].toSorted(([, one], [, other]) => other - one),
    areOdd: watch.state() !== 'ok',
  }
}

/** Says of each word what it means: by the setting, else by the only list of a status that it comes in. */
function statusFindings(
  assets: readonly Asset[],
  byStatus: ReadonlyMap<ListStatus, readonly Asset[]>,
  known: StatusWords,
): StatusFinding[] {
  const wordOf = (asset: Asset) => asset.asset_status?.toLowerCase()
  return [...Map.groupBy(assets, wordOf)].flatMap(([word, { length: count }]) => {
    if (word === undefined) return []
    const isKnown = known.has(word)
    const lists = [...byStatus].filter(([, listed]) => listed.some((each) => wordOf(each) === word))
    const meaning = lists.length === 1 && !isKnown ? lists[0]?.[0] : undefined
    return [{ word, count, isKnown, meaning }]
  })
}

/** The line with all names that are not as usual, so that pasting it undoes no other. */
function nameLine(own: QueryNames, found: QueryNames): string[] {
  if (queryMeanings.every((meaning) => own[meaning] === found[meaning])) return []
  const changed = queryMeanings.filter((meaning) => found[meaning] !== defaultQueryNames[meaning])
  const names = Object.fromEntries(changed.map((meaning) => [meaning, found[meaning]]))
  return [`API_QUERY_NAMES=${JSON.stringify(names)}`]
}

function statusLine(own: StatusWords, found: readonly StatusFinding[]): string[] {
  const added = found.flatMap(({ word, meaning }) => (meaning ? [[word, meaning] as const] : []))
  if (added.length === 0) return []
  const pairs = [...own, ...added].filter(([word, meaning]) => word !== meaning)
  return [`API_STATUS=${pairs.map(([word, meaning]) => `${meaning}=${word}`).join(',')}`]
}
