import { describe, expect, test } from 'vitest'
import { type Import, readSources } from './sources.ts'

/**
 * What each room may import, as docs/contributing.md draws the map: `room` for all of it, `room:types` for its types
 * alone, `room/file` for one file. Where that is more than the map's first draft, the line says why.
 */
const allowed: Record<string, readonly string[]> = {
  main: ['*'],
  errors: [],
  log: [],
  'log-console': ['log:types'],
  config: [
    'config-values',
    'config-variables',
    'store/database',
    'api:types',
    'chat:types',
    'discord:types',
    'launch:types',
    'log:types',
  ],
  // The operator's names, units and log level are checked against the tables of those who use them.
  'config-variables': [
    'config-values',
    'store/database',
    'api/query-names',
    'api/status',
    'api/status',
    'api/units',
    'chain/launchers',
    'discord:types',
    'launch/settings',
    'log',
  ],
  'config-values': ['chain/address', 'discord:types', 'store/database', 'errors'],
  // What a quote token is worth at all says whether figures in two currencies can both be right.
  api: ['chain/chains', 'errors', 'log:types'],
  chain: ['errors'],
  // Who is given a logger knows only what one looks like, here and elsewhere.
  chat: ['errors', 'log:types'],
  // Views are pure functions, and so is everything that they call.
  views: [
    'chat:types',
    'chat/chunks',
    'chat/line',
    'chat/skeleton',
    'chat/view',
    'chat/text',
    'chat/refusal',
    'api:types',
    'api/figures',
    'api/number',
    'api/status',
    'chain/address',
    'chain/airlock/calldata',
    'chain/chains',
    'chain/coins',
    'launch:types',
    // The one table of what a launch does, for chat and page alike.
    'launch/check',
    'launch/table',
    'alerts:types',
    // The list of kinds.
    'alerts/rule',
    'errors',
  ],
  // A launch tells of itself later, when nobody asks: it makes those views itself.
  launch: ['api', 'chain', 'chat', 'store:types', 'queue:types', 'views', 'errors', 'log:types'],
  // An alert carries a card and names its chain.
  alerts: ['api', 'chain', 'chat', 'views', 'cards', 'store', 'queue', 'errors', 'log:types'],
  // What is drawn is read and written as on the cards' text, and strangers' pictures are recognised as in a launch.
  cards: [
    'api',
    'alerts:types',
    'chain:types',
    'chat',
    'views',
    'launch/picture-jpeg',
    'launch/picture-kind',
    'log:types',
  ],
  store: ['log:types'],
  queue: ['store', 'chat:types', 'chat/within', 'log:types'],
  // What one of several processes does, and what they have in common.
  replicas: ['store', 'queue', 'chat:types', 'chat/bulletin', 'log:types'],
  telegram: ['chat', 'errors', 'log:types'],
  discord: ['chat', 'errors', 'log:types'],
  // The signing page decodes the calldata anew, in the browser.
  web: ['launch:types', 'launch/check', 'launch/table', 'chat', 'chain', 'log:types'],
  // What is counted is told by those who do it; what waits is looked up.
  metrics: [
    'alerts:types',
    'api:types',
    'chat:types',
    'chat/within',
    'queue',
    'store:types',
    'log:types',
  ],
  // A tool of its own beside the bot: it shows raw values beside those on a card, and checks templates as launches do.
  doctor: ['api', 'config', 'errors', 'log', 'chain', 'launch', 'alerts/point', 'store/read-only'],
  // A tool of its own, too.
  move: ['config-values', 'log', 'store', 'queue'],
  // Commands are asked with addresses and chains.
  commands: ['chat', 'views', 'launch', 'alerts', 'cards', 'api', 'chain', 'errors'],
  // Stand-ins know nothing of what they stand before.
  sandbox: [],
  bench: ['*'],
  test: ['*'],
}

function roomOf(path: string): string {
  if (['main', 'gavel', 'configured', 'clean-up'].some((each) => path === `src/${each}.ts`)) {
    return 'main'
  }
  const [top = '', second = ''] = path.split('/')
  return top === 'src' ? second.replace(/\.ts$/u, '') : top
}

function mayImport(
  from: string,
  { file = '', names }: Import,
  rules: readonly string[] = allowed[from] ?? [],
): boolean {
  const room = roomOf(file)
  if (room === from || rules.includes('*') || rules.includes(room)) return true
  if (rules.includes(file.replace(/^src\/|\.ts$/gu, ''))) return true
  const typesOnly = names.length > 0 && names.every(({ isType }) => isType)
  return typesOnly && rules.includes(`${room}:types`)
}

