import { Hono } from 'hono'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createPublicClient, type Hex, http } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../sandbox/browser.ts'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { type Listening, listen } from '../../../sandbox/http.ts'
import type { WalletOptions } from '../../../sandbox/wallet/server.ts'
import { installWallet } from '../../wallet.ts'

const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const nobody = '0x000000000000000000000000000000000000dEaD'
const poor = '0x0773E25C1B5d4A3F9e8C7d6B5a49382716F5A10e'
let chain: LocalChain
let browser: Browser
let site: Listening
const complaints: string[] = []

// As strict as a signing page is: an extension has to get along with that.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
const script = `
  window.found = []
  window.heard = []
  addEventListener('eip6963:announceProvider', ({ detail }) => {
    window.found.push(detail)
    for (const event of ['accountsChanged', 'chainChanged']) {
      if (window.found.length === 1) detail.provider.on(event, (value) => window.heard.push([event, value]))
    }
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
`

beforeAll(async () => {
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    context.header('content-security-policy', policy)
  })
  app.get('/', (context) => context.html('<title>A page</title><script src="/page.js"></script>'))
  app.get('/page.js', (context) => context.body(script, 200, { 'content-type': 'text/javascript' }))
  const starting = startChain({ chainId: 8453, launcher: { to: airlock, airlock } })
  ;[chain, browser, site] = await Promise.all([starting, launchBrowser(), listen(app.fetch)])
})

afterAll(async () => {
  await browser?.close()
  await site?.stop()
  await chain?.stop()
})

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  expect(complaints.splice(0)).toEqual([])
})

async function open(options: Partial<WalletOptions> = {}): Promise<Page> {
  const context: BrowserContext = await browser.newContext()
  const accounts = chain.accounts.map(({ address }) => address)
  await installWallet(context, { rpcUrl: chain.rpcUrl, chain: 8453, accounts, ...options })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`http://127.0.0.1:${site.port}/`)
  return page
}

interface Answer {
  result?: unknown
  code?: number
  message?: string
}

function ask(page: Page, method: string, ...params: unknown[]): Promise<Answer> {
  const call = JSON.stringify({ method, params })
  return page.evaluate<Answer>(`found[0].provider.request(${call}).then(
    (result) => ({ result }), ({ code, message }) => ({ code, message }))`)
}

async function press(page: Page, name: 'Approve' | 'Reject'): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

async function approved(page: Page, method: string, ...params: unknown[]): Promise<Answer> {
  const [answer] = await Promise.all([ask(page, method, ...params), press(page, 'Approve')])
  return answer
}

const account = (index: number): string => chain.accounts[index]?.address ?? ''
const heard = (page: Page) => page.evaluate<unknown[]>('heard')
const reader = () => createPublicClient({ transport: http(chain.rpcUrl) })
const mined = (): Promise<bigint> => reader().getBlockNumber({ cacheTime: 0 })
const launching = (from: string) => ({ from, to: nobody, data: '0x882db707', chainId: '0x2105' })

