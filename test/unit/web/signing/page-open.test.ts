import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../../../sandbox/browser.ts'
import type { SigningRequest } from '../../../../src/launch/signing-wire.ts'
import { other, signingRequest, wallet } from './payload.ts'
import { type Site, startSite } from './site.ts'
import { type Answers, connected, withTableWallet } from './table-wallet.ts'
import { stage, Visits } from './visit.ts'

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

const hash = `0x${'ab'.repeat(32)}` as const
const accepted = { eth_sendTransaction: { result: hash } }

async function ready(more: Answers = {}, request: Partial<SigningRequest> = {}) {
  const token = site.add(request)
  const page = await visits.open('about:blank', withTableWallet(connected(wallet, more)))
  await page.clock.install()
  await page.goto(`${site.url}/s/${token}`)
  await page.getByRole('button', { name: 'Table wallet' }).click()
  await stage(page, 'Ready to sign')
  return { page, token }
}

const sign = (page: Page) => page.getByRole('button', { name: 'Sign and launch' }).click()
const sent = (page: Page) =>
  page.evaluate(
    `asked.filter(({ method }) => method === 'eth_sendTransaction').map(({ params }) => params[0])`,
  )

test('what is sent is the stored payload, from the account, without value', async () => {
  const request = signingRequest()
  const { page, token } = await ready(accepted, request)
  await sign(page)
  await stage(page, 'Sent')
  const { to, data } = request
  expect(await sent(page)).toEqual([{ from: wallet, to, data, value: '0x0', chainId: '0x14a34' }])
  expect(site.signingService.reports.filter((each) => each.token === token)).toEqual([
    { token, account: wallet, hash },
  ])
})

test('nothing in the page’s address changes what is sent', async () => {
  const request = signingRequest()
  const token = site.add(request)
  const query = `?to=${other}&data=0x00&value=1#data=0x00`
  const page = await visits.open(
    `${site.url}/s/${token}${query}`,
    withTableWallet(connected(wallet, accepted)),
  )
  await page.getByRole('button', { name: 'Table wallet' }).click()
  await sign(page)
  await stage(page, 'Sent')
  expect(await sent(page)).toEqual([
    expect.objectContaining({ to: request.to, data: request.data }),
  ])
})

describe('before it is sent', () => {
  test.each(['revoked', 'expired', 'launched'] as const)(
    'a link that is %s meanwhile stops it',
    async (state) => {
      const { page, token } = await ready(accepted)
      site.signingService.close(token, { state })
      await sign(page)
      await stage(page, new RegExp(state, 'iu'))
      expect(await sent(page)).toEqual([])
    },
  )

  test('a transaction that another tab sent stops it', async () => {
    const { page, token } = await ready(accepted)
    site.signingService.change(token, { transaction: { hash, state: 'pending' } })
    await sign(page)
    await stage(page, 'Sent')
    expect(await sent(page)).toEqual([])
  })

  test('an account that changed without a word stops it', async () => {
    const { page } = await ready(accepted)
    await page.evaluate(`tables[0].eth_accounts = { result: ['${other}'] }`)
    await sign(page)
    await stage(page, 'This is another account')
    expect(await sent(page)).toEqual([])
  })

  test('a chain that changed without a word stops it', async () => {
    const { page } = await ready(accepted)
    await page.evaluate(`tables[0].eth_chainId = { result: '0x1' }`)
    await sign(page)
    await stage(page, 'Switch to Base Sepolia')
    expect(await sent(page)).toEqual([])
  })

  test('a bot that does not answer stops it, and it works when it does again', async () => {
    const { page } = await ready(accepted)
    site.signingService.fault = new Error('down')
    await sign(page)
    await page
      .locator('#notice', { hasText: 'could not be reached, and nothing was sent' })
      .waitFor()
    expect(await sent(page)).toEqual([])
    site.signingService.fault = undefined
    await sign(page)
    await stage(page, 'Sent')
  })
})

describe('what the wallet answers', () => {
  test.each<[string, { result?: unknown; error?: { code: number; message: string } }, string]>([
    [
      'that it is still asking',
      { error: { code: -32002, message: 'pending' } },
      'still waiting for an earlier answer',
    ],
    ['that it has no connection', { error: { code: 4900, message: 'off' } }, 'no connection'],
    ['no hash', { result: 'done' }, 'named no transaction'],
    [
      'something hostile',
      { error: { code: 1, message: `<b>\u202eSend</b>${' all'.repeat(200)}` } },
      'It says: “<b>Send</b> all all',
    ],
    ['nothing but a code', { error: { code: 1, message: '' } }, 'gave no reason'],
    [
      'its node’s words',
      { error: { code: -32603, message: 'insufficient funds for gas' } },
      'not enough ETH',
    ],
  ])('%s is told in words', async (_, answer, words) => {
    const { page } = await ready({ eth_sendTransaction: answer })
    await sign(page)
    await page.locator('#notice', { hasText: words }).waitFor()
    await page.getByRole('button', { name: 'Sign and launch' }).waitFor()
  })

  test('that the page may not see it any more leads back to connecting', async () => {
    const { page } = await ready({ eth_sendTransaction: { error: { code: 4100, message: '' } } })
    await sign(page)
    await stage(page, 'Connect your wallet')
  })

  test('a receipt in which the token was not created is no launch', async () => {
    const { page } = await ready({
      ...accepted,
      eth_getTransactionReceipt: { result: { status: '0x1', logs: [] } },
    })
    await sign(page)
    await stage(page, 'It launched nothing')
  })
})

