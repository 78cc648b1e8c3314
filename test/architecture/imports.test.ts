import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSources } from './sources.ts'

/**
 * The modules that each module may import, as docs/contributing.md draws the map: below it, never beside or above it.
 * `module/file` allows that file alone.
 */
const allowed: Record<string, readonly string[]> = {
  main: ['run'],
  run: ['app', 'config', 'core', 'errors', 'launch/settings', 'log', 'version', 'warnings', 'web'],
  app: ['*'],
  commands: [
    'admin',
    'config',
    'launch',
    'alerts',
    'views',
    'cards',
    'api',
    'chain',
    'core',
    'db/chat-settings',
    'db/pending-questions',
    'db/watchlists',
    'errors',
  ],
  launch: ['config', 'views', 'api', 'chain', 'jobs', 'db', 'core', 'errors', 'log'],
  alerts: [
    'setting-forms',
    'views',
    'cards',
    'api',
    'chain',
    'jobs',
    'db',
    'core',
    'errors',
    'log',
  ],
  // A picture shows what a card says.
  cards: ['setting-forms', 'views', 'api', 'chain', 'core', 'errors', 'log', 'version'],
  // Views are pure functions, and so is everything that they call.
  views: ['setting-forms', 'api', 'chain', 'core', 'errors'],
  // Adapters import the core alone, and never each other.
  telegram: ['core', 'errors', 'log'],
  discord: ['core', 'errors', 'log'],
  // The signing page decodes the calldata anew, in the browser.
  web: ['launch', 'chain', 'core', 'log'],
  backup: ['core', 'db/disk', 'errors', 'log'],
  cluster: ['jobs', 'db', 'core', 'errors', 'log'],
  jobs: ['db', 'core', 'errors', 'log'],
  metrics: ['alerts', 'jobs', 'launch/counts', 'db', 'api', 'core', 'errors', 'log'],
  // Which quote tokens are dollars, and which addresses are a pool's alone, is the chain's to say.
  api: [
    'chain/address',
    'chain/airlock/module-addresses',
    'chain/chains',
    'core/body',
    'core/proxy',
    'core/request',
    'core/task',
    'errors',
    'log',
    'version',
  ],
  chain: ['core/body', 'core/proxy', 'core/request', 'core/task', 'core/view', 'errors'],
  core: ['errors', 'log'],
  db: ['core', 'errors', 'log'],
  config: ['core/proxy', 'db', 'setting-forms', 'settings', 'version'],
  // Values are checked by those whose they are; what is a launch's own is checked by launches.
  'setting-forms': ['api', 'chain', 'core/https-url', 'db', 'errors'],
  // Tools of their own beside the bot.
  // The table of a launch, which the operator reads in English.
  doctor: [
    'config',
    'settings',
    'warnings',
    'launch',
    'chain',
    'api',
    // Figures as cards have them.
    'core/number',
    'views/money',
    'views/token',
    // What platforms and servers answer.
    'telegram/probe',
    'telegram/polling',
    'discord/probe',
    'discord/endpoint',
    'web',
    'core/adapter',
    'core/command',
    'core/catalogue',
    'core/view',
    'db/bot-identity',
    'db/disk',
    'db/probe',
    'errors',
    'log',
  ],
  warnings: ['config'],
  admin: ['config', 'launch', 'alerts', 'jobs', 'core', 'db', 'errors', 'log'],
  // One table: the configuration reads it, and the operators' pages are written from it.
  settings: ['api', 'chain', 'log', 'setting-forms'],
  move: ['setting-forms', 'core/text', 'jobs', 'db', 'errors', 'log'],
  // The text of an error has spans.
  errors: ['core/view', 'core/catalogue'],
  log: [],
  version: [],
  // Stand-ins know nothing of what they stand before.
  sandbox: [],
  bench: ['*'],
  test: ['*'],
}

function moduleOf(path: string): string {
  const [top = '', second = ''] = path.split('/')
  return top === 'src' ? second.replace(/\.ts$/u, '') : top
}

function mayImport(from: string, file = ''): boolean {
  const rules = allowed[from] ?? []
  const to = moduleOf(file)
  return [from, '*'].includes(to) || rules.some((rule) => ['*', to, fileOf(file)].includes(rule))
}

function fileOf(path: string): string {
  return path.replace(/^src\/|\.ts$/gu, '')
}

const sources = readSources().filter(({ path }) => path.includes('/'))

test('every module has its rule', () => {
  const modules = new Set(sources.map(({ path }) => moduleOf(path)))
  expect([...modules].sort()).toEqual(Object.keys(allowed).sort())
})