const sources = readSources().filter(({ path }) => path.includes('/'))

test('every room has its rule', () => {
  const rooms = new Set(sources.map(({ path }) => roomOf(path)))
  expect([...rooms].filter((room) => !(room in allowed))).toEqual([])
})

describe.each(Object.keys(allowed))('%s', (room) => {
  test('imports only what it may', () => {
    const wrong = sources
      .filter(({ path }) => roomOf(path) === room)
      .flatMap(({ path, imports }) =>
        imports
          .filter((each) => each.file !== undefined && !mayImport(room, each))
          .map(({ from }) => `${path} imports ${from}`),
      )
    expect(wrong).toEqual([])
  })

  test('may import no more than it does', () => {
    const imports = sources
      .filter(({ path }) => roomOf(path) === room)
      .flatMap((source) => source.imports)
      .filter((each) => each.file !== undefined && mayImport(room, each))
    const rules = allowed[room] ?? []
    const suffice = (fewer: readonly string[]) =>
      imports.every((each) => mayImport(room, each, fewer))
    const tooMuch = rules.filter((rule) => {
      const others = rules.filter((each) => each !== rule)
      return suffice(others) || (rule in allowed && suffice([...others, `${rule}:types`]))
    })
    expect(tooMuch).toEqual([])
  })
})

/** Which of its rooms those of alerts may import; what lies beside them belongs to all, and these join them. */
const alertRooms: Record<string, readonly string[]> = {
  follow: [],
  watch: ['follow', 'storing'],
  digest: ['follow', 'storing'],
  deliver: ['follow'],
  // What was found is written with its deliveries, in one transaction.
  storing: ['follow', 'deliver/matching'],
  open: ['follow', 'watch', 'digest', 'deliver'],
  '': [],
}
const joining = ['storing', 'open']

/** A folder of alerts or one of the files that join them; '' for the files beside them, undefined elsewhere. */
function alertRoomOf(path = ''): string | undefined {
  const [, folder = '', file = ''] = /^src\/alerts\/(?:(\w+)\/)?([\w-]+)\.ts$/u.exec(path) ?? []
  if (file === '') return undefined
  if (folder !== '') return folder
  return joining.includes(file) ? file : ''
}

function mayImportAlerts(from: string, file = ''): boolean {
  const room = alertRoomOf(file)
  if (room === undefined || room === '' || room === from) return true
  const rules = alertRooms[from] ?? []
  return rules.includes(room) || rules.includes(file.replace(/^src\/alerts\/|\.ts$/gu, ''))
}

test('the rooms of alerts import each other in one direction', () => {
  const inAlerts = sources.flatMap(({ path, imports }) => {
    const room = alertRoomOf(path)
    return room === undefined ? [] : [{ path, room, imports }]
  })
  const rooms = new Set(inAlerts.map(({ room }) => room))
  expect([...rooms].sort()).toEqual(Object.keys(alertRooms).sort())
  const wrong = inAlerts.flatMap(({ path, room, imports }) =>
    imports
      .filter(({ file }) => !mayImportAlerts(room, file))
      .map(({ from }) => `${path} imports ${from}`),
  )
  expect(wrong).toEqual([])
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

/** Libraries that are one room's business: nothing of theirs leaks into the others. */
const ownLibraries: [library: RegExp, ...rooms: string[]][] = [
  [/^(?:grammy|@grammyjs)\b/u, 'telegram'],
  [/^(?:discord\.js|@discordjs|discord-api-types)\b/u, 'discord'],
  [/^(?:kysely|better-sqlite3)\b/u, 'store'],
  [/^(?:hono|@hono)\b/u, 'web'],
  [/^prom-client\b/u, 'metrics'],
  [/^pg-boss\b/u, 'queue'],
  // Replicas listen, and count floods, on connections of their own.
  [/^pg(?:\/|$)/u, 'store', 'replicas'],
]

test.each(ownLibraries)(
  '%s is imported in its own rooms alone, such as %s',
  (library, ...rooms) => {
    const wrong = sources
      .filter(({ path }) => path.startsWith('src/') || path.startsWith('commands/'))
      .filter(({ path }) => !rooms.includes(roomOf(path)))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ from }) => library.test(from))
          .map(({ from }) => `${path} imports ${from}`),
      )
    expect(wrong).toEqual([])
  },
)
