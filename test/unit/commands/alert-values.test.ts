import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseAmount } from '../../../src/alerts/amount.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { Context } from '../../../src/core/command.ts'
import type { Input } from '../../../src/core/conversation.ts'
import { PendingQuestions } from '../../../src/db/pending-questions.ts'
import { discord } from '../../../src/discord/platform.ts'
import { UserError } from '../../../src/errors.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, lineOf, opens, otter, Talk } from './talk.ts'

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(async () => {
  vi.useRealTimers()
  await harness.stop()
})

const inGroup: Context = { ...ada, chat: '-5', ephemeral: false, isPrivate: false, asChat: true }
const onDiscord: Context = { ...ada, platform: discord }

/** What a person reads who types this after a question. */
async function types(text: string, input: Partial<Input> = {}, context = ada): Promise<string[]> {
  const { bot } = harness
  const received = { text, files: [], fields: {}, ...input }
  return shown((await bot.receive(received, context)).view)
}

const price = async () => talk.presses(await talk.says(`follow ${otter}`), 'Set price…')

describe('a value that is typed after a tap', () => {
  test('is a mark above or below the present price', async () => {
    const view = await price()
    expect(shown(view).at(-1)).toMatch(/^Which price\? Like [\d.]+, or a change, like 10%$/u)
    expect((await types('900'))[0]).toBe('✅ Alert added')
    await price()
    expect((await types('$0.000000001'))[0]).toBe('✅ Alert added')
    expect(await talk.followed()).toEqual([
      'Moon Otter’s price rises above $900 · Base',
      'Moon Otter’s price falls below $0.000000001 · Base',
    ])
  })

  test.each([
    ['choose price', '10%', 'Moon Otter’s price moves 10% · Base'],
    ['choose price', '-15 %', 'Moon Otter’s price moves 15% · Base'],
    ['choose price', '< 900', 'Moon Otter’s price falls below $900 · Base'],
    ['choose price', 'above 0.0001', 'Moon Otter’s price rises above $0.0001 · Base'],
    ['choose mcap', '900b', 'Moon Otter’s market cap rises above $900,000,000,000 · Base'],
    [
      'choose mcap',
      '900,000,000,000.5',
      'Moon Otter’s market cap rises above $900,000,000,000.5 · Base',
    ],
    ['choose progress', '10, 50', 'Moon Otter reaches 10% and 50% sold · Base'],
    ['choose progress', '75%', 'Moon Otter reaches 75% sold · Base'],
    ['choose ending', '45', '45 min before Moon Otter ends · Base'],
    ['choose ending', '2h', '2 h before Moon Otter ends · Base'],
    ['choose ending', '90 min', '90 min before Moon Otter ends · Base'],
  ])('%s: %s', async (line, text, rule) => {
    await talk.says(`alerts ${line} asset:${otter} chain:8453`)
    await types(text)
    expect(await talk.followed()).toEqual([rule])
  })

  test.each([
    ['7', 'Daily summary at 07:00, UTC'],
    ['21:00', 'Daily summary at 21:00, UTC'],
    ['9pm', 'Daily summary at 21:00, UTC'],
    ['12 am', 'Daily summary at 00:00, UTC'],
    ['7 Berlin', 'Daily summary at 07:00, Europe/Berlin'],
    ['8am, New York', 'Daily summary at 08:00, America/New_York'],
  ])('the hour of a summary: %s', async (text, rule) => {
    await talk.says('alerts choose digest')
    await types(text)
    expect(await talk.followed()).toEqual([rule])
  })

  test('changes an alert, and keeps what it is about', async () => {
    await talk.says('alerts add ending chain:base')
    const [first] = opens(await talk.says('alerts'))
    await talk.presses(await talk.says(first?.line ?? ''), 'Change')
    expect((await types('30'))[0]).toBe('✅ Updated')
    expect(await talk.followed()).toEqual(['30 min before any auction ends · Base'])
  })

  test('that is wrong is answered clearly, and asked for again', async () => {
    await talk.says(`alerts choose price asset:${otter} chain:8453`)
    const [, why, ask] = await types('1,00,0')
    expect([why, ask]).toEqual([
      expect.stringContaining('isn’t an amount'),
      expect.stringContaining('Which price?'),
    ])
    expect((await types('0%')).join()).toContain('from 1 to 1,000')
    expect((await types('900'))[0]).toBe('✅ Alert added')
  })

  test('that has no digit may have been meant as a search', async () => {
    await price()
    const { bot } = harness
    const input = { text: 'scooter', files: [], fields: {} }
    const { view } = await bot.receive(input, ada)
    expect(controls(view)).toEqual([['🔎 Search “scooter” +search scooter']])
  })
})

