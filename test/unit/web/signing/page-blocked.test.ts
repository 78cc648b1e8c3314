import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../../../sandbox/browser.ts'
import { wallet } from './payload.ts'
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
afterEach(() => {
  site.signingService.fault = undefined
  return visits.end()
})

const hash = `0x${'ab'.repeat(32)}` as const
const failed = {
  kind: 'failed',
  reason: 'a contract already stands at the token’s address',
} as const
const passed = { kind: 'passed', gas: '21000' } as const

async function open(token: string): Promise<Page> {
  const table = connected(wallet, { eth_sendTransaction: { result: hash } })
  const page = await visits.open('about:blank', withTableWallet(table))
  await page.clock.install()
  await page.goto(`${site.url}/s/${token}`)
  return page
}

async function ready(token: string): Promise<Page> {
  const page = await open(token)
  await page.getByRole('button', { name: 'Table wallet' }).click()
  await stage(page, 'Ready to sign')
  return page
}

function simulates(token: string, simulation: typeof failed | typeof passed): void {
  const entry = site.signingService.entries.get(token)
  if (entry) entry.request = { ...entry.request, simulation }
}

const sign = (page: Page) => page.getByRole('button', { name: 'Sign and launch' })
const sent = (page: Page) =>
  page.evaluate(`asked.filter(({ method }) => method === 'eth_sendTransaction').length`)

describe('a launch that would fail now', () => {
  test('can’t be signed, says why, and goes on once it would not fail any more', async () => {
    const token = site.add({ simulation: failed })
    const page = await open(token)
    await stage(page, 'It would fail now')
    await page.locator('#steps', { hasText: failed.reason }).waitFor()
    await page.locator('#summary', { hasText: `failed: ${failed.reason}` }).waitFor()
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Check again'])
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('button', { name: 'Check again' }).waitFor()
    await stage(page, 'It would fail now')
    simulates(token, passed)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Ready to sign')
    await page.locator('#summary', { hasText: 'The chain would take it now' }).waitFor()
  })

  test('is noticed when Sign is pressed, and nothing is sent', async () => {
    const token = site.add()
    const page = await ready(token)
    simulates(token, failed)
    await sign(page).click()
    await stage(page, 'It would fail now')
    await page.locator('#notice', { hasText: 'Nothing was sent' }).waitFor()
    expect(await sent(page)).toBe(0)
    simulates(token, passed)
    await page.getByRole('button', { name: 'Check again' }).click()
    await sign(page).click()
    await stage(page, 'Sent')
  })

  test('says so when the bot can’t check again', async () => {
    const token = site.add({ simulation: failed })
    const page = await open(token)
    await stage(page, 'It would fail now')
    site.signingService.fault = new Error('down')
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.locator('#notice', { hasText: 'could not be reached' }).waitFor()
    site.signingService.fault = undefined
    await stage(page, 'It would fail now')
  })
})

describe('a link that the bot does not know any more', () => {
  test('ends an open page by itself, with the way back to the chat', async () => {
    const token = site.add()
    const page = await ready(token)
    site.signingService.entries.delete(token)
    await page.clock.runFor(25_000)
    await stage(page, 'This link was replaced or revoked')
    await page.getByText('Go back to the chat').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  })

  test('is noticed when Sign is pressed, and nothing is sent', async () => {
    const token = site.add()
    const page = await ready(token)
    site.signingService.entries.delete(token)
    await sign(page).click()
    await stage(page, 'This link was replaced or revoked')
    expect(await sent(page)).toBe(0)
  })

  test('does not lose sight of what was sent with it', async () => {
    const token = site.add()
    const page = await ready(token)
    await sign(page).click()
    await stage(page, 'Sent')
    site.signingService.entries.delete(token)
    await page.clock.runFor(25_000)
    await stage(page, 'Sent')
    await page.evaluate(
      `tables[0].eth_getTransactionReceipt = { result: { status: '0x0', logs: [] } }`,
    )
    await page.clock.runFor(25_000)
    await stage(page, 'The chain refused it')
  })
})

test('on a phone a line at the top says how it stands and leads to the panel, by touch and by keyboard', async () => {
  const token = site.add()
  const options = { viewport: { width: 390, height: 800 } }
  const bare = await visits.open(`${site.url}/s/${token}`, undefined, options)
  await bare.getByText('No wallet here').waitFor()
  const way = bare.getByRole('link', { name: 'See what to do' })
  await way.click()
  await bare.waitForFunction('document.activeElement.id === "panel-title"')
  await bare.waitForFunction('document.querySelector("#panel").getBoundingClientRect().top < 90')
  const page = await visits.open(
    `${site.url}/s/${token}`,
    withTableWallet(connected(wallet)),
    options,
  )
  await page.locator('#way', { hasText: 'Connect your wallet' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForFunction('document.activeElement.id === "panel-title"')
  await page.keyboard.press('Tab')
  await page.waitForFunction('document.activeElement.dataset.action === "wallet-0"')
  expect(page.url()).toBe(`${site.url}/s/${token}`)
})
