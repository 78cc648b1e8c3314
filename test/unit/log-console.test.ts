import { Console } from 'node:console'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLogger, logConsole } from '../../src/log.ts'
import { LogBook } from './core/log-book.ts'

function captured() {
  const book = new LogBook()
  const stream = new PassThrough()
  const console = new Console(stream, stream)
  const process = new EventEmitter()
  process.on('warning', () => stream.write('beside the log'))
  logConsole(createLogger('trace', ['a-key'], book), { console, process })
  return { book, console, process, beside: () => stream.read() }
}

test('what is written to the console is one line of the log each, and nothing beside it', () => {
  const { book, console, beside } = captured()
  console.error('no %s\nleft', 'otters')
  console.warn('few otters')
  console.log('%d otters', 2)
  console.info('an otter')
  console.debug('an otter swims')
  console.trace('an otter dives')
  console.assert(false, 'otters')
  console.table(['otter'])
  expect(book.lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['error', 'no otters\nleft'],
    ['warn', 'few otters'],
    ['debug', '2 otters'],
    ['debug', 'an otter'],
    ['debug', 'an otter swims'],
    ['debug', 'an otter dives'],
    ['warn', 'Assertion failed: otters'],
    ['debug', expect.stringContaining('otter')],
  ])
  expect(beside()).toBeNull()
})

test('an error is logged like any error, and other objects are left out', () => {
  const { book, console } = captured()
  const error = Object.assign(new Error('no a-key'), { code: 'ENOENT', request: 'a letter' })
  console.error('otters:', error, { request: 'a letter' })
  console.error(error)
  const err = { type: 'Error', message: 'no [redacted]', code: 'ENOENT' }
  expect(book.lines).toMatchObject([
    { msg: 'otters:', err },
    { msg: 'written to the console', err },
  ])
  expect(JSON.stringify(book.lines)).not.toMatch(/a letter|a-key/u)
})

test('Node.js’s warnings are logged the same way', () => {
  const { book, process, beside } = captured()
  process.emit('warning', new Error('too many otters'))
  expect(book.lines).toMatchObject([{ level: 'warn', err: { message: 'too many otters' } }])
  expect(beside()).toBeNull()
})
