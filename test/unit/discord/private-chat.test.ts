import { MessageFlags } from 'discord-api-types/v10'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import { discord } from '../../../src/discord/platform.ts'
import { refuses, says } from '../core/scripted-bot.ts'
import { type Chat, deferred, startChat, textOf } from './discord-chat.ts'

let chat: Chat
let dm: string
beforeEach(async () => {
  chat = await startChat()
  dm = chat.server.people.dm(ben.id)
})
afterEach(() => chat.stop())

const write = (text: string) => chat.server.people.text(ben.id, dm, text)
/** Waits until a message with this stands in the private chat. */
const sees = (text: string) =>
  chat.server.people.until(dm, ben.id, (messages) =>
    messages.find((message) => message.author.bot && textOf(message).includes(text)),
  )

test('commands, addresses and words are lines, and the bot does not answer itself', async () => {
  for (const text of ['/ask moon', '0x4200000000000000000000000000000000000006', 'gm']) {
    write(text)
    await expect.poll(() => chat.bot.lines.length, { timeout: 20_000 }).toBeGreaterThan(0)
  }
  await sees('asset gm')
  await sees('asset')
  const context = {
    platform: discord,
    user: ben.id,
    chat: dm,
    ephemeral: true,
    isPrivate: true,
    locale: 'en',
    update: expect.any(String),
    invitations: { server: expect.stringMatching(/\/oauth2\/authorize\?client_id=\d+&/u) },
  }
  expect(chat.bot.asked).toEqual([
    { line: 'ask moon', context },
    { line: 'asset 0x4200000000000000000000000000000000000006', context },
    { line: 'asset gm', context },
  ])
})

test('the chat in which a command was sent can’t be typed', async () => {
  write('/launch from:1300000000000009999')
  await sees('launch')
  expect(chat.bot.lines).toEqual(['launch'])
})

test('messages in a server are not read', async () => {
  chat.server.people.text(ada.id, club.id, '/ask moon')
  write('/ask sun')
  await sees('ask sun')
  expect(chat.bot.lines).toEqual(['ask sun'])
})

test('refusals and failures are answered there like anything else', async () => {
  chat.bot.on('ask moon', refuses('Not like this.'))
  write('/ask moon')
  await sees('Not like this.')
  chat.bot.on('ask moon', { ...refuses('x'), outcome: 'failed' })
  write('/ask moon')
  await sees('explained')
  // Discord knows the flag only in answers to interactions.
  const flags = chat.server.calls
    .filter(({ route }) => route === '/channels/:id/messages')
    .map(({ body }) => z.object({ flags: z.number() }).parse(body).flags)
  expect(flags.map((bits) => bits & MessageFlags.Ephemeral)).toEqual([0, 0])
  expect(chat.log.of('error')).toEqual([])
})

test('an answer that takes long shows that somebody types', async () => {
  const come = deferred(chat, 'ask slow')
  write('/ask slow')
  const routes = () => chat.server.calls.map(({ method, route }) => `${method} ${route}`)
  await expect.poll(routes, { timeout: 20_000 }).toContain('POST /channels/:id/typing')
  come(says('at last'))
  await sees('at last')
})

test('a person over the limit is answered once, and later warnings are not sent', async () => {
  chat.bot.floodLimits.person = 2
  for (let count = 0; count < 5; count += 1) write('/ask more')
  await sees('a lot at once')
  // Answers that are under way still arrive.
  await chat.platform.stop()
  const texts = chat.reads(dm, ben.id).filter((text) => !text.startsWith('/'))
  expect(texts.toSorted()).toEqual([
    expect.stringContaining('a lot at once'),
    'ask more',
    'ask more',
  ])
})

test('a person who closed their private chat is no error', async () => {
  chat.bot.on('ask moon', () => {
    chat.server.people.takeDms(ben.id, false)
    return says('too late')
  })
  write('/ask moon')
  await expect
    .poll(() => chat.log.of('info').join(), { timeout: 20_000 })
    .toContain('Cannot send messages to this user')
  expect(chat.log.of('error')).toEqual([])
})

test.each([
  ['has more buttons than fit', Array.from({ length: 60 }, () => ({ label: 'x', line: 'ask' }))],
  ['is refused by Discord', [{ label: 'x', url: `https://otter.example/${'x'.repeat(600)}` }]],
])('an answer that %s is explained', async (_, buttons) => {
  chat.bot.on('ask moon', says('too much', buttons))
  write('/ask moon')
  await sees('explained')
  expect(chat.bot.explained).toMatchObject([{ line: 'ask moon' }])
})
