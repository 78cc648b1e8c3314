import type { Browser } from 'playwright-core'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { type LaunchHarness, startLaunchHarness } from './launch-harness.ts'
import { connects, opensLink, reviewed, signs } from './launch-steps.ts'
import { TelegramUser } from './users.ts'

const forwarder = '0x22e99278308B393ea1260859B181AD7E78f5eeED'
let harness: LaunchHarness
let browser: Browser
beforeAll(async () => {
  ;[harness, browser] = await Promise.all([startLaunchHarness({}, forwarder), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await harness?.stopAll()
})

test('where a launcher forwards to the Airlock, the transaction goes to the one and the launch is found at the other', async () => {
  const ada = new TelegramUser(harness)
  await reviewed(ada, harness, 'FORWARD')
  await ada.presses('Confirm')
  await ada.sees('Ready to sign', '0x22e9…eeED')
  const page = await opensLink(ada, harness, browser)
  await connects(page)
  await signs(page)
  await ada.hears('Launched', 'FORWARD')
  const client = createPublicClient({ transport: http(harness.chain.rpcUrl) })
  const { transactions } = await client.getBlock({ includeTransactions: true })
  expect(transactions.map(({ to }) => to)).toEqual([forwarder.toLowerCase()])
  await page.context().close()
})
