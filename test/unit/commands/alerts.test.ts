import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { discord } from '../../../src/discord/platform.ts'
import { shown } from '../views/shown.ts'
import { ada, opens, otter, Talk } from './alerts-talk.ts'
import { type CommandHarness, startCommands } from './bot.ts'

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

describe('adding by one line', () => {
  test.each([
    ['live', 'Every auction that goes live'],
    [
      'live category:builder-coin chain:base',
      'Every auction that goes live on Base in builder-coin',
    ],
    [
      'incoming creator:0x1111111111111111111111111111111111111111',
      'Every auction that is announced by 0x1111…1111',
    ],
    [
      'graduated numeraire:0x4200000000000000000000000000000000000006 chain:8453',
      'Every auction that graduates on Base sold for WETH',
    ],
    ['progress', '25, 50, 75, 90 and 100 % sold of any auction'],
    ['progress percent:100,50,50%', '50 and 100 % sold of any auction'],
    ['progress percent:50 asset:"Moon Otter"', '50 % sold of Moon Otter on Base'],
    ['ending', '60 minutes before the end of any auction'],
    ['ending minutes:180', '3 hours before the end of any auction'],
    ['ENDING minutes:5', '5 minutes before the end of any auction'],
    [`price asset:${otter}`, 'Moon Otter’s price moves by 10 % on Base'],
    ['price asset:"moon otter" above:1.5e-7', 'Moon Otter’s price rises above $0.00000015 on Base'],
    [
      'mcap asset:"Moon Otter" below:2.5m',
      'Moon Otter’s market cap falls below $2,500,000 on Base',
    ],
    ['mcap asset:"Moon Otter" move:25%', 'Moon Otter’s market cap moves by 25 % on Base'],
    ['digest', 'Daily summary at 09:00, UTC'],
    [
      'digest hour:7 zone:berlin category:product-coin',
      'Daily summary of auctions in product-coin at 07:00, Europe/Berlin',
    ],
    ['digest zone:"New York"', 'Daily summary at 09:00, America/New_York'],
    ['live chain:any category:any', 'Every auction that goes live'],
    ['live category:Builder_Coin', 'Every auction that goes live in builder-coin'],
    ['live category:product', 'Every auction that goes live in product-coin'],
    // Only assets name this one.
    ['live category:game-coin', 'Every auction that goes live in game-coin'],
    ['live category:"GAME COIN"', 'Every auction that goes live in game-coin'],
  ])('alerts add %s', async (words, rule) => {
    const view = await talk.says(`alerts add ${words}`)
    expect(shown(view)).toContain(`${rule}.`)
    expect(await talk.followed()).toEqual([rule])
  })

  test('several kinds go in one line, and what was there is said', async () => {
    await talk.says('alerts add live')
    const view = await talk.says('alerts add graduated,live progress percent:50')
    expect(shown(view)).toEqual([
      '🔔 Followed from now on',
      'Every auction that graduates.',
      '50 % sold of any auction.',
      'Every auction that goes live: was followed already.',
    ])
    expect(await talk.followed()).toHaveLength(3)
  })

  test('a summary in UTC says how to have one’s own hour', async () => {
    expect(shown(await talk.says('alerts add digest')).join()).toContain('zone:Berlin')
    expect(shown(await talk.says('alerts add digest zone:Asia/Tokyo')).join()).not.toContain('UTC')
  })
})

describe('what is refused, and what to do instead', () => {
  test.each([
    ['add lives', 'Did you mean live?'],
    ['add gradated', 'Did you mean graduated?'],
    ['add xyzzy', 'There are: live, incoming'],
    ['add progress percent:25, 50', 'An option has its name before it'],
    ['add progress percent:0', 'percent: "0" does not fit'],
    ['add progress percent:101', 'from 1 to 100'],
    ['add progress percent:half', 'from 1 to 100'],
    [
      `add progress percent:${Array.from({ length: 21 }, (_, index) => index + 1).join()}`,
      '20 at most',
    ],
    ['add ending minutes:4', 'minutes: "4" does not fit'],
    ['add ending minutes:1441', 'from 5 to 1440'],
    ['add ending percent:50', 'percent: goes with progress, not with ending'],
    ['add live minutes:30', 'minutes: goes with ending'],
    ['add live hour:3', 'hour: goes with digest'],
    ['add digest asset:"Moon Otter"', 'asset: does not go with digest'],
    ['add live asset:"Moon Otter" category:builder-coin', 'category: does not go with asset:'],
    ['add price category:game-coin', 'An alert about a price is about one asset'],
    ['add mcap category:game-coin', 'or press Follow on its card'],
    ['add price percent:5', 'percent: goes with progress, not with price'],
    ['add price asset:"Moon Otter" above:1 below:2', 'Give one of above:, below: and move:'],
    ['add price mcap asset:"Moon Otter" above:1', 'one by one'],
    ['add price asset:"Moon Otter" above:0', 'can’t be reached'],
    ['add price asset:"Moon Otter" above:1,000', 'is no amount'],
    ['add price asset:"Moon Otter" above:0.0₆12', '1.5e-7'],
    ['add price asset:"Moon Otter" move:0', 'from 1 to 1000'],
    ['add digest hour:24', 'from 0 to 23'],
    ['add digest zone:Europe/Berln', 'Did you mean Europe/Berlin?'],
    ['add digest zone:+02:00', 'zone: "+02:00" is no time zone. Give'],
    ['add live chain:solana', 'is not a chain of this bot'],
    ['add live category:cats', 'called "cats". There are: builder-coin, product-coin, game-coin'],
    ['add live coins category:game', 'no alerts called "coins"'],
    ['add live asset:0x9999999999999999999999999999999999999999', 'There is no asset'],
    ['add live asset:nothinglikeit', 'is called "nothinglikeit"'],
    ['ad live', 'Did you mean add?'],
    ['mute never', '30m, 8h or 7d'],
    ['mute 0h', '30m, 8h or 7d'],
    ['mute 8h category:builder-coin', 'category: goes with add'],
    ['show', 'by its number'],
    ['show 99', 'There is no alert 99 here. /alerts lists them.'],
    ['remove 99', 'There is no alert 99 here. /alerts lists them.'],
    ['remove #99', 'no longer followed here'],
    ['mute 5', '30m, 8h or 7d'],
    ['change 99 percent:50', 'There is no alert 99 here.'],
    ['in:@otters', 'is no id of a chat'],
  ])('alerts %s', async (words, refusal) => {
    expect(await talk.isRefused(`alerts ${words}`)).toContain(refusal)
    expect(await talk.followed()).toEqual([])
  })

  test('the cap, after which the rest of a line is not followed', async () => {
    await harness.stop()
    harness = await startCommands({ perChat: 2 })
    talk = new Talk(harness)
    const view = await talk.says('alerts add live incoming graduated')
    expect(shown(view).at(-1)).toMatch(/2/u)
    expect(await talk.followed()).toHaveLength(2)
    await talk.isRefused('alerts add digest')
  })
})

