import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { effectsOf } from '../../../../src/chain/airlock/effects.ts'
import { chainById } from '../../../../src/chain/chains.ts'
import { locales, localise, plainText } from '../../../../src/core/catalogue.ts'
import { t } from '../../../../src/core/view.ts'
import { renderDiscord } from '../../../../src/discord/render.ts'
import { askedOf, reviewViewpoint, termsDigest } from '../../../../src/launch/build-inputs.ts'
import type { Draft } from '../../../../src/launch/draft.ts'
import { questions } from '../../../../src/launch/questions/list.ts'
import { type Asked, askedRows, type Row, valuesOf } from '../../../../src/launch/table.ts'
import { otherOpenView, reviewView } from '../../../../src/launch/views/review.ts'
import { renderTelegram } from '../../../../src/telegram/render.ts'
import { hostileText } from '../../../hostile.ts'
import { launchesOfEveryKind } from '../../chain/airlock/launches.ts'
import { read, tokenAddress } from '../../chain/airlock/sdk.ts'
import { memoryCallbacks } from '../../core/memory-callbacks.ts'
import { controls, shown } from '../../views/shown.ts'

const account = (index: number) => getAddress(`0x${String(index).padStart(40, 'a')}`)

const draft: Draft = {
  id: 'k3f9a2bc',
  rev: 12,
  platform: 'telegram',
  person: '7',
  origin: undefined,
  state: 'open',
  createdAt: 1_700_000_000,
  updatedAt: 1_700_000_000,
  goal: 'launch',
  answers: { name: 'Tidal Wren', symbol: 'WREN', wallet: account(1), feeReceiver: null },
  rejectedTexts: {},
  acceptedDoubts: {},
  changedBy: [],
  accountNames: {},
  announce: false,
  stepResults: {},
}

const chain = chainById(8453)

/** What is asked of a launch with these answers, by a template that pins this. */
function askedOfLaunch(answers: Draft['answers'] = draft.answers, expects: Asked = {}): Row[] {
  const given = { chain: 8453, template: 'standard', ...answers }
  const template = { id: 'standard', label: 'Standard', chain: 8453, expects }
  return askedRows(askedOf(given, template), reviewViewpoint(given, template, new Map()))
}

const asked = askedOfLaunch()

test('what is asked of the launch is said in the words of the table, and what it costs', () => {
  const lines = shown(reviewView({ draft, chain, asked, questions }))
  expect(lines).toContain('Vesting: none')
  expect(lines).toContain('Trading fees go: 95% to you and 5% to the protocol')
  expect(lines).toContain('Cost: only the gas, paid by your wallet. This bot takes nothing.')
  expect(lines.join('\n')).toContain(
    'Nothing happens until you confirm and sign in your own wallet.',
  )
})

test('what a template pins stands there with the answers worked in', () => {
  const answers: Draft['answers'] = {
    ...draft.answers,
    vesting: [{ address: account(2), percentage: '7' }],
    beneficiaries: [{ beneficiary: account(3), shares: '250000000000000000' }],
  }
  const pinned: Asked = {
    opening: { cap: ['10', '20'] },
    quote: '0x4200000000000000000000000000000000000006',
    shares: [
      { to: 'you', percent: '50' },
      { to: 'integrator', percent: '45' },
      { to: 'protocol', percent: '5' },
    ],
    vesting: [{ to: 'asked', duration: 31_536_000 }],
    limit: null,
  }
  const lines = shown(
    reviewView({
      draft: { ...draft, answers },
      chain,
      asked: askedOfLaunch(answers, pinned),
      questions,
    }),
  )
  const from = lines.findIndex((line) => line.startsWith('Vesting'))
  expect(lines.slice(from, from + 4)).toEqual([
    `Vesting: 7% to ${account(2)} over 365 days`,
    'Quote token: WETH',
    'Starting price: market cap between 10.00 and 20.00 WETH',
    `Trading fees go: 45% to the integrator, 25% to you, 25% to ${account(3)} and 5% to the protocol`,
  ])
})

