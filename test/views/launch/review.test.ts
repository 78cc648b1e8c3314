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
  expect(last(inGroup)).toBe('🔕 Tell the group: off launching announce k3f9a2bc.12 on')
  expect(last({ ...inGroup, announce: true })).toBe(
    '🔔 Tells the group: on launching announce k3f9a2bc.12 off',
  )
  expect(last({ ...inGroup, goal: 'metadata' })).toBe('Cancel launching cancel k3f9a2bc.12')
})

test('the largest launch fits both platforms, with every control and all that anybody gets', async () => {
  const many = Array.from({ length: 20 }, (_, index) => account(index + 1))
  const largest: Draft = {
    ...draft,
    origin: '-1',
    answers: {
      ...draft.answers,
      links: Array.from({ length: 10 }, (_, index) => ({
        label: 'x'.repeat(32),
        url: `https://a.example/${index}${'y'.repeat(490)}`,
      })),
      vesting: many.map((address) => ({ address, percentage: '0.1234567890123456' })),
      description: 'd'.repeat(500),
    },
  }
  const shares = [...fees, ...many.map((who) => ({ who, percent: '0.1234567890123456' }))]
  const view = reviewView({ draft: largest, chain: chainById(8453), fees: shares, questions })
  const lines = keptLines()
  const telegram = await renderTelegram(view, lines)
  const discord = await renderDiscord(view, lines)
  for (const text of [JSON.stringify(telegram), JSON.stringify(discord)]) {
    for (const address of many) expect(text.split(address).length).toBeGreaterThan(2)
    expect(text).toContain('Cancel')
  }
})

test('a name of any kind comes out as it was typed, in the review and where one is asked for', () => {
  fc.assert(
    fc.property(hostileText, (name) => {
      const named = { ...draft, answers: { ...draft.answers, name } }
      const view = reviewView({ draft: named, fees, questions })
      expect(view.blocks[0]).toMatchObject({
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
    ['Drop it launching drop k3f9a2bc.12', 'Go on with it launching resume k3f9a2bc.12'],
  ])
})
