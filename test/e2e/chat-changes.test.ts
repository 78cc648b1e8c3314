import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as discordCast from '../../sandbox/discord/cast.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { AlertHarness, eventually, type Subscriber } from './alert-harness.ts'
import { buttonsOf, discordText } from './discord-message.ts'

vi.setConfig({ testTimeout: 60_000 })

// Alerts follow what becomes of their chats at once: no alert has to fail first.

let alerts: AlertHarness
beforeAll(async () => {
  alerts = await AlertHarness.start()
})
afterAll(() => alerts?.stop())

const onTelegram = (id: number): Subscriber => ({
  platform: 'telegram',
  kind: id > 0 ? 'person' : 'chat',
  id: String(id),
})
const pausedIs = (subscriber: Subscriber, loss: string | undefined) =>
  eventually(async () => expect(await alerts.paused(subscriber)).toBe(loss))

test('a person who blocks the bot, and reads why nothing came once they unblock it', async () => {
  const { people, circumstances } = alerts.harness.telegram
  const [person = 0] = circumstances.crowd(1)
  await alerts.follows([onTelegram(person)])
  people.block(person)
  await pausedIs(onTelegram(person), 'blocked')
  people.unblock(person)
  await pausedIs(onTelegram(person), undefined)
  await eventually(() => expect(alerts.messagesWith(onTelegram(person), 'blocked')).toHaveLength(1))
})

test('a channel that removes the bot, lets it in without the right to post, and gives it that', async () => {
  const { people } = alerts.harness.telegram
  const { news } = telegramCast
  await alerts.follows([onTelegram(news.id)])
  people.kick(news.id)
  await pausedIs(onTelegram(news.id), 'removed')
  people.invite(news.id, 'administrator')
  await pausedIs(onTelegram(news.id), undefined)
  people.invite(news.id, 'member')
  await pausedIs(onTelegram(news.id), 'forbidden')
  people.invite(news.id, 'administrator')
  await pausedIs(onTelegram(news.id), undefined)
})

test('a group with topics that removes the bot and lets it in again', async () => {
  const { people } = alerts.harness.telegram
  const { lodge } = telegramCast
  const topic = { ...onTelegram(lodge.id), thread: '2' }
  await alerts.follows([onTelegram(lodge.id), topic])
  people.kick(lodge.id)
  await pausedIs(onTelegram(lodge.id), 'removed')
  await pausedIs(topic, 'removed')
  people.invite(lodge.id)
  await pausedIs(topic, undefined)
})

test('a group that becomes a supergroup', async () => {
  const { people } = alerts.harness.telegram
  const { club } = telegramCast
  await alerts.follows([onTelegram(club.id)])
  const moved = onTelegram(people.migrate(club.id))
  await eventually(async () => {
    expect(await alerts.followed(moved)).toBe(1)
    expect(await alerts.followed(onTelegram(club.id))).toBe(0)
  })
  const name = alerts.goesLive()
  await alerts.everybodyHas([moved], name)
})

test('a server on Discord that removes the bot and lets it in again, but not one with an outage', async () => {
  const { world } = alerts.harness.discord
  const channel: Subscriber = { platform: 'discord', kind: 'chat', id: discordCast.news.id }
  await alerts.follows([channel])
  world.outage()
  world.outage(true)
  world.removeBot()
  await pausedIs(channel, 'removed')
  // The line is written once the database has it.
  await eventually(() => expect(alerts.logged('chats are unreachable', 'discord')).toBe(1))
  world.addBot()
  await pausedIs(channel, undefined)
  const name = alerts.goesLive()
  await alerts.everybodyHas([channel], name)
})

test('who lets the bot into a group or server is offered alerts, which one press adds', async () => {
  const { telegram } = alerts.harness
  const { ada } = telegramCast
  const [channel = 0] = telegram.circumstances.channels(1, ada.id, -1_000_003_000_000)
  telegram.people.kick(channel)
  telegram.people.invite(channel, 'administrator')
  const label = '🔔 New and graduated auctions on Base'
  const { id } = await telegram.people.waitFor(channel, ({ text }) => text.includes('Gavel'))
  await telegram.people.press(ada.id, channel, id, { label })
  await eventually(async () => expect(await alerts.followed(onTelegram(channel))).toBe(2))
  expect(alerts.messagesWith(onTelegram(channel), 'I’m Gavel')).toHaveLength(0)

  const { world } = alerts.harness.discord
  world.removeBot()
  world.addBot()
  const club: Subscriber = { platform: 'discord', kind: 'chat', id: discordCast.club.id }
  await eventually(() => expect(alerts.messagesWith(club, 'I’m Gavel')).toHaveLength(1))
  const { people } = alerts.harness.discord
  const admin = discordCast.ada.id
  const greeting = await people.until(club.id, admin, (messages) =>
    messages.findLast((each) => discordText(each).includes('I’m Gavel')),
  )
  const button = buttonsOf(greeting).find((each) => each.label === '🗓 Daily summary')
  await people.click(admin, club.id, greeting.id, button?.customId ?? '').message()
  await eventually(async () => expect(await alerts.followed(club)).toBe(1))
})