test('what gives the launcher nothing is the first of what is asked', () => {
  const lines = shown(
    reviewView({ draft, chain, asked: askedOfLaunch(draft.answers, { shares: [] }), questions }),
  )
  const fees = lines.findIndex((line) => line.startsWith('Trading fees go: not to you.'))
  expect(fees).toBe(lines.indexOf('Vesting: none') - 1)
})

test('confirming stands first, each answer can be changed, and cancelling stands last', () => {
  const rows = controls(reviewView({ draft, asked, questions }))
  expect(rows[0]).toEqual(['Confirm launching confirm k3f9a2bc.12'])
  expect(rows.flat()).toContain('✎ Fee split launching change k3f9a2bc.12 beneficiaries')
  expect(rows.at(-1)).toEqual(['Cancel launching cancel k3f9a2bc.12'])
})

test('confirming is for the terms that are shown, and its line fits a button of Telegram', () => {
  const terms = termsDigest({ id: 'one', label: 'One', chain: 8453, openShare: '95' })
  const long = { ...draft, rev: 9999 }
  const [confirm = ''] = controls(reviewView({ draft: long, asked, questions, terms })).flat()
  expect(confirm).toBe(`Confirm launching confirm k3f9a2bc.9999 ${terms}`)
  expect(confirm.replace('Confirm ', '=').length).toBeLessThanOrEqual(64)
})

test('telling the group is offered where there is one', () => {
  const inGroup = { ...draft, origin: '-100' }
  const last = (each: Draft) => controls(reviewView({ draft: each, asked, questions })).at(-1)?.[0]
  expect(last(inGroup)).toBe('🔕 Announce it there: off launching announce k3f9a2bc.12 on')
  expect(last({ ...inGroup, announce: true })).toBe(
    '🔔 Announce it there: on launching announce k3f9a2bc.12 off',
  )
  expect(last({ ...inGroup, goal: 'metadata' })).toBe('Cancel launching cancel k3f9a2bc.12')
  expect(shown(reviewView({ draft: inGroup, asked, questions })).at(-1)).toMatch(
    /it can be announced where you started\.$/u,
  )
})

test('where a launch began in a channel in which its review is shown, it is offered for this channel', () => {
  const inChannel = { ...draft, origin: '-100' }
  const view = reviewView({ draft: inChannel, asked, questions, isInOrigin: true })
  expect(controls(view).at(-1)?.[0]).toMatch(
    /^🔕 Announce it in this channel once it’s live: off launching announce/u,
  )
  expect(shown(view).join()).not.toContain('where you started')
})