describe('after it was sent', () => {
  test('a transaction that the wallet still knows is not missing', async () => {
    const { page } = await ready({ ...accepted, eth_getTransactionByHash: { result: { hash } } })
    await sign(page)
    await stage(page, 'Sent')
    await page.clock.runFor(200_000)
    await stage(page, 'Sent')
    await page.evaluate('tables[0].eth_getTransactionByHash = { result: null }')
    await page.clock.runFor(200_000)
    await stage(page, 'not to be found')
  })

  test('a reload goes on with the same transaction', async () => {
    const { page, token } = await ready(accepted)
    await sign(page)
    await stage(page, 'Sent')
    await page.reload()
    await stage(page, 'Sent')
    await page.locator('#steps').getByText(hash).waitFor()
    site.signingService.close(token, { state: 'launched' })
    await page.clock.runFor(20_000)
    await stage(page, 'Launched')
  })

  test('the report is repeated until it gets through, also over a reload', async () => {
    const { page, token } = await ready(accepted)
    const reports = () => site.signingService.reports.filter((each) => each.token === token).length
    await page.context().route('**/report', (route) => route.abort())
    await sign(page)
    await stage(page, 'Sent')
    await page
      .locator('#notice', { hasText: 'The transaction is on its way all the same' })
      .waitFor()
    await page.reload()
    await stage(page, 'Sent')
    expect(reports()).toBe(0)
    await page.context().unroute('**/report')
    await page.clock.runFor(5_000)
    await expect.poll(reports).toBeGreaterThan(0)
    await page.locator('#notice').waitFor({ state: 'hidden' })
  })

  test('what the bot’s node says counts, also when the wallet does not answer', async () => {
    const { page, token } = await ready(accepted)
    await page.evaluate('delete tables[0].eth_getTransactionReceipt')
    await sign(page)
    await stage(page, 'Sent')
    site.signingService.change(token, { transaction: { hash, state: 'reverted' } })
    await page.clock.runFor(20_000)
    await stage(page, 'The chain refused it')
  })

  test('the link may expire without losing sight of the transaction', async () => {
    const { page, token } = await ready(accepted)
    await sign(page)
    await stage(page, 'Sent')
    site.signingService.close(token, { state: 'expired' })
    await page.clock.runFor(30_000)
    await stage(page, 'Sent')
    await page.reload()
    await stage(page, 'This link has expired')
    await page.getByText('What you sent before stays sent').waitFor()
    await page.locator('#steps').getByText(hash).waitFor()
  })

  test('a link that is revoked after a failed try is not signed again', async () => {
    const reverted = { eth_getTransactionReceipt: { result: { status: '0x0', logs: [] } } }
    const { page, token } = await ready({ ...accepted, ...reverted })
    await sign(page)
    await stage(page, 'The chain refused it')
    await page.getByRole('button', { name: 'Try again' }).click()
    await stage(page, 'Ready to sign')
    // Of a link under which something was sent, the bot tells the progress after its end, too.
    const progress = await (await fetch(`${site.url}/s/${token}/progress`)).text()
    await page.route('**/progress', (route) => route.fulfill({ body: progress }))
    site.signingService.close(token, { state: 'revoked' })
    await sign(page)
    await stage(page, 'This link was revoked')
    expect(await sent(page)).toHaveLength(1)
  })
})

describe('while it is open', () => {
  test('the link’s time is counted down, and ends what can be done, also without the bot', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 200
    const { page } = await ready(accepted, { expiresAt })
    expect(await page.locator('#expiry').innerText()).toMatch(/Link expires in [23]:\d\d/u)
    await page.route('**/progress', (route) => route.abort())
    await page.clock.runFor(210_000)
    await stage(page, 'This link has expired')
    expect(await page.getByRole('button').count()).toBe(0)
  })

  test('a revoked link is noticed', async () => {
    const { page, token } = await ready()
    site.signingService.close(token, { state: 'revoked' })
    await page.clock.runFor(25_000)
    await stage(page, 'This link was revoked')
  })

  test('a bot that goes away and comes back is told in passing', async () => {
    const { page } = await ready()
    site.signingService.fault = new Error('down')
    await page.clock.runFor(25_000)
    await page.locator('#notice', { hasText: 'can’t be reached at the moment' }).waitFor()
    site.signingService.fault = undefined
    await page.clock.runFor(25_000)
    await page.locator('#notice').waitFor({ state: 'hidden' })
  })

  test('a page that nobody sees asks for nothing', async () => {
    const { page } = await ready()
    await page.evaluate(`{
      Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.clock.runFor(120_000)
    expect(asked).toEqual([])
    // A look that is under way when the page goes out of sight is the last one.
    const looked = page.waitForResponse('**/progress')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await looked
    await page.clock.runFor(120_000)
    expect(asked).toHaveLength(1)
  })
})
