import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeAbiParameters, encodeEventTopics, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { launchAbi } from '../../src/chain/airlock/calldata.ts'
import type { SigningRequest } from '../../src/launch/signing-wire.ts'
import { barriersOn, noBarriers, screens } from '../accessibility.ts'
import {
  type Answer,
  becomes,
  connected,
  type SigningPage,
  Visits,
} from '../unit/web/signing/browser.ts'
import {
  launchCalldata,
  other,
  otter,
  requestFor,
  signingRequest,
  wallet,
} from '../unit/web/signing/payload.ts'
import { linkToken } from '../unit/web/signing/site.ts'

const visits = new Visits()

const hash = `0x${'ab'.repeat(32)}` as const
const third = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const accepted = { eth_sendTransaction: { result: hash } }
const refused: Answer = { error: { code: 4001, message: 'User rejected the request.' } }
const failed = { kind: 'failed', reason: 'a contract stands at the token’s address' } as const
const passed = { kind: 'passed', gas: '21000' } as const
const failedReceipt: Answer = { result: { status: '0x0', logs: [] } }

/** Opens a link in a browser whose wallet sends, connected. */
async function ready(
  answers: Record<string, Answer> = accepted,
  request: Partial<SigningRequest> = {},
): Promise<SigningPage> {
  const page = await visits.open({ request, wallets: [connected(wallet, answers)] })
  await page.connect()
  return page
}

/** Opens a link and sends the transaction. */
async function sent(answers = {}, request: Partial<SigningRequest> = {}): Promise<SigningPage> {
  const page = await ready({ ...accepted, ...answers }, request)
  await page.sign()
  await page.step('Sent')
  return page
}

const reportsOf = ({ token }: SigningPage) =>
  visits.service.reports.filter((each) => each.token === token)

describe('what will be created', () => {
  test('has names by strangers as text, on one line, without effect on the text direction', async () => {
    const name = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>\u202egnihton'
    const words = { ...otter, name, symbol: '"><b>X' }
    const request = await requestFor(launchCalldata(words), { words })
    const { page } = await visits.open({ request: { ...request, simulation: { kind: 'none' } } })
    await page.getByRole('heading', { name: '<img src=x onerror="window.hit=1">' }).waitFor()
    await page.getByText('invisible characters').waitFor()
    await page.getByText('Not simulated on the chain').waitFor()
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(await page.locator('h1').innerText()).not.toContain('\u202e')
    expect(await page.locator('.symbol').innerText()).toContain('"><b>X')
  })

  test('can’t be signed if it differs from what the bot said', async () => {
    const page = await visits.open({ request: { name: 'Sun Otter' } })
    await page.step('Do not sign this')
    const way = page.page.locator('#way')
    expect(await way.innerText()).toMatch(/Do not sign this\s+See more/u)
    expect(await way.getAttribute('data-tone')).toBe('warn')
    await page.sees('Name: the transaction has “Moon Otter”, the bot said “Sun Otter”')
    expect(await page.button(/./u).count()).toBe(0)
  })
})

describe('a link that can’t be used', () => {
  test.each(['expired', 'revoked', 'No such link'] as const)(
    '(%s) says what to do',
    async (title) => {
      const token = title === 'No such link' ? linkToken() : visits.site.add()
      if (title !== 'No such link') visits.service.close(token, { state: title })
      const page = await visits.open({ token })
      await page.step(new RegExp(title === 'revoked' ? 'cancelled' : title, 'u'))
      await page.sees('/launches')
      expect(await page.page.locator('#summary').isHidden()).toBe(true)
    },
  )

  test.each([
    ['Telegram', 'https://t.me/gavel_bot'],
    ['Discord', 'https://discord.com/channels/@me'],
  ])('leads back to the chat on %s', async (platform, url) => {
    const token = visits.site.add()
    visits.service.close(token, { state: 'revoked', chat: { platform, url } })
    const { page } = await visits.open({ token })
    expect(await page.getByRole('link', { name: `Back to ${platform}` }).getAttribute('href')).toBe(
      url,
    )
  })

  test('whose token is launched shows that', async () => {
    const token = visits.site.add()
    const explorer = 'https://basescan.org/token/1'
    visits.service.close(token, { state: 'launched', token: other, explorer })
    const page = await visits.open({ token })
    await page.step('Launched')
    await page.sees(other)
    const link = page.page.getByRole('link', { name: 'View token' })
    expect(await link.getAttribute('href')).toBe(explorer)
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  })

  test('while the bot does not answer, or redirects elsewhere, can be tried again', async () => {
    const chain = { id: 84532, name: 'Base', coin: 'ETH', explorer: 'javascript:alert(1)//' }
    const page = await visits.open({ request: { chain } })
    await page.step('No answer')
    visits.service.changes(page.token, { chain: signingRequest().chain })
    visits.service.fault = new Error('down')
    await page.press('Try again')
    await page.step('No answer')
    visits.service.fault = undefined
    await page.press('Try again')
    await page.step('Connect your wallet')
  })
})

