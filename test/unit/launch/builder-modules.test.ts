import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { type ModuleName, moduleAt, moduleEntries } from '../../../sandbox/chain/modules.ts'
import type { Launcher } from '../../../src/chain/launchers.ts'
import { modulesSchema } from '../../../src/launch/settings.ts'
import { bundler, path, plan, v3In, wrap } from '../chain/airlock/plans.ts'
import { handsOn } from '../chain/on-chain.ts'
import { textOf, watchful } from './seen.ts'
import * as tampering from './tampering.ts'
import { builds, calls, type Params } from './tampering.ts'
import { alarmOf, expectUnverified, expectVerified, lineAfter, rowOf } from './unverified.ts'
import { ada, answers, chainId, confirm, launcher, Works, wallet } from './works.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
afterEach(() => works.stop())

/** A bot whose operator did not name this module. */
function without(name: ModuleName, where: { chain?: LocalChain } = { chain }): Promise<Works> {
  const known = moduleEntries.filter(({ address }) => address !== moduleAt(name))
  const modules = modulesSchema.parse({ [chainId]: known })
  return Works.start({ ...where, settings: { modules } })
}

describe('a payload of a module that nobody named is not verified, though its data can be read', () => {
  test.each([
    ['TokenFactory80', 'token factory'],
    ['NoOpGovernanceFactory', 'governance factory'],
    ['UniswapV4MulticurveInitializer', 'pool initializer'],
    ['NoOpMigrator', 'liquidity migrator'],
  ] as const)('%s', async (name, kind) => {
    works = await without(name)
    const { text, payload } = await expectUnverified(works)
    const reasons = lineAfter(text, 'Not verified: ')
    expect(reasons).toContain(`the ${kind} ${moduleAt(name)}`)
    expect((await handsOn(chain).send(payload.to, payload.calldata)).status).toBe('success')
  })

  test('a hook', async () => {
    works = await without('RehypeDopplerHookInitializer', {})
    const address = moduleAt('RehypeDopplerHookInitializer')
    builds(works, (params) => ({
      poolInitializer: moduleAt('DopplerHookInitializer'),
      poolInitializerData: tampering.hooked(params, {
        address,
        data: tampering.rehype(params, wallet, 10_000),
      }),
    }))
    const { text } = await expectUnverified(works)
    expect(lineAfter(text, 'Not verified: ')).toContain(`the hook ${address}`)
  })

  test('one that is known on another chain alone', async () => {
    const modules = modulesSchema.parse({ 84532: moduleEntries })
    works = await Works.start({ chain, settings: { modules } })
    const { text } = await expectUnverified(works)
    expect(lineAfter(text, 'Not verified: ')).toContain(moduleAt('TokenFactory80'))
  })

  test('one that is known as a module of another kind', async () => {
    const others = moduleEntries.map((each) =>
      each.address === moduleAt('NoOpMigrator')
        ? { ...each, kind: 'governance factory', layout: 'no-op-governance' }
        : each,
    )
    const modules = modulesSchema.parse({ [chainId]: others })
    works = await Works.start({ chain, settings: { modules } })
    const { text } = await expectUnverified(works)
    expect(lineAfter(text, 'Not verified: ')).toContain('the data of the liquidity migrator')
  })
})

describe('data in another layout than their module’s are not verified', () => {
  // What these modules are told, they ignore: the chain takes it.
  const ignored: [what: string, change: Partial<Params>][] = [
    ['governance factory', { governanceFactoryData: tampering.account(wallet) }],
    ['liquidity migrator', { liquidityMigratorData: tampering.account(wallet) }],
  ]

  test.each(ignored)('of the %s', async (what, change) => {
    works = await Works.start({ chain })
    builds(works, () => change)
    const { text, payload } = await expectUnverified(works)
    expect(lineAfter(text, 'Not verified: ')).toContain(`the data of the ${what}`)
    expect((await handsOn(chain).send(payload.to, payload.calldata)).status).toBe('success')
  })

  test('of a hook that is not there', async () => {
    works = await Works.start()
    const nobody = `0x${'00'.repeat(20)}` as const
    builds(works, (params) => ({
      poolInitializer: moduleAt('DopplerHookInitializer'),
      poolInitializerData: tampering.hooked(params, { address: nobody, data: '0x1234' }),
    }))
    const { text } = await expectUnverified(works)
    expect(lineAfter(text, 'Not verified: ')).toContain('no hook')
  })

  test('with a word behind the parameters', async () => {
    works = await Works.start()
    calls(works, (_, { calldata }) => `${calldata}${'00'.repeat(32)}`)
    const { text } = await expectUnverified(works)
    expect(lineAfter(text, 'Not verified: ')).toContain('not exactly one call of create')
  })
})