describe('a question for a value', () => {
  test('swallows no address, no ticker, nothing long, and no file', async () => {
    await price()
    const file = { name: 'a.png', read: async () => new Uint8Array() }
    for (const text of [otter, '$OTTER', 'otters '.repeat(8)]) {
      expect((await types(text)).join()).not.toContain('Which price?')
    }
    expect((await types('5', { files: [file] })).join()).not.toContain('Alert')
    expect(await talk.followed()).toEqual([])
  })

  test.each(['alerts', 'alerts add', `follow ${otter}`, `alerts add price asset:${otter}`])(
    'is forgotten by /%s',
    async (line) => {
      await price()
      await talk.says(line)
      const { length } = await talk.followed()
      await types('900')
      expect(await talk.followed()).toHaveLength(length)
    },
  )

  test('is forgotten once it was answered, and after ten minutes', async () => {
    await price()
    await types('900')
    await types('901')
    expect(await talk.followed()).toHaveLength(1)
    await price()
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    await types('902')
    vi.useRealTimers()
    expect(await talk.followed()).toHaveLength(1)
  })

  test.each(['launch', 'launching resume x'])(
    'of a process that has ended is forgotten by /%s, which asks for something itself',
    async (line) => {
      const before = new PendingQuestions(harness.store, () => Math.floor(Date.now() / 1000))
      await before.ask(ada, `alerts choose price asset:${otter} chain:8453`)
      await talk.isRefused(line)
      await types('900')
      expect(await talk.followed()).toEqual([])
    },
  )

  test('is still open if the answer could not be stored, and comes again', async () => {
    await price()
    const rename = (from: string, to: string) =>
      harness.store.schema.alterTable(from).renameTo(to).execute()
    await rename('subscriptions', 'away')
    await types('900')
    await rename('away', 'subscriptions')
    expect((await types('900'))[0]).toBe('✅ Alert added')
  })

  test('is one person’s in one chat', async () => {
    await price()
    await types('900', {}, { ...ada, user: '8', chat: '8' })
    expect(await talk.followed()).toEqual([])
  })
})

describe('in a group', () => {
  const replies = async (text: string, context = inGroup) =>
    harness.bot.replied({ text, files: [], fields: {} }, context)

  test('a reply is the answer of who was asked, and other replies are nobody’s', async () => {
    const group = new Talk(harness, inGroup)
    expect(await replies('900')).toBeUndefined()
    const asked = await group.says(`alerts choose price asset:${otter} chain:8453`)
    expect(shown(asked).at(-1)).toContain('reply to this message')
    expect(await replies('900', { ...inGroup, user: '8' })).toBeUndefined()
    expect(await replies(otter)).toBeUndefined()
    const answer = await replies('900')
    expect(answer && shown(answer.view)[0]).toBe('✅ Alert added')
    expect(await replies('900')).toBeUndefined()
    expect(await group.followed()).toEqual(['Moon Otter’s price rises above $900 · Base'])
  })

  test('only of who may change alerts', async () => {
    const group = new Talk(harness, inGroup)
    await group.says(`alerts choose price asset:${otter} chain:8453`)
    const answer = await replies('900', { ...inGroup, asChat: false })
    expect(answer && shown(answer.view).join()).toContain('Only administrators')
    expect(await group.followed()).toEqual([])
  })
})