describe.each(Object.keys(allowed))('%s', (module) => {
  const imports = sources
    .filter(({ path }) => moduleOf(path) === module)
    .flatMap(({ path, imports: each }) => each.map(({ file, from }) => ({ path, file, from })))
    .filter(({ file }) => file !== undefined)

  test('imports only what it may', () => {
    const wrong = imports.filter(({ file }) => !mayImport(module, file))
    expect(wrong.map(({ path, from }) => `${path} imports ${from}`)).toEqual([])
  })

  test('may import no more than it does', () => {
    const rules = allowed[module] ?? []
    const needed = new Set(imports.flatMap(({ file = '' }) => [moduleOf(file), fileOf(file)]))
    expect(rules.filter((rule) => rule !== '*' && !needed.has(rule))).toEqual([])
  })
})

test('no files import each other in a circle, not even types', () => {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const circles: string[] = []
  const follow = (path: string, way: readonly string[]) => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (way.includes(path) || done.has(path)) return
    for (const { file } of importsOf.get(path) ?? []) if (file) follow(file, [...way, path])
    done.add(path)
  }
  for (const { path } of sources) follow(path, [])
  expect(circles).toEqual([])
})

// Core uses what the browsers of old wallets lack, such as regular expressions with the flag v. That none of it gets
// there through others, test/unit/web/signing/routes.test.ts sees in the bundle.
test('the signing page imports only chain, launch, its own files, and of core what puts texts into a language', () => {
  const page = 'src/web/signing/page/'
  const texts = ['src/core/view.ts', 'src/core/language.ts', 'src/core/number.ts']
  const allowed = ['src/chain/', 'src/launch/', page, ...texts]
  const wrong = sources
    .filter(({ path }) => path.startsWith(page))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ file }) => file && !allowed.some((folder) => file.startsWith(folder)))
        .map(({ from }) => `${path} imports ${from}`),
    )
  expect(wrong).toEqual([])
})

// What only launches, nodes and pictures need was a third of what a start loaded, and the HTTP routes, which bring Node.js's own
// undici, a tenth (docs/performance.md, "Start").
test('a start loads none of the large libraries that few bots need, and not the HTTP routes', () => {
  const textOf = new Map(sources.map(({ path, text }) => [path, text]))
  const importedAtOnce = /^import\s+(?!type\b)(?:[^']*?\sfrom\s+)?'(?<from>[^']+)'/gmu
  const loaded = new Set(['src/run.ts'])
  const libraries = new Set<string>()
  for (const path of loaded) {
    for (const { groups } of textOf.get(path)?.matchAll(importedAtOnce) ?? []) {
      const { from = '' } = groups ?? {}
      if (from.startsWith('.')) loaded.add(join(dirname(path), from))
      else libraries.add(/^(?:@[^/]+\/)?[^/]+/u.exec(from)?.[0] ?? from)
    }
  }
  expect(libraries).toContain('zod')
  expect(
    [...libraries].filter((name) =>
      /^(?:viem|sharp|satori|multiformats|pg|hono|@hono\/node-server)$/u.test(name),
    ),
  ).toEqual([])
})

test('nothing that runs in production imports what is for development', () => {
  const wrong = sources
    .filter(({ path }) => path.startsWith('src/') || path.startsWith('commands/'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ file }) => /^(?:sandbox|test|bench)\//u.test(file ?? ''))
        .map(({ from }) => `${path} imports ${from}`),
    )
  expect(wrong).toEqual([])
})

/** Libraries that are one module's business: nothing of theirs leaks into the others. */
const ownLibraries: [library: RegExp, ...modules: string[]][] = [
  [/^(?:grammy|@grammyjs)\b/u, 'telegram'],
  [/^(?:discord\.js|@discordjs|discord-api-types)\b/u, 'discord'],
  [/^(?:kysely|better-sqlite3)\b/u, 'db'],
  [/^(?:hono|@hono)\b/u, 'web'],
  [/^prom-client\b/u, 'metrics'],
  [/^pg-boss\b/u, 'jobs'],
  // Replicas listen on connections of their own.
  [/^pg(?:\/|$)/u, 'db', 'cluster'],
]

test.each(ownLibraries)(
  '%s is imported in its own modules alone, such as %s',
  (library, ...modules) => {
    const wrong = sources
      .filter(({ path }) => path.startsWith('src/') || path.startsWith('commands/'))
      .filter(({ path }) => !modules.includes(moduleOf(path)))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ from }) => library.test(from))
          .map(({ from }) => `${path} imports ${from}`),
      )
    expect(wrong).toEqual([])
  },
)
