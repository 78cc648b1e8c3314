import { expect, test } from 'vitest'
import { plainSpans } from '../../../../src/core/view.ts'
import { account, other, questionOf, read, scopeOf } from './reading.ts'

test('an address in one case is taken, and gets its checksum', () => {
  expect(read('wallet', ` ${account.toLowerCase()} `)).toBe(account)
  expect(read('feeReceiver', other)).toBe(other)
})

test.each(['wallet', 'feeReceiver'] as const)(
  '%s: a wrong checksum is refused with the reason',
  (id) => {
    expect(() => read(id, account.replace('EE7', 'Ee7'))).toThrow('do not match its checksum')
  },
)

test.each(['wallet', 'feeReceiver'] as const)('%s: what is no account is refused', (id) => {
  expect(() => read(id, `0x${'0'.repeat(40)}`)).toThrow('zero address')
  expect(() => read(id, 'ada.eth')).toThrow('starts with 0x')
  expect(() => read(id, account.slice(0, 41))).toThrow('this one has 39')
})

test('the fee receiver may be the wallet, whichever that will be', () => {
  for (const text of ['wallet', 'The same wallet', 'my wallet', 'same', 'me']) {
    expect(read('feeReceiver', text)).toBeNull()
  }
  expect(() => read('feeReceiver', 'wallet', scopeOf({}, { goal: 'metadata' }))).toThrow(
    'starts with 0x',
  )
})

test('who is asked for a fee receiver reads that it is no share of the fees', () => {
  const asked = (goal: 'launch' | 'metadata') => {
    const { words } = questionOf('feeReceiver').ask(scopeOf({}, { goal }))
    return plainSpans(words)
  }
  expect(asked('metadata')).toBe('Who is named as fee receiver in the token’s metadata?')
  expect(asked('launch')).toContain('who shares in the fees is asked for under Beneficiaries.')
})

const key = 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'
const phrase = 'test test test test test test test test test test test junk'

test.each(['wallet', 'feeReceiver', 'vesting', 'beneficiaries'] as const)(
  '%s: what could be a private key is refused with a warning',
  (id) => {
    for (const text of [key, `0x${key}`, `0x${key.toUpperCase()} 5%`]) {
      expect(() => read(id, text)).toThrow('looks like a private key or a seed phrase')
    }
  },
)

test.each(['wallet', 'feeReceiver', 'vesting', 'beneficiaries'] as const)(
  '%s: of what was refused only addresses and amounts are kept to be corrected',
  (id) => {
    const keeps = (text: string) => questionOf(id).mayStore?.(text)
    for (const text of [
      account.replace('EE7', 'Ee7'),
      account.slice(0, 41),
      `0x12 5%\n• ${other} = 1000000.5 tokens`,
    ]) {
      expect(keeps(text), text).toBe(true)
    }
    for (const text of [key, phrase, 'correct horse battery staple', 'hunter2', 'ada.eth']) {
      expect(keeps(text), text).toBe(false)
    }
  },
)

test('a seed phrase is no wallet, and a private key is no description', () => {
  expect(() => read('wallet', phrase)).toThrow('looks like a private key or a seed phrase')
  expect(() => read('description', `Mine is 0x${key}.`)).toThrow('looks like a private key')
  expect(() => read('name', key)).toThrow('looks like a private key')
  expect(read('links', `https://a.example/tx/0x${key}`)).toHaveLength(1)
})
