import { afterEach, expect, test } from 'vitest'
import { startTown, type Town } from './town.ts'
import { TelegramVisitor } from './visitor.ts'

let town: Town | undefined
afterEach(() => town?.stop())

test('where the interface ignores the chain, one chain’s tokens never show as another’s', async () => {
  town = await startTown({ interface: { queryNames: { chain: 'network' } } })
  const ada = new TelegramVisitor(town)
  await ada.says('/assets chain:base-sepolia')
  await ada.sees('Nothing on Base Sepolia')
  await ada.says('/search o chain:base-sepolia')
  await ada.sees('Nothing on Base Sepolia')
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
