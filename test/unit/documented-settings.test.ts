import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig, secretsOf } from '../../src/config.ts'
import { settings } from '../../src/settings.ts'
import { defaultMessageLimits } from '../../src/telegram/platform.ts'
import { needed } from '../settings.ts'

const written = ['.env.example', 'docs/operating/settings.md']

test('.env.example and docs/operating/settings.md are what npm run settings writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gavel-settings-'))
  try {
    await promisify(execFile)(process.execPath, ['document-settings.ts', folder])
    for (const file of written) {
      expect(await readFile(file, 'utf8')).toBe(await readFile(join(folder, file), 'utf8'))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('Telegram’s limits by default are those that its adapter has by default', async () => {
  expect((await readConfig(needed)).telegram?.limits).toEqual(defaultMessageLimits)
})

test('the log strikes out what the table calls secret, and nothing else of the settings', async () => {
  const given: Record<string, string> = {
    ...needed,
    API_KEY: 'secret-of-API_KEY',
    TELEGRAM_TOKEN: '4242:secret-of-TELEGRAM_TOKEN',
    DISCORD_TOKEN: 'secret-of-DISCORD_TOKEN',
    DATABASE_URL: 'postgres://gavel:secret-of-DATABASE_URL@db.example.org/gavel',
    HTTPS_PROXY: 'http://gavel:secret-of-HTTPS_PROXY@proxy.example.org',
    HTTP_PROXY: 'http://gavel:secret-of-HTTP_PROXY@proxy.example.org',
    RPC_URLS: '{"8453":"https://node.example.org/secret-of-RPC_URLS"}',
  }
  const ipfs = [
    { IPFS_API_URL: 'https://kubo:secret-of-IPFS_API_URL@ipfs.example.org' },
    { PINATA_JWT: 'secret-of-PINATA_JWT' },
  ]
  const struck = (
    await Promise.all(ipfs.map(async (each) => secretsOf(await readConfig({ ...given, ...each }))))
  ).join(' ')
  const named = [...struck.matchAll(/secret-of-(?<name>[A-Z_]+)/gu)].map(
    ({ groups }) => groups?.name,
  )
  const secret = settings.flatMap(({ name, secret }) => (secret === undefined ? [] : [name]))
  expect([...new Set(named)].sort()).toEqual(secret.sort())
})
