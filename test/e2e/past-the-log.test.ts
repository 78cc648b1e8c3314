import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTown, type Town } from './town.ts'

/** Writes past the log, as a library might. */
const loud = `
  process.once('SIGUSR2', () => {
    process.emitWarning('many otters, and ' + process.env.DISCORD_TOKEN)
    console.error('no otters:', new Error('no ' + process.env.API_KEY))
  })
`

let town: Town
beforeAll(async () => {
  const program = `data:text/javascript,${encodeURIComponent(loud)}`
  town = await startTown({ env: { NODE_OPTIONS: `--import ${program}` } })
})
afterAll(() => town.stop())

test('what is written past the log comes out as lines of the log, without secrets', async () => {
  process.kill(town.bot.pid, 'SIGUSR2')
  const written = () => town.bot.logs.filter((line) => JSON.stringify(line).includes('otters'))
  await expect.poll(() => written().length, { timeout: 20_000 }).toBe(2)
  expect(written()).toMatchObject([
    { level: 'error', msg: 'no otters:', err: { message: 'no [redacted]' } },
    { level: 'warn', err: { message: 'many otters, and [redacted]' } },
  ])
  expect(town.bot.logs.every(({ level }) => level !== undefined)).toBe(true)
})
