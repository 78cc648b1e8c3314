import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QueueOutage } from '../../../src/jobs/pg-boss.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../core/log-book.ts'

const fault = new Error('connect ECONNREFUSED')

let log: LogBook
let isReachable: boolean
let asked: number
let outage: QueueOutage
beforeEach(() => {
  log = new LogBook()
  isReachable = false
  asked = 0
  const ask = async () => {
    asked += 1
    if (!isReachable) throw fault
  }
  outage = new QueueOutage({ ask, log: createLogger('debug', [], log), askEvery: 5 })
})
afterEach(() => outage.stop())

const said = () => log.lines.filter(({ level }) => level !== 'debug')
const messages = () => said().map(({ msg }) => msg)
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 })

test('an outage is logged when it begins and when it ends, without a stack', async () => {
  for (let each = 0; each < 10; each += 1) outage.failed(fault)
  await eventually(() => expect(asked).toBeGreaterThan(3))
  outage.failed(fault)
  expect(messages()).toEqual(['the queue can’t reach its jobs'])
  expect(said()[0]).toMatchObject({ level: 'error', reason: 'connect ECONNREFUSED' })
  isReachable = true
  await eventually(() => expect(messages().at(-1)).toBe('the queue reaches its jobs again'))
  expect(JSON.stringify(said())).not.toContain('"stack"')
  outage.failed(fault)
  expect(messages()).toHaveLength(3)
})

test('each error is logged at debug, with its stack', () => {
  for (let each = 0; each < 3; each += 1) outage.failed(fault)
  const details = log.of('debug')
  expect(details).toHaveLength(3)
  expect(details.every((line) => line.includes('"stack"'))).toBe(true)
})
