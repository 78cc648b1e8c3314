import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rulesOf } from '../../../src/alerts/rule.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { localise } from '../../../src/core/catalogue.ts'
import type { View } from '../../../src/core/view.ts'
import { renderDiscord } from '../../../src/discord/render.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, lineOf, otter, Talk } from './talk.ts'

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

const panel = async () => talk.says(lineOf(await talk.says(`asset ${otter}`), '🔔 Alerts'))

describe('the Follow button of a card', () => {
  test('shows what is followed of the asset, with a switch for each kind', async () => {
    const before = await panel()
    expect(shown(before)[1]).toBe('No alerts for this token yet.')
    const one = await talk.presses(before, '🎓 Graduated')
    expect(shown(one)).toContain('🎓 Graduated: Moon Otter graduates · Base')
    const two = await talk.presses(one, '💲 Price ±10%')
    expect(await talk.followed()).toEqual([
      'Moon Otter graduates · Base',
      'Moon Otter’s price moves 10% · Base',
    ])
    await talk.presses(two, '✓ 🎓 Graduated')
    expect(await talk.followed()).toEqual(['Moon Otter’s price moves 10% · Base'])
  })

  test('says what its price and market cap are now, beside the choice of values', async () => {
    const view = await panel()
    const values = shown(view).filter((each) => /^(?:Price|Market cap): /u.test(each))
    expect(values).toEqual([
      expect.stringMatching(/^Price: \$[\d.,₀-₉]+/u),
      expect.stringMatching(/^Market cap: \$[\d.]+[KMB]?$/u),
    ])
    const [price = '', cap = ''] = values.map((each) => each.replace(/^[^:]+: (\S+).*$/u, '$1'))
    const prices = await talk.presses(view, 'Set price…')
    expect(shown(prices)[1]).toBe(`Now ${price}`)
    const caps = await talk.presses(view, 'Set market cap…')
    expect(shown(caps)[1]).toBe(`Now ${cap}`)
    await talk.presses(prices, '10%')
    const change = await talk.says(`alerts change ${await talk.firstId()}`)
    expect(shown(change)[1]).toBe(`Now ${price}`)
    expect(shown(await talk.says('alerts choose live')).join('\n')).not.toContain('Now ')
  })

  test.each(['in the list', 'in the panel'])(
    'if not all fits, only the warning sign is shown: %s',
    async (where) => {
      for (let percent = 1; percent < 30; percent++) {
        await talk.says(`alerts add progress percent:${percent}`)
      }
      const view =
        where === 'in the list'
          ? await talk.says('alerts add live graduated')
          : await talk.presses(await panel(), 'Follow')
      const { text } = await renderTelegram(localise(view, 'en'), memoryCallbacks())
      expect(text).toMatch(/^⚠️ <b>(?:1 alert added|Alert added|Moon Otter)/u)
    },
  )

  test('in a topic is about that topic', async () => {
    const inTopic = new Talk(harness, {
      ...ada,
      chat: '-5',
      ephemeral: false,
      isPrivate: false,
      locale: 'en',
      thread: '9',
      asChat: true,
    })
    const view = await inTopic.says(`follow ${otter}`)
    expect(shown(view)[1]).toBe('No alerts for this token yet.')
    const one = await inTopic.presses(view, '🎓 Graduated')
    expect(shown(one)[1]).toBe('This topic’s alerts for this token:')
    expect(shown(await inTopic.says('alerts'))[0]).toBe('🔔 Alerts in this topic')
    const inChat = new Talk(harness, {
      ...ada,
      chat: '-5',
      ephemeral: false,
      isPrivate: false,
      locale: 'en',
    })
    expect(shown(await inChat.says('alerts'))[0]).toBe('🔔 Alerts here')
    expect(shown(await inChat.says(`follow ${otter}`))[1]).toBe('No alerts for this token yet.')
  })

  test('follows and unfollows all of it by one press, and nothing else', async () => {
    await talk.says('alerts add live')
    const all = await talk.presses(await panel(), 'Follow')
    expect(await talk.followed()).toHaveLength(5)
    await talk.presses(all, 'Unfollow')
    expect(await talk.followed()).toEqual(['Any auction goes live'])
  })

  test('leads on to prices and to all alerts', async () => {
    const how = await talk.presses(await panel(), 'Set market cap…')
    expect(shown(how)[0]).toBe('🏦 Market cap: Moon Otter · Base')
    const values = (how.buttons ?? []).flat().map(({ label }) => label)
    expect(values.filter((label) => /^[▲▼] \$[\d.]+[KMB]?$/u.test(label))).toHaveLength(4)
    await talk.presses(how, '50%')
    expect(await talk.followed()).toEqual(['Moon Otter’s market cap moves 50% · Base'])
    await talk.presses(await panel(), 'All alerts')
  })
})

describe('of a token whose auction has no end, on a chain whose tokens never graduate', () => {
  let address: string
  beforeEach(async () => {
    await harness.stop()
    harness = await startCommands({ apiServer: { chains: [4663] } })
    harness.services.chains = [chainById(4663)]
    talk = new Talk(harness)
    const { tokens } = harness.apiServer.world
    address = tokens.find(({ status }) => status === 'live')?.address ?? expect.fail()
  })

  test('neither is offered, nor followed with all of it', async () => {
    const view = await talk.says(`follow ${address}`)
    const labels = controls(view).flat().join()
    expect(labels).toContain('📈 Progress')
    expect(labels).not.toMatch(/Ending|Graduated/u)
    await talk.presses(view, 'Follow')
    expect(await talk.followed()).toEqual([
      expect.stringContaining(' sold'),
      expect.stringContaining('’s price moves 10%'),
    ])
  })

  test('who types them is told that they can’t come, and what can', async () => {
    const ends = shown(await talk.says(`alerts add ending asset:${address}`))
    expect(ends).toContainEqual(
      expect.stringMatching(
        /^It has no end, so this alert won’t come\. What can still come: .*add progress /u,
      ),
    )
    const graduates = shown(await talk.says(`alerts add graduated asset:${address}`)).join('\n')
    expect(graduates).toContain('Tokens on Robinhood Chain don’t graduate, so this alert won’t')
  })
})

