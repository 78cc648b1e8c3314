import { beforeEach, expect, test } from 'vitest'
import { Acceptance, type Loss, SendError } from '../../../src/core/adapter.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from './log-book.ts'

let book: LogBook
let acceptance: Acceptance
let elapsed = 0
beforeEach(() => {
  elapsed = 0
  book = new LogBook()
  acceptance = new Acceptance('discord', createLogger('info', [], book), () => elapsed)
})

const broken = () => new SendError('broken', { final: false, uncertain: true })

function refuse(error: SendError, times: number): void {
  for (let each = 0; each < times; each += 1) acceptance.refused(error)
}

test('a platform that refuses three messages in a row takes none, until it takes one', () => {
  refuse(broken(), 2)
  expect(acceptance.isRefusing).toBe(false)
  refuse(broken(), 5)
  expect(acceptance.isRefusing).toBe(true)
  acceptance.taken()
  expect(acceptance.isRefusing).toBe(false)
  refuse(broken(), 2)
  expect(acceptance.isRefusing).toBe(false)
  expect(book.lines.map(({ msg }) => msg)).toEqual([
    'discord takes none of the bot’s messages',
    'discord takes the bot’s messages again',
  ])
})

test('only a connection that works can be refusing', () => {
  refuse(broken(), 3)
  const states = ['connected', 'standby', 'reconnecting', 'stopped'] as const
  expect(states.map((state) => acceptance.stateOf(state))).toEqual([
    'refusing',
    'refusing',
    'reconnecting',
    'stopped',
  ])
})

test('two minutes after the last refusal nothing is known any more', () => {
  refuse(broken(), 3)
  elapsed = 100_000
  refuse(broken(), 1)
  elapsed += 119_999
  expect(acceptance.isRefusing).toBe(true)
  elapsed += 1
  expect(acceptance.isRefusing).toBe(false)
})

const loss: Loss = 'blocked'
test.each([
  ['a chat', { final: true, loss }],
  ['a chat that has moved', { final: false, movedTo: '-1001' }],
  ['what a message contains', { final: true }],
  ['how many there are', { final: false, retryAfter: 5 }],
])('refusals that are about %s don’t count', (_, detail) => {
  refuse(new SendError('refused', detail), 10)
  expect(acceptance.isRefusing).toBe(false)
})

test('final refusals for a reason that is not known count', () => {
  refuse(new SendError('refused', { final: true, isUnknown: true }), 3)
  expect(acceptance.isRefusing).toBe(true)
})
