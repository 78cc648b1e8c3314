import { afterEach, beforeEach, expect, test } from 'vitest'
import { BotStartError } from '../../sandbox/bot.ts'
import { startTown, type Town } from './town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown()
})
afterEach(() => town.stop())

test('a second process on one SQLite file is refused, and the next may start when the first was killed', async () => {
  const first = town.bot
  const refused: unknown = await town.startBot().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(BotStartError)
  if (!(refused instanceof BotStartError)) return
  expect(refused.exit).toEqual({ code: 1, signal: null })
  const fatal = refused.output.split('\n').filter((line) => line.includes('"fatal"'))
  expect(fatal).toHaveLength(1)
  expect(fatal[0]).toMatch(
    /Another Gavel uses the database .*gavel\.db\. Stop it; to run several set DATABASE_URL/u,
  )
  expect((await fetch(first.healthUrl ?? '')).status).toBe(200)
  await first.kill()
  await town.startBot()
  expect((await fetch(town.bot.healthUrl ?? '')).status).toBe(200)
})