test('no other page can embed it in a frame', async () => {
  const url = `${visits.site.url}/s/${visits.site.add()}`
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><iframe src="${url}"></iframe>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const page = await (await visits.browser.newContext()).newPage()
  const told = page.waitForEvent('console', (message) => /frame-ancestors/u.test(message.text()))
  await page.goto(`http://127.0.0.1:${port}`)
  await told
  expect(page.frames().map((frame) => frame.url())).not.toContain(url)
  await new Promise((resolve) => server.close(resolve))
})

describe('without a wallet', () => {
  test('it leads into the wallets of a phone, to a QR code and to the link, which can be copied', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const opened = await visits.open({
      wallets: [],
      query: '?from=chat#x',
      context: { permissions },
    })
    const { page, token } = opened
    const url = `${visits.site.url}/s/${token}`
    await opened.step('No wallet in this browser')
    const links = page.getByRole('link', { name: /^Open in/u })
    expect(await links.count()).toBe(5)
    expect(await links.first().getAttribute('href')).toBe(
      `https://link.metamask.io/dapp/${url.replace('http://', '')}`,
    )
    await becomes(page, 'document.querySelector("img.qr")?.naturalWidth > 0')
    await opened.sees('press “Transaction data”')
    await opened.press('Copy link')
    await opened.sees('Copied.')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url)
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())')
    await opened.press('Copy link')
    const field = page.getByRole('textbox', { name: 'The link to this page' })
    await field.waitFor()
    expect(await field.inputValue()).toBe(url)
    expect(await page.evaluate('getSelection().toString()')).toBe(url)
    // A wallet that shows up late is found.
    await page.evaluate(`dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: {
      info: { uuid: '1', name: 'Late', rdns: 'late', icon: '' }, provider: { request: async () => [] } } }))`)
    await opened.button('Late').waitFor()
  })

  test('it fits every screen, in both colour schemes, and a phone scrolls to the panel by touch', async () => {
    const { page, ...opened } = await visits.open({ wallets: [] })
    await page.getByRole('heading', { name: 'No wallet' }).waitFor()
    for (const width of [1280, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    const background = 'getComputedStyle(document.body).backgroundColor'
    const light = await page.evaluate(background)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await page.evaluate(background)).not.toBe(light)
    await page.getByText('No wallet here').waitFor()
    await page.getByRole('link', { name: 'See what to do' }).click()
    await becomes(page, 'document.activeElement.id === "panel-title"')
    await becomes(page, 'document.querySelector("#panel").getBoundingClientRect().top < 90')
    expect(page.url()).toBe(`${visits.site.url}/s/${opened.token}`)
  })
})

test('the wallets of the browser are listed by their own names, as text, with icons that are data URLs only', async () => {
  const named = (name: string, icon: string) => ({
    info: { name, rdns: `of.${name.slice(0, 4)}`, icon },
    answers: {},
  })
  const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"/>'
  const { page } = await visits.open({
    wallets: [
      named('<img src=x onerror=window.hit=1>', svg),
      named(`A\u202e${'very '.repeat(50)}long`, 'https://evil.example/track.png'),
      named('', 'javascript:window.hit=1'),
      { answers: {} },
    ],
  })
  await page.getByRole('button', { name: 'Browser wallet' }).waitFor()
  const choices = page.locator('.choices').first().getByRole('button')
  expect(await choices.locator('bdi').allInnerTexts()).toEqual([
    '<img src=x onerror=window.hit=1>',
    expect.stringMatching(/^Avery very [^\u202e]{1,35}…$/u),
    'Unnamed wallet',
    'Browser wallet',
  ])
  expect(await choices.locator('img').count()).toBe(1)
  expect(await page.evaluate('window.hit')).toBeUndefined()
  // Before one is pressed, none is asked for anything.
  expect(await page.evaluate('asked')).toEqual([])
})

