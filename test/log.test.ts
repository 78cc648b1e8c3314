import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../src/errors.ts'
import { createLogger, type LogLevel } from '../src/log.ts'

const secrets = ['an-interface-key', '4242:telegram-token', 'discord.token/x+y=']

function logger(level: LogLevel = 'trace', hidden: readonly string[] = secrets) {
  const lines: string[] = []
  return { log: createLogger(level, hidden, { write: (line) => void lines.push(line) }), lines }
}

test('a line is JSON with a level, a time and a message', () => {
  const { log, lines } = logger()
  log.info({ port: 8080 }, 'ready')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
    port: 8080,
    msg: 'ready',
  })
})

test('what is below the level is left out', () => {
  const { log, lines } = logger('warn')
  log.info('no')
  log.warn('yes')
  expect(lines).toHaveLength(1)
  expect(logger('silent').log.isLevelEnabled('fatal')).toBe(false)
})

describe('a secret is struck out', () => {
  test.each(secrets)('%s, wherever it stands', (secret) => {
    const { log, lines } = logger()
    const inner = new Error(`connect to https://api.example/bot${secret}/getMe`)
    const error = new ApiError('unavailable', `key ${secret}`, {
      cause: new Error('outer', { cause: inner }),
    })
    log.error({ err: error }, 'failed')
    log.info(`message ${secret}`)
    log.info({ [secret]: { deep: [{ header: `Bearer ${secret}` }] } }, 'object')
    log.info({ url: `https://api.example/?key=${encodeURIComponent(secret)}` }, 'url')
    log.info({ body: JSON.stringify({ key: secret }) }, 'body')
    log.child({ token: secret }).warn('child')
    log.error(new AggregateError([inner], secret))
    expect(lines).toHaveLength(7)
    for (const line of lines) {
      expect(line).not.toContain(secret)
      expect(line).not.toContain(encodeURIComponent(secret))
      expect(line).toContain('[redacted]')
      expect(() => JSON.parse(line)).not.toThrow()
    }
    expect(lines[0]).toContain('getMe')
  })

  test('also where one begins with another', () => {
    const { log, lines } = logger('info', ['secret-1', 'secret-1-and-more'])
    log.info('secret-1-and-more, secret-1')
    expect(lines[0]).toContain('"msg":"[redacted], [redacted]"')
  })

  test('and an empty one strikes out nothing', () => {
    const { log, lines } = logger('info', [''])
    log.info('ready')
    expect(lines[0]).toContain('"msg":"ready"')
  })

  test('whatever visible characters it is made of', () => {
    const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
    const anySecret = fc.string({ unit: visible, minLength: 12, maxLength: 40 })
    fc.assert(
      fc.property(anySecret, (secret) => {
        const { log, lines } = logger('info', [secret])
        const body = JSON.stringify({ key: secret })
        log.info({ err: new Error(body, { cause: new Error(secret) }), body }, secret)
        log.info({ url: `https://api.example/${encodeURIComponent(secret)}` }, 'x')
        for (const line of lines) {
          for (const text of textsIn(line)) {
            expect(text.replaceAll('\\', '')).not.toContain(secret.replaceAll('\\', ''))
          }
          expect(line).not.toContain(encodeURIComponent(secret))
        }
      }),
      { numRuns: 200 },
    )
  })
})

/** Every text that a reader of a log line gets back out of it. */
function textsIn(line: string): string[] {
  const texts: string[] = []
  JSON.parse(line, (key, value) => {
    texts.push(key)
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts
}
