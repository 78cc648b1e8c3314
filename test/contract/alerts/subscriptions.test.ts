import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Target } from '../../../src/alerts/chats.ts'
import { storeEvents } from '../../../src/alerts/events.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { Subscriptions, storeMemory } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { UserError } from '../../../src/errors.ts'
import { TestDatabase } from '../../database.ts'
import { digest } from '../../unit/alerts/digest-event.ts'

let database: TestDatabase
let store: Store
let clock: number
let subscriptions: Subscriptions
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  clock = 1_700_000_000
  subscriptions = new Subscriptions({ store, now: () => clock, perChat: 3 })
})
afterEach(() => database.remove())

const ada: Target = { platform: 'telegram', kind: 'person', id: '1' }
const group: Target = { platform: 'telegram', kind: 'chat', id: '-100' }
const live: Rule = { kind: 'live', setting: {}, scope: {} }
const ending = (minutes: number): Rule => ({ kind: 'ending', setting: { minutes }, scope: {} })
const price = (asset: string): Rule => ({
  kind: 'price',
  setting: { above: '1.50' },
  scope: { asset },
})

async function rules(target: Target): Promise<Rule[]> {
  return (await subscriptions.of(target)).subscriptions.map(({ rule }) => rule)
}

async function idOf(target: Target, kind: string): Promise<number> {
  const { subscriptions: all } = await subscriptions.of(target)
  return all.find(({ rule }) => rule.kind === kind)?.id ?? 0
}

async function count(table: 'rules' | 'subscriptions' | 'chats'): Promise<number> {
  return (await store.selectFrom(table).selectAll().execute()).length
}

test('an unknown chat has no subscriptions', async () => {
  expect(await subscriptions.of(ada)).toEqual({
    subscriptions: [],
    paused: undefined,
    mutedUntil: 0,
    changedBy: [],
  })
  expect(await subscriptions.unsubscribe(ada, 1)).toBe(false)
  expect(await subscriptions.change(ada, 1, live)).toBe('gone')
  await subscriptions.resume(ada)
  expect(await count('chats')).toBe(0)
})

test('subscriptions are listed in the order in which they were added, also within one second', async () => {
  await subscriptions.subscribe(group, ending(5))
  expect(await subscriptions.subscribe(ada, ending(30))).toBe('added')
  expect(await subscriptions.subscribe(ada, live)).toBe('added')
  expect(await subscriptions.subscribe(ada, ending(5))).toBe('added')
  expect(await rules(ada)).toEqual([ending(30), live, ending(5)])
  await subscriptions.change(ada, await idOf(ada, 'ending'), ending(60))
  expect(await rules(ada)).toEqual([ending(60), live, ending(5)])
  expect(await rules(group)).toEqual([ending(5)])
})

test('one rule in two spellings is one row, which all subscribers share', async () => {
  expect(await subscriptions.subscribe(ada, price('0xAB'))).toBe('added')
  expect(await subscriptions.subscribe(ada, price('0xab'))).toBe('existing')
  expect(await subscriptions.subscribe(group, price('0xaB'))).toBe('added')
  expect(await rules(ada)).toEqual([
    { kind: 'price', setting: { above: '1.5' }, scope: { asset: '0xab' } },
  ])
  expect(await count('rules')).toBe(1)
  expect(await count('subscriptions')).toBe(2)
})

test('two chats that subscribe to one rule at the same time share a row, and a double press is one subscription', async () => {
  const both = await Promise.all([
    subscriptions.subscribe(ada, live),
    subscriptions.subscribe(ada, live),
  ])
  expect(both.toSorted()).toEqual(['added', 'existing'])
  await Promise.all([
    subscriptions.subscribe(group, ending(5)),
    subscriptions.subscribe(ada, ending(5)),
  ])
  expect(await count('rules')).toBe(2)
  expect(await count('subscriptions')).toBe(3)
})

test('topics of a forum, and the same id on another platform, are chats of their own', async () => {
  const others: Target[] = [
    { ...group, thread: '7' },
    { ...group, platform: 'discord' },
  ]
  await subscriptions.subscribe(group, live)
  for (const each of others) expect(await rules(each)).toEqual([])
  for (const each of others) expect(await subscriptions.subscribe(each, ending(5))).toBe('added')
  expect(await rules(group)).toEqual([live])
})

describe('at the maximum of subscriptions', () => {
  beforeEach(async () => {
    for (const minutes of [5, 6, 7]) await subscriptions.subscribe(ada, ending(minutes))
  })

  test('one more is refused with what to do, and stores nothing', async () => {
    const refusal = subscriptions.subscribe(ada, live)
    await expect(refusal).rejects.toThrow(UserError)
    await expect(refusal).rejects.toThrow(/3 alerts here already.*\/alerts/u)
    expect(await count('rules')).toBe(3)
    expect(await subscriptions.subscribe(ada, ending(7))).toBe('existing')
    expect(await subscriptions.subscribe(group, live)).toBe('added')
  })

  test('one can be changed, and after one was removed another can be added', async () => {
    expect(await subscriptions.change(ada, await idOf(ada, 'ending'), live)).toBe('changed')
    expect(await subscriptions.unsubscribe(ada, await idOf(ada, 'live'))).toBe(true)
    expect(await subscriptions.subscribe(ada, price('0xab'))).toBe('added')
  })
})

