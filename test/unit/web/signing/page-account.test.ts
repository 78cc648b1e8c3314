import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../../../sandbox/browser.ts'
import { other, wallet } from './payload.ts'
import { type Site, startSite } from './site.ts'
import { connected, withTableWallet } from './table-wallet.ts'
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

const third = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

async function withOther(more = {}) {
  const token = site.add()
  const page = await visits.open('about:blank', withTableWallet(connected(other, more)))
  await page.clock.install()
  await page.goto(`${site.url}/s/${token}`)
  await page.getByRole('button', { name: 'Table wallet' }).click()
  await stage(page, 'This is another account')
  return { page, token }
}

const ask = (page: Page) => page.getByRole('button', { name: 'Ask for permission' }).click()
const inAMinute = () => Math.floor(Date.now() / 1000) + 60

test('another account is shown beside the one of the draft, each once and whole', async () => {
  const { page } = await withOther()
  const text = await page.locator('#steps').innerText()
  for (const account of [wallet, other]) expect(text.split(account)).toHaveLength(2)
  expect(await page.locator('#steps b').allInnerTexts()).toEqual(['f39F', '2266', '7099', '79C8'])
  expect(await page.getByRole('button', { name: 'Sign' }).count()).toBe(0)
})

test('another account can be switched in the wallet', async () => {
  const { page } = await withOther({ wallet_requestPermissions: { result: [] } })
  await page.evaluate(`tables[0].eth_requestAccounts = { result: ['${wallet.toLowerCase()}'] }`)
  await page.getByRole('button', { name: 'Switch account' }).click()
  await stage(page, 'Ready to sign')
  const asked = await page.evaluate('asked.map(({ method }) => method)')
  expect(asked).toContain('wallet_requestPermissions')
})

test('another account may sign once the launcher allows it in the private chat', async () => {
  const { page, token } = await withOther()
  await ask(page)
  await stage(page, 'Waiting for the launcher')
  await page.getByText('asked in the private chat with the bot').waitFor()
  expect(site.signingService.claims.at(-1)).toEqual({ token, account: other })
  site.signingService.answer(token, other, 'allowed')
  await page.clock.runFor(3_000)
  await stage(page, 'Ready to sign')
})

test('an account that the launcher gets no message about says how they can allow it', async () => {
  const { page, token } = await withOther()
  await ask(page)
  await stage(page, 'Waiting for the launcher')
  site.signingService.answer(token, other, 'waiting')
  await page.clock.runFor(3_000)
  await page.getByText('sends no message about this one').waitFor()
  await stage(page, 'Waiting for the launcher')
  site.signingService.answer(token, other, 'allowed')
  await page.clock.runFor(3_000)
  await stage(page, 'Ready to sign')
})

test('while the launcher is waited for, the page shows that it looks, and looks often for a minute', async () => {
  const { page } = await withOther()
  await ask(page)
  await stage(page, 'Waiting for the launcher')
  await page.getByText('Looking for the answer').waitFor()
  let looks = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/progress')) looks += 1
  })
  for (let times = 1; times <= 10; times += 1) {
    const looked = page.waitForResponse('**/progress')
    await page.clock.runFor(1_600)
    await looked
  }
  // One may have been under way before they were counted.
  expect(looks).toBeGreaterThanOrEqual(9)
  expect(looks).toBeLessThan(14)
})

test('an account that was allowed may sign, whoever asks after it', async () => {
  const { page, token } = await withOther()
  await ask(page)
  await stage(page, 'Waiting for the launcher')
  site.signingService.answer(token, other, 'allowed')
  site.signingService.answer(token, third, 'asked')
  await page.clock.runFor(3_000)
  await stage(page, 'Ready to sign')
  await page.evaluate(`tables[0].eth_sendTransaction = { result: '0x${'ab'.repeat(32)}' }`)
  await page.getByRole('button', { name: 'Sign and launch' }).click()
  await stage(page, 'Sent')
})

test('a permission that is taken back just before says that nothing was sent', async () => {
  const { page, token } = await withOther()
  await ask(page)
  site.signingService.answer(token, other, 'allowed')
  await page.clock.runFor(3_000)
  await stage(page, 'Ready to sign')
  site.signingService.answer(token, other, 'refused')
  await page.getByRole('button', { name: 'Sign and launch' }).click()
  await stage(page, 'The launcher said no')
  await page.locator('#notice', { hasText: 'Nothing was sent' }).waitFor()
})

test('an account that was refused by mistake can be asked about again, but not at once', async () => {
  const { page, token } = await withOther()
  await ask(page)
  await stage(page, 'Waiting for the launcher')
  site.signingService.answer(token, other, 'refused', inAMinute())
  await page.clock.runFor(3_000)
  await stage(page, 'The launcher said no')
  const again = page.getByRole('button', { name: 'Ask again' })
  await again.click()
  await page.locator('#notice', { hasText: 'The launcher was asked a moment ago' }).waitFor()
  site.signingService.answer(token, other, 'refused', inAMinute() - 120)
  await again.click()
  await stage(page, 'Waiting for the launcher')
  site.signingService.answer(token, other, 'allowed')
  await page.clock.runFor(3_000)
  await stage(page, 'Ready to sign')
})

test('an account that was asked about too often can’t be asked about again', async () => {
  const { page, token } = await withOther()
  await ask(page)
  await stage(page, 'Waiting for the launcher')
  site.signingService.answer(token, other, 'refused')
  await page.clock.runFor(3_000)
  await stage(page, 'The launcher said no')
  await page.getByText('is not asked again').waitFor()
  expect(await page.getByRole('button', { name: /^Ask/u }).count()).toBe(0)
})

test('the account that was allowed is not the one of a wallet that goes to a third', async () => {
  const { page, token } = await withOther()
  await ask(page)
  site.signingService.answer(token, other, 'allowed')
  await page.clock.runFor(3_000)
  await stage(page, 'Ready to sign')
  await page.evaluate(`emit('accountsChanged', ['${third}'])`)
  await stage(page, 'This is another account')
})
