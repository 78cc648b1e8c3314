import { expect, test } from 'vitest'
import { maxWithin } from '../../../bench/replicas/edges.ts'
import { statTimes } from '../../../bench/replicas/postgres.ts'
import { type ReplicasReport, replicasMarkdown } from '../../../bench/replicas/report.ts'

test('most within a second is counted over any second, not from the first on', () => {
  expect(maxWithin([], 1000)).toBe(0)
  expect(maxWithin([0, 400, 900, 950, 1000, 1399, 1400, 2500], 1000)).toBe(5)
  expect(maxWithin([0, 1000, 2000], 1000)).toBe(1)
})

test('a process’ times are read whatever its program is called', () => {
  const fields = ['S', '7', ...Array.from({ length: 9 }, () => '0'), '30', '12', '5', '4', '20']
  const stat = `123 (postgres: a) (b) ${fields.join(' ')}\n`
  expect(statTimes(stat)).toEqual([123, 7, 42, 9])
})

const times = { p50: 5, p99: 40 }
const report: ReplicasReport = {
  command: 'npm run bench -- replicas',
  node: '24',
  cores: 2,
  date: '2026-01-01',
  load: 0,
  answers: [
    {
      name: 'SQLite, one process',
      commands: 100,
      rate: 1500,
      ratio: 1.5,
      botsCpu: 400,
      postgresCpu: Number.NaN,
      standInCpu: 200,
      busy: times,
      single: times,
    },
    {
      name: 'PostgreSQL, 1 replica',
      commands: 100,
      rate: 1000,
      ratio: 1,
      botsCpu: 600,
      postgresCpu: 500,
      standInCpu: 200,
      busy: times,
      single: times,
    },
  ],
  subscriptions: 1_000_000,
  stored: [
    { name: 'nothing told', deliveries: 2000, millis: [400, 500, 900], told: [] },
    {
      name: 'two tell',
      deliveries: 2000,
      millis: [1000, 1000],
      told: [
        { deliveries: 30, millis: 2000, longest: 700 },
        { deliveries: 50, millis: 2000, longest: 900 },
        { deliveries: 40, millis: 2000, longest: 100 },
        { deliveries: 40, millis: 2000, longest: 100 },
      ],
    },
  ],
  costs: [
    {
      name: 'SQLite',
      deliveries: 1000,
      millis: 0.5,
      ownCpu: 0.4,
      postgresCpu: Number.NaN,
      statements: 6.125,
    },
  ],
  pacing: [
    { name: 'counted', p50: 0.01, p99: Number.NaN, ownCpu: 0.01, postgresCpu: 0, rate: Number.NaN },
  ],
  edges: [{ name: 'a window', permitted: 30, most: 60 }],
}

test('the tables say how many commands, deliveries and sends there are in a second', () => {
  const page = replicasMarkdown(report)
  expect(page).toContain(
    '| SQLite, one process | 1,500 | **1.50** | 5.00 ms | 40 ms | 5.00 ms | 40 ms | 400 µs | – | 200 µs |',
  )
  expect(page).toContain('| PostgreSQL, 1 replica | 1,000 | **1.00** |')
  expect(page).toContain('| nothing told | 2,000 | 500 ms | **4,000** | – | – |')
  // By all tellers of a round: 80 in the two seconds of each.
  expect(page).toContain('| two tell | 2,000 | 1000 ms | **2,000** | 40 | 900 ms |')
  expect(page).toContain('| 6.1 | 2,000 a second | **67** | **40** |')
  expect(page).toContain('| counted | 0.01 ms | – | 0.01 ms | 0.00 ms | – |')
  expect(page).toContain('| a window | 30 | 60 | **2.00** |')
  expect(page).not.toContain('NaN')
})
