import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { createLogger, type LogLevel } from '../../src/log.ts'

const secrets = ['an-api-key', '4242:telegram-token', 'discord.token/x+y=']

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

test('what others wrote stays in one line, with nothing that a terminal acts on, and has an end', () => {
  const { log, lines } = logger()
  const text = 'a\n\u001b[31mb\u009b2Jc\u007f\u202ed\u2028e\u2066f'
  log.info({ title: text, err: new Error(`${text}${'x'.repeat(100_000)}`) }, text)
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
  expect(lines[0]?.length).toBeLessThan(20_000)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ title: text, msg: text })
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

  test('even if one begins with another', () => {
    const { log, lines } = logger('info', ['secret-1', 'secret-1-and-more'])
    log.info('secret-1-and-more, secret-1')
    expect(lines[0]).toContain('"msg":"[redacted], [redacted]"')
  })

  test('where a long error is cut, too', () => {
    const secret = 'a-secret-of-thirty-characters!'
    const { log, lines } = logger('info', [secret])
    for (let before = 7_960; before < 8_010; before += 1) {
      log.info({ err: new Error(`${'x'.repeat(before)} key=${secret} and so on`) }, 'failed')
    }
    expect(lines.join()).not.toContain(secret.slice(0, 8))
  })

  test('an empty one strikes out nothing', () => {
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

describe('a logged error', () => {
  const link = 'QY3bZ0tW7mXnR2cV5kLp8sDf1gHj4aEu'

  function logged(err: unknown): string {
    const { log, lines } = logger()
    log.error({ err }, 'failed')
    return lines.join()
  }

  test('has its message and causes, without the request', () => {
    const sent = {
      payload: { text: 'Sign it' },
      requestBody: { json: 'Sign it' },
      url: 'x',
      headers: ['Sign it'],
    }
    const inner = Object.assign(new Error('reset'), {
      code: 'ECONNRESET',
      syscall: 'read',
      ...sent,
    })
    const middle = Object.assign(new Error('call failed'), { error: inner, status: 500, ...sent })
    const outer = Object.assign(new TypeError('not sent', { cause: middle }), {
      kind: 'odd',
      ...sent,
    })
    const line = logged(outer)
    expect(line).not.toContain('Sign it')
    expect(JSON.parse(line).err).toMatchObject({
      type: 'TypeError',
      message: 'not sent',
      stack: expect.stringContaining('log.test.ts'),
      kind: 'odd',
      cause: {
        type: 'Error',
        message: 'call failed',
        status: 500,
        cause: { message: 'reset', code: 'ECONNRESET', syscall: 'read' },
      },
    })
  })

  test('includes the errors of an AggregateError, and ends if it contains itself', () => {
    const circle = new Error('round')
    circle.cause = new AggregateError([circle, circle, new Error('other')], 'several')
    const line = logged(circle)
    expect(line).toContain('other')
    expect(line.length).toBeLessThan(1_000_000)
  })

  test.each([
    ['a text', 'no list', 'no list'],
    ['an object', { payload: 'Sign it' }, { type: 'object' }],
    ['nothing', undefined, undefined],
  ])('that is %s is logged in a few words', (_, err, shown) => {
    expect(JSON.parse(logged(err)).err).toEqual(shown)
  })

  test('says no account, transaction or calldata: they may be somebody’s', () => {
    const { log, lines } = logger()
    const account = '0x52908400098527886E0F7030069857D2E4169EE7'
    const data = `0x${'ab'.repeat(300)}`
    const cause = new Error(`from: ${account}\ndata: ${data}`)
    log.warn({ err: new Error(`${account} can’t pay`, { cause }) }, 'a payload is not rehearsed')
    log.warn({ err: `not ${account}` }, 'a payload is not rehearsed')
    expect(lines.join()).toContain('0x5290…')
    expect(lines.join()).not.toContain(account)
    expect(lines.join()).not.toContain('abababababab')
  })

  test('a code or method that is no string is left out', () => {
    const line = logged(
      Object.assign(new Error('x'), { code: { deep: 'Sign it' }, method: ['Sign it'] }),
    )
    expect(line).not.toContain('Sign it')
  })

  test.each([
    [`https://gavel.example/s/${link}/request`, 'https://gavel.example/s/[redacted]/request'],
    [`https%3A%2F%2Fgavel.example%2Fs%2F${link}`, 'https%3A%2F%2Fgavel.example%2Fs%2F[redacted]'],
    [
      `https://own.example/sign?token=${link}&chain=1`,
      'https://own.example/sign?token=[redacted]&chain=1',
    ],
    [`https://own.example/#${link}`, 'https://own.example/#[redacted]'],
    [
      'https://discord.example/api/v10/webhooks/12/aW50-token_x/messages/@original',
      'https://discord.example/api/v10/webhooks/12/[redacted]/messages/@original',
    ],
    ['/interactions/12/aW50ZXJhY3Rpb246/callback', '/interactions/12/[redacted]/callback'],
    [
      'https://api.example/bot123456789:AAE-abcdefghijklmnopqrstuvwxyz012345/getMe',
      'https://api.example/[redacted]/getMe',
    ],
    [
      'Bot MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789AB',
      'Bot [redacted]',
    ],
    [
      'GET https://api.example/v1/assets/?chain=8453 503',
      'GET https://api.example/v1/assets/?chain=8453 503',
    ],
  ])('%s is logged as %s, wherever it is', (told, shown) => {
    const { log, lines } = logger()
    log.warn(
      {
        err: new Error(told, { cause: new Error(told) }),
        url: told,
        body: JSON.stringify({ told }),
      },
      told,
    )
    const { msg, url, body, err } = JSON.parse(lines[0] ?? '')
    expect([msg, url, JSON.parse(body).told, err.message, err.cause.message]).toEqual(
      Array(5).fill(shown),
    )
    expect(err.stack).toContain(shown)
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
