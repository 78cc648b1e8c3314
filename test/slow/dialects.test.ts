import { describe, expect, onTestFinished, test } from 'vitest'
import type { DialectName } from '../../sandbox/api/dialects.ts'
import { truthOf } from '../../sandbox/api/token.ts'
import { startHarness } from '../e2e/harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'
import { runProgram } from '../run-program.ts'
import { falsehood, figureNames, figuresIn } from '../unit/doctor/shown-figures.ts'

/** The lines that the doctor, as operators run it, has to paste. */
async function prescribed(apiUrl: string, key: string): Promise<Record<string, string>> {
  const env = {
    API_BASE_URL: apiUrl,
    API_KEY: key,
    CHAINS: '8453,84532',
    TELEGRAM_TOKEN: '4242:telegram-token-for-tests',
    DATABASE_URL: 'file:no-such-folder/gavel.db',
  }
  const { stdout } = await runProgram(['src/doctor/main.ts', 'api'], env)
  const lines = stdout.split('\n').filter((line) => /^API_[A-Z_]+=/u.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

describe('with the settings that the doctor prints, the bot shows every figure correctly', () => {
  test.each<DialectName>(['statuses', 'everything'])(
    'of an API with the dialect %s',
    async (dialect) => {
      const harness = await startHarness({
        apiServer: { dialect, now: () => Date.now() },
        prepare: prescribed,
      })
      onTestFinished(() => harness.stop())
      const { tokens } = harness.apiServer.world
      const asked = tokens
        .filter(
          ({ chain, status, quirks }) => chain === 8453 && status === 'live' && quirks.size === 0,
        )
        .slice(0, 3)
      expect(asked.length).toBe(3)
      for (const user of [new TelegramUser(harness), new DiscordUser(harness)]) {
        for (const token of asked) {
          await user.says(`/asset ${token.address}`)
          expect(await user.sees(token.address)).toContain('Live')
          // Discord folds no lines: the rest of the figures is behind a button.
          if (user.platform === 'discord') await user.presses('Details')
          const text = await user.sees(token.address, 'Liquidity')
          const told = figuresIn(text.replaceAll(/\*\*/gu, ''))
          expect(Object.keys(told).length, text).toBeGreaterThan(7)
          const wrong = figureNames.flatMap((figure) => {
            const said = told[figure]
            return said === undefined ? [] : (falsehood(figure, said, truthOf(token)) ?? [])
          })
          expect(wrong).toEqual([])
        }
        await user.says('/assets status:live')
        await user.sees('1.', '🟢')
      }
    },
    90_000,
  )
})
