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
const checks = () =>
  server.calls.filter(({ method, path }) => method === 'GET' && path.endsWith('/applications/@me'))

describe('the interactions endpoint', () => {
  test.each([
    ['taken away', null, 'none'],
    ['changed', elsewhere, 'elsewhere.example.org'],
  ])('that was %s is set again, which is logged', async (_, url, found) => {
    const bot = await called()
    await soon(() => checks().length).toBeGreaterThan(3)
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

describe('the gateway', () => {
  test('ends with what to do if an endpoint is set', async () => {
    const gateway = withGateway()
    await gateway.platform.start()
    await soon(() => checks().length).toBeGreaterThan(2)
    expect(gateway.fatal).toEqual([])
    server.endpoint.url = elsewhere
    await soon(() => gateway.fatal.length).toBeGreaterThan(0)
    expect(gateway.fatal[0]).toBeInstanceOf(PlatformError)
    expect(gateway.fatal[0]?.message).toMatch(
      /to elsewhere\.example\.org, .*DISCORD_INTERACTIONS=http/u,
    )
  })
})
