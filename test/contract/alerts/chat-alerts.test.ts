import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  ChatAlerts,
  ManagedChats,
  Permissions,
  type Where,
} from '../../../src/alerts/chat-alerts.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { Subscriptions, untilUnmuted } from '../../../src/alerts/subscriptions.ts'
import { type ChatAddress, type Loss, SendError } from '../../../src/core/adapter.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { Context } from '../../../src/core/command.ts'
import type { View } from '../../../src/core/view.ts'
import type { Store } from '../../../src/db/schema.ts'
import { discord } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { TestDatabase } from '../../database.ts'
import { shown } from '../../unit/views/shown.ts'

const now = 1_700_000_000
const group = '-100'
const channel = '-200'
const live: Rule = { kind: 'live', scope: {}, setting: {} }
const graduated: Rule = { kind: 'graduated', scope: {}, setting: {} }

const ada: Context = {
  platform: telegram,
  user: '7',
  chat: '7',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
}
const adaInGroup: Context = {
  ...ada,
  chat: group,
  ephemeral: false,
  isPrivate: false,
  locale: 'en',
}
const benInGroup: Context = { ...adaInGroup, user: '8' }
const asGroup: Context = { ...adaInGroup, user: group, asChat: true }

let database: TestDatabase
let store: Store
let alerts: ChatAlerts
let managers: Set<string>
let fault: SendError | undefined
let asked: string[]
let sent: { to: ChatAddress; view: View }[]
let sendFault: SendError | undefined
let permitted: string[]

beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  managers = new Set([`${group} 7`, `${channel} 7`])
  fault = undefined
  sendFault = undefined
  asked = []
  sent = []
  permitted = []
  const messenger = {
    manages: async (chat: string, person: string) => {
      asked.push(`${chat} ${person}`)
      if (fault) throw fault
      return managers.has(`${chat} ${person}`)
    },
    title: async () => undefined,
    send: async (to: ChatAddress, view: View) => {
      if (sendFault) throw sendFault
      sent.push({ to, view })
      return { message: '1' }
    },
  }
  alerts = new ChatAlerts({
    subscriptions: new Subscriptions({ store, now: () => now, perChat: 3 }),
    managed: new ManagedChats(store, () => now),
    adapters: { telegram: messenger, discord: messenger },
    onPermitted: async ({ id }, { user }) => void permitted.push(`${id} ${user}`),
    now: () => now,
  })
})
afterEach(() => database.remove())

/** Somebody at one line or press. */
const by = (where: Where) => alerts.permissions(where)
const follow = (where: Where, ...rules: Rule[]) => alerts.subscribe(by(where), rules)
const rulesAt = async (context: Context) =>
  (await alerts.of(by({ context }))).subscriptions.map((each) => each.rule)

async function pause(loss: Loss): Promise<void> {
  await store.updateTable('chats').set({ paused: loss }).execute()
}

