import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { addressOf } from '../../sandbox/api/token.ts'
import { AlertChats, places } from '../e2e/alert-chat.ts'
import { AlertHarness } from '../e2e/alert-harness.ts'

// Most of it is waiting: one bot tells all of it at once, to chats of their own.
vi.setConfig({ testTimeout: 120_000 })

let alerts: AlertHarness
let chats: AlertChats
beforeAll(async () => {
  alerts = await AlertHarness.start()
  chats = new AlertChats(alerts)
})
afterAll(() => alerts?.stop())

const nobody = addressOf('nobody')

describe.concurrent.each(places)('in %s', (place) => {
  const open = () => chats.open(place)

  test.each([
    { outcome: 'stall', sold: 0.43, words: 'Ended without graduating, 43% sold.' },
    { outcome: 'graduated', sold: 1, words: 'Sold out and graduated.' },
  ] as const)(
    'a live auction’s message is kept up to date in place until it says: $words',
    async ({ outcome, sold, words }) => {
      const creator = addressOf(`whose auction ends as ${outcome} in ${place}`)
      const [chat, other] = [open(), open()]
      await chat.follows(`live creator:${creator}`)
      await other.follows(`live creator:${nobody}`, `upcoming creator:${creator}`)
      const token = alerts.announces({ creator })
      await chat.expectHeard([`🟢 Live now: ${token.name}`, '0% sold', 'Ends:'])
      alerts.changes(token, { sold: 0.43 })
      await alerts.polled()
      await alerts.mayEdit(token)
      await chat.expectHeard([`🟢 Live now: ${token.name}`, '43% sold', 'Ends:'])
      alerts.changes(token, { sold })
      alerts.ends(token, outcome)
      await chat.expectHeard([token.name, words])
      await other.expectSilence()
    },
  )

  test('a person who unfollows is no longer notified, while others are', async () => {
    const token = alerts.announces()
    const { name, address } = token
    const [chat, pressing, typing] = [open(), open(), open()]
    for (const each of [chat, pressing, typing]) {
      await each.follows(`progress percent:25,50 asset:${address}`)
    }
    alerts.changes(token, { sold: 0.3 })
    for (const each of [chat, pressing, typing]) await each.expectHeard([`📈 30% sold: ${name}`])
    await pressing.says('/alerts', name)
    await pressing.presses('Remove all', 'Remove 1 alert?')
    await pressing.presses('Remove all', 'removed')
    await typing.says('/alerts remove 1', 'Alert removed')
    alerts.changes(token, { sold: 0.6 })
    await chat.expectHeard([`📈 30% sold: ${name}`], [`📈 60% sold: ${name}`])
    for (const each of [pressing, typing]) await each.expectSilence()
  })

  test('a person who mutes is not notified until unmuted, nor later about what happened meanwhile', async () => {
    const token = alerts.announces()
    const { name, address } = token
    const [chat, muted] = [open(), open()]
    for (const each of [chat, muted]) {
      await each.follows(`progress percent:25,50 asset:${address}`)
    }
    await muted.says('/alerts mute 8h', 'Muted until')
    alerts.changes(token, { sold: 0.3 })
    await chat.expectHeard([`📈 30% sold: ${name}`])
    await muted.expectSilence()
    await muted.says('/alerts unmute', name)
    await muted.expectSilence()
    alerts.changes(token, { sold: 0.6 })
    await muted.expectHeard([`📈 60% sold: ${name}`])
    await chat.expectHeard([`📈 30% sold: ${name}`], [`📈 60% sold: ${name}`])
  })
})
