import { expect, test } from 'vitest'
import { readSources, type Source } from './sources.ts'

const sources = readSources()

function paths(files: readonly Source[]): string[] {
  return files.map(({ path }) => path)
}

test('nothing is exported without a name', () => {
  const unnamed = sources.filter(({ text }) => /^export\s+(?:default|=)/mu.test(text))
  expect(paths(unnamed)).toEqual(['vitest.config.ts'])
})

test('no file passes on what others export; the only list of a folder is that of the commands', () => {
  const passing = sources.filter(({ imports }) => imports.some(({ passedOn }) => passedOn))
  expect(paths(passing)).toEqual([])
  const lists = sources.filter(({ path }) => /(?:^|\/)index\.ts$/u.test(path))
  expect(paths(lists)).toEqual(['commands/index.ts'])
})

test('no file is named utils, helpers or the like', () => {
  const drawers = sources.filter(({ path }) =>
    /(?:^|\/)(?:utils?|helpers?|common|misc)\b/u.test(path),
  )
  expect(paths(drawers)).toEqual([])
})

test('only the programs’ entry files read the environment', () => {
  const readers = sources.filter(
    ({ path, text }) =>
      /^(?:src|commands)\//u.test(path) && /\bprocess\.env\b|\bnode:process\b/u.test(text),
  )
  expect(paths(readers)).toEqual([
    'src/admin/main.ts',
    'src/doctor/main.ts',
    'src/main.ts',
    'src/move.ts',
  ])
})

test('only the adapters know which platform they are: others read its capabilities', () => {
  // Comparisons with a platform's name, and tables of texts or numbers by platform.
  const asking =
    /[=!]== ?'(?:telegram|discord)'|\bcase '(?:telegram|discord)'|\b(?:telegram|discord): ['`\d]/u
  const readers = sources.filter(
    ({ path, text }) => /^(?:src|commands)\//u.test(path) && asking.test(text),
  )
  expect(paths(readers)).toEqual([])
})

test('who is notified, and when, is written in one module', () => {
  const writing = /\b(?:insertInto|updateTable|deleteFrom)\('(?:chats|deliveries)'\)/u
  const writers = sources.filter(({ path, text }) => path.startsWith('src/') && writing.test(text))
  expect(writers.length).toBeGreaterThan(0)
  expect(paths(writers).filter((path) => !path.startsWith('src/alerts/'))).toEqual([])
})

test('no test is skipped', () => {
  const left = /\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|skipIf|runIf)\b/u
  const tests = sources.filter(
    ({ path }) => path.startsWith('test/') && path !== 'test/architecture/style.test.ts',
  )
  expect(paths(tests.filter(({ text }) => left.test(text)))).toEqual([])
})

test('there are no TODO comments', () => {
  const later = /\b(?:TODO|FIXME|XXX)\b/u
  const files = sources.filter(({ path }) => path !== 'test/architecture/style.test.ts')
  expect(paths(files.filter(({ text }) => later.test(text)))).toEqual([])
})
