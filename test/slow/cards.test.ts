import { ComponentType } from 'discord-api-types/v10'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import * as discordCast from '../../sandbox/discord/cast.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'
import { discordText } from '../e2e/discord-message.ts'
import { DiscordUser } from '../e2e/users.ts'

// The first picture waits for the process that draws.
vi.setConfig({ testTimeout: 120_000 })

const channel = telegramCast.news.id
const group = telegramCast.club.id
const room = discordCast.news.id

const everywhere: Subscriber[] = [
  { platform: 'telegram', kind: 'chat', id: String(channel) },
  { platform: 'telegram', kind: 'chat', id: String(group) },
  { platform: 'discord', kind: 'chat', id: room },
]

let alerts: AlertHarness

/** What the bot wrote there with this in it, newest first. */
function onTelegram(chat: number, part: string) {
  const written = [...(alerts.harness.telegram.api.world.places.get(chat)?.messages.values() ?? [])]
  return written
    .filter(({ byBot }) => byBot)
    .map(({ message }) => message)
    .filter(({ text = '', caption = '' }) => (text + caption).includes(part))
    .reverse()
}

function onDiscord(part: string) {
  return [...(alerts.harness.discord.world.chats.get(room)?.messages.values() ?? [])]
    .map(({ message }) => message)
    .filter((message) => message.author.bot && discordText(message).includes(part))
    .reverse()
}

/** The addresses in the galleries of the newest message with this in it. */
function gallery(part: string): string[] {
  const parts = (onDiscord(part)[0]?.components ?? []).flatMap((each) =>
    each.type === ComponentType.Container ? each.components : [each],
  )
  return parts.flatMap((each) =>
    each.type === ComponentType.MediaGallery ? each.items.map(({ media }) => media.url) : [],
  )
}

/**
 * Asks for an asset until its card has a picture. A busy machine may miss the time for it; then the card that is asked for again
 * has it. Asking often would only be refused.
 */
async function cardOnTelegram(chat: number, asset: string, part: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const before = onTelegram(chat, part).length
      alerts.harness.telegram.people.text(telegramCast.ada.id, chat, `/asset ${asset}`)
      await eventually(() => expect(onTelegram(chat, part).length).toBeGreaterThan(before))
      await eventually(() => expect(onTelegram(chat, part)[0]?.photo).toBeDefined(), 6_000)
    },
    { timeout: 90_000, interval: 5_000 },
  )
}

let name: string
beforeAll(async () => {
  alerts = await AlertHarness.start({ env: { CARDS: 'on' } })
  // The process that draws is started: an alert waits a moment for its picture, not for that.
  await cardOnTelegram(telegramCast.ada.id, showcaseAddresses.moonOtter, 'Moon Otter')
  await alerts.follows(everywhere)
  // A busy machine may miss the time for a picture: then the next alert has one.
  const giveUpAt = performance.now() + 180_000
  while (performance.now() < giveUpAt) {
    name = alerts.goesLive()
    await eventually(() => {
      for (const each of everywhere) expect(alerts.messagesWith(each, name)).toHaveLength(1)
    }, 60_000)
    if (onTelegram(channel, name)[0]?.photo && gallery(name).length > 0) return
  }
}, 240_000)
afterAll(() => alerts?.stop())

test('an alert is a photo with a caption on Telegram, uploaded once for all chats', () => {
  const [one] = onTelegram(channel, name)
  const [other] = onTelegram(group, name)
  expect(one?.caption).toContain(name)
  expect(one?.photo).toBeDefined()
  // Each upload is a file of its own.
  expect(other?.photo).toEqual(one?.photo)
})

test('an alert is an attachment in a gallery on Discord', () => {
  expect(onDiscord(name)[0]?.attachments).toMatchObject([{ filename: 'card.jpg' }])
  expect(gallery(name)).toHaveLength(1)
})

test('an asset’s card has its picture on both platforms', async () => {
  await cardOnTelegram(group, name, name)
  await vi.waitFor(
    async () => {
      const before = onDiscord(name).length
      await new DiscordUser(alerts.harness, discordCast.ada.id, room).says(`/asset ${name}`)
      await eventually(() => expect(onDiscord(name).length).toBeGreaterThan(before))
      await eventually(() => expect(gallery(name)).toHaveLength(1), 6_000)
    },
    { timeout: 90_000, interval: 5_000 },
  )
})
