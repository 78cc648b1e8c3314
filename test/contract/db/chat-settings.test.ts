import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChatSettings } from '../../../src/db/chat-settings.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

const unset = {
  language: undefined,
  seenLanguage: undefined,
  cards: false,
  quiet: undefined,
  zone: 'UTC',
}

test('what a chat sets is there at once, for other processes once they read, and after a restart', async () => {
  const store = await database.open()
  const settings = new ChatSettings(store)
  const other = new ChatSettings(await database.open())
  await settings.load()
  await other.load()
  expect(settings.of('telegram', '-1')).toEqual(unset)
  await settings.set('telegram', '-1', { language: 'es' })
  expect(settings.of('telegram', '-1')).toEqual({ ...unset, language: 'es' })
  expect([settings.of('discord', '-1'), settings.of('telegram', '-2')]).toEqual([unset, unset])
  expect(other.of('telegram', '-1')).toEqual(unset)
  await other.load()
  expect(other.of('telegram', '-1').language).toBe('es')
})

test('a change that was stored late, with a time before the last read, is read', async () => {
  const store = await database.open()
  const settings = new ChatSettings(store)
  await settings.load()
  const late = { chat: '-1', language: 'es', changed_at_ms: Date.now() - 2_000 }
  await store
    .insertInto('chat_settings')
    .values({ platform: 'telegram', ...late })
    .execute()
  await settings.load()
  expect(settings.of('telegram', '-1').language).toBe('es')
})

test('one part is set without the other, and taken back', async () => {
  const settings = new ChatSettings(await database.open())
  await settings.set('discord', '7', { seenLanguage: 'tr' })
  await settings.set('discord', '7', { language: 'ru', cards: true })
  const set = { ...unset, language: 'ru', seenLanguage: 'tr', cards: true }
  expect(settings.of('discord', '7')).toEqual(set)
  await settings.set('discord', '7', { language: undefined })
  expect(settings.of('discord', '7')).toEqual({ ...set, language: undefined })
})

test('a chat that moves to another id keeps its settings', async () => {
  const settings = new ChatSettings(await database.open())
  const quiet = { from: 23, to: 7 }
  await settings.set('telegram', '-1', { language: 'zh-CN', quiet, zone: 'Asia/Tokyo' })
  await settings.move('telegram', '-1', '-1001')
  expect(settings.of('telegram', '-1001')).toMatchObject({ quiet, zone: 'Asia/Tokyo' })
  await settings.set('telegram', '-1001', { quiet: undefined })
  expect(settings.of('telegram', '-1001')).toMatchObject({ quiet: undefined, zone: 'Asia/Tokyo' })
  await settings.move('telegram', '-5', '-1005')
  expect(settings.of('telegram', '-1001').language).toBe('zh-CN')
  expect(settings.of('telegram', '-1005')).toEqual(unset)
})

test('parts that are set at once, or by another replica that has not read the first, are all kept', async () => {
  const settings = new ChatSettings(await database.open())
  const other = new ChatSettings(await database.open())
  await Promise.all([
    settings.set('telegram', '-1', { language: 'es' }),
    settings.set('telegram', '-1', { cards: true }),
    other.set('telegram', '-1', { seenLanguage: 'ru' }),
  ])
  await settings.load()
  expect(settings.of('telegram', '-1')).toEqual({
    ...unset,
    language: 'es',
    seenLanguage: 'ru',
    cards: true,
  })
})

test('a move that is told of twice takes nothing back that was set since', async () => {
  const settings = new ChatSettings(await database.open())
  await settings.set('telegram', '-1', { language: 'es', cards: true })
  await settings.move('telegram', '-1', '-1001')
  await settings.set('telegram', '-1001', { language: 'tr', cards: false })
  await settings.move('telegram', '-1', '-1001')
  expect(settings.of('telegram', '-1001')).toEqual({ ...unset, language: 'tr' })
})

test('whoever sends alerts hears of quiet hours that are over or others, also from another process, and of nothing else', async () => {
  const [heard, heardByOther]: string[][] = [[], []]
  const settings = new ChatSettings(await database.open(), (_, chat) => heard?.push(chat))
  const other = new ChatSettings(await database.open(), (_, chat) => heardByOther?.push(chat))
  await settings.set('telegram', '-1', { quiet: { from: 22, to: 7 } })
  await settings.set('telegram', '-1', { language: 'es' })
  await other.load()
  await settings.load()
  expect([heard, heardByOther]).toEqual([[], []])
  await settings.set('telegram', '-1', { quiet: { from: 22, to: 5 } })
  await settings.set('telegram', '-1', { zone: 'Asia/Tokyo' })
  await settings.set('telegram', '-1', { quiet: undefined })
  await settings.set('telegram', '-1', { zone: 'UTC' })
  expect(heard).toEqual(['-1', '-1', '-1'])
  await other.load()
  await other.load()
  expect(heardByOther).toEqual(['-1'])
})
