import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isAddress,
  isNobody,
  isPoolId,
  looksLikeAddress,
  shortAddress,
} from '../../../src/chain/address.ts'
import { parseAddress } from '../../../src/chain/chains.ts'
import { UserError } from '../../../src/errors.ts'

// The examples of EIP-55 itself.
const checksummed = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
] as const

describe.each(checksummed)('%s', (address) => {
  const digits = address.slice(2)

  test.each([
    ['as it is', address],
    ['in lower case', `0x${digits.toLowerCase()}`],
    ['in upper case', `0x${digits.toUpperCase()}`],
    ['with a capital X', `0X${digits}`],
    ['with blanks around it', ` ${address}\n`],
  ])('is accepted %s and returned with its checksum', (_, typed) => {
    expect(parseAddress(typed)).toBe(address)
  })

  test('is refused with the case of one letter changed', () => {
    const turned = [...digits].map((digit, index) => {
      const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase()
      return other === digit
        ? address
        : `0x${digits.slice(0, index)}${other}${digits.slice(index + 1)}`
    })
    // With one letter turned, some of these are all in one case and then carry no checksum.
    const mixed = turned.filter(
      (each) => each !== address && /[a-f]/u.test(each) && /[A-F]/u.test(each),
    )
    for (const typed of mixed) {
      expect(() => parseAddress(typed)).toThrow(UserError)
      expect(() => parseAddress(typed)).toThrow(/checksum.*Copy it again.*lower case/u)
    }
  })
})

test.each([
  ['0x1234abcd', /has 40 characters after 0x; this one has 8\. Copy the whole address/u],
  [`0x${'a'.repeat(39)}`, /this one has 39/u],
  [`0x${'a'.repeat(41)}`, /this one has 41/u],
  [`0x${'a'.repeat(64)}`, /this one has 64/u],
  ['0x', /this one has 0/u],
  [`0x${'a'.repeat(39)}g`, /only the digits 0–9 and the letters a–f/u],
  [`0x${'а'.repeat(40)}`, /only the digits 0–9 and the letters a–f/u],
  ['OTTER', /starts with 0x, followed by 40 characters/u],
  ['a'.repeat(40), /starts with 0x/u],
  ['', /starts with 0x/u],
])('%s is refused with the reason', (typed, reason) => {
  expect(() => parseAddress(typed)).toThrow(UserError)
  expect(() => parseAddress(typed)).toThrow(reason)
})

test('any twenty bytes are read the same from each way to write them', () => {
  const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(bytes, (values) => {
      const lower = `0x${Buffer.from(values).toString('hex')}`
      const parsed = parseAddress(lower)
      expect(parsed.toLowerCase()).toBe(lower)
      expect(parseAddress(parsed)).toBe(parsed)
    }),
    { numRuns: 100 },
  )
})

test.each([
  [checksummed[0], true],
  ['0x1234abcd', true],
  ['0x12zzzz', true],
  ['0x12', false],
  ['OTTER', false],
  ['0x1234 abcd', false],
])('%s was meant as an address: %s', (text, meant) => {
  expect(looksLikeAddress(text)).toBe(meant)
})

test.each([
  [checksummed[0], '0x5290…9EE7'],
  ['0x1234', '0x1234'],
  ['', ''],
])('%s in short is %s', (address, short) => {
  expect(shortAddress(address)).toBe(short)
})

describe('what is written like', () => {
  const hex = (digits: number) => `0x${'aB'.repeat(digits / 2)}`

  test.each([
    [hex(40), 'an address'],
    [hex(64), 'the id of a pool'],
    [hex(40).toUpperCase(), 'an address'],
    [hex(38), 'neither'],
    [hex(42), 'neither'],
    [hex(66), 'neither'],
    [hex(40).slice(2), 'neither'],
    [`${hex(40)}\n`, 'neither'],
    [`0x${'g'.repeat(40)}`, 'neither'],
    ['', 'neither'],
  ])('%j is %s', (text, kind) => {
    expect(isAddress(text)).toBe(kind === 'an address')
    expect(isPoolId(text)).toBe(kind === 'the id of a pool')
  })

  test.each([
    [`0x${'0'.repeat(40)}`, true],
    [`0x${'0'.repeat(39)}1`, false],
    [`0x${'0'.repeat(64)}`, false],
    ['0x0', false],
  ])('%s is nobody: %s', (address, nobody) => {
    expect(isNobody(address)).toBe(nobody)
  })
})
