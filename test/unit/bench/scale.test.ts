import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { computedTables, installation, polling } from '../../../bench/scale.ts'

test('the page has the tables that are computed today', async () => {
  const page = await readFile(new URL('../../../docs/scale.md', import.meta.url), 'utf8')
  for (const each of computedTables()) expect(page).toContain(each)
  expect(computedTables().join('\n')).not.toContain('NaN')
})

test('an installation of 10,000 chats comes to what was measured', () => {
  const { telegram, discord, shards } = installation(20_000)
  // `npm run bench -- alerts` took 370 s and 205 s, with more commands than people send.
  expect(telegram.lastSeconds / 370).toBeCloseTo(0.94, 1)
  expect(discord.lastSeconds / 205).toBeCloseTo(1, 1)
  expect(shards).toBe(4)
  expect(installation(5_000).shards).toBe(1)
})

test('auctions beyond those that are watched take no requests', () => {
  expect(polling(200_000).requests).toBe(polling(100_000).requests)
  expect(polling(1_000).requests).toBeLessThan(polling(10_000).requests)
})
