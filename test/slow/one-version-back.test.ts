import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LaunchHarness, startLaunchHarness } from '../e2e/launch-harness.ts'
import { TelegramUser } from '../e2e/users.ts'
import { lastRelease, restore } from '../releases/release.ts'

let folder: string
let harness: LaunchHarness
let ada: TelegramUser
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-release-'))
  const file = join(folder, 'gavel.db')
  await restore(file, await lastRelease(), Math.floor(Date.now() / 1000))
  harness = await startLaunchHarness({ DATABASE_URL: `file:${file}` })
  ada = new TelegramUser(harness)
})
afterAll(async () => {
  await harness?.stopAll()
  await rm(folder, { recursive: true, force: true })
})

test('the bot goes on where the last release was stopped', async () => {
  await ada.says('0.5')
  await ada.sees('Alert added', 'Paper Lantern')
  await ada.says('/alerts')
  await ada.sees('goes live', 'Paper Lantern')
  await ada.says('/watchlist')
  await ada.sees('LANTERN')
  await ada.says('/launches')
  await ada.sees('Half Otter', 'draft', 'Crash SIGNME', 'waiting for your signature')
  await ada.says('/launch')
  await ada.sees('Continuing your launch', 'Template')
  await ada.says('/settings quiet:off')
  await ada.hears('Waiting Otter')
  expect(harness.output()).not.toContain('"level":"error"')
})
