import { type TestContext, test, vi } from 'vitest'
import { club, ada as discordAda } from '../../sandbox/discord/cast.ts'
import { ada } from '../../sandbox/telegram/cast.ts'
import { Refusal } from '../../sandbox/telegram/params.ts'
import { figures, readiness } from '../e2e/bot-pages.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'

vi.setConfig({ testTimeout: 60_000 })

const patience = { timeout: 30_000 }
const connected = { database: 'ok', telegram: 'connected', discord: 'connected' }

// Each has a bot of its own, and waits while the others do.
async function start({ expect, onTestFinished }: TestContext): Promise<Harness> {
  const harness = await startHarness()
  onTestFinished(() => harness.stop())
  await expect.poll(() => readiness(harness), patience).toMatchObject({ parts: connected })
  return harness
}

/** How many commands came to that on a platform. */
async function counted(harness: Harness, platform: string, outcome: string): Promise<number> {
  const labels = { platform, outcome, command: 'help' }
  return (await figures(harness)).value('gavel_command_duration_seconds_count', labels) ?? 0
}

/** What is logged as the platform begins or ends to refuse. */
const linesOf = (harness: Harness) =>
  harness.bot.logs.flatMap(({ msg = '' }) =>
    /accepts (?:none of )?the bot’s/u.test(msg) ? [msg] : [],
  )

function asksOnTelegram({ telegram }: Harness): void {
  telegram.people.text(ada.id, ada.id, '/help')
}

/** As Telegram refuses all that is sent, for this reason. */
function telegramRefuses({ telegram }: Harness, code: number, description: string): void {
  telegram.fault = (method) =>
    method === 'sendMessage' ? new Refusal(code, description) : undefined
}

test.concurrent('while Telegram refuses whatever the bot sends it is not connected, and no command counts as answered', async (context) => {
  const { expect } = context
  const harness = await start(context)
  telegramRefuses(harness, 400, 'Bad Request: FROZEN_METHOD_INVALID')
  for (const count of [1, 2, 3]) {
    asksOnTelegram(harness)
    await expect
      .poll(() => counted(harness, 'telegram', 'refused by the platform'), patience)
      .toBe(count)
  }
  const parts = { ...connected, telegram: 'refusing' }
  expect(await readiness(harness)).toEqual({ code: 503, status: 'not ready', parts })
  expect(await counted(harness, 'telegram', 'answered')).toBe(0)
  expect(linesOf(harness)).toEqual(['telegram accepts none of the bot’s messages'])
  harness.telegram.fault = () => undefined
  asksOnTelegram(harness)
  await expect
    .poll(() => readiness(harness), patience)
    .toMatchObject({ code: 200, parts: connected })
  await expect.poll(() => counted(harness, 'telegram', 'answered'), patience).toBe(1)
  expect(linesOf(harness)).toEqual([
    'telegram accepts none of the bot’s messages',
    'telegram accepts the bot’s messages again',
  ])
})

test.concurrent('people who can’t be written to change nothing but the outcome of their commands', async (context) => {
  const { expect } = context
  const harness = await start(context)
  telegramRefuses(harness, 403, 'Forbidden: bot was blocked by the user')
  for (const count of [1, 2, 3, 4, 5]) {
    asksOnTelegram(harness)
    await expect
      .poll(() => counted(harness, 'telegram', 'refused by the platform'), patience)
      .toBe(count)
  }
  expect(await readiness(harness)).toEqual({ code: 200, status: 'ready', parts: connected })
  expect(linesOf(harness)).toEqual([])
})

test.concurrent('an answer that Telegram is not there to take has failed', async (context) => {
  const { expect } = context
  const harness = await start(context)
  harness.telegram.fault = (method) => (method === 'sendMessage' ? 'fail' : undefined)
  asksOnTelegram(harness)
  await expect.poll(() => counted(harness, 'telegram', 'failed'), patience).toBe(1)
})

test.concurrent('while Discord refuses whatever the bot answers it is not connected', async (context) => {
  const { expect } = context
  const harness = await start(context)
  const ask = () => harness.discord.people.slash(discordAda.id, club.id, 'help')
  const route = 'POST /interactions/:id/:token/callback'
  harness.discord.faults.set({ match: route, kind: 'status', status: 403 })
  for (const count of [1, 2, 3]) {
    ask()
      .message()
      .catch(() => undefined)
    await expect
      .poll(() => counted(harness, 'discord', 'refused by the platform'), patience)
      .toBe(count)
  }
  const parts = { ...connected, discord: 'refusing' }
  expect(await readiness(harness)).toEqual({ code: 503, status: 'not ready', parts })
  harness.discord.faults.clear()
  await ask().message()
  await expect
    .poll(() => readiness(harness), patience)
    .toMatchObject({ code: 200, parts: connected })
  await expect.poll(() => counted(harness, 'discord', 'answered'), patience).toBe(1)
})