describe('connecting', () => {
  test('can be tried again, survives a reload without asking, and ends when the wallet says so', async () => {
    const page = await visits.open({
      wallets: [connected(wallet, { eth_requestAccounts: refused })],
    })
    await page.press('Test wallet')
    await page.notice('Request rejected in your wallet')
    await page.answers('eth_requestAccounts', { error: { code: -32002, message: 'pending' } })
    await page.page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.notice('still waiting for an earlier answer')
    await page.answers('eth_requestAccounts', { result: [wallet] })
    await page.page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.step('Ready to sign')
    expect(await page.page.locator('#notice').isHidden()).toBe(true)
    await page.page.reload()
    await page.step('Ready to sign')
    expect(await page.asked('eth_requestAccounts')).toEqual([])
    await page.emit('accountsChanged', [])
    await page.step('not connected')
    await page.press('Use another wallet')
    await page.step('Connect your wallet')
  })

  test('to another chain switches it, or adds it from what the server has, or says how', async () => {
    const rpcUrl = 'https://sepolia.base.org'
    const unknown: Answer = { error: { code: 4902, message: 'Unrecognized chain ID' } }
    const chain = { id: 84532, name: 'Base Sepolia', coin: 'ETH' }
    const switching = 'Switch to Base Sepolia'
    const onMainnet = connected(wallet, {
      eth_chainId: { result: '0x1' },
      wallet_switchEthereumChain: refused,
      wallet_addEthereumChain: { result: null },
    })
    const page = await visits.open({ request: { chain }, wallets: [onMainnet] })
    await page.connect(switching)
    await page.press(switching)
    await page.notice('Request rejected in your wallet')
    await page.answers('wallet_switchEthereumChain', unknown)
    await page.press(switching)
    await page.notice('chain id 84532, coin ETH')
    expect(await page.asked('wallet_addEthereumChain')).toEqual([])
    await page.answers('wallet_switchEthereumChain', { result: null })
    await page.answers('eth_chainId', { result: '0x14a34' })
    await page.press(switching)
    await page.step('Ready to sign')
    expect(await page.asked('wallet_switchEthereumChain')).toContainEqual({ chainId: '0x14a34' })
    await page.emit('chainChanged', '0x1')
    await page.step(switching)

    const added = await visits.open({
      request: { chain: { ...chain, rpcUrl } },
      wallets: [onMainnet],
    })
    await added.connect(switching)
    await added.answers('wallet_switchEthereumChain', unknown)
    await added.answers('eth_chainId', { result: '0x14a34' })
    await added.press(switching)
    await added.step('Ready to sign')
    const nativeCurrency = { name: 'ETH', symbol: 'ETH', decimals: 18 }
    expect(await added.asked('wallet_addEthereumChain')).toEqual([
      { chainId: '0x14a34', chainName: 'Base Sepolia', nativeCurrency, rpcUrls: [rpcUrl] },
    ])
  })
})

