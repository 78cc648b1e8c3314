import { describe, expect, test } from 'vitest'
import type { ReadAssets } from '../../../src/api/asset.ts'
import { assetSchema } from '../../../src/api/schema.ts'
import { isDisjoint, isSameOrder, isUnchanged } from '../../../src/doctor/trial.ts'

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
  return { assets, received: assets.length }
}

function reversed(given: ReadAssets): ReadAssets {
  return { ...given, assets: given.assets.toReversed() }
}

describe('two listings', () => {
  const before = listing(20, 1)
  const undated = (given: ReadAssets): ReadAssets => ({
    ...given,
    assets: given.assets.map(({ asset_address }) => assetSchema.parse({ asset_address })),
  })
  const turned = { ...before, assets: [...before.assets.slice(1), ...before.assets.slice(0, 1)] }

  test.each<[string, ReadAssets, ReadAssets, boolean]>([
    ['where three assets arrived and others were pushed off', before, listing(23, 4), true],
    ['where three assets arrived', before, listing(23, 1), true],
    ['where half of one arrived, newer than the rest', before, listing(30, 11), true],
    ['where more than half of one arrived', before, listing(31, 12), false],
    [
      'where three arrived of which nobody knows when',
      undated(before),
      undated(listing(23, 4)),
      true,
    ],
    [
      'where four arrived of which nobody knows when',
      undated(before),
      undated(listing(24, 5)),
      false,
    ],
    ['where the first became the last', before, turned, false],
    ['where the order is the opposite', before, reversed(before), false],
    ['where the last is missing', before, listing(20, 2), false],
    ['where the first is missing', before, listing(19, 1), false],
  ])('have the same order, or not, %s', (_, one, other, isSame) => {
    expect(isSameOrder(one, other)).toBe(isSame)
  })

  test.each<[string, ReadAssets, ReadAssets, boolean]>([
    ['where three assets arrived', before, listing(23, 4), true],
    ['where the first became the last', before, turned, true],
    ['where the order is the opposite', before, reversed(before), true],
    ['where both are empty', listing(0, 1), listing(0, 1), true],
    ['where one is empty', listing(0, 1), listing(2, 1), false],
    ['where all is new', listing(2, 1), listing(4, 3), false],
    ['where the last is missing', before, listing(20, 2), false],
    ['where the first is missing', before, listing(19, 1), false],
  ])('are unchanged, or not, %s', (_, one, other, isSame) => {
    expect(isUnchanged(one, other)).toBe(isSame)
  })

  test('are disjoint if no asset stands in both, and an empty one is disjoint from all', () => {
    expect(isDisjoint(listing(20, 11), listing(10, 1))).toBe(true)
    expect(isDisjoint(listing(20, 10), listing(10, 1))).toBe(false)
    expect(isDisjoint(before, listing(0, 1))).toBe(true)
  })
})
