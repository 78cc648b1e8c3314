import { afterAll, beforeAll, test, vi } from 'vitest'
import { addressOf, type Token } from '../../sandbox/api/token.ts'
import { type AlertChat, AlertChats, places } from '../e2e/alert-chat.ts'
import { AlertHarness } from '../e2e/alert-harness.ts'

// A bot is started, told what to follow, and started anew.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

/** Chats that follow one auction since the day before. */
interface Followers {
  token: Token
  digest: AlertChat
  /** Follows the same as `digest`, at another hour. */
  other: AlertChat
  /** Was told that the price is above $0.6. */
  price: AlertChat
}

let alerts: AlertHarness
let chats: AlertChats
const known = new Map<string, Followers>()
beforeAll(async () => {
  alerts = await AlertHarness.start()
  chats = new AlertChats(alerts)
  await Promise.all(places.map(async (place) => known.set(place, await dayBefore(place))))
  await alerts.digestsBegin()
  await alerts.dayPasses()
})
afterAll(() => alerts?.stop())

async function dayBefore(place: (typeof places)[number]): Promise<Followers> {
  const creator = addressOf(`whose day it was in ${place}`)
  const token = alerts.announces({ creator, price: 0.5 })
  const [digest, other, price] = [chats.open(place), chats.open(place), chats.open(place)]
  const hour = new Date().getUTCHours()
  await digest.follows(`digest hour:${hour} creator:${creator}`)
  await other.follows(`digest hour:${(hour + 12) % 24} creator:${creator}`)
  await price.follows(`price above:0.6 asset:${token.address}`)
  await alerts.polled()
  alerts.changes(token, { price: 0.65 })
  await price.expectHeard([`▲ Price above $0.6: ${token.name}`])
  return { token, digest, other, price }
}

function followersIn(place: string): Followers {
  const followers = known.get(place)
  if (!followers) throw new Error(`nobody follows in ${place}`)
  return followers
}

test.concurrent.each(places)(
  'in %s the summary of a day comes once, at the hour that was asked',
  async (place) => {
    const { digest, other, token } = followersIn(place)
    const news = [
      '🗓 Daily summary, ',
      ' · creator ',
      '1 live · 1 went live · 0 graduated',
      token.name,
    ]
    await digest.expectHeard(news)
    await alerts.polled()
    await digest.expectHeard(news)
    await other.expectSilence()
  },
)

test.concurrent.each(places)(
  'in %s a price is told again a day later once it went back far enough',
  async (place) => {
    const { price, token } = followersIn(place)
    const first = [`▲ Price above $0.6: ${token.name}`, '$0.65']
    for (const hovering of [0.595, 0.61]) {
      alerts.changes(token, { price: hovering })
      await alerts.polled()
    }
    await price.expectHeard(first)
    alerts.changes(token, { price: 0.5 })
    await alerts.polled()
    alerts.changes(token, { price: 0.7 })
    await price.expectHeard(first, [`▲ Price above $0.6: ${token.name}`, '$0.7'])
  },
)
