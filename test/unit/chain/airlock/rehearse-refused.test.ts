import {
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  parseAbiParameters,
  stringToHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moduleAt } from '../../../../sandbox/chain/modules.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'
import type { Rehearsal } from '../../../../src/chain/airlock/rehearse.ts'
import { paramsOn, salt, smartAccountAbi } from '../on-chain.ts'
import { launcher, type Stage, shown, startStage } from './rehearsing.ts'
import { ada, encodeCreate, somebody, tokenLayouts } from './sample.ts'
import { compileFile } from './solidity.ts'

let stage: Stage
let chain: Stage['chain']
let hands: Stage['hands']

beforeAll(async () => {
  stage = await startStage()
  chain = stage.chain
  hands = stage.hands
  const { code } = await compileFile(new URL('strange.sol', import.meta.url))
  // In the place of a factory that the launch contract knows.
  await hands.client.setCode({
    address: moduleAt('DN404Factory'),
    bytecode: code.StrangeFactory ?? '0x',
  })
})

afterAll(() => chain.stop())

async function refusal(params: CreateParams, other: Partial<Rehearsal> = {}) {
  const result = await stage.rehearse(params, other)
  if (result.kind !== 'refused') throw new Error('it passed')
  return result
}

describe('a token that gives somebody some besides', () => {
  const friend = somebody('friend')
  const strange = (way: string, number: number) =>
    paramsOn(chain, {
      salt: salt(number),
      tokenFactory: moduleAt('DN404Factory'),
      tokenFactoryData: encodeAbiParameters(parseAbiParameters('bytes32, address'), [
        stringToHex(way, { size: 32 }),
        friend,
      ]),
    })

  test('shows that in its holders', async () => {
    const { rehearsed } = await shown(stage, strange('told', 20))
    const tenth = 10n ** 26n
    expect(rehearsed.holders).toContainEqual({ address: friend, amount: tenth })
  })

  test.each([
    ['minted untold', 21, 'what its token gives out is not its supply'],
    ['silent', 22, /^its token does not tell all that 0x\w{40} gets$/u],
    ['no supply', 23, 'its token does not answer as one does'],
  ])('%s is refused', async (way, number, reason) => {
    expect(await refusal(strange(way, number))).toEqual({
      kind: 'refused',
      reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    })
  })

  test('to a beneficiary is refused even if only its balance tells', async () => {
    expect(await refusal(strange('seen by one', 24), { beneficiaries: [friend] })).toMatchObject({
      reason: `its token does not tell all that ${getAddress(friend)} gets`,
    })
  })
})

describe('what is wrong with a payload is said', () => {
  test('if the contracts refuse it, with what can be changed', async () => {
    const params = paramsOn(chain, { salt: salt(30), tokenFactory: moduleAt('TokenFactory') })
    const floodView = encodeAbiParameters(tokenLayouts.DERC20, [
      'Otter',
      'OTT',
      0n,
      86_400n,
      [ada],
      [params.initialSupply / 4n],
      'ipfs://x',
    ])
    expect(await refusal({ ...params, tokenFactoryData: floodView })).toEqual({
      kind: 'refused',
      reason:
        'the launch contract refuses it: vesting of 25% to one person is more than the 20% that the contract allows',
      error: {
        name: 'MaxPreMintPerAddressExceeded',
        words: 'Vesting of 25% to one person is more than the 20% that the contract allows',
        blame: 'vesting',
      },
    })
    const cut = params.poolInitializerData.slice(0, -64)
    expect(await refusal({ ...params, poolInitializerData: `0x${cut.slice(2)}` })).toMatchObject({
      error: { blame: 'template', words: expect.stringContaining('can’t be decoded') },
    })
  })

  test('if the token stands already', async () => {
    const params = paramsOn(chain, { salt: salt(31) })
    const { asset: token } = await shown(stage, params)
    await hands.send(launcher.to, encodeCreate(params))
    expect(await refusal(params, { token })).toMatchObject({
      reason: `there is a contract at ${token} already`,
      error: { blame: 'launched' },
    })
  })

  test('if another token comes of it than was said', async () => {
    const token = somebody('the token that was promised')
    const params = paramsOn(chain, { salt: salt(32) })
    const { asset } = await shown(stage, params)
    expect(await refusal(params, { token })).toEqual({
      kind: 'refused',
      reason: `it would create the token ${asset}, not ${token}`,
    })
  })

  test.each([
    ['tokenFactory', 'token factory'],
    ['governanceFactory', 'governance factory'],
    ['poolInitializer', 'pool initializer'],
    ['liquidityMigrator', 'liquidity migrator'],
  ] as const)('if its %s is not whitelisted', async (field, name) => {
    const stranger = somebody(`no ${field}`)
    const params = { ...paramsOn(chain, { salt: salt(33) }), [field]: stranger }
    expect(await refusal(params)).toMatchObject({
      reason: `the launch contract does not know ${stranger} as a ${name}`,
      error: { blame: 'template' },
    })
  })

  test('if there is no launch contract', async () => {
    const nowhere = somebody('nowhere')
    const params = paramsOn(chain, { salt: salt(34) })
    const there = `there is no launch contract at ${nowhere}`
    expect(await refusal(params, { to: nowhere })).toEqual({ kind: 'refused', reason: there })
    expect(await refusal(params, { airlock: nowhere })).toEqual({ kind: 'refused', reason: there })
  })

  test('if no launch comes of it', async () => {
    const calldata = encodeFunctionData({
      abi: smartAccountAbi,
      functionName: 'execute',
      args: [ada, 0n, '0x'],
    })
    const other = { to: chain.smartAccount, calldata }
    expect(await refusal(paramsOn(chain), other)).toEqual({
      kind: 'refused',
      reason: 'no launch comes of it',
    })
  })
})
