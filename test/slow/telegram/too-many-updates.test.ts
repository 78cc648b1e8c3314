import { expect, test } from 'vitest'
import { ada, ben } from '../../../sandbox/telegram/cast.ts'
import { later, says } from '../../unit/core/scripted-bot.ts'
import { startChat } from '../../unit/telegram/telegram-chat.ts'

const many = 600
/** More than the updates of all chats that are under way at once. */
const veryMany = 300

test('a chat with very many waiting messages does not hold up the others', async () => {
  const { server, sees, stop } = await startChat({ floodLimits: true }, { confirmAfterMs: 300 })
  try {
    for (let count = 0; count < veryMany; count += 1) {
      server.people.text(ben.id, ben.id, '/ask more')
    }
    server.people.text(ada.id, ada.id, '/ask moon')
    await sees(ada.id, 'ask moon')
  } finally {
    await stop()
  }
})

test('what is too much in one chat is dropped and told once, and the chat is heard again afterwards', async () => {
  const { server, bot, sees, settled, botTexts, stop } = await startChat()
  try {
    const slow = later()
    bot.on('ask slow', slow.script)
    server.people.text(ben.id, ben.id, '/ask slow')
    for (let count = 0; count < many; count += 1) server.people.text(ben.id, ben.id, '/ask more')
    await sees(ben.id, 'That’s a lot at once.')
    await expect.poll(() => server.api.queue.length, { timeout: 20_000 }).toBe(0)
    slow.come(says('at last'))
    await sees(ben.id, 'at last')
    await expect.poll(() => botTexts(ben.id).at(-1), { timeout: 20_000 }).toBe('ask more')
    expect(bot.lines.length).toBeLessThan(many / 10)
    await settled(ben.id)
    const told = botTexts(ben.id).filter((text) => text.startsWith('That’s a lot'))
    expect(told).toHaveLength(1)
    expect(bot.lines.at(-1)).toBe('ask settled')
  } finally {
    await stop()
  }
})
