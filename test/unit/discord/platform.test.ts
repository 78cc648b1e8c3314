import { describe, expect, test, vi } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { PlatformError } from '../../../src/core/adapter.ts'
import { withTimeout } from '../../../src/core/task.ts'
import { defaultTimes } from '../../../src/discord/reply.ts'
import { says } from '../core/scripted-bot.ts'
import {
  type Connection,
  connection,
  deferred,
  startServer,
  textOf,
  token,
} from './discord-chat.ts'

// `expect.poll` knows its test only where one runs at a time.
const patience = { timeout: 20_000 }

/** A stand-in of its own for each test, which they need to run side by side, and what connects to it. */
class Ground {
  server: DiscordServer
  readonly #opened: Connection[] = []
  #isCut = false

  constructor(server: DiscordServer) {
    this.server = server
  }

  open(apiRoot = this.server.root, withToken = token): Connection {
    const parts = connection(apiRoot, withToken)
    this.#opened.push(parts)
    return parts
  }

  ask(term: string) {
    return this.server.people.slash(ada.id, club.id, 'ask', { term })
  }

  registrations() {
    return this.server.calls.filter(
      ({ method, route }) => `${method} ${route}` === 'PUT /applications/:id/commands',
    )
  }

  /** Takes Discord out of reach. */
  async cut(): Promise<void> {
    this.#isCut = true
    await this.server.stop()
  }

  /** Brings it back at its address. */
  async mend(): Promise<void> {
    this.server = await startServer({ port: Number(new URL(this.server.root).port) })
    this.#isCut = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#opened.map(({ platform }) => platform.stop()))
    if (!this.#isCut) await this.server.stop()
  }
}

const startGround = async () => new Ground(await startServer())

describe.concurrent('the start', () => {
  test('registers the commands and listens', async () => {
    await using ground = await startGround()
    const { platform } = ground.open()
    expect(platform.state()).toBe('starting')
    await platform.start()
    expect(platform.state()).toBe('connected')
    expect(ground.server.people.commands(ada.id, club.id).map(({ name }) => name)).toEqual([
      'ask',
      'start',
      'launch',
      'alerts',
    ])
    expect(textOf(await ground.ask('moon').message())).toBe('ask moon')
  })

  test('registers the commands again only if they changed', async () => {
    await using ground = await startGround()
    for (let time = 0; time < 2; time += 1) {
      const { platform } = ground.open()
      await platform.start()
      await platform.stop()
    }
    expect(ground.registrations()).toHaveLength(1)
    const changed = ground.open()
    const [first] = changed.bot.menu
    if (first) changed.bot.menu[0] = { ...first, about: 'Ask anything' }
    await changed.platform.start()
    expect(ground.registrations()).toHaveLength(2)
    const [command] = ground.server.people.commands(ada.id, club.id)
    expect(command?.description).toBe('Ask anything')
  })

  test('with a wrong token ends with what to set', async () => {
    await using ground = await startGround()
    const { platform, log } = ground.open(ground.server.root, 'another.token-for.tests')
    const error: unknown = await platform.start().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PlatformError)
    expect(error).toMatchObject({
      message: expect.stringContaining('DISCORD_TOKEN'),
      cause: { status: 401 },
    })
    expect(log.of('warn')).toEqual([])
  })

  test('at an address that is no Discord ends with what to set', async () => {
    await using ground = await startGround()
    await expect(
      ground.open(`${ground.server.root}/elsewhere`).platform.start(),
    ).rejects.toMatchObject({
      name: 'PlatformError',
      message: expect.stringContaining('DISCORD_API_ROOT'),
    })
  })

  test('can be aborted while Discord can’t be reached', async () => {
    await using ground = await startGround()
    await ground.cut()
    const { platform, log } = ground.open()
    const starting = platform.start().catch((reason: unknown) => reason)
    await vi.waitFor(() => expect(log.of('warn').length).toBeGreaterThan(0), patience)
    await platform.stop()
    await starting
    expect(platform.state()).toBe('stopped')
  })
})

