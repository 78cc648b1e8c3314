import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dialect, defaultDialect } from '../../sandbox/interface/dialect.ts'
import { InterfaceServer } from '../../sandbox/interface/server.ts'
import {
  defaultQueryNames,
  type QueryNames,
  queryMeanings,
  queryNamesSchema,
} from '../../src/api/query-names.ts'
import {
  type AssetStatus,
  defaultStatusWords,
  type StatusWords,
  statusWordsSchema,
} from '../../src/api/status.ts'
import { defaultUnits, type Units, unitsSchema } from '../../src/api/units.ts'
import { isBaseMeaning } from '../../src/doctor/parameters.ts'
import { exitCode, type Report } from '../../src/doctor/report.ts'
import { examine, key } from '../unit/doctor/refusing-server.ts'

/** Settings that are wrong, beside all others right. */
interface Wrong {
  names?: Partial<QueryNames>
  units?: Partial<Units>
  words?: Record<string, AssetStatus>
}

/** The interface's words for a status, so that there is a setting to be wrong. */
const words = 'live=auction_live,graduated=migrated,incoming=scheduled'
const dialect: Dialect = {
  ...defaultDialect,
  status: { incoming: 'scheduled', live: 'auction_live', graduated: 'migrated', stall: 'stall' },
}
const right = {
  queryNames: defaultQueryNames,
  units: defaultUnits,
  statusWords: statusWordsSchema.parse(words),
}

let server: InterfaceServer
let strict: InterfaceServer

beforeAll(async () => {
  server = await InterfaceServer.start({ key, dialect })
  strict = await InterfaceServer.start({
    key,
    dialect: { ...dialect, required: ['chain', 'status', 'limit', 'offset'], refusesUnknown: true },
  })
})

afterAll(async () => {
  await server.stop()
  await strict.stop()
})

function settingsOf({ names = {}, units = {}, words = {} }: Wrong) {
  return {
    chains: [8453] as const,
    queryNames: queryNamesSchema.parse({ ...right.queryNames, ...names }),
    units: unitsSchema.parse({ ...right.units, ...units }),
    statusWords: new Map<string, AssetStatus>([...right.statusWords, ...Object.entries(words)]),
  }
}

/** The tables with the lines of a report pasted, read as the bot reads them. */
function pasted({ settings }: Report, own: ReturnType<typeof settingsOf>) {
  const line = (name: string) =>
    settings.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
  const [queryNames, units, statuses] = ['API_QUERY_NAMES', 'API_UNITS', 'API_STATUS'].map(line)
  return {
    queryNames: queryNames ? queryNamesSchema.parse(JSON.parse(queryNames)) : own.queryNames,
    units: units ? unitsSchema.parse(JSON.parse(units)) : own.units,
    statusWords: plainly(statuses ? statusWordsSchema.parse(statuses) : own.statusWords),
  }
}

function plainly(statuses: StatusWords) {
  return Object.fromEntries([...defaultStatusWords, ...statuses])
}

async function expectMended(baseUrl: string, wrong: Wrong): Promise<void> {
  const own = settingsOf(wrong)
  const report = await examine(baseUrl, own)
  expect(exitCode(report)).toBe(1)
  expect(report.isSettled).toBe(true)
  expect(pasted(report, own)).toEqual({ ...right, statusWords: plainly(right.statusWords) })
  // A line for each table that is wrong, and none for another.
  expect(report.settings.map((line) => line.split('=')[0])).toEqual([
    ...(wrong.names ? ['API_QUERY_NAMES'] : []),
    ...(wrong.units ? ['API_UNITS'] : []),
    ...(wrong.words ? ['API_STATUS'] : []),
  ])
}

const price: Wrong['units'] = { pool_current_price: 'usd' }
const progress: Wrong['units'] = { pool_current_sale_progress_percentage: 'ratio' }
const raised: Wrong['units'] = { pool_current_total_proceeds: 'numeraire18' }
const sold: Wrong['units'] = { pool_current_total_tokens_sold: 'tokens' }
const cap: Wrong['units'] = { pool_market_cap: 'usd18' }

