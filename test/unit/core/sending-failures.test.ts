import { expect, test } from 'vitest'
import { reportingFailure, SendError, sendFailures } from '../../../src/core/adapter.ts'

const failed = (detail: ConstructorParameters<typeof SendError>[1]) => new SendError('no', detail)

const errors: [reason: string, error: unknown][] = [
  ['blocked', failed({ final: true, loss: 'blocked' })],
  ['removed', failed({ final: true, loss: 'removed' })],
  ['gone', failed({ final: true, loss: 'gone' })],
  ['topic-closed', failed({ final: true, loss: 'topic-closed' })],
  ['forbidden', failed({ final: true, loss: 'forbidden' })],
  ['refused', failed({ final: true, isUnknown: true })],
  ['moved', failed({ final: false, movedTo: '-100' })],
  ['limited', failed({ final: false, retryAfter: 3 })],
  ['no-answer', failed({ final: false, uncertain: true })],
  ['unreachable', failed({ final: false })],
]

test.each(errors)('a message that is not sent is reported as %s', async (reason, error) => {
  const reported: string[] = []
  const sending = reportingFailure(Promise.reject(error), (why) => reported.push(why))
  await expect(sending).rejects.toBe(error)
  expect(reported).toEqual([reason])
})

test('every reason is that of some failure, and a message that is sent is not reported', async () => {
  expect(errors.map(([reason]) => reason)).toEqual([...sendFailures])
  const reported: string[] = []
  expect(await reportingFailure(Promise.resolve(1), (why) => reported.push(why))).toBe(1)
  expect(reported).toEqual([])
})
