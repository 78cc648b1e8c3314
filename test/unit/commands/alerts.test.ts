import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { kinds, kindsWhere } from '../../../src/alerts/kinds/list.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { discord } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { tokenLabel } from '../../../src/views/token.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, lineOf, opens, otter, Talk, typable } from './talk.ts'

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

describe('a line that its platform brings twice, as the process died before it was confirmed', () => {
  beforeEach(async () => {
    await talk.says('alerts add live graduated ending progress')
  })

  test.each([
    `add price asset:${otter}`,
    'mute on',
    'remove 2',
    'remove all sure',
    'change 4 percent:50',
    'remove #ID',
  ])('%s is done once', async (typed) => {
    const line = `alerts ${typed.replace('#ID', await talk.firstId())}`
    const sent = new Talk(harness, { ...ada, update: '100' })
    await sent.says(line)
    const after = await talk.followed()
    expect(await sent.isRefused(line)).toContain('Already done')
    expect(await talk.followed()).toEqual(after)
  })

  test('is done once also if the chat was changed as often as there may be unconfirmed updates since', async () => {
    const sent = (update: number) => new Talk(harness, { ...ada, update: `4200000${update}` })
    await sent(100).says('alerts remove 1')
    for (let update = 101; update < 200; update += 1) await sent(update).says('alerts unmute')
    expect(await sent(100).isRefused('alerts remove 1')).toContain('Already done')
  })

  test('that added an alert does not bring it back after it was removed', async () => {
    const sent = (update: string) => new Talk(harness, { ...ada, update })
    await sent('100').says(`alerts add price asset:${otter}`)
    const { length } = await talk.followed()
    await sent('101').says(`alerts remove ${length}`)
    expect(await sent('100').isRefused(`alerts add price asset:${otter}`)).toContain('Already done')
    expect(await sent('101').isRefused(`alerts remove ${length}`)).toContain('Already done')
    expect(await talk.followed()).toHaveLength(length - 1)
  })

  test('is another one if somebody sends it again', async () => {
    for (const update of ['100', '101']) {
      await new Talk(harness, { ...ada, update }).says('alerts remove 2')
    }
    expect(await talk.followed()).toHaveLength(2)
  })
})