const pairs: Record<string, Record<string, Wrong>> = {
  'a name and a unit': {
    'the chain, the price': { names: { chain: 'network' }, units: price },
    'the status, the progress': { names: { status: 'state' }, units: progress },
    'the limit, what is raised': { names: { limit: 'take' }, units: raised },
    'the offset, what is sold': { names: { offset: 'skip' }, units: sold },
    'the ordering, the market cap': { names: { ordering: 'sort' }, units: cap },
    'the creator, the price': { names: { creator: 'owner' }, units: price },
    'the term, the progress': { names: { term: 'q' }, units: progress },
  },
  'two names': {
    'chain and status': { names: { chain: 'network', status: 'state' } },
    'chain and term': { names: { chain: 'chain_id', term: 'search' } },
    'status and limit': { names: { status: 'state', limit: 'page_size' } },
    'limit and offset': { names: { limit: 'take', offset: 'skip' } },
    'limit and offset exchanged': { names: { limit: 'offset', offset: 'limit' } },
    'offset and ordering': { names: { offset: 'start', ordering: 'sort' } },
    'numeraire and creator exchanged': { names: { numeraire: 'creator', creator: 'numeraire' } },
    'category and status exchanged': { names: { category: 'status', status: 'category' } },
    'numeraire and category': { names: { numeraire: 'quote', category: 'tag' } },
  },
  'a status word and a unit': {
    'live, the progress': { words: { auction_live: 'graduated' }, units: progress },
    'live, what is raised': { words: { auction_live: 'incoming' }, units: raised },
    'graduated, the price': { words: { migrated: 'stall' }, units: price },
    'graduated, the market cap': { words: { migrated: 'live' }, units: cap },
    'incoming, what is sold': { words: { scheduled: 'live' }, units: sold },
  },
  'a name and a status word': {
    'the status, live': { names: { status: 'state' }, words: { auction_live: 'graduated' } },
    'the status, graduated': { names: { status: 'phase' }, words: { migrated: 'live' } },
    'the chain, incoming': { names: { chain: 'network' }, words: { scheduled: 'graduated' } },
    'the limit, live': { names: { limit: 'take' }, words: { auction_live: 'stall' } },
    'the term, graduated': { names: { term: 'q' }, words: { migrated: 'incoming' } },
  },
}

describe.each(Object.entries(pairs))(
  '%s that are wrong are mended, and nothing else is',
  (_what, wrong) => {
    test.each(Object.entries(wrong))('%s', async (_which, settings) => {
      await expectMended(server.baseUrl, settings)
    })
  },
)

describe('two names that are exchanged are found', () => {
  const exchanged = queryMeanings.flatMap((one, index) =>
    queryMeanings.slice(index + 1).map((other) => [one, other] as const),
  )

  test.each(exchanged)('%s and %s', async (one, other) => {
    const names = { [one]: defaultQueryNames[other], [other]: defaultQueryNames[one] }
    await expectMended(server.baseUrl, { names })
    // What a list is refused without is found in another way.
    if (isBaseMeaning(one) && isBaseMeaning(other)) await expectMended(strict.baseUrl, { names })
  })
})

test('pairs are mended where unknown names are refused and others required, too', async () => {
  for (const [what, wrong] of [
    ['a name and a unit', 'the limit, what is raised'],
    ['two names', 'category and status exchanged'],
    ['a name and a status word', 'the status, live'],
  ] as const) {
    const settings = pairs[what]?.[wrong]
    if (!settings) throw new Error(`there is no pair of ${wrong}`)
    await expectMended(strict.baseUrl, settings)
  }
})

test('settings that are right are left alone', async () => {
  const report = await examine(server.baseUrl, settingsOf({}))
  expect(report).toMatchObject({ settings: [], advice: [], needsOperator: false })
})
