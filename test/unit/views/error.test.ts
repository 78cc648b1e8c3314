import { expect, test } from 'vitest'
import { plainView } from '../../../src/core/catalogue.ts'
import { ApiError, type ApiErrorKind, UserError } from '../../../src/errors.ts'
import { errorView } from '../../../src/views/error.ts'
import { controls } from './shown.ts'

const kinds: [kind: ApiErrorKind, words: string, again: boolean][] = [
  ['unauthorised', 'rejects this bot’s API key', false],
  ['forbidden', 'rejects the request', false],
  ['blocked', 'A firewall in front of the data provider', true],
  ['not-found', 'has nothing at that address', false],
  ['invalid', 'rejected the request', false],
  ['rate-limited', 'Try again in a moment', true],
  ['unavailable', 'Data provider unreachable', true],
  ['malformed', 'I can’t read', true],
]

const secretive = 'GET /assets/0xabc?key=sk-live 503 upstream-7 <html>'

test.each(kinds)(
  'a call that is %s is explained without the details of the log',
  (kind, words, again) => {
    const error = new ApiError(kind, secretive, { status: 503, cause: new Error(secretive) })
    const view = errorView(error, 'asset OTTER', 'abcd1234')
    expect(plainView(view)).toContain(words)
    expect(view.title).not.toEqual([])
    expect(view.tone).toBe('bad')
    expect(JSON.stringify(view)).not.toMatch(/GET|sk-live|upstream|html|503/u)
    expect(controls(view)).toEqual(again ? [['Try again asset OTTER']] : [])
  },
)

test('a UserError is shown as it is', () => {
  expect(errorView(new UserError('Give it once.'), 'x', 'abcd1234')).toEqual({
    title: [],
    tone: 'warn',
    blocks: [{ kind: 'text', spans: ['Give it once.'] }],
  })
})

test.each([new Error(secretive), new TypeError('x is undefined'), 'a text', undefined, null])(
  'any other error gives a reference and no details',
  (error) => {
    const view = errorView(error, 'asset OTTER', 'abcd1234')
    expect(plainView(view)).toContain('abcd1234')
    expect(JSON.stringify(view)).not.toMatch(/GET|sk-live|undefined|a text/u)
    expect(controls(view)).toEqual([['Try again asset OTTER']])
  },
)

test('without a command line there is no button to try again', () => {
  for (const error of [new Error('x'), new ApiError('unavailable', 'x')]) {
    expect(errorView(error, '', 'abcd1234').buttons).toEqual([])
  }
})
