import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { plainText } from '../../../../src/core/catalogue.ts'
import { settingsOf, standard } from '../conversing.ts'
import { account, other, questionOf, read, scopeOf } from './reading.ts'

test('an address in one case is accepted, and gets its checksum', () => {
  expect(read('wallet', ` ${account.toLowerCase()} `)).toBe(account)
  expect(read('feeReceiver', other)).toBe(other)
})

test.each(['wallet', 'feeReceiver'] as const)(
  '%s: a wrong checksum is refused with the reason',
  (id) => {
    expect(() => read(id, account.replace('EE7', 'Ee7'))).toThrow('don’t match its checksum')
  },
)

test.each(['wallet', 'feeReceiver'] as const)('%s: what is no account is refused', (id) => {
  expect(() => read(id, `0x${'0'.repeat(40)}`)).toThrow('zero address')
  expect(() => read(id, 'ada.eth')).toThrow('starts with 0x')
  expect(() => read(id, account.slice(0, 41))).toThrow('this one has 39')
})

test('the fee receiver may be "the wallet that signs"', () => {
  for (const text of ['wallet', 'Same wallet', 'my wallet', 'same', 'me']) {
    expect(read('feeReceiver', text)).toBeNull()
  }
  expect(() => read('feeReceiver', 'wallet', scopeOf({}, { goal: 'metadata' }))).toThrow(
    'starts with 0x',
  )
})

test('the question for a fee receiver says that it is no share of the fees', () => {
  const { words } = questionOf('feeReceiver').ask(scopeOf())
  expect(plainText(words)).toContain('doesn’t change who gets the fees')
})

const key = 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'
const phrase = 'test test test test test test test test test test test junk'

test.each(['wallet', 'feeReceiver', 'vesting', 'beneficiaries'] as const)(
  '%s: what could be a private key is refused with a warning',
  (id) => {
    for (const text of [key, `0x${key}`, `0x${key.toUpperCase()} 5%`]) {
      expect(() => read(id, text)).toThrow('looks like a private key or seed phrase')
    }
  },
)

test.each(['wallet', 'feeReceiver', 'vesting', 'beneficiaries'] as const)(
  '%s: of a refused answer only addresses, names and amounts are stored for correction',
  (id) => {
    const keeps = (text: string) => questionOf(id).mayStore?.(text)
    for (const text of [
      account.replace('EE7', 'Ee7'),
      account.slice(0, 41),
      `0x12 5%\n• ${other} = 1000000.5 tokens`,
      'ada.eth, river.heron.base.eth 5%',
    ]) {
      expect(keeps(text), text).toBe(true)
    }
    for (const text of [key, phrase, 'correct horse battery staple', 'hunter2', 'ada.com']) {
      expect(keeps(text), text).toBe(false)
    }
  },
)

test('a seed phrase is no wallet, and a private key is no description', () => {
  expect(() => read('wallet', phrase)).toThrow('looks like a private key or seed phrase')
  expect(() => read('description', `Mine is 0x${key}.`)).toThrow('looks like a private key')
  expect(() => read('name', key)).toThrow('looks like a private key')
  expect(read('links', `https://a.example/tx/0x${key}`)).toHaveLength(1)
})

const third = '0xde709f2102306220921060314715629080e2fb77'

test('vesting takes amounts and percentages, one a line or with commas', () => {
  expect(read('vesting', `${account} 5%\n${other}: 1,000,000.00 tokens`)).toEqual([
    { address: account, percentage: '5' },
    { address: other, amount: '1000000' },
  ])
  expect(read('vesting', `${account} 0.10%, ${other.toLowerCase()} = 007 percent`)).toEqual([
    { address: account, percentage: '0.1' },
    { address: other, percentage: '7' },
  ])
})

