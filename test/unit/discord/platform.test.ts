import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { PlatformError } from '../../../src/core/adapter.ts'
import { withTimeout } from '../../../src/core/task.ts'
import { later, says } from '../core/scripted-bot.ts'
import { type Connection, connection, startServer, textOf, token } from './discord-chat.ts'

const patience = { timeout: 20_000 }

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

function open(apiRoot = server.root, withToken = token): Connection {
  const parts = connection(apiRoot, withToken)
  opened.push(parts)
  return parts
}

const ask = (term: string) => server.people.slash(ada.id, club.id, 'ask', { term })
const registrations = () =>
  server.calls.filter(
    ({ method, route }) => `${method} ${route}` === 'PUT /applications/:id/commands',
  )

describe('the start', () => {
  test('registers the commands and listens', async () => {
    const { platform } = open()
    expect(platform.state()).toBe('starting')
    await platform.start()
    expect(platform.state()).toBe('connected')
    expect(server.people.commands(ada.id, club.id).map(({ name }) => name)).toEqual([
      'ask',
      'start',
      'launch',
    ])
    expect(textOf(await ask('moon').message())).toBe('ask moon')
  })

  test('registers the commands again only where they changed', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { platform } = open()
      await platform.start()
      await platform.stop()
    }
    expect(registrations()).toHaveLength(1)
    const changed = open()
    const [first] = changed.bot.menu
    if (first) changed.bot.menu[0] = { ...first, about: 'Ask anything' }
    await changed.platform.start()
    expect(registrations()).toHaveLength(2)
    const [command] = server.people.commands(ada.id, club.id)
    expect(command?.description).toBe('Ask anything')
  })

  test('with a wrong token ends with what to set', async () => {
    const { platform, log } = open(server.root, 'another.token-for.tests')
    const error: unknown = await platform.start().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PlatformError)
    expect(error).toMatchObject({
      message: expect.stringContaining('DISCORD_TOKEN'),
      cause: { status: 401 },
    })
    expect(log.of('warn')).toEqual([])
  })

  test('at an address that is no Discord ends with what to set', async () => {
    await expect(open(`${server.root}/elsewhere`).platform.start()).rejects.toMatchObject({
      name: 'PlatformError',
      message: expect.stringContaining('DISCORD_API_ROOT'),
    })
  })

  test('waits for a Discord that can’t be reached, and says so with the cause', async () => {
    const port = Number(new URL(server.root).port)
    await server.stop()
    const { platform, log } = open()
    const starting = platform.start()
    await expect.poll(() => log.of('warn').join(), patience).toContain('ECONNREFUSED')
    expect(log.of('warn').join()).toContain('discord can’t be reached')
    expect(platform.state()).toBe('starting')
    server = await startServer({ port })
    await starting
    expect(platform.state()).toBe('connected')
    expect(textOf(await ask('moon').message())).toBe('ask moon')
  })

  test('can be broken off while Discord can’t be reached', async () => {
    const port = Number(new URL(server.root).port)
    await server.stop()
    const { platform, log } = open()
    const starting = platform.start().catch((reason: unknown) => reason)
    await expect.poll(() => log.of('warn').length, patience).toBeGreaterThan(0)
    await platform.stop()
    await starting
    expect(platform.state()).toBe('stopped')
    server = await startServer({ port })
  })
})

describe('the connection', () => {
  const breaks: [how: string, act: () => void][] = [
    ['the line goes dead', () => server.dropGateway()],
    ['Discord closes it', () => server.dropGateway(4000)],
    ['Discord asks to reconnect', () => server.askToReconnect()],
    ['Discord ends the session', () => server.invalidateSessions()],
  ]
  test.each(breaks)('comes back by itself when %s', async (_, act) => {
    const { platform, log, fatal } = open()
    await platform.start()
    act()
    const states = () => log.of('info').filter((line) => line.includes('discord: connection'))
    await expect.poll(() => states().length, patience).toBeGreaterThanOrEqual(2)
    expect(states()[0]).toContain('reconnecting')
    expect(states().at(-1)).toContain('connected')
    await expect.poll(() => platform.state(), patience).toBe('connected')
    expect(textOf(await ask('moon').message())).toBe('ask moon')
    expect(fatal).toEqual([])
  })

  test.each([4004, 4010, 4013, 4014])('closed with code %i is lost for good', async (code) => {
    const { platform, fatal } = open()
    await platform.start()
    server.dropGateway(code)
    await expect.poll(() => fatal, patience).not.toEqual([])
    expect(fatal[0]).toBeInstanceOf(PlatformError)
    expect(fatal[0]?.message).toContain(String(code))
  })
})

describe('a stop', () => {
  test('lets answers under way arrive, also those announced already', async () => {
    const { platform, bot, fatal } = open()
    await platform.start()
    const slow = later()
    bot.on('ask moon', slow.script)
    const first = ask('moon')
    expect(await first.taken).toBe('thinking')
    const second = ask('moon')
    await expect.poll(() => bot.lines.length, patience).toBe(2)
    const stopping = platform.stop()
    // A stop that waits for nobody would be over, and its connections closed, before the answer comes.
    await withTimeout(stopping, 500)
    slow.come(says('at last'))
    expect(textOf(await first.message())).toBe('at last')
    expect(textOf(await second.message())).toBe('at last')
    await stopping
    expect(platform.state()).toBe('stopped')
    expect(fatal).toEqual([])
  })

  test('does not wait for ever for an answer that never comes', async () => {
    const never = later()
    const { platform, bot } = open()
    await platform.start()
    bot.on('ask moon', never.script)
    await ask('moon').taken
    await platform.stop(200)
    never.come(says('too late'))
    expect(platform.state()).toBe('stopped')
  })

  test('also ends while Discord is out of reach', async () => {
    const { platform, log, fatal } = open()
    await platform.start()
    const port = Number(new URL(server.root).port)
    await server.stop()
    await expect.poll(() => log.of('info').join(), patience).toContain('reconnecting')
    await platform.stop()
    expect(fatal).toEqual([])
    server = await startServer({ port })
  })
})
