import type { Message } from 'grammy/types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ben } from '../../../sandbox/telegram/cast.ts'
import { gif } from './pictured.ts'
import { type Chat, startChat } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

/** What the bot heard: the words, and the files with their sizes. */
const heard = () =>
  chat.bot.heard.map(({ heard: { text, files } }) => ({
    words: text,
    files: files.map(({ name, size }) => [name, size]),
  }))

/** A message that the people of the sandbox can't write. */
function push(body: Omit<Partial<Message>, 'chat' | 'from'>): void {
  chat.server.api.queue.push({
    message: {
      message_id: 9_000,
      date: 1,
      chat: { id: ben.id, type: 'private', first_name: 'Ben' },
      from: ben,
      ...body,
    },
  })
}

describe('in a private chat', () => {
  test('text is received as it was written, and so is an address', async () => {
    const { server, bot, settled } = chat
    const address = '0x4200000000000000000000000000000000000006'
    const words = ['gm', ' Moon\u202e\nOtter', address, 'ask me']
    for (const each of words) server.people.text(ben.id, ben.id, each)
    await settled(ben.id)
    expect(heard()).toEqual([
      { words: 'gm', files: [] },
      // Telegram trims; what else is odd about it is for who asked to judge.
      { words: expect.stringContaining('Otter'), files: [] },
      { words: address, files: [] },
      { words: 'ask me', files: [] },
    ])
    const lines = ['asset gm', 'asset "Moon Otter"', `asset ${address}`, 'asset "ask me"']
    expect(bot.lines.slice(0, 4)).toEqual(lines)
    expect(heard()[1]?.words).toMatch(/Moon.?\nOtter/u)
  })

  test('commands are run, also below a picture, and those for another bot ignored', async () => {
    const { server, bot, settled } = chat
    server.people.text(ben.id, ben.id, '/ask moon')
    await server.people.photo(ben.id, ben.id, gif, { caption: '/ask sun' })
    server.people.text(ben.id, ben.id, '/ask@another_bot moon')
    server.people.text(ben.id, ben.id, '/')
    await settled(ben.id)
    expect(heard()).toEqual([])
    expect(bot.lines).toEqual(['ask moon', 'ask sun', '', 'ask settled'])
  })

  test('a command that takes input gets what stands behind it, and the picture', async () => {
    const { server, bot, settled } = chat
    await server.people.photo(ben.id, ben.id, gif, { caption: '/launch' })
    server.people.text(ben.id, ben.id, '/launch RIVER\nwallet: 0x12')
    server.people.text(ben.id, ben.id, '/launch')
    await settled(ben.id)
    expect(heard()).toEqual([
      { words: '/launch', files: [['photo.jpg', gif.bytes.length]] },
      { words: expect.stringMatching(/^\/launch RIVER\s/u), files: [] },
    ])
    expect(bot.lines).toContain('launch')
  })

  test('a photo and a document come with their words', async () => {
    const { server, bot, settled } = chat
    await server.people.photo(ben.id, ben.id, gif, { caption: 'my picture' })
    server.people.document(ben.id, ben.id, { ...gif, name: 'otter.zip' })
    await settled(ben.id)
    expect(heard()).toEqual([
      { words: 'my picture', files: [['photo.jpg', gif.bytes.length]] },
      { words: '', files: [['otter.zip', gif.bytes.length]] },
    ])
    expect(bot.lines.slice(0, 2)).toEqual(['asset "my picture"', 'start'])
  })

  test('the pictures of an album come one by one', async () => {
    const { settled } = chat
    const photo = (id: string) => [{ file_id: id, file_unique_id: id, width: 1, height: 1 }]
    push({ media_group_id: '7', photo: photo('a'), caption: 'both' })
    push({ media_group_id: '7', photo: photo('b') })
    await settled(ben.id)
    expect(heard().map(({ words, files }) => [words, files.length])).toEqual([
      ['both', 1],
      ['', 1],
    ])
  })

  const file = { file_id: 'x', file_unique_id: 'x' }
  const others: [what: string, body: Parameters<typeof push>[0]][] = [
    ['voice', { voice: { ...file, duration: 1 } }],
    ['video', { video: { ...file, duration: 1, width: 1, height: 1 } }],
    ['a location', { location: { latitude: 1, longitude: 1 } }],
    ['a contact', { contact: { phone_number: '1', first_name: 'Ada' } }],
    ['dice', { dice: { emoji: '🎲', value: 1 } }],
  ]
  test.each(others)('%s is received as an empty text', async (_, body) => {
    push(body)
    await chat.settled(ben.id)
    expect(heard()).toEqual([{ words: '', files: [] }])
    expect(chat.bot.lines).toEqual(['start', 'ask settled'])
  })

  test('edits and service messages are ignored', async () => {
    const from = ben
    const edited = { message_id: 1, date: 1, edit_date: 2, from, text: 'gm' }
    const place = { id: ben.id, type: 'private', first_name: 'Ben' } as const
    chat.server.api.queue.push({ edited_message: { ...edited, chat: place } })
    push({ message_auto_delete_timer_changed: { message_auto_delete_time: 60 } })
    await chat.settled(ben.id)
    expect(chat.bot.lines).toEqual(['ask settled'])
    expect(heard()).toEqual([])
  })
})
