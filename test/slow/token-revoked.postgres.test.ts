import { afterEach, expect, test, vi } from 'vitest'
import { ada } from '../../sandbox/telegram/cast.ts'
import { type Harness, type HarnessOptions, startHarness } from '../e2e/harness.ts'

vi.setConfig({ testTimeout: 90_000 })

const patience = { timeout: 60_000 }
const telegramOnly = { DISCORD_TOKEN: '' }
const discordOnly = { TELEGRAM_TOKEN: '' }
const nobody = async () => undefined

let harness: Harness
afterEach(() => harness?.stop())

/** What each bot says at /readyz, or `gone`. */
function readiness(): Promise<string[]> {
  return Promise.all(
    harness.bots.map(async ({ healthUrl = '' }) => {
      const answer = await fetch(new URL('/readyz', healthUrl)).catch(() => undefined)
      return answer ? `${answer.status}` : 'gone'
    }),
  )
}

const cases: [string, HarnessOptions, (harness: Harness) => Promise<void>, string][] = [
  ['Telegram, polled', { env: telegramOnly }, nobody, 'TELEGRAM_TOKEN'],
  [
    'Telegram, which calls two replicas',
    { replicas: { count: 2 }, env: telegramOnly },
    nobody,
    'TELEGRAM_TOKEN',
  ],
  ['Discord with a gateway that stays open', { env: discordOnly }, nobody, 'DISCORD_TOKEN'],
  [
    'Discord whose gateway closes with 4004',
    { env: discordOnly },
    async ({ discord }) => discord.dropGateway(4004),
    'DISCORD_TOKEN',
  ],
  [
    'Discord, whose gateway one of two replicas has',
    { replicas: { count: 2 }, env: discordOnly },
    nobody,
    'DISCORD_TOKEN',
  ],
  [
    'Telegram, as an answer is sent',
    { replicas: { count: 1 }, env: telegramOnly },
    async ({ telegram }) => void telegram.people.text(ada.id, ada.id, '/help'),
    'TELEGRAM_TOKEN',
  ],
]

test.each(cases)(
  'a token that is revoked while the bot runs ends each process with code 1 and one line that names it: %s',
  async (_, options, act, setting) => {
    harness = await startHarness(options)
    await expect.poll(readiness, patience).toEqual(harness.bots.map(() => '200'))
    harness.telegram.revokeToken()
    harness.discord.revokeToken()
    await act(harness)
    const ends = await Promise.all(harness.bots.map(({ exited }) => exited))
    expect(ends).toEqual(harness.bots.map(() => ({ code: 1, signal: null })))
    for (const { logs } of harness.bots) {
      const lines = logs.filter(({ level }) => level === 'fatal').map(({ msg }) => msg)
      expect(lines).toEqual([expect.stringContaining(setting)])
    }
    expect(await readiness()).toEqual(harness.bots.map(() => 'gone'))
  },
)
