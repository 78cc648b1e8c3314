import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, club, lodge } from '../../../sandbox/telegram/cast.ts'
import { says } from '../core/scripted-bot.ts'
import { startFrontedChat } from './telegram-chat.ts'

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
const deleted = '🗑️ I deleted your message.'
const asked = '⚠️ Delete your message now: I’m not allowed to do it here.'

let chat: Awaited<ReturnType<typeof startFrontedChat>>
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

function texts(place: number): string[] {
  return chat.server.people.messages(place).map(({ text }) => text)
}

describe('a message with a secret', () => {
  test.each([phrase, key, `name: Moon Otter\nwallet: ${key}`])(
    'is deleted in the private chat, and the answer says so',
    async (text) => {
      chat.bot.receiver = async () => says('That is no answer.')
      chat.server.people.text(ada.id, ada.id, text)
      const answer = await chat.sees(ada.id, 'That is no answer.')
      expect(answer.text).toContain(deleted)
      expect(texts(ada.id)).not.toContain(text)
    },
  )

  test('that can’t be deleted is to be deleted by the person, who reads so', async () => {
    chat.bot.receiver = async () => says('That is no answer.')
    const body = JSON.stringify({
      ok: false,
      error_code: 400,
      description: "Bad Request: message can't be deleted",
    })
    chat.front.mishap = (method) => (method === 'deleteMessage' ? { status: 400, body } : undefined)
    chat.server.people.text(ada.id, ada.id, phrase)
    expect((await chat.sees(ada.id, 'That is no answer.')).text).toContain(asked)
  })

  test.each(['/ask', '/launch'])('is not run as the command %s', async (command) => {
    chat.server.people.text(ada.id, ada.id, `/ask ${phrase}`)
    await chat.sees(ada.id, deleted)
    chat.server.people.text(ada.id, club.id, `${command} ${phrase}`)
    await chat.sees(club.id, asked)
    expect(chat.bot.lines).toEqual([])
    expect(chat.lines.count()).toBe(0)
  })

  test('is not stored with the link to the private chat, though it may be a pool’s id', async () => {
    chat.server.people.text(ada.id, club.id, `/launch wallet: 0x${key}`)
    await chat.sees(club.id, asked)
    expect(chat.bot.lines).toEqual([])
    expect(chat.lines.count()).toBe(0)
  })

  test('is deleted in a group that lets the bot delete', async () => {
    chat.server.people.invite(lodge.id, 'administrator')
    chat.server.people.text(ada.id, lodge.id, `/launch ${phrase}`)
    await chat.sees(lodge.id, deleted)
    expect(texts(lodge.id).join()).not.toContain('winner')
  })

  test('is deleted after three others, but no more answered: groups take few messages', async () => {
    chat.server.people.invite(lodge.id, 'administrator')
    for (let count = 0; count < 12; count += 1) {
      chat.server.people.text(ada.id, lodge.id, `/ask ${phrase}`)
    }
    await chat.settled(ada.id, lodge.id)
    expect(texts(lodge.id).join()).not.toContain('winner')
    expect(texts(lodge.id).filter((text) => text.includes(deleted))).toHaveLength(3)
  })

  test('is deleted behind a command, too, if it is a key as wallets show it', async () => {
    chat.server.people.text(ada.id, ada.id, `/ask ${key}`)
    await chat.sees(ada.id, deleted)
    expect(chat.bot.lines).toEqual([])
    expect(texts(ada.id).join()).not.toContain(key)
  })

  test('is no pool’s id behind a command', async () => {
    chat.server.people.text(ada.id, ada.id, `/ask 0x${key}`)
    await chat.sees(ada.id, `ask 0x${key}`)
    expect(texts(ada.id)).toContain(`/ask 0x${key}`)
  })
})
