import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { refuses, says } from '../core/scripted-bot.ts'
import { adasTurn, type Chat, deferred, isEphemeral, startChat, textOf } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const slash = (term: string) => chat.server.people.slash(ada.id, club.id, 'ask', { term })
const adaReads = () => chat.reads(club.id, ada.id)
const benReads = () => chat.reads(club.id, ben.id)

const failed = (words: string): Answer => ({ ...refuses(words), outcome: 'failed' })
const tooMany = Array.from({ length: 60 }, (_, index) => ({ label: 'x', line: `ask ${index}` }))
const astray = [{ label: 'x', url: `https://otter.example/${'x'.repeat(600)}` }]

describe('a slash command', () => {
  test('is run for the person in that channel, and answered publicly', async () => {
    const message = await slash('moon otter').message()
    expect(textOf(message)).toBe('ask "moon otter"')
    expect(benReads()).toEqual(['ask "moon otter"'])
    expect(chat.bot.asked).toEqual([{ line: 'ask "moon otter"', context: adasTurn }])
  })

  test('is named in an answer by its registered id, so that a tap fills it in', async () => {
    const { view, ...answer } = says('')
    const spans = [{ code: '/ask' }, ' or ', { code: '/other' }]
    chat.bot.on('ask moon', { ...answer, view: { ...view, blocks: [{ kind: 'text', spans }] } })
    const id = chat.server.people.commands(ada.id, club.id).find(({ name }) => name === 'ask')?.id
    expect(textOf(await slash('moon').message())).toBe(`</ask:${id}> or \`/other\``)
  })

  test.each([
    ['refused', refuses('Not like this.'), 'Not like this.'],
    ['failed', failed('Not like this.'), 'explained'],
  ])('that is %s is answered to the asker alone', async (_, answer, told) => {
    chat.bot.on('ask moon', answer)
    const message = await slash('moon').message()
    expect([textOf(message), isEphemeral(message)]).toEqual([told, true])
    expect(benReads()).toEqual([])
  })

  test('that is too much is answered to the asker alone, each time', async () => {
    chat.bot.floodLimits.person = 1
    await slash('moon').message()
    for (let count = 0; count < 2; count += 1) {
      const message = await slash('moon').message()
      expect([textOf(message), isEphemeral(message)]).toEqual([
        expect.stringContaining('a lot at once'),
        true,
      ])
    }
  })

  test.each([
    ['has more buttons than fit', tooMany],
    ['is refused by Discord', astray],
  ])('whose answer %s is explained to the asker alone', async (_, buttons) => {
    chat.bot.on('ask moon', says('too much', buttons))
    const message = await slash('moon').message()
    expect([textOf(message), isEphemeral(message)]).toEqual(['explained', true])
    expect(chat.bot.explained).toMatchObject([{ line: 'ask moon' }])
    expect(benReads()).toEqual([])
    expect(chat.log.of('error')).toEqual([])
  })
})

describe('a slash command that takes long', () => {
  let answer: (answer: Answer) => void
  beforeEach(() => {
    answer = deferred(chat, 'ask moon')
  })

  test.each([
    ['is refused', refuses('Not like this.'), 'Not like this.'],
    ['fails', failed('Not like this.'), 'explained'],
    ['can’t be shown', says('too much', tooMany), 'explained'],
    ['is one that Discord refuses', says('too much', astray), 'explained'],
  ])(
    'and %s is answered to the asker alone, and the public announcement is deleted',
    async (_, late, told) => {
      const asked = slash('moon')
      expect(await asked.taken).toBe('thinking')
      answer(late)
      const message = await asked.message()
      expect([textOf(message), isEphemeral(message)]).toEqual([told, true])
      expect(adaReads()).toEqual([told])
      expect(benReads()).toEqual([])
      expect(chat.log.of('error')).toEqual([])
    },
  )
})

test('an option that takes a line may have other options in it', async () => {
  const { people } = chat.server
  await people.slash(ada.id, club.id, 'alerts', { do: 'add live name:"b c"', tag: 'a b' }).message()
  expect(chat.bot.asked.at(-1)?.line).toBe('alerts add live name:"b c" tag:"a b"')
})

describe('while an option is typed', () => {
  const complete = () =>
    chat.server.people.complete(ada.id, club.id, 'ask', { term: 'ott' }, 'term')

  test('the bot is given what is typed', async () => {
    chat.bot.choices = [{ value: 'a', label: 'Otter' }]
    expect(await complete()).toEqual([{ name: 'Otter', value: 'a' }])
    expect(chat.bot.completions).toEqual([{ command: 'ask', option: 'term', typed: 'ott' }])
  })

  test('as many choices are offered as Discord takes', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ value: `${index}`, label: 'Otter' }))
    chat.bot.choices = many
    expect((await complete()).map(({ value }) => value)).toEqual(
      many.slice(0, 25).map(({ value }) => value),
    )
  })

  test('values that are too long are left out, and names of strangers are short and harmless', async () => {
    chat.bot.choices = [
      { value: 'x'.repeat(101), label: 'Too long' },
      { value: 'x'.repeat(100), label: `\u202e${'y'.repeat(200)}` },
      { value: 'nameless', label: ' \u200b' },
    ]
    expect(await complete()).toEqual([
      { name: `${'y'.repeat(99)}…`, value: 'x'.repeat(100) },
      { name: 'nameless', value: 'nameless' },
    ])
  })

  test('nothing to offer is an empty list', async () => {
    expect(await complete()).toEqual([])
  })
})
