import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { PlatformError } from '../../../src/core/adapter.ts'
import type { DiscordParts } from '../../../src/discord/adapter.ts'
import { type Connection, connection, startServer, textOf, token } from './discord-chat.ts'
import { type CalledBot, calledBot } from './endpoint-bot.ts'

const patience = { timeout: 20_000, interval: 20 }
const soon = <Value>(read: () => Value) => expect.poll(read, patience)
const elsewhere = 'https://elsewhere.example.org/secret-path'

let server: DiscordServer
let stops: (() => Promise<void>)[]
beforeEach(async () => {
  server = await startServer()
  stops = []
})
afterEach(async () => {
  for (const stop of stops) await stop()
  await server.stop()
})

async function called(): Promise<CalledBot> {
  const bot = await calledBot(server, { checkEvery: 50 })
  stops.push(bot.stop)
  await bot.platform.start()
  await soon(() => server.endpoint.url).toBe(bot.url)
  return bot
}

function withGateway(parts: Partial<DiscordParts> = {}): Connection {
  const bot = connection(server.root, token, { checkEvery: 50, ...parts })
  stops.push(() => bot.platform.stop())
  return bot
}

const ask = (term: string) => server.people.slash(ada.id, club.id, 'ask', { term }).message()
const looks = () =>
  server.calls.filter(({ method, path }) => method === 'GET' && path.endsWith('/applications/@me'))

describe('the interactions endpoint', () => {
  test.each([
    ['taken away', null, 'none'],
    ['changed', elsewhere, 'elsewhere.example.org'],
  ])('that was %s is set again, which is logged', async (_, url, found) => {
    const bot = await called()
    await soon(() => looks().length).toBeGreaterThan(3)
    expect(bot.log.of('warn')).toEqual([])
    server.endpoint.url = url
    await soon(() => server.endpoint.url).toBe(bot.url)
    expect(textOf(await ask('moon'))).toBe('ask moon')
    expect(bot.log.of('warn').join()).toContain(`"found":"${found}"`)
    expect(bot.log.of('warn').join()).not.toContain('secret-path')
  })

  test('that can’t be set again is retried at the next check', async () => {
    const bot = await called()
    bot.isReachable = false
    server.endpoint.url = null
    await soon(() => bot.log.of('warn').join()).toContain('can’t be set')
    bot.isReachable = true
    await soon(() => server.endpoint.url).toBe(bot.url)
    expect(bot.fatal).toEqual([])
  })
})

describe('the interactions endpoint of replicas', () => {
  const startBeside = async (held: () => readonly string[], waits: readonly number[]) => {
    const heldRoles = async () => held()
    const bot = await calledBot(server, { heldRoles, endpointWaits: waits })
    stops.push(bot.stop)
    return { bot, started: bot.platform.start().catch((reason: unknown) => reason) }
  }
  const changes = () => server.calls.filter(({ method }) => method !== 'GET')

  test('is not changed by a replica with another PUBLIC_URL, which ends with what to do', async () => {
    server.endpoint.url = elsewhere
    const { bot, started } = await startBeside(() => ['discord calls'], [1, 1])
    const error = await started
    expect(error).toBeInstanceOf(PlatformError)
    expect(String(error)).toMatch(
      /Discord calls elsewhere\.example\.org, .* is 127\.0\.0\.1:\d+\. Set the same PUBLIC_URL/u,
    )
    expect(String(error)).not.toContain('secret-path')
    expect(bot.log.lines.map((line) => JSON.stringify(line)).join()).not.toContain('secret-path')
    expect(server.endpoint.url).toBe(elsewhere)
    expect(changes()).toEqual([])
  })

  test('that one of them is about to change is waited for', async () => {
    server.endpoint.url = elsewhere
    const waits = Array.from({ length: 500 }, () => 20)
    const { bot, started } = await startBeside(() => ['discord calls'], waits)
    await soon(() => looks().length).toBeGreaterThan(2)
    server.endpoint.url = bot.url
    expect(await started).toBeUndefined()
    expect(changes().filter(({ method }) => method === 'PATCH')).toEqual([])
    expect(textOf(await ask('moon'))).toBe('ask moon')
  })

  test('is changed once they have stopped', async () => {
    server.endpoint.url = elsewhere
    const held = ['discord calls']
    const waits = Array.from({ length: 500 }, () => 20)
    const { bot, started } = await startBeside(() => held, waits)
    await soon(() => looks().length).toBeGreaterThan(2)
    held.pop()
    expect(await started).toBeUndefined()
    await soon(() => server.endpoint.url).toBe(bot.url)
  })
})

describe('the gateway', () => {
  test('ends with what to do if an endpoint is set', async () => {
    const gateway = withGateway()
    await gateway.platform.start()
    await soon(() => looks().length).toBeGreaterThan(2)
    expect(gateway.fatal).toEqual([])
    server.endpoint.url = elsewhere
    await soon(() => gateway.fatal.length).toBeGreaterThan(0)
    expect(gateway.fatal[0]).toBeInstanceOf(PlatformError)
    expect(gateway.fatal[0]?.message).toMatch(
      /to elsewhere\.example\.org, .*DISCORD_INTERACTIONS=http/u,
    )
  })
})

describe('beside replicas of one database that receive in the other way', () => {
  test.each([
    ['gateway', 'discord calls', /=http, and this one gateway/u],
    ['http', 'discord gateway', /=gateway, and this one http/u],
    ['http', 'discord gateway 0-3/8', /=gateway, and this one http/u],
  ] as const)(
    'one with %s does not start, and changes nothing (%s)',
    async (interactions, held, words) => {
      const publicUrl = 'https://gavel.example.org'
      server.endpoint.url = `${publicUrl}/discord`
      const heldRoles = async () => ['watch', held]
      const { platform } = withGateway({ interactions, publicUrl, heldRoles })
      const error: unknown = await platform.start().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(PlatformError)
      expect(String(error)).toMatch(words)
      expect(server.endpoint.url).toBe(`${publicUrl}/discord`)
      expect(server.calls).toEqual([])
    },
  )
})
