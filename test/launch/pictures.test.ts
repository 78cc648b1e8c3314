import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rawCid } from '../../src/launch/cid.ts'
import type { Picture } from '../../src/launch/picture.ts'
import { Pictures } from '../../src/launch/pictures.ts'
import { openStore, type Store } from '../../src/store/database.ts'

const day = 86_400

let folder: string
let store: Store
let pictures: Pictures
let now: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-pictures-'))
  await open()
  now = 1_700_000_000
})
afterEach(async () => {
  await store.destroy()
  await rm(folder, { recursive: true, force: true })
})

async function open(): Promise<void> {
  store = await openStore(join(folder, 'gavel.db'))
  pictures = new Pictures(store, () => now)
}

async function kept(content: string): Promise<Picture> {
  const bytes = new TextEncoder().encode(content)
  const picture: Picture = { cid: await rawCid(bytes), type: 'image/webp', bytes }
  await pictures.keep(picture)
  return picture
}

test('a picture is found again under its CID, also after a restart', async () => {
  const cat = await kept('cat')
  await store.destroy()
  await open()
  expect(await pictures.find(cat.cid)).toEqual(cat)
})

test('kept twice it is there once', async () => {
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

test('bytes or a kind that were changed in the file are not handed out, and can be put right', async () => {
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

test('what was neither kept again nor looked at for 30 days is forgotten, and nothing else', async () => {
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

test('a picture looked at again and again is written once a day', async () => {
  const { cid } = await kept('cat')
  const usedAt = async () => (await store.selectFrom('pictures').select('used_at').execute())[0]
  const first = now
  now += day - 1
  await pictures.find(cid)
  expect(await usedAt()).toEqual({ used_at: first })
  now += 1
  await pictures.find(cid)
  expect(await usedAt()).toEqual({ used_at: now })
})

test('of too many the longest unused go, and can come back', async () => {
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
