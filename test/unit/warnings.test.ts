import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { readableByOthers, retiredSettings, unencrypted } from '../../src/warnings.ts'
import { needed } from '../settings.ts'

async function warned(env: Record<string, string>): Promise<string[]> {
  const warnings = unencrypted(await readConfig({ ...needed, ...env }))
  for (const { setting, text } of warnings) expect(text.startsWith(`${setting}: `)).toBe(true)
  return warnings.map(({ text }) => text)
}

test('a setting that a version before had is said to be none any more, if it has a value', () => {
  const [warning, ...more] = retiredSettings({ DISCORD_INTERACTIONS: 'http', DISCORD_TOKEN: 'x' })
  expect(more).toEqual([])
  expect(warning).toMatchObject({
    setting: 'DISCORD_INTERACTIONS',
    text: expect.stringContaining('Remove it.'),
  })
  expect(retiredSettings({ DISCORD_INTERACTIONS: ' ' })).toEqual([])
})

describe('http:// to a remote host', () => {
  test.each([
    ['API_BASE_URL', 'http://api.example.org/v1', 'your API key'],
    ['API_BASE_URL', 'http://203.0.113.5/v1', 'your API key'],
    ['API_BASE_URL', 'http://[2001:4860::1]/v1', 'your API key'],
    ['TELEGRAM_API_ROOT', 'http://telegram.example.org', 'the bot’s token'],
    ['DISCORD_API_ROOT', 'http://discord.example.org/api', 'the bot’s token'],
    ['IPFS_API_URL', 'http://me:secret-word@ipfs.example.org:5001', 'its password'],
    ['HTTPS_PROXY', 'http://me:secret-word@proxy.example.org:3128', 'its password'],
    ['HTTP_PROXY', 'http://me:secret-word@proxy.example.org:3128', 'its password'],
    [
      'RPC_URLS',
      '{"8453":"http://rpc.example.org/v2/secret-word-of-32-characters"}',
      'chain 8453’s',
    ],
    ['RPC_URLS', '{"8453":"http://rpc.example.org/?apikey=secret-word"}', 'chain 8453’s'],
  ])('%s=%s warns of a secret, and does not repeat it', async (name, value, what) => {
    const [text = '', ...more] = await warned({ DISCORD_TOKEN: 'discord.token-x', [name]: value })
    expect(more).toEqual([])
    expect(text).toContain(what)
    expect(text).toContain('Use https://.')
    expect(text).not.toContain('secret')
  })

  test('warns of the token for Pinata', async () => {
    const PINATA_JWT = 'a.json.web-token-that-is-long'
    expect(await warned({ PINATA_JWT, PINATA_API_ROOT: 'http://pinata.example.org' })).toEqual([
      expect.stringContaining('PINATA_API_ROOT: your token for Pinata'),
    ])
    expect(await warned({ PINATA_JWT })).toEqual([])
  })

  test.each([
    ['IPFS_API_URL', 'http://ipfs.example.org:5001'],
    ['RPC_URLS', '{"8453":"http://rpc.example.org/base"}'],
  ])('%s=%s sends nothing secret', async (name, value) => {
    expect(await warned({ [name]: value })).toEqual([])
  })
})

test.each([
  'https://api.example.org/v1',
  'http://localhost:8081/v1',
  'http://127.0.0.1:8081/v1',
  'http://[::1]:8081/v1',
  'http://0.0.0.0:8081/v1',
  'http://10.1.2.3/v1',
  'http://192.168.1.2/v1',
  'http://172.20.0.3/v1',
  'http://100.64.3.4/v1',
  'http://[fd00::5]/v1',
  'http://api:8081/v1',
  'http://api.local/v1',
  'http://api.internal/v1',
  'http://api.gavel.svc/v1',
])('%s stays on this machine or its own network, or is encrypted', async (url) => {
  expect(await warned({ API_BASE_URL: url })).toEqual([])
})

describe('files that other users of this machine can read', () => {
  let folder: string
  let database: string
  let env: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gavel-warnings-'))
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'data'))
    database = join(folder, 'data', 'gavel.db')
    env = join(folder, '.env')
    for (const file of [database, env]) await writeFile(file, '')
    await modes(0o700, 0o600, 0o600)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function modes(ofFolder: number, ofDatabase: number, ofEnv: number): Promise<void> {
    await chmod(join(folder, 'data'), ofFolder)
    await chmod(database, ofDatabase)
    await chmod(env, ofEnv)
  }

  const warned = (arg = `--env-file-if-exists=${env}`) =>
    readableByOthers(database, ['--enable-source-maps', arg]).map(({ text }) => text)

  test('are named one by one, with what to do', async () => {
    await modes(0o755, 0o644, 0o644)
    const texts = [database, env].map(
      (file) => `other users of this machine can read ${file}: chmod o-rwx ${file}`,
    )
    expect(warned()).toEqual(texts)
    expect(warned(`--env-file=${env}`)).toEqual(texts)
    expect(warned('--no-warnings')).toEqual(texts.slice(0, 1))
  })

  test('are none that are for this user or its group alone, or in a folder that is', async () => {
    expect(warned()).toEqual([])
    await modes(0o755, 0o660, 0o640)
    expect(warned()).toEqual([])
    await modes(0o700, 0o644, 0o600)
    expect(warned()).toEqual([])
    await modes(0o755, 0o644, 0o644)
    await chmod(folder, 0o750)
    expect(warned()).toEqual([])
  })

  test('are none that are not there, nor a database on PostgreSQL', async () => {
    await rm(env)
    expect(warned()).toEqual([])
    expect(readableByOthers('postgres://gavel@host/gavel', [])).toEqual([])
    expect(readableByOthers(':memory:', [])).toEqual([])
  })
})
