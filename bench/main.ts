import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureDelivery, measureMatching } from './alerts/benchmark.ts'
import { fullAlerts, quickAlerts } from './alerts/plan.ts'
import { alertsMarkdown } from './alerts/report.ts'
import { measure } from './benchmark.ts'
import { type Run, withFigures } from './markdown.ts'
import { fullPlan, quickPlan } from './plan.ts'
import { fullReplicas, quickReplicas } from './replicas/plan.ts'
import { replicasMarkdown } from './replicas/report.ts'
import { measureReplicas } from './replicas/study.ts'
import { markdown, type Report } from './report.ts'
import { fullScale, quickScale } from './scale/checks.ts'
import { scaleMarkdown } from './scale/report.ts'
import { measureScale } from './scale/study.ts'
import { StandIns } from './stand-ins/client.ts'
import { platforms } from './stand-ins/protocol.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A tenth of the work, to try it out; its figures are not reliable. */
    quick: { type: 'boolean', default: false },
    /** Writes the tables into their page of the documentation. */
    docs: { type: 'boolean', default: false },
  },
})
const results = fileURLToPath(new URL('results/', import.meta.url))
const performancePage = '../docs/performance.md'

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Results of a study, and their tables. */
interface Outcome {
  report: Run
  figures: string
  /** File name after the date. */
  suffix: string
  /** The command that writes the tables into the page. */
  command: string
  page: string
}

function runOf(command: string): Run {
  return {
    command: flags.quick ? `${command}${command.includes(' -- ') ? '' : ' --'} --quick` : command,
    node: process.versions.node,
    cores: availableParallelism(),
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()[0] ?? 0,
  }
}

async function commands(folder: string): Promise<Outcome> {
  const report: Report = { ...runOf('npm run bench'), platforms: [] }
  const plan = flags.quick ? quickPlan : fullPlan
  const standIns = new StandIns()
  try {
    for (const platform of platforms) {
      report.platforms.push(await measure({ standIns, folder }, platform, plan, say))
    }
  } finally {
    await standIns.stop()
  }
  const command = 'npm run bench -- --docs'
  return { report, figures: markdown(report), suffix: '', command, page: performancePage }
}

async function alerts(folder: string): Promise<Outcome> {
  const run = runOf('npm run bench -- alerts')
  const plan = flags.quick ? quickAlerts : fullAlerts
  const delivery = await measureDelivery(folder, plan, say)
  say('news matched with subscriptions')
  const matching = await measureMatching(folder, plan)
  const report = { ...run, subscriptions: plan.subscriptions, matching, delivery }
  const command = 'npm run bench -- alerts --docs'
  return {
    report,
    figures: alertsMarkdown(report),
    suffix: '-alerts',
    command,
    page: performancePage,
  }
}

async function replicas(folder: string): Promise<Outcome> {
  const run = runOf('npm run bench -- replicas')
  const plan = flags.quick ? quickReplicas : fullReplicas
  const report = { ...run, ...(await measureReplicas(folder, plan, say)) }
  const command = 'npm run bench -- replicas --docs'
  return {
    report,
    figures: replicasMarkdown(report),
    suffix: '-replicas',
    command,
    page: performancePage,
  }
}

async function scale(folder: string): Promise<Outcome> {
  const run = runOf('npm run bench -- scale')
  const report = {
    ...run,
    ...(await measureScale(folder, flags.quick ? quickScale : fullScale, say)),
  }
  const command = 'npm run bench -- scale --docs'
  return {
    report,
    figures: scaleMarkdown(report),
    suffix: '-scale',
    command,
    page: '../docs/scale.md',
  }
}

const [what = 'commands', ...others] = positionals
const study = { commands, alerts, replicas, scale }[what]
if (!study || others.length > 0) {
  say('There is npm run bench, -- alerts, -- replicas and -- scale; all take --quick and --docs.')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'gavel-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Exit in an orderly way, so that no bot is left running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const { report, figures, suffix, command, page } = await study(folder)
await mkdir(results, { recursive: true })
const file = join(results, `${report.date}${suffix}${flags.quick ? '-quick' : ''}.json`)
await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`)
process.stdout.write(figures)
say(`\nwritten to ${file}`)
if (flags.docs) {
  const path = fileURLToPath(new URL(page, import.meta.url))
  await writeFile(path, withFigures(await readFile(path, 'utf8'), command, figures))
}
