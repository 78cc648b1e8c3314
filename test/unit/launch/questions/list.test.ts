import fc from 'fast-check'
import { expect, test } from 'vitest'
import { harmless } from '../../../../src/core/text.ts'
import { UserError } from '../../../../src/errors.ts'
import { answersSchema } from '../../../../src/launch/draft.ts'
import { questions } from '../../../../src/launch/questions/list.ts'
import { hostileText, longHostileText } from '../../../hostile.ts'
import { account, other, read, scopeOf } from './reading.ts'

const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'

test('a chain is chosen by id or name, among those that have templates', () => {
  expect(read('chain', '84532')).toBe(84532)
  expect(read('chain', 'base')).toBe(8453)
  expect(read('chain', 'Base Sepolia')).toBe(84532)
  expect(() => read('chain', '1')).toThrow('Choose Base or Base Sepolia.')
})

test('a template is chosen by id or label, of those of the chain', () => {
  expect(read('template', 'fast one', scopeOf({ chain: 8453 }))).toBe('fast one')
  expect(read('template', 'FAST', scopeOf({ chain: 8453 }))).toBe('fast one')
  expect(() => read('template', 'trial', scopeOf({ chain: 8453 }))).toThrow(
    'Choose Standard or Fast.',
  )
})

test('categories are pressed or typed', () => {
  expect(read('categories', 'both')).toEqual(['builder-coin', 'product-coin'])
  expect(read('categories', 'Product coin')).toEqual(['product-coin'])
  expect(read('categories', 'product, builder')).toEqual(['builder-coin', 'product-coin'])
  expect(read('categories', 'Ürün coini')).toEqual(['product-coin'])
  expect(read('categories', '两者都是')).toEqual(['builder-coin', 'product-coin'])
  expect(() => read('categories', 'meme-coin')).toThrow(
    'Choose Builder coin, Product coin or Both, or skip',
  )
  expect(() => read('categories', '__proto__')).toThrow(UserError)
})

test('a picture is named by its CID or a link to it', () => {
  expect(read('picture', cid)).toEqual({ cid, stored: false })
  expect(read('picture', `ipfs://${cid}`)).toEqual({ cid, stored: false })
  expect(read('picture', `https://ipfs.io/ipfs/${cid}`)).toEqual({ cid, stored: false })
  expect(() => read('picture', 'https://a.example/otter.png')).toThrow(
    'That isn’t an IPFS CID or link. Send the picture itself, or its CID.',
  )
  expect(() => read('picture', 'otter', scopeOf({}, { canPublish: false }))).toThrow(
    'Upload the picture to IPFS, then send its CID.',
  )
})

test('the CID of a picture that is stored here means the stored picture', () => {
  const picture = { cid, stored: true }
  expect(read('picture', cid, scopeOf({ picture }))).toEqual(picture)
})

const anyText = fc.oneof(
  hostileText,
  longHostileText,
  fc
    .tuple(
      fc.constantFrom(
        account,
        `${other} 5%`,
        `${other} 3`,
        'https://a.example/',
        'wallet',
        cid,
        'both',
      ),
      fc.constantFrom(' ', '\n', ', ', ''),
      hostileText,
    )
    .map((parts) => parts.join('')),
)

test.each(questions)(
  '$id: any text is refused with a reason, or is an answer whose text is read as the same answer',
  (question) => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('launch', 'metadata'), (text, goal) => {
        const scope = scopeOf({}, { goal })
        let answers: ReturnType<typeof question.parse>
        try {
          answers = question.parse(text, scope)
        } catch (error) {
          expect(error).toBeInstanceOf(UserError)
          return
        }
        expect(answersSchema.parse(JSON.parse(JSON.stringify(answers)))).toEqual(answers)
        const answered = { ...scope, answers }
        const typed = question.text(answered)
        expect(typed).toBeDefined()
        expect(question.parse(typed ?? '', answered)).toEqual(answers)
      }),
      { numRuns: 500 },
    )
  },
)

// A pattern that tries every start in such a run takes minutes.
test.each([' ', '\u2003', '-', '0', '%', 'a.', ' k', 'coin '])(
  'a run of %j is refused or read at once, wherever it stands',
  (repeated) => {
    const run = repeated.repeat(150_000 / repeated.length)
    const texts = [`${run}!`, `a${run}b`, `${account} 5${run}!`, `Otter${run}https://otter.example`]
    for (const question of questions) {
      for (const text of texts) {
        try {
          question.parse(text, scopeOf())
        } catch (error) {
          expect(error).toBeInstanceOf(UserError)
        }
      }
    }
  },
)

test('an accepted name is shown as it was accepted', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let name: unknown
      try {
        name = read('name', text)
      } catch {
        return
      }
      expect(harmless(String(name))).toBe(name)
    }),
    { numRuns: 2_000 },
  )
})
