import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dialect, defaultDialect } from '../../sandbox/api/dialect.ts'
import { ApiServer } from '../../sandbox/api/server.ts'
import {
  type AssetStatus,
  defaultQueryNames,
  defaultStatusWords,
  type QueryNames,
  queryMeanings,
  queryNamesSchema,
  type StatusWords,
  statusWordsSchema,
} from '../../src/api/schema.ts'
import { defaultUnits, type Units, unitsSchema } from '../../src/api/units.ts'
import { isBaseMeaning } from '../../src/doctor/limited-api.ts'
import { exitCode, type Report } from '../../src/doctor/report.ts'
import { examine, key } from '../unit/doctor/refusing-server.ts'

/** Settings that are wrong, beside all others right. */
interface Wrong {
  names?: Partial<QueryNames>
  units?: Partial<Units>
  words?: Record<string, AssetStatus>
}

/** The API's words for a status, so that there is a setting to be wrong. */
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

let server: ApiServer
let strict: ApiServer

beforeAll(async () => {
  server = await ApiServer.start({ key, dialect })
  strict = await ApiServer.start({
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

const pairs: Wrong[] = [
  { names: { chain: 'network' }, units: price },
  { names: { status: 'state' }, units: progress },
  { names: { limit: 'take' }, units: raised },
  { names: { offset: 'skip' }, units: sold },
  { names: { ordering: 'sort' }, units: cap },
  { names: { creator: 'owner' }, units: price },
  { names: { term: 'q' }, units: progress },
  { names: { chain: 'network', status: 'state' } },
  { names: { chain: 'chain_id', term: 'search' } },
  { names: { status: 'state', limit: 'page_size' } },
  { names: { limit: 'take', offset: 'skip' } },
  { names: { offset: 'start', ordering: 'sort' } },
  { names: { numeraire: 'quote', category: 'tag' } },
  { words: { auction_live: 'graduated' }, units: progress },
  { words: { auction_live: 'incoming' }, units: raised },
  { words: { migrated: 'stall' }, units: price },
  { words: { migrated: 'live' }, units: cap },
  { words: { scheduled: 'live' }, units: sold },
  { names: { status: 'state' }, words: { auction_live: 'graduated' } },
  { names: { status: 'phase' }, words: { migrated: 'live' } },
  { names: { chain: 'network' }, words: { scheduled: 'graduated' } },
  { names: { limit: 'take' }, words: { auction_live: 'stall' } },
  { names: { term: 'q' }, words: { migrated: 'incoming' } },
]

test.each(pairs)('what is wrong is corrected, and nothing else: %j', async (wrong) => {
  await expectMended(server.baseUrl, wrong)
})

const exchanged = queryMeanings.flatMap((one, index) =>
  queryMeanings.slice(index + 1).map((other) => [one, other] as const),
)

test.each(exchanged)('%s and %s, exchanged, are found', async (one, other) => {
  const names = { [one]: defaultQueryNames[other], [other]: defaultQueryNames[one] }
  await expectMended(server.baseUrl, { names })
  // What a list is refused without is found in another way.
  if (isBaseMeaning(one) && isBaseMeaning(other)) await expectMended(strict.baseUrl, { names })
})

test.each<Wrong>([
  { names: { limit: 'take' }, units: raised },
  { names: { category: 'status', status: 'category' } },
  { names: { status: 'state' }, words: { auction_live: 'graduated' } },
])('%j is corrected even if unknown names are refused and others required', async (wrong) => {
  await expectMended(strict.baseUrl, wrong)
})
