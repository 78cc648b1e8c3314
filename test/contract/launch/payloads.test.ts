import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../src/db/schema.ts'
import { discord } from '../../../src/discord/platform.ts'
import { UserError } from '../../../src/errors.ts'
import { Drafts } from '../../../src/launch/draft.ts'
import {
  ActivePayloadError,
  linkWorks,
  Payloads,
  payloadExpiresAt,
} from '../../../src/launch/payload.ts'
import { TestDatabase } from '../../database.ts'
import { ada, bob } from '../../unit/launch/harness.ts'
import { payloadBody as body } from '../../unit/launch/payload-body.ts'

let clock = 1_700_000_000
let database: TestDatabase
let store: Store
let payloads: Payloads
beforeEach(async () => {
  clock = 1_700_000_000
  database = await TestDatabase.make()
  store = await database.open()
  payloads = new Payloads(store, () => clock)
})
afterEach(() => database.remove())

async function linked(id: string) {
  const link = await payloads.newLink(id)
  if (!link) throw new Error('no link')
  return link
}

test('a draft has one active payload: a second is refused until the first has ended', async () => {
  const first = await payloads.create('draft1', body)
  await expect(payloads.create('draft1', body)).rejects.toThrow(ActivePayloadError)
  await payloads.create('draft2', body)
  await payloads.change(first.id, (each) => ({ ...each, state: 'expired' }))
  const second = await payloads.create('draft1', body)
  expect((await payloads.active('draft1'))?.id).toBe(second.id)
  expect(await payloads.ofDraft('draft1')).toHaveLength(2)
})

test('two that are created at once become one', async () => {
  const both = await Promise.allSettled([
    payloads.create('draft1', body),
    payloads.create('draft1', body),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a link’s token has 192 bits, is stored as its SHA-256 alone, and finds its payload', async () => {
  const { id } = await payloads.create('draft1', body)
  const { token, payload } = await linked(id)
  expect(Buffer.from(token, 'base64url')).toHaveLength(24)
  expect(token).toMatch(/^[\w-]{32}$/u)
  const row = await store.selectFrom('payloads').selectAll().executeTakeFirstOrThrow()
  expect(row.link).toBe(createHash('sha256').update(token).digest('hex'))
  expect(JSON.stringify(row)).not.toContain(token)
  expect(await payloads.findByLink(token)).toEqual(payload)
  expect(await payloads.findByLink(token.toLowerCase())).toBeUndefined()
  expect(await payloads.findByLink(row.link ?? '')).toBeUndefined()
  expect(await payloads.findByLink('')).toBeUndefined()
})

test('a new link replaces the old one, and works for an hour', async () => {
  const { id } = await payloads.create('draft1', body)
  const old = await linked(id)
  const fresh = await linked(id)
  expect(await payloads.findByLink(old.token)).toBeUndefined()
  expect(linkWorks(fresh.payload, clock + 3599)).toBe(true)
  expect(linkWorks(fresh.payload, clock + 3600)).toBe(false)
})

test('a link ends when the launch can no longer be made', async () => {
  const { id } = await payloads.create('draft1', { ...body, staleAt: clock + 900 })
  const { payload } = await linked(id)
  expect(payload.linkExpiresAt).toBe(clock + 900)
  expect(payloadExpiresAt(payload)).toBe(clock + 900)
})

test('only an active payload gets a link, and one that was revoked has none that works', async () => {
  const { id } = await payloads.create('draft1', body)
  const { token } = await linked(id)
  await payloads.change(id, (each) => ({ ...each, state: 'revoked' }))
  expect(await payloads.newLink(id)).toBeUndefined()
  const found = await payloads.findByLink(token)
  expect(found?.state).toBe('revoked')
  expect(found && linkWorks(found, clock)).toBe(false)
})

test('a payload ends a day after it was last handed out', async () => {
  const made = await payloads.create('draft1', body)
  expect(payloadExpiresAt(made)).toBe(clock + 86_400)
  clock += 80_000
  const { payload } = await linked(made.id)
  expect(payloadExpiresAt(payload)).toBe(clock + 86_400)
})

test('edits at the same time follow each other, so none is lost', async () => {
  const { id } = await payloads.create('draft1', body)
  const edit = () => payloads.change(id, (each) => ({ ...each, reports: each.reports + 1 }))
  await Promise.all([edit(), edit(), edit(), edit()])
  expect(await payloads.find(id)).toMatchObject({ reports: 4, rev: 5 })
})

test('a payload is read back as it was stored', async () => {
  const { id } = await payloads.create('draft1', { ...body, fromBlock: '12', of: 'x' })
  expect(await payloads.find(id)).toMatchObject({
    ...body,
    fromBlock: '12',
    of: 'x',
    state: 'active',
  })
  expect(await payloads.find('nothing')).toBeUndefined()
  expect(await payloads.change('nothing', (each) => each)).toBeUndefined()
})

test('a payload that is stored without a check is not verified, whatever it says', async () => {
  const { check: _, ...unchecked } = body
  const { id } = await payloads.create('draft1', { ...unchecked, verified: true })
  expect(await payloads.find(id)).toMatchObject({ verified: false })
})

test('a person has at most ten payloads that wait for a signature, and reads what to do about more', async () => {
  const drafts = new Drafts(store, () => clock)
  const built = async (who: typeof ada) => {
    const draft = await drafts.begin(who, { goal: 'launch' })
    const payload = await payloads.create(draft.id, body)
    await drafts.save({ ...draft, state: 'handed' })
    return payload
  }
  const [first] = [await built(ada)]
  for (let each = 1; each < 10; each += 1) await built(ada)
  const refusal = await built(ada).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UserError)
  expect(String(refusal)).toContain('Cancel one of them in /launches')
  await built(bob)
  await built({ ...ada, platform: discord })
  await payloads.change(first.id, (each) => ({ ...each, state: 'revoked' }))
  await built(ada)
  await expect(built(ada)).rejects.toThrow(UserError)
})

test('payloads that were never handed out don’t count', async () => {
  const drafts = new Drafts(store, () => clock)
  for (let each = 0; each < 12; each += 1) {
    const draft = await drafts.begin(ada, { goal: 'launch' })
    await payloads.create(draft.id, body)
    await drafts.save({ ...draft, state: 'cancelled' })
  }
})
