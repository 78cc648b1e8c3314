import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administer } from '../../../src/admin/actions.ts'
import { Blocklist } from '../../../src/db/blocklist.ts'
import type { Store } from '../../../src/db/schema.ts'
import { Drafts } from '../../../src/launch/draft.ts'
import { Payloads } from '../../../src/launch/payload.ts'
import { TestDatabase } from '../../database.ts'
import { noJobs } from '../../settings.ts'
import { countTurns } from '../../turns.ts'
import { ada } from '../../unit/launch/harness.ts'
import { payloadBody } from '../../unit/launch/payload-body.ts'
import { furnish } from '../db/installation.ts'

/**
 * What each column may say of a person or a chat. A new column fails the first test here until it is entered; one that can
 * name somebody has to be covered by `forget`, and by `furnishMore` below.
 */
const columns: Record<string, Record<string, 'names' | 'text' | 'nobody'>> = {
  callback_lines: { id: 'nobody', line: 'text', shown_at_s: 'nobody' },
  drafts: {
    id: 'nobody',
    platform: 'nobody',
    person: 'names',
    origin: 'names',
    rev: 'nobody',
    state: 'nobody',
    body: 'text',
    created_at_s: 'nobody',
    updated_at_s: 'nobody',
  },
  payloads: {
    id: 'nobody',
    draft: 'nobody',
    state: 'nobody',
    link: 'nobody',
    link_expires_at_s: 'nobody',
    body: 'text',
    rev: 'nobody',
    created_at_s: 'nobody',
    updated_at_s: 'nobody',
  },
  pictures: { cid: 'nobody', type: 'nobody', bytes: 'nobody', used_at_s: 'nobody' },
  // Keys and bodies name drafts and payloads alone; a job whose draft is gone ends at its next run.
  jobs: {
    key: 'nobody',
    kind: 'nobody',
    body: 'nobody',
    state: 'nobody',
    run_at_s: 'nobody',
    attempts: 'nobody',
    reason: 'nobody',
    updated_at_s: 'nobody',
    failing_since_s: 'nobody',
  },
  // A rule that nobody has any more goes within the hour.
  rules: {
    id: 'nobody',
    kind: 'nobody',
    chain: 'nobody',
    asset: 'nobody',
    numeraire: 'nobody',
    creator: 'nobody',
    category: 'nobody',
    setting: 'nobody',
    memory: 'nobody',
  },
  chats: {
    id: 'nobody',
    platform: 'nobody',
    kind: 'nobody',
    chat: 'names',
    thread: 'nobody',
    paused: 'nobody',
    muted_until_s: 'nobody',
    next_at_ms: 'nobody',
    due_at_ms: 'nobody',
    created_at_s: 'nobody',
    changed_by: 'nobody',
  },
  subscriptions: {
    rule_id: 'nobody',
    chat_id: 'names',
    created_at_s: 'nobody',
    role: 'nobody',
    role_name: 'nobody',
  },
  watched_chains: { chain: 'nobody', begun_at_s: 'nobody', body: 'nobody' },
  watched_assets: {
    chain: 'nobody',
    asset: 'nobody',
    phase: 'nobody',
    body: 'nobody',
    history: 'nobody',
    updated_at_s: 'nobody',
  },
  events: {
    id: 'nobody',
    key: 'nobody',
    kind: 'nobody',
    chain: 'nobody',
    asset: 'nobody',
    body: 'nobody',
    happened_at_s: 'nobody',
    found_at_s: 'nobody',
    useful_until_s: 'nobody',
    slices_after: 'nobody',
  },
  deliveries: {
    event_id: 'nobody',
    chat_id: 'names',
    state: 'nobody',
    run_at_s: 'nobody',
    attempts: 'nobody',
    claim: 'nobody',
    reason: 'nobody',
    updated_at_s: 'nobody',
    role: 'nobody',
  },
  live_messages: {
    chat_id: 'names',
    message: 'nobody',
    chain: 'nobody',
    asset: 'nobody',
    shown: 'nobody',
    due_at_s: 'nobody',
    over_at_s: 'nobody',
    created_at_s: 'nobody',
  },
  bots: { platform: 'nobody', id: 'nobody' },
  chat_settings: {
    platform: 'nobody',
    chat: 'names',
    language: 'nobody',
    seen_language: 'nobody',
    cards: 'nobody',
    quiet_from: 'nobody',
    quiet_to: 'nobody',
    zone: 'nobody',
    changed_at_ms: 'nobody',
  },
  pending_questions: {
    platform: 'nobody',
    person: 'names',
    chat: 'names',
    line: 'text',
    asked_at_s: 'nobody',
    answered_by: 'nobody',
  },
  watchlist: {
    platform: 'nobody',
    person: 'names',
    chain: 'nobody',
    asset: 'nobody',
    price: 'nobody',
    currency: 'nobody',
    added_at_s: 'nobody',
  },
  managed_chats: { platform: 'nobody', person: 'names', chat: 'names', seen_at_s: 'nobody' },
  // `who` stays: an administrator answers for what they did.
  admin_log: { id: 'nobody', who: 'nobody', what: 'text', outcome: 'text', done_at_s: 'nobody' },
  // Stays until `unblock`, and says so.
  blocked_people: {
    platform: 'nobody',
    person: 'nobody',
    blocked_at_s: 'nobody',
    noticed: 'nobody',
  },
}

