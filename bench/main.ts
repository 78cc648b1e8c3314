import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measure } from './benchmark.ts'
import { fullPlan, quickPlan } from './plan.ts'
import { markdown, type Report } from './report.ts'
import { StandIns } from './stand-ins/client.ts'
import { platforms } from './stand-ins/protocol.ts'

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const results = fileURLToPath(new URL('results/', import.meta.url))

function say(step: string): void {
  process.stderr.write(`${step}\n`)
}

const [load = 0] = loadavg()
const folder = await mkdtemp(join(tmpdir(), 'gavel-bench-'))
const standIns = new StandIns()
try {
  const report: Report = {
    command: flags.quick ? 'npm run bench -- --quick' : 'npm run bench',
    node: process.versions.node,
    cores: availableParallelism(),
    date: new Date().toISOString().slice(0, 10),
    load,
    platforms: [],
  }
  const plan = flags.quick ? quickPlan : fullPlan
  for (const platform of platforms) {
    report.platforms.push(await measure({ standIns, folder }, platform, plan, say))
  }
  await mkdir(results, { recursive: true })
  const file = join(results, `${report.date}${flags.quick ? '-quick' : ''}.json`)
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`)
  process.stdout.write(`${markdown(report)}\n`)
  say(`written to ${file}`)
} finally {
  await standIns.stop()
  await rm(folder, { recursive: true, force: true })
}
