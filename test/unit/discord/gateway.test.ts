import { expect, onTestFinished, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import { createClient, Gateway } from '../../../src/discord/gateway.ts'
import { createLogger } from '../../../src/log.ts'
import { startServer, token } from './discord-chat.ts'

test('private chats are not kept, as a bot may have a million', async () => {
  const server = await startServer()
  const client = createClient({ api: server.root }, undefined)
  const came: string[] = []
  const gateway = new Gateway({
    token,
    log: createLogger('silent', []),
    createClient: () => client,
    onInteraction: ({ channelId }) => came.push(channelId ?? ''),
    onMessage: ({ channelId }) => came.push(channelId),
    onChatChange: () => undefined,
    onState: () => undefined,
    onFatal: () => undefined,
  })
  onTestFinished(async () => {
    await gateway.stop()
    await server.stop()
  })
  await gateway.ready
  await expect.poll(() => client.channels.cache.has(club.id)).toBe(true)
  const before = client.channels.cache.size
  const dms = [ada.id, ben.id].map((person) => server.people.dm(person))
  for (const [index, person] of [ada.id, ben.id].entries())
    server.people.text(person, dms[index] ?? '', 'gm')
  await expect.poll(() => came).toEqual(dms)
  expect(client.channels.cache.size).toBe(before)
})