describe('on Discord', () => {
  const user = () => new Talk(harness, onDiscord)

  test('a form asks for the value, and again if it is wrong', async () => {
    const view = await user().says(`alerts choose price asset:${otter} chain:8453`)
    expect(view.form?.label).toBe('Set price…')
    const form = await harness.bot.form(view.form?.line ?? '', onDiscord)
    if ('view' in form) throw new Error(shown(form.view).join())
    expect(form).toMatchObject({ title: '💲 Price', fields: [{ id: 'value', kind: 'line' }] })
    const sent = { form: form.id, fields: { value: '1,00,0' } }
    const input = { text: '', files: [], ...sent }
    const { view: wrong } = await harness.bot.receive(input, onDiscord)
    expect([shown(wrong)[1], wrong.form]).toEqual([
      expect.stringContaining('isn’t an amount'),
      view.form,
    ])
    await types('', { ...sent, fields: { value: '900' } }, onDiscord)
    expect(await user().followed()).toEqual(['Moon Otter’s price rises above $900 · Base'])
    // What is typed in the private chat is no answer: a form was.
    expect((await types('5', {}, onDiscord)).join()).not.toContain('Alert')
  })

  test('a form changes an alert, and says if that is gone', async () => {
    await user().says('alerts add digest')
    const [first] = opens(await user().says('alerts'))
    const change = await user().says(lineOf(await user().says(first?.line ?? ''), 'Change'))
    const form = await harness.bot.form(change.form?.line ?? '', onDiscord)
    const sent = { form: 'id' in form ? form.id : '', fields: { value: '6 Tokyo' } }
    await types('', sent, onDiscord)
    expect(await user().followed()).toEqual(['Daily summary at 06:00, Asia/Tokyo'])
    await user().says('alerts remove all sure')
    expect((await types('', sent, onDiscord)).join()).toContain('already gone')
  })
})

describe('an amount is read as people of the language write it', () => {
  test.each([
    ['es', '0,5', '0.5'],
    ['tr', '1,5M', '1500000'],
    ['ru', '1,5 млн', '1500000'],
    ['ru', '1 250 000,75', '1250000.75'],
    ['es', '1,234', '1.234'],
    ['es', '1.234.567,8', '1234567.8'],
    ['zh-CN', '150万', '1500000'],
    ['en', '0,5', '0.5'],
    ['en', '1,000', '1000'],
    ['en', '$1,234.5', '1234.5'],
    ['en', '1.234', '1.234'],
  ] as const)('%s: %s', (locale, typed, amount) => {
    expect(parseAmount(typed, locale)).toBe(amount)
  })

  test('and a sign that may mean thousands or a fraction is asked about', () => {
    const why = (typed: string, locale?: 'ru') => {
      try {
        return parseAmount(typed, locale)
      } catch (error) {
        return error instanceof UserError ? plainText(error.spans) : error
      }
    }
    expect(why('1.000', 'ru')).toBe('“1.000” can be read in two ways. Write 1000 or 1,000.')
    expect(why('1,000')).toBe('“1,000” can be read in two ways. Write 1000 or 1.000.')
    expect(why('1.000')).toBe('1')
  })

  test('when it is an answer', async () => {
    await talk.says(`alerts choose price asset:${otter} chain:8453`)
    expect((await types('> 900,5', {}, { ...ada, locale: 'ru' }))[0]).toContain('✅')
    expect(await talk.followed()).toEqual(['Moon Otter’s price rises above $900.5 · Base'])
  })

  test('and of the language that its chat has set, whoever answers', async () => {
    await harness.services.chatSettings.set('telegram', inGroup.chat, { language: 'es' })
    const { bot } = harness
    const asks = bot.parse(`alerts choose price asset:${otter} chain:8453`)
    await bot.answer(asks, inGroup)
    const reply = { text: '> 1,234', files: [], fields: {} }
    const answer = await bot.replied(reply, inGroup)
    expect(shown(answer?.view ?? { title: [], blocks: [] }).join()).toContain('1,234')
    const group = harness.services.alerts.permissions({ context: inGroup })
    const { subscriptions } = await harness.services.alerts.of(group)
    expect(subscriptions.map(({ rule }) => rule.setting)).toEqual([{ above: '1.234' }])
  })
})

