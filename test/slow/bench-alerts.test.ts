import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureDelivery, measureMatching } from '../../bench/alerts/benchmark.ts'
import { type AlertsPlan, fullAlerts } from '../../bench/alerts/plan.ts'
import { alertsMarkdown } from '../../bench/alerts/report.ts'

/** As little as goes through every part. */
const smallest: AlertsPlan = {
  ...fullAlerts,
  chats: 4,
  idleSeconds: 1,
  patienceSeconds: 60,
  subscriptions: 4_000,
  rounds: 1,
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-bench-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('every chat is told once, both layouts find the same followers, and the tables say so', {
  timeout: 180_000,
}, async () => {
  const delivery = await measureDelivery(folder, smallest, () => undefined)
  for (const platform of ['telegram', 'discord'] as const) {
    const { chats, messages, refused, latencies } = delivery.delivered[platform]
    expect({ chats, messages, refused }).toEqual({ chats: 4, messages: 4, refused: 0 })
    expect(latencies.length).toBeGreaterThan(0)
  }
  // It refuses to end where the two layouts differ.
  const matching = await measureMatching(folder, smallest)
  const [wide, narrow] = matching.sorts
  expect(wide?.deliveries).toBeGreaterThan(narrow?.deliveries ?? 0)
  const run = { command: 'npm run bench', node: '24', cores: 2, date: '2026-01-01', load: 0 }
  const page = alertsMarkdown({ ...run, subscriptions: 4_000, matching, delivery })
  expect(page).toContain('| Telegram | 4 |')
  expect(page).not.toContain('NaN')
})
