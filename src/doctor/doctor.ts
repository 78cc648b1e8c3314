import { differ } from '../api/address.ts'
import type { ReadAssets } from '../api/answers.ts'
import {
  defaultQueryNames,
  documentedChainName,
  type QueryNames,
  queryMeanings,
} from '../api/query-names.ts'
import { maxLimit } from '../api/requests.ts'
import type { Asset } from '../api/schema.ts'
import { Transport } from '../api/transport.ts'
import { defaultUnits, type Units } from '../api/units.ts'
import type { ApiError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { adviceByKind } from './advice.ts'
import { examineLaunches, type LaunchesToExamine } from './launches.ts'
import { judgeNames, otherNames } from './names.ts'
import { judgeUnits, sampleOf } from './numbers.ts'
import { type Answer, Probe } from './probe.ts'
import type { CallFinding, NameFinding, Report, UnitFinding } from './report.ts'

/** The operator's settings of the interface. */
export interface DoctorSettings {
  baseUrl: string
  key: string
  queryNames: QueryNames
  units: Units
  chains: readonly [number, ...number[]]
  launches: LaunchesToExamine
}

/** What the interface itself gave. */
type InterfaceReport = Omit<Report, 'launches'>

const mostChains = 5

/**
 * Calls every read endpoint with the operator's settings, one after the other, and says what it found. About 15 requests,
 * or up to 70 where query names are wrong and others are tried.
 */
export async function doctor(settings: DoctorSettings, log: Logger): Promise<Report> {
  // The circuit stays out of it: each question is asked, whatever became of the last.
  const transport = new Transport({ ...settings, log, breakAfter: Number.MAX_SAFE_INTEGER })
  try {
    const report = await examine(settings, new Probe(transport))
    const launches = await examineLaunches(settings.launches)
    const wrong = launches.some(({ verdict }) => verdict === 'wrong')
    return { ...report, launches, needsOperator: report.needsOperator || wrong }
  } finally {
    await transport.close()
  }
}

async function examine(settings: DoctorSettings, probe: Probe): Promise<InterfaceReport> {
  const { queryNames: names, units, chains } = settings
  const [chain] = chains
  const query = { [names.chain]: chain, [names.limit]: maxLimit }
  const answer = await probe.list(query)
  const first = callFinding(`GET /assets/ on ${chain}`, answer, countOf)
  if ('error' in answer) return failed(settings, probe, first, answer.error)

  const { assets } = answer.value
  const calls = [...access(undefined), first, ...(await otherChains(settings, probe))]
  calls.push(...(await singles(settings, probe, assets)))
  const nameFindings = await judgeNames({ probe, names, chains, base: answer.value })
  const unitFindings = judgeUnits(assets, units)
  const sample = sampleOf(assets, units)
  return {
    ...reportOf(settings, probe, calls, nameFindings, unitFindings),
    ...(sample && { sample }),
  }
}

// Refused at the first question: perhaps only the chain's name is not known there.
async function failed(
  settings: DoctorSettings,
  probe: Probe,
  call: CallFinding,
  error: ApiError,
): Promise<InterfaceReport> {
  const findings: NameFinding[] = []
  if (error.kind === 'invalid') {
    const better = await chainNameThatAnswers(settings, probe)
    const name = settings.queryNames.chain
    const detail = 'refused'
    if (better) findings.push({ meaning: 'chain', name, verdict: 'wrong', detail, better })
  }
  const report = reportOf(settings, probe, [...access(error), call], findings, [])
  return { ...report, advice: [adviceByKind[error.kind], ...report.advice], needsOperator: true }
}

function access(error: ApiError | undefined): CallFinding[] {
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

async function chainNameThatAnswers(
  { queryNames, chains }: DoctorSettings,
  probe: Probe,
): Promise<string | undefined> {
  for (const candidate of otherNames.chain) {
    if (candidate === queryNames.chain) continue
    const answer = await probe.list({ [candidate]: chains[0] })
    if ('value' in answer) return candidate
  }
  return undefined
}

async function otherChains(settings: DoctorSettings, probe: Probe): Promise<CallFinding[]> {
  const { queryNames: names, chains } = settings
  const findings: CallFinding[] = []
  for (const chain of chains.slice(1, mostChains)) {
    const answer = await probe.list({ [names.chain]: chain, [names.limit]: maxLimit })
    findings.push(callFinding(`GET /assets/ on ${chain}`, answer, countOf))
  }
  return findings
}

async function singles(
  { queryNames: names, chains }: DoctorSettings,
  probe: Probe,
  assets: readonly Asset[],
): Promise<CallFinding[]> {
  const [chain] = chains
  const [asset] = assets
  const pool = assets.find((candidate) => candidate.auction_pool?.pool_address)?.auction_pool
  const empty = (endpoint: string): CallFinding => ({
    endpoint,
    verdict: 'unknown',
    detail: 'nothing is listed to ask for',
  })
  const term = asset?.asset_address ?? 'otter'
  const search = await probe.search({ [names.chain]: chain, [names.term]: term })
  const findings = [callFinding('GET /assets/search', search, countOf)]
  findings.push(
    asset
      ? assetFinding(asset, await probe.asset(asset.asset_address, { [names.chain]: chain }))
      : empty('GET /assets/{address}'),
  )
  findings.push(
    pool?.pool_address
      ? callFinding(
          'GET /auctions/{pool}',
          await probe.auction(pool.pool_address, { [documentedChainName]: chain }),
          (found) => found.auction_base_token_name ?? 'found',
        )
      : empty('GET /auctions/{pool}'),
  )
  return findings
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
  const { kind, message, status } = answer.error
  const detail = `${kind}: ${status === undefined ? message : `status ${status}`}`
  return { endpoint, verdict: 'wrong', detail }
}

function reportOf(
  settings: DoctorSettings,
  probe: Probe,
  calls: CallFinding[],
  names: NameFinding[],
  units: UnitFinding[],
): InterfaceReport {
  const wrong = [...calls, ...names].some((finding) => finding.verdict === 'wrong')
  return {
    baseUrl: settings.baseUrl,
    calls,
    names,
    units,
    settings: settingLines(settings, names, units),
    advice: names
      .filter((finding) => finding.verdict === 'wrong' && finding.better === undefined)
      .map(
        ({ meaning, name }) =>
          `"${name}" for ${meaning} makes no difference, nor do its usual other names: ask who runs the interface.`,
      ),
    requests: probe.asked,
    needsOperator: wrong || units.length > 0,
  }
}

// Complete lines, with what the operator has already overridden: pasting one must not undo another.
function settingLines(
  { queryNames, units }: DoctorSettings,
  names: readonly NameFinding[],
  findings: readonly UnitFinding[],
): string[] {
  const better = names.flatMap(({ meaning, better }) => (better ? [[meaning, better]] : []))
  const betterUnits = findings.map(({ field, better }) => [field, better])
  const ownNames = queryMeanings
    .filter((meaning) => queryNames[meaning] !== defaultQueryNames[meaning])
    .map((meaning) => [meaning, queryNames[meaning]])
  const ownUnits = Object.entries(units).filter(
    ([field, unit]) =>
      Object.entries(defaultUnits).find(([other]) => other === field)?.[1] !== unit,
  )
  return [...line('API_QUERY_NAMES', ownNames, better), ...line('API_UNITS', ownUnits, betterUnits)]
}

function line(variable: string, own: string[][], better: string[][]): string[] {
  if (better.length === 0) return []
  return [`${variable}=${JSON.stringify(Object.fromEntries([...own, ...better]))}`]
}

function countOf({ received, unusable }: ReadAssets): string {
  const skipped = unusable === 0 ? '' : `, ${unusable} of them unusable`
  return received === 1 ? '1 asset' : `${received} assets${skipped}`
}
