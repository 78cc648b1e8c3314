import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { PlatformError } from '../../../src/core/adapter.ts'
import { type Connection, connection, startServer, textOf, token } from './discord-chat.ts'

const publicUrl = 'https://gavel.example.org'
const elsewhere = 'https://elsewhere.example.org/secret-path'
const soon = <Value>(read: () => Value) => expect.poll(read, { timeout: 20_000, interval: 20 })

let server: DiscordServer
let opened: Connection[]
beforeEach(async () => {
  server = await startServer()
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map(({ platform }) => platform.stop()))
  await server.stop()
})

function open(parts: Parameters<typeof connection>[2] = {}): Connection {
  const bot = connection(server.root, token, { checkEvery: 50, ...parts })
  opened.push(bot)
  return bot
}

const answers = async () =>
  textOf(await server.people.slash(ada.id, club.id, 'ask', { term: 'moon' }).message())
const checks = () =>
  server.calls.filter(({ method, path }) => method === 'GET' && path.endsWith('/applications/@me'))
const refusal = {
  name: 'PlatformError',
  message: expect.stringMatching(
    /to elsewhere\.example\.org, .*Clear the Interactions Endpoint URL/u,
  ),
}

test('the start clears the address that a version before set, and says so', async () => {
  server.world.endpointUrl = `${publicUrl}/discord`
  const { platform, log } = open({ publicUrl })
  await platform.start()
  expect(server.world.endpointUrl).toBeNull()
  expect(log.of('warn').join()).toContain('receives them over the gateway')
  expect(await answers()).toBe('ask moon')
})

test.each([undefined, publicUrl])(
  'the start leaves another address alone, and is refused (PUBLIC_URL %s)',
  async (ours) => {
    server.world.endpointUrl = elsewhere
    const { platform } = open({ publicUrl: ours })
    const error: unknown = await platform.start().catch((reason: unknown) => reason)
    expect(error).toMatchObject(refusal)
    expect(String(error)).not.toContain('secret-path')
    expect(server.world.endpointUrl).toBe(elsewhere)
  },
)

test('the process ends with what to do if an address is set while it runs', async () => {
  const { platform, fatal } = open()
  await platform.start()
  await soon(() => checks().length).toBeGreaterThan(2)
  expect(fatal).toEqual([])
  server.world.endpointUrl = elsewhere
  await soon(() => fatal.length).toBeGreaterThan(0)
  expect(fatal[0]).toBeInstanceOf(PlatformError)
  expect(fatal[0]).toMatchObject(refusal)
})

test('an address of a version before is cleared again while it still runs beside this one', async () => {
  const { platform, fatal } = open({ publicUrl })
  await platform.start()
  server.world.endpointUrl = `${publicUrl}/discord`
  await soon(() => server.world.endpointUrl).toBeNull()
  expect(await answers()).toBe('ask moon')
  expect(fatal).toEqual([])
})
