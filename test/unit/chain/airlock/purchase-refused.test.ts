import { CommandType } from 'doppler-router/dist/CommandBuilder.js'
import { V4ActionType } from 'doppler-router/dist/V4ActionBuilder.js'
import {
  type Address,
  encodeAbiParameters,
  maxUint256,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { describe, expect, it } from 'vitest'
import type { Bundle } from '../../../../src/chain/airlock/calldata.ts'
import { readPurchase } from '../../../../src/chain/airlock/purchase.ts'
import {
  type Action,
  alice,
  balance,
  bundler,
  buyIn,
  buyOut,
  type Command,
  mallory,
  onV4,
  path,
  plan,
  router,
  sweep,
  token,
  v3,
  v3In,
  v3Out,
  v4,
  weth,
  wrap,
} from './plans.ts'

const { PAY_PORTION, PERMIT2_PERMIT, PERMIT2_TRANSFER_FROM, UNWRAP_WETH, V2_SWAP_EXACT_IN } =
  CommandType
const { SETTLE, SETTLE_ALL, SWAP_EXACT_IN_SINGLE, TAKE, TAKE_PORTION, UNWRAP } = V4ActionType

const bought = v3In(5n, 7n, alice)
const kept = v3In(5n, 7n, router)
const exactly = v3Out(7n, 5n, alice)
const permit = {
  details: { token: weth, amount: 5n, expiration: 1, nonce: 0 },
  spender: mallory,
  sigDeadline: 1n,
}
const along = (...way: Address[]) => v3In(5n, 7n, alice, path(...way))

const swapped = buyIn(weth, token, 5n, 7n)
const settled: Action = [SETTLE, [weth, 5n, false]]
const taken: Action = [TAKE, [token, alice, 0n]]
const key = { fee: 0x800000, tickSpacing: 8 }
const told = (hooks: Address, hookData: string): Action => [
  SWAP_EXACT_IN_SINGLE,
  [
    {
      poolKey: { ...key, currency0: weth, currency1: token, hooks },
      zeroForOne: true,
      amountIn: 5n,
      amountOutMinimum: 7n,
      hookData,
    },
  ],
]

describe('A first purchase is not verified', () => {
  it.each<[string, Command[]]>([
    ['buys nothing', [wrap(5n)]],
    ['is more than one trade', [wrap(10n), bought, bought]],
    ['goes through other tokens', [wrap(5n), along(weth, mallory, token)]],
    ['not the quote token for the new token', [wrap(5n), along(weth, mallory)]],
    ['not the quote token for the new token', [wrap(5n), along(token, weth)]],
    ['is paid by the bundler', [wrap(5n), v3In(5n, 7n, alice, path(weth, token), true)]],
    ['leaves something in the router', [wrap(6n), bought]],
    ['leaves something in the router', [wrap(5n), exactly]],
    ['leaves something in the router', [wrap(5n), kept]],
    ['hands no tokens out', [wrap(5n), kept]],
    [`gives a part of the payment to ${mallory}`, [wrap(6n), bought, sweep(weth, mallory)]],
    [
      `gives a part of the payment to ${mallory}`,
      [wrap(5n), exactly, [UNWRAP_WETH, [mallory, 0n]]],
    ],
    [`gives a part of the payment to ${mallory}`, [wrap(5n, mallory), bought]],
    ['to the bundler, which can’t take it', [wrap(5n), exactly, [UNWRAP_WETH, [bundler, 0n]]]],
    ['asks for more than there is', [wrap(4n), bought]],
    [
      'hands tokens out more than once',
      [wrap(10n), kept, sweep(token, alice), v3In(5n, 7n, bundler)],
    ],
    ['gives the tokens to nobody', [wrap(5n), v3In(5n, 7n, zeroAddress)]],
    ['does not say how much it pays', [wrap(balance), v3In(balance, 7n, alice)]],
    [
      'sets no limit on what it pays',
      [wrap(balance), v3Out(7n, maxUint256, alice), sweep(weth, alice)],
    ],
    ['moves another token', [wrap(5n), bought, sweep(mallory, alice)]],
    ['asks for more than there is', [wrap(5n), bought, sweep(token, alice, 1n)]],
    ['asks for a minimum of what is left', [wrap(6n), bought, sweep(weth, alice, 1n)]],
    [
      'gives a part away',
      [wrap(5n), kept, [PAY_PORTION, [token, mallory, 100n]], sweep(token, alice)],
    ],
    ['uses a permit', [[PERMIT2_TRANSFER_FROM, [weth, router, 5n]], bought]],
    ['uses a permit', [[PERMIT2_PERMIT, [permit, '0x']], wrap(5n), bought]],
    ['buys in Uniswap V2', [wrap(5n), [V2_SWAP_EXACT_IN, [alice, 5n, 7n, [weth, token], false]]]],
  ])('in V3: it %s', (problem, commands) => {
    const { problems } = readPurchase(plan(...commands), weth, token, v3)
    expect(problems.join('\n')).toContain(problem)
  })

  it.each<[string, Action[]]>([
    ['is not known to be from the pool of this launch', [told(mallory, '0x'), settled, taken]],
    ['tells a hook something', [told(alice, '0x12'), settled, taken]],
    ['does not settle', [swapped, taken]],
    ['does not settle', [swapped, settled, [TAKE, [token, alice, 9n]]]],
    ['is paid by the bundler', [swapped, [SETTLE_ALL, [weth, 5n]], taken]],
    ['asks for more than there is', [swapped, [SETTLE_ALL, [weth, 4n]], taken]],
    ['gives a part away', [swapped, settled, [TAKE_PORTION, [token, mallory, 100n]], taken]],
    ['has action 0x16, which is not known', [swapped, settled, taken, [UNWRAP, [0n]]]],
    ['does not say how much it buys', [buyOut(weth, token, 0n, 5n), settled, taken]],
    [
      `gives a part of the payment to ${mallory}`,
      [buyOut(weth, token, 7n, 5n), settled, taken, [TAKE, [weth, mallory, 0n]]],
    ],
  ])('in V4: it %s', (problem, actions) => {
    const { problems } = readPurchase(plan(wrap(5n), onV4(...actions)), weth, token, v4)
    expect(problems.join('\n')).toContain(problem)
  })

  it('if a command may fail unseen, has no input, or is of another router', () => {
    const { commands, inputs } = plan(wrap(5n), bought)
    const [first = '0x'] = inputs
    const problems = (bundle: Bundle) => readPurchase(bundle, weth, token, v3).problems
    expect(problems({ commands: '0x8b00', inputs })).toContainEqual(
      'its first purchase has command 0x8b, which may fail unseen',
    )
    expect(problems({ commands: '0x4b00', inputs })).toContainEqual(
      'its first purchase has command 0x4b, which is not known',
    )
    expect(problems({ commands, inputs: [first] })).toContainEqual(
      'its first purchase has 2 commands and 1 inputs',
    )
    const later = encodeAbiParameters(
      parseAbiParameters('address, uint256, uint256, bytes, bool, uint256[]'),
      [alice, 5n, 7n, path(weth, token), false, []],
    )
    expect(problems({ commands, inputs: [first, later] })).toContainEqual(
      'its first purchase has data for command 0x00 in another layout',
    )
  })

  it('where token, pool or wrapped coin are not known', () => {
    const bundle = plan(wrap(5n), bought)
    const { purchase, problems } = readPurchase(bundle, weth, undefined, undefined)
    expect(purchase).toEqual({ paid: 5n, least: 7n, to: alice })
    expect(problems).toEqual([
      'where the token will stand is not known, and with that what its first purchase buys',
      'its first purchase is not known to be from the pool of this launch',
    ])
    expect(readPurchase(bundle, weth, token, { fee: 3000 }).problems).toHaveLength(1)
    expect(
      readPurchase(plan(wrap(5n), along(mallory, token)), mallory, token, v3).problems,
    ).toEqual(['its first purchase wraps coin that does not become the quote token'])
  })
})
