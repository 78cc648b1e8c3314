import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { PlatformError } from '../../../src/core/adapter.ts'
import { type Connection, connection, startServer, textOf, token } from './discord-chat.ts'
import { type CalledBot, calledBot } from './endpoint-bot.ts'

const patience = { timeout: 20_000 }

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

async function called(parts = {}): Promise<CalledBot> {
  const bot = await calledBot(server, parts)
  stops.push(bot.stop)
  return bot
}

function withGateway(publicUrl?: string): Connection {
  const bot = connection(server.root, token, { publicUrl })
  stops.push(() => bot.platform.stop())
  return bot
}

const changes = () =>
  server.calls.filter(
    ({ method, body }) => method === 'PATCH' && 'interactions_endpoint_url' in Object(body),
  )
const ask = (term: string) => server.people.slash(ada.id, club.id, 'ask', { term })

test('the address is set once, if it is not yet', async () => {
  const bot = await called()
  await bot.platform.start()
  await expect.poll(() => server.endpoint.url, patience).toBe(bot.url)
  const another = connection(server.root, token, {
    interactions: 'http',
    publicUrl: bot.url.replace('/discord', ''),
  })
  stops.push(() => another.platform.stop())
  await another.platform.start()
  // Long enough for another change to have come in.
  for (let time = 0; time < 10; time += 1) await ask('moon').message()
  expect(changes()).toHaveLength(1)
})

test('an address that does not answer yet is retried', async () => {
  const bot = await called({ endpointWaits: Array.from({ length: 200 }, () => 50) })
  bot.isReachable = false
  await bot.platform.start()
  await expect.poll(() => changes().length, patience).toBeGreaterThan(1)
  bot.isReachable = true
  await expect.poll(() => server.endpoint.url, patience).toBe(bot.url)
})

test('an address that is unreachable ends with what to set', async () => {
  const bot = await called({ publicUrl: 'http://127.0.0.1:1', endpointWaits: [1, 1] })
  await bot.platform.start()
  await expect.poll(() => bot.fatal, patience).toHaveLength(1)
  expect(bot.fatal[0]).toBeInstanceOf(PlatformError)
  expect(bot.fatal[0]?.message).toMatch(
    /could not verify http:\/\/127\.0\.0\.1:1\/discord\..*PUBLIC_URL/u,
  )
  expect(changes()).toHaveLength(3)
  expect(server.endpoint.url).toBeNull()
})

test('a bot that returns to the gateway removes its own address', async () => {
  const bot = await called()
  await bot.platform.start()
  await expect.poll(() => server.endpoint.url, patience).toBe(bot.url)
  await bot.platform.stop()
  const gateway = withGateway(bot.url.replace('/discord', ''))
  await gateway.platform.start()
  expect(server.endpoint.url).toBeNull()
  expect(textOf(await ask('moon').message())).toBe('ask moon')
  expect(gateway.bot.lines).toEqual(['ask moon'])
})

test.each([undefined, 'https://gavel.example.org'])(
  'with the gateway another address is left alone, and the start refused (PUBLIC_URL %s)',
  async (publicUrl) => {
    server.endpoint.url = 'https://elsewhere.example.org/secret-path'
    const { platform } = withGateway(publicUrl)
    const error: unknown = await platform.start().catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      name: 'PlatformError',
      message: expect.stringMatching(/to elsewhere\.example\.org, .*DISCORD_INTERACTIONS=http/u),
    })
    expect(String(error)).not.toContain('secret-path')
    expect(server.endpoint.url).toBe('https://elsewhere.example.org/secret-path')
  },
)
