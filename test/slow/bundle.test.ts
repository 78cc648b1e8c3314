import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { sandboxTemplates } from '../../sandbox/templates-setting.ts'
import { page } from '../e2e/bot-pages.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'
import { freePort } from '../free-port.ts'

const program = 'dist/main.js'

beforeAll(() => {
  execFileSync(process.execPath, ['bundle.ts'], { stdio: 'inherit' })
})

function hasPhoto({ telegram }: Harness): boolean {
  const messages = telegram.api.world.places.get(telegramCast.ada.id)?.messages.values() ?? []
  return [...messages].some(({ message }) => message.photo)
}

test('what the image runs answers on both platforms, draws cards, has the signing page and makes backups', async ({
  onTestFinished,
}) => {
  const port = await freePort()
  const backups = await mkdtemp(join(tmpdir(), 'gavel-bundle-'))
  onTestFinished(() => rm(backups, { recursive: true }))
  const harness = await startHarness({
    program,
    env: {
      CARDS: 'on',
      BACKUP_DIR: backups,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TEMPLATES: JSON.stringify(sandboxTemplates),
      RPC_URLS: '{"8453":"http://127.0.0.1:9"}',
    },
  })
  onTestFinished(() => harness.stop())
  const ada = new TelegramUser(harness)
  // A busy machine may miss the time for a picture: then the next card has it.
  await vi.waitFor(
    async () => {
      await ada.says(`/asset ${showcaseAddresses.moonOtter}`)
      await ada.sees('Moon Otter')
      expect(hasPhoto(harness)).toBe(true)
    },
    { timeout: 40_000, interval: 1_000 },
  )
  await ada.says('/launch')
  await ada.sees('Template')
  const ben = new DiscordUser(harness)
  await ben.says(`/asset ${showcaseAddresses.moonOtter}`)
  await ben.sees('Moon Otter')
  expect((await page(harness, `/s/${'x'.repeat(32)}`)).text).toMatch(/main-[0-9a-f]{16}\.js/u)
  const { parts } = JSON.parse((await page(harness, '/healthz')).text)
  expect(parts.backup).toEqual({ state: 'ok', age: expect.any(Number) })
  expect(await readdir(backups)).toEqual([expect.stringMatching(/^gavel-\d{8}T\d{6}Z\.db$/u)])
  expect(harness.output()).not.toContain('a warning from Node.js')
  expect((await harness.bot.stop()).code).toBe(0)
})
