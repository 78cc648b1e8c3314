import { beforeEach, expect, test } from 'vitest'
import { Servers } from '../../../src/discord/receive.ts'

let servers: Servers
beforeEach(() => {
  servers = new Servers()
})

const channels = (...ids: string[]) => ids.map((id) => ({ id }))
const ready = (...guilds: string[]) =>
  servers.read('READY', {
    guilds: channels(...guilds).map((each) => ({ ...each, unavailable: true })),
  })
const created = (id: string, ...ids: string[]) =>
  servers.read('GUILD_CREATE', { id, channels: channels(...ids), threads: channels(`${id}7`) })
const deleted = (id: string, unavailable?: boolean) =>
  servers.read('GUILD_DELETE', { id, ...(unavailable !== undefined && { unavailable }) })

test('a server that the bot was in at the start is no news', () => {
  expect(ready('1', '2')).toBeUndefined()
  expect(created('1', '11')).toBeUndefined()
})

test('a server that lets the bot in is back, with its channels and threads', () => {
  ready('1')
  expect(created('2', '21', '22')?.change).toEqual({ kind: 'back', chats: ['21', '22', '27'] })
})

test('the channels of a server that removes the bot are lost', () => {
  ready('1')
  created('1', '11', '12')
  const lost = (...chats: string[]) => ({ change: { kind: 'lost', chats, loss: 'removed' } })
  expect(deleted('1')).toEqual(lost('11', '12', '17'))
  expect(deleted('1')).toEqual(lost())
  expect(created('1', '13')?.change).toEqual({ kind: 'back', chats: ['13', '17'] })
})

test('a server that is unavailable during an outage is not lost, and not back after it', () => {
  ready('1')
  created('1', '11')
  expect(deleted('1', true)).toBeUndefined()
  expect(servers.read('GUILD_CREATE', { id: '1', unavailable: true })).toBeUndefined()
  expect(created('1', '11')).toBeUndefined()
  expect(deleted('1')?.change).toMatchObject({ chats: ['11', '17'] })
})

test('a server that lets the bot in during an outage is back once it is there', () => {
  ready()
  expect(servers.read('GUILD_CREATE', { id: '1', unavailable: true })).toBeUndefined()
  expect(created('1', '11')?.change).toEqual({ kind: 'back', chats: ['11', '17'] })
})

test('a server that is missing in the next session of its shard was lost meanwhile', () => {
  // Of two shards, the first has the servers whose ids have an even number before their last 22 bits.
  const [even, odd] = [String(2n << 22n), String(3n << 22n)]
  const begin = (shard: number, ...ids: string[]) =>
    servers.read('READY', { guilds: channels(...ids), shard: [shard, 2] })
  begin(0, even)
  begin(1, odd)
  created(even, '11')
  created(odd, '21')
  expect(begin(1, odd)).toBeUndefined()
  expect(begin(0)?.change).toEqual({ kind: 'lost', chats: ['11', `${even}7`], loss: 'removed' })
  expect(deleted(odd)?.change).toMatchObject({ chats: ['21', `${odd}7`] })
})

test.each([null, 'x', {}, { id: 1 }, { channels: [] }])(
  'what is no server is ignored: %j',
  (payload) => {
    for (const event of ['GUILD_CREATE', 'GUILD_DELETE'])
      expect(servers.read(event, payload)).toBeUndefined()
    expect(servers.read('INTERACTION_CREATE', payload)).toBeUndefined()
  },
)

test('a server that lets the bot in says where it may greet: in the channel of Discord’s own messages, then the topmost', () => {
  ready()
  const text = (id: string, position: number, type = 0) => ({ id, type, position })
  const joined = {
    id: '1',
    joined_at: '2026-11-23T16:00:00Z',
    owner_id: '5',
    preferred_locale: 'es-ES',
    channels: [text('13', 3), text('11', 1), text('10', 0, 2), text('12', 2), text('14', 4)],
  }
  const entered = { id: '1', joinedAt: joined.joined_at, owner: '5', language: 'es-ES' }
  const create = (more: object) => servers.read('GUILD_CREATE', { ...joined, ...more })?.entered
  expect(create({ system_channel_id: '14' })).toEqual({ ...entered, channels: ['14', '11', '12'] })
  deleted('1')
  expect(create({ system_channel_id: null })).toEqual({ ...entered, channels: ['11', '12', '13'] })
  expect(create({})).toBeUndefined()
})
