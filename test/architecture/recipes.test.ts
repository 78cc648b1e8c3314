import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commands } from '../../commands/index.ts'
import { kindIds, kindWord } from '../../src/alerts/kinds/list.ts'
import { readSources } from './sources.ts'

// The recipes of docs/contributing.md that no other test follows.

const menuNames = commands.filter(({ unlisted }) => !unlisted).map(({ name }) => name)
const guide = readFileSync('docs/contributing.md', 'utf8')

/** The text of a recipe, in one line. */
function recipe(title: string): string {
  const [, text = ''] = guide.split(`\n## ${title}\n`)
  return (text.split('\n## ')[0] ?? '').replaceAll(/\s+/gu, ' ')
}

test('every file and folder that the guide names is there', () => {
  const named = guide.matchAll(
    /`(?<path>(?:src|commands|sandbox|test|bench|deploy|docs)\/[\w./-]*)`/gu,
  )
  const missing = [...named]
    .map(({ groups }) => groups?.path ?? '')
    .filter((path) => !existsSync(path))
  expect(missing).toEqual([])
})

test('a language is added where texts, numbers and times are written', () => {
  const steps = recipe('Add a language')
  const formatting = /\bIntl\.(?:NumberFormat|DateTimeFormat)\('en|\bDateTimeFormat\('en/u
  const files = readSources().filter(
    ({ path, text }) => /^(?:src|commands)\//u.test(path) && formatting.test(text),
  )
  expect(files.length).toBeGreaterThan(0)
  const isNamed = (path: string) =>
    [path, ...folders(path)].some((each) => steps.includes(`\`${each}\``))
  expect(files.map(({ path }) => path).filter((path) => !isNamed(path))).toEqual([])
})

/** The folders that a file is in, such as `src/alerts/` and `src/`. */
function folders(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`)
}

test('the command that the guide shows is one of the bot’s', () => {
  const [, path = '', shown] = /```ts\n\/\/ (commands\/.*)\n([\s\S]*?)```/u.exec(guide) ?? []
  expect(shown).toBe(readFileSync(path, 'utf8'))
})

test.each(menuNames)('/%s is in the README’s table', (name) => {
  const rows = readFileSync('README.md', 'utf8').matchAll(/^\| `\/(?<name>[a-z]+)/gmu)
  expect([...rows].map(({ groups }) => groups?.name)).toContain(name)
})

test.each(kindIds)(
  'the alert kind %s is in the README, and in docs/alerts.md with a picture',
  (id) => {
    const typed = `\`${kindWord(id)}\``
    const row = readFileSync('README.md', 'utf8')
      .split('\n')
      .find((line) => line.includes('/alerts add'))
    expect(row).toContain(typed)
    const sections = readFileSync('docs/alerts.md', 'utf8').split('\n### ')
    const section = sections.find((text) => (text.split(':')[0] ?? '').includes(typed))
    expect(section).toContain('<img')
  },
)

describe('a platform', () => {
  const schema = readFileSync('src/core/command.ts', 'utf8')
  const [, names = ''] = /^export type PlatformName = (.+)$/mu.exec(schema) ?? []
  const platforms = [...names.matchAll(/'(\w+)'/gu)].map(([, name = '']) => name)

  test('has a name for the database', () => {
    expect(platforms).toContain('telegram')
  })

  test.each(platforms)('%s has all parts of the recipe', (name) => {
    const files = ['adapter.ts', 'platform.ts', 'render.ts'].map((file) => `src/${name}/${file}`)
    const parts = [...files, `sandbox/${name}/server.ts`]
    expect(parts.filter((file) => !existsSync(file))).toEqual([])
    expect(readFileSync('src/app.ts', 'utf8')).toContain(`import('./${name}/adapter.ts')`)
    expect(readFileSync('test/e2e/users.ts', 'utf8')).toContain(`platform = '${name}'`)
    const steps = recipe('Add a platform')
    for (const file of files) expect(steps).toContain(`\`${file.split('/').at(-1)}\``)
  })
})
