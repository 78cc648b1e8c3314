import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { launchCalldata, requestFor, wallet } from '../unit/web/signing/payload.ts'
import { type Site, startSite } from '../unit/web/signing/site.ts'
import { connected, withTableWallet } from '../unit/web/signing/table-wallet.ts'
import { stage, Visits } from '../unit/web/signing/visit.ts'

let site: Site
let browser: Browser
let visits: Visits

beforeAll(async () => {
  ;[site, browser] = await Promise.all([startSite(), launchBrowser()])
  visits = new Visits(browser)
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})
afterEach(() => visits.end())

const hash = `0x${'ab'.repeat(32)}`

/** As in a page over plain http. */
const withoutLocks = `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`

const browsers: [name: string, prepare: (context: BrowserContext) => Promise<unknown>][] = [
  ['with locks', async () => undefined],
  ['without locks', (context) => context.addInitScript({ content: withoutLocks })],
]

/** Two tabs of one link, with a wallet whose window stays open. */
async function twoTabs(prepare: (context: BrowserContext) => Promise<unknown>) {
  const url = `${site.url}/s/${site.add()}`
  const first = await visits.open(url, async (context) => {
    await prepare(context)
    await withTableWallet(connected(wallet))(context)
  })
  const second = await first.context().newPage()
  visits.hear(second)
  await second.goto(url)
  for (const page of [first, second]) {
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Ready to sign')
  }
  return { first, second }
}

const sign = (page: Page) => page.getByRole('button', { name: 'Sign and launch' })

/** How often the wallet was asked to send from this tab. */
function asked(page: Page): Promise<number> {
  return page.evaluate(
    `window.asked.filter(({ method }) => method === 'eth_sendTransaction').length`,
  )
}

const busy = (page: Page) =>
  page.locator('#notice', { hasText: 'Another tab is asking your wallet' }).waitFor()

describe.each(browsers)('in a browser %s', (_, prepare) => {
  test('the second tab does not ask the wallet while the first one does', async () => {
    const { first, second } = await twoTabs(prepare)
    await sign(first).click()
    await expect.poll(() => asked(first)).toBe(1)
    await sign(second).click()
    await busy(second)
    expect(await asked(second)).toBe(0)
  })

  test('it asks once the first one was refused', async () => {
    const { first, second } = await twoTabs(prepare)
    const refusal = { error: { code: 4001, message: 'no' } }
    await first.evaluate(`window.tables[0].eth_sendTransaction = ${JSON.stringify(refusal)}`)
    await sign(first).click()
    await first.locator('#notice', { hasText: 'You refused in the wallet' }).waitFor()
    await sign(second).click()
    await expect.poll(() => asked(second)).toBe(1)
  })

  test('it asks once the first one is closed', async () => {
    const { first, second } = await twoTabs(prepare)
    await sign(first).click()
    await expect.poll(() => asked(first)).toBe(1)
    await Promise.all([first.waitForEvent('close'), first.close({ runBeforeUnload: true })])
    const pressed = async () => {
      // The browser may take a moment to notice.
      if ((await sign(second).count()) > 0) await sign(second).click()
      return asked(second)
    }
    await expect.poll(pressed).toBe(1)
  })

  test('it does not ask after the first one has sent, also while the bot was not told of it', async () => {
    const { first, second } = await twoTabs(prepare)
    const { promise: told, resolve: tell } = Promise.withResolvers<void>()
    await first.route('**/report', async (route) => {
      await told
      await route.continue()
    })
    await first.evaluate(`window.tables[0].eth_sendTransaction = { result: '${hash}' }`)
    await sign(first).click()
    await stage(first, 'Sent')
    await sign(second).click()
    await busy(second)
    tell()
    await expect.poll(() => site.signingService.reports.at(-1)?.hash).toBe(hash)
    await second.reload()
    await stage(second, 'Sent')
    expect(await asked(second)).toBe(0)
  })

  test('tabs of other links go on', async () => {
    const { first } = await twoTabs(prepare)
    await sign(first).click()
    await expect.poll(() => asked(first)).toBe(1)
    const other = await first.context().newPage()
    visits.hear(other)
    await other.goto(`${site.url}/s/${site.add(await requestFor(launchCalldata()))}`)
    await other.getByRole('button', { name: 'Table wallet' }).click()
    await sign(other).click()
    await expect.poll(() => asked(other)).toBe(1)
  })
})
