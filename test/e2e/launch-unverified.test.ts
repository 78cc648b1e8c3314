import type { Browser } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { moduleAt } from '../../sandbox/chain/modules.ts'
import { account, builds } from '../unit/launch/tampering.ts'
import { type LaunchHarness, startLaunchHarness } from './launch-harness.ts'
import { connects, opensLink, reviewed, signs } from './launch-steps.ts'
import { TelegramUser } from './users.ts'

// A data source that builds something else than what was confirmed, and says so in its own answer, too.

const thief: Address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
let harness: LaunchHarness
let browser: Browser
beforeAll(async () => {
  ;[harness, browser] = await Promise.all([startLaunchHarness(), launchBrowser()])
})
afterEach(() => {
  harness.upstream.launches.tamper = undefined
})
afterAll(async () => {
  await browser?.close()
  await harness?.stopAll()
})

function givesAway(): void {
  builds(harness, () => ({
    governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
    governanceFactoryData: account(thief),
  }))
}

test('a payload that gives the rest of the supply away is handed out after a second word alone, and marked in chat and page', async () => {
  const ada = new TelegramUser(harness)
  await reviewed(ada, harness, 'GIVEN')
  givesAway()
  await ada.presses('Confirm')
  const asked = await ada.sees('Not verified', 'Rest of the supply', '40%', '0x8617…070D')
  expect(asked).not.toContain('Ready to sign')
  expect(ada.controls().join()).not.toContain('Sign with your wallet')
  await ada.presses('Hand it out unverified')
  const handed = await ada.sees('Not verified: Crash GIVEN', 'Rest of the supply', '0x8617…070D')
  expect(handed).not.toContain('Ready to sign')
  const page = await opensLink(ada, harness, browser)
  const warning = page.locator('.warning', { hasText: 'Not verified' }).first()
  await warning.waitFor()
  expect(await page.locator('main').innerText()).toMatch(/0x8617E340.{0,40}070D|0x8617…070D/u)
  await connects(page)
  await signs(page)
  await ada.hears('Launched', 'GIVEN')
  await page.context().close()
})

test('the same draft is verified once the data source builds what was confirmed', async () => {
  const ada = new TelegramUser(harness)
  await reviewed(ada, harness, 'MENDED')
  givesAway()
  await ada.presses('Confirm')
  await ada.sees('Not verified', '0x8617…070D')
  harness.upstream.launches.tamper = undefined
  await ada.presses('Build again')
  await ada.sees('Review', 'MENDED')
  await ada.presses('Confirm')
  expect(await ada.sees('Ready to sign', 'MENDED')).not.toContain('0x8617')
})
