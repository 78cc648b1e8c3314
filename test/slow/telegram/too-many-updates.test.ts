import { expect, test } from 'vitest'
import { ada, ben } from '../../../sandbox/telegram/cast.ts'
import { startChat } from '../../unit/telegram/telegram-chat.ts'

/** More than the updates that are under way at once. */
const many = 300

test('of a chat with very many waiting messages all are answered, in order, and other chats meanwhile', async () => {
  const { server, bot, sees, botTexts, stop } = await startChat({}, { confirmAfterMs: 300 })
  try {
    const held = Promise.withResolvers<void>()
    bot.on('ask 0', async (line) => {
      await held.promise
      return { view: { title: [line], blocks: [] }, outcome: 'answered' }
    })
    for (let count = 0; count < many; count += 1)
      server.people.text(ben.id, ben.id, `/ask ${count}`)
    server.people.text(ada.id, ada.id, '/ask moon')
    await sees(ada.id, 'ask moon')
    expect(botTexts(ben.id)).toEqual([])
    held.resolve()
    const all = Array.from({ length: many }, (_, count) => `ask ${count}`)
    await expect.poll(() => botTexts(ben.id), { timeout: 20_000 }).toEqual(all)
  } finally {
    await stop()
  }
})
