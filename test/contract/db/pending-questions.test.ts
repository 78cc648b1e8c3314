import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../../src/core/command.ts'
import { PendingQuestions } from '../../../src/db/pending-questions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
let store: Store
let now = 1_000
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

const ada: Context = {
  platform: telegram,
  user: '7',
  chat: '-5',
  ephemeral: false,
  isPrivate: false,
  locale: 'en',
}

test('the last question is found by every replica, for ten minutes, and rows don’t pile up', async () => {
  const [one, other] = [
    new PendingQuestions(store, () => now),
    new PendingQuestions(store, () => now),
  ]
  await one.ask(ada, 'alerts choose price')
  await one.ask(ada, 'alerts choose mcap')
  expect(await other.find(ada)).toEqual({ line: 'alerts choose mcap', isAnswered: false })
  expect(await other.find({ ...ada, chat: '-6' })).toBeUndefined()
  expect(await other.find({ ...ada, user: '8' })).toBeUndefined()
  await one.ask({ ...ada, user: '8' }, 'alerts choose price')
  now += 601
  expect(await other.find(ada)).toBeUndefined()
  await other.ask(ada, 'alerts choose digest')
  expect(await store.selectFrom('pending_questions').select('line').execute()).toEqual([
    { line: 'alerts choose digest' },
  ])
  await one.close(ada)
  expect(await other.find(ada)).toBeUndefined()
})

test('what another process asked, or one that has ended, is closed as the person goes on', async () => {
  const [one, other] = [
    new PendingQuestions(store, () => now),
    new PendingQuestions(store, () => now),
  ]
  await one.ask(ada, 'alerts choose price')
  await other.close(ada)
  expect(await one.find(ada)).toBeUndefined()
})

test('a question that was asked by a clock far ahead is not open for as long, and its row goes', async () => {
  const questions = new PendingQuestions(store, () => now)
  await questions.ask(ada, 'alerts choose price')
  now -= 86_400
  expect(await questions.find(ada)).toBeUndefined()
  await questions.ask({ ...ada, user: '8' }, 'alerts choose mcap')
  expect(await store.selectFrom('pending_questions').select('person').execute()).toEqual([
    { person: '8' },
  ])
})

test('an update that answered a question and comes again answers no other', async () => {
  const questions = new PendingQuestions(store, () => now)
  const answer = { ...ada, update: '1' }
  await questions.ask(ada, 'alerts choose price')
  await questions.answered(answer)
  expect(await questions.find(answer)).toMatchObject({ isAnswered: true })
  expect(await questions.find({ ...ada, update: '2' })).toBeUndefined()
  await questions.close(ada)
  await questions.ask(ada, 'alerts choose mcap')
  expect(await questions.find(answer)).toMatchObject({ isAnswered: true })
  expect(await questions.find({ ...ada, update: '2' })).toMatchObject({ isAnswered: false })
})
