import { expect, test } from 'vitest'
import { type Reading, readMessage } from '../../src/chat/reading.ts'

const line = (text: string): Reading => ({ kind: 'line', line: text })
const words: Reading = { kind: 'words' }
const address = '0x4200000000000000000000000000000000000006'

const messages: [text: string, reading: Reading][] = [
  ['/asset OTTER', line('asset OTTER')],
  ['  /asset OTTER  ', line('asset OTTER')],
  ['/asset@gavel_bot OTTER', line('asset OTTER')],
  ['/ASSET@Gavel_Bot OTTER', line('ASSET OTTER')],
  ['/asset@gavel_bot', line('asset')],
  ['/search two\nlines', line('search two\nlines')],
  ['/asset@another_bot OTTER', { kind: 'elsewhere' }],
  ['/', line('')],
  ['/?!', line('?!')],
  ['/quite-unknown x', line('quite-unknown x')],
  [address, line(`asset ${address}`)],
  [` ${address}\n`, line(`asset ${address}`)],
  // Not quite an address was still meant as one, and gets an answer that says what is wrong with it.
  ['0x1234abcdZZ', line('asset 0x1234abcdZZ')],
  ['0x12', words],
  [`look: ${address}`, words],
  ['gm', words],
  ['', words],
]

test.each(messages)('%j', (text, reading) => {
  expect(readMessage(text, 'gavel_bot')).toEqual(reading)
})
