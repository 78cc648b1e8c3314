import { ADDRESSES, type ChainAddresses } from '@whetstone-research/doppler-sdk/evm'
import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { type LayoutId, layouts } from '../../../../src/chain/airlock/layouts.ts'
import { knownModules, moduleBook } from '../../../../src/chain/airlock/modules.ts'
import { knownLaunchers } from '../../../../src/chain/chains.ts'
import { somebody } from './sdk.ts'

/** The layout of each module, by the SDK's own name for it. */
const names = {
  tokenFactory: 'derc20',
  derc20V2Factory: 'clone-derc20-votes-v2',
  dopplerERC20V1Factory: 'doppler-erc20-v1',
  doppler404Factory: 'dn404',
  v3Initializer: 'v3',
  lockableV3Initializer: 'v3-lockable',
  v4Initializer: 'v4-dynamic',
  v4MulticurveInitializer: 'multicurve',
  v4ScheduledMulticurveInitializer: 'scheduled-multicurve',
  v4DecayMulticurveInitializer: 'decay-multicurve',
  dopplerHookInitializer: 'doppler-hook',
  rehypeDopplerHookInitializer: 'rehype-initializer-2026-06',
  governanceFactory: 'governance',
  noOpGovernanceFactory: 'no-op-governance',
  launchpadGovernanceFactory: 'launchpad-governance',
  v2Migrator: 'v2',
  v2MigratorSplit: 'v2-split',
  v4Migrator: 'v4',
  v4MigratorSplit: 'v4-split',
  dopplerHookMigrator: 'doppler-hook-migrator',
  rehypeDopplerHookMigrator: 'rehype-migrator',
  noOpMigrator: 'no-op-migrator',
} as const satisfies Partial<Record<keyof ChainAddresses, LayoutId>>

const chains = Object.entries(ADDRESSES).map(([id, addresses]) => ({ id: Number(id), addresses }))

describe('the known modules', () => {
  test.each(chains)(
    'contain those that the SDK names on chain $id, with the layout of its name',
    ({ id, addresses }) => {
      const book = moduleBook(id)
      const named = Object.entries(names).flatMap(([name, layout]) => {
        const address = new Map(Object.entries(addresses)).get(name)
        return address === undefined || address === zeroAddress ? [] : [{ name, layout, address }]
      })
      expect(named.length).toBeGreaterThanOrEqual(5)
      const found = named.map((each) => ({
        ...each,
        layout: book.get(each.address.toLowerCase())?.layout,
      }))
      expect(found).toEqual(named)
    },
  )

  test('contain no address twice on a chain', () => {
    const places = knownModules().map(({ chain, address }) => `${chain} ${address.toLowerCase()}`)
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  })

  test('contain a module of every layout', () => {
    const known = new Set(knownModules().map(({ layout }) => layout))
    expect([...known].sort()).toEqual(Object.keys(layouts).sort())
  })

  test('are overridden by the operator’s own modules', () => {
    const [known] = knownModules()
    if (!known) throw new Error('none is known')
    const own = somebody('own factory')
    const book = moduleBook(known.chain, [
      { address: own, layout: 'dn404', name: 'Our collectibles' },
      { address: known.address, layout: 'v2' },
    ])
    expect(book.get(own.toLowerCase())).toEqual({
      address: own,
      layout: 'dn404',
      name: 'Our collectibles',
    })
    expect(book.get(known.address.toLowerCase())?.layout).toBe('v2')
    expect(moduleBook(known.chain).get(own.toLowerCase())).toBeUndefined()
  })
})

test.each(chains.filter(({ id }) => id in knownLaunchers))(
  'the launch contract of chain $id and its bundler are the SDK’s',
  ({ id, addresses }) => {
    const { airlock, bundle } = knownLaunchers[id] ?? {}
    expect(airlock?.toLowerCase()).toBe(addresses.airlock.toLowerCase())
    if (bundle) expect(bundle.toLowerCase()).toBe(addresses.bundler?.toLowerCase())
  },
)
