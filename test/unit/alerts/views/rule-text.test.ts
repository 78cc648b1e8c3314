import { expect, test } from 'vitest'
import { rulesOf } from '../../../../src/alerts/rule.ts'
import { ruleText } from '../../../../src/alerts/views/list.ts'
import { defaultUnits } from '../../../../src/api/units.ts'
import { chainById } from '../../../../src/chain/chains.ts'
import { address } from '../../views/sample.ts'

const textParts = {
  names: new Map([[address, 'Moon Otter']]),
  units: defaultUnits,
  chains: [chainById(8453)],
}
const [price] = rulesOf(['price'], { asset: address, chain: 8453, above: '1234567.125' })
const [mcap] = rulesOf(['mcap'], { asset: `0x${'9'.repeat(40)}`, chain: 8453, move: 10 })

test('the chain is left out if there is only one', () => {
  expect(price && ruleText(price, textParts)).toBe('Moon Otter’s price rises above $1,234,567.125')
  const two = { ...textParts, chains: [chainById(8453), chainById(1)] }
  expect(price && ruleText(price, two)).toBe(
    'Moon Otter’s price rises above $1,234,567.125 on Base',
  )
})

test('an asset without a known name goes by its address', () => {
  expect(mcap && ruleText(mcap, textParts)).toBe('0x9999…9999’s market cap moves by 10 %')
})

test.each([
  ['price', 'pool_price', 'Moon Otter’s price rises above 300,000 of its quote token'],
  ['mcap', 'pool_market_cap', 'Moon Otter’s market cap rises above 300,000 of its quote token'],
] as const)(
  'if the API gives %s in the quote token (%s), so does the rule',
  (kind, field, text) => {
    const units = { ...defaultUnits, [field]: 'numeraire' as const }
    const [rule] = rulesOf([kind], { asset: address, chain: 8453, above: '300000' })
    expect(rule && ruleText(rule, { ...textParts, units })).toBe(text)
  },
)

test('a quote token has its name only on a chain that is named', () => {
  const weth = '0x4200000000000000000000000000000000000006'
  const [anywhere] = rulesOf(['live'], { numeraire: weth })
  const [onBase] = rulesOf(['live'], { numeraire: weth, chain: 8453 })
  expect(anywhere && ruleText(anywhere, textParts)).toBe(
    'Every auction that goes live sold for 0x4200…0006',
  )
  expect(onBase && ruleText(onBase, textParts)).toBe(
    'Every auction that goes live on Base sold for WETH',
  )
})
