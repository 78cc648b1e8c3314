import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { ShownCards } from '../../../src/cards/asset-card.ts'
import { discord } from '../../../src/discord/platform.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, dispatch, startCommands } from './bot.ts'
import { ada, Talk } from './talk.ts'

const otter = showcaseAddresses.moonOtter
const group = { ...ada, chat: '-5', isPrivate: false, ephemeral: false } as const
let harness: CommandHarness
let now: number
beforeEach(async () => {
  harness = await startCommands({
    messenger: {
      manages: async () => true,
      title: async () => undefined,
      send: async () => ({ message: '1' }),
    },
  })
  now = 1_000
  harness.services.shownCards = new ShownCards(() => now)
})
afterEach(() => harness.stop())

async function titleOf(text: string, context: Parameters<typeof harness.bot.overheard>[1] = group) {
  const answer = await harness.bot.overheard(text, context)
  return answer && shown(answer.view)[0]
}

describe('cards for what people write in a group', () => {
  test('come only once an administrator turned them on, by a press', async () => {
    expect(await titleOf(otter)).toBeUndefined()
    const talk = new Talk(harness, group)
    const settings = await talk.says('settings')
    expect(shown(settings).join('\n')).toContain('Off')
    const on = await talk.presses(settings, 'Turn cards on')
    expect(controls(on).flat()).toContain('Turn cards off settings cards:off')
    expect(await titleOf(`have you seen ${otter}?`)).toContain('Moon Otter')
    await talk.presses(on, 'Turn cards off')
    now += 60_001
    expect(await titleOf(otter)).toBeUndefined()
  })

  test('come once a minute for each token, by its address or its ticker', async () => {
    await new Talk(harness, group).says('settings cards:on')
    expect(await titleOf(`a ${otter} b`)).toContain('Moon Otter')
    expect(await titleOf(otter.toUpperCase().replace('0X', '0x'))).toBeUndefined()
    expect(await titleOf(otter, { ...group, chat: '-6' })).toBeUndefined()
    now += 60_001
    expect(await titleOf(otter)).toContain('Moon Otter')
  })

  test.each([
    'no token at all',
    '$5 and $100',
    'https://basescan.org/token/0x4200000000000000000000000000000000000006',
    `0x${'ab'.repeat(32)}`,
    '0x00000000000000000000000000000000000000ee',
    '$NOSUCHTICKER',
    `${'a '.repeat(600)} ${otter}`,
  ])('do not come for: %.40s', async (text) => {
    await new Talk(harness, group).says('settings cards:on')
    expect(await titleOf(text)).toBeUndefined()
  })

  test('that a member asks for in a flood are not even looked up, and leave the commands alone', async () => {
    await new Talk(harness, group).says('settings cards:on')
    const bot = dispatch(harness.services, { person: 3, chat: 100 })
    const unknown = Array.from({ length: 20 }, (_, index) => `0x${`${index}`.padStart(40, 'a')}`)
    for (const address of unknown) await bot.overheard(address, group)
    const { requests } = harness.apiServer
    const lookedUp = unknown.filter((address) =>
      requests.some(({ path }) => path.toLowerCase().includes(address)),
    )
    expect(lookedUp).toEqual(unknown.slice(0, 3))
    expect((await bot.answer(bot.parse('assets live'), group)).outcome).toBe('answered')
  })

  test('are offered where the bot can read along alone', async () => {
    const server = new Talk(harness, { ...group, platform: discord })
    expect(controls(await server.says('settings')).join()).not.toContain('cards')
    expect(await server.isRefused('settings cards:"on"')).toContain('groups on Telegram')
    expect(await new Talk(harness).isRefused('settings cards:on')).toContain('groups on Telegram')
  })
})