describe('another account than the draft’s', () => {
  async function withOther(answers: Record<string, Answer> = accepted): Promise<SigningPage> {
    const page = await visits.open({ wallets: [connected(other, answers)] })
    await page.connect('Wrong wallet connected')
    return page
  }

  async function asked(): Promise<SigningPage> {
    const page = await withOther()
    await page.press('Ask for permission')
    await page.step('Waiting for the creator')
    return page
  }

  const soon = () => Math.floor(Date.now() / 1000) + 60

  test('is shown beside it, each once and in full, and can be switched in the wallet', async () => {
    const page = await withOther({ wallet_requestPermissions: { result: [] } })
    const text = await page.page.locator('#steps').innerText()
    for (const account of [wallet, other]) expect(text.split(account)).toHaveLength(2)
    const ends = await page.page.locator('#steps b').allInnerTexts()
    expect(ends).toEqual(['f39F', '2266', '7099', '79C8'])
    expect(await page.button('Sign').count()).toBe(0)
    await page.answers('eth_requestAccounts', { result: [wallet.toLowerCase()] })
    await page.press('Switch account')
    await page.step('Ready to sign')
    expect(await page.asked('wallet_requestPermissions')).toHaveLength(1)
  })

  test('may sign once the launcher allows it in the private chat, whoever else asks, until they take it back', async () => {
    const page = await asked()
    const { service } = visits
    await page.sees('was asked, in the private chat')
    expect(service.claims.at(-1)).toEqual({ token: page.token, account: other })
    service.answer(page.token, other, 'waiting')
    await page.wait(3)
    await page.sees('sends no message about this one')
    service.answer(page.token, other, 'allowed')
    service.answer(page.token, third, 'asked')
    await page.wait(3)
    await page.step('Ready to sign')
    await page.emit('accountsChanged', [third])
    await page.step('Waiting for the creator')
    await page.emit('accountsChanged', [other])
    await page.step('Ready to sign')
    service.answer(page.token, other, 'refused')
    await page.sign()
    await page.step('The creator said no')
    await page.notice('Nothing was sent')
    expect(await page.sent()).toEqual([])
    service.answer(page.token, other, 'allowed')
    await page.wait(25)
    await page.sign()
    await page.step('Sent')
    expect(await page.sent()).toMatchObject([{ from: other }])
  })

  test('that was refused by mistake can be asked about again, but neither at once nor for ever', async () => {
    const page = await asked()
    visits.service.answer(page.token, other, 'refused', soon())
    await page.wait(3)
    await page.step('The creator said no')
    await page.press('Ask again')
    await page.notice('The creator was asked a moment ago')
    visits.service.answer(page.token, other, 'refused', soon() - 120)
    await page.press('Ask again')
    await page.step('Waiting for the creator')
    visits.service.answer(page.token, other, 'refused')
    await page.wait(3)
    await page.step('The creator said no')
    await page.sees('won’t be asked again')
    expect(await page.button(/^Ask/u).count()).toBe(0)
  })

  test('is polled often for a minute while the launcher’s answer is awaited', async () => {
    const page = await asked()
    await page.sees('Waiting for the answer')
    let looks = 0
    page.page.on('request', (request) => {
      if (request.url().endsWith('/progress')) looks += 1
    })
    const now = () => page.page.evaluate<number>('Date.now()')
    const begun = await now()
    for (let times = 1; times <= 10; times += 1) {
      const looked = page.page.waitForResponse('**/progress')
      await page.wait(1.6)
      await looked
    }
    // The page's clock goes on while an answer is waited for; at the pace of a sent transaction it would be 38 s.
    expect((await now()) - begun).toBeLessThan(28_000)
    // One may have been under way before they were counted.
    expect(looks).toBeLessThan(14)
  })
})

test('it works by keyboard alone, and announces what happens to screen readers', async () => {
  const opened = await visits.open({
    wallets: [connected(wallet, { ...accepted, eth_requestAccounts: refused })],
    context: { viewport: { width: 390, height: 800 } },
  })
  const { page } = opened
  const tabTo = async (action: string) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.dataset.action')) === action) return
    }
    throw new Error(`the keyboard does not reach ${action}`)
  }
  const says = (text: string) => page.locator('#said[role=status]', { hasText: text }).waitFor()
  await page.locator('#way', { hasText: 'Connect your wallet' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await opened.focuses('panel-title')
  await page.keyboard.press('Tab')
  await becomes(page, 'document.activeElement.dataset.action === "wallet-0"')
  await page.keyboard.press('Enter')
  await page.locator('#notice[role=status]', { hasText: 'Request rejected' }).waitFor()
  await opened.answers('eth_requestAccounts', { result: [wallet] })
  await tabTo('connect')
  await page.keyboard.press('Enter')
  await opened.step('Ready to sign')
  await opened.focuses('panel-title')
  await says('Ready to sign')
  await tabTo('sign')
  await opened.answers('eth_sendTransaction', refused)
  await page.keyboard.press('Space')
  await opened.notice('Request rejected')
  // The button keeps the focus.
  await opened.answers('eth_sendTransaction', { result: hash })
  await page.keyboard.press('Enter')
  await says('Sent')
  await opened.focuses('panel-title')
})