describe('who may change the alerts of a chat', () => {
  const changes: [string, (where: Where) => Promise<unknown>][] = [
    ['follow', (where) => follow(where, graduated)],
    ['change', async (where) => alerts.change(by(where), await firstId(where), graduated)],
    ['unfollow', (where) => alerts.unsubscribe(by(where), () => true)],
    ['mute', (where) => alerts.mute(by(where), 60)],
    ['unmute', (where) => alerts.mute(by(where), 0)],
  ]
  const firstId = async (where: Where) => (await alerts.of(by(where))).subscriptions[0]?.id ?? 0

  test.each(changes)('%s: only of who may is noted in which language', async (_, act) => {
    await follow({ context: adaInGroup }, live)
    permitted = []
    await expect(act({ context: benInGroup })).rejects.toThrow('Only administrators')
    fault = new SendError('no answer', { final: false })
    await expect(act({ context: adaInGroup })).rejects.toThrow()
    expect(permitted).toEqual([])
    fault = undefined
    await act({ context: adaInGroup })
    expect(new Set(permitted)).toEqual(new Set([`${group} 7`]))
    await follow({ context: ada, targetChat: channel }, live)
    expect(permitted.at(-1)).toBe(`${channel} 7`)
  })

  test.each(changes)(
    '%s: administrators alone, whatever they could a moment ago',
    async (_, act) => {
      await follow({ context: adaInGroup }, live)
      await expect(act({ context: benInGroup })).rejects.toThrow('Only administrators')
      managers.clear()
      await expect(act({ context: adaInGroup })).rejects.toThrow('Only administrators')
      expect(await rulesAt(adaInGroup)).toEqual([live])
      expect((await alerts.of(by({ context: adaInGroup }))).mutedUntil).toBe(0)
      managers.add(`${group} 7`)
      await act({ context: adaInGroup })
    },
  )

  test.each(changes)(
    '%s: somebody who writes in the chat’s own name, without a request to the platform',
    async (_, act) => {
      await follow({ context: asGroup }, live)
      await act({ context: asGroup })
      expect(asked).toEqual([])
    },
  )

  test.each([
    ['Telegram', ada],
    ['Discord', { ...ada, platform: discord, chat: '55', isPrivate: true } satisfies Context],
  ])('everybody in the private chat on %s', async (_, context) => {
    await follow({ context }, live)
    expect(asked).toEqual([])
    const row = await store.selectFrom('chats').selectAll().executeTakeFirstOrThrow()
    expect([row.kind, row.chat]).toEqual(['person', '7'])
    // Only another chat hears that it was set up.
    expect(sent).toEqual([])
  })

  test('an answer that one person alone sees on a Discord server does not make it private', async () => {
    const context = { ...adaInGroup, platform: discord, user: '8', chat: '55', ephemeral: true }
    await expect(follow({ context }, live)).rejects.toThrow(
      'You need Manage Server or Manage Webhooks',
    )
    expect(asked).toEqual(['55 8'])
  })

  test('everybody in the chat may see them, without a request to the platform', async () => {
    await follow({ context: asGroup }, live)
    expect(await rulesAt(benInGroup)).toEqual([live])
    expect(asked).toEqual([])
  })

  test('nobody in a group of a platform that is not configured', async () => {
    const permissions = new Permissions({ context: adaInGroup }, undefined)
    await expect(permissions.targetToChange()).rejects.toThrow('Only administrators')
  })

  test.each([
    [true, 'I can’t see who the administrators of this chat are. Make me an administrator'],
    [false, 'I can’t check right now who may change alerts here. Try again in a moment'],
  ])(
    'nobody while the platform does not answer (final: %s), and the reason is shown',
    async (final, words) => {
      fault = new SendError('no', { final })
      await expect(follow({ context: adaInGroup }, live)).rejects.toThrow(words)
      expect(await rulesAt(adaInGroup)).toEqual([])
    },
  )
})

describe('another chat, set up from the private one', () => {
  const where = { context: ada, targetChat: channel }

  test('gets one first message, and is then subscribed', async () => {
    await follow(where, live)
    await follow(where, graduated)
    expect(sent.map(({ to, view }) => [to.kind, to.id, shown(view)[0]])).toEqual([
      ['chat', channel, '🔔 Alerts are on here'],
    ])
    expect((await alerts.openList(by(where))).subscriptions).toHaveLength(2)
    expect(await rulesAt(ada)).toEqual([])
  })

  test('gets one first message for two presses at the same time', async () => {
    await Promise.all([follow(where, live), follow(where, graduated), follow(where, live)])
    expect(sent).toHaveLength(1)
    expect((await alerts.openList(by(where))).subscriptions).toHaveLength(2)
  })

  test('that is paused is resumed, and permissions are requested once a press', async () => {
    await follow(where, live)
    await pause('removed')
    asked = []
    const permissions = by(where)
    await alerts.chatName(permissions)
    await alerts.mute(permissions, 60)
    expect((await alerts.openList(permissions)).resumed).toBe('removed')
    expect(asked).toEqual([`${channel} 7`])
  })

  test('is set up by the second press if the first failed', async () => {
    sendFault = new SendError('not now', { final: false })
    const first = follow(where, live)
    const second = first.catch(() => {
      sendFault = undefined
      return follow(where, live)
    })
    await expect(first).rejects.toThrow('Try again')
    expect((await second)?.added).toEqual([live])
  })

  test('is refused with the same text whether it does not exist, is not the person’s, or is without the bot', async () => {
    const refusals: string[] = []
    const open = async (targetChat: string, context = ada) => {
      for (const act of [
        () => alerts.openList(by({ context, targetChat })),
        () => alerts.of(by({ context, targetChat })),
        () => follow({ context, targetChat }, live),
        () => alerts.unsubscribe(by({ context, targetChat }), () => true),
        () => alerts.mute(by({ context, targetChat }), 60),
        () => by({ context, targetChat }).targetToChange(),
        () => alerts.chatName(by({ context, targetChat })),
      ]) {
        refusals.push(await act().then(() => 'done', String))
      }
    }
    await follow(where, live)
    await open(channel, { ...ada, user: '8' })
    await open('-999')
    fault = new SendError('chat not found', { final: true, loss: 'gone' })
    await open(channel)
    expect(new Set(refusals).size).toBe(1)
    expect(refusals[0]).toContain('I can’t set up that chat')
  })

  test('can’t be set up from a group, nor by somebody who writes in a group’s name', async () => {
    for (const context of [adaInGroup, asGroup]) {
      await expect(alerts.openList(by({ context, targetChat: channel }))).rejects.toThrow(
        'in our DM.',
      )
      await expect(follow({ context, targetChat: channel }, live)).rejects.toThrow('in our DM.')
    }
    expect(asked).toEqual([])
  })

  test.each([
    [true, 'I can’t post in that chat'],
    [false, 'Try again in a moment'],
  ])('is not subscribed if the bot can’t write there (final: %s)', async (final, words) => {
    sendFault = new SendError('no rights', { final })
    await expect(follow(where, live)).rejects.toThrow(words)
    expect((await alerts.of(by(where))).subscriptions).toEqual([])
  })

  test('is subscribed if the first message may have been sent', async () => {
    sendFault = new SendError('no answer', { final: false, uncertain: true })
    await follow(where, live)
    expect((await alerts.of(by(where))).subscriptions).toHaveLength(1)
  })
})

