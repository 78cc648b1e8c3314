import { randomBytes } from 'node:crypto'
import {
  simplifiedChinese as chinese,
  czech,
  english,
  french,
  generateMnemonic,
  italian,
  japanese,
  korean,
  portuguese,
  spanish,
  traditionalChinese as taiwanese,
} from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { isSecret, looksSecret } from '../../../../src/core/secret.ts'
import { account, other, read } from './reading.ts'

const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
const seed = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const words = seed.split(' ')
const groups = (size: number) => key.match(new RegExp(`.{${size}}`, 'gu')) ?? []

const secrets: [what: string, text: string][] = [
  ['a seed phrase', seed],
  ['with its words numbered', words.map((word, index) => `${index + 1}. ${word}`).join(' ')],
  ['one a line', words.map((word, index) => `${index + 1} ${word}`).join('\n')],
  ['with numbers stuck to them', words.map((word, index) => `${index + 1}${word}`).join('')],
  ['with words before it', `my seed: ${seed}`],
  ['with words after it', `${seed} and nobody knows`],
  ['with a full stop', `${seed}.`],
  ['with dashes', words.join('-')],
  ['with commas', words.join(', ')],
  ['in capitals', seed.toUpperCase()],
  [
    'in wide letters',
    seed.replaceAll(/[a-z]/gu, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  ],
  ['with what nobody sees in it', words.join('\u200b ').replace('winner', 'win\u200bner')],
  ['a key', key],
  ['a key with 0x', `0x${key}`],
  ['a key in capitals', key.toUpperCase()],
  ['a key in halves', groups(32).join(' ')],
  ['a key in fours', groups(4).join(' ')],
  ['a key in bytes', groups(2).join(':')],
  ['a key on lines', groups(8).join('\n')],
  ['a key with a letter before it', `k${key}`],
  ['a key with a letter behind it', `${key}x`],
  ['a key with a digit before it', `1${key}`],
  ['a key in a sentence', `Mine is 0x${key}.`],
  ['a key of Bitcoin', '5Kb8kLf9zgWQnogidDA76MzPL6TsZZY36hWXMssSzNydYXYB9KF'],
  ['a compressed one', 'L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1'],
  ['a key that others come from', `xprv${'9s21ZrQH143K3QTDL4LXw2F7HEK'.repeat(4)}`],
]

describe('a disguised secret is found', () => {
  test.each(secrets)('%s', (_, text) => {
    expect(looksSecret(text)).toBe(true)
    for (const id of ['name', 'symbol', 'description', 'wallet', 'feeReceiver'] as const) {
      expect(() => read(id, text), id).toThrow(/private key|line break|tab|characters|nobody sees/u)
    }
  })

  test('whatever the phrase and the key', () => {
    for (let count = 0; count < 50; count += 1) {
      expect(looksSecret(generateMnemonic(english))).toBe(true)
      expect(looksSecret(generateMnemonic(english, 256))).toBe(true)
      expect(looksSecret(randomBytes(32).toString('hex'))).toBe(true)
    }
  })
})

const wordlists = {
  czech,
  french,
  italian,
  japanese,
  korean,
  portuguese,
  spanish,
  chinese,
  taiwanese,
}

test.each(Object.entries(wordlists))(
  'a seed phrase in another language is found: %s',
  (_, list) => {
    for (let count = 0; count < 20; count += 1) {
      const phrase = generateMnemonic(list)
      expect(isSecret(phrase), phrase).toBe(true)
      expect(isSecret(phrase.normalize('NFC').toUpperCase()), phrase).toBe(true)
      expect(isSecret(phrase.normalize('NFKD').replaceAll(/\p{M}/gu, '')), phrase).toBe(true)
    }
  },
)

const harmless: [what: string, text: string][] = [
  [
    'a sentence',
    'A token for everyone who keeps watch over the river at night, and for their friends.',
  ],
  ['a sentence of words that phrases have', 'Will you have that all there when they can meet this'],
  ['eleven words of a phrase', words.slice(0, 11).join(' ')],
  ['an address', account],
  [
    'a sentence in Spanish',
    'Un token para quien cuida el río de noche, con ayuda de todos sus amigos y de mucha gente buena',
  ],
  ['a sentence in Chinese', '这是一个在水上生活的人的故事，他们每天都在一起看月亮。'],
  ['several addresses', `${account} 5%\n${other} 1000000\n${account.toLowerCase()}, ${other}`],
  ['the link of a transaction', `Proof https://basescan.org/tx/0x${key} and more`],
  ['a CID', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
  ['an old CID', 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'],
  ['a CID as a link', 'ipfs://bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku/1.png'],
  ['a long number', '1234567890'.repeat(8)],
  ['hex of half a key', key.slice(0, 32)],
  ['numbers', Array.from({ length: 40 }, (_, index) => 1_000 + index).join(' ')],
]

test.each(harmless)('%s is no secret', (_, text) => {
  expect(looksSecret(text)).toBe(false)
})

test('64 hex digits in a command may be a pool’s id after 0x; a bare key and a phrase are secrets there, too', () => {
  expect(isSecret(`auction 0x${key}`)).toBe(false)
  expect(isSecret(`search ${key}`)).toBe(true)
  expect(isSecret(`launch wallet:${key}`)).toBe(true)
  expect(isSecret(`search ${'1234567890'.repeat(8).slice(0, 64)}`)).toBe(false)
  expect(isSecret(`search ${seed}`)).toBe(true)
})

test('plain prose is no secret', () => {
  const [, prose = ''] = harmless[0] ?? []
  expect(read('description', prose)).toBe(prose)
})
