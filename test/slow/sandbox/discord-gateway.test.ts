import { GatewayOpcodes, GatewayIntentBits as I } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, ben, club, gavel } from '../../../sandbox/discord/cast.ts'
import { DiscordServer, type DiscordServerOptions } from '../../../sandbox/discord/server.ts'
import { call, type Frame, Line, token } from './discord-bot.ts'

let server: DiscordServer
let lines: Line[]

beforeEach(() => {
  lines = []
})

afterEach(async () => {
  for (const line of lines) await line.close()
  await server.stop()
})

async function start(options: Partial<DiscordServerOptions> = {}): Promise<void> {
  server = await DiscordServer.start({ token, ...options })
}

function connect(): Line {
  const line = new Line(server)
  lines.push(line)
  return line
}

const ready = z.object({
  session_id: z.string(),
  resume_gateway_url: z.string(),
  guilds: z.array(z.unknown()),
})
const content = z.object({ content: z.string() }).loose()
const contents = (frames: Frame[]) =>
  frames.filter((each) => each.t === 'MESSAGE_CREATE').map((each) => content.parse(each.d).content)

describe('identifying', () => {
  test('greets, then READY and the guild, numbered', async () => {
    await start()
    const line = connect()
    await line.identify()
    await line.when('GUILD_CREATE')
    expect(line.frames.map(({ op, t, s }) => [op, t, s])).toEqual([
      [GatewayOpcodes.Hello, null, null],
      [GatewayOpcodes.Dispatch, 'READY', 1],
      [GatewayOpcodes.Dispatch, 'GUILD_CREATE', 2],
    ])
    expect(server.sessionStarts).toBe(1)
    const info = await call(server, 'GET /gateway/bot')
    expect(info.json).toMatchObject({ session_start_limit: { total: 1000, remaining: 999 } })
  })

  test.each<[string, object, number]>([
    ['a wrong token', { token: 'wrong' }, 4004],
    ['message content that is not switched on', { intents: I.Guilds | I.MessageContent }, 4014],
    ['members that are not switched on', { intents: I.Guilds | I.GuildMembers }, 4014],
    ['intents that do not exist', { intents: 1 << 30 }, 4013],
    ['a shard beyond the count', { shard: [2, 2] }, 4010],
    ['a malformed payload', { intents: 'all' }, 4002],
  ])('closes for %s', async (_, more, code) => {
    await start()
    const line = connect()
    await line.identify(more)
    expect(await line.closed).toBe(code)
  })

  test('closes on an opcode before it, and on a second one', async () => {
    await start()
    const early = connect()
    await early.when(GatewayOpcodes.Hello)
    early.send(GatewayOpcodes.PresenceUpdate, {})
    expect(await early.closed).toBe(4003)
    const twice = connect()
    await twice.identify()
    await twice.when('READY')
    await twice.identify()
    expect(await twice.closed).toBe(4005)
  })
})

describe('heartbeats', () => {
  test('are acknowledged, and a silent client is cut off', async () => {
    await start({ heartbeatMs: 60 })
    const line = connect()
    await line.identify()
    line.send(GatewayOpcodes.Heartbeat, null)
    await line.when(GatewayOpcodes.HeartbeatAck)
    expect(await line.closed).toBe(4009)
  })
})

describe('events', () => {
  test('go only to those who asked for their intent', async () => {
    await start()
    const [deaf, receiver] = [connect(), connect()]
    await deaf.identify({ intents: I.Guilds })
    await receiver.identify({ intents: I.Guilds | I.GuildMessages })
    await Promise.all([deaf.when('GUILD_CREATE'), receiver.when('GUILD_CREATE')])
    server.people.text(ada.id, club.id, 'hello')
    await receiver.when('MESSAGE_CREATE')
    deaf.send(GatewayOpcodes.Heartbeat, null)
    await deaf.when(GatewayOpcodes.HeartbeatAck)
    expect(contents(deaf.frames)).toEqual([])
  })

  test('hide the content of guild messages without the intent, except mentions and private chats', async () => {
    await start()
    const line = connect()
    await line.identify()
    await line.when('GUILD_CREATE')
    const { people } = server
    people.text(ada.id, club.id, 'for members')
    people.text(ada.id, club.id, `<@${gavel.id}> look`)
    people.text(ada.id, people.dm(ada.id), 'in private')
    await call(server, `POST /channels/${club.id}/messages`, { content: 'by the bot' })
    expect(contents(line.frames)).toEqual(['', `<@${gavel.id}> look`, 'in private', 'by the bot'])
  })

  test('include edits', async () => {
    await start()
    const line = connect()
    await line.identify()
    const sent = await call(server, `POST /channels/${club.id}/messages`, { content: 'x' })
    const { id } = z.object({ id: z.string() }).parse(sent.json)
    await call(server, `PATCH /channels/${club.id}/messages/${id}`, { content: 'y' })
    expect((await line.when('MESSAGE_UPDATE')).d).toMatchObject({ id, content: 'y' })
  })

  test('go to the shard of their guild, private ones to shard 0', async () => {
    await start()
    const shards = [0, 1, 2].map((id) => [id, 3])
    const all = await Promise.all(
      shards.map(async (shard) => {
        const line = connect()
        await line.identify({ shard })
        await line.when('READY')
        return line
      }),
    )
    const { people } = server
    people.text(ben.id, club.id, `<@${gavel.id}> club`)
    people.text(ben.id, people.dm(ben.id), 'private')
    const home = Number((1300000000000000200n >> 22n) % 3n)
    for (const [index, line] of all.entries()) {
      line.send(GatewayOpcodes.Heartbeat, null)
      await line.when(GatewayOpcodes.HeartbeatAck)
      const expected = [
        ...(index === home ? [`<@${gavel.id}> club`] : []),
        ...(index === 0 ? ['private'] : []),
      ]
      expect(contents(line.frames)).toEqual(expected)
      const { guilds } = ready.parse(line.frames.find((each) => each.t === 'READY')?.d)
      expect(guilds).toHaveLength(index === home ? 1 : 0)
    }
  })
})

describe('resuming', () => {
  async function lost(): Promise<{ session_id: string; seq: number }> {
    const line = connect()
    await line.identify()
    const { session_id } = ready.parse((await line.when('READY')).d)
    await line.when('GUILD_CREATE')
    server.dropGateway()
    await line.closed
    return { session_id, seq: 2 }
  }

  test('replays what was missed, in order, then says so', async () => {
    await start()
    const session = await lost()
    for (const text of ['one', 'two']) server.people.text(ada.id, server.people.dm(ada.id), text)
    const line = connect()
    await line.when(GatewayOpcodes.Hello)
    line.send(GatewayOpcodes.Resume, { token, ...session })
    await line.when('RESUMED')
    expect(contents(line.frames)).toEqual(['one', 'two'])
    expect(line.frames.map((each) => each.s)).toEqual([null, 3, 4, 5])
    expect(server.sessionStarts).toBe(1)
  })

  test('fails for an unknown session, an invalidated one and a number from the future', async () => {
    await start()
    const session = await lost()
    const ahead = connect()
    await ahead.when(GatewayOpcodes.Hello)
    ahead.send(GatewayOpcodes.Resume, { token, ...session, seq: 99 })
    expect(await ahead.closed).toBe(4007)
    server.invalidateSessions()
    for (const session_id of ['unknown', session.session_id]) {
      const line = connect()
      await line.when(GatewayOpcodes.Hello)
      line.send(GatewayOpcodes.Resume, { token, ...session, session_id })
      expect((await line.when(GatewayOpcodes.InvalidSession)).d).toBe(false)
    }
  })
})