test.each([
  ['150 tokens', '150'],
  ['1 token', '1'],
  ['1,000,000 tokens', '1000000'],
  ['1M tokens', '1000000'],
  ['2.5 million tokens', '2500000'],
  ['750k Tokens', '750000'],
  ['0.25 billion tokens', '250000000'],
])('vesting takes %s', (text, amount) => {
  expect(read('vesting', `${account} ${text}`)).toEqual([{ address: account, amount }])
})

test.each(['5%', '5%', '5 percent', '5 percent'])('vesting takes %s', (text) => {
  expect(read('vesting', `${account} ${text}`)).toEqual([{ address: account, percentage: '5' }])
})

test('an answer about vesting is shown in a form that can be typed again', () => {
  const vesting = [
    { address: account, amount: '2500000' },
    { address: other, percentage: '0.3' },
  ] as const
  const text = questionOf('vesting').text(scopeOf({ vesting: [...vesting] })) ?? ''
  expect(text).toBe(`${account} 2500000 tokens\n${other} 0.3%`)
  expect(read('vesting', text)).toEqual(vesting)
})

test.each([
  ['150 tokens', '150 tokens, only 0.000015%'],
  ['999999 tokens', '999,999 tokens, only 0.0999999%'],
  ['1 token', '1 tokens, only 0.0000001%'],
  ['0.05%', '500,000 tokens, only 0.05%'],
  ['0.1%', undefined],
  ['1M tokens', undefined],
])('%s for one person needs confirmation below 0.1%% of the supply', (text, share) => {
  const vesting = questionOf('vesting')
  const answers = vesting.parse(`${account} ${text}\n${other} 5%`, scopeOf())
  const reasons = vesting.doubts?.find(scopeOf(answers)).map(({ reason }) => plainText(reason))
  const said = `0x5290…9EE7 gets ${share} of the supply of 1,000,000,000. Is that what you meant?`
  expect(reasons).toEqual(share === undefined ? [] : [said])
})

test('no more can be vested than the sale and the template leave over', () => {
  const vesting = questionOf('vesting')
  const expects = { supply: '1000000000', rest: { to: 'nobody', percent: '40' } }
  const scope = scopeOf(
    { template: standard.id, chain: standard.chain },
    { settings: settingsOf([{ ...standard, expects }]) },
  )
  expect(plainText(vesting.ask(scope).allowed ?? '')).toContain('40% in total at most')
  const fits = `${account} 30%\n${other} 100000000 tokens`
  expect(vesting.parse(fits, scope).vesting).toHaveLength(2)
  for (const more of ['30.5%', '300000001 tokens']) {
    expect(() => vesting.parse(`${account} ${more}\n${other} 10%`, scope)).toThrow(
      'At most 40% can be vested.',
    )
  }
})

