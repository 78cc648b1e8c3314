import fc from 'fast-check'
import { type Address, encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { readTokenData } from '../../../src/chain/launch/token-data.ts'
import {
  ada,
  anyAddress,
  anyBytes,
  anyText,
  anyUint256,
  otter,
  otterData,
  somebody,
  tokenLayouts,
} from './sample.ts'

const anyUint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const anySchedule = fc.record({ cliff: anyUint64, duration: anyUint64 })

/** Schedules, and recipients each of whom has one of them. */
const anyVesting = fc.array(anySchedule, { minLength: 1, maxLength: 3 }).chain((schedules) =>
  fc.record({
    schedules: fc.constant(schedules),
    lines: fc.array(
      fc.record({
        recipient: anyAddress,
        amount: anyUint256,
        id: fc.nat(schedules.length - 1),
      }),
      { maxLength: 4 },
    ),
  }),
)

const anyToken = fc.record({ name: anyText, symbol: anyText, uri: anyText, vesting: anyVesting })
type Token = typeof anyToken extends fc.Arbitrary<infer Value> ? Value : never

function lists({ vesting: { lines } }: Token) {
  return {
    recipients: lines.map(({ recipient }) => recipient),
    ids: lines.map(({ id }) => BigInt(id)),
    amounts: lines.map(({ amount }) => amount),
  }
}

function scheduled({ vesting: { lines, schedules } }: Token) {
  return lines.map(({ recipient, amount, id }) => ({ recipient, amount, ...schedules[id] }))
}

describe('whatever is in them, data come back from the layout', () => {
  test('DERC20, in which all vests over the same time', () => {
    fc.assert(
      fc.property(anyToken, anyUint256, anyUint256, (token, rate, duration) => {
        const { recipients, amounts } = lists(token)
        const { name, symbol, uri } = token
        const data = encodeAbiParameters(tokenLayouts.DERC20, [
          name,
          symbol,
          rate,
          duration,
          recipients,
          amounts,
          uri,
        ])
        const vesting = token.vesting.lines.map(({ recipient, amount }) => ({
          recipient,
          amount,
          duration,
        }))
        expect(readTokenData(data)).toEqual({
          layout: 'DERC20',
          name,
          symbol,
          uri,
          vesting,
          yearlyMintRate: rate,
        })
      }),
    )
  })

  test('CloneDERC20VotesV2, with a schedule for each', () => {
    fc.assert(
      fc.property(anyToken, anyUint256, (token, rate) => {
        const { recipients, ids, amounts } = lists(token)
        const { name, symbol, uri } = token
        const data = encodeAbiParameters(tokenLayouts.CloneDERC20VotesV2, [
          name,
          symbol,
          rate,
          token.vesting.schedules,
          recipients,
          ids,
          amounts,
          uri,
        ])
        const vesting = scheduled(token)
        expect(readTokenData(data)).toEqual({
          layout: 'CloneDERC20VotesV2',
          name,
          symbol,
          uri,
          vesting,
          yearlyMintRate: rate,
        })
      }),
    )
  })

  test('DopplerERC20V1, with a schedule for each', () => {
    fc.assert(
      fc.property(
        anyToken,
        anyUint256,
        fc.nat(),
        fc.array(anyAddress, { maxLength: 3 }),
        (token, limit, end, excluded) => {
          const { recipients, ids, amounts } = lists(token)
          const { name, symbol, uri } = token
          const data = encodeAbiParameters(tokenLayouts.DopplerERC20V1, [
            name,
            symbol,
            token.vesting.schedules,
            recipients,
            ids,
            amounts,
            uri,
            limit,
            end,
            ada,
            excluded,
          ])
          const vesting = scheduled(token)
          expect(readTokenData(data)).toEqual({
            layout: 'DopplerERC20V1',
            name,
            symbol,
            uri,
            vesting,
            controller: ada,
            balanceLimit: { most: limit, until: end, excluded },
          })
        },
      ),
    )
  })

  test('DN404, in which nothing vests', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyUint256, (name, symbol, uri, unit) => {
        const data = encodeAbiParameters(tokenLayouts.DN404, [name, symbol, uri, unit])
        expect(readTokenData(data)).toEqual({ layout: 'DN404', name, symbol, uri, vesting: [] })
      }),
    )
  })
})

test('the case of the digits does not matter', () => {
  expect(readTokenData(`0x${otterData.slice(2).toUpperCase()}`)?.name).toBe(otter.name)
})

describe('not recognised', () => {
  test.each<[string, Hex]>([
    ['nothing', '0x'],
    ['a byte too many', `${otterData}00`],
    ['a byte too few', `0x${otterData.slice(2, -2)}`],
    ['something hidden behind the rest', `${otterData}${'11'.repeat(32)}`],
    ['text that is not UTF-8', `0x${otterData.slice(2).replace('4d6f6f6e', 'ff6f6f6e')}`],
  ])('%s', (_, data) => {
    expect(readTokenData(data)).toBeUndefined()
  })

  const schedule = { cliff: 0n, duration: 1n }
  const bob = somebody('bob')

  test.each<[string, Hex]>([
    ['of more recipients', cloneData([ada, bob], [0n], [1n])],
    ['of more amounts', cloneData([ada], [0n], [1n, 2n])],
    ['of more schedules than recipients', cloneData([ada], [0n, 0n], [1n])],
    [
      'of amounts for nobody',
      encodeAbiParameters(tokenLayouts.DERC20, ['a', 'b', 0n, 0n, [], [1n], 'c']),
    ],
    ['with a schedule that there is not', cloneData([ada], [1n], [1n])],
    ['with a schedule that there can’t be', cloneData([ada], [2n ** 255n], [1n])],
  ])('lists that do not belong together: %s', (_, data) => {
    expect(readTokenData(data)).toBeUndefined()
  })

  function cloneData(recipients: Address[], ids: bigint[], amounts: bigint[]): Hex {
    const values = ['a', 'b', 0n, [schedule], recipients, ids, amounts, 'c'] as const
    return encodeAbiParameters(tokenLayouts.CloneDERC20VotesV2, values)
  }

  test('any bytes, without failing', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(readTokenData(bytes)).toBeUndefined()
      }),
    )
  })
})
