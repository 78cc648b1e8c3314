import { describe, expect, onTestFinished, test } from 'vitest'
import { type DialectName, dialects } from '../../sandbox/api/dialect.ts'
import { isHostile } from '../../sandbox/api/invent.ts'
import { type Token, truthOf } from '../../sandbox/api/token.ts'
import { unitFields } from '../../src/api/units.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { type ChatUser, DiscordUser, TelegramUser } from '../e2e/users.ts'
import { falsehood, figureNames, figuresIn } from './shown-figures.ts'

async function start(
  chain: number,
  dialect: DialectName,
  env: Record<string, string> = {},
): Promise<Harness> {
  const apiServer = { chains: [chain], dialect, now: () => Date.now() }
  const limits = { COMMANDS_PER_PERSON: '9999', COMMANDS_PER_CHAT: '9999' }
  const harness = await startHarness({
    apiServer,
    env: { CHAINS: String(chain), ...limits, ...env },
  })
  onTestFinished(() => harness.stop())
  return harness
}

/** The figures of a token's card that are not true, and how many it has. */
async function untrue(user: ChatUser, token: Token): Promise<{ wrong: string[]; count: number }> {
  await user.says(`/asset ${token.address}`)
  await user.sees(token.symbol)
  // Discord folds no lines: the rest of the figures is behind a button.
  if (user.platform === 'discord') await user.presses('Details')
  const text = (await user.sees(token.symbol, 'Fees go to')).replaceAll(/\*\*/gu, '')
  const told = figuresIn(text)
  const wrong = figureNames.flatMap((figure) => {
    const said = told[figure]
    const why = said === undefined ? undefined : falsehood(figure, said, truthOf(token))
    return why === undefined ? [] : [`${token.symbol}: ${why}`]
  })
  return { wrong, count: Object.keys(told).length }
}

/** As JSON in a setting: what of a dialect's units has a name there. */
function unitsSetting(name: DialectName): string {
  const { units } = dialects[name]
  return JSON.stringify(Object.fromEntries(unitFields.map((field) => [field, units[field]])))
}

describe('with the settings that fit its API, the bot shows every figure correctly', () => {
  test.each<[DialectName, Record<string, string>]>([
    ['units', { API_UNITS: unitsSetting('units') }],
    ['names', { API_QUERY_NAMES: JSON.stringify(dialects.names.queryNames) }],
    ['statuses', { API_STATUS: 'live=active,graduated=trading,stall=stalled' }],
  ])(
    'of an API with other %s',
    async (dialect, env) => {
      const harness = await start(8453, dialect, env)
      const asked = harness.apiServer.world.tokens
        .filter(({ status, quirks }) => status === 'live' && quirks.size === 0)
        .slice(0, 3)
      expect(asked.length).toBe(3)
      for (const user of [new TelegramUser(harness), new DiscordUser(harness)]) {
        for (const token of asked) {
          const { wrong, count } = await untrue(user, token)
          expect(wrong).toEqual([])
          expect(count).toBeGreaterThan(7)
        }
        await user.says('/assets status:live')
        await user.sees('Live auctions', '1.', '🟢')
      }
    },
    90_000,
  )
})

describe('without any setting but key and chain', () => {
  test('an API that sends little, or nonsense, is shown with the true figures that are left', async () => {
    for (const dialect of ['sparse', 'hostile'] as const) {
      const harness = await start(8453, dialect)
      const user = new TelegramUser(harness)
      const asked = harness.apiServer.world.tokens
        .filter(({ status, quirks }) => status === 'live' && quirks.size === 0)
        .filter(({ address }) => dialect === 'sparse' || isHostile(address))
        .slice(0, 5)
      expect(asked.length).toBeGreaterThan(2)
      for (const token of asked) expect((await untrue(user, token)).wrong).toEqual([])
    }
  }, 90_000)

  test.each([8453, 4663])(
    'the figures of chain %i are right, or left out, also of assets without market data',
    async (chain) => {
      const harness = await start(chain, 'usual')
      const { tokens } = harness.apiServer.world
      const asked = tokens
        .filter(({ status, symbol, quirks }) => {
          const isPlain = /^[A-Z]{2,12}$/u.test(symbol) && !quirks.has('no-auction-pool')
          return (
            status === 'live' &&
            isPlain &&
            tokens.filter((each) => each.symbol === symbol).length === 1
          )
        })
        .slice(0, 24)
      expect(asked.some(({ quirks }) => quirks.has('null-market-data'))).toBe(true)
      expect(asked.some(({ quirks }) => quirks.has('short-alone'))).toBe(true)
      const misread = tokens.filter(({ misreadCap }) => misreadCap !== undefined)
      for (const user of [new TelegramUser(harness), new DiscordUser(harness)]) {
        const seen = new Map<Token, number>()
        for (const token of [...asked, ...misread]) {
          const { wrong, count } = await untrue(user, token)
          expect(wrong).toEqual([])
          seen.set(token, count)
        }
        for (const token of asked) expect([token.symbol, seen.get(token) ?? 0]).not.toContain(0)
      }
    },
    180_000,
  )
})