/** Ids that are part of nothing else in the database. */
const person = '7007007007'
const group = '-1008008008008'
const now = () => Math.floor(Date.now() / 1000)

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

/** An installation in which the person and the group are everywhere. */
async function furnishMore(): Promise<void> {
  await furnish(store)
  // Its person and group get ids that can be searched for.
  for (const [table, column] of [
    ['drafts', 'person'],
    ['chats', 'chat'],
    ['chat_settings', 'chat'],
    ['watchlist', 'person'],
    ['managed_chats', 'person'],
  ]) {
    await sql`update ${sql.table(table ?? '')} set ${sql.ref(column ?? '')} = ${person}
      where ${sql.ref(column ?? '')} = '7'`.execute(store)
  }
  for (const [table, column] of [
    ['drafts', 'origin'],
    ['chats', 'chat'],
    ['chat_settings', 'chat'],
    ['managed_chats', 'chat'],
  ]) {
    await sql`update ${sql.table(table ?? '')} set ${sql.ref(column ?? '')} = ${group}
      where ${sql.ref(column ?? '')} = '-1008'`.execute(store)
  }
  const values = { platform: 'telegram', person, chat: group, line: `alerts in:${group}` } as const
  await store
    .insertInto('pending_questions')
    .values({ ...values, asked_at_s: now() })
    .execute()
  await store
    .insertInto('callback_lines')
    .values([
      { id: 'one', line: `alerts remove in:${group}`, shown_at_s: 1 },
      { id: 'two', line: `asset 0x${person}${person}${person}${person}`, shown_at_s: 1 },
      { id: 'three', line: `admin yes forget person telegram:${person}`, shown_at_s: 1 },
    ])
    .execute()
  await store
    .insertInto('admin_log')
    .values([
      { who: 'ada', what: `chats pause telegram:${group}`, outcome: 'Paused.', done_at_s: 1 },
      {
        who: 'ada',
        what: `block person telegram:${person}`,
        outcome: `telegram:${person}`,
        done_at_s: 1,
      },
    ])
    .execute()
  // Somebody else's launch that was announced in the group.
  const drafts = new Drafts(store, now)
  const payloads = new Payloads(store, now)
  const draft = await drafts.begin({ ...ada, user: '12' }, { origin: group, goal: 'launch' })
  const { id } = await payloads.create(draft.id, payloadBody)
  await payloads.change(id, (each) => ({ ...each, announced: [group, '-1'] }))
}

/** The places where a text stands. */
async function placesOf(text: string): Promise<string[]> {
  const tables = await store.introspection.getTables()
  const places: string[] = []
  for (const { name, columns } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      store,
    )
    for (const { name: column } of columns)
      for (const row of rows)
        if (String(row[column]).includes(text)) places.push(`${name}.${column}`)
  }
  return [...new Set(places)].sort()
}

function says(line: string) {
  return administer(line, 'ada', { store, now, jobs: noJobs })
}

test('of each column it is decided whether it can name a person or a chat', async () => {
  const tables = await store.introspection.getTables()
  const found = Object.fromEntries(
    tables.map((table) => [table.name, table.columns.map(({ name }) => name).sort()]),
  )
  const decided = Object.fromEntries(
    Object.entries(columns).map(([table, each]) => [table, Object.keys(each).sort()]),
  )
  expect(decided).toEqual(found)
})

test('every column that can name somebody does so before the tests below', async () => {
  await furnishMore()
  const places = new Set([...(await placesOf(person)), ...(await placesOf(group))])
  const naming = Object.entries(columns).flatMap(([table, each]) =>
    Object.entries(each).flatMap(([column, kind]) =>
      kind === 'nobody' || column === 'chat_id' ? [] : [`${table}.${column}`],
    ),
  )
  // The body of a draft holds what the person typed, and goes with the draft.
  const missing = naming.filter((place) => !places.has(place) && place !== 'drafts.body')
  expect(missing).toEqual([])
})