test('pressing Sign twice at once sends one transaction', async () => {
  const page = await ready()
  await page.page.evaluate(`{
    const button = document.querySelector('[data-action=sign]')
    button.click(); button.click()
  }`)
  await page.step('Sent')
  expect(await page.sent()).toHaveLength(1)
  expect(reportsOf(page)).toHaveLength(1)
  // The second press did nothing, rather than wait for the first like another tab.
  expect(await page.page.locator('#notice').isHidden()).toBe(true)
})

describe('just before sending', () => {
  test.each<[what: string, change: (token: string) => unknown, title: string]>([
    [
      'a link that was revoked',
      (token) => visits.service.close(token, { state: 'revoked' }),
      'This launch was cancelled',
    ],
    [
      'a token that was launched',
      (token) => visits.service.close(token, { state: 'launched' }),
      'Launched',
    ],
    [
      'a link that the bot does not know any more',
      (token) => visits.service.entries.delete(token),
      'This link was replaced or cancelled',
    ],
    [
      'what another tab has sent',
      (token) => visits.service.progresses(token, { transaction: { hash, state: 'pending' } }),
      'Sent',
    ],
    [
      'a check that comes to another result',
      (token) => {
        const { check } = signingRequest()
        if (check) visits.service.changes(token, { check: { ...check, modules: [] } })
      },
      'Do not sign this',
    ],
  ])('%s stops it', async (_, change, title) => {
    const page = await ready()
    change(page.token)
    await page.sign()
    await page.step(title)
    expect(await page.sent()).toEqual([])
  })

  test('an account, chain, answer or rehearsal that changed unnoticed stops it until it is right again', async () => {
    const page = await ready()
    await page.answers('eth_accounts', { result: [other] })
    await page.sign()
    await page.step('Wrong wallet connected')
    await page.notice('Nothing was sent')
    await page.emit('accountsChanged', [wallet])
    await page.answers('eth_accounts', { result: [wallet] })
    await page.answers('eth_chainId', { result: '0x1' })
    await page.sign()
    await page.step('Switch to Base Sepolia')
    await page.answers('eth_chainId', { result: '0x14a34' })
    await page.emit('chainChanged', '0x14a34')
    visits.service.fault = new Error('down')
    await page.sign()
    await page.notice('could not be reached, and nothing was sent')
    visits.service.fault = undefined
    visits.service.changes(page.token, { simulation: failed })
    await page.sign()
    await page.step('It would fail now')
    await page.notice('Nothing was sent')
    expect(await page.sent()).toEqual([])
    visits.service.changes(page.token, { simulation: passed })
    await page.press('Check again')
    await page.sign()
    await page.step('Sent')
  })
})

test('a launch that would fail can’t be signed, says why, and goes on once it would not fail any more', async () => {
  const page = await visits.open({ request: { simulation: failed } })
  await page.step('It would fail now')
  await page.page.locator('#steps', { hasText: failed.reason }).waitFor()
  await page.page.locator('#summary', { hasText: `failed: ${failed.reason}` }).waitFor()
  expect(await page.button(/./u).allInnerTexts()).toEqual(['Check again'])
  visits.service.fault = new Error('down')
  await page.press('Check again')
  await page.notice('could not be reached')
  visits.service.fault = undefined
  visits.service.changes(page.token, { simulation: passed })
  await page.press('Check again')
  await page.connect()
  await page.page.locator('#summary', { hasText: 'The chain would accept it now' }).waitFor()
})

test('the wallet’s answer is explained, and Sign works again', async () => {
  const page = await ready()
  const hostile = `<b>\u202eSend</b>${' all'.repeat(200)}`
  const answers: [answer: Answer, words: string][] = [
    [refused, 'Request rejected in your wallet. Nothing was sent'],
    [{ error: { code: -32002, message: 'pending' } }, 'still waiting for an earlier answer'],
    [{ error: { code: 4900, message: 'off' } }, 'no connection'],
    [{ result: 'done' }, 'returned no transaction hash'],
    [{ error: { code: 1, message: hostile } }, 'It says: “<b>Send</b> all all'],
    [{ error: { code: 1, message: '' } }, 'gave no reason'],
    [
      { error: { code: -32603, message: 'insufficient funds for gas' } },
      'enough ETH on Base Sepolia',
    ],
  ]
  for (const [answer, words] of answers) {
    await page.answers('eth_sendTransaction', answer)
    await page.sign()
    await page.notice(words)
  }
  // That the page may not see it any more leads back to connecting.
  await page.answers('eth_sendTransaction', { error: { code: 4100, message: '' } })
  await page.sign()
  await page.step('Connect your wallet')
})

