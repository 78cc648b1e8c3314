import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, news } from '../../../sandbox/telegram/cast.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat, toPerson } from './telegram-chat.ts'

let chat: Chat
let post: number
beforeEach(async () => {
  chat = await startChat()
  const buttons = [
    { label: 'More', line: 'ask more' },
    { label: 'Open', line: 'ask more', asNew: true },
    { label: 'Mute', line: 'change mute' },
  ]
  chat.bot.on('ask card', says('the card', buttons))
  chat.server.people.text(ada.id, news.id, '/ask card')
  post = (await chat.sees(news.id, 'the card')).id
})
afterEach(() => chat.stop())

const texts = () => chat.server.people.messages(news.id).map(({ text }) => text)

async function privateLink(label: string, person = ben.id): Promise<URL> {
  const result = await chat.server.people.press(person, news.id, post, { label }, 20_000)
  if (result.kind !== 'answer') throw new Error(`a press gave ${result.kind}`)
  return new URL(result.url)
}

describe('a subscriber’s press', () => {
  test.each(['More', 'Open'])(
    'of %s leads into the private chat and leaves the channel',
    async (label) => {
      const link = await privateLink(label)
      expect(link.origin + link.pathname).toBe('https://t.me/gavel_bot')
      expect(chat.bot.lines).toEqual(['ask card'])
      expect(texts()).toEqual(['/ask card', 'the card'])
      // What their app does with the link.
      chat.server.people.text(ben.id, ben.id, `/start ${link.searchParams.get('start')}`)
      await chat.sees(ben.id, 'ask more')
      expect(chat.bot.asked.at(-1)).toEqual({
        line: 'ask more',
        context: {
          platform: telegram,
          user: String(ben.id),
          chat: String(ben.id),
          ephemeral: true,
          isPrivate: true,
          locale: 'en',
          update: expect.stringMatching(/^\d+$/u),
          invitations: {
            group: 'https://t.me/gavel_bot?startgroup',
            channel: 'https://t.me/gavel_bot?startchannel&admin=post_messages',
          },
        },
      })
      expect(texts()).toEqual(['/ask card', 'the card'])
    },
  )
})

describe('a line that changes something', () => {
  test('from a link runs only after a confirmation', async () => {
    const { server, bot, sees } = chat
    const link = await privateLink('Mute')
    server.people.open(ada.id, link.href)
    const asked = await sees(ada.id, 'Do you want this?')
    expect(asked.text).toContain('/change mute')
    expect(bot.lines).toEqual(['ask card'])
    await server.people.press(ada.id, ada.id, asked.id, { label: 'Do it' }, 20_000)
    expect(bot.asked.at(-1)).toMatchObject({
      line: 'change mute',
      context: { user: String(ada.id), chat: String(ada.id) },
    })
  })

  test('from a link that adds the bot to a group is not run there', async () => {
    const { server, bot, sees } = chat
    const id = (await privateLink('Mute')).searchParams.get('start')
    server.people.text(ada.id, club.id, `/start@gavel_bot ${id}`)
    await sees(club.id, 'Do you want this?')
    expect(bot.lines).toEqual(['ask card'])
  })
})

test('an administrator’s press edits the post, and counts as theirs, not as the channel’s', async () => {
  await chat.server.people.press(ada.id, news.id, post, { label: 'More' }, 20_000)
  expect(texts()).toEqual(['/ask card', 'ask more'])
  expect(chat.bot.asked.at(-1)?.context).toMatchObject({ user: String(ada.id) })
})

describe('an administrator’s press of a button that opens', () => {
  test('leads into the private chat, for that channel, and leaves the post', async () => {
    const { server, bot, sees, platform } = chat
    // The bot may not write to them yet: nothing but the link can lead there.
    const unbidden = platform.send(toPerson(ada.id), viewOf('Hello'), 'hello')
    await expect(unbidden).rejects.toMatchObject({ name: 'SendError', final: true })
    const link = await privateLink('Open', ada.id)
    expect(bot.lines).toEqual(['ask card'])
    server.people.open(ada.id, link.href)
    await sees(ada.id, 'ask more')
    const me = String(ada.id)
    expect(bot.asked.at(-1)).toMatchObject({
      line: `ask more in:${news.id}`,
      context: { user: me, chat: me, ephemeral: true },
    })
    expect(texts()).toEqual(['/ask card', 'the card'])
  })

  test('is about their own alerts if they may not post in the channel', async () => {
    const { server, bot, sees } = chat
    server.circumstances.role(ben.id, news.id, 'administrator')
    server.circumstances.stands(ben.id, news.id, { silent: true })
    server.people.open(ben.id, (await privateLink('Open')).href)
    await sees(ben.id, 'ask more')
    expect(bot.lines.at(-1)).toBe('ask more')
  })
})

test.each(['', ' inline', ' 0123456789abcdef', ` ${'x'.repeat(64)}`])(
  '/start%s in a private chat is answered with how to begin',
  async (rest) => {
    chat.server.people.text(ben.id, ben.id, `/start${rest}`)
    await chat.sees(ben.id, 'start')
    expect(chat.bot.lines.at(-1)).toBe(`start${rest}`)
  },
)
