import { ComponentType } from 'discord-api-types/v10'
import { describe, expect, test } from 'vitest'
import { type Rule, rulesOf } from '../../../../src/alerts/rule.ts'
import { untilUnmuted } from '../../../../src/alerts/subscriptions.ts'
import {
  alertsView,
  lineWriter,
  type Owner,
  type RuleTextParts,
  ruleText,
} from '../../../../src/alerts/views/list.ts'
import { defaultUnits } from '../../../../src/api/units.ts'
import { chainById } from '../../../../src/chain/chains.ts'
import { losses } from '../../../../src/core/adapter.ts'
import { localise, plainText } from '../../../../src/core/catalogue.ts'
import type { Platform } from '../../../../src/core/command.ts'
import { discord } from '../../../../src/discord/platform.ts'
import { renderDiscord } from '../../../../src/discord/render.ts'
import { telegram } from '../../../../src/telegram/platform.ts'
import { renderTelegram } from '../../../../src/telegram/render.ts'
import { memoryCallbacks } from '../../core/memory-callbacks.ts'
import { address, base, now } from '../../views/sample.ts'
import { controls, shown } from '../../views/shown.ts'

const subscriptions = rulesOf(['live', 'graduated'], {}).map((rule, index) => ({
  id: index + 1,
  rule,
}))
const calm = { subscriptions, paused: undefined, resumed: undefined, changedBy: [], mutedUntil: 0 }

const textParts = {
  names: new Map([[address, 'Moon Otter']]),
  units: defaultUnits,
  chains: [base],
}

function list(
  look: Partial<typeof calm> | object = {},
  owner: Owner = 'own',
  platform: Platform = telegram,
  page = 1,
) {
  const targetChat = owner === 'other-chat' ? '-200' : undefined
  return alertsView({
    state: { ...calm, ...look },
    textParts,
    line: lineWriter({ platform, targetChat }),
    platform,
    owner,
    now,
    page,
    canPickChat: owner === 'own',
  })
}

test('a person’s own alerts, each with its button', () => {
  expect(shown(list())).toEqual([
    '🔔 Your alerts',
    '1. Any auction goes live [Any auction goes live: alerts show #1]',
    '2. Any auction graduates [Any auction graduates: alerts show #2]',
  ])
  expect(controls(list())).toEqual([
    [
      'Add alerts add',
      'Mute alerts mute',
      'Remove all alerts remove all',
      'Set up a channel alerts channel',
    ],
  ])
})

test('the list of a chat says who may change it', () => {
  const lines = shown(list({}, 'chat'))
  expect([lines[0], lines.at(-1)]).toEqual([
    '🔔 Alerts in this chat',
    'Only administrators can change this.',
  ])
  expect(controls(list({}, 'chat')).join()).not.toContain('Set up')
})

test('on Discord rights have Discord’s own names', () => {
  const rights = 'with Manage Server or Manage Webhooks'
  const calmly = shown(list({}, 'chat', discord)).join('\n')
  expect(calmly).toContain(`Only people ${rights} can change this.`)
  const paused = shown(list({ paused: 'forbidden' }, 'chat', discord)).join('\n')
  expect(paused).toContain(`They resume once someone ${rights} sends /alerts here.`)
  expect(calmly + paused).not.toMatch(/administrator/iu)
})

test.each([0, 1, 5, 12, 30])(
  'each of %i alerts is opened on Discord by its own line',
  async (count) => {
    const many = Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      rule: { kind: 'ending', scope: {}, setting: { minutes: index + 5 } } as const,
    }))
    const opened: string[] = []
    for (let page = 1; page === 1 || (page - 1) * 10 < count; page++) {
      const view = list({ subscriptions: many }, 'chat', discord, page)
      const { components } = (await renderDiscord(localise(view, 'en'), memoryCallbacks()))
        .components[0]
      const rows = components.flatMap((each) =>
        each.type === ComponentType.ActionRow ? each.components : [],
      )
      const options = rows.flatMap((each) => ('options' in each ? each.options : []))
      opened.push(...options.map(({ label }) => label))
      const labels = rows.flatMap((each) => ('label' in each ? [each.label] : []))
      expect(labels.includes('Next ▶')).toBe(page * 10 < count)
      expect(labels.includes('◀ Previous')).toBe(page > 1)
      expect(labels.includes('Remove all')).toBe(count > 0)
    }
    expect(opened).toEqual(many.map((_, index) => `${index + 5} min before any auction ends`))
  },
)

test('a topic has other texts than its chat', () => {
  const topic = 'topic'
  const lines = shown(list({ paused: 'forbidden', mutedUntil: now + 60 }, topic))
  expect(lines[0]).toBe('Alerts in this topic')
  expect(lines.at(-1)).toBe('Only administrators can change this.')
})