test('a changed rule keeps its position; one that becomes equal to another is merged with it', async () => {
  await subscriptions.subscribe(ada, live)
  clock += 1
  await subscriptions.subscribe(ada, ending(5))
  expect(await subscriptions.change(ada, await idOf(ada, 'live'), price('0xab'))).toBe('changed')
  expect((await rules(ada)).map(({ kind }) => kind)).toEqual(['price', 'ending'])
  expect(await subscriptions.change(ada, await idOf(ada, 'price'), ending(5))).toBe('changed')
  expect(await rules(ada)).toEqual([ending(5)])
  expect(await subscriptions.change(ada, await idOf(ada, 'ending'), ending(5))).toBe('changed')
  expect(await rules(ada)).toEqual([ending(5)])
})

test('a rule that one chat removes or changes stays for the others', async () => {
  await subscriptions.subscribe(ada, live)
  await subscriptions.subscribe(group, live)
  const id = await idOf(ada, 'live')
  expect(await subscriptions.unsubscribe(ada, id)).toBe(true)
  expect(await subscriptions.unsubscribe(ada, id)).toBe(false)
  expect(await subscriptions.change(ada, id, ending(5))).toBe('gone')
  expect(await rules(group)).toEqual([live])
})

describe('a waiting delivery', () => {
  async function waits(target: Target): Promise<number> {
    const rows = await store
      .selectFrom('deliveries')
      .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
      .select('event_id')
      .where('chat', '=', target.id)
      .where('state', '=', 'waiting')
      .execute()
    return rows.length
  }

  beforeEach(async () => {
    for (const target of [ada, group]) {
      await subscriptions.subscribe(target, live)
      await subscriptions.subscribe(target, {
        kind: 'digest',
        setting: { hour: 1, zone: 'UTC' },
        scope: {},
      })
    }
    const rule = await idOf(ada, 'digest')
    const events = [digest({ key: 'a', rule, at: clock })]
    await store
      .transaction()
      .execute((tx) => storeEvents(tx, events, { chains: [8453], now: clock }))
    expect(await waits(ada)).toBe(1)
  })

  test('is dropped if its chat is muted, and those of other chats stay', async () => {
    await subscriptions.mute(ada, clock + 60)
    expect((await subscriptions.of(ada)).mutedUntil).toBe(clock + 60)
    expect(await waits(ada)).toBe(0)
    expect(await waits(group)).toBe(1)
  })

  test('stays when a mute is ended', async () => {
    await subscriptions.mute(ada, 0)
    expect(await waits(ada)).toBe(1)
  })

  test('is dropped with the chat’s last subscription', async () => {
    await subscriptions.unsubscribe(ada, await idOf(ada, 'live'))
    expect(await waits(ada)).toBe(1)
    await subscriptions.unsubscribe(ada, await idOf(ada, 'digest'))
    expect(await waits(ada)).toBe(0)
    expect(await waits(group)).toBe(1)
  })
})

test('the reason of a pause is shown until the chat is resumed', async () => {
  await subscriptions.subscribe(ada, live)
  const [{ id = 0 } = {}] = await store.selectFrom('chats').select('id').execute()
  await new Outbox(store, () => clock * 1000).pause(id, 'blocked')
  expect(await subscriptions.of(ada)).toMatchObject({
    subscriptions: [{ rule: live }],
    paused: 'blocked',
  })
  await subscriptions.resume(ada)
  expect((await subscriptions.of(ada)).paused).toBeUndefined()
})