describe('after sending', () => {
  const receipt = (logs: unknown[]): Answer => ({ result: { status: '0x1', logs } })

  /** The log with which the Airlock creates a token. */
  function created(token: `0x${string}`) {
    const args = { numeraire: zeroAddress }
    const topics = encodeEventTopics({ abi: launchAbi, eventName: 'Create', args })
    const data = encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'address' }],
      [token, zeroAddress, zeroAddress],
    )
    return { topics, data }
  }

  test('the wallet’s receipt shows the launch of this token, also if the bot has no node', async () => {
    const { token = zeroAddress } = signingRequest()
    const page = await sent()
    await page.answers(
      'eth_getTransactionReceipt',
      receipt([{ topics: [], data: '0x' }, created(token)]),
    )
    await page.waitFor('Launched')
    await page.page.locator('#steps').getByText(token).waitFor()
  })

  test.each([
    ['in which another token was created', receipt([created(other)]), 'It launched nothing'],
    ['of a failure', failedReceipt, 'The transaction failed'],
  ])('a receipt %s is no launch, and signing can be tried again', async (_, answer, title) => {
    const page = await ready({ ...accepted, eth_getTransactionReceipt: answer })
    await page.sign()
    await page.step(title)
    await page.press('Try again')
    await page.step('Ready to sign')
    // Of a link under which something was sent, the bot tells the progress after its end, too.
    const progress = await (await fetch(`${visits.site.url}/s/${page.token}/progress`)).text()
    await page.page.route('**/progress', (route) => route.fulfill({ body: progress }))
    visits.service.close(page.token, { state: 'revoked' })
    await page.sign()
    await page.step('This launch was cancelled')
    expect(await page.sent()).toHaveLength(1)
  })

  test('a transaction is missing once neither wallet nor bot know it, and launched if the token stands after all', async () => {
    const page = await sent({ eth_getTransactionByHash: { result: { hash } } })
    await page.wait(200)
    await page.step('Sent')
    await page.answers('eth_getTransactionByHash', { result: null })
    await page.waitFor('Transaction not found')
    await page.sees('It may have been dropped, or replaced')
    await page.sees('Sending again can’t launch the token twice')
    await page.press('Look again')
    await page.step('Sent')
    await page.waitFor('Transaction not found')
    visits.service.close(page.token, { state: 'launched' })
    await page.press('Send again')
    await page.step('Launched')
    expect(await page.sent()).toHaveLength(1)
  })

  test('a missing one can be sent again, with no promise if it is not verified', async () => {
    const request = signingRequest({ verified: false })
    const page = await visits.open({ request, wallets: [connected(wallet, accepted)] })
    await page.connect('Not verified')
    await page.sign()
    await page.step('Sent')
    await page.waitFor('Transaction not found')
    await page.sees('sending again may repeat what it does')
    await page.press('Send again')
    await page.step('Not verified')
    await page.page.reload()
    await page.step('Not verified')
  })

  test('a reload goes on with the same transaction, and the report is repeated until it gets through', async () => {
    const page = await ready()
    const context = page.page.context()
    await context.route('**/report', (route) => route.abort())
    await page.sign()
    await page.step('Sent')
    await page.notice('Your transaction is on its way all the same')
    await page.page.reload()
    await page.step('Sent')
    await page.page.locator('#steps').getByText(hash).waitFor()
    expect(reportsOf(page)).toEqual([])
    await context.unroute('**/report')
    const reported = async () => {
      await page.wait(3)
      return reportsOf(page)
    }
    await expect.poll(reported).not.toEqual([])
    await page.page.locator('#notice').waitFor({ state: 'hidden' })
    // What the bot's node says counts, also when the wallet does not answer.
    await page.page.evaluate('delete answers[0].eth_getTransactionReceipt')
    visits.service.progresses(page.token, { transaction: { hash, state: 'reverted' } })
    await page.waitFor('The transaction failed')
  })

  test('the transaction is still tracked if the link expires or is replaced', async () => {
    const page = await sent()
    visits.service.close(page.token, { state: 'expired' })
    await page.wait(30)
    await page.step('Sent')
    await page.page.reload()
    await page.step('This link has expired')
    await page.sees('What you sent before stays sent')
    await page.page.locator('#steps').getByText(hash).waitFor()

    const replaced = await sent()
    visits.service.entries.delete(replaced.token)
    await replaced.wait(25)
    await replaced.step('Sent')
    await replaced.answers('eth_getTransactionReceipt', failedReceipt)
    await replaced.waitFor('The transaction failed')
  })
})