describe('adding by one line', () => {
  test.each([
    ['live', 'Any auction goes live'],
    ['live category:builder-coin chain:base', 'Any auction goes live · Base · builder-coin'],
    [
      'incoming creator:0x1111111111111111111111111111111111111111',
      'Any auction is announced · creator 0x1111…1111',
    ],
    [
      'upcoming creator:0x1111111111111111111111111111111111111111',
      'Any auction is announced · creator 0x1111…1111',
    ],
    [
      'graduated numeraire:0x4200000000000000000000000000000000000006 chain:8453',
      'Any auction graduates · Base · quote token WETH',
    ],
    ['progress', 'Any auction reaches 25%, 50%, 75%, 90% and 100% sold'],
    ['progress percent:100,50,50%', 'Any auction reaches 50% and 100% sold'],
    ['progress percent:50 asset:"Moon Otter"', 'Moon Otter reaches 50% sold · Base'],
    ['ending', '1 h before any auction ends'],
    ['ending minutes:180', '3 h before any auction ends'],
    ['ENDING minutes:5', '5 min before any auction ends'],
    [`price asset:${otter}`, 'Moon Otter’s price moves 10% · Base'],
    ['price asset:"moon otter" above:1.5e-7', 'Moon Otter’s price rises above $0.00000015 · Base'],
    ['mcap asset:"Moon Otter" below:2.5m', 'Moon Otter’s market cap falls below $2,500,000 · Base'],
    ['mcap asset:"Moon Otter" move:25%', 'Moon Otter’s market cap moves 25% · Base'],
    ['digest', 'Daily summary at 09:00, UTC'],
    [
      'digest hour:7 zone:berlin category:product-coin',
      'Daily summary at 07:00, Europe/Berlin · product-coin',
    ],
    ['digest zone:"New York"', 'Daily summary at 09:00, America/New_York'],
    ['live name:Otter chain:base', 'Any auction goes live · Base · named “otter”'],
    ['progress percent:50 name:"moon o"', 'Any auction reaches 50% sold · named “moon o”'],
    ['digest name:cat', 'Daily summary at 09:00, UTC · named “cat”'],
    ['live chain:any category:any', 'Any auction goes live'],
    ['live category:Builder_Coin', 'Any auction goes live · builder-coin'],
    ['live category:product', 'Any auction goes live · product-coin'],
    // Only assets name this one.
    ['live category:game-coin', 'Any auction goes live · game-coin'],
    ['live category:"GAME COIN"', 'Any auction goes live · game-coin'],
  ])('alerts add %s', async (words, rule) => {
    const view = await talk.says(`alerts add ${words}`)
    expect(shown(view)).toContain(rule)
    expect(await talk.followed()).toEqual([rule])
  })

  test('several kinds go in one line, and what was there is said', async () => {
    await talk.says('alerts add live')
    const view = await talk.says('alerts add graduated,live progress percent:50')
    expect(shown(view)).toEqual([
      '✅ 2 alerts added',
      'Any auction graduates',
      'Any auction reaches 50% sold',
      'Any auction goes live (already there)',
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
    ['add xyzzy', 'Use: live, upcoming'],
    ['add progress percent:25, 50', 'Options need their name'],
    ['add progress percent:0', 'percent: “0” doesn’t fit'],
    ['add progress percent:101', 'from 1 to 100'],
    ['add progress percent:half', 'from 1 to 100'],
    [
      `add progress percent:${Array.from({ length: 21 }, (_, index) => index + 1).join()}`,
      'the maximum is 20',
    ],
    ['add ending minutes:4', 'minutes: “4” is not a whole number'],
    ['add ending minutes:1441', 'from 5 to 1,440'],
    ['add ending percent:50', 'percent: only works with progress, not with ending'],
    ['add live minutes:30', 'minutes: only works with ending'],
    ['add live hour:3', 'hour: only works with digest'],
    ['add digest asset:"Moon Otter"', 'asset: doesn’t work with digest'],
    ['add live asset:"Moon Otter" name:otter', 'name: doesn’t work with asset:'],
    ['add live asset:"Moon Otter" category:builder-coin', 'category: doesn’t work with asset:'],
    ['add price category:game-coin', 'A price alert is for one token'],
    ['add mcap category:game-coin', 'or tap 🔔 Alerts on its card'],
    ['add price percent:5', 'percent: only works with progress, not with price'],
    ['add price asset:"Moon Otter" above:1 below:2', 'Use only one of above:, below: or move:'],
    ['add price mcap asset:"Moon Otter" above:1', 'one by one'],
    ['add price asset:"Moon Otter" above:0', 'can’t be reached'],
    ['add price asset:"Moon Otter" above:1,000', 'two ways'],
    ['add price asset:"Moon Otter" above:0.0₆12', '1.5e-7'],
    ['add price asset:"Moon Otter" move:0', 'from 1 to 1,000'],
    ['add digest hour:24', 'from 0 to 23'],
    ['add digest zone:Europe/Berln', 'Did you mean Europe/Berlin?'],
    ['add digest zone:+02:00', 'zone: Unknown time zone “+02:00”. Use a city'],
    ['add live chain:solana', 'isn’t a chain this bot supports'],
    [
      'add live category:cats',
      'Unknown category “cats”. Use builder-coin, product-coin, game-coin',
    ],
    ['add live coins category:game', 'Unknown alert “coins”'],
    ['add live asset:0x9999999999999999999999999999999999999999', 'There is no token'],
    ['add live asset:nothinglikeit', 'called “nothinglikeit”'],
    ['ad live', 'Did you mean add?'],
    ['mute never', '30m, 8h or 7d'],
    ['mute 0h', '30m, 8h or 7d'],
    ['mute 8h category:builder-coin', 'category: only works with add'],
    ['show', 'Give its number from /alerts'],
    ['show 99', 'There is no alert 99 here. See /alerts'],
    ['remove 99', 'There is no alert 99 here. See /alerts'],
    ['remove #99', 'This alert is already gone'],
    ['mute 5', '30m, 8h or 7d'],
    ['change 99 percent:50', 'There is no alert 99 here.'],
    ['in:@otters', 'isn’t a chat ID'],
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
    ['price', 'above:0.0000000001', 'already above', 'falls below and rises above again'],
    ['mcap', 'below:900b', 'already below', 'rises above and falls below again'],
  ])('%s %s', async (kind, mark, already, when) => {
    const view = await talk.says(`alerts add ${kind} asset:"Moon Otter" ${mark}`)
    expect(shown(view)[2]).toMatch(
      new RegExp(
        `^Now \\$[\\d.,₀-₉KMB]+: ${already}\\. You’ll get an alert when it ${when}\\.$`,
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

test('a figure that is not known now is said to be so, for it may stay silent', async () => {
  await harness.stop()
  const priceless = ['pool_current_sqrt_price', 'pool_market_data', 'pool_current_price']
  harness = await startCommands({
    apiServer: {
      rewrite: (asset) =>
        JSON.parse(
          JSON.stringify(asset, (field, value) => (priceless.includes(field) ? undefined : value)),
        ),
    },
  })
  talk = new Talk(harness)
  for (const setting of ['above:900b', 'move:5']) {
    const view = await talk.says(`alerts add price asset:"Moon Otter" ${setting}`)
    expect(shown(view)[2]).toBe('Price isn’t known right now. Alerts can start once it is.')
  }
})

describe('examples are as they can be typed', () => {
  const lines = ['alerts', 'alerts add', 'alerts choose live', 'alerts choose price']
  test('on Discord they are the value of one option', async () => {
    const onDiscord = new Talk(harness, { ...ada, platform: discord, isPrivate: true })
    for (const line of lines) {
      expect(shown(await onDiscord.says(line)).join('\n')).toContain('/alerts do:add ')
    }
    expect(await onDiscord.isRefused('alerts mute 8h hour:3')).toContain('/alerts do:add live')
    await onDiscord.says('alerts add digest')
    const entry = shown(await onDiscord.says('alerts show 1')).join()
    expect(entry).toContain('/alerts do:change 1 zone:Berlin')
  })

  test('on Telegram they have none', async () => {
    for (const line of lines) {
      expect(shown(await talk.says(line)).join('\n')).toContain('/alerts add ')
    }
  })
})

test('who may not change anything is refused at the first step', async () => {
  const inGroup = new Talk(harness, {
    ...ada,
    chat: '-5',
    ephemeral: false,
    isPrivate: false,
    locale: 'en',
  })
  expect(shown(await inGroup.says('alerts'))[0]).toBe('🔔 Alerts in this chat')
  for (const line of ['add', 'choose live', 'mute', 'remove all', 'change 1', 'add live']) {
    expect(await inGroup.isRefused(`alerts ${line}`)).toContain('Only administrators')
  }
})

test('a symbol that several assets have is asked about, and every choice goes on with the same line', async () => {
  const view = await talk.says('alerts add progress percent:50 asset:OTTER')
  const choices = opens(view)
  expect(choices.map(({ label }) => label)).toEqual(['Moon Otter $OTTER', 'Otter Space $OTTER'])
  await talk.says(choices[1]?.line ?? '')
  expect(await talk.followed()).toEqual(['Otter Space reaches 50% sold · Base'])
})

test('rules are shown with addresses where the API does not answer', async () => {
  await harness.stop()
  harness = await startCommands({ cacheMs: 0 })
  talk = new Talk(harness)
  await talk.says('alerts add graduated asset:"Moon Otter"')
  harness.apiServer.faults.set({ kind: 'status', status: 404 })
  await expect
    .poll(() => talk.followed(), { timeout: 20_000 })
    .toEqual([
      `${otter.slice(0, 6).toLowerCase()}…${otter.slice(-4).toLowerCase()} graduates · Base`,
    ])
})

test.each([
  ['do', 'prog', 'add progress'],
  ['do', '', 'mute 8h'],
  ['zone', 'berlin', 'Europe/Berlin'],
  ['zone', 'new y', 'America/New_York'],
])('%s completes "%s"', async (option, typed, value) => {
  const choices = await harness.bot.complete({ command: 'alerts', option, typed }, ada)
  expect(choices.map((choice) => choice.value)).toContain(value)
  expect(choices.length).toBeLessThanOrEqual(25)
})

describe('adding by buttons', () => {
  test('leads from the list to a kind, to how, and says the rule before and after', async () => {
    const offered = await talk.presses(await talk.says('alerts'), 'Add')
    const how = await talk.presses(offered, '📈 Progress')
    expect(shown(how)).toContain('50%, 100%: Any auction reaches 50% and 100% sold')
    const done = await talk.presses(how, '50%, 100%')
    expect(shown(done)).toContain('Any auction reaches 50% and 100% sold')
    await talk.presses(done, '◀ All alerts')
    expect(await talk.followed()).toEqual(['Any auction reaches 50% and 100% sold'])
  })

  test('every kind has usual settings, each of which does what it says', async () => {
    const offered = await talk.says('alerts add')
    // Those of one asset ask for it first.
    for (const id of kindsWhere(({ assets }) => assets !== 'one')) {
      const how = await talk.presses(offered, plainText(kinds[id].label))
      const [presets = []] = how.buttons ?? []
      const fields = how.blocks.flatMap((block) => (block.kind === 'fields' ? block.fields : []))
      const explained = new Map(
        fields.map(([label, text]) => [plainText(label).slice(0, -1), plainText(text)]),
      )
      for (const { label } of presets) {
        await talk.presses(how, plainText(label))
        const followed = await talk.followed()
        // What the button's label doesn't say is explained, and nothing is said twice.
        const isSaid = followed.join().includes(plainText(label))
        expect(followed).toEqual([isSaid ? expect.any(String) : explained.get(plainText(label))])
        expect(explained.has(plainText(label))).toBe(!isSaid)
        await talk.says('alerts remove all sure')
      }
    }
  })

  test('a price needs an asset, and leads there', async () => {
    const offered = await talk.says('alerts add')
    const view = await talk.presses(offered, '💲 Price')
    expect(shown(view).join()).toContain('tap 🔔 Alerts')
    const [first] = (view.buttons ?? []).flat()
    const one = await talk.presses(view, first?.label ?? '')
    expect(shown(one)[0]).toBe(`💲 Price: ${first?.label.replace(/ \$.*$/u, '')} · Base`)
    expect(shown(await talk.presses(view, '◀ Back'))).toEqual(shown(offered))
    const known = await talk.says(`alerts choose price asset:${otter}`)
    const panel = await talk.presses(known, '◀ Back')
    expect(shown(panel)[0]).toBe('🔕 Moon Otter $OTTER')
    // Its buttons say enough below the current price; changes and values have rows of their own.
    expect(shown(known).join()).not.toContain('price moves')
    expect(shown(known).join()).not.toContain('price rises')
    expect(known.buttons?.map((row) => row.length)).toEqual([4, 2, 2, 1])
    await talk.presses(known, '25%')
    expect(await talk.followed()).toEqual(['Moon Otter’s price moves 25% · Base'])
  })
})

describe('one rule', () => {
  test('is shown, changed by a button or by words, and removed', async () => {
    await talk.says('alerts add progress asset:"Moon Otter"')
    const open = async () => {
      const view = await talk.says('alerts')
      return talk.says(opens(view)[0]?.line ?? '')
    }
    const how = await talk.presses(await open(), 'Change')
    expect(shown(how)).toContain('Moon Otter reaches 25%, 50%, 75%, 90% and 100% sold · Base')
    await talk.presses(how, '100%')
    expect(await talk.followed()).toEqual(['Moon Otter reaches 100% sold · Base'])
    const id = await talk.firstId()
    await talk.says(`alerts change ${id} percent:10,20`)
    expect(await talk.followed()).toEqual(['Moon Otter reaches 10% and 20% sold · Base'])
    await talk.presses(await open(), 'Remove')
    expect(await talk.followed()).toEqual([])
  })

  test.each([
    ['digest hour:7 zone:Tokyo', '12:00', 'Daily summary at 12:00, Asia/Tokyo'],
    [
      'live category:builder-coin chain:base',
      'product-coin',
      'Any auction goes live · Base · product-coin',
    ],
    ['live category:builder-coin chain:base', 'Any auction', 'Any auction goes live'],
    ['price asset:"Moon Otter" above:2', '5%', 'Moon Otter’s price moves 5% · Base'],
    ['ending chain:base minutes:30', '15 min', '15 min before any auction ends · Base'],
  ])('%s, changed by %s', async (words, label, rule) => {
    await talk.says(`alerts add ${words}`)
    const id = await talk.firstId()
    const how = await talk.says(`alerts change ${id}`)
    expect(shown(how)).toContain((await talk.followed())[0])
    await talk.presses(how, label)
    expect(await talk.followed()).toEqual([rule])
  })

  test('that happens once leaves nothing to change', async () => {
    await talk.says('alerts add graduated asset:"Moon Otter"')
    const id = await talk.firstId()
    expect(controls(await talk.says(`alerts show ${id}`)).join()).not.toContain('Change')
  })

  test('can’t be changed into what does not go with it', async () => {
    await talk.says('alerts add digest')
    const id = await talk.firstId()
    expect(await talk.isRefused(`alerts change ${id} percent:50`)).toContain(
      'percent: only works with',
    )
    expect(await talk.isRefused(`alerts change ${id} asset:"Moon Otter"`)).toContain(
      'doesn’t work with digest',
    )
  })
})

describe('muting', () => {
  test('is chosen, shown and ended', async () => {
    await talk.says('alerts add live')
    const choices = await talk.presses(await talk.says('alerts'), 'Mute')
    const muted = await talk.presses(choices, '8 h')
    expect(shown(muted).join('\n')).toMatch(/🔕 Muted until \d{4}-/u)
    expect(shown(await talk.presses(muted, 'Unmute')).join('\n')).not.toContain('Muted')
    const endless = await talk.presses(choices, 'Until unmuted')
    expect(shown(endless).join('\n')).toContain('Muted until someone unmutes')
  })

  test.each(['30m', '8h', '8 h', '7d', 'on'])('alerts mute %s', async (words) => {
    expect(shown(await talk.says(`alerts mute ${words}`)).join('\n')).toContain('🔕 Muted')
  })
})

describe('numbers', () => {
  test('that people type are those of the list', async () => {
    await talk.says('alerts add live')
    await talk.says('alerts add incoming')
    await talk.says('alerts remove 1')
    await talk.says('alerts add graduated')
    const shownFirst = await talk.followed()
    await talk.says('alerts remove 2')
    expect(await talk.followed()).toEqual(shownFirst.slice(0, 1))
    expect(shown(await talk.says('alerts show 1'))).toContain(shownFirst[0])
    await talk.says('alerts change 1 category:builder-coin')
    expect(await talk.followed()).toEqual([`${shownFirst[0]} · builder-coin`])
  })

  test('of buttons stay with their alert, however old the list is', async () => {
    await talk.says('alerts add live incoming')
    const old = opens(await talk.says('alerts'))
    const entry = await talk.says(old[0]?.line ?? '')
    await talk.presses(entry, 'Remove')
    expect(await talk.isRefused(lineOf(entry, 'Remove'))).toContain('already gone')
    expect(shown(await talk.says(old[1]?.line ?? ''))).toContain(old[1]?.label)
    expect(await talk.followed()).toEqual([old[1]?.label])
  })
})

test('everything is removed only after a question', async () => {
  await talk.says('alerts add live graduated')
  const question = await talk.presses(await talk.says('alerts'), 'Remove all')
  expect(shown(question)[0]).toBe('Remove 2 alerts?')
  expect(await talk.followed()).toHaveLength(2)
  await talk.presses(question, 'Remove all')
  expect(await talk.followed()).toEqual([])
  expect(shown(await talk.says('alerts remove all'))[0]).toBe('Nothing to remove')
})

test('a long list has pages', async () => {
  await talk.says('alerts add ending minutes:5')
  for (let minutes = 10; minutes < 25; minutes++)
    await talk.says(`alerts add ending minutes:${minutes}`)
  const first = await talk.says('alerts')
  expect(await talk.followed()).toHaveLength(10)
  const second = await talk.presses(first, 'Next ▶')
  expect(shown(second).join('\n')).toContain('11. ')
  expect(shown(await talk.says('alerts page:9')).join('\n')).toContain('No more alerts')
})

const platforms = [
  ['Telegram', telegram, { add: '/alerts add ', change: '/alerts change ' }],
  ['Discord', discord, { add: '/alerts do:add ', change: '/alerts do:change ' }],
] as const

describe.each(platforms)('on %s', (_, platform, begins) => {
  const onPlatform = () => new Talk(harness, { ...ada, platform, isPrivate: true })

  test('who follows the hint at the time zone has one summary', async () => {
    await onPlatform().says('alerts add live')
    const added = await onPlatform().says('alerts add digest hour:4')
    expect(typable(added)).toEqual([`${begins.change}2 zone:Berlin`])
    await onPlatform().copies(typable(added)[0] ?? '')
    const summary = 'Daily summary at 04:00, Europe/Berlin'
    expect(await onPlatform().followed()).toEqual(['Any auction goes live', summary])
    const back = await onPlatform().says('alerts change 2 zone:UTC')
    await onPlatform().copies(typable(back)[0] ?? '')
    expect(await onPlatform().followed()).toEqual(['Any auction goes live', summary])
  })

  test.each([
    ['ending 30', 'ending minutes:30'],
    ['live ending 45', 'live category:builder-coin chain:base'],
    ['progress 25 50%', 'progress percent:10,50,100'],
    ['digest 9pm', 'digest hour:7 zone:Berlin'],
    ['live builder-coin', 'live category:builder-coin chain:base'],
    ['price LANTERN', 'price asset:OTTER above:0.5'],
    ['mcap asset:OTTER 2.5m', 'mcap asset:OTTER below:2.5m'],
    ['graduated everything', 'graduated category:builder-coin'],
  ])('add %s follows nothing, and says how options are typed', async (typed, example) => {
    const refusal = await onPlatform().refusal(`alerts add ${typed}`)
    expect(typable(refusal)).toEqual([`${begins.add}${example}`])
    expect(shown(refusal).join()).toContain('Options need their name')
    expect(await onPlatform().followed()).toEqual([])
    if (example.includes('OTTER')) return
    await onPlatform().copies(typable(refusal)[0] ?? '')
    expect(await onPlatform().followed()).not.toEqual([])
  })

  test.each([
    ['price prise', 'Did you mean price?'],
    ['OTTER', 'Use: live'],
    ['30', 'Use: live'],
  ])('add %s says which alerts there are', async (typed, answer) => {
    const refusal = await onPlatform().refusal(`alerts add ${typed}`)
    expect(shown(refusal).join()).toContain(answer)
    expect(typable(refusal)).toEqual([])
  })

  test.each(['stop', 'pause', 'delete 1', 'graduated'])(
    '%s changes nothing, and says what there is',
    async (typed) => {
      await onPlatform().says('alerts add incoming')
      const refusal = await onPlatform().refusal(`alerts ${typed}`)
      expect(shown(refusal).join()).toContain('show, change, remove, mute or unmute')
      expect(typable(refusal)).toContain(`${begins.add}live`)
      expect(await onPlatform().followed()).toEqual(['Any auction is announced'])
    },
  )
})

test('the whole list is the list', async () => {
  await talk.says('alerts add incoming')
  expect(shown(await talk.says('alerts list all')).join()).toContain('is announced')
})

describe('a price of no asset', () => {
  test('leads on by a press to the usual settings', async () => {
    const which = await talk.says('alerts add price')
    await talk.presses(which, await newestLive(8453), '25%')
    expect((await talk.followed()).join()).toMatch(/^.*’s price moves 25% · Base$/u)
  })

  test('keeps what was said already', async () => {
    const live = await newestLive(8453)
    await talk.presses(await talk.says('alerts add price mcap move:5'), live)
    await talk.presses(await talk.says('alerts add mcap below:5'), live)
    expect(await talk.followed()).toEqual([
      expect.stringContaining('price moves 5% · Base'),
      expect.stringContaining('market cap moves 5% · Base'),
      expect.stringContaining('market cap falls below $5 · Base'),
    ])
  })

  test('offers assets of the chain that was named, and says if that is a testnet', async () => {
    const which = await talk.says('alerts add price chain:base-sepolia')
    const chosen = lineOf(which, await newestLive(84532))
    expect(chosen).toContain('chain:84532')
    expect(shown(await talk.says(chosen))[0]).toMatch(/ · Base Sepolia \(TESTNET\)$/u)
  })

  test('goes by itself', async () => {
    const refusal = await talk.refusal('alerts add live price graduated')
    expect(typable(refusal)).toEqual([
      '/alerts add price asset:OTTER',
      '/alerts add live graduated',
    ])
  })

  async function newestLive(chain: number): Promise<string> {
    const filter = { status: 'live', chain, limit: 1, offset: 0 } as const
    const [asset] = (await harness.services.api.assets(filter)).value.items
    return asset ? plainText(tokenLabel(asset)) : ''
  }
})
