import { inspect } from 'node:util'
import { bundlerAbi } from '@whetstone-research/doppler-sdk/evm'
import { V4ActionType } from 'doppler-router/dist/V4ActionBuilder.js'
import fc from 'fast-check'
import { type Address, encodeFunctionData, getAddress, zeroAddress } from 'viem'
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
const { SETTLE, SETTLE_ALL, TAKE, TAKE_ALL } = V4ActionType

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
  it('of an exact payment in Uniswap V3 is read as its encoder was told', () => {
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

  it('in Uniswap V4 is read as its encoder was told, paid in coin', () => {
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

  it('in Uniswap V4 is read as its encoder was told, paid in wrapped coin', () => {
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

  it('of an exact amount in Uniswap V4 is certain of what is taken alone', () => {
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
