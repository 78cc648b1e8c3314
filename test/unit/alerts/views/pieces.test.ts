import { expect, test } from 'vitest'
import { aboutBlocks } from '../../../../src/views/facts.ts'
import { asset, base, withValue } from '../../views/sample.ts'
import { shown } from '../../views/shown.ts'
import { liveWire } from './told.ts'

function about(description: string): string | undefined {
  const wire = withValue(liveWire, ['auction_pool', 'base_token', 'token_description'], description)
  return shown({ title: [], blocks: aboutBlocks(asset(wire), base) })[1]
}

test('a long description is cut behind a word, without the dots that were there', () => {
  expect(about(`${'otters '.repeat(19)}swimming and more`)).toBe(`${'otters '.repeat(18)}otters…`)
  expect(about(`${'o'.repeat(136)}... and more`)).toBe(`${'o'.repeat(136)}…`)
  expect(about('o'.repeat(200))).toBe(`${'o'.repeat(139)}…`)
  expect(about('Short. And whole...')).toBe('Short. And whole...')
})

test('what a name imitates is said in place of the description', () => {
  const path = ['auction_pool', 'base_token', 'token_symbol']
  const wire = withValue(liveWire, path, 'ＵＳＤＣ')
  expect(shown({ title: [], blocks: aboutBlocks(asset(wire), base) }).slice(1)).toEqual([
    '⚠️ Written with look-alike letters: reads like USDC, but isn’t.',
    asset(wire).asset_address,
  ])
})
