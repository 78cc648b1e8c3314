import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { kinds, kindsWhere } from '../../../src/alerts/kinds/list.ts'
import { controls, shown } from '../views/shown.ts'
import { lineOf, opens, otter, Talk } from './alerts-talk.ts'
import { type CommandHarness, startCommands } from './bot.ts'

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

describe('adding by buttons', () => {
  test('leads from the list to a kind, to how, and says the rule before and after', async () => {
    const offered = await talk.presses(await talk.says('alerts'), 'Add')
    const how = await talk.presses(offered, '📈 Progress')
    expect(shown(how)).toContain('50, 100 %: 50 and 100 % sold of any auction')
    const done = await talk.presses(how, '50, 100 %')
    expect(shown(done)).toContain('50 and 100 % sold of any auction.')
    await talk.presses(done, '◀ All alerts')
    expect(await talk.followed()).toEqual(['50 and 100 % sold of any auction'])
  })

  test('every kind has usual settings, each of which does what it says', async () => {
    const offered = await talk.says('alerts add')
    // Those of one asset ask for it first.
    for (const id of kindsWhere(({ assets }) => assets !== 'one')) {
      const how = await talk.presses(offered, kinds[id].label)
      const presets = (how.buttons ?? []).flat().slice(0, -1)
      const fields = how.blocks.flatMap((block) => (block.kind === 'fields' ? block.fields : []))
      expect(fields.map(([label]) => label)).toEqual(presets.map(({ label }) => label))
      for (const [label, [text]] of fields) {
        await talk.presses(how, label)
        expect(await talk.followed()).toEqual([text])
        await talk.says('alerts remove all sure')
      }
    }
  })

  test('a price needs an asset, and leads there', async () => {
    const offered = await talk.says('alerts add')
    const view = await talk.presses(offered, '💲 Price')
    expect(shown(view).join()).toContain('press Follow')
    const [first] = (view.buttons ?? []).flat()
    const one = await talk.presses(view, first?.label ?? '')
    expect(shown(one)[0]).toBe(`💲 Price: ${first?.label.replace(/ \$.*$/u, '')}`)
    expect(shown(await talk.presses(view, '◀ Back'))).toEqual(shown(offered))
    const known = await talk.says(`alerts choose price asset:${otter}`)
    const panel = await talk.presses(known, '◀ Back')
    expect(shown(panel)[0]).toBe('🔕 Moon Otter $OTTER')
    await talk.presses(known, '25 %')
    expect(await talk.followed()).toEqual(['Moon Otter’s price moves by 25 % on Base'])
  })
})

describe('one rule', () => {
  test('is shown, changed by a button or by words, and removed', async () => {
    await talk.says('alerts add progress asset:"Moon Otter"')
    const open = async () => {
      const view = await talk.says('alerts')
      return talk.says(opens(view)[0]?.run ?? '')
    }
    const how = await talk.presses(await open(), 'Change')
    expect(shown(how)).toContain('100 %: 100 % sold of Moon Otter on Base')
    await talk.presses(how, '100 %')
    expect(await talk.followed()).toEqual(['100 % sold of Moon Otter on Base'])
    const id = await talk.firstId()
    await talk.says(`alerts change ${id} percent:10,20`)
    expect(await talk.followed()).toEqual(['10 and 20 % sold of Moon Otter on Base'])
    await talk.presses(await open(), 'Remove')
    expect(await talk.followed()).toEqual([])
  })

  test.each([
    ['digest hour:7 zone:Tokyo', '12:00', 'Daily summary at 12:00, Asia/Tokyo'],
    [
      'live category:builder-coin chain:base',
      'product-coin',
      'Every auction that goes live on Base in product-coin',
    ],
    ['live category:builder-coin chain:base', 'Any auction', 'Every auction that goes live'],
    ['price asset:"Moon Otter" above:2', '5 %', 'Moon Otter’s price moves by 5 % on Base'],
    [
      'ending chain:base minutes:30',
      '15 minutes',
      '15 minutes before the end of any auction on Base',
    ],
  ])('%s, changed by %s', async (words, label, rule) => {
    await talk.says(`alerts add ${words}`)
    const id = await talk.firstId()
    const how = await talk.says(`alerts change ${id}`)
    expect(shown(how)).toContain(`${label}: ${rule}`)
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
    expect(await talk.isRefused(`alerts change ${id} percent:50`)).toContain('percent: goes with')
    expect(await talk.isRefused(`alerts change ${id} asset:"Moon Otter"`)).toContain(
      'does not go with digest',
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
    const forEver = await talk.presses(choices, 'Until unmuted')
    expect(shown(forEver).join('\n')).toContain('Muted until somebody unmutes it')
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
    expect(shown(await talk.says('alerts show 1'))).toContain(`${shownFirst[0]}.`)
    await talk.says('alerts change 1 category:builder-coin')
    expect(await talk.followed()).toEqual([`${shownFirst[0]} in builder-coin`])
  })

  test('of buttons stay with their alert, however old the list is', async () => {
    await talk.says('alerts add live incoming')
    const old = opens(await talk.says('alerts'))
    const entry = await talk.says(old[0]?.run ?? '')
    await talk.presses(entry, 'Remove')
    expect(await talk.isRefused(lineOf(entry, 'Remove'))).toContain('no longer followed')
    expect(shown(await talk.says(old[1]?.run ?? ''))).toContain(`${old[1]?.label}.`)
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
  expect(shown(await talk.says('alerts remove all'))[0]).toBe('Nothing was followed')
})

test('a long list has pages', async () => {
  await talk.says('alerts add ending minutes:5')
  for (let minutes = 10; minutes < 25; minutes++)
    await talk.says(`alerts add ending minutes:${minutes}`)
  const first = await talk.says('alerts')
  expect(await talk.followed()).toHaveLength(10)
  const second = await talk.presses(first, 'Next ▶')
  expect(shown(second).join('\n')).toContain('11. ')
  expect(shown(await talk.says('alerts page:9')).join('\n')).toContain('There are no more')
})
