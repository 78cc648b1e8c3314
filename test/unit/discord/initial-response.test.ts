import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { says } from '../core/scripted-bot.ts'
import { type Connection, connection, startServer, textOf } from './discord-chat.ts'

let server: DiscordServer
let relay: Server
let bot: Connection
/** What becomes of the first response to an interaction. */
let mishap: 'lost on the way' | 'its answer is lost' | undefined
beforeEach(async () => {
  server = await startServer()
  relay = createServer(async (request, response) => {
    const befallen = request.url?.includes('/interactions/') ? mishap : undefined
    if (befallen) mishap = undefined
    if (befallen === 'lost on the way') return void request.socket.destroy()
    const { method = 'GET', headers, url } = request
    const answer = await fetch(new URL(server.root).origin + url, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': headers['content-type'] ?? '',
      },
      ...(method !== 'GET' && { body: await text(request) }),
    })
    if (befallen) return void request.socket.destroy()
    const type = answer.headers.get('content-type')
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const { pathname } = new URL(server.root)
  bot = connection(`http://127.0.0.1:${portOf(relay)}${pathname}`)
  await bot.platform.start()
})
/** The port on which a server listens. */
function portOf(listening: Server): number {
  const address = listening.address()
  return typeof address === 'object' && address ? address.port : 0
}

afterEach(async () => {
  await bot.platform.stop()
  relay.closeAllConnections()
  await new Promise((resolve) => relay.close(resolve))
  await server.stop()
})

const ask = () => server.people.slash(ada.id, club.id, 'ask', { term: 'moon' })

test.each(['lost on the way', 'its answer is lost'] as const)(
  'a response arrives once if it is %s',
  async (what) => {
    mishap = what
    expect(textOf(await ask().message())).toBe('ask moon')
    expect(server.people.messages(club.id, ada.id)).toHaveLength(1)
    expect(bot.log.of('error')).toEqual([])
  },
)

test('an answer that was announced goes on where the confirmation of that is lost', async () => {
  mishap = 'its answer is lost'
  bot.times.deferAfterMs = 0
  bot.bot.on('ask moon', async (line) => {
    await expect.poll(() => server.people.messages(club.id, ada.id)).toHaveLength(1)
    return says(line)
  })
  expect(textOf(await ask().message())).toBe('ask moon')
  expect(server.people.messages(club.id, ada.id)).toHaveLength(1)
  expect(bot.log.of('error')).toEqual([])
})