describe('the rules in use', () => {
  test('are those with subscribers, with their memories', async () => {
    await subscriptions.subscribe(ada, {
      kind: 'progress',
      setting: { percents: [90, 25] },
      scope: {},
    })
    await subscriptions.subscribe(group, {
      kind: 'progress',
      setting: { percents: [10, 25] },
      scope: {},
    })
    await subscriptions.subscribe(ada, ending(30))
    await subscriptions.subscribe(group, ending(5))
    await subscriptions.subscribe(ada, price('0xAB'))
    const scope = { chain: 8453 }
    await subscriptions.subscribe(group, {
      kind: 'digest',
      setting: { hour: 8, zone: 'UTC' },
      scope,
    })
    const id = await idOf(ada, 'price')
    await store
      .transaction()
      .execute((tx) => storeMemory(tx, { rule: id, before: '', after: '{"at":1}' }))
    const inUse = await subscriptions.inUse()
    expect(inUse.map(({ kind, setting }) => ({ kind, setting }))).toEqual([
      { kind: 'progress', setting: { percents: [25, 90] } },
      { kind: 'progress', setting: { percents: [10, 25] } },
      { kind: 'ending', setting: { minutes: 30 } },
      { kind: 'ending', setting: { minutes: 5 } },
      { kind: 'price', setting: { above: '1.5' } },
      { kind: 'digest', setting: { hour: 8, zone: 'UTC' } },
    ])
    expect(inUse).toContainEqual({
      id,
      kind: 'price',
      scope: { asset: '0xab' },
      setting: { above: '1.5' },
      memory: '{"at":1}',
    })
  })

  test('are without those that only paused or muted chats have', async () => {
    await subscriptions.subscribe(ada, ending(30))
    await subscriptions.subscribe(group, ending(5))
    await subscriptions.mute(ada, clock + 60)
    await store.updateTable('chats').set({ paused: 'gone' }).where('chat', '=', '-100').execute()
    expect((await subscriptions.inUse()).map(({ setting }) => setting)).toEqual([])
    clock += 60
    expect((await subscriptions.inUse()).map(({ setting }) => setting)).toEqual([{ minutes: 30 }])
  })
})

describe('the memory of a rule', () => {
  const daily: Rule = { kind: 'digest', setting: { hour: 8, zone: 'UTC' }, scope: {} }
  const memory = async () => (await subscriptions.inUse()).map((each) => each.memory)

  test('is cleared if a chat subscribes after the last one left', async () => {
    await subscriptions.subscribe(ada, daily)
    await remembered()
    await subscriptions.unsubscribe(ada, await idOf(ada, 'digest'))
    await subscriptions.subscribe(group, daily)
    expect(await memory()).toEqual([''])
    await remembered()
    await subscriptions.change(group, await idOf(group, 'digest'), live)
    await subscriptions.change(group, await idOf(group, 'live'), daily)
    expect(await memory()).toEqual([''])
  })

  test('stays while the rule has any subscriber', async () => {
    await subscriptions.subscribe(ada, daily)
    await remembered()
    await subscriptions.subscribe(group, daily)
    await subscriptions.subscribe(ada, daily)
    await subscriptions.unsubscribe(ada, await idOf(ada, 'digest'))
    await subscriptions.change(group, await idOf(group, 'digest'), daily)
    expect(await memory()).toEqual(['x'])
  })

  async function remembered(): Promise<void> {
    const id = (await subscriptions.inUse())[0]?.id ?? 0
    const memory = { rule: id, before: '', after: 'x' }
    await store.transaction().execute((tx) => storeMemory(tx, memory))
  }
})

test('unused rules and chats are deleted, and nothing else', async () => {
  await subscriptions.subscribe(ada, live)
  await subscriptions.subscribe(group, live)
  await subscriptions.subscribe(group, ending(5))
  await subscriptions.unsubscribe(group, await idOf(group, 'ending'))
  await subscriptions.unsubscribe(group, await idOf(group, 'live'))
  const muted: Target = { platform: 'discord', kind: 'chat', id: '5' }
  await subscriptions.mute(muted, clock + 90_000)
  expect(await subscriptions.prune()).toBe(1)
  clock += 3601
  expect(await subscriptions.prune()).toBe(1)
  expect(await rules(ada)).toEqual([live])
  expect((await subscriptions.of(muted)).mutedUntil).toBe(clock - 3601 + 90_000)
  clock += 90_000
  expect(await subscriptions.prune()).toBe(1)
  expect(await subscriptions.prune()).toBe(0)
  expect(await count('chats')).toBe(1)
})

test('changes of one chat at the same time all succeed, and all of their updates are remembered', async () => {
  for (let round = 0; round < 6; round += 1) {
    for (const minutes of [5, 30]) await subscriptions.subscribe(group, ending(minutes))
    const { subscriptions: two } = await subscriptions.of(group)
    const [first = 0, second = 0] = two.map(({ id }) => id)
    await Promise.all([
      subscriptions.change(group, first, ending(60), `change ${round}`),
      subscriptions.subscribeAll(group, [ending(60)], `add ${round}`),
      subscriptions.unsubscribeAll(group, [second], `remove ${round}`),
      subscriptions.mute(group, 0, `unmute ${round}`),
    ])
    const { changedBy, subscriptions: left } = await subscriptions.of(group)
    const expected = ['change', 'add', 'remove', 'unmute'].map((change) => `${change} ${round}`)
    expect(changedBy).toEqual(expect.arrayContaining(expected))
    expect(left.map(({ rule }) => rule)).toEqual([ending(60)])
    await subscriptions.unsubscribeAll(
      group,
      left.map(({ id }) => id),
    )
  }
})
