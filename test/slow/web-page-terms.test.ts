import type { Browser, Page } from 'playwright-core'
import { parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { type LocalChain, startChain } from '../../sandbox/chain/chain.ts'
import { ChainNode } from '../../src/chain/node.ts'
import { modulesSchema } from '../../src/launch/settings.ts'
import { launchesOfEveryKind } from '../unit/chain/airlock/launches.ts'
import { path, plan, bundler as sender, v3In, weth, wrap } from '../unit/chain/airlock/plans.ts'
import {
  curvesPool,
  encode,
  encodeBundle,
  migrating,
  read,
  somebody,
  staticSale,
  tokenAddress,
  v3Pool,
} from '../unit/chain/airlock/sdk.ts'
import {
  chainId,
  checkedPayload,
  launchCalldata,
  launcher,
  other,
  otter,
  requestFor,
  requestOf,
  signingRequest,
  wallet,
} from '../unit/web/signing/payload.ts'
import { chatRows, inOneLine, termsOf } from '../unit/web/signing/shown-terms.ts'
import { type Site, startSite } from '../unit/web/signing/site.ts'
import { connected, withTableWallet } from '../unit/web/signing/table-wallet.ts'
import { stage, Visits } from '../unit/web/signing/visit.ts'

let site: Site
let browser: Browser
let visits: Visits
let chain: LocalChain

beforeAll(async () => {
  const starting = startChain({ chainId, launcher: { to: launcher, airlock: launcher } })
  ;[site, browser, chain] = await Promise.all([startSite(), launchBrowser(), starting])
  visits = new Visits(browser)
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
  await chain?.stop()
})
afterEach(() => visits.end())

const base = 8453
const ada = somebody('ada')
const launches = await launchesOfEveryKind()

/** A launch on Base of whose vesting and fees ada said nothing. */
function onBase(calldata: `0x${string}`, asked: Parameters<typeof checkedPayload>[1] = {}) {
  const answers = { wallet: ada, chain: base, vesting: [], beneficiaries: [] }
  return checkedPayload(calldata, { chain: base, answers, words: read(calldata).token, ...asked })
}

function open(request: Parameters<Site['add']>[0]): Promise<Page> {
  const url = `${site.url}/s/${site.add(request)}`
  return visits.open(url, withTableWallet(connected(wallet)), { timezoneId: 'UTC' })
}

/** A launch with which much is wrong. */
function alarming(): `0x${string}` {
  return encode(
    migrating({
      pool: { ...curvesPool, fee: 80_000, beneficiaries: [] },
      vesting: {
        duration: 31_536_000 * 5,
        cliffDuration: 0,
        recipients: [other],
        amounts: [parseUnits('150000000', 18)],
      },
      governance: { type: 'launchpad', multisig: somebody('multisig') },
      migration: {
        type: 'uniswapV2Split',
        proceedsSplit: { recipient: somebody('treasury'), share: parseUnits('0.5', 18) },
      },
    }),
  )
}

/** Somebody else's description stands on IPFS. */
async function metadata() {
  const fields = [{ name: 'description', typed: 'Flies', found: 'Swims' }]
  return { kind: 'different', fields } as const
}

const paid = parseUnits('0.1', 18)

/** A launch that buys some of its own token. */
async function purchase(): Promise<`0x${string}`> {
  const pool = { ...v3Pool, fee: 10_000, startTick: 175_000 }
  const { commands, inputs } = plan(wrap(paid), v3In(paid, 1n, sender, path(weth, tokenAddress)))
  return encodeBundle(await staticSale({ pool }), commands, inputs)
}

describe('the table', () => {
  test.each(Object.keys(launches))('of %s says what the chat says, in its order', async (kind) => {
    const payload = await onBase(launches[kind] ?? '0x')
    const page = await open(requestOf(payload))
    const shown = await termsOf(page)
    expect(shown.length).toBeGreaterThan(3)
    expect(shown.map(({ rows }) => rows.map(inOneLine))).toEqual(chatRows(payload))
  })

  test('begins with what is alarming, what was asked beside what it does, and why', async () => {
    const page = await open(requestOf(await onBase(alarming(), { sources: { metadata } })))
    const [first, ...groups] = await termsOf(page)
    expect(first?.title).toBe('Look at this first')
    const rowOf = (label: string) => first?.rows.find((row) => row.label === `⚠️ ${label}`)
    expect(rowOf('Trading fee')).toMatchObject({ asked: null, why: 'the trading fee is above 5%' })
    expect(rowOf('Metadata on IPFS')).toMatchObject({
      does: 'description: Swims, but you typed Flies',
      why: expect.stringContaining('description'),
    })
    expect(rowOf('Vesting')).toMatchObject({
      does: expect.stringContaining('0x7099…79C8'),
      asked: 'nobody',
    })
    expect(rowOf('Who gets the fees')).toMatchObject({
      does: expect.stringContaining('you get none'),
      asked: expect.stringContaining('95% you'),
    })
    expect(groups.map(({ title }) => title)).toEqual(
      ['Supply', 'Price', 'Fees', 'Proceeds', 'Control', 'Cost'].filter((title) =>
        groups.some((group) => group.title === title),
      ),
    )
    expect(groups.flatMap(({ rows }) => rows).filter(({ label }) => /⚠️/u.test(label))).toEqual([])
  })

  test('names the first reasons why it is not verified, counts the others, and is not “Ready to sign”', async () => {
    const request = requestOf(await onBase(alarming()))
    const page = await open({ ...request, wallet, chain: signingRequest().chain })
    const warning = page.locator('.warning', { hasText: 'Not verified:' })
    await warning.waitFor()
    const reasons = await warning.getByRole('listitem').allInnerTexts()
    expect(reasons).toHaveLength(6)
    expect(reasons).toContain('the trading fee is above 5%')
    expect(reasons.at(-1)).toMatch(/^\d+ more$/u)
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Not verified')
  })

  test('marks what is as asked and what a rehearsal showed, and says what the marks mean', async () => {
    const node = new ChainNode({ rpcUrl: chain.rpcUrl, chainId })
    const modules = modulesSchema.parse({ [chainId]: chain.modules })[chainId]
    const calldata = launchCalldata(otter, chain.standard)
    const payload = await checkedPayload(calldata, { modules, sources: { node } })
    expect(payload.verified).toBe(true)
    const page = await open(requestOf(payload))
    const rows = (await termsOf(page)).flatMap((section) => section.rows)
    expect(rows.find(({ label }) => label === 'Vesting')?.mark).toBe(' ✓ rehearsed')
    expect(rows.find(({ label }) => label === 'Metadata on IPFS')?.mark).toBe(' ✓')
    expect(rows.find(({ label }) => label === 'Supply')?.mark).toBeNull()
    await page.getByText('✓: as asked. Rehearsed: a trial run on the chain showed it.').waitFor()
  })

  test('tells of the coins that go with it, in the table, under the button and at the foot', async () => {
    const payload = await onBase(await purchase(), { token: tokenAddress })
    expect(payload.value).toBe(String(paid))
    const page = await open({ ...requestOf(payload), wallet, chain: signingRequest().chain })
    const rows = (await termsOf(page)).flatMap((section) => section.rows)
    expect(rows.map(({ does }) => does)).toContainEqual(expect.stringMatching(/^0\.1 ETH/u))
    await page.locator('footer', { hasText: 'Value: 0.1 ETH.' }).waitFor()
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await page.getByText('The transaction sends 0.1 ETH along').waitFor()
  })
})

test.each([320, 390, 1280])('with many alarms fits a screen %i pixels wide', async (width) => {
  const page = await open(requestOf(await onBase(alarming())))
  await page.setViewportSize({ width, height: 800 })
  await page.getByRole('heading', { name: 'Look at this first' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  const overflowing = `[...document.querySelectorAll('#summary *')].filter((each) =>
    each.getBoundingClientRect().right > innerWidth).map((each) => each.className)`
  expect(await page.evaluate(overflowing)).toEqual([])
})

describe('what the bot says and the calldata does not', () => {
  test('blocks signing when it is coins that nothing asks for', async () => {
    const page = await open({ value: '1' })
    await stage(page, 'Do not sign this')
    await page.getByText('Value: the transaction has “0”, the bot said “1”').waitFor()
  })

  test('blocks signing when it is that no coins go with a purchase', async () => {
    const request = requestOf(await onBase(await purchase(), { token: tokenAddress }))
    const page = await open({ ...request, value: '0' })
    await stage(page, 'Do not sign this')
    await page.getByText(`Value: the transaction has “${paid}”, the bot said “0”`).waitFor()
  })

  test('blocks signing when it is that the launch is verified', async () => {
    const request = requestOf(await onBase(alarming()))
    expect(request.verified).toBe(false)
    const page = await open({ ...request, verified: true })
    await stage(page, 'Do not sign this')
    await page
      .locator('#steps')
      .getByText('The bot said that it is verified, but')
      .first()
      .waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  })

  test('blocks signing when it is verified by modules that the payload does not have', async () => {
    const request = signingRequest()
    if (!request.check) throw new Error('it was not checked')
    const page = await open({ ...request, check: { ...request.check, modules: [] } })
    await stage(page, 'Do not sign this')
    await page
      .locator('#steps')
      .getByText('is not one that is known on this chain')
      .first()
      .waitFor()
  })

  test('sends nothing when a rehearsal shows something else by the time Sign is pressed', async () => {
    const node = new ChainNode({ rpcUrl: chain.rpcUrl, chainId })
    const modules = modulesSchema.parse({ [chainId]: chain.modules })[chainId]
    const calldata = launchCalldata(otter, chain.standard)
    const request = await requestFor(calldata, { modules, sources: { node } })
    const token = site.add(request)
    const page = await visits.open(
      `${site.url}/s/${token}`,
      withTableWallet(
        connected(wallet, { eth_sendTransaction: { result: `0x${'ab'.repeat(32)}` } }),
      ),
    )
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Ready to sign')
    const { check } = request
    if (!check?.rehearsal) throw new Error('it was not rehearsed')
    const holders = [...check.rehearsal.holders, { address: other, amount: '1' }]
    const rehearsal = { ...check.rehearsal, holders }
    site.signingService.entries.set(token, {
      request: { ...request, check: { ...check, rehearsal } },
    })
    await page.getByRole('button', { name: 'Sign and launch' }).click()
    await stage(page, 'Do not sign this')
    await page
      .getByText('the rehearsal gives tokens to an account that the payload does not name')
      .first()
      .waitFor()
    const sent = `asked.filter(({ method }) => method === 'eth_sendTransaction').length`
    expect(await page.evaluate(sent)).toBe(0)
  })
})
