import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, otterClub } from '../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../sandbox/discord/server.ts'
import { shardOf } from '../../sandbox/discord/world.ts'
import type { DiscordParts } from '../../src/discord/adapter.ts'
import { gatewayReceiver, type Shards } from '../../src/discord/platform.ts'
import {
  type Connection,
  connection,
  startServer,
  textOf,
  token,
} from '../unit/discord/discord-chat.ts'

const range = (first: number, last: number, count: number): Shards => ({
  ids: Array.from({ length: last - first + 1 }, (_, index) => first + index),
  count,
})

test.each([
  ['as many as Discord advises are the leader’s', undefined, false],
  ['all of some are the leader’s', range(0, 7, 8), false],
  ['a part of them is each process’s own', range(0, 3, 8), true],
])('%s', (_, shards, inEach) => {
  const begin = () => ({ stop: () => Promise.resolve() })
  expect(gatewayReceiver(shards, begin).inEach).toBe(inEach)
})

describe('at the gateway', () => {
  const patience = { timeout: 25_000 }
  let server: DiscordServer
  let opened: Connection[]
  beforeEach(async () => {
    server = await startServer({ shards: 2, maxConcurrency: 16 })
    opened = []
  })
  afterEach(async () => {
    await Promise.all(opened.map(({ platform }) => platform.stop()))
    await server.stop()
  })

  function open(parts: Partial<DiscordParts> = {}): Connection {
    const bot = connection(server.root, token, parts)
    opened.push(bot)
    return bot
  }

  const ask = (term: string) => server.people.slash(ada.id, club.id, 'ask', { term }).message()

  test('as many are opened as Discord advises', async () => {
    await open().platform.start()
    expect(server.shards).toEqual(['0/2', '1/2'])
    expect(textOf(await ask('moon'))).toBe('ask moon')
  })

  test('as many are opened as the operator says', async () => {
    await open({ shards: range(0, 2, 3) }).platform.start()
    expect(server.shards).toEqual(['0/3', '1/3', '2/3'])
    expect(textOf(await ask('moon'))).toBe('ask moon')
  })

  test('each replica receives events of its range, and the first those of private chats', async () => {
    const low = open({ shards: range(0, 1, 4) })
    const high = open({ shards: range(2, 3, 4) })
    await Promise.all([low.platform.start(), high.platform.start()])
    expect(server.shards).toEqual(['0/4', '1/4', '2/4', '3/4'])
    expect(textOf(await ask('moon'))).toBe('ask moon')
    server.people.text(ben.id, server.people.dm(ben.id), '/ask sun')
    await expect.poll(() => [...low.bot.lines, ...high.bot.lines].length, patience).toBe(2)
    const club = shardOf(otterClub.id, 4) < 2 ? low : high
    expect(club.bot.lines).toContain('ask moon')
    expect(low.bot.lines).toContain('ask sun')
  })

  test('a replica is connected once all of its shards are, which connect one after the other', async () => {
    await server.stop()
    server = await startServer({ shards: 2, maxConcurrency: 1 })
    const { platform } = open()
    const starting = platform.start()
    await expect.poll(() => server.shards, patience).toEqual(['0/2'])
    expect(platform.state()).toBe('standby')
    await starting
    expect([server.shards, platform.state()]).toEqual([['0/2', '1/2'], 'connected'])
  })

  test('all sessions that Discord ends are opened again', async () => {
    const { platform, log } = open()
    await platform.start()
    server.invalidateSessions()
    const states = () => log.of('info').filter((line) => line.includes('discord: connection'))
    await expect.poll(() => states().at(-1), patience).toContain('reconnecting')
    await expect.poll(() => platform.state(), patience).toBe('connected')
    expect(server.shards).toEqual(['0/2', '1/2'])
  })
})
