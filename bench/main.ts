import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureAlerts } from './alerts.ts'
import { measureCommands } from './commands.ts'
import { goalsTable, isReached, origin, withFigures } from './figures.ts'
import { measureAllPolls } from './polls.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A tenth of the work, to try it out; its figures are not reliable. */
    quick: { type: 'boolean', default: false },
    /** Writes the tables into their page of the documentation. */
    docs: { type: 'boolean', default: false },
    /** Exits with 1 if a figure falls short of its goal. */
    goals: { type: 'boolean', default: false },
  },
})

const studies = {
  commands: { measure: measureCommands, page: 'performance.md' },
  alerts: { measure: measureAlerts, page: 'performance.md' },
  polls: { measure: measureAllPolls, page: 'scale.md' },
}
const [wanted, ...others] = positionals
const chosen = Object.entries(studies).filter(([name]) => wanted === undefined || name === wanted)
if (chosen.length === 0 || others.length > 0) {
  const names = Object.keys(studies).join(', ')
  process.stderr.write(`npm run bench runs all studies, npm run bench -- NAME one of ${names}.\n`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'gavel-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Exit in an orderly way, so that no bot is left running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

let missed = 0
for (const [name, { measure, page }] of chosen) {
  const command = `npm run bench -- ${name}`
  const head = origin(flags.quick ? `${command} --quick` : command)
  const { tables, goals } = await measure(folder, flags.quick)
  missed += goals.filter((goal) => !isReached(goal)).length
  const figures = [head, ...tables, goalsTable(goals)].join('\n\n')
  process.stdout.write(`${figures}\n\n`)
  if (!flags.docs) continue
  const file = fileURLToPath(new URL(`../docs/${page}`, import.meta.url))
  await writeFile(file, withFigures(await readFile(file, 'utf8'), command, figures))
}
if (missed > 0) process.stderr.write(`Goals not reached: ${missed}.\n`)
if (flags.goals && missed > 0) process.exitCode = 1
