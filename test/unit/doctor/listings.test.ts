import { describe, expect, onTestFinished, test } from 'vitest'
import type { ReadAssets } from '../../../src/api/answers.ts'
import { assetSchema } from '../../../src/api/schema.ts'
import { isDisjoint, isSameOrder, isUnchanged } from '../../../src/doctor/judge.ts'
import { httpServer } from '../api/server.ts'
import { examine } from './refusing-server.ts'

function asset(id: number) {
  return {
    asset_address: `0x${id.toString(16).padStart(40, '0')}`,
    asset_creation_timestamp: new Date(Date.UTC(2026, 0, 1) + id * 60_000).toISOString(),
  }
}

/** The assets from one number down to another: the newest first. */
function listing(newest: number, oldest: number): ReadAssets {
  const ids = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index)
  const assets = ids.map((id) => assetSchema.parse(asset(id)))
  return { assets, received: assets.length, unusable: 0 }
}

function reversed(given: ReadAssets): ReadAssets {
  return { ...given, assets: given.assets.toReversed() }
}

describe('two listings', () => {
  const before = listing(20, 1)

  test('are the same where up to three assets arrived, with and without others pushed off the page', () => {
    for (const arrived of [0, 1, 2, 3]) {
      expect(isSameOrder(before, listing(20 + arrived, 1 + arrived))).toBe(true)
      expect(isUnchanged(before, listing(20 + arrived, 1 + arrived))).toBe(true)
      expect(isSameOrder(before, listing(20 + arrived, 1))).toBe(true)
    }
  })

  test('are the same where up to half of one arrived, if that is newer than the rest', () => {
    expect(isSameOrder(before, listing(30, 11))).toBe(true)
    expect(isSameOrder(before, listing(31, 12))).toBe(false)
    const undated = (given: ReadAssets): ReadAssets => ({
      ...given,
      assets: given.assets.map(({ asset_address }) => assetSchema.parse({ asset_address })),
    })
    expect(isSameOrder(undated(before), undated(listing(23, 4)))).toBe(true)
    expect(isSameOrder(undated(before), undated(listing(24, 5)))).toBe(false)
  })

  test('are not the same where all that one has is new to the other', () => {
    expect(isUnchanged(listing(1, 1), listing(2, 2))).toBe(false)
    expect(isUnchanged(listing(2, 1), listing(4, 3))).toBe(false)
    expect(isUnchanged(listing(0, 1), listing(2, 1))).toBe(false)
    expect(isUnchanged(listing(0, 1), listing(0, 1))).toBe(true)
  })

  test('are not the same where some are missing, or what arrived was there before', () => {
    expect(isUnchanged(before, listing(20, 2))).toBe(false)
    expect(isUnchanged(before, listing(19, 1))).toBe(false)
    expect(
      isUnchanged(before, {
        ...before,
        assets: [...before.assets.slice(1), ...before.assets.slice(0, 1)],
      }),
    ).toBe(true)
    expect(
      isSameOrder(before, {
        ...before,
        assets: [...before.assets.slice(1), ...before.assets.slice(0, 1)],
      }),
    ).toBe(false)
  })

  test('in another order have the same assets, and are not in the same order', () => {
    expect(isUnchanged(before, reversed(before))).toBe(true)
    expect(isSameOrder(before, reversed(before))).toBe(false)
  })

  test('are disjoint if no asset stands in both, and an empty one is disjoint from all', () => {
    expect(isDisjoint(listing(20, 11), listing(10, 1))).toBe(true)
    expect(isDisjoint(listing(20, 10), listing(10, 1))).toBe(false)
    expect(isDisjoint(before, listing(0, 1))).toBe(true)
  })

  test('with an address on two chains are told apart by the time of creation', () => {
    const one = assetSchema.parse(asset(1))
    const other = assetSchema.parse({
      ...asset(1),
      asset_creation_timestamp: '2025-01-01T00:00:00Z',
    })
    const of = (each: typeof one): ReadAssets => ({ assets: [each], received: 1, unusable: 0 })
    expect(isUnchanged(of(one), of(other))).toBe(false)
  })
})

/** Lists 70 assets and one more after every fourth answer; `minds` says which parameters have an effect. */
async function growing(minds: readonly string[]): Promise<string> {
  let answers = 0
  const server = await httpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://a.example')
    const given = (name: string, usual: number) =>
      minds.includes(name) ? Number(url.searchParams.get(name) ?? usual) : usual
    answers += 1
    const all = listing(70 + Math.floor(answers / 4), 1).assets
    const [offset, limit] = [given('offset', 0), given('limit', 20)]
    response.end(JSON.stringify({ result: all.slice(offset, offset + limit) }))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server.url
}

describe('where assets arrive all the time', () => {
  const verdicts = async (minds: readonly string[]) => {
    const { names, settings } = await examine(await growing(minds), { chains: [8453] })
    expect(settings).toEqual([])
    return Object.fromEntries(names.map(({ meaning, verdict }) => [meaning, verdict]))
  }

  test('limit and offset still have an effect', async () => {
    expect(await verdicts(['limit', 'offset'])).toMatchObject({ limit: 'well', offset: 'well' })
  })

  test('what has no effect is not taken to have one', async () => {
    const all = await verdicts(['limit'])
    expect(all).toMatchObject({
      limit: 'well',
      offset: 'wrong',
      status: 'wrong',
      ordering: 'wrong',
      creator: 'wrong',
    })
  })
})
