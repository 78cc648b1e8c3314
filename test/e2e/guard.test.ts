import { afterEach, describe, expect, test } from 'vitest'
import { startTown, type Town } from './town.ts'
import { DiscordVisitor, TelegramVisitor, type Visitor } from './visitor.ts'

let town: Town | undefined
afterEach(() => town?.stop())

test('where the interface ignores the chain, one chain’s tokens never show as another’s', async () => {
  town = await startTown({ interface: { queryNames: { chain: 'network' } } })
  const ada = new TelegramVisitor(town)
  const reason = 'The data source gives assets of Base when asked for Base Sepolia'
  await ada.says('/assets chain:base-sepolia')
  await ada.sees('nothing of Base Sepolia can be shown')
  expect(ada.controls()).not.toContain('Next ▶')
  await ada.says('/search o chain:base-sepolia')
  await ada.sees(reason)
  const [token] = town.upstream.world.tokens.filter(({ chain }) => chain === 8453)
  await ada.says(`/asset ${token?.address} chain:base-sepolia`)
  await ada.sees(reason)
  await ada.says('/asset zzzz')
  await ada.sees('Nothing on Base is called "zzzz"', reason)
  await ada.says('/assets chain:base')
  await ada.sees('Assets on Base', '1.')
  expect(town.output()).toMatch(/chain/u)
})

test('an operator who names the parameter gets both chains', async () => {
  town = await startTown({
    interface: { queryNames: { chain: 'network', term: 'q' } },
    env: { API_QUERY_NAMES: '{"chain":"network","term":"q"}' },
  })
  const ada = new TelegramVisitor(town)
  await ada.says('/assets chain:base-sepolia')
  await ada.sees('Assets on Base Sepolia', '1.')
  await ada.says('/asset LANTERN')
  await ada.sees('Paper Lantern')
})

const platforms: [string, (where: Town) => Visitor][] = [
  ['Telegram', (where) => new TelegramVisitor(where)],
  ['Discord', (where) => new DiscordVisitor(where)],
]

describe.each(platforms)('on %s', (_, makeVisitor) => {
  test('where the interface ignores the offset, the list ends and says why', async () => {
    town = await startTown({ interface: { queryNames: { offset: 'skip' } } })
    const ada = makeVisitor(town)
    await ada.says('/assets live')
    await ada.sees('Live assets on Base', '10.')
    await ada.presses('Next ▶')
    await ada.sees('This list can’t be paged')
    expect(ada.controls()).not.toContain('Next ▶')
    await ada.presses('◀ Previous')
    await ada.sees('10.', 'Page 1')
  })

  test('where the interface ignores filters and order, a list says what it is', async () => {
    town = await startTown({ interface: { queryNames: { status: 's', ordering: 'o' } } })
    const ada = makeVisitor(town)
    await ada.says('/assets status:all order:market_cap_desc')
    await ada.sees('1.', 'Not sorted by market cap: the data source gives its own order.')
    await ada.says('/assets live')
    const text = await ada.sees('Live assets on Base', 'Left out: ', 'with another status.')
    expect(text).not.toContain('🎓')
  })
})
