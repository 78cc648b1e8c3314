import { describe, expect, test } from 'vitest'
import { exitCode, printReport, type Report } from '../../src/doctor/report.ts'
import { type Dialect, examine, foreign, speak } from '../unit/doctor/refusing-server.ts'

const requires = { list: ['chain', 'status', 'limit', 'offset'] } as const
const words = { incoming: 'auction_scheduled', live: 'auction_live', graduated: 'migrated' }

/** The pairs that a report would have set, such as API_STATUS live=auction_live. */
function pairsOf({ settings }: Report): string[] {
  return settings.flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/u.exec(line) ?? []
    return value
      .replaceAll(/[{}]/gu, '')
      .split(',')
      .map((pair) => `${name} ${pair}`)
  })
}

describe('an API that takes long for each refusal', () => {
  test('is examined up to a time limit, and what was not examined is listed', async () => {
    const { baseUrl, asked } = await speak({ names: foreign, strict: true, requires })
    const now = () => asked.length * 8000
    const report = await examine(baseUrl, {}, { now, maxMs: 60_000 })
    expect(asked).toHaveLength(8)
    expect(exitCode(report)).toBe(1)
    expect(report.isSettled).toBe(false)
    const text = printReport(report).replace(/\s+/gu, ' ')
    expect(text).toContain('The doctor stopped after 8 questions')
    expect(text).toMatch(/Left unasked: \d+ to \/assets\//u)
    expect(text).toContain('refused with 422: Unprocessable')
    expect(text).toContain('ok reachable yes')
  })

  test('is examined up to a number of requests, and the results so far are reported', async () => {
    const { baseUrl, asked } = await speak()
    const report = await examine(baseUrl, {}, { maxQuestions: 20 })
    expect(asked).toHaveLength(20)
    expect(report.requests).toBe(20)
    expect(report.names.filter(({ verdict }) => verdict === 'ok').length).toBeGreaterThan(3)
    expect(report.sample).toBeDefined()
    expect(report.advice.join(' ')).toContain('The doctor stopped after 20 questions')
  })

  test('is examined completely if there is time', async () => {
    const { baseUrl, asked } = await speak({ names: foreign })
    const report = await examine(baseUrl, {}, { now: () => asked.length * 1000 })
    expect(report).toMatchObject({ isSettled: true })
    expect(report.advice).toEqual([])
  })
})

describe('wherever the doctor stops', () => {
  const names = { status: 'state', limit: 'page_size', creator: 'owner' }
  const dialects: [string, Dialect][] = [
    ['words of their own', { names, words }],
    ['one word for two', { names, words: { ...words, graduated: words.live } }],
  ]

  test.each(dialects)(
    'it proposes and reports nothing that a complete run would not: %s',
    async (_what, dialect) => {
      const { baseUrl } = await speak(dialect)
      const whole = await examine(baseUrl)
      const advised = new Set(pairsOf(whole))
      expect(advised.size).toBeGreaterThan(3)
      expect(whole.calls.filter(({ verdict }) => verdict === 'wrong')).toEqual([])
      let known = 0
      for (let maxQuestions = 1; maxQuestions < whole.requests; maxQuestions += 1) {
        const report = await examine(baseUrl, {}, { maxQuestions })
        const what = `after ${maxQuestions} questions`
        expect(report.requests, what).toBeLessThanOrEqual(maxQuestions)
        const others = pairsOf(report).filter((pair) => !advised.has(pair))
        expect(others, what).toEqual([])
        const blamed = report.calls.filter(({ verdict }) => verdict === 'wrong')
        expect(blamed, what).toEqual([])
        expect(exitCode(report), what).toBe(1)
        // What a round found is not lost in the next, which was cut off.
        const found = report.names.filter(({ verdict }) => verdict !== 'unknown').length
        expect(found, what).toBeGreaterThanOrEqual(known)
        known = found
      }
    },
  )
})
