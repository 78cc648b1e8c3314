import type { BrowserContext, Page } from 'playwright-core'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../sandbox/chain/chain.ts'
import { protocol } from '../../sandbox/chain/modules.ts'
import { modulesSchema } from '../../src/chain/airlock/modules-setting.ts'
import { ChainNode } from '../../src/chain/node.ts'
import { localiseSpans, plainText } from '../../src/core/catalogue.ts'
import type { Span } from '../../src/core/view.ts'
import type { CheckedPayload } from '../../src/launch/payload.ts'
import type { SigningRequest } from '../../src/launch/signing-wire.ts'
import { termsBlocks } from '../../src/launch/views/terms.ts'
import { launchesOfEveryKind } from '../unit/chain/airlock/launches.ts'
import { curvesPool, encode, multicurve, somebody } from '../unit/chain/airlock/sdk.ts'
import { connected, type SigningPage, Visits } from '../unit/web/signing/browser.ts'
import {
  alarming,
  chainId,
  checkedPayload,
  launchCalldata,
  launcher,
  onBase,
  other,
  otter,
  requestFor,
  requestOf,
  signingRequest,
  wallet,
} from '../unit/web/signing/payload.ts'

const visits = new Visits()
const launches = await launchesOfEveryKind()
const hash = `0x${'ab'.repeat(32)}`

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher: { to: launcher, airlock: launcher } })
})
afterAll(() => chain?.stop())

/** A row of the page's table; addresses as short as the chat has them. */
interface ShownRow {
  label: string
  does: string
  asked: string | null
  why: string | null
  mark: string | null
}

/** The page's table, part by part; who sends what where is not in the table of the chat. */
async function termsOf(page: Page) {
  await page.locator('#summary h1').waitFor()
  const parts = await page.evaluate<{ title: string; rows: ShownRow[] }[]>(`(() => {
    const textOf = (node) => {
      if (!node) return null
      const copy = node.cloneNode(true)
      for (const code of copy.querySelectorAll('.address')) {
        code.textContent = code.textContent.slice(0, 6) + '…' + code.textContent.slice(-4)
      }
      return copy.textContent
    }
    return [...document.querySelectorAll('#summary .terms')].map((section) => ({
      title: section.querySelector('h2').textContent,
      rows: [...section.querySelectorAll('dt')].map((term) => {
        const told = term.nextElementSibling
        const [does, asked] = [...told.querySelectorAll('.words')]
        return {
          label: term.textContent,
          does: textOf(does),
          asked: textOf(asked),
          why: textOf(told.querySelector('.why')),
          mark: textOf(told.querySelector('.tick')),
        }
      }),
    }))
  })()`)
  return parts.filter(({ title }) => title !== 'Who and where')
}

const clock = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function textOf(span: Span): string {
  const parts = localiseSpans([span], 'en').map((part) =>
    typeof part === 'object' && 'time' in part
      ? `${clock.format(new Date(part.time * 1000))} UTC`
      : plainText([part]),
  )
  return parts.join('')
}

/** The chat's rows, group by group, without the last group, which says where it is sent. */
function chatRows(payload: CheckedPayload): [label: string, text: string][][] {
  const groups = termsBlocks(payload).flatMap((block) =>
    block.kind === 'fields'
      ? [
          block.fields.map(
            ([label, spans]) => [plainText(label), spans.map(textOf).join('')] as const,
          ),
        ]
      : [],
  )
  return groups.slice(0, -1).map((rows) => rows.map(([label, text]) => [label, text]))
}

/** A row of the page as the chat writes it. */
function inOneLine({ label, does, asked, why, mark }: ShownRow): [label: string, text: string] {
  const compared = asked === null ? '' : `. You asked for: ${asked}`
  return [
    label,
    `${does}${compared}${why === null ? '' : ` (${why})`}${mark === null ? '' : ` ${mark}`}`,
  ]
}

/** The request that goes with a wallet on the chain of these tests. */
function signable(payload: CheckedPayload): SigningRequest {
  return { ...requestOf(payload), wallet, chain: signingRequest().chain }
}

/** A launch that was rehearsed on the local chain. */
async function rehearsed(): Promise<CheckedPayload> {
  const node = new ChainNode({ rpcUrl: chain.rpcUrl, chainId })
  const modules = modulesSchema.parse({ [chainId]: chain.modules })[chainId]
  return checkedPayload(launchCalldata(otter, chain.standard), { modules, sources: { node } })
}

