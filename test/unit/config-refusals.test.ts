import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxTemplates } from '../../sandbox/templates-setting.ts'
import { readConfig } from '../../src/config.ts'
import { shards } from '../../src/setting-forms.ts'
import { settingNames } from '../../src/settings.ts'
import { needed, problems } from '../settings.ts'

describe('wrong settings are named', () => {
  test('all at once, one line each', async () => {
    expect(await problems({})).toEqual([
      'API_KEY: is needed',
      'TELEGRAM_TOKEN or DISCORD_TOKEN: at least one of them is needed',
    ])
    const wrong = Object.fromEntries(settingNames.map((name) => [name, '(']))
    // Anything else is a folder's name.
    wrong.BACKUP_DIR = 'file:('
    const everything = await problems(wrong)
    expect(everything.map((line) => line.split(':', 1)[0])).toEqual(settingNames)
    for (const line of everything) expect(line).toMatch(/^[A-Z_]+: \S[^\n]*$/u)
  })

  test('also those that contradict each other, beside others that are wrong', async () => {
    const wrong = { TELEGRAM_UPDATES: 'webhook', IPFS_API_URL: 'http://127.0.0.1:5001' }
    const lines = await problems({ ...wrong, PINATA_JWT: 'j'.repeat(20), PORT: 'x' })
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual([
      'API_KEY',
      'PORT',
      'TELEGRAM_TOKEN or DISCORD_TOKEN',
      'PUBLIC_URL',
      'IPFS_API_URL or PINATA_JWT',
    ])
  })

  test.each([
    ['API_BASE_URL', 'api.example.org/v1', 'must be a URL such as https://example.org'],
    ['API_BASE_URL', 'ftp://api.example.org/v1', 'must be a URL such as https://example.org'],
    ['API_BASE_URL', 'https://u:p@api.example.org/v1', 'must be a URL without a user name'],
    ['API_BASE_URL', 'https://api.example.org', 'must end with /v1'],
    ['API_BASE_URL', 'https://api.example.org/v2', 'must end with /v1'],
    ['API_KEY', 'seven77', 'must be 8 to 512 visible characters without spaces'],
    ['API_KEY', 'a key with spaces', 'must be 8 to 512 visible characters without spaces'],
    ['API_KEY', 'pasted-with\na-line-break', 'must be 8 to 512 visible characters'],
    ['API_QUERY_NAMES', 'chain=chainId', 'is not valid JSON; it looks like {"name":"value"}'],
    ['API_QUERY_NAMES', '{"chains":"c"}', 'unknown name chains: allowed are chain, status'],
    ['API_QUERY_NAMES', '{"chain":""}', 'chain: a query name is 1 to 64'],
    ['API_QUERY_NAMES', '{"chain":"limit"}', 'cannot both be called limit'],
    ['API_QUERY_NAMES', '{"term":"a b"}', 'term: a query name is 1 to 64'],
    ['API_QUERY_NAMES', '{"term":5}', 'term: a query name is text'],
    ['API_QUERY_NAMES', '"q"', 'a JSON object such as {"term":"q"}'],
    ['API_QUERY_NAMES', 'null', 'a JSON object such as {"term":"q"}'],
    ['API_UNITS', '{"pool_current_sale_progress_percentage":"usd"}', 'allowed are ratio, percent'],
    ['API_UNITS', '{"pool_price":18}', 'pool_price: 18 is not a unit; allowed are usd, usd6'],
    ['API_UNITS', '[]', 'a JSON object such as'],
    ['API_UNITS', '{"pool_price":"eur"}', 'pool_price: "eur" is not a unit; allowed are usd'],
    ['API_STATUS', 'live', '"live" does not look like live=auction_live'],
    ['API_STATUS', 'open=live', '"open=live" does not look like live=auction_live'],
    ['API_STATUS', 'live=', 'after live= comes the API’s own word'],
    ['API_STATUS', 'live=on,stall=ON', 'on cannot mean both live and stall'],
    ['API_UNITS', '{"price":"usd"}', 'unknown field price: allowed are pool_price'],
    ['TELEGRAM_API_ROOT', 'api.telegram.org', 'must be a URL such as https://example.org'],
    ['DISCORD_API_ROOT', 'discord.com/api', 'must be a URL such as https://example.org'],
    ['DATABASE_URL', 'data/gavel.db', 'must be a file, such as file:data/gavel.db'],
    ['DATABASE_URL', 'file:', 'must be a file, such as file:data/gavel.db'],
    ['DATABASE_URL', 'postgres://host', 'such as postgres://name:password@host/gavel'],
    ['BACKUP_DIR', 'file:backups', 'must be a folder, such as data/backups'],
    ['BACKUP_KEEP', '0', 'must be a whole number from 1 to 9999'],
    ['KEEP_SENT_ALERTS', '6', 'must be a whole number of days from 7 to 365'],
    ['KEEP_ENDED_DRAFTS', '366', 'must be a whole number of days from 14 to 365'],
    ['KEEP_LAUNCHES', '1 year', 'must be a whole number of days from 30 to 3650'],
    ['KEEP_ADMIN_LOG', '0', 'must be a whole number of days from 30 to 3650'],
    ['HOST', 'gavel.example.org', 'must be an address of this machine, such as 127.0.0.1'],
    ['HOST', '127.0.0.1:8080', 'must be an address of this machine, such as 127.0.0.1'],
    ['DISCORD_SHARDS', '8/8', '0-3/8 (they are counted from 0), and is 8/8'],
    ['TELEGRAM_UPDATES', 'push', 'must be polling or webhook'],
    ['PORT', '-1', 'must be a port number'],
    ['PORT', '80.5', 'must be a port number'],
    ['PORT', '65536', 'must be a port number up to 65535'],
    [
      'TELEGRAM_LIMITS',
      '30',
      'must be numbers from 1 on, such as {"all":30,"person":1,"group":20}',
    ],
    ['TELEGRAM_LIMITS', '{"all":0}', 'must be numbers from 1 on'],
    ['TELEGRAM_LIMITS', '{"person":"1"}', 'must be numbers from 1 on'],
    ['TELEGRAM_LIMITS', '{"chat":1}', 'must be numbers from 1 on'],
    ['COMMANDS_PER_PERSON', '0', 'must be a whole number from 1 to 999999'],
    ['COMMANDS_PER_PERSON', '1.5', 'must be a whole number from 1 to 999999'],
    ['COMMANDS_PER_CHAT', '1000000', 'must be a whole number from 1 to 999999'],
    ['WATCH_INTERVAL', '0', 'must be a whole number of seconds from 1 to 9999'],
    ['WATCH_INTERVAL', '1.5', 'must be a whole number of seconds from 1 to 9999'],
    ['ALERTS_PER_CHAT', '0', 'must be a whole number from 1 to 999999'],
    ['LINKS', '{}', 'expected array'],
    ['LINKS', '[{"label":"Trade","url":"http://dex.example"}]', 'must begin with https://'],
    ['CARDS', 'yes', 'must be on or off'],
    ['HTTPS_PROXY', 'proxy.example.org:3128', 'must be a URL such as https://example.org'],
    ['HTTPS_PROXY', 'socks5://proxy.example.org', 'must be a URL such as https://example.org'],
    ['HTTP_PROXY', 'http://proxy.example.org/path', 'must be without a path'],
    ['HTTP_PROXY', 'http://me:100%@proxy.example.org', 'must have % in its name or password'],
    ['NO_PROXY', 'http://node.example.org', 'must be hosts with commas between'],
    ['PUBLIC_URL', 'javascript:alert(1)', 'must be a URL such as https://example.org'],
    ['PUBLIC_URL', 'http://gavel.example.org', 'must begin with https://'],
    ['PUBLIC_URL', 'http://127.0.0.1.example.org', 'must begin with https://'],
    ['PUBLIC_URL', 'https://my_bot.example.org', 'must have no _ in its host'],
    ['PUBLIC_URL', 'https://example.org/gavel', 'must be without a path'],
    ['SIGNING_URL_TEMPLATE', 'http://example.org/{token}', 'must begin with https://'],
    ['SIGNING_URL_TEMPLATE', 'https://example.org/sign', 'must have {token} in it'],
    ['SIGNING_URL_TEMPLATE', 'https://example.org/{token}/{tokn}', 'and no others'],
    ['IPFS_API_URL', 'http://me:100%@127.0.0.1:5001', 'written as %25'],
    ['TEMPLATES', '{}', 'must be a list such as [{"id":"…","label":"Standard","chain":8453}]'],
    ['TEMPLATES', '[{"id":"a","label":"A"}]', 'TEMPLATES: 0.chain: '],
    ['RPC_URLS', '{"base":"https://rpc.example.org"}', 'Invalid key'],
    ['LAUNCHERS', '{"8453":"0x12"}', 'LAUNCHERS: '],
    ['INTEGRATOR', '0x12', 'An address has 40 characters after 0x'],
    ['SYMBOL_PATTERN', '[', 'must be a regular expression'],
    ['IPFS_API_URL', 'ipfs.example.org', 'must be a URL such as https://example.org'],
    ['IPFS_GATEWAY', 'http://ipfs.example.org', 'must begin with https://'],
    ['IPFS_GATEWAY', 'https://u:p@ipfs.example.org', 'must be a URL without a user name'],
    ['IPFS_GATEWAY', 'https://ipfs.example.org/?token=x', 'must be without ? and #'],
    ['IPFS_GATEWAY', 'https://ipfs.example.org/ipfs/', 'must be without /ipfs at its end'],
    ['PINATA_JWT', 'short', 'must be a JWT as Pinata gives it'],
    ['CHAINS', '8453,base', 'must be different chain ids with commas between them'],
    ['CHAINS', '8453,8453', 'must be different chain ids with commas between them'],
    ['CHAINS', '0', 'must be different chain ids with commas between them'],
    ['CHAINS', ',', 'must be different chain ids with commas between them'],
    ['ADMINS', 'ada', 'must be ids of people with their platform'],
    ['ADMINS', 'telegram:7,8', 'must be ids of people with their platform'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ])('%s=%s', async (name, value, problem) => {
    const told = await problems({
      ...needed,
      PUBLIC_URL: 'https://gavel.example.org',
      [name]: value,
    })
    expect(told).toEqual([expect.stringContaining(`${name}: `)])
    expect(told[0]).toContain(problem)
  })
})

test.each([
  'postgres://gavel:12/secret@127.0.0.1:1/x',
  'postgres://gavel:p@secret/w#rd@127.0.0.1/x',
  'postgres://gavel:p@secret/word@127.0.0.1/x',
  'postgres://gavel:p@secret/w?rd@127.0.0.1/x',
  'postgres://gavel:12/secret#@127.0.0.1/x',
  'postgres://gavel:12/secret@host',
  'postgres://gavel:12?secret@127.0.0.1/x',
  'postgres://gavel:p#secret@127.0.0.1/x',
  'postgres://gavel:secret%@127.0.0.1/x',
  'postgres://gavel:secret%ff@127.0.0.1/x',
  'postgres://gavel:12/secret',
  'postgres://gavel:p@secret@127.0.0.1/x',
  'postgres://gavel:secret@@127.0.0.1/x',
  'postgresql://ga@vel:secret@127.0.0.1/x',
])('a password that is not percent-encoded is refused and not repeated: %s', async (url) => {
  const [told = '', ...more] = await problems({ ...needed, DATABASE_URL: url })
  expect(more).toEqual([])
  expect(told).toContain('DATABASE_URL: must be a file')
  expect(told).toContain('in the password write @ : / ? # % as %40 %3A %2F %3F %23 %25')
  expect(told).not.toContain('secret')
})

test('a value that is no range of shards is not repeated: it may be a token', async () => {
  const [told] = await problems({ ...needed, DISCORD_SHARDS: 'discord.token-x' })
  expect(told).toMatch(/^DISCORD_SHARDS: must be auto/u)
  expect(told).not.toContain('discord.token-x')
})

test('backups are refused where the database is PostgreSQL, with what makes them there', async () => {
  const DATABASE_URL = 'postgres://gavel:secret@host/gavel'
  const [told = '', ...more] = await problems({ ...needed, DATABASE_URL, BACKUP_DIR: 'backups' })
  expect(more).toEqual([])
  expect(told).toMatch(/^BACKUP_DIR: is for SQLite alone, .*pg_dump.*upgrades-and-backups\.md/u)
})

const jwt = 'a.json.web-token-that-is-long'
const twice = '[{"id":"a","label":"A","chain":8453},{"id":"a","label":"B","chain":8453}]'

test.each([
  [{ IPFS_API_URL: 'http://127.0.0.1:5001', PINATA_JWT: jwt }, 'set one of them, not both'],
  [{ TEMPLATES: '[{"id":"a","label":"A","chain":1}]' }, 'names a chain that CHAINS lacks'],
  [{ TEMPLATES: twice }, 'names a template twice on one chain'],
  [
    { CHAINS: '31337', TEMPLATES: '[{"id":"a","label":"A","chain":31337}]' },
    'LAUNCHERS: lacks the launch contract of a chain that TEMPLATES names',
  ],
  [
    { SIGNING_URL_TEMPLATE: 'https://sign.example.org/{token}' },
    'PUBLIC_URL: is needed with SIGNING_URL_TEMPLATE',
  ],
  [{ TELEGRAM_UPDATES: 'webhook' }, 'PUBLIC_URL: is needed with TELEGRAM_UPDATES=webhook'],
  [
    { TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'http://gavel.example.org' },
    'PUBLIC_URL: must begin with https://',
  ],
  [{ DISCORD_SHARDS: '0-3/8' }, 'DISCORD_SHARDS: leaves shards to other processes'],
])('%j is refused: %s', async (env, problem) => {
  expect(await problems({ ...needed, ...env })).toEqual([expect.stringContaining(problem)])
})

test.each([
  ['auto', undefined],
  ['1', { ids: [0], count: 1 }],
  ['3', { ids: [0, 1, 2], count: 3 }],
  ['0-3/8', { ids: [0, 1, 2, 3], count: 8 }],
  ['4-7/8', { ids: [4, 5, 6, 7], count: 8 }],
  ['7/8', { ids: [7], count: 8 }],
  ['0-0/1', { ids: [0], count: 1 }],
])('DISCORD_SHARDS %j names its shards', (text, named) => {
  expect(shards.parse(text)).toEqual(named)
})

test.each([
  '0',
  '-1',
  '1.5',
  'all',
  '0-8/8',
  '8/8',
  '3-1/8',
  '0-3',
  '0/0',
  '0-3/8/9',
  '0-1,4-5/8',
  '99999',
  ' 4',
])('DISCORD_SHARDS %j is refused with what it may be', (text) => {
  const read = shards.safeParse(text)
  expect(read.error?.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^must be auto, how many .* such as 0-3\/8/u),
  ])
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(text: string): Promise<string> {
  const path = join(folder, `${Math.random()}.json`)
  await writeFile(path, text)
  return path
}

describe('templates in a file', () => {
  test('are read like those in the setting itself, with the path of the file', async () => {
    const text = JSON.stringify(sandboxTemplates)
    const path = await file(`  ${text}\n`)
    const [inFile, inSetting] = await Promise.all(
      [path, text].map((TEMPLATES) => readConfig({ ...needed, TEMPLATES })),
    )
    expect(inFile?.launch).toEqual(inSetting?.launch)
    expect(inFile?.launch.templates).toEqual(sandboxTemplates)
    expect([inFile?.templatesFile, inSetting?.templatesFile]).toEqual([path, undefined])
  })

  test('that does not exist, or is no JSON, is named', async () => {
    const missing = join(folder, 'missing.json')
    expect(await problems({ ...needed, TEMPLATES: missing })).toEqual([
      `TEMPLATES: the file ${missing} can’t be read`,
    ])
    const broken = await file('[{"id":')
    expect(await problems({ ...needed, TEMPLATES: broken })).toEqual([
      `TEMPLATES: the file ${broken} is not valid JSON`,
    ])
  })
})

describe('what a template pins', () => {
  const problemOf = async (expects: object) => {
    const templates = [{ id: 'a', label: 'A', chain: 8453, expects }]
    return await problems({ ...needed, TEMPLATES: JSON.stringify(templates) })
  }

  test('is refused if there is no such row, with a list of those that there are', async () => {
    expect(await problemOf({ fees: '1' })).toEqual([
      expect.stringMatching(
        /^TEMPLATES: 0\.expects: there is no row fees; there are supply, sale, /u,
      ),
    ])
  })

  test.each([
    ['tradingFee', '1%'],
    ['opening', { cap: ['cheap', 'dear'] }],
    ['trading', { from: 'tomorrow' }],
    ['vesting', [{ percent: '5' }]],
    ['shares', { you: '95' }],
  ])('is refused in another form: %s', async (row, value) => {
    expect(await problemOf({ [row]: value })).toEqual([
      expect.stringMatching(`^TEMPLATES: 0.expects: ${row} `),
    ])
  })
})

describe('modules of the operator’s own', () => {
  const address = '0x00000000000000000000000000000000000000cc'
  const problemOf = (entry: object) =>
    problems({ ...needed, MODULES: JSON.stringify({ 8453: [entry] }) })

  test('with an unknown layout are refused, and the known ones are listed', async () => {
    expect(await problemOf({ address, layout: 'ours' })).toEqual([
      expect.stringMatching(/^MODULES: 8453\.0\.layout: must be one of .*multicurve/u),
    ])
  })

  test('with a kind that is not the layout’s are refused', async () => {
    expect(await problemOf({ address, layout: 'multicurve', kind: 'hook' })).toEqual([
      'MODULES: multicurve is a layout of a pool initializer, not of a hook',
    ])
  })
})