describe('the sandbox wallet', () => {
  it('announces itself on load and on request, in a way that pages can’t change', async () => {
    const page = await open()
    const found = await page.evaluate<Record<string, unknown>[]>('found.map(({ info }) => info)')
    expect(found[0]).toEqual({
      name: 'Sandbox wallet',
      rdns: 'sandbox.gavel',
      icon: expect.stringMatching(/^data:image\/svg\+xml,/),
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/),
    })
    const frozen = 'Object.isFrozen(found[0]) && Object.isFrozen(found[0].info)'
    expect(await page.evaluate<boolean>(frozen)).toBe(true)
  })

  it('shows no account before its owner chose one', async () => {
    const page = await open()
    expect(await ask(page, 'eth_accounts')).toEqual({ result: [] })
    const asked = ask(page, 'eth_requestAccounts')
    await page.getByRole('radio', { name: account(1) }).check()
    await press(page, 'Approve')
    expect(await asked).toEqual({ result: [account(1)] })
    expect(await ask(page, 'eth_requestAccounts')).toEqual({ result: [account(1)] })
    expect(await heard(page)).toEqual([['accountsChanged', [account(1)]]])
    await page.reload()
    expect(await ask(page, 'eth_accounts')).toEqual({ result: [account(1)] })
  })

  it('reports its owner’s refusal to the page, by button and by Escape', async () => {
    const page = await open()
    const asked = ask(page, 'eth_requestAccounts')
    await press(page, 'Reject')
    expect(await asked).toMatchObject({ code: 4001 })
    const again = ask(page, 'eth_requestAccounts')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    expect(await again).toMatchObject({ code: 4001 })
    expect(await ask(page, 'eth_accounts')).toEqual({ result: [] })
  })

  it('switches to a known chain, and answers 4902 to an unknown one', async () => {
    const page = await open({ on: 1, knows: false })
    expect(await ask(page, 'eth_chainId')).toEqual({ result: '0x1' })
    const base = { chainId: '0x2105' }
    expect(await ask(page, 'wallet_switchEthereumChain', base)).toMatchObject({ code: 4902 })
    const adding = ask(page, 'wallet_addEthereumChain', { ...base, chainName: 'Base' })
    await press(page, 'Approve')
    await page.getByRole('dialog', { name: /Switch chain/ }).waitFor()
    await press(page, 'Approve')
    expect(await adding).toEqual({ result: null })
    expect(await ask(page, 'eth_chainId')).toEqual({ result: '0x2105' })
    expect(await approved(page, 'wallet_switchEthereumChain', { chainId: '0x1' })).toEqual({
      result: null,
    })
    expect(await heard(page)).toEqual([
      ['chainChanged', '0x2105'],
      ['chainChanged', '0x1'],
    ])
    expect(await ask(page, 'eth_blockNumber')).toMatchObject({ code: -32603 })
  })

  it('sends what its owner approves, and the page can still be read meanwhile', async () => {
    const page = await open()
    await approved(page, 'eth_requestAccounts')
    const before = await mined()
    const asked = ask(page, 'eth_sendTransaction', launching(account(0)))
    await page.getByText('4 bytes, begins 0x882db707').waitFor()
    expect(await mined()).toBe(before)
    await press(page, 'Approve')
    const { result } = await asked
    expect(await ask(page, 'eth_getTransactionReceipt', result)).toMatchObject({
      result: { status: '0x1', from: account(0).toLowerCase(), to: nobody.toLowerCase() },
    })
  })

  it('sends nothing that is refused, of another account, or for another chain', async () => {
    const page = await open()
    await approved(page, 'eth_requestAccounts')
    const before = await mined()
    const asked = ask(page, 'eth_sendTransaction', launching(account(0)))
    await press(page, 'Reject')
    expect(await asked).toMatchObject({ code: 4001 })
    const other = launching(account(1))
    expect(await ask(page, 'eth_sendTransaction', other)).toMatchObject({ code: 4100 })
    const elsewhere = { ...launching(account(0)), chainId: '0x1' }
    expect(await ask(page, 'eth_sendTransaction', elsewhere)).toMatchObject({ code: -32602 })
    expect(await mined()).toBe(before)
  })

  it('signs nothing but transactions, and leaves the node alone', async () => {
    const page = await open({ approval: 'always' })
    for (const method of [
      'eth_sign',
      'eth_signTypedData_v4',
      'personal_sign',
      'eth_sendRawTransaction',
      'anvil_setBalance',
      'evm_mine',
    ]) {
      expect(await ask(page, method)).toMatchObject({ code: 4200 })
    }
  })
})

describe('the wallet of a test', () => {
  it('approves or refuses everything without asking', async () => {
    const willing = await open({ approval: 'always', on: 1 })
    await ask(willing, 'eth_requestAccounts')
    await ask(willing, 'wallet_switchEthereumChain', { chainId: '0x2105' })
    const sent = await ask(willing, 'eth_sendTransaction', launching(account(0)))
    expect(sent.result).toMatch(/^0x[0-9a-f]{64}$/)
    const unwilling = await open({ approval: 'never' })
    expect(await ask(unwilling, 'eth_requestAccounts')).toMatchObject({ code: 4001 })
  })

  it('has an account that can’t pay', async () => {
    const page = await open({ approval: 'always', accounts: [poor] })
    await ask(page, 'eth_requestAccounts')
    const sent = await ask(page, 'eth_sendTransaction', launching(poor))
    expect(sent).toMatchObject({
      code: -32000,
      message: expect.stringContaining('insufficient funds'),
    })
  })

  it.each([
    ['replaced', 1n],
    ['dropped', 0n],
  ] as const)('gives a hash that is never mined: %s', async (sending, blocks) => {
    const page = await open({ approval: 'always', sending })
    await ask(page, 'eth_requestAccounts')
    const before = await mined()
    const { result } = await ask(page, 'eth_sendTransaction', launching(account(0)))
    expect(await mined()).toBe(before + blocks)
    const hash = result as Hex
    await expect(reader().getTransaction({ hash })).rejects.toThrow()
  })

  it('changes account and chain as its owner would in its own window', async () => {
    const page = await open()
    const detail = JSON.stringify({ account: account(2), chain: 1 })
    await page.evaluate(`dispatchEvent(new CustomEvent('sandbox.gavel', { detail: ${detail} }))`)
    expect(await heard(page)).toEqual([
      ['accountsChanged', [account(2)]],
      ['chainChanged', '0x1'],
    ])
  })

  it('works beside another wallet', async () => {
    const context = await browser.newContext()
    for (const name of ['One', 'Two']) {
      const rdns = `wallet.${name.toLowerCase()}`
      const accounts = [account(0)]
      await installWallet(context, { rpcUrl: chain.rpcUrl, chain: 8453, accounts, name, rdns })
    }
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${site.port}/`)
    const names = await page.evaluate<string[]>('found.map(({ info }) => info.name)')
    expect(new Set(names)).toEqual(new Set(['One', 'Two']))
  })
})
