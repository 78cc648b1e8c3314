import { Api } from 'grammy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { PlatformError } from '../../../src/core/adapter.ts'
import type { Polling } from '../../../src/telegram/polling.ts'
import { Poller, startServer } from './pollers.ts'
import { token } from './telegram-chat.ts'

const patience = { timeout: 20_000, interval: 10 }
const soon = <Value>(read: () => Value) => expect.poll(read, patience)

let server: TelegramServer
let under: Polling[]
beforeEach(async () => {
  server = await startServer()
  under = []
})
afterEach(async () => {
  await Promise.all(under.map((polling) => polling.stop()))
  await server.stop()
})

/** From here on it is the one that asks. */
async function begins(poller: Poller): Promise<Polling> {
  const polling = poller.begin()
  under.push(polling)
  await polling.ready
  return polling
}

const say = (words: string) => server.people.text(ada.id, ada.id, words)

test('the second poller explains itself and ends; the first goes on, and nothing is lost', async () => {
  const first = new Poller(server, { newcomerMs: 0, conflictPauseMs: 300 })
  const second = new Poller(server, { newcomerMs: 30_000, conflictPauseMs: 300 })
  await begins(first)
  say('1')
  await soon(() => first.heard).toEqual(['1'])
  await begins(second)
  const said = ['1']
  for (let number = 2; number <= 20; number += 1) {
    said.push(say(String(number)).text ?? '')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await soon(() => second.fatal.map(({ message }) => message)).toEqual([
    'Another process polls Telegram with the same TELEGRAM_TOKEN. Stop it, or use another bot.',
  ])
  expect(second.fatal[0]).toBeInstanceOf(PlatformError)
  say('the end')
  await soon(() => first.heard).toContain('the end')
  const both = [...first.heard, ...second.heard]
  for (const words of said) expect(both).toContain(words)
  expect(first.fatal).toEqual([])
  expect(first.log.of('error').join()).toContain('another process polled Telegram')
})

test('a poller that has polled for three pauses stays, and a later one gives way', async () => {
  const two = [0, 1].map(() => new Poller(server, { conflictPauseMs: 300 }))
  for (const each of two) {
    await begins(each)
    await new Promise((resolve) => setTimeout(resolve, 950))
  }
  await soon(() => two.map(({ fatal }) => fatal.length)).toEqual([0, 1])
})

test('two long-running pollers don’t end each other’s polls for ever', async () => {
  const two = [0, 1].map(() => new Poller(server, { newcomerMs: 0, conflictPauseMs: 20 }))
  for (const each of two) await begins(each)
  await soon(() => two.flatMap(({ fatal }) => fatal).length).toBe(1)
  const left = two.find(({ fatal }) => fatal.length === 0)
  server.people.text(ben.id, ben.id, 'gm')
  await soon(() => left?.heard ?? []).toContain('gm')
})

test('a long-running poller gives way to a webhook at once', async () => {
  const poller = new Poller(server, { newcomerMs: 0, conflictPauseMs: 100 })
  await begins(poller)
  await soon(() => server.api.queue.isWaiting).toBe(true)
  await new Api(token, { apiRoot: server.root }).setWebhook('http://127.0.0.1:1/telegram')
  await soon(() => poller.fatal.map(({ message }) => message)).toEqual([
    expect.stringMatching(/set a webhook.*TELEGRAM_UPDATES=webhook/u),
  ])
  expect(poller.log.of('error')).toEqual([])
})

test('a poller that is stopped while another takes over logs nothing', async () => {
  const [first, second] = [new Poller(server), new Poller(server)]
  const polling = await begins(first)
  await soon(() => server.api.queue.isWaiting).toBe(true)
  await begins(second)
  await soon(() => server.calls.of('getUpdates').some(({ status }) => status === 409)).toBe(true)
  await polling.stop()
  say('gm')
  await soon(() => second.heard).toEqual(['gm'])
  expect([first.fatal, second.fatal, first.log.of('error')]).toEqual([[], [], []])
})

test('a slow update does not hold up all that come more than a hundred behind it', async () => {
  const poller = new Poller(server)
  const held = Promise.withResolvers<void>()
  poller.hold = (text) => (text === '0' || text === '120' ? held.promise : undefined)
  const people = server.circumstances.crowd(350)
  for (const [number, person] of people.entries()) server.people.text(person, person, `${number}`)
  await begins(poller)
  // Updates may be confirmed by themselves after ten seconds.
  await expect.poll(() => poller.heard.length, { timeout: 9_000 }).toBe(people.length - 2)
  held.resolve()
  await soon(() => poller.heard.length).toBe(people.length)
  expect(new Set(poller.heard).size).toBe(people.length)
})

test('more than one poll can bring are received though one of them is still under way, and all in the end', async () => {
  const poller = new Poller(server)
  const held = Promise.withResolvers<void>()
  poller.hold = (text) => (text === '70' ? held.promise : undefined)
  const people = server.circumstances.crowd(140)
  for (const [number, person] of people.entries()) server.people.text(person, person, `${number}`)
  await begins(poller)
  await soon(() => poller.heard.length).toBe(139)
  held.resolve()
  await soon(() => poller.heard.length).toBe(people.length)
  expect(new Set(poller.heard).size).toBe(people.length)
})

test('updates whose numbers begin anew, lower, are received and confirmed', async () => {
  const poller = new Poller(server)
  await begins(poller)
  say('1')
  await soon(() => poller.heard).toEqual(['1'])
  await soon(() => server.api.queue.isWaiting).toBe(true)
  server.api.queue.beginAnew(5)
  say('2')
  await soon(() => poller.heard).toEqual(['1', '2'])
  say('3')
  await soon(() => poller.heard).toEqual(['1', '2', '3'])
  await soon(() => server.api.queue.length).toBe(0)
  expect(server.calls.of('getUpdates').length).toBeLessThan(10)
})

test('an update under way is not confirmed with a later one: whoever polls next gets it', async () => {
  const [first, second] = [new Poller(server), new Poller(server)]
  first.hold = (text) => (text === '1' ? new Promise(() => undefined) : undefined)
  await begins(first)
  say('1')
  server.people.text(ben.id, ben.id, '2')
  await soon(() => first.heard).toEqual(['2'])
  const polls = () => server.calls.of('getUpdates')
  const before = polls().length
  await soon(() => polls().length).toBeGreaterThan(before + 1)
  expect(server.api.queue.length).toBe(2)
  await begins(second)
  await soon(() => second.heard).toEqual(['1', '2'])
})

test('an update that takes long may be confirmed, and goes on', async () => {
  const poller = new Poller(server, { confirmAfterMs: 100 })
  const held = Promise.withResolvers<void>()
  poller.hold = (text) => (text === '1' ? held.promise : undefined)
  await begins(poller)
  say('1')
  await soon(() => server.api.queue.length).toBe(1)
  await soon(() => server.api.queue.length).toBe(0)
  held.resolve()
  await soon(() => poller.heard).toEqual(['1'])
})
