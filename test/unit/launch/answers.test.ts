import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelledAnswers } from '../../../src/launch/answers.ts'
import { hostileText } from '../../hostile.ts'

function read(text: string): Record<string, string> | undefined {
  const read = labelledAnswers(text)
  return read && Object.fromEntries(read.given.map(({ question, text }) => [question.id, text]))
}

function mistyped(text: string): string[] | undefined {
  return labelledAnswers(text)?.mistyped.map(({ word, nearestLabel: near, text }) =>
    [word, near, text].join(' > '),
  )
}

test('one answer a line, in any order; lists continue on the next lines', () => {
  const text = [
    'Symbol: OTTER',
    'Name: Moon Otter',
    'Links:',
    'https://a.example, https://b.example',
    'Chat: https://t.me/otter',
    '',
    'Fees: wallet',
    'Vesting: 0x12 5%',
    '0x34 1000',
  ].join('\r\n')
  expect(read(text)).toEqual({
    symbol: 'OTTER',
    name: 'Moon Otter',
    links: 'https://a.example, https://b.example\nChat: https://t.me/otter',
    feeReceiver: 'wallet',
    vesting: '0x12 5%\n0x34 1000',
  })
})

test('commas stay in a name, in lists and in free text', () => {
  expect(read('name: Moon, Inc, symbol: M')).toEqual({ name: 'Moon, Inc', symbol: 'M' })
  expect(read('links: https://a.example/a,b, https://c.example, symbol: M')).toEqual({
    links: 'https://a.example/a,b, https://c.example',
    symbol: 'M',
  })
  const description = 'We like rivers, lakes, symbol: of peace'
  expect(read(`description: ${description}`)).toEqual({ description })
  expect(read(`name: Moon, description: ${description}`)).toEqual({ name: 'Moon', description })
  expect(read('description: Rivers, symbol: M')).toEqual({ description: 'Rivers', symbol: 'M' })
})

test('the text behind a mistyped label is not used, and the other answers are', () => {
  const text = 'name: Moon\ndescription: A bird.\nwalet: 0x123\nvestng: 0x1 5%\n0x2 5%\nsymbol: M'
  expect(read(text)).toEqual({ name: 'Moon', description: 'A bird.', symbol: 'M' })
  expect(mistyped(text)).toEqual(['walet > wallet > 0x123', 'vestng > vesting > 0x1 5%\n0x2 5%'])
  expect(read('name: Moon, symbl: M, wallet: 0x1')).toEqual({ name: 'Moon', wallet: '0x1' })
  expect(read('nme: Moon\nsymbol: M')).toEqual({ symbol: 'M' })
  expect(mistyped('nme: Moon\nsymbol: M')).toEqual(['nme > name > Moon'])
})

test('words before a colon that resemble no label stay text, and so do labels of links', () => {
  const description = 'A bird.\nNote: it flies.\nMotto: be kind'
  expect(read(`description: ${description}`)).toEqual({ description })
  const links = 'https://a.example\nSocal: https://b.example'
  expect(read(`links: ${links}`)).toEqual({ links })
  expect(mistyped(`links: ${links}\ndescription: ${description}`)).toEqual([])
})

test('text that does not begin with a label is one answer', () => {
  for (const text of [
    'Moon Otter',
    'Motto: be kind',
    'walet: 0x123',
    'A story.\nname: x',
    'https://a.example',
    '',
    ':',
    'name',
  ]) {
    expect(read(text), text).toBeUndefined()
  }
})

test('nothing that was typed is lost', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (one, other) => {
      const [name, description] = [one, other].map((text) =>
        text.replaceAll(/[,=:\r\n]/gu, '').trim(),
      )
      const given = read(`name: ${name}\ndescription: ${description}`)
      expect(given).toEqual({ name, description })
    }),
  )
})