describe('a mark that a value is past already', () => {
  test.each([
    ['price', 'above:0.0000000001', 'above that already', 'fallen below and rises again'],
    ['mcap', 'below:900b', 'below that already', 'risen above and falls again'],
  ])('%s %s', async (kind, mark, already, when) => {
    const view = await talk.says(`alerts add ${kind} asset:"Moon Otter" ${mark}`)
    expect(shown(view)[2]).toMatch(
      new RegExp(
        `^It is \\$[\\d.,₀-₉KMB]+ now, ${already}: you hear of it when it has ${when}\\.$`,
        'u',
      ),
    )
    const changed = await talk.says(`alerts change 1 ${mark}`)
    expect(shown(changed).join()).toContain(already)
  })

  test('is not spoken of where it is still to come', async () => {
    const view = await talk.says('alerts add price asset:"Moon Otter" above:900b')
    expect(shown(view)).toHaveLength(2)
  })
})

describe('examples are as they can be typed', () => {
  const lines = ['alerts', 'alerts add', 'alerts choose progress', 'alerts choose price']
  test('on Discord loose words have the name of their option', async () => {
    const onDiscord = new Talk(harness, { ...ada, platform: discord, isPrivate: true })
    for (const line of lines) {
      expect(shown(await onDiscord.says(line)).join('\n')).toContain('/alerts what:add ')
    }
    expect(await onDiscord.isRefused('alerts mute 8h hour:3')).toContain('/alerts what:add live')
    await onDiscord.says('alerts add digest')
    const entry = shown(await onDiscord.says('alerts show 1')).join()
    expect(entry).toContain('/alerts what:change 1 zone:Berlin')
  })

  test('on Telegram they have none', async () => {
    for (const line of lines) {
      expect(shown(await talk.says(line)).join('\n')).toContain('/alerts add ')
    }
  })
})

test('who may not change anything is refused at the first step', async () => {
  const inGroup = new Talk(harness, { ...ada, chat: '-5', ephemeral: false, isPrivate: false })
  expect(shown(await inGroup.says('alerts'))[0]).toBe('🔔 What this chat follows')
  for (const line of ['add', 'choose live', 'mute', 'remove all', 'change 1', 'add live']) {
    expect(await inGroup.isRefused(`alerts ${line}`)).toContain('Only administrators')
  }
})

test('a symbol that several assets have is asked about, and every choice goes on with the same line', async () => {
  const view = await talk.says('alerts add progress percent:50 asset:OTTER')
  const choices = opens(view)
  expect(choices.map(({ label }) => label)).toEqual(['Moon Otter $OTTER', 'Otter Space $OTTER'])
  await talk.says(choices[1]?.run ?? '')
  expect(await talk.followed()).toEqual(['50 % sold of Otter Space on Base'])
})

test('rules are shown with addresses where the interface does not answer', async () => {
  await harness.stop()
  harness = await startCommands({ cacheMs: 1 })
  talk = new Talk(harness)
  await talk.says('alerts add graduated asset:"Moon Otter"')
  harness.upstream.faults.set({ kind: 'status', status: 404 })
  await expect
    .poll(() => talk.followed(), { timeout: 20_000 })
    .toEqual([
      `${otter.slice(0, 6).toLowerCase()}…${otter.slice(-4).toLowerCase()} graduates on Base`,
    ])
})

test.each([
  ['what', 'prog', 'add progress'],
  ['what', '', 'mute 8h'],
  ['zone', 'berlin', 'Europe/Berlin'],
  ['zone', 'new y', 'America/New_York'],
])('%s completes "%s"', async (option, typed, value) => {
  const choices = await harness.bot.complete({ command: 'alerts', option, typed }, ada)
  expect(choices.map((choice) => choice.value)).toContain(value)
  expect(choices.length).toBeLessThanOrEqual(25)
})
