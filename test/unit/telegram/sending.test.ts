import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { ChatAddress, Loss } from '../../../src/core/adapter.ts'
import type { Button, LocalisedView } from '../../../src/core/view.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { startFrontedChat, toChat, toPerson } from './telegram-chat.ts'

type Fronted = Awaited<ReturnType<typeof startFrontedChat>>

let chat: Fronted
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

const launched = viewOf('launched')
const toBen = toPerson(ben.id)

const send = (to: Parameters<Fronted['platform']['send']>[0], view: LocalisedView = launched) =>
  chat.platform.send(to, view, 'k1')

function refusal(error_code: number, description: string, parameters?: object): string {
  return JSON.stringify({ ok: false, error_code, description, parameters })
}

/** Every call of a method is answered so. */
function answers(method: string, status: number, body: string): void {
  chat.front.mishap = (called) => (called === method ? { status, body } : undefined)
}

describe('a message sent by the bot itself', () => {
  test('that Telegram answers with 401 ends the process, once, with the setting', async () => {
    chat.server.revokeToken()
    await Promise.allSettled([send(toBen), send(toBen)])
    expect(chat.fatal.map(({ message }) => message)).toEqual([
      expect.stringContaining('TELEGRAM_TOKEN'),
    ])
  })

  test('reaches a person in their private chat, with its buttons and below its files', async () => {
    chat.server.people.text(ben.id, ben.id, '/ask moon')
    await chat.sees(ben.id, 'ask moon')
    const bytes = Buffer.from('{}')
    const buttons: Button<string>[][] = [[{ label: 'Card', line: 'asset 0x42' }]]
    const files = [{ name: 'a.json', type: 'application/json', bytes }]
    await send(toBen, { ...launched, buttons, files })
    const [document, text] = chat.server.people.messages(ben.id).slice(-2)
    expect(document?.document?.name).toBe('a.json')
    expect(text?.text).toBe('launched')
    const id = text?.id ?? 0
    await chat.server.people.press(ben.id, ben.id, id, { label: 'Card' }, 20_000)
    expect(chat.bot.lines.at(-1)).toBe('asset 0x42')
  })

  test.each([club.id, lodge.id, news.id])('reaches the chat %s', async (id) => {
    await send(toChat(id))
    expect(chat.server.people.messages(id).map(({ text }) => text)).toEqual(['launched'])
  })

  test('goes into the topic that it is for, with its files', async () => {
    const files = [{ name: 'a.json', type: 'application/json', bytes: Buffer.from('{}') }]
    await send({ ...toChat(lodge.id), thread: '2' }, { ...launched, files })
    const threads = chat.server.people.messages(lodge.id).map(({ thread }) => thread)
    expect(threads).toEqual([2, 2])
  })

  test('names the supergroup that a group became, and is not sent there', async () => {
    const id = chat.server.people.migrate(club.id)
    await expect(send(toChat(club.id))).rejects.toMatchObject({
      name: 'SendError',
      final: false,
      loss: undefined,
      movedTo: String(id),
    })
    expect(chat.botTexts(id)).toEqual([])
    await send(toChat(id))
    expect(chat.botTexts(id)).toEqual(['launched'])
  })
})