describe('a switch is for its own rule alone', () => {
  const above = '✓ 💲 Price above $9,000,000'
  const below = '✓ 💲 Price below $0.0000001'
  const labels = (view: View) => (view.buttons ?? []).flat().map(({ label }) => label)

  test('chosen values are not the default change, and each is switched off by itself', async () => {
    await talk.says(`alerts add price asset:${otter} above:9000000`)
    await talk.says(`alerts add price asset:${otter} below:0.0000001`)
    const one = await panel()
    expect(labels(one)).toEqual(expect.arrayContaining(['💲 Price ±10%', above, below]))
    const two = await talk.presses(one, '💲 Price ±10%')
    expect(await talk.followed()).toHaveLength(3)
    const three = await talk.presses(two, '✓ 💲 Price ±10%')
    const rises = 'Moon Otter’s price rises above $9,000,000 · Base'
    const falls = 'Moon Otter’s price falls below $0.0000001 · Base'
    expect(await talk.followed()).toEqual([rises, falls])
    expect(labels(await talk.presses(three, above))).not.toContain(above)
    expect(await talk.followed()).toEqual([falls])
  })

  test.each([
    ['progress percent:50', '✓ 📈 Progress 50%', '📈 Progress'],
    ['progress percent:25,50', '✓ 📈 Progress 25%, 50%', '📈 Progress'],
    ['ending minutes:180', '✓ ⏳ Ending: 3 h', '⏳ Ending: 1 h'],
    ['ending minutes:90', '✓ ⏳ Ending: 90 min', '⏳ Ending: 1 h'],
    ['price move:25', '✓ 💲 Price ±25%', '💲 Price ±10%'],
    ['mcap move:10', '✓ 🏦 Market cap ±10%', '💲 Price ±10%'],
    ['mcap below:2.5m', '✓ 🏦 Market cap below $2,500,000', '💲 Price ±10%'],
    ['graduated chain:any', '✓ 🎓 Graduated, any chain', '🎓 Graduated'],
  ])('%s', async (words, own, usual) => {
    await talk.says(`alerts add ${words.replace(' chain:any', '')} asset:${otter}`)
    if (words.endsWith('any')) await talk.says('alerts change 1 chain:any')
    const [rule] = await talk.followed()
    const view = await panel()
    expect(labels(view)).toEqual(expect.arrayContaining([own, usual]))
    const both = await talk.presses(view, usual)
    expect(await talk.followed()).toHaveLength(2)
    await talk.presses(both, `✓ ${usual}`)
    expect(await talk.followed()).toEqual([rule])
    await talk.presses(view, own)
    expect(await talk.followed()).toEqual([])
  })

  test('a button of an old message removes nothing that was added since', async () => {
    const old = await talk.presses(await panel(), '💲 Price ±10%')
    await talk.says(`alerts change 1 above:5`)
    await talk.presses(old, '✓ 💲 Price ±10%')
    expect(await talk.followed()).toEqual(['Moon Otter’s price rises above $5 · Base'])
  })

  test('the max number of alerts of a chat fits into a message', async () => {
    for (let percent = 1; percent <= 30; percent++) {
      await talk.says(`alerts add progress asset:${otter} percent:${percent}`)
    }
    const view = await panel()
    const discord = JSON.stringify(await renderDiscord(localise(view, 'en'), memoryCallbacks()))
    expect(discord).not.toContain('Shortened')
    expect(discord.match(/"type":/gu)?.length).toBeLessThanOrEqual(40)
    const telegram = await renderTelegram(localise(view, 'en'), memoryCallbacks())
    expect(telegram.text).not.toContain('Shortened')
    await talk.presses(view, 'Unfollow')
    expect(await talk.followed()).toEqual([])
  })

  test.each(['price', '#x', '5'])('what is to be removed can’t be named by %s', async (word) => {
    await talk.says(`alerts add price asset:${otter} above:5`)
    expect(await talk.isRefused(`follow ${otter} off:${word}`)).toContain('tap 🔔 Alerts')
    expect(await talk.followed()).toHaveLength(1)
  })
})

test('what exceeds the cap is named, and the rest is followed', async () => {
  await harness.stop()
  harness = await startCommands({ perChat: 2 })
  talk = new Talk(harness)
  expect(shown(await panel())[1]).toBe('No alerts for this token yet.')
  const view = await talk.presses(await panel(), 'Follow')
  expect(shown(view)[1]).toBe(
    'There are 2 alerts here already, and there can’t be more. Remove some with /alerts first.',
  )
  expect(await talk.followed()).toHaveLength(2)
})

test('the same address on another chain is another asset', async () => {
  const { alerts } = harness.services
  const permissions = alerts.permissions({ context: ada })
  const [there] = rulesOf(['graduated'], { asset: otter, chain: 84532 })
  await alerts.subscribe(permissions, there ? [there] : [])
  const view = await panel()
  expect(shown(view)[1]).toBe('No alerts for this token yet.')
  const both = await talk.presses(view, '🎓 Graduated')
  expect(shown(both).filter((each) => each.startsWith('🎓'))).toEqual([
    '🎓 Graduated: Moon Otter graduates · Base',
  ])
  await talk.presses(both, 'Unfollow')
  expect((await alerts.of(permissions)).subscriptions.map(({ rule }) => rule)).toEqual([there])
})
