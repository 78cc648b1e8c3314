import fc from 'fast-check'
import { concat, type Hex, keccak256, pad, toEventSelector, toFunctionSelector, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  calldataDigest,
  createTopic,
  decodeLaunch,
  entryOf,
  launchAbi,
  selectors,
  shortDigest,
} from '../../../../src/chain/airlock/calldata.ts'
import { airlockAbi, anyBytes, anyParams, encodeCreate, otterParams } from './sample.ts'

const calldata = encodeCreate(otterParams)
const createSelector = selectors.create

function decodeCreate(data: Hex) {
  const call = decodeLaunch(data)
  return call?.entry === 'create' ? call.params : undefined
}

/** The calldata with the 32 bytes at this place of the body replaced. */
function withWord(index: number, word: Hex): Hex {
  const at = 10 + index * 64
  return `0x${calldata.slice(2, at)}${word.slice(2)}${calldata.slice(at + 64)}`
}

test('the layout is that of the contract’s function signatures', () => {
  const named = (name: string) => (entry: { name: string }) => entry.name === name
  const [create, getModuleState] = ['create', 'getModuleState'].map((name) =>
    launchAbi.filter((entry) => entry.type === 'function').find(named(name)),
  )
  const event = launchAbi.filter((entry) => entry.type === 'event').find(named('Create'))
  if (!create || !getModuleState || !event) throw new Error('not all are written out')
  expect(toFunctionSelector(create)).toBe(createSelector)
  expect(createSelector).toBe('0x882db707')
  expect(toFunctionSelector(getModuleState)).toBe(toFunctionSelector(airlockAbi[1]))
  expect(toEventSelector(event)).toBe(createTopic)
})

test('every launch comes back from its calldata', () => {
  fc.assert(
    fc.property(anyParams, (params) => {
      expect(decodeCreate(encodeCreate(params))).toEqual(params)
    }),
  )
})

test('the case of the digits does not matter', () => {
  const upper: Hex = `0x${calldata.slice(2).toUpperCase()}`
  expect(decodeCreate(upper)).toEqual(otterParams)
  expect(calldataDigest(upper)).toBe(calldataDigest(calldata))
})

describe('calldata are refused', () => {
  test.each<[string, Hex]>([
    ['with a byte more', `${calldata}00`],
    ['with a word more', `${calldata}${'00'.repeat(32)}`],
    ['with a byte less', `0x${calldata.slice(2, -2)}`],
    ['with half a byte more', `${calldata}0`],
    ['with dirt above an address', withWord(3, pad('0x01', { dir: 'right' }))],
    ['with an offset out of bounds', withWord(5, pad('0xffff'))],
    ['with an offset that goes round', withWord(0, toHex(2n ** 256n - 1n))],
    ['with two fields that share their bytes', withWord(9, toHex(13 * 32, { size: 32 }))],
    ['without a body', createSelector],
    ['of another function', `0xdeadbeef${calldata.slice(10)}`],
    ['of nothing', '0x'],
  ])('%s', (_, tampered) => {
    expect(decodeCreate(tampered)).toBeUndefined()
  })

  test('if any bit is flipped, unless the result is another launch', () => {
    const bits = (calldata.length - 2) * 4
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bits - 1 }), (bit) => {
        const at = 2 + Math.floor(bit / 4)
        const digit = (Number.parseInt(calldata[at] ?? '0', 16) ^ (1 << (bit % 4))).toString(16)
        const tampered: Hex = `0x${calldata.slice(2, at)}${digit}${calldata.slice(at + 1)}`
        const read = decodeCreate(tampered)
        if (read) expect(encodeCreate(read)).toBe(tampered)
        expect(read).not.toEqual(otterParams)
      }),
      { numRuns: 300 },
    )
  })

  test('of any bytes, without failing', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(decodeCreate(concat([createSelector, bytes]))).toBeUndefined()
      }),
    )
  })
})

test('the selector says whether it is meant to be a launch, and by which function', () => {
  expect(entryOf('0x882DB707ff')).toBe('create')
  expect(entryOf(selectors.launch)).toBe('launch')
  expect(entryOf(selectors.bundle)).toBe('bundle')
  expect(entryOf('0x882db7')).toBeUndefined()
  expect(entryOf('0x')).toBeUndefined()
})

test('the digest is that of the length as a word, and the calldata', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const length = pad(toHex((bytes.length - 2) / 2), { size: 32 })
      expect(calldataDigest(bytes)).toBe(keccak256(concat([length, bytes])))
    }),
  )
})

test('a digest is shown by its first and last characters', () => {
  const digest: Hex = `0x12345678${'00'.repeat(24)}9ABCDEF0`
  expect(shortDigest(digest)).toBe('0x1234 5678 … 9abc def0')
})
