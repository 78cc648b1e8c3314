import type { Browser } from 'playwright-core'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { startLaunchHarness } from '../e2e/launch-harness.ts'
import { connects, opensLink, picture, reviewed, signs } from '../e2e/launch-steps.ts'
import { TelegramUser } from '../e2e/users.ts'

const forwarder = '0x22e99278308B393ea1260859B181AD7E78f5eeED'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

// Each has a bot of its own, and they wait side by side.
describe.concurrent('with other settings', () => {
  test('without a node and an IPFS service a token is launched with a picture that the API takes, without a rehearsal', async ({
    onTestFinished,
  }) => {
    const harness = await startLaunchHarness({ RPC_URLS: '{}', IPFS_API_URL: '' })
    onTestFinished(() => harness.stopAll())
    const ada = new TelegramUser(harness)
    await ada.says('/launch')
    await ada.sees('Template')
    await ada.presses('Standard')
    await ada.sees('Name')
    const [wallet] = harness.chain.accounts
    const answers = ['name: Bare Otter', 'symbol: BARE', `wallet: ${wallet?.address}`]
    await ada.says([...answers, 'fee receiver: wallet', 'description: none'].join('\n'))
    await ada.sees('Logo')
    await ada.sends(await picture())
    await ada.sees('This is how your logo will look')
    await ada.presses('Use it')
    for (const question of ['Links', 'Categories', 'Vesting', 'Fee split']) {
      await ada.sees(question)
      await ada.presses('Skip')
    }
    await ada.sees('Review')
    await ada.presses('Confirm')
    await ada.sees('Ready to sign', 'Not simulated')
    const page = await opensLink(ada, harness, browser)
    await page.getByText('Not simulated on the chain').waitFor()
    await connects(page)
    await signs(page)
    await page.locator('#panel-title', { hasText: 'Launched' }).waitFor()
    // Only the API can tell the bot here.
    await ada.hears('Launched', 'BARE')
    expect(harness.ipfs.added).toBe(0)
    expect(harness.apiServer.launches.pictures).toHaveLength(1)
    await page.context().close()
  })

  test('if a launcher forwards to the Airlock, the transaction goes to the launcher and the launch is found at the Airlock', async ({
    onTestFinished,
  }) => {
    const harness = await startLaunchHarness({}, forwarder)
    onTestFinished(() => harness.stopAll())
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
})
