import type { Browser, Page } from 'playwright-core'
import { createWalletClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from '../../sandbox/browser.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { type LaunchHarness, startLaunchHarness } from '../e2e/launch-harness.ts'
import { connects, opensLink, reviewed, signs } from '../e2e/launch-steps.ts'
import { TelegramUser } from '../e2e/users.ts'

let harness: LaunchHarness
let browser: Browser
let guests = 600_000
beforeAll(async () => {
  ;[harness, browser] = await Promise.all([startLaunchHarness(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await harness?.stopAll()
})

async function readyToSign(symbol: string): Promise<TelegramUser> {
  // Somebody else each time: one person has one draft.
  const ada = new TelegramUser(harness, guests++)
  await reviewed(ada, harness, symbol)
  await ada.presses('Confirm')
  await ada.sees('Ready to sign', symbol)
  return ada
}

/** Waits until the page shows the transaction: it was sent. */
function sent(page: Page): Promise<void> {
  const shown = page.getByText(/^(?:Transaction|Launched)$/u).filter({ visible: true })
  return shown.first().waitFor()
}

const payload = z.object({
  to: z.templateLiteral(['0x', z.string()]),
  data: z.templateLiteral(['0x', z.string()]),
  chainId: z.number(),
})

// Side by side: they wait until the bot looks at the chain by itself.
describe.concurrent('a launch that the bot has to notice', { timeout: 60_000 }, () => {
  test('a payload that is sent from elsewhere, by another account, is noticed', async () => {
    const ada = await readyToSign('RAW')
    await ada.presses('Transaction data')
    await ada.sees('file')
    const { to, data, chainId } = payload.parse(
      JSON.parse(Buffer.from(ada.downloads('RAW-payload.json')).toString()),
    )
    expect(chainId).toBe(harness.chain.chainId)
    const account = harness.chain.accounts[3]?.address
    if (!account) throw new Error('the chain has too few accounts')
    const sender = createWalletClient({ account, transport: http(harness.chain.rpcUrl) })
    await sender.sendTransaction({ to, data, chain: null })
    await ada.hears('Launched', 'RAW')
  })

  test('is noticed though the tab was closed right after sending', async () => {
    const ada = await readyToSign('CLOSED')
    const page = await opensLink(ada, harness, browser)
    await connects(page)
    await signs(page)
    // The bot may notice the launch before the wallet has answered the page.
    await sent(page)
    await page.context().close()
    await ada.hears('Launched', 'CLOSED')
  })

  test('a launch that was begun in a group is announced there, if the launcher wants that', async () => {
    const { club, ada: person } = telegramCast
    const ada = new TelegramUser(harness, person.id, club.id)
    await reviewed(ada, harness, 'GROUP', async () => {
      await ada.says('/launch')
      await ada.sees('private')
      await ada.follows()
    })
    await ada.presses('🔕 Announce it there: off')
    await ada.sees('Review')
    await ada.presses('Confirm')
    await ada.sees('Ready to sign')
    const page = await opensLink(ada, harness, browser)
    await connects(page)
    await signs(page)
    await sent(page)
    await ada.hears('Launched', 'GROUP')
    const told = ({ text }: { text: string }) => text.includes('Crash GROUP')
    await harness.telegram.people.waitFor(club.id, told, { timeoutMs: 20_000 })
    // The group is one that she manages, and has heard of it: nothing is said there twice.
    await ada.presses('📣 Announce in…')
    await ada.sees('Announce Crash GROUP')
    await ada.presses(club.title)
    await ada.sees('with its buttons')
    await ada.presses('📣 Announce')
    await ada.sees('Announced in', club.title)
    expect(harness.telegram.people.messages(club.id).filter(told)).toHaveLength(1)
    await page.context().close()
  })
})

describe('before it is signed', () => {
  test('if another account wants to sign, the launcher is asked in the chat', async () => {
    const ada = await readyToSign('OTHER')
    const [, second] = harness.chain.accounts.map(({ address }) => address)
    const page = await opensLink(ada, harness, browser, { accounts: second ? [second] : [] })
    await connects(page)
    await page.getByRole('button', { name: 'Ask for permission' }).click()
    await ada.hears('Another wallet wants to sign', second ?? 'nobody')
    await ada.presses('Allow')
    await ada.sees('Allowed to sign')
    await signs(page)
    await ada.hears('Launched', 'OTHER')
    await page.context().close()
  })

  test('a revoked link says so, and what to do', async () => {
    const ada = await readyToSign('REVOKED')
    const page = await opensLink(ada, harness, browser)
    await page.getByRole('button', { name: 'Sandbox wallet' }).waitFor()
    await ada.presses('Cancel this launch…')
    await ada.sees('Cancel the launch of')
    await ada.presses('Cancel this launch')
    await ada.sees('Cancelled')
    await page.reload()
    await page.getByText('This launch was cancelled').first().waitFor()
    expect(await page.getByRole('button', { name: 'Sandbox wallet' }).count()).toBe(0)
    await ada.presses('Build again')
    await ada.sees('Review', 'REVOKED')
    await ada.presses('Confirm')
    await ada.sees('Ready to sign')
    await page.context().close()
  })

  test('Confirm pressed twice at once builds one payload', async () => {
    const ada = new TelegramUser(harness, guests++)
    await reviewed(ada, harness, 'TWICE')
    const built = () =>
      harness.apiServer.launches.built.filter(({ asked }) =>
        JSON.stringify(asked).includes('TWICE'),
      )
    await Promise.all([ada.presses('Confirm'), ada.presses('Confirm')])
    await expect.poll(() => built()).toHaveLength(1)
    await ada.sees('Ready to sign')
    expect(built()).toHaveLength(1)
  })
})
