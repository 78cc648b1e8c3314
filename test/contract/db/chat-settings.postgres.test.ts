import { expect, test } from 'vitest'
import { ChatSettings } from '../../../src/db/chat-settings.ts'
import { TestDatabase } from '../../database.ts'

test('what is set while older settings are read is not undone by these', async () => {
  const database = await TestDatabase.make()
  try {
    const store = await database.open()
    let meanwhile: (() => Promise<void>) | undefined
    const slow = store.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const [row] = result.rows
        if (row && 'language' in row) {
          const first = meanwhile
          meanwhile = undefined
          await first?.()
        }
        return result
      },
    })
    const settings = new ChatSettings(slow)
    await settings.set('telegram', '-1', { language: 'es' })
    meanwhile = () => settings.set('telegram', '-1', { language: 'tr' })
    await settings.load()
    expect(meanwhile).toBeUndefined()
    expect(settings.of('telegram', '-1').language).toBe('tr')
  } finally {
    await database.remove()
  }
})
