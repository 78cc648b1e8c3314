import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { SeenMessage } from '../../../sandbox/telegram/shown.ts'
import { says } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const privately = 'Let’s continue in our private chat'

function linkOf({ buttons }: SeenMessage): string {
  const [button] = buttons.flat()
  if (!button || !('url' in button)) throw new Error('no link')
  return button.url
}

/** The last line that was run, and by whom. */
const last = () => {
  const { line, context } = chat.bot.asked.at(-1) ?? {}
  return [line, context?.user, context?.chat, context?.ephemeral]
}

async function pressed(label: string, person: number, place: number, message: number) {
  return chat.server.people.press(person, place, message, { label }, 20_000)
}

describe('a command with ephemeral answers', () => {
  test.each([
    ['group', club.id],
    ['supergroup', lodge.id],
    ['channel', news.id],
  ])('leads from a %s into the private chat, with the chat in which it began', async (_, place) => {
    const { server, bot, sees } = chat
    const { message_id } = server.people.text(ada.id, place, '/launch')
    const message = await sees(place, privately)
    expect(message.replyTo?.id).toBe(place === news.id ? undefined : message_id)
    expect(message.buttons.flat()).toHaveLength(1)
    expect(linkOf(message)).toMatch(/^https:\/\/t\.me\/gavel_bot\?start=[\w-]{16}$/u)
    expect(bot.lines).toEqual([])
    server.people.open(ada.id, linkOf(message))
    await sees(ada.id, 'launch from:')
    const me = String(ada.id)
    expect(last()).toEqual([`launch from:${place}`, me, me, true])
  })

  test('keeps its options, but not a typed chat of origin', async () => {
    const { server, sees } = chat
    server.people.text(ben.id, club.id, '/launch from:-1 "Moon Otter"')
    server.people.open(ben.id, linkOf(await sees(club.id, privately)))
    await sees(ben.id, 'launch')
    expect(last()[0]).toBe(`launch "Moon Otter" from:${club.id}`)
  })

  test('that can’t be parsed is refused in the private chat, not in the group', async () => {
    const { server, sees } = chat
    server.people.text(ben.id, club.id, '/launch from:1 from:2')
    server.people.open(ben.id, linkOf(await sees(club.id, privately)))
    await sees(ben.id, 'launch')
    expect(last()[0]).toBe('launch from:1 from:2')
  })

  test.each([
    '/launch from:-1009999999999',
    '/launch FROM: -1009999999999',
    '/launch@gavel_bot from:"-1009999999999"',
  ])('ignores a typed chat of origin: %s', async (typed) => {
    const { server, bot, sees } = chat
    server.people.text(ben.id, ben.id, typed)
    await sees(ben.id, 'launch')
    expect(bot.lines).toEqual(['launch'])
  })

  test('takes no chat of origin from texts and files without an open question', async () => {
    const { server, bot, sees } = chat
    server.people.text(ben.id, ben.id, 'launch from:-1009999999999')
    await sees(ben.id, 'asset')
    expect(bot.lines).toEqual(['asset "launch from:-1009999999999"'])
  })

  test('is offered in a group a few times, and then not for a while', async () => {
    const { server, bot, settled, botTexts } = chat
    for (let count = 0; count < 9; count += 1) server.people.text(ben.id, club.id, '/launch')
    await settled(ben.id, club.id)
    const offers = botTexts(club.id).filter((text) => text.startsWith(privately))
    expect(offers.length).toBeGreaterThan(0)
    expect(offers.length).toBeLessThan(9)
    expect(bot.lines).toEqual(['ask settled'])
  })

  test('is not run through a link that is opened in a group', async () => {
    const { server, bot, sees, settled } = chat
    server.people.text(ben.id, club.id, '/launch')
    const link = new URL(linkOf(await sees(club.id, privately)))
    const { message_id } = server.people.text(
      ben.id,
      lodge.id,
      `/start ${link.searchParams.get('start')}`,
    )
    await sees(lodge.id, privately, message_id)
    await settled(ben.id, lodge.id)
    expect(bot.lines).toEqual(['ask settled'])
  })
})

test('a command for buttons gives no link when it is typed in a group', async () => {
  const { server, bot, sees } = chat
  server.people.text(ben.id, club.id, '/launching@gavel_bot confirm k3f9a2bc.12')
  expect(linkOf(await sees(club.id, privately))).toBe('https://t.me/gavel_bot')
  expect(bot.lines).toEqual([])
})

describe('a press in a group on a button with an ephemeral answer', () => {
  test.each([
    ['in place', false],
    ['as a new message', true],
  ])('%s leads the presser into their own private chat', async (_, opens) => {
    const { server, bot, sees } = chat
    bot.on('ask card', says('the card', [{ label: 'Launch', line: 'launch', asNew: opens }]))
    server.people.text(ben.id, club.id, '/ask card')
    const { id } = await sees(club.id, 'the card')
    for (const person of [ben.id, ada.id]) {
      const result = await pressed('Launch', person, club.id, id)
      if (result.kind !== 'answer') throw new Error(`a press gave ${result.kind}`)
      expect(result.text).toBe('')
      server.people.open(person, result.url)
      await sees(person, 'launch from:')
      const me = String(person)
      expect(last()).toEqual([`launch from:${club.id}`, me, me, true])
    }
    expect(chat.botTexts(club.id)).toEqual(['the card'])
  })

  test('runs nothing if a hostile app sends it', async () => {
    const { server, bot, sees } = chat
    server.people.text(ben.id, club.id, '/ask card')
    const { id } = await sees(club.id, 'ask card')
    for (const data of ['=launch', '+launching confirm k3f9a2bc.12']) {
      const result = await server.people.press(ada.id, club.id, id, { data }, 20_000)
      expect(result).toMatchObject({ text: 'These buttons are too old. Send the command again.' })
    }
    expect(bot.lines).toEqual(['ask card'])
  })
})

test.each(['0123456789abcdef', '../../../../etc/', 'launch', 'x'.repeat(64)])(
  'a forged link (%s) is answered with how to begin',
  async (forged) => {
    const { server, bot, sees } = chat
    server.people.text(ben.id, ben.id, `/start ${forged}`)
    await sees(ben.id, 'start')
    expect(bot.lines).toEqual([`start ${forged}`])
  },
)
