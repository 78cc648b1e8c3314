import { describe, expect, test } from 'vitest'
import { ConnectionFault, politeBackoff, secondsUntil } from '../../../src/api/http.ts'
import { ApiError } from '../../../src/errors.ts'

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  test.each([
    ['0', 0],
    [' 120 ', 120],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-5', undefined],
    ['99999999999', undefined],
  ])('%j means %s', (header, seconds) => {
    expect(secondsUntil(header, now)).toBe(seconds)
  })
})

describe('the wait before another attempt', () => {
  const context = (error: Error) => ({
    attempt: 1,
    signal: new AbortController().signal,
    result: { error },
  })

  test('is never shorter than the interface asked for, at each attempt', () => {
    const asked = context(new ApiError('rate-limited', 'slow down', { retryAfter: 3 }))
    const first = politeBackoff().next(asked)
    expect(first.duration).toBeGreaterThanOrEqual(3000)
    expect(first.next(asked).duration).toBeGreaterThanOrEqual(3000)
  })

  test('stays within a second and a half where nothing was asked for', () => {
    let wait = politeBackoff().next(context(new ApiError('unavailable', 'down')))
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(wait.duration).toBeLessThanOrEqual(1500)
      wait = wait.next(context(new ApiError('unavailable', 'down')))
    }
  })
})

describe('a connection fault', () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' })

  test.each([
    ['a refused connection', refused, true],
    ['an unknown host', Object.assign(new Error(), { syscall: 'getaddrinfo' }), true],
    [
      'a connection not made in time',
      Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
      true,
    ],
    ['every address refusing', new AggregateError([refused, refused]), true],
    ['one address failing later', new AggregateError([refused, reset]), false],
    ['a reset', reset, false],
    ['something thrown that is no error', 'oops', false],
  ])('knows of %s whether the request can have arrived', (_what, error, neverSent) => {
    expect(new ConnectionFault(error).neverSent).toBe(neverSent)
  })
})
