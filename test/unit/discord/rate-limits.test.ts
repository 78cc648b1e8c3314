import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import { crowdOfChannels } from '../../../sandbox/discord/world.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { connection, deferred, limited, startServer, textOf, token } from './discord-chat.ts'

test('background messages during commands all arrive, and none is rejected', async () => {
  const server = await startServer({ rateLimits: true })
  const { platform, bot } = connection(server.root, token, limited)
  await platform.start()
  const asked: Promise<unknown>[] = []
  const sent: Promise<unknown>[] = []
  try {
    bot.on('gm', says('hello'))
    for (const [index, id] of crowdOfChannels(server.world, 100).entries()) {
      for (let wait = platform.msUntilSlot(); wait > 0; wait = platform.msUntilSlot())
        await sleep(wait)
      sent.push(platform.send({ kind: 'chat', id }, viewOf('It is live.'), 'news 1'))
      if (index % 20 === 0) {
        asked.push(server.people.slash(ada.id, club.id, 'ask', { term: 'moon' }).message())
      }
      if (index % 80 === 0) server.people.text(ben.id, server.people.dm(ben.id), 'gm')
    }
    await Promise.all([...sent, ...asked])
    const dm = server.people.dm(ben.id)
    const answered = () =>
      server.people.messages(dm, ben.id).filter((each) => textOf(each) !== 'gm')
    await expect.poll(() => answered().length, { timeout: 30_000 }).toBe(2)
    const { tally } = server.world
    expect([...tally.sent.values()].filter((count) => count === 1)).toHaveLength(100)
    expect(tally.refused).toBe(0)
    expect(platform.gap()).toBeGreaterThan(1)
  } finally {
    await platform.stop()
    await server.stop()
  }
})

test('answers to many interactions at once wait only for Discord’s own limits', async () => {
  const server = await startServer()
  const parts = connection(server.root, token, limited)
  const { platform, log } = parts
  await platform.start()
  try {
    const come = deferred(parts, 'ask moon')
    const asked = Array.from({ length: 60 }, () =>
      server.people.slash(ada.id, club.id, 'ask', { term: 'moon' }),
    )
    await Promise.all(asked.map(({ taken }) => taken))
    come(says('at last'))
    await Promise.all(asked.map((each) => each.message()))
    expect(log.of('debug').filter((line) => line.includes('waiting for a limit'))).toEqual([])
  } finally {
    await platform.stop()
    await server.stop()
  }
})

test.each([
  ['at once that Discord fails to take', 'status', 0],
  ['at once that Discord takes, though the connection breaks', 'reset', 0],
  ['whose deferral Discord fails to take', 'status', 300],
  ['whose deferral Discord takes, though the connection breaks', 'reset', 300],
] as const)('an answer %s comes all the same', async (_, kind, afterMs) => {
  const server = await startServer()
  const { platform, bot, log } = connection(server.root, token, limited)
  await platform.start()
  try {
    bot.on('ask moon', async () => {
      await sleep(afterMs)
      return says('at last')
    })
    const match = 'POST /interactions/:id/:token/callback'
    server.faults.set({ kind, status: 503, match, times: 1 })
    const asked = server.people.slash(ada.id, club.id, 'ask', { term: 'moon' })
    expect(textOf(await asked.message())).toBe('at last')
    const calls = () => server.calls.filter(({ route }) => route.endsWith('/callback'))
    await expect.poll(() => calls().length).toBe(2)
    await platform.stop()
    expect(log.lines.filter((line) => JSON.stringify(line).includes('acknowledged'))).toEqual([])
  } finally {
    await platform.stop()
    await server.stop()
  }
})