describe('a minimum against noise', () => {
  test('is tapped, typed, shown, changed and taken away', async () => {
    const how = await talk.says('alerts choose live category:builder-coin')
    const asks = await talk.presses(how, 'Minimum market cap…')
    expect(shown(asks)[0]).toBe('Minimum market cap')
    expect(shown(asks)[1]).toBe('Any auction goes live · builder-coin')
    expect(shown(asks)[2]).toBe('What is the lowest market cap that you want alerts for? Like 50k')
    await types('75k')
    expect(await talk.followed()).toEqual([
      'Any auction goes live · builder-coin · market cap ≥ $75,000',
    ])
    const change = async (what: string, value: string) => {
      const menu = await talk.presses(await talk.says('alerts show 1'), 'Change')
      await talk.presses(await talk.presses(menu, what), value)
    }
    await change('Minimum market cap…', '$10,000')
    await talk.says('alerts change 1 raised:2.5')
    expect(await talk.followed()).toEqual([
      'Any auction goes live · builder-coin · market cap ≥ $10,000 · raised ≥ 2.5 (in the quote token)',
    ])
    await change('Minimum market cap…', 'No minimum')
    await change('Minimum raised…', 'No minimum')
    expect(await talk.followed()).toEqual(['Any auction goes live · builder-coin'])
  })

  test('is refused where nothing can reach it, or one token is meant', async () => {
    expect(await talk.isRefused('alerts add live incoming raised:1')).toContain('only works with')
    expect(await talk.isRefused(`alerts add live asset:${otter} mcap:50k`)).toContain(
      'already names one token',
    )
    expect(await talk.followed()).toEqual([])
  })
})

describe('other filters', () => {
  const filter = async (name: string) => {
    const menu = await talk.presses(await talk.says('alerts choose live'), 'More filters…')
    return talk.presses(menu, name)
  }

  test.each([
    ['Name or ticker…', 'Otter', 'Any auction goes live · named “otter”'],
    ['Quote token…', 'WETH', 'Any auction goes live · Base · quote token WETH'],
    ['Quote token…', `0x${'4'.repeat(40)}`, 'Any auction goes live · quote token 0x4444…4444'],
    ['Category…', 'builder coin', 'Any auction goes live · builder-coin'],
    ['Chain…', 'base', 'Any auction goes live · Base'],
  ])('%s is typed: %s', async (name, typed, rule) => {
    await filter(name)
    expect((await types(typed))[0]).toBe('✅ Alert added')
    expect(await talk.followed()).toEqual([rule])
  })

  test('a category and a chain can be pressed, added to an alert and taken away', async () => {
    await talk.presses(await filter('Category…'), 'builder-coin')
    const change = async (name: string, value: string) => {
      const menu = await talk.presses(await talk.says('alerts show 1'), 'Change', 'More filters…')
      await talk.presses(await talk.presses(menu, name), value)
      return talk.followed()
    }
    expect(await change('Chain…', 'Base')).toEqual(['Any auction goes live · Base · builder-coin'])
    expect(await change('Category…', 'Any category')).toEqual(['Any auction goes live · Base'])
    expect(await change('Chain…', 'Any chain')).toEqual(['Any auction goes live'])
  })
})

describe('a mute of another time', () => {
  test('is typed after the question, in the same words as in the line', async () => {
    await talk.says('alerts add live')
    await talk.presses(await talk.says('alerts'), 'Mute')
    expect((await types('soon')).join()).toContain('30m, 8h or 7d')
    expect((await types('3 d')).join()).toContain('Muted until')
  })

  test('is typed into a form where there are forms', async () => {
    const person = new Talk(harness, onDiscord)
    await person.says('alerts add live')
    const view = await person.says('alerts mute')
    const form = await harness.bot.form(view.form?.line ?? '', onDiscord)
    expect(form).toMatchObject({ title: 'Mute', fields: [{ label: '🔕 Mute for how long?' }] })
    const input = { form: 'alerts mute', fields: { value: '3d' } }
    expect((await types('', input, onDiscord)).join()).toContain('Muted until')
  })
})

test('a creator is asked for by the greeting’s button, and the address is the answer', async () => {
  const creator = `0x${'1'.repeat(40)}`
  const asks = await talk.says('alerts choose live creator chain:base')
  expect(shown(asks)[2]).toBe('What is the creator’s address? Like 0x…')
  expect((await types('Moon Otter'))[0]).not.toContain('Alert added')
  expect((await types(creator))[0]).toBe('✅ Alert added')
  expect(await talk.followed()).toEqual(['Any auction goes live · Base · creator 0x1111…1111'])
  expect((await types(creator)).join()).not.toContain('Alert added')
})
