import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { addressOf } from '../../sandbox/interface/token.ts'
import { AlertChats, places } from './alert-chat.ts'
import { AlertTown } from './alert-town.ts'

// Most of it is waiting: one bot tells all of it at once, to chats of their own.
vi.setConfig({ testTimeout: 120_000, maxConcurrency: 40 })

let alerts: AlertTown
let chats: AlertChats
beforeAll(async () => {
  alerts = await AlertTown.start()
  chats = new AlertChats(alerts)
})
afterAll(() => alerts?.stop())

const minute = 60
const nobody = addressOf('nobody')

function inMinutes(minutes: number): number {
  return Math.floor(Date.now() / 1000) + minutes * minute
}

describe.concurrent.each(places)('in %s', (place) => {
  const open = () => chats.open(place)

  test('an auction that is announced is told, with when it starts', async () => {
    const creator = addressOf(`who announces in ${place}`)
    const [chat, other] = [open(), open()]
    await chat.follows(`incoming creator:${creator}`)
    await other.follows(`incoming creator:${nobody}`, `live creator:${creator}`)
    const { name } = alerts.announces({ creator, startsAt: inMinutes(30), endsAt: inMinutes(90) })
    const news = [`🕒 Coming up: ${name}`, 'Start']
    await chat.expectHeard(news)
    await alerts.looks()
    await chat.expectHeard(news)
    await other.expectSilence()
  })

  test('a jump over two shares is one message, and a share that comes again is none', async () => {
    const token = alerts.announces()
    const { name, address } = token
    const [chat, other] = [open(), open()]
    await chat.follows(`progress percent:25,50,75 asset:${address}`)
    await other.follows(`progress percent:85 asset:${address}`)
    alerts.changes(token, { sold: 0.6 })
    await chat.expectHeard([`📈 60 % sold: ${name}`])
    alerts.changes(token, { sold: 0.1 })
    await alerts.looks()
    alerts.changes(token, { sold: 0.6 })
    await alerts.looks()
    await chat.expectHeard([`📈 60 % sold: ${name}`])
    alerts.changes(token, { sold: 0.8 })
    await chat.expectHeard([`📈 60 % sold: ${name}`], [`📈 80 % sold: ${name}`])
    await other.expectSilence()
  })

  test('an end is told once, when it is as near as was asked', async () => {
    const token = alerts.announces({ endsAt: inMinutes(120) })
    const { name, address } = token
    const [chat, other] = [open(), open()]
    await chat.follows(`ending minutes:30 asset:${address}`)
    await other.follows(`ending minutes:10 asset:${address}`)
    alerts.changes(token, { sold: 0.43, endsAt: inMinutes(40) })
    await chat.expectSilence()
    alerts.changes(token, { endsAt: inMinutes(29) })
    const news = [`⏳ Ending soon: ${name}`, '43 % sold', 'Ends:']
    await chat.expectHeard(news)
    alerts.changes(token, { endsAt: inMinutes(20) })
    await alerts.looks()
    await chat.expectHeard(news)
    await other.expectSilence()
  })

  test('a graduation is told', async () => {
    const token = alerts.announces()
    const { name, address } = token
    const [chat, other] = [open(), open()]
    await chat.follows(`graduated asset:${address}`)
    await other.follows(`graduated creator:${nobody}`, `progress percent:90 asset:${address}`)
    alerts.changes(token, { sold: 0.7 })
    alerts.ends(token, 'graduated')
    const news = [`🎓 Graduated: ${name}`, 'Price', 'Market cap']
    await chat.expectHeard(news)
    await alerts.looks()
    await chat.expectHeard(news)
    await other.expectSilence()
  })

  test('a price that crosses a value is told, and while it hovers there not again', async () => {
    const token = alerts.announces({ price: 0.5 })
    const { name, address } = token
    const [chat, other] = [open(), open()]
    await chat.follows(`price above:0.6 asset:${address}`)
    await other.follows(`price above:0.9 asset:${address}`, `price below:0.4 asset:${address}`)
    await alerts.looks()
    alerts.changes(token, { price: 0.65 })
    const news = [`▲ Price above $0.6: ${name}`, '$0.65']
    await chat.expectHeard(news)
    for (const price of [0.5, 0.7]) {
      alerts.changes(token, { price })
      await alerts.looks()
    }
    await chat.expectHeard(news)
    await other.expectSilence()
  })

  test('a market cap that moves by so many per cent is told, with where it came from', async () => {
    const token = alerts.announces({ price: 0.001, supply: 1e9, toSell: 6e8 })
    const { name, address } = token
    const [chat, other] = [open(), open()]
    await chat.follows(`mcap move:10 asset:${address}`)
    await other.follows(`mcap move:50 asset:${address}`, `price above:1 asset:${address}`)
    await alerts.looks()
    alerts.changes(token, { price: 0.00105 })
    await chat.expectSilence()
    alerts.changes(token, { price: 0.00088 })
    const news = [`▼ Market cap down 12 %: ${name}`, '$880K', 'from $1M']
    await chat.expectHeard(news)
    alerts.changes(token, { price: 0.001 })
    await alerts.looks()
    await chat.expectHeard(news)
    await other.expectSilence()
  })

  test.each([
    { outcome: 'stall', sold: 0.43, words: 'Ended without graduating at 43 %.' },
    { outcome: 'graduated', sold: 1, words: 'Sold out and graduated.' },
  ] as const)(
    'a live auction’s message is kept up to date in place until it says: $words',
    async ({ outcome, sold, words }) => {
      const creator = addressOf(`whose auction ends as ${outcome} in ${place}`)
      const [chat, other] = [open(), open()]
      await chat.follows(`live creator:${creator}`)
      await other.follows(`live creator:${nobody}`, `incoming creator:${creator}`)
      const token = alerts.announces({ creator })
      await chat.expectHeard([`🟢 Live now: ${token.name}`, '0 % sold', 'Ends:'])
      alerts.changes(token, { sold: 0.43 })
      await alerts.looks()
      await alerts.mayEdit(token)
      await chat.expectHeard([`🟢 Live now: ${token.name}`, '43 % sold', 'Ends:'])
      alerts.changes(token, { sold })
      alerts.ends(token, outcome)
      await chat.expectHeard([token.name, words])
      await other.expectSilence()
    },
  )

  test('two rules that want the same news make one message of it', async () => {
    const creator = addressOf(`whom two rules want in ${place}`)
    const chat = open()
    await chat.follows(`live creator:${creator}`, `live creator:${creator} chain:base`)
    const token = alerts.announces({ creator })
    const live = [`🟢 Live now: ${token.name}`]
    await chat.expectHeard(live)
    const about = `asset:${token.address}`
    await chat.follows(`progress percent:50 ${about}`, `progress percent:25,50 ${about}`)
    alerts.changes(token, { sold: 0.6 })
    await chat.expectHeard([`📈 60 % sold: ${token.name}`])
    await alerts.looks()
    await chat.expectHeard([`📈 60 % sold: ${token.name}`])
  })

  test('who unfollows hears no more, while others do', async () => {
    const token = alerts.announces()
    const { name, address } = token
    const [chat, pressing, typing] = [open(), open(), open()]
    for (const each of [chat, pressing, typing]) {
      await each.follows(`progress percent:25,50 asset:${address}`)
    }
    alerts.changes(token, { sold: 0.3 })
    for (const each of [chat, pressing, typing]) await each.expectHeard([`📈 30 % sold: ${name}`])
    await pressing.says('/alerts', name)
    await pressing.presses('Remove all', 'Remove 1 alert?')
    await pressing.presses('Remove all', 'No longer followed')
    await typing.says('/alerts remove 1', 'No longer followed')
    alerts.changes(token, { sold: 0.6 })
    await chat.expectHeard([`📈 30 % sold: ${name}`], [`📈 60 % sold: ${name}`])
    for (const each of [pressing, typing]) await each.expectSilence()
  })

  test('who mutes hears nothing until unmuted, and not later what happened meanwhile', async () => {
    const token = alerts.announces()
    const { name, address } = token
    const [chat, muted] = [open(), open()]
    for (const each of [chat, muted]) {
      await each.follows(`progress percent:25,50 asset:${address}`)
    }
    await muted.says('/alerts mute 8h', 'Muted until')
    alerts.changes(token, { sold: 0.3 })
    await chat.expectHeard([`📈 30 % sold: ${name}`])
    await muted.expectSilence()
    await muted.says('/alerts unmute', name)
    await muted.expectSilence()
    alerts.changes(token, { sold: 0.6 })
    await muted.expectHeard([`📈 60 % sold: ${name}`])
    await chat.expectHeard([`📈 30 % sold: ${name}`], [`📈 60 % sold: ${name}`])
  })
})