describe('a message that can’t be sent', () => {
  test.each([
    ['a person who never wrote', toBen],
    ['a person whom nobody knows', { kind: 'person', id: '77' } as const],
    ['no id at all', { kind: 'person', id: '' } as const],
  ])('to %s is given up', async (_, to) => {
    await expect(send(to)).rejects.toMatchObject({
      name: 'SendError',
      final: true,
      retryAfter: undefined,
    })
  })

  test('because a view has more than a message takes is given up', async () => {
    const row = Array.from({ length: 101 }, () => ({ label: 'x', line: 'ask' }))
    await expect(send(toChat(club.id), { ...launched, buttons: [row] })).rejects.toMatchObject({
      name: 'SendError',
      final: true,
    })
  })

  test.each<[Loss, string, (to: Fronted) => ChatAddress]>([
    [
      'blocked',
      'blocked',
      ({ server: { people } }) => {
        people.block(ben.id)
        return toBen
      },
    ],
    [
      'blocked',
      'deactivated',
      ({ server: { circumstances } }) => {
        circumstances.deleteChat(ben.id)
        return toBen
      },
    ],
    [
      'removed',
      'kicked',
      ({ server: { people } }) => {
        people.kick(club.id)
        return toChat(club.id)
      },
    ],
    ['gone', 'not found', () => toChat(-77)],
    [
      'gone',
      'deleted',
      ({ server: { circumstances } }) => {
        circumstances.deleteChat(club.id)
        return toChat(club.id)
      },
    ],
    [
      'topic-closed',
      'TOPIC_CLOSED',
      ({ server: { api, circumstances } }) => {
        circumstances.role(api.world.bot.id, lodge.id, 'member')
        circumstances.closeTopic(lodge.id, 2)
        return { ...toChat(lodge.id), thread: '2' }
      },
    ],
    [
      'topic-closed',
      'not found',
      ({ server: { circumstances } }) => {
        circumstances.deleteTopic(lodge.id, 2)
        return { ...toChat(lodge.id), thread: '2' }
      },
    ],
    [
      'forbidden',
      'rights',
      ({ server: { circumstances } }) => {
        circumstances.botMay(club.id, 'nothing')
        return toChat(club.id)
      },
    ],
    [
      'forbidden',
      'administrator',
      ({ server: { people } }) => {
        people.invite(news.id, 'member')
        return toChat(news.id)
      },
    ],
  ])('is %s, and the error says “%s”', async (loss, words, happens) => {
    chat.server.people.text(ben.id, ben.id, '/ask moon')
    await chat.sees(ben.id, 'ask moon')
    const error: unknown = await send(happens(chat)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'SendError', final: true, loss, uncertain: false })
    expect(String(error)).toContain(words)
  })

  test.each([
    [403, 'Forbidden: bot is not a member of the channel chat', 'removed'],
    [403, "Forbidden: bot can't initiate conversation with a user", 'blocked'],
    [403, 'Forbidden: something new', 'forbidden'],
    [400, 'Bad Request: CHAT_WRITE_FORBIDDEN', 'forbidden'],
    [400, 'Bad Request: have no rights to send a message', 'forbidden'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'forbidden'],
    [400, 'Bad Request: group chat was deactivated', 'gone'],
    [400, 'Bad Request: CHANNEL_PRIVATE', 'removed'],
    [400, 'Bad Request: TOPIC_DELETED', 'topic-closed'],
    [400, 'Bad Request: have no write access to the chat', 'forbidden'],
    [400, 'Bad Request: need administrator rights in the channel chat', 'forbidden'],
    [400, 'Bad Request: CHAT_GUEST_SEND_FORBIDDEN', 'forbidden'],
    [400, 'Bad Request: ALLOW_PAYMENT_REQUIRED_5', 'forbidden'],
    [400, 'Bad Request: PRIVACY_PREMIUM_REQUIRED', 'forbidden'],
    [400, 'Bad Request: YOU_BLOCKED_USER', 'blocked'],
    [403, "Forbidden: the bot can't send messages to the bot", 'gone'],
    [400, "Bad Request: can't access the chat", 'removed'],
    [400, 'Bad Request: CHANNEL_PUBLIC_GROUP_NA', 'gone'],
    [400, "Bad Request: can't parse entities", undefined],
  ])('is given up after a %i "%s": the chat is %s', async (code, description, loss) => {
    answers('sendMessage', code, refusal(code, description))
    await expect(send(toChat(club.id))).rejects.toMatchObject({
      final: true,
      loss,
      isUnknown: false,
    })
  })

  test.each([
    ['Bad Request: SOMETHING_NEW', true],
    ['Bad Request: message text is empty', false],
    ['Bad Request: message is too long', false],
    ['Bad Request: BUTTON_DATA_INVALID', false],
    ['Bad Request: MEDIA_EMPTY', false],
    ["Bad Request: inline keyboard button URL 'x' is invalid: Wrong HTTP URL", false],
    ['Bad Request: wrong file identifier/HTTP URL specified', false],
  ])('is given up after "%s": its reason is unknown is %s', async (description, isUnknown) => {
    answers('sendMessage', 400, refusal(400, description))
    await expect(send(toChat(club.id))).rejects.toMatchObject({
      final: true,
      loss: undefined,
      isUnknown,
    })
  })

  test.each(['Bad Request: FROZEN_METHOD_INVALID', 'Bad Request: PEER_FLOOD'])(
    'is tried again after "%s", which is about the bot',
    async (description) => {
      answers('sendMessage', 400, refusal(400, description))
      await expect(send(toChat(club.id))).rejects.toMatchObject({
        final: false,
        loss: undefined,
        isUnknown: false,
      })
    },
  )

  test('because of too many requests is returned with how long to wait', async () => {
    const wait = { retry_after: 25 }
    answers('sendMessage', 429, refusal(429, 'Too Many Requests: retry after 25', wait))
    await expect(send(toChat(club.id))).rejects.toMatchObject({ final: false, retryAfter: 25 })
    expect(chat.front.calls.filter((method) => method === 'sendMessage')).toHaveLength(1)
  })

  test('because its answer only trickles in is given up after two minutes, and may have been done', async () => {
    let trickle: NodeJS.Timeout | undefined
    chat.front.mishap = (method) =>
      method === 'sendMessage'
        ? (response) => {
            response.writeHead(200, { 'content-type': 'application/json' })
            trickle = setInterval(() => response.write(' '), 2)
          }
        : undefined
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const sending = send(toChat(club.id)).catch((error: unknown) => error)
      let isOver = false
      void sending.then(() => {
        isOver = true
      })
      for (let seconds = 0; seconds < 119; seconds += 7) {
        await delay(20)
        expect(isOver).toBe(false)
        vi.advanceTimersByTime(7_000)
      }
      vi.advanceTimersByTime(7_000)
      expect(await sending).toMatchObject({ final: false, uncertain: true })
    } finally {
      clearInterval(trickle)
      vi.useRealTimers()
    }
  })

  test('because its answer never ends is given up once it is too long for the memory', async () => {
    let sent = 0
    chat.front.mishap = (method) =>
      method === 'sendMessage'
        ? (response) => {
            response.writeHead(200, { 'content-type': 'application/json' })
            const more = () => {
              if (response.destroyed || sent > 200_000_000) return
              sent += 1_000_000
              response.write(' '.repeat(1_000_000), () => setImmediate(more))
            }
            more()
          }
        : undefined
    await expect(send(toChat(club.id))).rejects.toMatchObject({ final: false, uncertain: true })
    expect(sent).toBeLessThan(100_000_000)
  })

  test.each([
    ['soon', 10],
    [undefined, 10],
    [0.2, 1],
    [-7, 10],
    [1e300, 86_400],
  ])('because of too many requests is returned with a valid wait: %j', async (said, wait) => {
    answers('sendMessage', 429, refusal(429, 'Too Many Requests', { retry_after: said }))
    const refused = { final: false, retryAfter: wait }
    await expect(send(toChat(club.id))).rejects.toMatchObject(refused)
  })

  test.each([
    ['Telegram stumbles', 500, refusal(500, 'Internal Server Error')],
    ['a proxy answers', 502, '<html>Bad Gateway</html>'],
    ['the token is refused for now', 401, refusal(401, 'Unauthorized')],
  ])('because %s may be retried, and was tried once', async (_, status, body) => {
    answers('sendMessage', status, body)
    await expect(send(toChat(club.id))).rejects.toMatchObject({
      final: false,
      retryAfter: undefined,
    })
    expect(chat.front.calls.filter((method) => method === 'sendMessage')).toHaveLength(1)
  })

  test.each([
    ['answers nothing', { end: 'mute' as const, uncertain: true, arrives: true }],
    ['stumbles after it', { end: 'stumble' as const, uncertain: true, arrives: true }],
    ['stumbles over it', { end: 'fail' as const, uncertain: true, arrives: false }],
    ['cuts the line', { end: 'cut' as const, uncertain: true, arrives: false }],
  ])('says whether it may have arrived if Telegram %s', async (_, { end, uncertain, arrives }) => {
    chat.server.fault = (method) => (method === 'sendMessage' ? end : undefined)
    const sending = send(toChat(club.id)).catch((reason: unknown) => reason)
    if (arrives) await chat.sees(club.id, 'launched')
    if (end === 'mute') await chat.front.shut()
    expect(await sending).toMatchObject({ name: 'SendError', final: false, uncertain })
    expect(chat.botTexts(club.id)).toEqual(arrives ? ['launched'] : [])
    if (end === 'mute') await chat.front.open()
  })

  test('has certainly not arrived if nothing takes the call', async () => {
    await chat.front.shut()
    await expect(send(toChat(club.id))).rejects.toMatchObject({ final: false, uncertain: false })
    await chat.front.open()
  })

  test('says so as an edit, too', async () => {
    const { message } = await send(toChat(club.id))
    chat.server.people.kick(club.id)
    await expect(
      chat.platform.edit(toChat(club.id), message, viewOf('sold')),
    ).rejects.toMatchObject({ name: 'SendError', final: true, loss: 'removed' })
  })
})

describe('an answer', () => {
  test.each([
    ['fails', { status: 500, body: refusal(500, 'Internal Server Error') }],
    ['is behind a proxy that fails', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['cuts the line', 'reset' as const],
  ])('comes once Telegram is well again that %s', async (_, mishap) => {
    let left = 2
    chat.front.mishap = (called) => (called === 'sendMessage' && left-- > 0 ? mishap : undefined)
    chat.server.people.text(ben.id, ben.id, '/ask moon')
    await chat.sees(ben.id, 'ask moon')
    expect(chat.botTexts(ben.id)).toHaveLength(1)
    expect(chat.front.calls.filter((method) => method === 'sendMessage')).toHaveLength(3)
  })
})
