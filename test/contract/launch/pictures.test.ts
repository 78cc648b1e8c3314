import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../src/db/schema.ts'
import { Drafts } from '../../../src/launch/draft.ts'
import { type Picture, rawCid } from '../../../src/launch/image.ts'
import { Payloads } from '../../../src/launch/payload.ts'
import { Pictures } from '../../../src/launch/pictures.ts'
import { TestDatabase } from '../../database.ts'
import { ada, bob } from '../../unit/launch/harness.ts'
import { payloadBody } from '../../unit/launch/payload-body.ts'

const day = 86_400

let database: TestDatabase
let store: Store
let pictures: Pictures
let now: number

beforeEach(async () => {
  database = await TestDatabase.make()
  await open()
  now = 1_700_000_000
})
afterEach(() => database.remove())

async function open(): Promise<void> {
  store = await database.open()
  pictures = new Pictures(store, () => now)
}

async function kept(content: string, among = pictures): Promise<Picture> {
  const bytes = new TextEncoder().encode(content)
  const picture: Picture = { cid: await rawCid(bytes), type: 'image/webp', bytes }
  await among.keep(picture)
  return picture
}

test('a picture is found by its CID, even after a restart', async () => {
  const cat = await kept('cat')
  await database.close()
  await open()
  expect(await pictures.find(cat.cid)).toEqual(cat)
})

test('a picture stored twice is there once', async () => {
  const cat = await kept('cat')
  await pictures.keep(cat)
  expect(await pictures.find(cat.cid)).toEqual(cat)
  expect(await store.selectFrom('pictures').select('cid').execute()).toHaveLength(1)
})

test.each(['', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku', "' or 1=1 --"])(
  'nothing is found under %j',
  async (cid) => {
    await kept('cat')
    expect(await pictures.find(cid)).toBeUndefined()
  },
)

test('changed bytes or a changed type in the file are not served, and storing the picture again corrects them', async () => {
  const cat = await kept('cat')
  const spoil = (set: { bytes: Uint8Array } | { type: string }) =>
    store.updateTable('pictures').set(set).where('cid', '=', cat.cid).execute()
  await spoil({ bytes: Buffer.from('dog') })
  expect(await pictures.find(cat.cid)).toBeUndefined()
  await pictures.keep(cat)
  expect(await pictures.find(cat.cid)).toEqual(cat)
  await spoil({ type: 'text/html' })
  expect(await pictures.find(cat.cid)).toBeUndefined()
})

test('pictures neither stored again nor read for 30 days are deleted, and nothing else', async () => {
  const [forgotten, keptAgain, lookedAt] = [await kept('a'), await kept('b'), await kept('c')]
  now += 20 * day
  await pictures.keep(keptAgain)
  await pictures.find(lookedAt.cid)
  now += 10 * day
  expect(await pictures.prune()).toBe(0)
  now += 1
  expect(await pictures.prune()).toBe(1)
  expect(await pictures.find(forgotten.cid)).toBeUndefined()
  expect(await pictures.find(keptAgain.cid)).toEqual(keptAgain)
  expect(await pictures.find(lookedAt.cid)).toEqual(lookedAt)
  now += 31 * day
  expect(await pictures.prune()).toBe(2)
})

test('a picture read again and again is written once a day', async () => {
  const { cid } = await kept('cat')
  const usedAt = async () => (await store.selectFrom('pictures').select('used_at_s').execute())[0]
  const first = now
  now += day - 1
  await pictures.find(cid)
  expect(await usedAt()).toEqual({ used_at_s: first })
  now += 1
  await pictures.find(cid)
  expect(await usedAt()).toEqual({ used_at_s: now })
})

test('of too many the longest unused are deleted, and can be stored again', async () => {
  const all: Picture[] = []
  for (const content of ['old', 'mid', 'new']) {
    all.push(await kept(content))
    now += day
  }
  const [old, mid, recent] = all
  // Used last, so that it stays though it came first.
  await pictures.find(old?.cid ?? '')
  const room = (bytes: number) => new Pictures(store, () => now, bytes).prune()
  expect(await room(9)).toBe(0)
  expect(await room(8)).toBe(1)
  expect(await pictures.find(mid?.cid ?? '')).toBeUndefined()
  expect(await pictures.find(recent?.cid ?? '')).toEqual(recent)
  expect(await room(2)).toBe(2)
  if (mid) await pictures.keep(mid)
  expect(await pictures.find(mid?.cid ?? '')).toEqual(mid)
})

test('a flood of pictures is bounded, and deletes none that a draft still needs', async () => {
  const small = new Pictures(store, () => now, 1000)
  const drafts = new Drafts(store, () => now)
  const payloads = new Payloads(store, () => now)
  const [offered, accepted, signed, cancelled, revoked] = await Promise.all(
    ['offered', 'accepted', 'signed', 'cancelled', 'revoked'].map((each) => kept(each, small)),
  )
  const draftWith = async (who: typeof ada, picture: Picture | undefined) => {
    const begun = await drafts.begin(who, { goal: 'launch' })
    const answers = { picture: picture ? { cid: picture.cid, stored: true } : null }
    return drafts.save({ ...begun, answers })
  }
  const handed = await draftWith(ada, signed)
  await drafts.save({ ...handed, state: 'handed' })
  await payloads.create(handed.id, payloadBody)
  const ended = await draftWith(ada, revoked)
  await drafts.save({ ...ended, state: 'handed' })
  const { id } = await payloads.create(ended.id, payloadBody)
  await payloads.change(id, (each) => ({ ...each, state: 'revoked' }))
  const dropped = await draftWith(ada, cancelled)
  await drafts.save({ ...dropped, state: 'cancelled' })
  await draftWith(ada, accepted)
  const open = await drafts.begin(bob, { goal: 'launch' })
  await drafts.save({ ...open, pendingPicture: offered?.cid ?? '' })
  now += 60
  let last: Picture | undefined
  for (let each = 0; each < 100; each += 1) {
    last = await kept(`a picture that nobody needs, no. ${each}`, small)
    const rows = await store.selectFrom('pictures').select('bytes').execute()
    const total = rows.reduce((sum, { bytes }) => sum + bytes.length, 0)
    expect(total).toBeLessThanOrEqual(1000)
  }
  for (const needed of [offered, accepted, signed, last]) {
    expect(await small.find(needed?.cid ?? '')).toEqual(needed)
  }
  for (const gone of [cancelled, revoked]) {
    expect(await small.find(gone?.cid ?? '')).toBeUndefined()
  }
})

test('if all are needed the bound holds nonetheless, and the last one stays', async () => {
  const small = new Pictures(store, () => now, 40)
  const drafts = new Drafts(store, () => now)
  const all: Picture[] = []
  for (let each = 10; each < 20; each += 1) {
    const picture = await kept(`picture ${each}`, small)
    expect(await small.find(picture.cid)).toEqual(picture)
    const begun = await drafts.begin({ ...ada, user: String(each) }, { goal: 'launch' })
    await drafts.save({ ...begun, pendingPicture: picture.cid })
    all.push(picture)
    now += 1
  }
  const found = await Promise.all(all.map(({ cid }) => small.find(cid)))
  expect(found.filter((each) => each !== undefined)).toEqual(all.slice(-4))
})
