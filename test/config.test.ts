import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultQueryNames } from '../src/api/query-names.ts'
import { defaultUnits } from '../src/api/units.ts'
import { ConfigError, readConfig, secretsOf } from '../src/config.ts'

const needed = {
  API_BASE_URL: 'https://api.example.org/v1',
  API_KEY: 'an-interface-key',
  TELEGRAM_TOKEN: '4242:telegram-token',
}

function problems(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('what is needed is enough, and everything else has its default', () => {
  expect(readConfig(needed)).toEqual({
    api: {
      baseUrl: 'https://api.example.org/v1',
      key: 'an-interface-key',
      queryNames: defaultQueryNames,
      units: defaultUnits,
    },
    telegram: { token: '4242:telegram-token', apiRoot: 'https://api.telegram.org' },
    discord: undefined,
    chains: [8453],
    database: 'data/gavel.db',
    port: 8080,
    floodLimits: { person: 30, chat: 60 },
    publicUrl: undefined,
    logLevel: 'info',
  })
})

test('every variable is read', () => {
  const config = readConfig({
    API_BASE_URL: 'http://127.0.0.1:9000/base/v1/',
    API_KEY: 'an-interface-key',
    API_QUERY_NAMES: '{"chain":"chain_id","term":"q"}',
    API_UNITS: '{"pool_current_sale_progress_percentage":"ratio"}',
    TELEGRAM_TOKEN: '4242:telegram-token',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:9001/',
    DISCORD_TOKEN: 'discord.token-x',
    DISCORD_API_ROOT: 'http://127.0.0.1:9002/api',
    DATABASE_URL: 'file:/var/lib/gavel/gavel.db',
    PORT: '0',
    COMMANDS_PER_PERSON: '5',
    COMMANDS_PER_CHAT: '500',
    PUBLIC_URL: 'https://gavel.example.org/',
    CHAINS: '84532, 8453',
    LOG_LEVEL: 'debug',
  })
  expect(config).toEqual({
    api: {
      baseUrl: 'http://127.0.0.1:9000/base/v1',
      key: 'an-interface-key',
      queryNames: { ...defaultQueryNames, chain: 'chain_id', term: 'q' },
      units: { ...defaultUnits, pool_current_sale_progress_percentage: 'ratio' },
    },
    telegram: { token: '4242:telegram-token', apiRoot: 'http://127.0.0.1:9001' },
    discord: { token: 'discord.token-x', apiRoot: 'http://127.0.0.1:9002/api' },
    chains: [84532, 8453],
    database: '/var/lib/gavel/gavel.db',
    port: 0,
    floodLimits: { person: 5, chat: 500 },
    publicUrl: 'https://gavel.example.org',
    logLevel: 'debug',
  })
  expect(secretsOf(config)).toEqual(['an-interface-key', '4242:telegram-token', 'discord.token-x'])
})

describe('the platforms', () => {
  const { TELEGRAM_TOKEN, ...neither } = needed

  test('either one alone is enough', () => {
    expect(readConfig(needed).discord).toBeUndefined()
    const discordOnly = readConfig({ ...neither, DISCORD_TOKEN: 'discord.token-x' })
    expect(discordOnly.telegram).toBeUndefined()
    expect(discordOnly.discord).toEqual({
      token: 'discord.token-x',
      apiRoot: 'https://discord.com/api',
    })
    expect(secretsOf(discordOnly)).toEqual(['an-interface-key', 'discord.token-x'])
  })

  test('without any there is nothing to run', () => {
    expect(problems(neither)).toEqual([
      'TELEGRAM_TOKEN or DISCORD_TOKEN: at least one of them is needed',
    ])
  })

  test('a malformed token is told as that, not as absent', () => {
    expect(problems({ ...needed, TELEGRAM_TOKEN: 'not-a-token' })).toEqual([
      'TELEGRAM_TOKEN: must look like 123456:ABC-DEF, as @BotFather gives it',
    ])
  })
})

test.each(['', ' ', '\t\n'])('an empty variable (%j) counts as absent', (empty) => {
  const names = [
    'API_QUERY_NAMES',
    'API_UNITS',
    'TELEGRAM_API_ROOT',
    'DISCORD_TOKEN',
    'DISCORD_API_ROOT',
    'DATABASE_URL',
    'PORT',
    'COMMANDS_PER_PERSON',
    'COMMANDS_PER_CHAT',
    'PUBLIC_URL',
    'CHAINS',
    'LOG_LEVEL',
  ]
  const env = { ...needed, ...Object.fromEntries(names.map((name) => [name, empty])) }
  expect(readConfig(env)).toEqual(readConfig(needed))
  expect(problems({ ...needed, API_KEY: empty })).toEqual(['API_KEY: is needed'])
})

test('other variables of the environment are none of our business', () => {
  expect(problems({ ...needed, PATH: '/bin', API_KEYS: 'x', undefined })).toEqual([])
})

describe('what is wrong is told', () => {
  test('all at once, by name, one line each', () => {
    expect(problems({})).toEqual([
      'API_BASE_URL: is needed',
      'API_KEY: is needed',
      'TELEGRAM_TOKEN or DISCORD_TOKEN: at least one of them is needed',
    ])
    const everything = problems({
      API_BASE_URL: 'api.example.org',
      API_KEY: 'short',
      API_QUERY_NAMES: '{',
      API_UNITS: '[]',
      TELEGRAM_TOKEN: 'x',
      TELEGRAM_API_ROOT: 'x',
      DISCORD_TOKEN: 'x',
      DISCORD_API_ROOT: 'x',
      DATABASE_URL: 'x',
      PORT: 'x',
      COMMANDS_PER_PERSON: 'x',
      COMMANDS_PER_CHAT: 'x',
      PUBLIC_URL: 'x',
      CHAINS: 'x',
      LOG_LEVEL: 'x',
    })
    expect(everything.map((line) => line.split(':', 1)[0])).toEqual([
      'API_BASE_URL',
      'API_KEY',
      'API_QUERY_NAMES',
      'API_UNITS',
      'TELEGRAM_TOKEN',
      'TELEGRAM_API_ROOT',
      'DISCORD_TOKEN',
      'DISCORD_API_ROOT',
      'DATABASE_URL',
      'PORT',
      'COMMANDS_PER_PERSON',
      'COMMANDS_PER_CHAT',
      'PUBLIC_URL',
      'CHAINS',
      'LOG_LEVEL',
    ])
    for (const line of everything) expect(line).toMatch(/^[A-Z_]+: \S[^\n]*$/u)
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
    ['API_UNITS', '{"pool_price":"eur"}', 'pool_price: "eur" is not a unit; allowed are usd'],
    ['API_UNITS', '{"price":"usd"}', 'unknown field price: allowed are pool_price'],
    ['TELEGRAM_API_ROOT', 'api.telegram.org', 'must be a URL such as https://example.org'],
    ['DISCORD_API_ROOT', 'discord.com/api', 'must be a URL such as https://example.org'],
    ['DATABASE_URL', 'data/gavel.db', 'must be a file, such as file:data/gavel.db'],
    ['DATABASE_URL', 'file:', 'must be a file, such as file:data/gavel.db'],
    ['PORT', '-1', 'must be a port number'],
    ['PORT', '80.5', 'must be a port number'],
    ['PORT', '65536', 'must be a port number up to 65535'],
    ['COMMANDS_PER_PERSON', '0', 'must be a whole number from 1 to 999999'],
    ['COMMANDS_PER_PERSON', '1.5', 'must be a whole number from 1 to 999999'],
    ['COMMANDS_PER_CHAT', '1000000', 'must be a whole number from 1 to 999999'],
    ['PUBLIC_URL', 'javascript:alert(1)', 'must be a URL such as https://example.org'],
    ['CHAINS', '8453,base', 'must be different chain ids with commas between them'],
    ['CHAINS', '8453,8453', 'must be different chain ids with commas between them'],
    ['CHAINS', '0', 'must be different chain ids with commas between them'],
    ['CHAINS', ',', 'must be different chain ids with commas between them'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ])('%s=%s', (name, value, problem) => {
    const told = problems({ ...needed, [name]: value })
    expect(told).toEqual([expect.stringContaining(`${name}: `)])
    expect(told[0]).toContain(problem)
  })
})

test('no value of a secret is in any message, whatever else is wrong', () => {
  // Long and distinct, so that it can't be part of a message by chance.
  const secret = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .map((text) => `s3cr3t!${text}`)
  const names = ['API_KEY', 'TELEGRAM_TOKEN', 'DISCORD_TOKEN']
  fc.assert(
    fc.property(secret, secret, secret, fc.boolean(), (key, telegram, discord, inUrls) => {
      const values = [key, telegram, discord]
      const url = inUrls ? `postgres://user:${key}@db.example/x` : undefined
      const env = {
        ...Object.fromEntries(names.map((name, index) => [name, values[index]])),
        DATABASE_URL: url,
        PUBLIC_URL: url,
        API_BASE_URL: url,
      }
      for (const line of problems(env)) expect(line).not.toContain('s3cr3t!')
    }),
    { numRuns: 200 },
  )
})

test('.env.example explains every variable, and is itself complete but for the secrets', async () => {
  const text = await readFile('.env.example', 'utf8')
  const on = parseEnv(text)
  expect(
    problems({ ...on, API_KEY: 'an-interface-key', DISCORD_TOKEN: 'discord.token-x' }),
  ).toEqual([])
  const off = parseEnv(text.replaceAll(/^#(?=[A-Z_]+=)/gmu, ''))
  const given = { ...off, API_KEY: 'an-interface-key', TELEGRAM_TOKEN: '4242:telegram-token' }
  const { publicUrl, ...config } = readConfig(given)
  const { publicUrl: _, ...defaults } = readConfig({ ...needed, API_BASE_URL: off.API_BASE_URL })
  expect(config).toEqual(defaults)
  expect(publicUrl).toBe('https://gavel.example.org')
  expect(Object.keys(off).sort()).toEqual(
    [
      'API_BASE_URL',
      'API_KEY',
      'API_QUERY_NAMES',
      'API_UNITS',
      'CHAINS',
      'COMMANDS_PER_CHAT',
      'COMMANDS_PER_PERSON',
      'DATABASE_URL',
      'DISCORD_API_ROOT',
      'DISCORD_TOKEN',
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'TELEGRAM_API_ROOT',
      'TELEGRAM_TOKEN',
    ].sort(),
  )
})
