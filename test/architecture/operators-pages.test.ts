import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { usage } from '../../src/admin/actions.ts'
import { settingNames, textOf } from '../../src/settings.ts'
import { operatorsPages, outside, readPage, shellBlocks } from '../operators-pages.ts'

const blocks = operatorsPages.flatMap(shellBlocks)
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, it = '']) => it)
}

test('most blocks of the operators’ pages are run by a test; each other one needs what no test has', () => {
  const kept = blocks.filter(({ lacks }) => lacks.length > 0)
  expect(blocks.length - kept.length).toBeGreaterThan(5)
  expect(kept.flatMap(({ lacks }) => lacks).filter((each) => !outside[each])).toEqual([])
})

test.each(blocks)('$page: what “$name” names exists', ({ text }) => {
  execFileSync('bash', ['-n'], { input: text })
  const started = all(text, /\bnpm run (?:-s )?([\w:-]+)/gu)
  expect(started.filter((name) => !(name in scripts))).toEqual([])
  const files = all(
    text,
    /(?<![\w/.-])((?:src|deploy|dist)\/[\w./-]+|compose\.[\w.-]+|Dockerfile)/gu,
  )
  expect(
    files.filter((file) => !existsSync(file.replace(/^dist\/(.+)\.js$/u, 'src/$1.ts'))),
  ).toEqual([])
  const names = all(text, /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?==)/gu)
  const known = [...settingNames, 'POSTGRES_PASSWORD', 'NODE_COMPILE_CACHE']
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})

test('the containers that the pages name are those of the compose file', () => {
  const compose = readFileSync('compose.yaml', 'utf8')
  const services = all(compose.split(/^services:$/mu)[1] ?? '', /^ {2}([\w-]+):/gmu)
  const text = blocks.map((block) => block.text).join('\n')
  const named = [
    // What comes behind the first word is for the program in the container.
    ...all(text, /docker compose (?:exec|run)(?: -{1,2}[\w-]+)* ([\w-]+)/gu),
    ...all(text, /docker compose (?:up|stop|start|restart|logs)((?: +[\w-]+)+)/gu)
      .flatMap((words) => words.trim().split(/\s+/u))
      .filter((word) => !word.startsWith('-')),
  ]
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !services.includes(name))).toEqual([])
})

/** Sentences, without code blocks, tables, lists' marks and what links lead to. */
function sentencesOf(page: string): string[] {
  return readPage(page)
    .replaceAll(/^ *```[^\n]*\n.*?^ *```$/gmsu, '\n\n')
    .replaceAll(/<!--.*?-->/gsu, '')
    .replaceAll(/\]\([^)]*\)/gu, ']')
    .replaceAll(/`[^`]*`/gu, 'CODE')
    .replaceAll(/^\|(?:[-:| ]+)\|$/gmu, '')
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) |\n#+ |\n\||(?<=\|) | (?=\|)/u)
    .flatMap((paragraph) => paragraph.replaceAll(/[\s|]+/gu, ' ').split(/(?<=[.!?:]\S{0,3}) /u))
    .map((sentence) => sentence.trim())
}

const maxWords = 25

test.each(operatorsPages)('%s has no sentence of more than 25 words', (page) => {
  const long = sentencesOf(page).filter((sentence) => sentence.split(' ').length > maxWords)
  expect(long).toEqual([])
})

test('the pages name every file of deploy', () => {
  const text = operatorsPages.map(readPage).join('\n')
  const files = globSync('deploy/**/*', { withFileTypes: true }).filter((each) => each.isFile())
  expect(files.map(({ name }) => name).filter((name) => !text.includes(name))).toEqual([])
})

/** What the first column of a table quotes, in the tables whose first column has one of these titles. */
function quotedIn(page: string, titles: readonly string[]): string[] {
  return readPage(page)
    .split(/\n\s*\n/u)
    .filter((paragraph) => titles.some((title) => paragraph.startsWith(`| ${title} |`)))
    .flatMap((table) => table.split('\n').slice(2))
    .flatMap((line) => all(line.split(' | ')[0] ?? '', /`([^`]+)`/gu))
}

