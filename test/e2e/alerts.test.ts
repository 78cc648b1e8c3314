import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as discordCast from '../../sandbox/discord/cast.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { AlertHarness, eventually, type Subscriber } from './alert-harness.ts'
import { discordText } from './discord-message.ts'
import { DiscordUser, TelegramUser } from './users.ts'

// A bot is started anew, and limits of a chat are waited out.
vi.setConfig({ testTimeout: 120_000 })

let alerts: AlertHarness
beforeAll(async () => {
  alerts = await AlertHarness.start()
})
afterAll(() => alerts?.stop())

const channel: Subscriber = {
  platform: 'telegram',
  kind: 'chat',
  id: String(telegramCast.news.id),
}
const server: Subscriber = { platform: 'discord', kind: 'chat', id: discordCast.news.id }
const both = [channel, server]

/** Waits until each of them has the news exactly once, and nothing that could tell it again is on its way. */
function toldOnce(subscribers: readonly Subscriber[], name: string, ms?: number): Promise<void> {
  return eventually(async () => {
    expect(await alerts.waiting()).toBe(0)
    const counts = subscribers.map((each) => alerts.messagesWith(each, name).length)
    expect(counts).toEqual(subscribers.map(() => 1))
  }, ms)
}

test('administrators let their channels follow, and a new auction is announced there once', async () => {
  const { telegram } = alerts.harness
  telegram.people.text(telegramCast.ada.id, telegramCast.news.id, '/alerts add live')
  await eventually(() => expect(alerts.messagesWith(channel, 'live').length).toBeGreaterThan(0))
  const ada = new DiscordUser(alerts.harness, discordCast.ada.id, discordCast.news.id)
  await ada.says('/alerts add live')
  await ada.sees('live')
  const name = alerts.goesLive()
  await toldOnce(both, name)
})

test('a role on Discord is notified of the alerts that name it', async () => {
  const { people } = alerts.harness.discord
  const { ada, club, launchesRole } = discordCast
  const user = new DiscordUser(alerts.harness, ada.id, club.id)
  await user.says(`/alerts add live role:${launchesRole.id}`)
  await user.sees('Alert added')
  await user.says('/alerts')
  await user.sees('Any auction goes live · pings @Launches')
  const name = alerts.goesLive()
  await eventually(() => {
    const [news] = people
      .messages(club.id, ada.id)
      .filter((each) => discordText(each).includes(name))
    expect(news).toMatchObject({ mention_roles: [launchesRole.id], mention_everyone: false })
  })
  await user.says('/alerts remove 1')
  await user.sees('Alert removed')
})

test('buttons under a post lead its readers and its administrators into their own private chats', async () => {
  const { telegram } = alerts.harness
  const { ada, ben, news } = telegramCast
  // The alerts of the tests before have been sent.
  await eventually(async () => expect(await alerts.waiting()).toBe(0))
  const posts = telegram.people.messages(news.id).length
  const opened = async (person: number, label: string, ...texts: string[]) => {
    const user = new TelegramUser(alerts.harness, person, news.id)
    await user.hears('Live now')
    await user.presses(label)
    await user.follows()
    await user.sees(...texts)
  }
  await opened(ada.id, '🔔 Alerts', 'Otter News')
  await opened(ada.id, 'Card', 'MC')
  await opened(ben.id, '🔔 Alerts', 'No alerts yet')
  expect(telegram.people.messages(news.id)).toHaveLength(posts)
})

test.concurrent('several alerts at once are sent in one message', async () => {
  const names = [alerts.goesLive(), alerts.goesLive(), alerts.goesLive()]
  await eventually(async () => {
    expect(await alerts.waiting()).toBe(0)
    for (const subscriber of both) {
      const [first = '', ...others] = alerts.messagesWith(subscriber, names[0] ?? '')
      expect(others).toEqual([])
      for (const name of names) expect(first).toContain(name)
    }
  })
})

test.concurrent('alerts are paused for a person who blocks or removes the bot, who reads why when they are back', async () => {
  const { people } = alerts.harness.telegram
  const ben = new TelegramUser(alerts.harness, telegramCast.ben.id)
  await ben.says('/alerts add live')
  await ben.sees('live')
  people.block(telegramCast.ben.id)
  const own: Subscriber = { platform: 'telegram', kind: 'person', id: String(telegramCast.ben.id) }
  const name = alerts.goesLive()
  await eventually(async () => expect(await alerts.paused(own)).toBe('blocked'))
  await toldOnce(both, name)
  people.unblock(telegramCast.ben.id)
  await ben.hears('block')
  await eventually(async () => expect(await alerts.paused(own)).toBeUndefined())
  const later = alerts.goesLive()
  await toldOnce([own, ...both], later)
})

test.concurrent('a group that becomes a supergroup is still notified', async () => {
  const { people } = alerts.harness.telegram
  people.text(telegramCast.ada.id, telegramCast.club.id, '/alerts add live')
  const group: Subscriber = {
    platform: 'telegram',
    kind: 'chat',
    id: String(telegramCast.club.id),
  }
  await eventually(() => expect(alerts.messagesWith(group, 'live').length).toBeGreaterThan(0))
  const moved = { ...group, id: String(people.migrate(telegramCast.club.id)) }
  const name = alerts.goesLive()
  await toldOnce([moved, ...both], name)
})

describe('an alert', () => {
  test('is sent once by a bot that is stopped and started', async () => {
    await alerts.harness.bot.stop()
    const name = alerts.goesLive()
    await alerts.startBot()
    await toldOnce(both, name)
    const later = alerts.goesLive()
    await toldOnce(both, later)
    await toldOnce(both, name)
  })

  test('is sent once by a bot that is killed and started', async () => {
    await alerts.harness.bot.kill()
    const name = alerts.goesLive()
    await alerts.startBot()
    await toldOnce(both, name, 90_000)
  })

  test('of an event during an outage of the API is sent when it is back', async () => {
    const { faults } = alerts.harness.apiServer
    faults.set({ kind: 'status', status: 500 })
    const asked = alerts.harness.apiServer.requests.length
    await eventually(() =>
      expect(alerts.harness.apiServer.requests.length).toBeGreaterThan(asked + 1),
    )
    const name = alerts.goesLive()
    faults.clear()
    await toldOnce(both, name, 90_000)
  })
})
