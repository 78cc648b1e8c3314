import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultQueryNames, defaultStatusWords } from '../../src/api/schema.ts'
import { defaultUnits } from '../../src/api/units.ts'
import { knownLaunchers } from '../../src/chain/chains.ts'
import { readConfig, secretsOf } from '../../src/config.ts'
import { settingNames } from '../../src/settings.ts'
import { userAgent } from '../../src/version.ts'
import { needed, problems } from '../settings.ts'

test('with PUBLIC_URL the server listens on all addresses, unless HOST is set', async () => {
  const given = { ...needed, PUBLIC_URL: 'https://gavel.example.org' }
  expect((await readConfig(given)).host).toBeUndefined()
  expect((await readConfig({ ...given, HOST: '::1' })).host).toBe('::1')
})

test('only the required settings are needed, and all others have defaults', async () => {
  expect(await readConfig(needed)).toEqual({
    api: {
      baseUrl: 'https://api.example.org/v1',
      key: 'an-api-key',
      queryNames: defaultQueryNames,
      units: defaultUnits,
      statusWords: defaultStatusWords,
      userAgent: userAgent(),
    },
    telegram: {
      token: '4242:telegram-token',
      apiRoot: 'https://api.telegram.org',
      limits: { all: 30, person: 1, group: 20 },
    },
    discord: undefined,
    commands: { units: defaultUnits, links: [] },
    chains: [8453],
    database: 'data/gavel.db',
    keptDays: { alerts: 30, drafts: 90, launches: 365, adminLog: 365 },
    port: 8080,
    host: '127.0.0.1',
    floodLimits: { person: 30, chat: 60 },
    alerts: { interval: 15, perChat: 30 },
    cards: true,
    launch: {
      templates: [],
      launchers: knownLaunchers,
      modules: {},
      symbol: { pattern: /^(?:[A-Za-z0-9]{1,15})$/u },
      integrator: undefined,
      publicUrl: undefined,
      signingUrlTemplate: undefined,
    },
    ipfs: undefined,
    ipfsGateway: undefined,
    rpcUrls: {},
    admins: [],
    logLevel: 'info',
  })
})