test('what the pages quote of the log and of programs is said somewhere in the code', () => {
  const code = globSync('{src,commands}/**/*.{ts,mjs}')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const quoted = ['admin.md', 'runbook.md', 'postgresql.md'].flatMap((page) =>
    quotedIn(page, ['the log says', 'what it says', 'it says']),
  )
  expect(quoted.length).toBeGreaterThan(10)
  const words = quoted
    // What is said in JSON, by curl or as a figure is another test's.
    .filter((text) => !/^(?:"|gavel_|Connection refused$)/u.test(text))
    .flatMap((text) => text.split(/…|\([a-z]+\)/u))
    .map((text) => text.trim())
  expect(
    words.filter((text) => !code.includes(text.replaceAll("'", "\\'")) && !code.includes(text)),
  ).toEqual([])
})

test('figures that the pages name are measured', () => {
  const code = globSync('src/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const named = new Set(
    operatorsPages.flatMap((page) => all(readPage(page), /`(gavel_[a-z_]+[a-z])/gu)),
  )
  expect([...named].filter((name) => !code.includes(name))).toEqual([])
})

test('the page on admin names every action', () => {
  const names = new Set(usage().map((line) => line.split(' ', 1).join('')))
  expect(names.size).toBeGreaterThan(3)
  const text = readPage('admin.md')
  const isNamed = (name: string) => new RegExp(`(?:\`|npm run admin -- )${name}\\b`, 'u').test(text)
  expect([...names].filter((name) => !isNamed(name))).toEqual([])
})

/** Rows of the table of what is kept, each with where the code says for how many days. */
test.each([
  ['drafts that nobody touches', 'src/launch/draft.ts', 'draftLifetime'],
  ['the watch over a payload on the chain', 'src/launch/watch.ts', 'pollingAfterEnd'],
  ['messages about a launch that a platform does not accept', 'src/launch/notices.ts', 'maxOutage'],
  ['pictures', 'src/launch/pictures.ts', 'retentionDays'],
  ['messages about live auctions that are edited', 'src/alerts/live-messages.ts', 'retention'],
  ['auctions that ended', 'src/alerts/snapshot.ts', 'retentionDays'],
  ['jobs that ended', 'src/jobs/queue.ts', 'retention'],
  ['buttons with long commands', 'src/db/callback-lines.ts', 'retentionDays'],
  ['who manages which chat', 'src/alerts/chat-alerts.ts', 'retention'],
])('%s: the page says for how many days it is kept', (row, file, name) => {
  const code = readFileSync(file, 'utf8')
  const [days = ''] = all(
    code,
    new RegExp(`\\bconst ${name} = (\\d+)(?: \\* (?:day|86_400))?$`, 'gmu'),
  )
  expect(days).not.toBe('')
  expect(keptLine(row)).toMatch(new RegExp(`\\b${days} days\\b.*\\| fixed \\|$`, 'u'))
})

test.each([
  ['drafts that ended, and their payloads', 'KEEP_ENDED_DRAFTS'],
  ['launches', 'KEEP_LAUNCHES'],
  ['alerts that were sent or not, with the reason', 'KEEP_SENT_ALERTS'],
  ['what administrators changed', 'KEEP_ADMIN_LOG'],
] as const)('%s: the page names the setting, and its default', (row, name) => {
  const days = textOf(name).default
  expect(keptLine(row)).toMatch(new RegExp(`\\b${days} days\\b.*\\| \`${name}\` \\|$`, 'u'))
})

function keptLine(row: string): string | undefined {
  return readPage('privacy-and-retention.md')
    .split('\n')
    .find((each) => each.startsWith(`| ${row} |`))
}