test.each([
  [
    'percentages over 100',
    `${account} 60%\n${other} 40.0000001%`,
    'Entry 2: With this one it’s 100.0000001% of the supply',
  ],
  ['a single percentage over 100', `${account} 100.5%`, 'can’t be over 100'],
  [
    'a recipient twice',
    `${account} 5%\n${account.toLowerCase()} 5%`,
    'Entry 2: This address is listed twice',
  ],
  [
    'a wrong checksum',
    `${other} 5%\n${account.replace('EE7', 'Ee7')} 5%`,
    'Entry 2: The capital letters',
  ],
  ['the zero address', `0x${'0'.repeat(40)} 5%`, 'zero address'],
  ['no amount', account, 'Add how much it gets after the address'],
  ['nothing of it', `${account} 0%`, 'must be more than 0'],
  [
    'a number alone',
    `${account} 15`,
    'Entry 1: Write 15% or 15 tokens: 15 alone could mean either.',
  ],
  [
    'a number alone that is no share',
    `${account} 5%\n${other} 1,000,000`,
    'Entry 2: Write 1,000,000 tokens if you mean that: a number needs its unit.',
  ],
  ['a number alone that is no amount', `${account} 1.5`, 'Entry 1: Write 1.5% if you mean that'],
  ['a million of nothing', `${account} 1.5M`, 'Write 1.5M tokens if you mean that'],
  ['a number alone that is neither', `${account} 150.5`, 'Write a share, such as 5%, or an amount'],
  ['no number', `${account} much`, 'Write a share, such as 5%, or an amount'],
  ['no tokens', `${account} 0.0 tokens`, 'must be more than 0'],
  ['less than nothing', `${account} -5 tokens`, 'in digits'],
  ['an amount in words', `${account} 1e6 tokens`, 'in digits'],
  ['a comma for a point', `${account} 1,5 tokens`, 'in digits'],
  [
    'a part of a token',
    `${account} 1.5 tokens`,
    'Entry 1: Only whole tokens can vest: write 1 token or 2 tokens, not 1.5 tokens.',
  ],
  [
    'too many decimals',
    `${account} 0.1234567890123456789 tokens`,
    'Only whole tokens can vest: write at least 1 token, not 0.1234567890123456789 tokens.',
  ],
  [
    'a share that is no whole number of tokens',
    `${account} 0.00000001%`,
    '0.00000001% of 1,000,000,000 tokens isn’t a whole number',
  ],
  [
    'more tokens than a number in JSON holds',
    `${account} 9007199254740992 tokens`,
    'At most 9,007,199,254,740,991 tokens',
  ],
  ['too many decimals of a percentage', `${account} 0.12345678901234567%`, 'at most 16 decimals'],
  ['an amount beyond any supply', `${account} ${'9'.repeat(31)} tokens`, 'in digits'],
  ['nobody', ' \n', 'at least one line'],
])('vesting refuses %s', (_, text, words) => {
  expect(() => read('vesting', text)).toThrow(words)
})

test('beneficiaries become 18-decimal fractions, in the order of their addresses', () => {
  expect(
    read('beneficiaries', `${third} 0.0000000000000001%\n${other} 35%\n${account} 2.5%`),
  ).toEqual([
    { beneficiary: account, shares: '25000000000000000' },
    { beneficiary: other, shares: '350000000000000000' },
    { beneficiary: getAddress(third), shares: '1' },
  ])
})

test.each([
  [
    'shares over 95%',
    `${account} 60%\n${other} 35.1%`,
    'Entry 2: With this one the shares add up to 95.1%. At most 95% can be shared',
  ],
  ['a share without its sign', `${account} 0.35`, 'percent sign'],
  ['a share of nothing', `${account} 0%`, 'must be more than 0'],
  ['one who is there twice', `${account} 5%, ${account} 6%`, 'listed twice'],
  ['a wrong checksum', `${account.replace('EE7', 'Ee7')} 5%`, 'don’t match its checksum'],
])('beneficiaries refuse %s', (_, text, words) => {
  expect(() => read('beneficiaries', text)).toThrow(words)
})

test('twenty recipients are accepted, one more is not', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `0x${String(index + 1).padStart(40, '0')} 1%`).join(
      '\n',
    )
  expect(read('vesting', lines(20))).toHaveLength(20)
  expect(() => read('vesting', lines(21))).toThrow('At most 20 addresses; you sent 21.')
  expect(() => read('beneficiaries', lines(21))).toThrow('At most 20 addresses')
})

test('what a template leaves the launcher is all that can be shared', () => {
  const template = { id: 't', label: 'T', chain: 8453 }
  const shares = [
    { to: 'you', percent: '50' },
    { to: 'integrator', percent: '45' },
    { to: 'protocol', percent: '5' },
  ]
  const settings = settingsOf([{ ...template, expects: { shares } }])
  const scope = scopeOf({ chain: 8453, template: 't' }, { settings })
  expect(() => read('beneficiaries', `${other} 51%`, scope)).toThrow('At most 50%')
  expect(read('beneficiaries', `${other} 50%`, scope)).toHaveLength(1)
  const none = scopeOf(
    { chain: 8453, template: 't' },
    { settings: settingsOf([{ ...template, expects: { shares: [] } }]) },
  )
  expect(questionOf('beneficiaries').applies(none)).toBe(false)
})
