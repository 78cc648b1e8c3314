import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { showcaseAddresses } from '../../sandbox/interface/showcase.ts'
import { startTown, type Town } from './town.ts'
import { DiscordVisitor, TelegramVisitor, type Visitor } from './visitor.ts'

let town: Town
beforeAll(async () => {
  town = await startTown()
})
afterAll(() => town.stop())

const otter = showcaseAddresses.moonOtter

describe.each([
  ['Telegram', () => new TelegramVisitor(town)],
  ['Discord', () => new DiscordVisitor(town)],
])('on %s', (_, makeVisitor: () => Visitor) => {
  test('a card shows an asset by its address, and refreshes in place', async () => {
    const ada = makeVisitor()
    await ada.says(`/asset ${otter}`)
    await ada.sees('Moon Otter', '$OTTER', 'Base', 'Live', '42 % sold', 'Proceeds', otter)
    expect(ada.controls()).toEqual([
      'Refresh',
      'Auction',
      '🔔 Follow',
      `Explorer https://basescan.org/token/${otter}`,
      expect.stringMatching(/^Pool https:\/\/basescan\.org\/address\/0x/u),
    ])
    await ada.presses('Refresh')
    await ada.sees('Moon Otter')
  })

  test('a symbol that one asset has opens its card', async () => {
    const ada = makeVisitor()
    await ada.says('/asset lantern')
    await ada.sees('Paper Lantern', '$LANTERN', 'Graduated')
  })

  test('a symbol that several have shows them to choose from', async () => {
    const ada = makeVisitor()
    await ada.says('/asset OTTER')
    await ada.sees('Which OTTER?', 'Moon Otter', 'Otter Space')
    await ada.opens(1)
    await ada.sees('Moon Otter', otter)
  })

  test('an asset of another chain is found by its address alone', async () => {
    const ada = makeVisitor()
    const elsewhere = town.upstream.world.tokens.find(({ chain }) => chain === 84_532)
    await ada.says(`/asset ${elsewhere?.address}`)
    await ada.sees('Base Sepolia')
  })

  test('a search lists hits ten a page, and an exact address opens the card at once', async () => {
    const ada = makeVisitor()
    await ada.says('/search a limit:15')
    await ada.sees('Search: a on Base', '1.', '10.')
    await ada.presses('Next ▶')
    await ada.sees('11.', '15.', 'Page 2')
    await ada.presses('◀ Previous')
    await ada.sees('Page 1')
    await ada.says(`/search ${otter}`)
    await ada.sees('42 % sold', otter)
  })

  test('a search without hits says what to try', async () => {
    const ada = makeVisitor()
    await ada.says('/search zzzzqqqq')
    await ada.sees('Nothing on Base or Base Sepolia matches')
  })

  test('a list turns pages and changes its status in place', async () => {
    const ada = makeVisitor()
    await ada.says('/assets')
    await ada.sees('Assets on Base', '10.')
    expect(ada.controls()).toEqual(['• All', 'Incoming', 'Live', 'Graduated', 'Next ▶'])
    await ada.presses('Live')
    await ada.sees('Live assets on Base')
    await ada.presses('Next ▶')
    await ada.sees('Live assets on Base', 'Page 2', '11.')
    await ada.presses('Graduated')
    await ada.sees('Graduated assets on Base')
    await ada.opens(2)
    await ada.sees('Graduated', 'Creator')
  })

  test('every filter of a list reaches the interface', async () => {
    const ada = makeVisitor()
    const numeraire = '0x4200000000000000000000000000000000000006'
    await ada.says(
      `/assets status:live order:market_cap_desc category:builder-coin numeraire:${numeraire} creator:${otter} chain:base-sepolia limit:3`,
    )
    await ada.sees('Nothing on Base Sepolia is live')
    const { query } = town.upstream.requests.find((each) => 'creator' in each.query) ?? {}
    expect(query).toMatchObject({
      status: 'live',
      ordering: 'market_cap_desc',
      category: 'builder-coin',
      numeraire,
      creator: otter,
      chainId: '84532',
    })
  })

  test('a limit bounds the list over its pages', async () => {
    const ada = makeVisitor()
    await ada.says('/assets all limit:12')
    await ada.sees('10.')
    await ada.presses('Next ▶')
    const text = await ada.sees('11.', '12.')
    expect(text).not.toMatch(/^13\./mu)
    expect(ada.controls()).not.toContain('Next ▶')
  })

  test('an auction shows its pool with the figures of its asset', async () => {
    const ada = makeVisitor()
    await ada.says(`/asset ${otter}`)
    await ada.sees('42 % sold')
    await ada.presses('Auction')
    await ada.sees('Auction of Moon Otter', '$OTTER', 'WETH', '42 % sold')
    await ada.presses('Asset')
    await ada.sees('Moon Otter', 'Creator')
  })

  test('help lists the commands, and explains one', async () => {
    const ada = makeVisitor()
    await ada.says('/help')
    await ada.sees('/search', '/asset', '/assets', '/auction')
    await ada.says('/help assets')
    await ada.sees('order:', 'market_cap_desc', 'numeraire:')
    await ada.presses('◀ All commands')
    await ada.sees('What you can ask')
    await ada.presses('/search')
    await ada.sees('term:', 'For example: ')
    await ada.says('/start')
    await ada.sees('Gavel', 'never asks for a key')
    await ada.presses('Live auctions')
    await ada.sees('Live assets on Base')
  })

  test('in a private chat a bare address is enough', async () => {
    const ada = makeVisitor()
    await ada.says(otter)
    await ada.sees('Moon Otter', '$OTTER')
  })

  test('other words in a private chat are answered with where to begin', async () => {
    const ada = makeVisitor()
    await ada.says('hello there')
    await ada.sees('Gavel', '/search otter')
  })
})
