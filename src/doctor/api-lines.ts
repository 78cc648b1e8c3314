import { wrongSettings } from '../api/access.ts'
import type { ApiErrorKind } from '../errors.ts'
import { adviceByKind } from './endpoints.ts'
import { type Finding, ok, unknown, wrong } from './finding.ts'
import { brokenUnits, type Report } from './report.ts'

const details = 'npm run doctor -- api has the measurements'

const settingOf: Record<ApiErrorKind, string> = {
  ...wrongSettings,
  invalid: 'API_QUERY_NAMES',
  'rate-limited': 'API_KEY',
  unavailable: 'API_BASE_URL',
}

/** Says of a report what each setting of the API came to. */
export function apiFindings(report: Report): Finding[] {
  const { failure } = report
  if (failure !== undefined) {
    const setting = settingOf[failure]
    if (failure === 'rate-limited') return [unknown(setting, adviceByKind[failure])]
    return [wrong(setting, adviceByKind[failure])]
  }
  const findings = [
    ok('API_BASE_URL', `answers; ${report.requests} requests, ${details}`),
    ok('API_KEY', 'accepted'),
    ...chainFindings(report),
    ...callFindings(report),
    ...tableFindings(report),
  ]
  const isTold = findings.some(({ verdict }) => verdict === 'wrong')
  return report.needsOperator && !isTold
    ? [...findings, unknown('API_BASE_URL', `not all could be asked: ${details}`)]
    : findings
}

const listOf = /^GET \/assets\/ on (?<chain>\d+)$/u

function chainFindings({ calls }: Report): Finding[] {
  return calls.flatMap(({ endpoint, verdict, detail }): Finding[] => {
    const chain = listOf.exec(endpoint)?.groups?.chain
    if (chain === undefined) return []
    if (verdict === 'wrong') return [wrong('CHAINS', `${chain}: ${detail}`)]
    const isEmpty = detail === '0 assets'
    if (isEmpty) return [unknown('CHAINS', `${chain}: the API lists nothing there, now or at all`)]
    return [{ setting: 'CHAINS', verdict, detail: `${chain}: ${detail} on the first page` }]
  })
}

/** Endpoints that went wrong, but for the lists of chains. */
function callFindings({ calls }: Report): Finding[] {
  return calls
    .filter(({ endpoint, verdict }) => verdict === 'wrong' && !listOf.test(endpoint))
    .map(({ endpoint, detail }) => wrong('API_BASE_URL', `${endpoint}: ${detail}`))
}

/** What is to be set, as it is to be pasted; else that it fits. */
function tableFindings(report: Report): Finding[] {
  const { settings, names, units } = report
  const line = (setting: string) => settings.find((each) => each.startsWith(`${setting}=`))
  const unproved = names.filter(({ verdict }) => verdict === 'unknown').length
  const broken = brokenUnits(report)
  return [
    finding(
      'API_QUERY_NAMES',
      unproved === 0 ? 'each has an effect' : `${unproved} can’t be proved`,
    ),
    finding('API_STATUS', 'every word is known'),
    broken.length > 0 && line('API_UNITS') === undefined
      ? unknown('API_UNITS', `no single unit fits ${broken.map(({ field }) => field).join(', ')}`)
      : finding('API_UNITS', `${units.length} figures fit`),
  ]

  function finding(setting: string, detail: string): Finding {
    const toPaste = line(setting)
    return toPaste === undefined ? ok(setting, detail) : wrong(setting, `set ${toPaste}`)
  }
}
