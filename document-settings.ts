// Writes .env.example and docs/operating/settings.md from the table of the settings: npm run settings. A test names another
// folder.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parts, settings } from './src/settings.ts'

/** Characters of a line of .env.example. */
const width = 118
/** A default that is longer stands in .env.example alone. */
const longest = 40

type Row = (typeof settings)[number]

/** Each part's title and text with its settings. */
const groups = Object.entries(parts).map(([part, texts]) => ({
  ...texts,
  rows: settings.filter((setting) => setting.part === part),
}))

/** The text of .env.example. */
function envExample(): string {
  const head = comment(
    'Copy to .env and fill in. A line that starts with # is off. A setting that is off has the value shown, unless the text says "Example". What is missing or wrong is listed by name when the bot starts. docs/operating/settings.md says more about each. This file is written by `npm run settings`.',
  )
  const sections = groups.map(({ title, about, rows }) => {
    const rule = `# --- ${title} `.padEnd(width, '-')
    return [rule, comment(about), ...rows.map(envLines)]
  })
  return `${[head, ...sections.flat()].join('\n\n')}\n`
}

function envLines(setting: Row): string {
  const { name, about, secret, example, default: usual } = setting
  const notes = [
    about,
    ...(secret === undefined ? [] : [secret === 'yes' ? 'Secret.' : `Secret: ${secret}.`]),
    ...(example === undefined || isOn(setting) ? [] : ['Example:']),
  ]
  return `${comment(notes.join(' '))}\n${isOn(setting) ? '' : '#'}${name}=${usual ?? example ?? ''}`
}

/** Whether nothing works without it. */
function isOn({ neededFor }: Row): boolean {
  return neededFor === 'everything'
}

/** Lines that start with #, broken between words. */
function comment(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(`# ${word}`)
  }
  return lines.join('\n')
}

/** The text of docs/operating/settings.md. */
function settingsPage(): string {
  const head = [
    '# Settings',
    'Settings are environment variables. `npm start` also reads them from `.env`; a variable of the environment wins.',
    'A setting that is wrong ends the start. The bot says which one, and what it must look like. `npm run doctor` [tries them all](doctor.md).',
    'Begin with `API_KEY`, `CHAINS` and one token. All others can wait until something needs them.',
    'All replicas have the same settings. Only `DISCORD_SHARDS`, `PORT` and `HOST` may differ.',
    '<!-- Written by `npm run settings` from src/settings.ts. -->',
  ]
  const sections = groups.map(({ title, about, rows }) => [
    `## ${title}`,
    about,
    [
      '| setting | form | default | needed for | secret | what it is |',
      '|---|---|---|---|---|---|',
      ...rows.map(row),
    ].join('\n'),
  ])
  return `${[...head, ...sections.flat()].join('\n\n')}\n`
}

function row({ name, form, default: usual, neededFor, secret, about, page }: Row) {
  const shown = usual !== undefined && usual.length > longest ? 'see `.env.example`' : code(usual)
  const more = page === undefined ? '' : ` [More](${page}).`
  const cells = [code(name), form, shown, neededFor, secret ?? '–', `${about}${more}`]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function code(text: string | undefined): string {
  return text === undefined ? '–' : `\`${text}\``
}

const [folder = '.'] = process.argv.slice(2)
const pages = join(folder, 'docs/operating')
mkdirSync(pages, { recursive: true })
writeFileSync(join(folder, '.env.example'), envExample())
writeFileSync(join(pages, 'settings.md'), settingsPage())