test.each([1, 2, 3, 4, 6, 20])(
  'the largest launch with %i recipients of each kind fits both platforms, with every control and what is said last',
  async (count) => {
    const many = Array.from({ length: count }, (_, index) => account(index + 1))
    const largest: Draft = {
      ...draft,
      origin: '-1',
      accountNames: Object.fromEntries(
        many.map((address) => [address.toLowerCase(), `${'x'.repeat(250)}.eth`]),
      ),
      answers: {
        ...draft.answers,
        name: '*'.repeat(32),
        symbol: '_'.repeat(32),
        feeReceiver: account(3),
        categories: ['builder-coin', 'product-coin'],
        picture: { cid: `bafkrei${'x'.repeat(52)}`, stored: true },
        links: Array.from({ length: 10 }, (_, index) => ({
          label: '~'.repeat(32),
          url: `https://a.example/${index}${'_'.repeat(490)}`,
        })),
        vesting: many.map((address) => ({
          address,
          amount: `${'9'.repeat(30)}.${'9'.repeat(18)}`,
        })),
        beneficiaries: many.map((beneficiary) => ({ beneficiary, shares: '1234567890123456' })),
      },
    }
    // A template that pins every row of a launch which has nearly all of them.
    const launches = Object.entries(await launchesOfEveryKind())
    const [, calldata = '0x'] = launches.find(([name]) => name.includes('V4 with a hook')) ?? []
    const effects = effectsOf(read(calldata), { token: tokenAddress, quoteDecimals: 18 })
    const {
      shares: _,
      vesting: __,
      ...pinned
    } = valuesOf(effects, reviewViewpoint({}, undefined, new Map()))
    const notes = [{ kind: 'text', spans: ['n'.repeat(200)] }] as const
    for (const description of ['*'.repeat(500), '月'.repeat(500), '👨‍👩‍👧‍👦'.repeat(80)]) {
      const view = reviewView({
        draft: { ...largest, answers: { ...largest.answers, description } },
        chain: chainById(84532),
        templateLabel: '*'.repeat(60),
        asked: askedOfLaunch(largest.answers, pinned),
        questions,
        notes: notes.map(({ kind, spans }) => ({ kind, spans: [...spans] })),
      })
      for (const locale of locales) {
        const lines = memoryCallbacks()
        const shownView = localise(view, locale)
        for (const rendered of [
          await renderTelegram(shownView, lines),
          await renderDiscord(shownView, lines),
        ]) {
          const text = JSON.stringify(rendered).replaceAll('\\', '')
          expect(text, locale).not.toContain(shownView.added?.shortened ?? 'Shortened')
          expect(text, locale).toContain(plainText(t('launch-review-announce'), locale))
          expect(text, locale).toContain(plainText(t('launch-cancel'), locale))
        }
      }
    }
  },
)

test('of many recipients the largest stand there, and the others are counted', () => {
  const answers: Draft['answers'] = {
    ...draft.answers,
    vesting: [
      { address: account(1), percentage: '0.5' },
      { address: account(2), percentage: '7' },
      ...[3, 4, 5, 6, 7, 8].map((index) => ({ address: account(index), percentage: '1.25' })),
    ],
    beneficiaries: Array.from({ length: 9 }, (_, index) => ({
      beneficiary: account(index + 1),
      shares: `${index + 1}0000000000000000`,
    })),
  }
  const lines = shown(
    reviewView({
      draft: { ...draft, answers: { ...answers, wallet: account(20) } },
      chain,
      asked: askedOfLaunch({ ...answers, wallet: account(20) }),
      questions,
    }),
  )
  const crowd = [3, 4, 5, 6, 7].map((index) => `1.25% to ${account(index)}`)
  expect(lines).toContain(`Vesting: ${[`7% to ${account(2)}`, ...crowd].join(', ')} and 2 more`)
  expect(lines).toContain(
    `Trading fees go: 50% to you, 9% to ${account(9)}, 8% to ${account(8)}, 7% to ${account(7)}, 6% to ${account(6)}, 5% to the protocol and 5 more`,
  )
})

test('who gets nothing is said too, a CID is short, and what it costs comes last', () => {
  const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
  const answers = { ...draft.answers, picture: { cid, stored: true } }
  const lines = shown(reviewView({ draft: { ...draft, answers }, asked, questions }))
  expect(lines).toEqual(expect.arrayContaining(['Links: none', 'Description: none']))
  expect(lines).toContain('Logo: bafkreihdwdc…quvyku')
  expect(lines.at(-2)).toMatch(/^Cost: /u)
  expect(lines.at(-1)).toMatch(/^Nothing happens until you confirm and sign/u)
})

test('a name of any kind comes out as it was typed, in the review and where one is asked for', () => {
  fc.assert(
    fc.property(hostileText, (name) => {
      const named = { ...draft, answers: { ...draft.answers, name } }
      const view = localise(reviewView({ draft: named, asked, questions }), 'en')
      // A name that looks like a link has its warning above.
      expect(view.blocks.find(({ kind }) => kind === 'fields')).toMatchObject({
        fields: expect.arrayContaining([['Name:', [{ bold: name }]]]),
      })
      expect(localise(otherOpenView(named), 'en').blocks[0]).toMatchObject({
        spans: expect.arrayContaining([{ bold: name }]),
      })
    }),
  )
})