test('a person’s own alerts are resumed by the person', () => {
  expect(shown(list({ paused: 'blocked' }))[1]).toContain('Send /alerts here to turn them back on.')
})

test.each(losses)(
  'after a pause (%s) the title has the sign of the warning alone',
  async (loss) => {
    for (const look of [{ paused: loss }, { resumed: loss }]) {
      const { text } = await renderTelegram(localise(list(look), 'en'), memoryCallbacks())
      expect(text).toContain('⚠️ <b>Your alerts')
    }
  },
)

test('every button of another chat’s list is about that chat, but the one that leads back', () => {
  const view = list({}, 'other-chat')
  expect(shown(view)[0]).toBe('🔔 Alerts')
  const runs = [...controls(view).flat(), ...shown(view).slice(1)]
  const back = runs.filter((run) => !run.includes(' in:-200'))
  expect(back).toEqual(['My alerts alerts'])
})

test('an empty list says what to do', () => {
  const none = list({ subscriptions: [] })
  const [, text] = shown(none)
  expect(text).toContain('/alerts add live')
  expect(localise(none, 'en').blocks).toContainEqual({
    kind: 'text',
    spans: expect.arrayContaining([{ code: '/alerts add live' }]),
  })
  expect(controls(none).join()).not.toMatch(/Remove|Mute/u)
  expect(controls(list({ subscriptions: [], mutedUntil: now + 60 })).flat()).toContain(
    'Unmute alerts unmute',
  )
})

test('a chat that the operator paused shows so, and that only they end it', () => {
  const paused = shown(list({ paused: 'operator' }, 'chat')).join('\n')
  expect(paused).toContain('The operator of this bot paused them. Only they can resume them.')
})

const ended = losses.filter((loss) => loss !== 'operator')
describe.each(ended)('a chat that was paused: %s', (loss) => {
  test('shows why, and what ends it', () => {
    const paused = shown(list({ paused: loss }, 'chat')).join('\n')
    expect(paused).toMatch(/⏸️ Alerts are paused\. .+\. They resume once an administrator/u)
    expect(list({ paused: loss }).tone).toBe('warn')
  })

  test('shows that it is over', () => {
    const lines = shown(list({ resumed: loss }))
    expect(lines[1]).toMatch(/^.+\. Alerts are back on from now\.$/u)
  })
})

test('a mute shows its end, and a button that ends it', () => {
  const hour = list({ mutedUntil: now + 3600 })
  expect(shown(hour)[1]).toContain('🔕 Muted until 2023-11-14 23:13')
  expect(controls(hour).flat()).toContain('Unmute alerts unmute')
  expect(shown(list({ mutedUntil: untilUnmuted }))[1]).toContain('until someone unmutes')
  expect(shown(list({ mutedUntil: now }))[1]).not.toContain('Muted')
})

const words = (rule: Rule, parts: RuleTextParts = textParts) => plainText(ruleText(rule, parts))

const [price] = rulesOf(['price'], { asset: address, chain: 8453, above: '1234567.125' })
const [mcap] = rulesOf(['mcap'], { asset: `0x${'9'.repeat(40)}`, chain: 8453, move: 10 })

test('the chain is left out if there is only one', () => {
  expect(price && words(price)).toBe('Moon Otter’s price rises above $1,234,567.125')
  const two = { ...textParts, chains: [chainById(8453), chainById(1)] }
  expect(price && words(price, two)).toBe('Moon Otter’s price rises above $1,234,567.125 · Base')
})

test('an asset without a known name goes by its address', () => {
  expect(mcap && words(mcap)).toBe('0x9999…9999’s market cap moves 10%')
})

test.each([
  ['price', 'pool_price', 'Moon Otter’s price rises above 300,000 (in the quote token)'],
  ['mcap', 'pool_market_cap', 'Moon Otter’s market cap rises above 300,000 (in the quote token)'],
] as const)(
  'if the API gives %s in the quote token (%s), so does the rule',
  (kind, field, text) => {
    const units = { ...defaultUnits, [field]: 'numeraire' as const }
    const [rule] = rulesOf([kind], { asset: address, chain: 8453, above: '300000' })
    expect(rule && words(rule, { ...textParts, units })).toBe(text)
  },
)

test('a quote token has its name only on a chain that is named', () => {
  const weth = '0x4200000000000000000000000000000000000006'
  const [anywhere] = rulesOf(['live'], { numeraire: weth })
  const [onBase] = rulesOf(['live'], { numeraire: weth, chain: 8453 })
  expect(anywhere && words(anywhere)).toBe('Any auction goes live · quote token 0x4200…0006')
  expect(onBase && words(onBase)).toBe('Any auction goes live · Base · quote token WETH')
})