describe('the table', () => {
  test.each(Object.keys(launches))(
    'of %s has the rows of the chat, in the same order',
    async (kind) => {
      const payload = await onBase(launches[kind] ?? '0x')
      const { page } = await visits.open({ request: requestOf(payload) })
      const shown = await termsOf(page)
      expect(shown.length).toBeGreaterThan(3)
      expect(shown.map(({ rows }) => rows.map(inOneLine))).toEqual(chatRows(payload))
    },
  )

  test('begins with alarming rows, each with what was asked, what it does and why, on every screen', async () => {
    const fields = [{ name: 'description', typed: 'Flies', found: 'Swims' }]
    const metadata = async () => ({ kind: 'different', fields }) as const
    const request = requestOf(await onBase(alarming(), { sources: { metadata } }))
    const { page } = await visits.open({ request })
    const [first, ...groups] = await termsOf(page)
    expect(first?.title).toBe('Look at this first')
    const rowOf = (label: string) => first?.rows.find((row) => row.label === `⚠️ ${label}`)
    expect(rowOf('Trading fee')).toMatchObject({ asked: null, why: 'the trading fee is above 5%' })
    expect(rowOf('Metadata on IPFS')).toMatchObject({
      does: 'description: Swims (you typed Flies)',
      why: expect.stringContaining('description'),
    })
    expect(rowOf('Vesting')).toMatchObject({
      does: expect.stringContaining('0x7099…79C8'),
      asked: 'none',
    })
    expect(rowOf('Trading fees go')).toMatchObject({
      does: expect.stringContaining('not to you'),
      asked: expect.stringContaining('95% to you'),
    })
    const order = ['Tokens', 'Price', 'Fees', 'After the sale', 'Control', 'Cost']
    const titles = groups.map(({ title }) => title)
    expect(titles).toEqual(order.filter((title) => titles.includes(title)))
    expect(groups.flatMap(({ rows }) => rows).filter(({ label }) => /⚠️/u.test(label))).toEqual([])
    const overflowing = `[...document.querySelectorAll('#summary *')].filter((each) =>
      each.getBoundingClientRect().right > innerWidth).map((each) => each.className)`
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await page.evaluate(overflowing)).toEqual([])
    }
  })

  test('names the first reasons why it is not verified, counts the others, and is not “Ready to sign”', async () => {
    const opened = await visits.open({ request: signable(await onBase(alarming())) })
    const warning = opened.page.locator('.warning', { hasText: 'Not verified:' })
    await warning.waitFor()
    const reasons = await warning.getByRole('listitem').allInnerTexts()
    expect(reasons).toHaveLength(6)
    expect(reasons).toContain('the trading fee is above 5%')
    expect(reasons.at(-1)).toMatch(/^\d+ more$/u)
    await opened.connect('Not verified')
  })

  test('marks what is as asked and what a rehearsal showed, and says what the marks mean', async () => {
    const payload = await rehearsed()
    expect(payload.verified).toBe(true)
    const opened = await visits.open({ request: requestOf(payload) })
    const rows = (await termsOf(opened.page)).flatMap((section) => section.rows)
    expect(rows.find(({ label }) => label === 'Vesting')?.mark).toBe('✓ simulated')
    expect(rows.find(({ label }) => label === 'Metadata on IPFS')?.mark).toBe('✓')
    expect(rows.find(({ label }) => label === 'Supply')?.mark).toBeNull()
    await opened.sees('✓ means: as you asked. Simulated: a test run on the chain showed the same.')
  })

  test('begins no line on a phone with a comma or a blank', async () => {
    const given = [
      { beneficiary: other, shares: parseUnits('0.3', 18) },
      { beneficiary: somebody('bob'), shares: parseUnits('0.33333', 18) },
    ]
    const all = [
      ...given,
      { beneficiary: somebody('ada'), shares: parseUnits('0.31667', 18) },
      { beneficiary: protocol, shares: parseUnits('0.05', 18) },
    ].sort((one, two) => (BigInt(one.beneficiary) < BigInt(two.beneficiary) ? -1 : 1))
    const calldata = encode(multicurve({ pool: { ...curvesPool, beneficiaries: all } }))
    const beneficiaries = given.map((each) => ({ ...each, shares: String(each.shares) }))
    const answers = { wallet: somebody('ada'), chain: 8453, vesting: [], beneficiaries }
    const context = { viewport: { width: 390, height: 800 } }
    const request = requestOf(await onBase(calldata, { answers }))
    const { page } = await visits.open({ request, context })
    await page.locator('#summary .tick').first().waitFor()
    const begins = await page.evaluate(`(() => {
      const terms = [...document.querySelectorAll('#summary dt')]
      const dd = terms.find((each) => each.textContent === 'Trading fees go').nextElementSibling
      const edge = dd.getBoundingClientRect().left
      const texts = document.createTreeWalker(dd, NodeFilter.SHOW_TEXT)
      const signs = []
      while (texts.nextNode()) {
        const { currentNode } = texts
        for (let at = 0; at < currentNode.length; at += 1) {
          const range = document.createRange()
          range.setStart(currentNode, at)
          range.setEnd(currentNode, at + 1)
          const { left, width } = range.getBoundingClientRect()
          if (width > 0 && left - edge < 1) signs.push(currentNode.data[at])
        }
      }
      return signs.join('')
    })()`)
    expect(begins).toBe('3030a0✓')
  })
})

