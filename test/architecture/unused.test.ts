import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readSources, type Source } from './sources.ts'

const sources = readSources()
const tests = sources.filter(({ path }) => path.startsWith('test/'))
const code = sources.filter((source) => !tests.includes(source))

const manifest = z
  .object({
    scripts: z.record(z.string(), z.string()),
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

/** The names that `users` take from a file. */
function taken(file: string, users: readonly Source[]): Set<string> {
  const names = users
    .filter(({ path }) => path !== file)
    .flatMap(({ imports }) => imports.filter((each) => each.file === file))
    .flatMap((each) => each.names.map(({ name }) => name))
  return new Set(names)
}

function mentions(text: string, name: string): number {
  return text.match(new RegExp(`\\b${name}\\b`, 'gu'))?.length ?? 0
}

/**
 * What none of `users` takes. A type may be exported to name what its own file's functions take or give, and a test may
 * be the only other user of what its own file uses too.
 */
function unusedExports(files: readonly Source[], users: readonly Source[]): string[] {
  return files.flatMap(({ path, text, exports }) => {
    const names = taken(path, users)
    const namesInTests = taken(path, tests)
    return exports
      .filter(({ name, isType }) => {
        if (names.has(name) || names.has('*')) return false
        const usedHere = mentions(text, name) > 1
        return !(usedHere && (isType || namesInTests.has(name)))
      })
      .map(({ name }) => `${path}: ${name}`)
  })
}

test('every export of the code is used by other code; one that only tests take is used in its own file', () => {
  expect(unusedExports(code, code)).toEqual([])
})

test('every export of a test’s helper is used by another test', () => {
  const byName = ['test/postgres.ts: setup']
  expect(unusedExports(tests, tests).filter((each) => !byName.includes(each))).toEqual([])
})

test('every file is an entry or is used', () => {
  const entries = new Set([
    ...Object.values(manifest.scripts).flatMap((script) => script.match(/\S+\.ts/gu) ?? []),
    // What the console's page is bundled from.
    'sandbox/console/page/main.ts',
    'sandbox/console/page/theme.ts',
    // What the signing page is bundled from.
    'src/web/signing/page/main.ts',
    // What the process runs that draws cards.
    'src/cards/worker.ts',
    // What the process runs that copies the database.
    'src/db/copy-file.ts',
    // What the sandbox wallet is bundled from.
    'sandbox/wallet/page/main.ts',
    // What a bot loads first whose clock a test sets.
    'test/e2e/clock-offset.ts',
    // What vitest starts before the tests on PostgreSQL.
    'test/postgres.ts',
    // What the compiler knows of a package without types.
    'sandbox/discord/discord-api-spec.d.ts',
  ])
  const used = new Set(sources.flatMap(({ imports }) => imports.flatMap(({ file }) => file ?? [])))
  const lost = sources
    .map(({ path }) => path)
    // The benchmark starts its bots as processes, by names that it puts together.
    .filter((path) => /^(?:src|commands|sandbox|test)\//u.test(path))
    .filter((path) => !path.endsWith('.test.ts') && !entries.has(path) && !used.has(path))
  expect(lost).toEqual([])
})

describe('packages', () => {
  const packageOf = (from: string) => /^(?:@[^/]+\/)?[^/]+/u.exec(from)?.[0] ?? from
  const importedBy = (files: readonly Source[]) =>
    new Set(files.flatMap(({ imports }) => imports.map(({ from }) => packageOf(from))))
  const production = sources.filter(({ path }) => /^(?:src|commands)\//u.test(path))
  const all = importedBy(sources)

  test('every dependency is imported by what runs in production', () => {
    const used = importedBy(production)
    expect(Object.keys(manifest.dependencies).filter((name) => !used.has(name))).toEqual([])
  })

  test('what runs in production imports no package for development', () => {
    const used = production.flatMap(({ path, imports }) =>
      imports
        .filter(({ from, file }) => file === undefined && !from.startsWith('node:'))
        .filter(({ from }) => !(packageOf(from) in manifest.dependencies))
        .map(({ from }) => `${path} imports ${from}`),
    )
    expect(used).toEqual([])
  })

  test('every package that is imported is asked for', () => {
    const asked = { ...manifest.dependencies, ...manifest.devDependencies }
    const missing = [...all].filter((name) => !/^(?:node:|\.)/u.test(name) && !(name in asked))
    expect(missing).toEqual([])
  })

  test('every package for development is imported, run by a script, or types one that is', () => {
    const scripts = Object.values(manifest.scripts).join(' && ')
    const unused = Object.entries(manifest.devDependencies).filter(([name, version]) => {
      // sandbox/package.json names programs, which are run by their path. Of the models a test takes the types, in a file that
      // it writes.
      if (version === 'file:sandbox' || name === 'kubernetes-models') return false
      if (all.has(name)) return false
      const typed = /^@types\/(.+)$/u.exec(name)?.[1]
      if (typed !== undefined) return typed !== 'node' && !all.has(typed)
      return !commandsOf(name).some((command) =>
        new RegExp(`(?:^|\\s)${command}(?:\\s|$)`, 'u').test(scripts),
      )
    })
    expect(unused).toEqual([])
  })
})

/** What a package puts on the path of npm scripts. */
function commandsOf(name: string): string[] {
  const { bin } = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]).optional() })
    .parse(JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')))
  return typeof bin === 'string' ? [name] : Object.keys(bin ?? {})
}
