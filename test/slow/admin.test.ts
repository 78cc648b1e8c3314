import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as discordCast from '../../sandbox/discord/cast.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'
import { type Ended, runProgram } from '../run-program.ts'

const admin = `telegram:${telegramCast.ada.id}`

let folder: string
let harness: Harness
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-admin-'))
  const env = {
    DATABASE_URL: `file:${join(folder, 'gavel.db')}`,
    ADMINS: `${admin},discord:${discordCast.ada.id}`,
    WATCH_INTERVAL: '1',
  }
  harness = await startHarness({ env })
})
afterAll(async () => {
  await harness.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs `npm run admin` with these words, beside the bot that runs. */
function run(...words: string[]): Promise<Ended> {
  const env = { DATABASE_URL: `file:${join(folder, 'gavel.db')}` }
  return runProgram(['src/admin/main.ts', ...words], env)
}

test('administrators are answered in their private chats on both platforms, and for others there is no /admin', async () => {
  const onTelegram = new TelegramUser(harness)
  await onTelegram.says('/admin launches')
  await onTelegram.sees('There is no such launch.')
  const onDiscord = new DiscordUser(harness)
  await onDiscord.writes('/admin launches')
  await onDiscord.sees('There is no such launch.')
  const ben = new TelegramUser(harness, telegramCast.ben.id)
  await ben.says('/admin launches')
  await ben.sees('There is no command /admin. See /help.')
  const other = new DiscordUser(harness, discordCast.ben.id)
  await other.writes('/admin launches')
  await other.sees('There is no command /admin. See /help.')
  // In a group nobody is answered as an administrator.
  const inGroup = new TelegramUser(harness, telegramCast.ada.id, telegramCast.lodge.id)
  await inGroup.says(`/admin@${harness.telegram.api.world.bot.username} launches`)
  await inGroup.sees('There is no command /admin')
  const offered = harness.discord.people.commands(discordCast.ada.id, discordCast.club.id)
  expect(offered.map(({ name }) => name)).not.toContain('admin')
})

test('what an administrator forwards, or has another bot write, changes nothing: its words are a stranger’s', async () => {
  const ada = new TelegramUser(harness)
  const { people, api } = harness.telegram
  const origin = { type: 'hidden_user', sender_user_name: 'Mallory', date: 1 } as const
  const bot = { id: 99, is_bot: true, first_name: 'Other', username: 'other_bot' }
  for (const [message_id, extra] of [
    [9_001, { forward_origin: origin }],
    [9_002, { via_bot: bot }],
  ] as const) {
    await ada.says('/help')
    await ada.sees('/help')
    const before = people.messages(telegramCast.ada.id).length
    const text = '/admin yes block person telegram:111'
    const entities = [{ type: 'bot_command' as const, offset: 0, length: 6 }]
    const chat = { ...telegramCast.ada, type: 'private' as const }
    const from = telegramCast.ada
    api.queue.push({
      message: { message_id, date: api.world.date, chat, from, text, entities, ...extra },
    })
    await expect
      .poll(() =>
        people
          .messages(telegramCast.ada.id)
          .slice(before)
          .map((each) => each.text),
      )
      .toEqual([expect.stringContaining('There is no command /')])
  }
  expect((await run('block')).stdout).toBe('Nobody is blocked.\n')
})

test('a confirmation that somebody else presses, or an administrator presses in a group, changes nothing', async () => {
  const ada = new TelegramUser(harness)
  await ada.says('/admin block person telegram:111')
  await ada.sees('Block telegram:111?')
  const { api } = harness.telegram
  const { ben, lodge } = telegramCast
  const data = '=admin yes block person telegram:111'
  const reply_markup = { inline_keyboard: [[{ text: 'Yes, do it', callback_data: data }]] }
  const group = { id: lodge.id, type: 'supergroup' as const, title: 'Lodge' }
  const from = { id: api.world.bot.id, is_bot: true, first_name: 'Gavel' }
  const seen: unknown[] = []
  for (const [person, chat] of [
    [ben, { ...ben, type: 'private' as const }],
    [ben, group],
    [telegramCast.ada, group],
  ] as const) {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = api.callbacks.open(undefined, 20_000, resolve)
    const date = api.world.date
    const message = { message_id: 9_100, chat, from, date, text: 'Block?', reply_markup }
    api.queue.push({ callback_query: { id, from: person, chat_instance: '1', data, message } })
    seen.push(await promise)
  }
  const none = { text: expect.stringContaining('There is no command /admin') }
  expect(seen).toEqual([none, none, none].map((each) => expect.objectContaining(each)))
  expect((await run('block')).stdout).toBe('Nobody is blocked.\n')
  const other = new DiscordUser(harness, discordCast.ben.id)
  await other.writes('/admin yes block person telegram:111')
  await other.sees('There is no command /admin')
  expect((await run('block')).stdout).toBe('Nobody is blocked.\n')
})

test('a launch shows with what it waits for, in the terminal and in the chat alike', async () => {
  const ended = await run('launches', 'all')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(await run('launches', 'nowhere')).toMatchObject({ code: 1, stdout: '' })
  expect((await run('help')).stdout).toContain('announce TEXT')
})

test('what a chat asked for and was told is answered on both platforms, and in the terminal with the same words', async () => {
  const onTelegram = new TelegramUser(harness)
  await onTelegram.says('/alerts add upcoming')
  await onTelegram.sees('Alert added')
  await onTelegram.says(`/admin explain ${admin}`)
  await onTelegram.sees(`${admin}: it gets alerts`, '- upcoming, since ')
  const onDiscord = new DiscordUser(harness)
  await onDiscord.writes(`/admin explain ${admin} 0x${'7'.repeat(40)}`)
  await onDiscord.sees('- upcoming, since ', 'No deliveries about this token are stored')
  const { stdout } = await run('explain', admin)
  expect(stdout).toMatch(
    new RegExp(
      `^${admin}: it gets alerts; no quiet hours; .*\n- upcoming, since .* UTC\nNo deliveries`,
      'u',
    ),
  )
  await onTelegram.says('/admin explain telegram:-42')
  await onTelegram.sees('has no alerts, and had none lately', 'begins with -100')
})

test('an announcement is confirmed by a press, and reaches the chats of both platforms once', async () => {
  const onTelegram = new TelegramUser(harness)
  await onTelegram.says('/alerts add graduated')
  await onTelegram.sees('Alert added')
  const onDiscord = new DiscordUser(harness)
  await onDiscord.writes('/alerts add graduated')
  await onDiscord.sees('Alert added')
  await onTelegram.says('/admin announce We move on Sunday: <b>back</b> at ten')
  await onTelegram.sees('telegram: 1 chat', 'discord: 1 chat', 'Send it to 2 chats?')
  await onTelegram.presses('Yes, do it')
  await onTelegram.sees('It starts within a minute')
  await onTelegram.hears('From the operator of this bot', 'We move on Sunday: <b>back</b> at ten')
  await onDiscord.hears('From the operator of this bot', 'back')
  await expect.poll(async () => (await run('announce')).stdout).toContain('2 sent – We move')
  const { people } = harness.telegram
  const told = people
    .messages(telegramCast.ada.id)
    .filter(({ text }) => text.includes('From the operator'))
  expect(told).toHaveLength(1)
})

test('the terminal asks before what can’t be undone; a person whom it blocks is told once by the running bot', async () => {
  const person = `telegram:${telegramCast.ben.id}`
  expect(await run('block', 'person', person)).toMatchObject({
    code: 2,
    stderr: `Block ${person}? Nothing was done; add --yes to do it.\n`,
  })
  expect((await run('block')).stdout).toBe('Nobody is blocked.\n')
  const ended = await run('block', 'person', person, '--yes', '--as', 'Grace')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const ben = new TelegramUser(harness, telegramCast.ben.id)
  const notices = () =>
    harness.telegram.people
      .messages(telegramCast.ben.id)
      .filter(({ text }) => text.includes('its operator has blocked you')).length
  await expect
    .poll(
      async () => {
        await ben.says('/help')
        return notices()
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(1)
  await ben.says('/help')
  await run('unblock', 'person', person, '--as', 'Grace')
  await expect
    .poll(
      async () => {
        await ben.says('/start')
        const messages = harness.telegram.people.messages(telegramCast.ben.id)
        return messages.some(({ text }) => text.includes('auction'))
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(true)
  expect(notices()).toBe(1)
})

test('who changed what is written down, from the terminal and from the chats', async () => {
  await run('chats', 'pause', admin)
  await run('chats', 'resume', admin)
  const { stdout } = await run('log')
  expect(stdout).toContain(`${admin}: announce: We move on Sunday`)
  expect(stdout).toContain(`Grace: block person telegram:${telegramCast.ben.id} – Blocked`)
  expect(stdout).toContain(`${userInfo().username}: chats pause ${admin} – Paused`)
  const ada = new DiscordUser(harness)
  await ada.writes('/admin log')
  await ada.sees('Grace')
})

test('a person is forgotten while the bot runs, after a question that says what goes', async () => {
  const onDiscord = new DiscordUser(harness)
  await onDiscord.writes(`/admin forget person ${admin}`)
  await onDiscord.sees('chats and topics with alerts: 1', 'alerts: 1', 'can’t be undone')
  await onDiscord.presses('Yes, do it')
  await onDiscord.sees('Removed:', 'alerts: 1')
  const ada = new TelegramUser(harness)
  await ada.says('/alerts')
  await ada.sees('No alerts yet')
})

test('a database that is not there is not made', async () => {
  const file = join(folder, 'other.db')
  const ended = await runProgram(['src/admin/main.ts', 'launches'], {
    DATABASE_URL: `file:${file}`,
  })
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no database ${file} yet: the bot creates it at its first start.\n`,
  })
})
