import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { startHarness } from '../e2e/harness.ts'
import { TelegramUser } from '../e2e/users.ts'

test('what the image runs also runs on PostgreSQL, as two replicas', async ({ onTestFinished }) => {
  execFileSync(process.execPath, ['bundle.ts'], { stdio: 'inherit' })
  const harness = await startHarness({ program: 'dist/main.js', replicas: { count: 2 } })
  onTestFinished(() => harness.stop())
  const ada = new TelegramUser(harness)
  await ada.says(`/asset ${showcaseAddresses.moonOtter}`)
  await ada.sees('Moon Otter')
  expect(harness.output()).not.toContain('a warning from Node.js')
})
