import { padHex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  mayArriveUntil,
  type Payload,
  type Report,
  reportsOf,
  withReport,
  withReportFirst,
} from '../../../src/launch/payload.ts'
import { wallet } from './harness.ts'
import { payloadBody } from './payload-body.ts'

function report(number: number, late?: true): Report {
  const hash = padHex(toHex(number), { size: 32 })
  return { hash, account: wallet, at: number, ...(late && { late }) }
}

/** A payload with these reports, the one that is shown first. */
function reported(...[first, ...others]: Report[]): Payload {
  return {
    ...{ ...payloadBody, id: 'aa', draft: 'bb', state: 'active', linkExpiresAt: 100 },
    ...{ rev: 1, createdAt: 0, updatedAt: 0, reported: first, reportedBefore: others },
  }
}

const inTime = [5, 4, 3, 2, 1].map((number) => report(number))
const late = report(9, true)

describe('a reported transaction', () => {
  test.each<[what: string, before: Report[], next: Report, known: number[], after: number[]]>([
    ['comes first', [report(1)], report(2), [], [2, 1]],
    ['that is late comes behind the first', [report(2), report(1)], late, [], [2, 9, 1]],
    ['that is late comes first where there is none', [], late, [], [9]],
    ['takes the place of the oldest', inTime, report(6), [], [6, 5, 4, 3, 2]],
    ['takes none that the chain knows', inTime, report(6), [1, 2], [6, 5, 4, 2, 1]],
    [
      'takes the oldest if the chain knows all',
      inTime,
      report(6),
      [1, 2, 3, 4, 5],
      [6, 5, 4, 3, 2],
    ],
    [
      'takes a late one’s before any other',
      [report(6), late, ...inTime.slice(2)],
      report(7),
      [],
      [7, 6, 3, 2, 1],
    ],
  ])('%s', (_, before, next, known, after) => {
    const isKnown = (hash: string) => known.some((number) => report(number).hash === hash)
    const payload = withReport(reported(...before), next, isKnown)
    expect(payload && reportsOf(payload).map(({ at }) => at)).toEqual(after)
    expect(payload?.reports).toBe(1)
  })

  test('is stored once, and a late one not at all if the list is full', () => {
    expect(withReport(reported(report(1)), report(1), () => false)).toBeUndefined()
    expect(withReport(reported(...inTime), late, () => false)).toBeUndefined()
  })

  test('that the chain knows comes first, and no longer counts as late', () => {
    const found = withReportFirst(reported(report(2), late), late.hash)
    expect(reportsOf(found)).toEqual([report(9), report(2)])
    const none = reported(report(2))
    expect(withReportFirst(none, late.hash)).toBe(none)
  })

  test('may arrive for two minutes, a late one not at all', () => {
    expect(mayArriveUntil(report(10))).toBe(130)
    expect(mayArriveUntil(report(10, true))).toBe(0)
  })
})
