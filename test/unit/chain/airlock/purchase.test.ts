import { inspect } from 'node:util'
import { bundlerAbi } from '@whetstone-research/doppler-sdk/evm'
import { CommandType } from 'doppler-router/dist/CommandBuilder.js'
import { V4ActionType } from 'doppler-router/dist/V4ActionBuilder.js'
import fc from 'fast-check'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  maxUint256,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { type Bundle, decodeLaunch } from '../../../../src/chain/airlock/calldata.ts'
import { launchPool, readPurchase } from '../../../../src/chain/airlock/purchase.ts'
import {
  type Action,
  alice,
  balance,
  bundler,
  buyIn,
  buyOut,
  type Command,
  changesOf,
  hook,
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

const baseRouter: Address = '0x6ff5693b99212da76ad316178a184ab56d299b43'
const { SETTLE, SETTLE_ALL, SWAP_EXACT_IN_SINGLE, TAKE, TAKE_ALL, TAKE_PORTION, UNWRAP } =
  V4ActionType

const account = fc
  .bigInt(2n ** 20n, 2n ** 160n - 1n)
  .map((value) => getAddress(`0x${value.toString(16).padStart(40, '0')}`))
const recipient = fc.oneof(account, fc.constant(bundler))
const amount = fc.bigInt(1n, 2n ** 100n)
const newToken = account.filter((each) => each !== weth)

function receiver(to: Address): Address | 'sender' {
  return to === bundler ? 'sender' : to
}

describe('A first purchase', () => {
  it('of an exact payment in Uniswap V3 is decoded to what was encoded', () => {
    fc.assert(
      fc.property(amount, amount, recipient, newToken, (paid, least, to, bought) => {
        const bundle = plan(wrap(paid), v3In(paid, least, to, path(weth, bought)))
        expect(readPurchase(bundle, weth, bought, v3)).toEqual({
          purchase: { paid, least, to: receiver(to) },
          value: paid,
          problems: [],
        })
      }),
    )
  })

  it('of an exact amount in Uniswap V3 gives the change back', () => {
    fc.assert(
      fc.property(amount, amount, amount, recipient, newToken, (most, more, least, to, bought) => {
        const bundle = plan(
          wrap(most + more),
          v3Out(least, most, to, path(bought, weth)),
          sweep(weth, to),
        )
        expect(readPurchase(bundle, weth, bought, v3)).toEqual({
          purchase: { paid: most, least, most: least, to: receiver(to) },
          value: most + more,
          problems: [],
        })
      }),
    )
  })

  it('in Uniswap V4 is decoded to what was encoded, paid in coin', () => {
    fc.assert(
      fc.property(amount, amount, newToken, (paid, least, bought) => {
        const bundle = plan(
          onV4(
            buyIn(zeroAddress, bought, paid, least),
            [SETTLE_ALL, [zeroAddress, paid]],
            [TAKE_ALL, [bought, 0n]],
          ),
        )
        expect(readPurchase(bundle, zeroAddress, bought, v4)).toEqual({
          purchase: { paid, least, to: 'sender' },
          value: paid,
          problems: [],
        })
      }),
    )
  })

  it('in Uniswap V4 is decoded to what was encoded, paid in wrapped coin', () => {
    fc.assert(
      fc.property(amount, amount, account, newToken, (paid, least, to, bought) => {
        const expected = { paid, least, to }
        const settledAfter = plan(
          wrap(paid),
          onV4(
            buyIn(weth, bought, paid, least),
            [SETTLE, [weth, paid, false]],
            [TAKE, [bought, to, 0n]],
          ),
        )
        // As the examples of the protocol's SDK do it.
        const settledBefore = plan(
          wrap(paid, baseRouter),
          onV4([SETTLE, [weth, balance, false]], buyIn(weth, bought, 0n, 0n), [
            TAKE,
            [bought, router, 0n],
          ]),
          sweep(bought, to, least),
        )
        for (const bundle of [settledAfter, settledBefore]) {
          expect(readPurchase(bundle, weth, bought, v4)).toEqual({
            purchase: expected,
            value: paid,
            problems: [],
          })
        }
      }),
    )
  })

  it('of an exact amount in Uniswap V4 has only the amount bought for certain', () => {
    fc.assert(
      fc.property(amount, amount, account, newToken, (most, least, to, bought) => {
        const read = (taken: bigint) =>
          readPurchase(
            plan(
              onV4(
                buyOut(zeroAddress, bought, least, most),
                [SETTLE, [zeroAddress, 0n, true]],
                [TAKE, [bought, to, taken]],
              ),
              sweep(zeroAddress, to),
            ),
            zeroAddress,
            bought,
            v4,
          )
        const purchase = { paid: most, least, most: least, to }
        expect(read(least)).toEqual({ purchase, value: most, problems: [] })
        // A pool that has less pays out less.
        const uncertain = { ...purchase, least: 0n }
        expect(read(0n)).toEqual({ purchase: uncertain, value: most, problems: [] })
      }),
    )
  })

  it('along a route of one pool is read like one in that pool', () => {
    const hop = { fee: 0x800000n, tickSpacing: 8, hooks: hook, hookData: '0x' }
    const exactIn = {
      currencyIn: weth,
      path: [{ ...hop, intermediateCurrency: token }],
      amountIn: 5n,
      amountOutMinimum: 7n,
    }
    const exactOut = {
      currencyOut: token,
      path: [{ ...hop, intermediateCurrency: weth }],
      amountOut: 7n,
      amountInMaximum: 5n,
    }
    const routes: [Action, bigint][] = [
      [[V4ActionType.SWAP_EXACT_IN, [exactIn]], 0n],
      [[V4ActionType.SWAP_EXACT_OUT, [exactOut]], 7n],
    ]
    for (const [swap, take] of routes) {
      const bundle = plan(
        wrap(5n),
        onV4(swap, [SETTLE, [weth, 0n, false]], [TAKE, [token, alice, take]]),
        sweep(weth, bundler),
      )
      const { purchase, value, problems } = readPurchase(bundle, weth, token, v4)
      expect(purchase).toMatchObject({ paid: 5n, least: 7n, to: alice })
      expect({ value, problems }).toEqual({ value: 5n, problems: [] })
    }
  })

  it.each([
    {
      // Arbitrum, 0xfd288567b1a9c827a260b28ff0b6b183d256c60881f75c7d86d50a501593c6fd
      amounts: ['2386f26fc10000', 'b2c73eba'],
      way: '82af49447d8a07e3bd95bd0d56f35241523fbab1002710602eb0d99a5e3e76d1510372c4d2020e12eaea8a',
      fee: 10_000,
    },
    {
      // Ethereum, ethereum.stackexchange.com/questions/143239
      amounts: ['09184e72a000', '38e'],
      way: 'c02aaa39b223fe8d0a0e5c4f27ead9083c756cc20001f4dac17f958d2ee523a2206206994597c13d831ec7',
      fee: 500,
    },
  ])('is read as a router ran it on a real chain with a fee of $fee', ({ amounts, way, fee }) => {
    const [paid = '', least = ''] = amounts.map((digits) => digits.padStart(64, '0'))
    const word = (number: number) => number.toString(16).padStart(64, '0')
    const bundle: Bundle = {
      commands: '0x0b00',
      inputs: [
        `0x${word(2)}${paid}`,
        `0x${word(1)}${paid}${least}${word(0xa0)}${word(0)}${word(43)}${way.padEnd(128, '0')}`,
      ],
    }
    const read = readPurchase(bundle, `0x${way.slice(0, 40)}`, `0x${way.slice(46)}`, { fee })
    expect(read).toEqual({
      purchase: { paid: BigInt(`0x${paid}`), least: BigInt(`0x${least}`), to: 'sender' },
      value: BigInt(`0x${paid}`),
      problems: [],
    })
  })

  it.each([
    ['an exact payment in V3', v3, plan(wrap(900n), v3In(900n, 77n, alice))],
    ['an exact amount in V3', v3, plan(wrap(900n), v3Out(77n, 800n, alice), sweep(weth, alice))],
    [
      'an exact payment in V4',
      v4,
      plan(
        wrap(900n),
        onV4(
          buyIn(weth, token, 900n, 77n),
          [SETTLE, [weth, 900n, false]],
          [TAKE, [token, alice, 0n]],
        ),
      ),
    ],
    [
      'an exact amount in V4',
      v4,
      plan(
        wrap(900n),
        onV4(
          buyOut(weth, token, 77n, 800n),
          [SETTLE, [weth, 0n, false]],
          [TAKE, [token, alice, 77n]],
        ),
        sweep(weth, alice),
      ),
    ],
  ])('with any byte changed says something else or is not verified: %s', (_, pool, bundle) => {
    const read = (bundle: Bundle) => {
      const { problems, ...rest } = readPurchase(bundle, weth, token, pool)
      return problems.length > 0 ? 'not verified' : inspect(rest)
    }
    const told = read(bundle)
    expect(told).not.toBe('not verified')
    const unnoticed = changesOf(bundle).filter((changed) => read(changed) === told)
    expect(unnoticed).toEqual([])
  })

  it('is from the pool that the launch opens', () => {
    const data = { tickSpacing: 8, curves: [], beneficiaries: [] }
    const none = { farTick: 0, data: '0x', graduationData: '0x' } as const
    const withHook = { ...none, address: mallory }
    const without = { ...none, address: zeroAddress }
    const curves = { form: 'curves', fee: 3000, ...data } as const
    expect(launchPool({ ...curves, hook: withHook }, hook)).toEqual(v4)
    expect(launchPool({ ...curves, hook: without }, hook)).toEqual({ ...v4, fee: 3000 })
    expect(launchPool(curves, hook)).toBeUndefined()
    expect(launchPool(undefined, hook)).toBeUndefined()
  })

  it('is found in the call of the bundler', () => {
    const bundle = plan(wrap(5n), v3In(5n, 7n, alice))
    const params = {
      initialSupply: 1n,
      numTokensToSell: 1n,
      numeraire: weth,
      tokenFactory: alice,
      tokenFactoryData: '0x',
      governanceFactory: alice,
      governanceFactoryData: '0x',
      poolInitializer: alice,
      poolInitializerData: '0x',
      liquidityMigrator: alice,
      liquidityMigratorData: '0x',
      integrator: alice,
      salt: `0x${'11'.repeat(32)}`,
    } as const
    const data = encodeFunctionData({
      abi: bundlerAbi,
      functionName: 'bundle',
      args: [params, bundle.commands, [...bundle.inputs]],
    })
    expect(decodeLaunch(data)).toEqual({ entry: 'bundle', params, bundle })
  })
})

describe('what is refused', () => {
  const { PAY_PORTION, PERMIT2_PERMIT, PERMIT2_TRANSFER_FROM, UNWRAP_WETH, V2_SWAP_EXACT_IN } =
    CommandType

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

    it('if a command may fail silently, has no input, or is of another router', () => {
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

    it('if token, pool or wrapped coin are not known', () => {
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
})
