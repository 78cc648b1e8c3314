import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chainById } from '../../../src/chain/chains.ts'
import { renderDiscord } from '../../../src/discord/render.ts'
import type { Draft } from '../../../src/launch/draft.ts'
import { questions } from '../../../src/launch/questions/list.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { dropQuestion, otherOpenView, reviewView } from '../../../src/views/launch/review.ts'
import { keptLines } from '../../chat/kept-lines.ts'
import { hostileText } from '../../hostile.ts'
import { controls, shown } from '../shown.ts'

const account = (index: number): `0x${string}` => `0x${String(index).padStart(40, 'a')}`

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
  typed: {},
  kept: {},
  announce: false,
  done: {},
}

const fees = [
  { who: 'you', percent: '95' },
  { who: 'protocol', percent: '5' },
] as const

test('the person’s own share stands first, and what it costs is said in words', () => {
  const lines = shown(reviewView({ draft, chain: chainById(8453), fees, questions }))
  expect(lines.indexOf('95 % of the fees: your wallet')).toBeGreaterThan(0)
  expect(lines).toContain('Cost: your wallet pays the gas; the bot takes nothing.')
  expect(lines.join('\n')).toContain('Nothing is built before you confirm.')
})

test('confirming stands first, each answer can be changed, and cancelling stands last', () => {
  const rows = controls(reviewView({ draft, fees, questions }))
  expect(rows[0]).toEqual(['Confirm launching confirm k3f9a2bc.12'])
  expect(rows.flat()).toContain('✎ Beneficiaries launching change k3f9a2bc.12 beneficiaries')
  expect(rows.at(-1)).toEqual(['Cancel launching cancel k3f9a2bc.12'])
})

test('telling the group is offered where there is one', () => {
  const inGroup = { ...draft, origin: '-100' }
  const last = (each: Draft) => controls(reviewView({ draft: each, fees, questions })).at(-1)?.[0]
  expect(last(inGroup)).toBe('🔕 Announce it there: off launching announce k3f9a2bc.12 on')
  expect(last({ ...inGroup, announce: true })).toBe(
    '🔔 Announce it there: on launching announce k3f9a2bc.12 off',
  )
  expect(last({ ...inGroup, goal: 'metadata' })).toBe('Cancel launching cancel k3f9a2bc.12')
})

test('the largest launch fits both platforms, with every control and what is said last', async () => {
  const many = Array.from({ length: 20 }, (_, index) => account(index + 1))
  const largest: Draft = {
    ...draft,
    origin: '-1',
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
    },
  }
  const shares = [
    { who: 'you', percent: '92.5308642000000000' },
    fees[1],
    ...many.map((who) => ({ who, percent: '0.1234567890123456' })),
  ] as const
  const notes = [{ kind: 'text', spans: ['n'.repeat(200)] }] as const
  for (const description of ['*'.repeat(500), '月'.repeat(500), '👨‍👩‍👧‍👦'.repeat(80)]) {
    const view = reviewView({
      draft: { ...largest, answers: { ...largest.answers, description } },
      chain: chainById(84532),
      templateLabel: '*'.repeat(60),
      fees: shares,
      questions,
      notes: notes.map(({ kind, spans }) => ({ kind, spans: [...spans] })),
    })
    const lines = keptLines()
    for (const rendered of [await renderTelegram(view, lines), await renderDiscord(view, lines)]) {
      const text = JSON.stringify(rendered)
      expect(text).not.toContain('Shortened: there is more')
      expect(text).toContain('you see what the payload really says before you sign')
      expect(text).toContain('Cancel')
    }
  }
})

test('of many recipients the largest stand there, and of the others their sum', () => {
  const answers: Draft['answers'] = {
    ...draft.answers,
    vesting: [
      { address: account(1), percentage: '0.5' },
      { address: account(2), percentage: '7' },
      ...[3, 4, 5].map((index) => ({ address: account(index), percentage: '1.25' })),
      ...[6, 7, 8, 9].map((index) => ({ address: account(index), amount: `${index}.5` })),
    ],
  }
  const shares = Array.from({ length: 9 }, (_, index) => ({
    who: account(index + 1),
    percent: `${index + 1}.1`,
  }))
  const view = reviewView({
    draft: { ...draft, answers },
    fees: [{ who: 'you', percent: '49.1' }, ...shares, fees[1]],
    questions,
  })
  const lines = shown(view)
  expect(lines.filter((line) => line.includes('vested'))).toEqual([
    `7 % of supply, vested: ${account(2)}`,
    `9.5 tokens, vested: ${account(9)}`,
    `1.25 % of supply, vested: ${account(3)}`,
    `8.5 tokens, vested: ${account(8)}`,
    `1.25 % of supply, vested: ${account(4)}`,
    `7.5 tokens, vested: ${account(7)}`,
    '3 more, vested: 1.75 % of supply and 6.5 tokens together',
  ])
  expect(lines.filter((line) => line.includes('of the fees'))).toEqual([
    '49.1 % of the fees: your wallet',
    ...[9, 8, 7, 6, 5, 4].map((index) => `${index}.1 % of the fees: ${account(index)}`),
    '3 more: 6.3 % of the fees together',
    '5 % of the fees: the protocol',
  ])
})

test('who gets nothing is said too, a CID is short, and what it costs comes last', () => {
  const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
  const answers = { ...draft.answers, picture: { cid, stored: true } }
  const lines = shown(reviewView({ draft: { ...draft, answers }, fees, questions }))
  expect(lines).toEqual(expect.arrayContaining(['Vesting: none', 'Beneficiaries: none']))
  expect(lines).toContain('Picture: bafkreihdwdc…quvyku')
  expect(lines.at(-2)).toMatch(/^Cost: /u)
  expect(lines.at(-1)).toMatch(/^Nothing is built before you confirm\./u)
})

test('links and a description of usual length are shown whole', () => {
  const description = 'd'.repeat(500)
  const links = Array.from({ length: 10 }, (_, index) => ({
    label: 'Website',
    url: `https://moonotter.example/${index}`,
  }))
  const answers = { ...draft.answers, description, links }
  const lines = shown(reviewView({ draft: { ...draft, answers }, fees, questions }))
  expect(lines).toContain(`Description: ${description}`)
  expect(lines).toContain('Link Website: moonotter.example/9')
})

test('a name of any kind comes out as it was typed, in the review and where one is asked for', () => {
  fc.assert(
    fc.property(hostileText, (name) => {
      const named = { ...draft, answers: { ...draft.answers, name } }
      const view = reviewView({ draft: named, fees, questions })
      // A name that looks like a link has its warning above.
      expect(view.blocks.find(({ kind }) => kind === 'fields')).toMatchObject({
        fields: expect.arrayContaining([['Name', [{ bold: name }]]]),
      })
      expect(otherOpenView(named).blocks[0]).toMatchObject({
        spans: expect.arrayContaining([{ bold: name }]),
      })
    }),
  )
})

test('dropping is asked for before it is done', () => {
  expect(controls(dropQuestion(draft))).toEqual([
    ['Discard it launching drop k3f9a2bc.12', 'Go on with it launching resume k3f9a2bc.12'],
  ])
})