describe('a pause', () => {
  test('ends when an administrator opens the list, which says so once', async () => {
    await follow({ context: asGroup }, live)
    await pause('removed')
    const list = await alerts.openList(by({ context: adaInGroup }))
    expect([list.paused, list.resumed]).toEqual([undefined, 'removed'])
    const again = await alerts.openList(by({ context: adaInGroup }))
    expect([again.paused, again.resumed]).toEqual([undefined, undefined])
  })

  test('is shown to others, and does not end', async () => {
    await follow({ context: asGroup }, live)
    await pause('forbidden')
    for (let times = 0; times < 2; times++) {
      const list = await alerts.openList(by({ context: benInGroup }))
      expect([list.paused, list.resumed]).toEqual(['forbidden', undefined])
    }
    fault = new SendError('no answer', { final: false })
    expect((await alerts.openList(by({ context: adaInGroup }))).paused).toBe('forbidden')
  })

  test('ends with another subscription', async () => {
    await follow({ context: ada }, live)
    await pause('blocked')
    await follow({ context: ada }, graduated)
    expect((await alerts.of(by({ context: ada }))).paused).toBeUndefined()
  })
})

test('each topic of a forum has subscriptions of its own', async () => {
  await follow({ context: { ...asGroup, thread: '3' } }, live)
  expect(await rulesAt({ ...benInGroup, thread: '3' })).toEqual([live])
  expect(await rulesAt({ ...benInGroup, thread: '4' })).toEqual([])
  expect(await rulesAt(benInGroup)).toEqual([])
})

test('a subscription of another chat can’t be reached by its number', async () => {
  await follow({ context: asGroup }, live)
  const id = (await alerts.of(by({ context: asGroup }))).subscriptions[0]?.id ?? 0
  const permissions = by({ context: ada })
  await expect(alerts.change(permissions, id, graduated)).rejects.toThrow('already gone')
  expect(await alerts.unsubscribe(permissions, (each) => each.id === id)).toEqual([])
  expect(await rulesAt(asGroup)).toEqual([live])
})

test('a chat that a person managed is offered again once the platform can be asked, and no more once it says no', async () => {
  const offered = async () => (await alerts.managedBy(ada)).map(({ id }) => id)
  await by({ context: ada, targetChat: channel }).targetToChange()
  expect(await offered()).toEqual([channel])
  fault = new SendError('no answer', { final: false })
  expect(await offered()).toEqual([])
  fault = undefined
  expect(await offered()).toEqual([channel])
  managers.clear()
  expect(await offered()).toEqual([])
  managers.add(`${channel} 7`)
  expect(await offered()).toEqual([])
})

test('rules are added up to the maximum, and the rest refused', async () => {
  const at = (sold: number): Rule => ({ ...live, kind: 'progress', setting: { percents: [sold] } })
  const rules = [live, graduated, live, at(10), at(20)]
  const { added, existing, refused } = await follow({ context: ada }, ...rules)
  expect([added, existing]).toEqual([[live, graduated, at(10)], [live]])
  expect(refused && plainText(refused)).toMatch(/3/u)
  await expect(follow({ context: ada }, at(30))).rejects.toThrow('3')
})

test.each([
  [3600, now + 3600],
  [undefined, untilUnmuted],
  [0, 0],
])('a mute of %s seconds ends at %s', async (seconds, until) => {
  await alerts.mute(by({ context: ada }), 60)
  await alerts.mute(by({ context: ada }), seconds)
  expect((await alerts.of(by({ context: ada }))).mutedUntil).toBe(until)
})
