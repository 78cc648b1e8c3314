import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { wallet } from '../unit/web/signing/payload.ts'
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

const at = (token: string) => `${site.url}/s/${token}`
const refusal = { error: { code: 4001, message: 'User rejected the request.' } }

describe('without a wallet', () => {
  test('it leads into the wallets of a phone, and to a QR code of this page', async () => {
    const url = at(site.add())
    const page = await visits.open(url)
    await stage(page, 'No wallet in this browser')
    const links = page.getByRole('link', { name: /^Open in/u })
    expect(await links.count()).toBe(5)
    const [first] = await links.all()
    expect(await first?.getAttribute('href')).toBe(
      `https://link.metamask.io/dapp/${url.replace('http://', '')}`,
    )
    await page.waitForFunction('document.querySelector("img.qr").naturalWidth > 0')
    await page.getByText('press Raw payload').waitFor()
  })

  test('the link can be copied', async () => {
    const url = at(site.add())
    const page = await visits.open(`${url}?from=chat#x`, (context) =>
      context.grantPermissions(['clipboard-read', 'clipboard-write']),
    )
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url)
  })

  test('the link is shown, selected, where the browser does not let it be copied', async () => {
    const url = at(site.add())
    const page = await visits.open(url, (context) =>
      context.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error())'),
    )
    await page.getByRole('button', { name: 'Copy link' }).click()
    const field = page.getByRole('textbox', { name: 'The link of this page' })
    await field.waitFor()
    expect(await field.inputValue()).toBe(url)
    expect(await page.evaluate('getSelection().toString()')).toBe(url)
  })

  test('a wallet that shows up late is found', async () => {
    const page = await visits.open(at(site.add()))
    await stage(page, 'No wallet')
    await page.evaluate(`dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: {
      info: { uuid: '1', name: 'Late', rdns: 'late', icon: '' }, provider: { request: async () => [] } } }))`)
    await page.getByRole('button', { name: 'Late' }).waitFor()
  })
})

describe('the wallets of the browser', () => {
  test('are listed by what they call themselves, as text, with pictures that are data only', async () => {
    const named = (name: string, icon: string) => ({
      info: { name, rdns: `of.${name.slice(0, 4)}`, icon },
      answers: {},
    })
    const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"/>'
    const page = await visits.open(
      at(site.add()),
      withTableWallet(
        named('<img src=x onerror=window.hit=1>', svg),
        named(`A\u202e${'very '.repeat(50)}long`, 'https://evil.example/track.png'),
        named('', 'javascript:window.hit=1'),
        { answers: {} },
      ),
    )
    const choices = page.locator('.choices').first().getByRole('button')
    await page.getByRole('button', { name: 'Browser wallet' }).waitFor()
    const names = await choices.locator('bdi').allInnerTexts()
    expect(names).toEqual([
      '<img src=x onerror=window.hit=1>',
      expect.stringMatching(/^Avery very [^\u202e]{1,35}…$/u),
      'Unnamed wallet',
      'Browser wallet',
    ])
    expect(await choices.locator('img').count()).toBe(1)
    expect(await page.evaluate('window.hit')).toBeUndefined()
  })

  test('are asked for nothing before one is pressed', async () => {
    const page = await visits.open(at(site.add()), withTableWallet(connected(wallet)))
    await page.getByRole('button', { name: 'Table wallet' }).waitFor()
    expect(await page.evaluate('window.asked')).toEqual([])
  })
})

describe('connecting', () => {
  test('that is refused can be tried again', async () => {
    const table = connected(wallet, { eth_requestAccounts: refusal })
    const page = await visits.open(at(site.add()), withTableWallet(table))
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await page.locator('#notice', { hasText: 'You refused in the wallet' }).waitFor()
    await page.evaluate(`tables[0].eth_requestAccounts = { result: ['${wallet}'] }`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await stage(page, 'Ready to sign')
    expect(await page.locator('#notice').isHidden()).toBe(true)
  })

  test('while the wallet is waiting for an earlier answer says so', async () => {
    const pending = { error: { code: -32002, message: 'Request already pending.' } }
    const table = connected(wallet, { eth_requestAccounts: pending })
    const page = await visits.open(at(site.add()), withTableWallet(table))
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await page.locator('#notice', { hasText: 'still waiting for an earlier answer' }).waitFor()
  })

  test('is over when the wallet disconnects, and can be done again', async () => {
    const page = await visits.open(at(site.add()), withTableWallet(connected(wallet)))
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Ready to sign')
    await page.evaluate(`emit('accountsChanged', [])`)
    await stage(page, 'not connected')
    await page.getByRole('button', { name: 'Use another wallet' }).click()
    await stage(page, 'Connect your wallet')
  })

  test('is kept over a reload without asking', async () => {
    const page = await visits.open(at(site.add()), withTableWallet(connected(wallet)))
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Ready to sign')
    await page.reload()
    await stage(page, 'Ready to sign')
    expect(
      await page.evaluate(`asked.some(({ method }) => method === 'eth_requestAccounts')`),
    ).toBe(false)
  })
})

describe('another chain', () => {
  const mainnet = { eth_chainId: { result: '0x1' } }
  const unknown = { error: { code: 4902, message: 'Unrecognized chain ID' } }

  async function onMainnet(more = {}, chain = {}) {
    const token = site.add({ chain: { id: 84532, name: 'Base Sepolia', coin: 'ETH', ...chain } })
    const page = await visits.open(
      at(token),
      withTableWallet(connected(wallet, { ...mainnet, ...more })),
    )
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Switch to Base Sepolia')
    return page
  }
  const press = { name: 'Switch to Base Sepolia' }

  test('is switched', async () => {
    const page = await onMainnet({ wallet_switchEthereumChain: { result: null } })
    await page.evaluate(`tables[0].eth_chainId = { result: '0x14a34' }`)
    await page.getByRole('button', press).click()
    await stage(page, 'Ready to sign')
    const params = `asked.find(({ method }) => method === 'wallet_switchEthereumChain').params`
    expect(await page.evaluate(params)).toEqual([{ chainId: '0x14a34' }])
  })

  test('that the wallet does not know is added from what the server has', async () => {
    const rpcUrl = 'https://sepolia.base.org'
    const added = { wallet_addEthereumChain: { result: null } }
    const page = await onMainnet({ wallet_switchEthereumChain: unknown, ...added }, { rpcUrl })
    await page.evaluate(`tables[0].eth_chainId = { result: '0x14a34' }`)
    await page.getByRole('button', press).click()
    await stage(page, 'Ready to sign')
    const params = `asked.find(({ method }) => method === 'wallet_addEthereumChain').params[0]`
    expect(await page.evaluate(params)).toEqual({
      chainId: '0x14a34',
      chainName: 'Base Sepolia',
      nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
      rpcUrls: [rpcUrl],
    })
  })

  test('that nobody can add is explained', async () => {
    const page = await onMainnet({ wallet_switchEthereumChain: unknown })
    await page.getByRole('button', press).click()
    await page.locator('#notice', { hasText: 'chain id 84532, coin ETH' }).waitFor()
  })

  test('that is refused stays here', async () => {
    const page = await onMainnet({ wallet_switchEthereumChain: refusal })
    await page.getByRole('button', press).click()
    await page.locator('#notice', { hasText: 'You refused in the wallet' }).waitFor()
  })

  test('is noticed while the page is open', async () => {
    const page = await visits.open(at(site.add()), withTableWallet(connected(wallet)))
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Ready to sign')
    await page.evaluate(`emit('chainChanged', '0x1')`)
    await stage(page, 'Switch to Base Sepolia')
  })
})