test('every variable is read', async () => {
  const config = await readConfig({
    API_BASE_URL: 'http://127.0.0.1:9000/base/v1/',
    API_KEY: 'an-api-key',
    API_QUERY_NAMES: '{"chain":"chain_id","term":"q"}',
    API_STATUS: 'live=auction_live, live=Open,graduated=done',
    API_UNITS: '{"pool_current_sale_progress_percentage":"ratio"}',
    TELEGRAM_TOKEN: '4242:telegram-token',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:9001/',
    TELEGRAM_UPDATES: 'webhook',
    TELEGRAM_LIMITS: '{"all":300,"group":40}',
    DISCORD_TOKEN: 'discord.token-x',
    DISCORD_API_ROOT: 'http://127.0.0.1:9002/api',
    DISCORD_SHARDS: '2',
    DATABASE_URL: 'file:/var/lib/gavel/gavel.db',
    KEEP_SENT_ALERTS: '7',
    KEEP_ENDED_DRAFTS: '14',
    KEEP_LAUNCHES: '3650',
    KEEP_ADMIN_LOG: '30',
    PORT: '0',
    HOST: '127.0.0.1',
    HTTPS_PROXY: 'http://gavel:proxy%2Fword@proxy.example.org:3128/',
    HTTP_PROXY: 'https://proxy.example.org',
    NO_PROXY: '.internal.example.org',
    COMMANDS_PER_PERSON: '5',
    COMMANDS_PER_CHAT: '500',
    WATCH_INTERVAL: '60',
    ALERTS_PER_CHAT: '5',
    LINKS: '[{"label":"Trade","url":"https://dex.example/{address}"}]',
    CARDS: 'off',
    PUBLIC_URL: 'https://gavel.example.org/',
    TEMPLATES: '[{"id":"standard","label":"Standard","chain":8453,"about":"The usual"}]',
    RPC_URLS: '{"8453":"https://rpc.example.org/a-key"}',
    MODULES:
      '{"8453":[{"address":"0x00000000000000000000000000000000000000cc","kind":"pool initializer","layout":"multicurve","name":"Ours"}]}',
    LAUNCHERS: '{"84532":"0x00000000000000000000000000000000000000aa"}',
    INTEGRATOR: '0x00000000000000000000000000000000000000bb',
    SYMBOL_PATTERN: '[A-Z]+|x',
    SIGNING_URL_TEMPLATE: 'https://sign.example.org/{token}',
    PINATA_JWT: 'a.json.web-token-that-is-long',
    PINATA_API_ROOT: 'http://127.0.0.1:9003',
    IPFS_GATEWAY: 'https://ipfs.example.org/',
    CHAINS: '84532, 8453',
    ADMINS: 'telegram:7, discord:123456789012345678',
    LOG_LEVEL: 'debug',
  })
  const proxy = {
    https: 'http://gavel:proxy%2Fword@proxy.example.org:3128',
    http: 'https://proxy.example.org',
    none: '.internal.example.org',
  }
  expect(config).toEqual({
    api: {
      baseUrl: 'http://127.0.0.1:9000/base/v1',
      key: 'an-api-key',
      queryNames: { ...defaultQueryNames, chain: 'chain_id', term: 'q' },
      units: { ...defaultUnits, pool_current_sale_progress_percentage: 'ratio' },
      statusWords: new Map([
        ...defaultStatusWords,
        ['auction_live', 'live'],
        ['open', 'live'],
        ['done', 'graduated'],
      ]),
      userAgent: userAgent('https://gavel.example.org'),
      proxy,
    },
    telegram: {
      token: '4242:telegram-token',
      apiRoot: 'http://127.0.0.1:9001',
      publicUrl: 'https://gavel.example.org',
      limits: { all: 300, group: 40 },
      proxy,
    },
    discord: {
      token: 'discord.token-x',
      apiRoot: 'http://127.0.0.1:9002/api',
      publicUrl: 'https://gavel.example.org',
      shards: { ids: [0, 1], count: 2 },
      proxy,
    },
    commands: {
      units: { ...defaultUnits, pool_current_sale_progress_percentage: 'ratio' },
      links: [{ label: 'Trade', url: 'https://dex.example/{address}' }],
    },
    chains: [84532, 8453],
    database: '/var/lib/gavel/gavel.db',
    keptDays: { alerts: 7, drafts: 14, launches: 3650, adminLog: 30 },
    port: 0,
    host: '127.0.0.1',
    floodLimits: { person: 5, chat: 500 },
    alerts: { interval: 60, perChat: 5 },
    cards: false,
    launch: {
      templates: [{ id: 'standard', label: 'Standard', chain: 8453, about: 'The usual' }],
      launchers: {
        ...knownLaunchers,
        84532: {
          to: '0x00000000000000000000000000000000000000AA',
          airlock: '0x00000000000000000000000000000000000000AA',
        },
      },
      modules: {
        8453: [
          {
            address: '0x00000000000000000000000000000000000000cc',
            layout: 'multicurve',
            name: 'Ours',
          },
        ],
      },
      symbol: { pattern: /^(?:[A-Z]+|x)$/u, typed: '[A-Z]+|x' },
      integrator: '0x00000000000000000000000000000000000000bb',
      publicUrl: 'https://gavel.example.org',
      signingUrlTemplate: 'https://sign.example.org/{token}',
    },
    ipfs: {
      kind: 'pinata',
      jwt: 'a.json.web-token-that-is-long',
      apiRoot: 'http://127.0.0.1:9003',
    },
    ipfsGateway: 'https://ipfs.example.org',
    rpcUrls: { 8453: 'https://rpc.example.org/a-key' },
    proxy,
    admins: ['telegram:7', 'discord:123456789012345678'],
    logLevel: 'debug',
  })
  expect(secretsOf(config)).toEqual([
    'an-api-key',
    '4242:telegram-token',
    'discord.token-x',
    'a.json.web-token-that-is-long',
    'https://rpc.example.org/a-key',
    'proxy%2Fword',
    'proxy/word',
    Buffer.from('gavel:proxy/word').toString('base64'),
  ])
})

test('a Kubo node of one’s own is the other way to publish pictures', async () => {
  const config = await readConfig({
    ...needed,
    IPFS_API_URL: 'http://me:pass-word@127.0.0.1:5001/',
  })
  expect(config.ipfs).toEqual({ kind: 'kubo', url: 'http://me:pass-word@127.0.0.1:5001' })
  expect(secretsOf(config)).toContain('pass-word')
})