describe.concurrent('the connection', () => {
  const breaks: [how: string, act: (server: DiscordServer) => void][] = [
    ['the line goes dead', (server) => server.dropGateway()],
    ['Discord closes it', (server) => server.dropGateway(4000)],
    ['Discord asks to reconnect', (server) => server.askToReconnect()],
  ]
  test.each(breaks)('comes back by itself when %s', async (_, act) => {
    await using ground = await startGround()
    await comesBack(ground, act)
  })

  test.each([4004, 4010, 4013, 4014])('closed with code %i is not retried', async (code) => {
    await using ground = await startGround()
    const { platform, fatal } = ground.open()
    await platform.start()
    ground.server.dropGateway(code)
    await vi.waitFor(() => expect(fatal).not.toEqual([]), patience)
    expect(fatal[0]).toBeInstanceOf(PlatformError)
    expect(fatal[0]?.message).toContain(String(code))
  })
})

describe.concurrent('a stop', () => {
  test('lets answers under way arrive, also those announced already', async () => {
    await using ground = await startGround()
    const parts = ground.open()
    const { platform, bot, fatal } = parts
    await platform.start()
    const come = deferred(parts, 'ask moon')
    const first = ground.ask('moon')
    expect(await first.taken).toBe('thinking')
    parts.times.deferAfterMs = defaultTimes.deferAfterMs
    const second = ground.ask('moon')
    await vi.waitFor(() => expect(bot.lines.length).toBe(2), patience)
    const stopping = platform.stop()
    // A stop that waits for nobody would be over, and its connections closed, before the answer comes.
    await withTimeout(stopping, 500)
    come(says('at last'))
    expect(textOf(await first.message())).toBe('at last')
    expect(textOf(await second.message())).toBe('at last')
    await stopping
    expect(platform.state()).toBe('stopped')
    expect(fatal).toEqual([])
  })

  test('does not wait for ever for an answer that never comes', async () => {
    await using ground = await startGround()
    const parts = ground.open()
    const { platform } = parts
    await platform.start()
    const come = deferred(parts, 'ask moon')
    await ground.ask('moon').taken
    await platform.stop(200)
    come(says('too late'))
    expect(platform.state()).toBe('stopped')
  })

  test('also ends while Discord is out of reach', async () => {
    await using ground = await startGround()
    const { platform, log, fatal } = ground.open()
    await platform.start()
    await ground.cut()
    await vi.waitFor(() => expect(log.of('info').join()).toContain('reconnecting'), patience)
    await platform.stop()
    expect(fatal).toEqual([])
  })
})

async function comesBack(ground: Ground, act: (server: DiscordServer) => void): Promise<void> {
  const { platform, log, fatal } = ground.open()
  await platform.start()
  act(ground.server)
  const states = () => log.of('info').filter((line) => line.includes('discord: connection'))
  await vi.waitFor(() => expect(states().length).toBeGreaterThanOrEqual(2), patience)
  expect(states()[0]).toContain('reconnecting')
  expect(states().at(-1)).toContain('connected')
  await vi.waitFor(() => expect(platform.state()).toBe('connected'), patience)
  expect(textOf(await ground.ask('moon').message())).toBe('ask moon')
  expect(fatal).toEqual([])
}

// What follows has nothing beside it: the clock is everybody's, and so are the ports of this machine.

test('the connection comes back by itself when Discord ends the session', async () => {
  await using ground = await startGround()
  const { now } = Date
  try {
    await comesBack(ground, (server) => {
      // discord.js begins a session 5 s after the last one at the soonest.
      vi.spyOn(Date, 'now').mockImplementation(() => now() + 6_000)
      server.invalidateSessions()
    })
  } finally {
    vi.restoreAllMocks()
  }
})

test('the start waits for a Discord that can’t be reached, and says so with the cause', async () => {
  await using ground = await startGround()
  await ground.cut()
  const { platform, log } = ground.open()
  const starting = platform.start()
  await vi.waitFor(() => expect(log.of('warn').join()).toContain('ECONNREFUSED'), patience)
  expect(log.of('warn').join()).toContain('discord can’t be reached')
  expect(platform.state()).toBe('starting')
  await ground.mend()
  await starting
  expect(platform.state()).toBe('connected')
  expect(textOf(await ground.ask('moon').message())).toBe('ask moon')
})
