import fc from 'fast-check'
import { type Hex, hexToBytes, size, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { effectsOf } from '../../../../src/chain/airlock/effects.ts'
import { layouts } from '../../../../src/chain/airlock/layouts.ts'
import { decodePayload } from '../../../../src/chain/airlock/modules.ts'
import { launchesOfEveryKind } from './launches.ts'
import { book, read, tokenAddress } from './sdk.ts'

const launches = await launchesOfEveryKind()

/** What people are told of a launch: its effects, or undefined if it is not verified. */
function effectsText(calldata: Hex): string | undefined {
  const decoded = decodePayload(calldata, book)
  if (!decoded.call || decoded.problems.length > 0) return undefined
  const effects = effectsOf(decoded, { token: tokenAddress, quoteDecimals: 18 })
  if (effects.problems.length > 0) return undefined
  return JSON.stringify(effects, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

function changed(calldata: Hex, at: number, by: number): Hex {
  const bytes = hexToBytes(calldata)
  bytes[at] = (bytes[at] ?? 0) ^ by
  return toHex(bytes)
}

/** Where the salt is: it changes the token's address alone, which the digest and the rehearsal show. */
function saltOf(calldata: Hex): { from: number; to: number } {
  const from = (calldata.indexOf(read(calldata).call.params.salt.slice(2)) - 2) / 2
  return { from, to: from + 32 }
}

describe.each(Object.entries(launches))('%s', (_, calldata) => {
  const before = effectsText(calldata)
  const salt = saltOf(calldata)

  /** A change that nobody is told of. */
  function isSilent(at: number, by: number): boolean {
    return !(at >= salt.from && at < salt.to) && effectsText(changed(calldata, at, by)) === before
  }

  test('it is verified as it stands', () => {
    expect(before).toBeDefined()
  })

  test('a change of the last byte of any word is noticed', () => {
    const silent: number[] = []
    for (let at = 4 + 31; at < size(calldata); at += 32) if (isSilent(at, 1)) silent.push(at)
    expect(silent).toEqual([])
  })

  test('a change of any byte is noticed', () => {
    const anyChange = [fc.nat(size(calldata) - 1), fc.integer({ min: 1, max: 255 })] as const
    fc.assert(
      fc.property(...anyChange, (at, by) => {
        expect(isSilent(at, by)).toBe(false)
      }),
    )
  })
})

test('every layout is in one of these launches', () => {
  const used = Object.values(launches).flatMap((calldata) =>
    read(calldata).modules.flatMap(({ module }) => module?.layout ?? []),
  )
  expect([...new Set(used)].sort()).toEqual(Object.keys(layouts).sort())
})