describe('while the page is open', () => {
  test('the link’s time is counted down, and signing ends with it, even without the bot', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 200
    const page = await ready(accepted, { expiresAt })
    expect(await page.page.locator('#expiry').innerText()).toMatch(/Link expires in [23]:\d\d/u)
    await page.page.route('**/progress', (route) => route.abort())
    await page.waitFor('This link has expired')
    expect(await page.button(/./u).count()).toBe(0)
  })

  test('an outage of the bot is mentioned while it lasts, and a link that ends is noticed', async () => {
    const page = await ready()
    visits.service.fault = new Error('down')
    await page.wait(25)
    await page.notice('can’t be reached right now')
    visits.service.fault = undefined
    await page.wait(25)
    await page.page.locator('#notice').waitFor({ state: 'hidden' })
    visits.service.entries.delete(page.token)
    await page.waitFor('This link was replaced or cancelled')
    await page.sees('The last message in the chat')
    expect(await page.button(/./u).count()).toBe(0)
  })

  test('a hidden page makes no requests', async () => {
    const { page } = await ready()
    await page.evaluate(`{
      Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }`)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.clock.runFor(120_000)
    expect(requests).toEqual([])
    // A look that is under way when the page goes out of sight is the last one.
    const looked = page.waitForResponse('**/progress')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await looked
    await page.clock.runFor(120_000)
    expect(requests).toHaveLength(1)
  })
})

describe.each(screens)('at $name', ({ viewport, colorScheme }) => {
  const context = { viewport, colorScheme }

  test('every text can be read, every target hit, and the keyboard alone goes the whole way', async () => {
    const { page, ...opened } = await visits.open({
      wallets: [connected(wallet, accepted)],
      request: { simulation: passed },
      context,
    })
    const seen = async () => expect(await barriersOn(page)).toEqual(noBarriers)
    const tabTo = async (action: string) => {
      for (let presses = 0; presses < 6; presses += 1) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate('document.activeElement.dataset.action')) === action) return
      }
      throw new Error(`the keyboard does not reach ${action}`)
    }
    await page.locator('#way', { hasText: 'Connect your wallet' }).waitFor()
    await page
      .locator('details')
      .evaluateAll('(all) => all.forEach((each) => { each.open = true })')
    await seen()
    // The first stop leads past the table.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await tabTo('wallet-0')
    await page.keyboard.press('Enter')
    await page.locator('#panel-title', { hasText: 'Ready to sign' }).waitFor()
    await seen()
    await tabTo('sign')
    await page.keyboard.press('Enter')
    await page.locator('#panel-title', { hasText: 'Sent' }).waitFor()
    await seen()
    visits.service.close(opened.token, { state: 'launched', token: other })
    await page.clock.runFor(20_000)
    await page.locator('#panel-title', { hasText: 'Launched' }).waitFor()
    await seen()
  })

  test('what is not verified, another account and a fault can be read as well', async () => {
    const request = await requestFor('0x12345678')
    const wallets = [connected(other)]
    const { page } = await visits.open({ request, wallets, context })
    await page.getByRole('button', { name: 'Test wallet' }).click()
    await page.locator('#panel-title', { hasText: 'Wrong wallet connected' }).waitFor()
    expect(await barriersOn(page)).toEqual(noBarriers)
    const failing = await visits.open({ request: { name: 'Sun Otter' }, context })
    await failing.step('Do not sign this')
    expect(await barriersOn(failing.page)).toEqual(noBarriers)
  })
})
