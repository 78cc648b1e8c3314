import { expect, test } from 'vitest'
import { figuresOf } from '../../../src/api/figures.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { saleSpans } from '../../../src/views/facts.ts'
import { asset, base, fullAsset, now, withValue } from './sample.ts'

const { graduation_pool: _, ...live } = fullAsset

function line(wire: object, at = now): string {
  const made = asset(wire)
  return plainText(saleSpans(made, figuresOf(made, defaultUnits), base, at))
}

const unsold = { pool_current_total_tokens_sold: '0' }

test.each([
  ['12500000000000000000', 'raised 12.5 WETH, minimum reached'],
  ['5000000000000000000', 'raised 5 WETH, minimum reached'],
  ['4000000000000000000', 'raised 4 WETH, 1 WETH short of the minimum'],
  ['0', 'raised 0 WETH, 5 WETH short of the minimum'],
])('a creator reads what %s raised is of the minimum', (raised, words) => {
  const auction = { pool_current_total_proceeds: raised, ...(raised === '0' && unsold) }
  const wire = { ...live, auction_pool: { ...live.auction_pool, ...auction } }
  expect(line(wire)).toMatch(/^🟢 Live · /u)
  expect(line(wire)).toContain(` · ${words} · ends `)
})

test('without a minimum nothing is said of one', () => {
  const wire = withValue(live, ['auction_pool', 'pool_config_min_proceeds'], undefined)
  expect(line(wire)).toContain(' · raised 12.5 WETH · ends ')
})

test('an end that has passed is one', () => {
  expect(line(live, now + 7201)).toContain(' · ended ')
})

test('what became of it is its status', () => {
  expect(line({ ...fullAsset, asset_status: 'graduated' })).toMatch(/^🎓 Graduated · raised/u)
  expect(line({ ...live, asset_status: 'stall' })).toMatch(/^⏸️ Ended, not graduated · raised/u)
})

test('one to come says when it begins, and nothing of what it raised', () => {
  const start = String(now + 600)
  const wire = withValue(live, ['auction_pool', 'pool_config_starting_time'], start)
  expect(line({ ...wire, asset_status: 'incoming' })).toMatch(/^🕒 Upcoming · starts [^·]+$/u)
})
