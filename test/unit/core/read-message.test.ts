import { expect, test } from 'vitest'
import { type Reading, readMessage } from '../../../src/core/command.ts'

const command = (name: string, line: string, addressed = false): Reading => ({
  kind: 'command',
  name,
  line,
  addressed,
})
const bare = (typed: string): Reading => ({ kind: 'address', line: `asset ${typed}` })
const words: Reading = { kind: 'words', line: 'start' }
const searched = (line: string): Reading => ({ kind: 'words', line })
const address = '0x4200000000000000000000000000000000000006'

const messages: [text: string, reading: Reading][] = [
  ['/asset OTTER', command('asset', 'asset OTTER')],
  ['  /asset OTTER  ', command('asset', 'asset OTTER')],
  ['/asset@gavel_bot OTTER', command('asset', 'asset OTTER', true)],
  ['/ASSET@Gavel_Bot OTTER', command('asset', 'ASSET OTTER', true)],
  ['/asset@gavel_bot', command('asset', 'asset', true)],
  // Copied from an answer, it holds what keeps Telegram from making links of it.
  ['/\u2060asset OTTER', command('asset', 'asset OTTER')],
  ['0x\u2060420000000000', bare('0x420000000000')],
  ['/search two\nlines', command('search', 'search two lines')],
  ['/asset@another_bot OTTER', { kind: 'elsewhere' }],
  ['/', command('', '')],
  ['/?!', command('', '?!')],
  ['/quite-unknown x', command('', 'quite-unknown x')],
  [address, bare(address)],
  [` ${address}\n`, bare(address)],
  // Not quite an address was still meant as one, and gets an answer that says what is wrong with it.
  ['0x1234abcdZZ', bare('0x1234abcdZZ')],
  ['0x12', searched('asset 0x12')],
  ['otter', searched('asset otter')],
  ['$OTTER', searched('asset $OTTER')],
  ['Moon\nOtter', searched('asset "Moon Otter"')],
  ['chain:base "x"', searched('asset "chain:base \\"x\\""')],
  ['月の', searched('asset 月の')],
  [`look: ${address}!`, searched(`asset ${address}`)],
  [`${address}00`, bare(`${address}00`)],
  ['🤷', words],
  ['x'.repeat(101), words],
  ['', words],
]

test.each(messages)('%j', (text, reading) => {
  expect(readMessage(text, 'gavel_bot')).toEqual(reading)
})