describe('other functions that launch', () => {
  const other: Launcher = {
    ...launcher,
    launch: `0x${'11'.repeat(20)}`,
    bundle: `0x${'22'.repeat(20)}`,
  }
  const structs = [
    'struct CreateParams { uint256 initialSupply; uint256 numTokensToSell; address numeraire; address tokenFactory; bytes tokenFactoryData; address governanceFactory; bytes governanceFactoryData; address poolInitializer; bytes poolInitializerData; address liquidityMigrator; bytes liquidityMigratorData; address integrator; bytes32 salt; }',
    'struct Binding { address launcher; bytes32 paramsHash; address expectedAsset; uint256 deadline; }',
  ] as const
  const abi = parseAbi([
    ...structs,
    'function launch(CreateParams params, Binding binding, bytes signature)',
    'function bundle(CreateParams params, bytes commands, bytes[] inputs)',
  ])

  function launch(params: Params, binding: { launcher: Address; expectedAsset: Address }): Hex {
    const bound = {
      ...binding,
      paramsHash: `0x${'ab'.repeat(32)}`,
      deadline: BigInt(deadline),
    } as const
    return encodeFunctionData({ abi, functionName: 'launch', args: [params, bound, '0x1234'] })
  }
  let deadline = 0
  const thief: Address = `0x${'ee'.repeat(20)}`

  beforeEach(async () => {
    works = await Works.start({ settings: { launchers: { [chainId]: other } } })
    deadline = works.now() + 600
  })

  test('one that is bound to the wallet goes to its own contract, and its link ends in time', async () => {
    calls(works, (params, { token }) => launch(params, { launcher: wallet, expectedAsset: token }))
    const read = await expectVerified(works)
    expect(read.payload).toMatchObject({ to: other.launch, airlock: launcher.airlock })
    expect(read.payload.linkExpiresAt).toBe(deadline)
    expect(read.text).not.toContain('the sale begins')
    const { does = [] } = rowOf(read, 'binding')
    expect(does).toContain('you')
    expect(does).toContainEqual({ time: deadline })
  })

  test('one that its launcher takes for a minute alone is refused', async () => {
    deadline = works.now() + 60
    calls(works, (params, { token }) => launch(params, { launcher: wallet, expectedAsset: token }))
    const bot = await works.bot()
    const view = await confirm(bot, await works.draft(bot))
    expect(textOf(view)).toContain('for so short a time')
    expect(textOf(view)).not.toContain('Hand it out')
  })

  test('one that is bound to somebody else is not verified', async () => {
    calls(works, (params, { token }) => launch(params, { launcher: thief, expectedAsset: token }))
    expect(alarmOf(await expectUnverified(works), 'binding')).toMatch(
      /eeee…eeee.*another account/iu,
    )
  })

  test('one that is bound to another token is not verified', async () => {
    calls(works, (params) => launch(params, { launcher: wallet, expectedAsset: thief }))
    const { text } = await expectUnverified(works)
    expect(lineAfter(text, 'Not verified: ')).toContain('another token')
  })

  test('one whose contract nobody knows is not verified', async () => {
    const unknown = await Works.start()
    try {
      calls(unknown, (params, { token }) =>
        launch(params, { launcher: wallet, expectedAsset: token }),
      )
      const { text } = await expectUnverified(unknown)
      expect(lineAfter(text, 'Not verified: ')).toMatch(/no contract is known on Base .*launch/u)
    } finally {
      await unknown.stop()
    }
  })

  test('a first purchase that nobody asked for is not verified: what it pays, gets and for whom', async () => {
    calls(works, (params, { token }) => {
      const bought = v3In(5n * 10n ** 17n, 10n ** 24n, bundler, path(params.numeraire, token))
      const { commands, inputs } = plan(wrap(5n * 10n ** 17n), bought)
      const args = [params, commands, [...inputs]] as const
      return encodeFunctionData({ abi, functionName: 'bundle', args })
    })
    const read = await expectUnverified(works, { answers })
    expect(alarmOf(read, 'purchase')).toMatch(/1,000,000 tokens.*0\.5 WETH.*you/u)
    expect(read.payload).toMatchObject({ to: other.bundle, value: String(5n * 10n ** 17n) })
    expect(rowOf(read, 'value').does?.join('')).toContain('0.5 ETH')
    const raw = await read.bot.launches.press(`raw ${read.payload.id}`, ada, watchful().show)
    expect(textOf(raw)).toContain('Value: 0.5 ETH')
    const files = raw.files?.map(({ bytes }) => Buffer.from(bytes).toString()) ?? []
    expect(files).toHaveLength(2)
    for (const file of files) expect(file).toContain('"value": "500000000000000000"')
  })
})