test('sends nothing if a new rehearsal differs when Sign is pressed', async () => {
  const request = requestOf(await rehearsed())
  const page = await visits.open({ request })
  await page.connect()
  const { check } = request
  if (!check?.rehearsal) throw new Error('it was not rehearsed')
  const holders = [...check.rehearsal.holders, { address: other, amount: '1' }]
  const rehearsal = { ...check.rehearsal, holders }
  visits.service.changes(page.token, { check: { ...check, rehearsal } })
  await page.sign()
  await page.step('Do not sign this')
  await page.sees('in the simulation an account gets tokens that the launch does not name')
  expect(await page.sent()).toEqual([])
})

/** As in a page over plain http. */
const withoutLocks = `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`

const browsers: [name: string, prepare: (context: BrowserContext) => Promise<unknown>][] = [
  ['with locks', async () => undefined],
  ['without locks', (context) => context.addInitScript({ content: withoutLocks })],
]

describe.each(browsers)('in a browser %s', (_, prepare) => {
  /** Two tabs of one link, with a wallet whose window stays open. */
  async function twoTabs() {
    const first = await visits.open({ prepare, wallets: [connected(wallet)] })
    const second = await visits.tab(first.page.context(), first.token)
    await first.connect()
    await second.connect()
    return { first, second }
  }

  async function asks(page: SigningPage): Promise<void> {
    await page.sign()
    await expect.poll(() => page.sent()).toHaveLength(1)
  }

  test('the second tab does not ask the wallet while the first one does; tabs of other links do', async () => {
    const { first, second } = await twoTabs()
    await asks(first)
    await second.sign()
    await second.notice('Another tab is waiting for your wallet')
    expect(await second.sent()).toEqual([])
    const token = visits.site.add(await requestFor(launchCalldata()))
    const third = await visits.tab(first.page.context(), token)
    await third.connect()
    await asks(third)
  })

  test('the second tab asks once the first one was refused', async () => {
    const { first, second } = await twoTabs()
    await first.answers('eth_sendTransaction', { error: { code: 4001, message: 'no' } })
    await first.sign()
    await first.notice('Request rejected in your wallet')
    await asks(second)
  })

  test('the second tab asks once the first one is closed', async () => {
    const { first, second } = await twoTabs()
    await asks(first)
    const closed = first.page.waitForEvent('close')
    await first.page.close({ runBeforeUnload: true })
    await closed
    const pressed = async () => {
      // The browser may take a moment to notice.
      if ((await second.button('Sign and launch').count()) > 0) await second.sign()
      return second.sent()
    }
    await expect.poll(pressed).toHaveLength(1)
  })

  test('the second tab does not ask after the first one has sent, even before the bot knows of it', async () => {
    const { first, second } = await twoTabs()
    const { promise: told, resolve: tell } = Promise.withResolvers<void>()
    await first.page.route('**/report', async (route) => {
      await told
      await route.continue()
    })
    await first.answers('eth_sendTransaction', { result: hash })
    await first.sign()
    await first.step('Sent')
    await second.sign()
    await second.notice('Another tab is waiting for your wallet')
    tell()
    await expect.poll(() => visits.service.reports.at(-1)?.hash).toBe(hash)
    await second.page.reload()
    await second.step('Sent')
    expect(await second.sent()).toEqual([])
  })
})
