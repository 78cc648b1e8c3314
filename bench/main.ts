import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measure } from './benchmark.ts'
import { fullPlan, quickPlan } from './plan.ts'
import { markdown, type Report, withFigures } from './report.ts'
import { StandIns } from './stand-ins/client.ts'
import { platforms } from './stand-ins/protocol.ts'

const { values: flags } = parseArgs({
  options: {
    /** A tenth of the work: for trying out, too little to rely on. */
    quick: { type: 'boolean', default: false },
    /** Puts the tables into docs/performance.md. */
    docs: { type: 'boolean', default: false },
  },
})
const results = fileURLToPath(new URL('results/', import.meta.url))
const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url))

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function run(folder: string): Promise<Report> {
  const report: Report = {
    command: flags.quick ? 'npm run bench -- --quick' : 'npm run bench',
    node: process.versions.node,
    cores: availableParallelism(),
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()[0] ?? 0,
    platforms: [],
  }
  const plan = flags.quick ? quickPlan : fullPlan
  const standIns = new StandIns()
  try {
    for (const platform of platforms) {
      report.platforms.push(await measure({ standIns, folder }, platform, plan, say))
    }
  } finally {
    await standIns.stop()
  }
  return report
}

const folder = mkdtempSync(join(tmpdir(), 'gavel-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// An orderly exit, in which no bot is left behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const report = await run(folder)
await mkdir(results, { recursive: true })
const file = join(results, `${report.date}${flags.quick ? '-quick' : ''}.json`)
await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`)
process.stdout.write(markdown(report))
say(`\nwritten to ${file}`)
if (flags.docs) await writeFile(page, withFigures(await readFile(page, 'utf8'), report))
