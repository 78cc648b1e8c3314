import { describe, expect, test } from 'vitest'
import { type DayOfAssets, digestsOf } from '../../../src/alerts/digest.ts'
import type { Scope } from '../../../src/alerts/kinds/kind.ts'
import { readBody } from '../../../src/alerts/matching.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { auction, now } from '../../unit/alerts/auction.ts'
import { chain } from '../../unit/alerts/watching.ts'

const hour = 3600
const day = 24 * hour
const account = (digit: number) => `0x${String(digit).repeat(40)}`

describe('a digest', () => {
  const listed = (index: number, facts: Parameters<typeof auction>[0] = {}, on = chain) => ({
    chain: on,
    asset: auction({ address: account(index), name: `Otter ${index}`, ...facts }),
  })
  const at = { units: defaultUnits, now }
  const digestOf = async (of: DayOfAssets, scope: Scope) => (await digestsOf(of, at))(scope)
  const nothing = { wentLive: [], graduated: [], live: [], trading: [] }

  test('of a quiet day has zeros', async () => {
    expect(await digestOf(nothing, {})).toEqual({
      counts: { wentLive: 0, graduated: 0, live: 0 },
      endingSoon: [],
      newest: [],
      graduated: [],
      movers: [],
    })
  })

  test('has five of each, what ends first and what moved most at the top', async () => {
    const live = [3, 1, 2, 4, 5, 6, 7].map((index) =>
      listed(index, {
        endsAt: now + index * hour,
        change: String(index % 2 ? index / 10 : -index / 10),
        price: '1',
      }),
    )
    const late = [
      listed(8, { endsAt: now + 2 * day, change: '0' }),
      listed(9, { endsAt: now - 60 }),
    ]
    const of = { ...nothing, live: [...live, ...late], wentLive: live, graduated: late }
    const digest = await digestOf(of, {})
    const names = (entries: readonly { name: string }[]) =>
      entries.map(({ name }) => name.at(-1)).join('')
    expect(digest.counts).toEqual({ wentLive: 7, graduated: 2, live: 9 })
    expect(names(digest.endingSoon)).toBe('12345')
    expect(names(digest.movers)).toBe('76543')
    expect(names(digest.newest)).toBe('31245')
    expect(names(digest.graduated)).toBe('89')
    expect(digest.endingSoon[0]).toMatchObject({
      chain,
      symbol: 'OTTER',
      price: { amount: '1', currency: 'usd' },
      endsAt: now + hour,
    })
  })

  test('names as ending soon what ends within the day that follows', async () => {
    const ends = [now, now + 1, now + day, now + day + 1]
    const live = ends.map((endsAt, index) => listed(index, { endsAt }))
    const { endingSoon } = await digestOf({ ...nothing, live }, {})
    expect(endingSoon.map(({ endsAt }) => endsAt)).toEqual([now + 1, now + day])
  })

  const scopes: [what: string, scope: Scope, count: number][] = [
    ['everything', {}, 3],
    ['one chain', { chain: 84532 }, 1],
    ['one numeraire, in any case', { numeraire: `0x${'A'.repeat(40)}` }, 2],
    ['one creator', { creator: account(7) }, 1],
    ['one category', { category: 'builder-coin' }, 1],
    ['all of these at once', { chain, numeraire: `0x${'a'.repeat(40)}`, creator: account(7) }, 1],
    ['what nothing has', { creator: account(9) }, 0],
  ]
  test.each(scopes)('is about %s', async (_what, scope, count) => {
    const live = [
      listed(1, { numeraire: `0x${'a'.repeat(40)}`, creator: account(7) }),
      listed(2, { numeraire: `0x${'a'.repeat(40)}`, categories: ['Builder-Coin', 'x'] }),
      listed(3, {}, 84532),
    ]
    expect((await digestOf({ ...nothing, live }, scope)).counts.live).toBe(count)
  })

  test('has what others have of the same asset, worked out once', async () => {
    const live = [listed(1), listed(2, {}, 84532)]
    const digest = await digestsOf({ ...nothing, wentLive: live }, at)
    const [all, some] = [digest({}), digest({ chain: 84532 })]
    expect(some.newest).toHaveLength(1)
    expect(some.newest[0]).toBe(all.newest[1])
  })

  test('can be read again whatever strangers wrote', async () => {
    const hostile = listed(1, {
      name: '😀'.repeat(900),
      price: `0.${'1'.repeat(90)}`,
      change: '1e70',
    })
    const digest = await digestOf({ ...nothing, live: [hostile] }, {})
    const body = { kind: 'digest', filter: 1, date: '2026-06-01', zone: 'UTC', ...digest }
    expect(readBody('digest', JSON.stringify(body))).toBeDefined()
  })
})
