import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureAlerts } from './alerts.ts'
import { measureCommands } from './commands.ts'
import { origin, withFigures } from './figures.ts'
import { measureReplicas } from './replicas.ts'
import { measureScale } from './scale.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A tenth of the work, to try it out; its figures are not reliable. */
    quick: { type: 'boolean', default: false },
    /** Writes the tables into their page of the documentation. */
    docs: { type: 'boolean', default: false },
  },
})

const studies = {
  commands: { measure: measureCommands, page: '../docs/performance.md' },
  alerts: { measure: measureAlerts, page: '../docs/performance.md' },
  replicas: { measure: measureReplicas, page: '../docs/performance.md' },
  scale: { measure: measureScale, page: '../docs/scale.md' },
}
const [name = 'commands', ...others] = positionals
const study = new Map(Object.entries(studies)).get(name)
if (!study || others.length > 0) {
  process.stderr.write('There is npm run bench, -- alerts, -- replicas and -- scale.\n')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'gavel-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Exit in an orderly way, so that no bot is left running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const command = name === 'commands' ? 'npm run bench --' : `npm run bench -- ${name}`
const head = origin(flags.quick ? `${command} --quick` : command.replace(/ --$/u, ''))
const tables = await study.measure(folder, flags.quick)
const figures = `${head}\n\n${tables.join('\n\n')}`
process.stdout.write(`${figures}\n`)
if (flags.docs) {
  const page = fileURLToPath(new URL(study.page, import.meta.url))
  await writeFile(page, withFigures(await readFile(page, 'utf8'), command, figures))
}
