import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { type LaunchHarness, startLaunchHarness } from './launch-harness.ts'
import { connects, opensLink, picture, signs } from './launch-steps.ts'
import { TelegramUser } from './users.ts'

let harness: LaunchHarness
let browser: Browser
beforeAll(async () => {
  const settings = { RPC_URLS: '{}', IPFS_API_URL: '' }
  ;[harness, browser] = await Promise.all([startLaunchHarness(settings), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await harness?.stopAll()
})

test('without a node and without an IPFS service people launch with a picture that is on IPFS, unsimulated', async () => {
  const ada = new TelegramUser(harness)
  await ada.says('/launch')
  await ada.sees('Template')
  await ada.presses('Standard')
  await ada.sees('Name')
  const [wallet] = harness.chain.accounts
  const answers = ['name: Bare Otter', 'symbol: BARE', `wallet: ${wallet?.address}`]
  await ada.says([...answers, 'fee receiver: wallet', 'description: none'].join('\n'))
  await ada.sees('Picture')
  await ada.sends(await picture())
  await ada.sees('Picture', 'CID')
  await ada.says('ipfs://bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
  for (const question of ['Links', 'Categories', 'Vesting', 'Beneficiaries']) {
    await ada.sees(question)
    await ada.presses('Skip')
  }
  await ada.sees('Review')
  await ada.presses('Confirm')
  await ada.sees('Ready to sign', 'Not rehearsed')
  const page = await opensLink(ada, harness, browser)
  await page.getByText('Not rehearsed on the chain').waitFor()
  await connects(page)
  await signs(page)
  await page.locator('#panel-title', { hasText: 'Launched' }).waitFor()
  // Only the interface can tell the bot here.
  await ada.hears('Launched', 'BARE')
  expect(harness.ipfs.added).toBe(0)
  await page.context().close()
})