test.each([
  ['https://ipfs.example.org/mirror//', 'https://ipfs.example.org/mirror'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://localhost:8080/', 'http://localhost:8080'],
])('a gateway may have a path, or be on this machine without https: %s', async (url, read) => {
  expect((await readConfig({ ...needed, IPFS_GATEWAY: url })).ipfsGateway).toBe(read)
})

describe('of a PostgreSQL database', async () => {
  const secrets = async (url: string) =>
    secretsOf(await readConfig({ ...needed, DATABASE_URL: url })).filter(
      (each) => each !== needed.API_KEY,
    )
  const others = await secrets('file:data/gavel.db')

  test('the URL may ask for TLS, and have an address of IPv6', async () => {
    const urls = [
      'postgres://gavel:p%2Fw@db.example.org/gavel?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem',
      'postgresql://gavel@[::1]:5433/gavel',
    ]
    for (const url of urls) {
      expect((await readConfig({ ...needed, DATABASE_URL: url })).database).toBe(url)
    }
  })

  test('the password is a secret, encoded and decoded, and so is the URL', async () => {
    const url = 'postgres://gavel:p%40ss-word@db.example.org/gavel'
    expect(await secrets(url)).toEqual([...others, url, 'p%40ss-word', 'p@ss-word'])
    const other = 'postgres://db.example.org/gavel?user=gavel&password=p%40ss-word'
    expect(await secrets(other)).toEqual([...others, other, 'p@ss-word'])
  })

  test('a URL without a password is no secret, and neither are its other parts', async () => {
    expect(await secrets('postgres://gavel@db.example.org/gavel')).toEqual(others)
    const url = 'postgres://gavel:gavel@db.example.org/gavel'
    expect(await secrets(url)).toEqual([...others, url])
  })
})

test('the sandbox may be its own public address without https', async () => {
  const { launch } = await readConfig({ ...needed, PUBLIC_URL: 'http://127.0.0.1:4280' })
  expect(launch.publicUrl).toBe('http://127.0.0.1:4280')
})

describe('the platforms', () => {
  const { TELEGRAM_TOKEN, ...neither } = needed

  test('either one alone is enough', async () => {
    expect((await readConfig(needed)).discord).toBeUndefined()
    const discordOnly = await readConfig({ ...neither, DISCORD_TOKEN: 'discord.token-x' })
    expect(discordOnly.telegram).toBeUndefined()
    expect(discordOnly.discord).toEqual({
      token: 'discord.token-x',
      apiRoot: 'https://discord.com/api',
    })
    expect(secretsOf(discordOnly)).toEqual(['an-api-key', 'discord.token-x'])
  })

  test('without any there is nothing to run', async () => {
    expect(await problems(neither)).toEqual([
      'TELEGRAM_TOKEN or DISCORD_TOKEN: at least one of them is needed',
    ])
  })

  test('a malformed token is reported as malformed, not as missing', async () => {
    expect(await problems({ ...needed, TELEGRAM_TOKEN: 'not-a-token' })).toEqual([
      'TELEGRAM_TOKEN: must look like 123456:ABC-DEF, as @BotFather gives it',
    ])
  })
})

test.each(['', ' ', '\t\n'])('an empty variable (%j) counts as absent', async (empty) => {
  const optional = settingNames.filter((name) => !Object.hasOwn(needed, name))
  const env = { ...needed, ...Object.fromEntries(optional.map((name) => [name, empty])) }
  expect(await readConfig(env)).toEqual(await readConfig(needed))
  expect(await problems({ ...needed, API_KEY: empty })).toEqual(['API_KEY: is needed'])
})

test('other variables of the environment are ignored', async () => {
  expect(await problems({ ...needed, PATH: '/bin', API_KEYS: 'x', undefined })).toEqual([])
})

test('no value of a secret is in any message, whatever else is wrong', async () => {
  // Long and distinct, so that it can't be part of a message by chance.
  const secret = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .map((text) => `s3cr3t!${text}`)
  const names = ['API_KEY', 'TELEGRAM_TOKEN', 'DISCORD_TOKEN']
  await fc.assert(
    fc.asyncProperty(
      secret,
      secret,
      secret,
      fc.boolean(),
      async (key, telegram, discord, inUrls) => {
        const values = [key, telegram, discord]
        const url = inUrls ? `postgres://user:${key}@db.example/x` : undefined
        const env = {
          ...Object.fromEntries(names.map((name, index) => [name, values[index]])),
          DATABASE_URL: url,
          PUBLIC_URL: url,
          API_BASE_URL: url,
        }
        for (const line of await problems(env)) expect(line).not.toContain('s3cr3t!')
      },
    ),
    { numRuns: 200 },
  )
})

test('.env.example explains every variable, and is itself complete but for the secrets', async () => {
  const text = await readFile('.env.example', 'utf8')
  const on = parseEnv(text)
  expect(
    await problems({ ...on, API_KEY: 'an-api-key', DISCORD_TOKEN: 'discord.token-x' }),
  ).toEqual([])
  const off = parseEnv(text.replaceAll(/^#(?=[A-Z_]+=)/gmu, ''))
  const given = { ...off, API_KEY: 'an-api-key', TELEGRAM_TOKEN: '4242:telegram-token' }
  const { launch, ipfs, ipfsGateway, rpcUrls, host, api, commands, admins, backups, ...config } =
    await readConfig(given)
  const defaults = await readConfig({ ...needed, API_BASE_URL: off.API_BASE_URL })
  expect({ ...defaults, ...config }).toEqual(defaults)
  expect({ ...api, statusWords: defaultStatusWords, userAgent: userAgent() }).toEqual(defaults.api)
  expect(api.statusWords.get('auction_live')).toBe('live')
  // These have no default: what stands there is an example, and a sound one.
  expect(host).toBe('127.0.0.1')
  expect(backups).toEqual({ folder: 'data/backups', keep: 7 })
  expect(admins).toEqual(['telegram:123456', 'discord:123456789012345678'])
  expect(launch).toMatchObject({
    publicUrl: 'https://gavel.example.org',
    templates: [{ chain: 8453 }],
    launchers: defaults.launch.launchers,
    symbol: { pattern: defaults.launch.symbol.pattern },
  })
  expect(ipfs).toEqual({ kind: 'kubo', url: 'http://127.0.0.1:5001' })
  expect(commands.links.map(({ label }) => label)).toEqual(['Trade'])
  expect(ipfsGateway).toBe('https://trustless-gateway.link')
  expect(Object.keys(rpcUrls)).toEqual(['8453'])
  expect(Object.keys(off).sort()).toEqual(settingNames.toSorted())
})