test('a person is forgotten everywhere, after a question that says what', async () => {
  await furnishMore()
  const asked = await says(`forget person telegram:${person}`)
  expect(asked.confirm?.question).toContain('can’t be undone')
  expect(asked.lines.join('\n')).toMatch(/watched tokens: 2[\s\S]*pictures|alerts: 1/u)
  // Nothing was done yet.
  expect((await placesOf(person)).length).toBeGreaterThan(5)
  const { lines } = await says(asked.confirm?.line ?? '')
  expect(lines.join('\n')).toContain('watched tokens: 2')
  expect(lines.join('\n')).toContain('payloads with their links: 1')
  // An address that happens to have the same digits is somebody else's.
  expect(await placesOf(person)).toEqual(['callback_lines.line'])
  expect(
    await store
      .selectFrom('callback_lines')
      .select('id')
      .where('id', 'in', ['two', 'three'])
      .execute(),
  ).toEqual([{ id: 'two' }])
  expect(await store.selectFrom('payloads').select('draft').execute()).toHaveLength(1)
  expect((await says(`forget person telegram:${person}`)).lines[0]).toContain('Nothing is stored')
})

test('what a forgotten person’s chat had is gone with its row, and others keep theirs', async () => {
  await furnishMore()
  const others = async (table: 'subscriptions' | 'deliveries' | 'live_messages') =>
    (await store.selectFrom(table).select('chat_id').execute()).map((row) => row.chat_id)
  expect(await others('live_messages')).toEqual([1])
  await says(`yes forget person telegram:${person}`)
  expect(await others('live_messages')).toEqual([])
  expect(new Set(await others('subscriptions'))).toEqual(new Set([2]))
  expect(new Set(await others('deliveries'))).toEqual(new Set([2]))
})

test('a group is forgotten everywhere; launches that began or were announced there stay, without it', async () => {
  await furnishMore()
  const drafts = await store.selectFrom('drafts').select('id').execute()
  const { lines } = await says(`yes chats forget telegram:${group}`)
  expect(lines.join('\n')).toContain(
    'launches announced in it, which stay without the mention of it: 1',
  )
  expect(await placesOf(group)).toEqual([])
  expect(await store.selectFrom('drafts').select('id').execute()).toEqual(drafts)
  const bodies = await store.selectFrom('payloads').select('body').execute()
  expect(bodies.some(({ body }) => body.includes('"announced":["-1"]'))).toBe(true)
})

test('that somebody is blocked stays, and is said', async () => {
  await new Blocklist(store, now).block({ platform: 'telegram', id: person })
  const { lines } = await says(`forget person telegram:${person}`)
  expect(lines.join('\n')).toContain('Their block is kept')
  await says(`yes forget person telegram:${person}`)
  expect(await placesOf(person)).toEqual(['blocked_people.person'])
})

test('it is written down that somebody was forgotten, without who it was', async () => {
  await furnishMore()
  await says(`yes forget person telegram:${person}`)
  const log = (await says('log')).lines.join('\n')
  expect(log).toContain('ada: forget person – Removed:')
  expect(log).toContain('block person telegram:forgotten – telegram:forgotten')
  expect(log).not.toContain(person)
})

test('another’s id that begins with the same digits is another', async () => {
  await furnishMore()
  const before = await placesOf(person)
  await says(`yes forget person telegram:${person.slice(0, -1)}`)
  await says(`yes forget person discord:${person}`)
  const left = (await placesOf(person)).filter((place) => before.includes(place))
  expect(left).toEqual(before)
})

test('a short id is forgotten only where it names somebody', async () => {
  const lines = [
    { id: 'page', line: 'alerts remove page:5 in:-1008', shown_at_s: 1 },
    { id: 'amount', line: 'alerts add raised 5', shown_at_s: 1 },
    { id: 'longer', line: 'admin yes forget person telegram:55', shown_at_s: 1 },
    { id: 'elsewhere', line: 'admin yes forget person discord:5', shown_at_s: 1 },
    { id: 'person', line: 'admin page:2 yes forget person telegram:5', shown_at_s: 1 },
    { id: 'chat', line: 'alerts list in:5 page:2', shown_at_s: 1 },
  ]
  await store.insertInto('callback_lines').values(lines).execute()
  await store
    .insertInto('admin_log')
    .values([
      { who: 'ada', what: 'block person telegram:5', outcome: null, done_at_s: 1 },
      { who: 'ada', what: 'block person telegram:55', outcome: null, done_at_s: 1 },
    ])
    .execute()
  const { lines: said } = await says('yes forget person telegram:5')
  expect(said).toContain('  stored button lines that name it: 2')
  expect(said).toContain('  entries of the administrators’ log that named it: 1')
  const left = await store.selectFrom('callback_lines').select('id').orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual(['amount', 'elsewhere', 'longer', 'page'])
})

test('stored lines are searched a part at a time, and all of them', async () => {
  const many = Array.from({ length: 450 }, (_, index) => ({
    id: `line ${index}`,
    line: index % 3 === 0 ? `alerts list in:${group}` : 'alerts list',
    shown_at_s: 1,
  }))
  await store.insertInto('callback_lines').values(many).execute()
  const turns = countTurns()
  const { lines } = await says(`yes chats forget telegram:${group}`)
  expect(turns()).toBeGreaterThanOrEqual(4)
  expect(lines).toContain('  stored button lines that name it: 150')
})
