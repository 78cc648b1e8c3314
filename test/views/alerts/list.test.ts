import { describe, expect, test } from 'vitest'
import { untilUnmuted } from '../../../src/alerts/follow/alerts.ts'
import { rulesOf } from '../../../src/alerts/follow/rules.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { losses } from '../../../src/chat/platform.ts'
import { alertsLine } from '../../../src/views/alerts/line.ts'
import { alertsView, type Whose } from '../../../src/views/alerts/list.ts'
import { base, now } from '../sample.ts'
import { controls, shown } from '../shown.ts'

const follows = rulesOf(['live', 'graduated'], {}).map((rule, index) => ({ id: index + 1, rule }))
const calm = { follows, paused: undefined, resumed: undefined, mutedUntil: 0 }

function list(look: Partial<typeof calm> | object = {}, whose: Whose = { kind: 'own' }) {
  const elsewhere = whose.kind === 'elsewhere' ? '-200' : undefined
  return alertsView({
    look: { ...calm, ...look },
    forEver: untilUnmuted,
    words: { names: new Map(), units: defaultUnits, chains: [base] },
    line: alertsLine({ platform: 'telegram', elsewhere }),
    whose,
    now,
    page: 1,
    picks: whose.kind === 'own',
  })
}

test('one’s own alerts, each with its control', () => {
  expect(shown(list())).toEqual([
    '🔔 What you follow',
    '1. Every auction that goes live [Every auction that goes live: alerts show #1]',
    '2. Every auction that graduates [Every auction that graduates: alerts show #2]',
  ])
  expect(controls(list())).toEqual([
    ['Add alerts add', 'Mute alerts mute'],
    ['Remove all alerts remove all', 'Set up a channel alerts channel'],
  ])
})

test('those of a chat say who may change them', () => {
  const lines = shown(list({}, { kind: 'chat' }))
  expect([lines[0], lines.at(-1)]).toEqual([
    '🔔 What this chat follows',
    'Only administrators can change this.',
  ])
  expect(controls(list({}, { kind: 'chat' })).join()).not.toContain('Set up')
})

test('those of another chat keep to it with every control but the way back', () => {
  const view = list({}, { kind: 'elsewhere', name: 'Otter News' })
  expect(shown(view)[0]).toBe('🔔 What Otter News follows')
  const runs = [...controls(view).flat(), ...shown(view).slice(1)]
  const back = runs.filter((run) => !run.includes(' in:-200'))
  expect(back).toEqual(['My own alerts'])
})

test('where there is nothing, what to do is said', () => {
  const none = list({ follows: [] })
  const [, text] = shown(none)
  expect(text).toContain('/alerts add live')
  expect(none.blocks).toContainEqual({
    kind: 'text',
    spans: expect.arrayContaining([{ code: '/alerts add live' }]),
  })
  expect(controls(none).join()).not.toMatch(/Remove|Mute/u)
  expect(controls(list({ follows: [], mutedUntil: now + 60 })).flat()).toContain(
    'Unmute alerts unmute',
  )
})

describe.each(losses)('a chat that was lost: %s', (loss) => {
  test('says why, and what ends it', () => {
    const paused = shown(list({ paused: loss }, { kind: 'chat' })).join('\n')
    expect(paused).toMatch(/⏸️ Nothing was sent: .+\. Alerts go on once an administrator/u)
    expect(list({ paused: loss }).tone).toBe('warn')
  })

  test('says that it is over', () => {
    const lines = shown(list({ resumed: loss }))
    expect(lines[1]).toMatch(/^Nothing was sent: .+\. That is over: alerts go on from now\.$/u)
  })
})

test('a mute says until when, and is offered the end', () => {
  const hour = list({ mutedUntil: now + 3600 })
  expect(shown(hour)[1]).toContain('🔕 Muted until 2023-11-14 23:13')
  expect(controls(hour).flat()).toContain('Unmute alerts unmute')
  expect(shown(list({ mutedUntil: untilUnmuted }))[1]).toContain('until somebody unmutes it')
  expect(shown(list({ mutedUntil: now }))[1]).not.toContain('Muted')
})
