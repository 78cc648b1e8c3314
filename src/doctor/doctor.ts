import { Transport } from '../api/transport.ts'
import type { Logger } from '../log.ts'
import { adviceByKind } from './advice.ts'
import { access } from './calls.ts'
import { type Examination, examineWith } from './examine.ts'
import { refusalOf } from './judgement.ts'
import { examineLaunches } from './launches.ts'
import { nameAdvice, refusedAdvice } from './name-advice.ts'
import { Nodes } from './nodes.ts'
import { type NoAnswer, Probe, type ProbeLimits } from './probe.ts'
import { type Report, unprovedUnits } from './report.ts'
import { oddAssets, sampleOf } from './sample.ts'
import { type DoctorSettings, lineToHide, mended, settingLines, type Tables } from './settings.ts'

/** What the interface itself gave. */
type InterfaceReport = Omit<Report, 'launches'>

const maxRounds = 5

/**
 * Calls every read endpoint with the operator's settings, one question after the other, takes what it finds for set and
 * examines all of it again until nothing changes, and says what it found. With two chains about 30 requests, 60 to 150 where
 * most names are wrong, and up to some 260 where refusals don't say which; at the limits it says what it left unasked, and
 * tells what it knows.
 */
export async function doctor(
  settings: DoctorSettings,
  log: Logger,
  limits: Partial<ProbeLimits> = {},
): Promise<Report> {
  // The circuit stays out of it: each question is asked, whatever became of the last.
  const breakAfter = Number.MAX_SAFE_INTEGER
  const onRefusal = (text: string) => probe.hear(text)
  const transport = new Transport({ ...settings, log, breakAfter, onRefusal })
  const probe = new Probe(transport, limits)
  try {
    const report = await examine(settings, probe)
    const launches = await examineLaunches(settings.launches)
    const wrong = launches.some(({ verdict }) => verdict === 'wrong')
    return { ...report, launches, needsOperator: report.needsOperator || wrong }
  } finally {
    await transport.close()
  }
}

async function examine(settings: DoctorSettings, probe: Probe): Promise<InterfaceReport> {
  const sources = { probe, nodes: new Nodes(settings.launches) }
  const rounds: Examination[] = []
  let tables: Required<Tables> = { statusWords: new Map(), ...settings }
  let isSettled = false
  while (!isSettled && rounds.length < maxRounds && probe.unasked.length === 0) {
    const round = await examineWith(settings, tables, sources)
    // A round that was not ended knows less than the one before.
    const isCutOff = probe.unasked.length > 0 && rounds.length > 0
    if (isCutOff) break
    if ('error' in round) return failed(settings, probe, round)
    rounds.push(round)
    const next = mended(tables, round.found, round.statuses, round.units)
    isSettled = settingLines(tables, next).length === 0 && probe.unasked.length === 0
    tables = next
  }
  return reportOf({ settings, probe, rounds, tables, isSettled })
}

/** Not one question was answered. */
function failed(settings: DoctorSettings, probe: Probe, answer: NoAnswer): InterfaceReport {
  const { error } = answer
  const detail = error.status === undefined ? error.message : refusalOf(answer)
  const call = `GET /assets/ on ${settings.chains[0]}`
  return {
    baseUrl: settings.baseUrl,
    calls: [
      ...access(error),
      { endpoint: call, verdict: 'wrong', detail: `${error.kind}: ${detail}` },
    ],
    names: [],
    statuses: [],
    units: [],
    settings: [],
    hiding: [],
    advice: [
      adviceByKind[error.kind],
      ...(error.kind === 'invalid' ? refusedAdvice(settings, probe.asked) : []),
      ...unaskedAdvice(probe),
    ],
    odd: 0,
    requests: probe.asked,
    isSettled: probe.unasked.length === 0,
    needsOperator: true,
  }
}

interface Outcome {
  settings: DoctorSettings
  probe: Probe
  rounds: readonly Examination[]
  tables: Required<Tables>
  isSettled: boolean
}

function reportOf({ settings, probe, rounds, tables, isSettled }: Outcome): InterfaceReport {
  const last = rounds.at(-1)
  if (!last) throw new Error('nothing was examined')
  const names = withChanges(rounds, 'names', ({ meaning }) => meaning)
  const statuses = withChanges(rounds, 'statuses', ({ word }) => word)
  const units = withChanges(rounds, 'units', ({ field }) => field)
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
      ...unaskedAdvice(probe),
      ...last.advice,
      ...nameAdvice(names, tables.queryNames),
      ...advice,
    ],
    odd,
    requests: probe.asked,
    isSettled,
    needsOperator: wrong || lines.length > 0 || probe.unasked.length > 0,
    ...(sample && { sample }),
  }
}

/** What was left unasked at the limits. */
function unaskedAdvice({ unasked, asked }: Probe): string[] {
  if (unasked.length === 0) return []
  const paths = [...Map.groupBy(unasked, (path) => path)].map(
    ([path, all]) => `${all.length} to ${path}`,
  )
  return [
    `The doctor stopped after ${asked} questions: that many, or so much time, no interface should take. Left unasked: ` +
      `${paths.join(', ')}, and what would have followed from them. What is marked ? above may be open for that alone: ` +
      'run the doctor again when the interface answers faster.',
  ]
}

/** The findings of the last round, with the reason for each change that an earlier round made. */
function withChanges<
  What extends 'names' | 'statuses' | 'units',
  Finding extends Examination[What][number] & { better?: unknown },
>(
  rounds: readonly { [Each in What]: readonly Finding[] }[],
  what: What,
  keyOf: (finding: Finding) => string,
): Finding[] {
  const last = rounds.at(-1)?.[what] ?? []
  const changes = new Map<string, Finding>()
  for (const round of rounds) {
    for (const finding of round[what]) {
      if (finding.better === undefined) continue
      const first = changes.get(keyOf(finding)) ?? finding
      changes.set(keyOf(finding), { ...first, better: finding.better })
    }
  }
  const keys = new Set(last.map(keyOf))
  return [
    ...last.map((finding) => changes.get(keyOf(finding)) ?? finding),
    ...[...changes].filter(([key]) => !keys.has(key)).map(([, finding]) => finding),
  ]
}
