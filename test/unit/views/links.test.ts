import { describe, expect, test } from 'vitest'
import { chainById } from '../../../src/chain/chains.ts'
import type { View } from '../../../src/core/view.ts'
import { links as linksSetting } from '../../../src/setting-forms.ts'
import { withLinks } from '../../../src/views/links.ts'
import { address, cardParts, fullAsset, withValue } from './sample.ts'
import { controls } from './shown.ts'

const base = chainById(8453)
const view: View = { title: ['Moon Otter'], blocks: [], buttons: [[{ label: 'a', line: 'help' }]] }
const live = withValue(fullAsset, ['graduation_pool'], undefined)
const pool = `0x${'a'.repeat(40)}`
/** The pool initializer that all auctions of Robinhood Chain share. */
const module = '0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544'

function links(setting: unknown, wire: object = live, chain = base): string[] {
  const { asset } = cardParts(wire)
  return controls(withLinks(view, asset, chain, linksSetting.parse(setting)))
    .slice(1)
    .flat()
}

describe('the operator’s links', () => {
  test('stand below a view with what they ask for, and with the referral', () => {
    const trade = {
      label: 'Trade',
      url: 'https://dex.example/{chain}/{address}?ref=me&on={chainId}#{pool}',
    }
    expect(links([trade])).toEqual([
      `Trade https://dex.example/base/${address}?ref=me&on=8453#${pool}`,
    ])
    expect(links([])).toEqual([])
  })

  test('stand only on their chains and statuses', () => {
    const to = (more: object) => [{ label: 'Bid', url: 'https://dex.example/{address}', ...more }]
    expect(links(to({ chains: [8453] }))).toHaveLength(1)
    expect(links(to({ chains: [84532] }))).toEqual([])
    expect(links(to({ status: ['live', 'incoming'] }))).toHaveLength(1)
    expect(links(to({ status: ['graduated'] }))).toEqual([])
  })

  test('are left out where the pool is unknown, or is none', () => {
    const chart = [{ label: 'Chart', url: 'https://chart.example/{pool}' }]
    expect(links(chart)).toHaveLength(1)
    const of = (value: unknown) => withValue(live, ['auction_pool', 'pool_address'], value)
    expect(links(chart, of('javascript:alert(1)'))).toEqual([])
    expect(links(chart, withValue(of(undefined), ['auction_pool', 'pool_id'], undefined))).toEqual(
      [],
    )
  })

  test('have the pool’s id where auctions share an address, and are left out without one', () => {
    const chart = [{ label: 'Chart', url: 'https://chart.example/{pool}' }]
    const hooked = withValue(live, ['auction_pool', 'pool_address'], module)
    const id = (value: unknown) => withValue(hooked, ['auction_pool', 'pool_id'], value)
    expect(links(chart, hooked)).toEqual([`Chart https://chart.example/0x${'c'.repeat(64)}`])
    expect(links(chart, id(`4663-${address}`))).toEqual([
      `Chart https://chart.example/4663-${address}`,
    ])
    expect(links(chart, id(undefined))).toEqual([])
  })

  test.each([
    ['http://dex.example/{address}', 'must begin with https://'],
    ['https://me:secret@dex.example/{address}', 'must begin with https://'],
    ['https://a_b.example/{address}', 'must begin with https://'],
    ['https://{chain}.example/{address}', 'must have a host without braces'],
    ['https://dex.example/{token}', 'may have {address}, {pool}, {chain}, {chainId} in it'],
  ])('with the address %s are refused', (url, message) => {
    const { error } = linksSetting.safeParse([{ label: 'Trade', url }])
    expect(error?.issues.map((issue) => issue.message).join()).toContain(message)
  })
})
