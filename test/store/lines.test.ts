import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../src/store/database.ts'
import { StoredLines } from '../../src/store/lines.ts'
import { hostileText } from '../hostile.ts'

const day = 86_400

let folder: string
let file: string
let stores: Store[]
let now: number

async function open(): Promise<StoredLines> {
  const store = await openStore(file)
  stores.push(store)
  return new StoredLines(store, () => now)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-lines-'))
  file = join(folder, 'gavel.db')
  stores = []
  now = 1_700_000_000
})
afterEach(async () => {
  for (const store of stores) await store.destroy()
  await rm(folder, { recursive: true, force: true })
})

test('a line is found again under a short id, also after the file was closed', async () => {
  const id = await (await open()).keep('search "moon otter" chain:8453')
  expect(id).toMatch(/^[\w-]{16}$/u)
  await stores.pop()?.destroy()
  expect(await (await open()).find(id)).toBe('search "moon otter" chain:8453')
})

test('any line comes back as it was, and one line always has one id', async () => {
  const lines = await open()
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const line = text.toWellFormed()
      const id = await lines.keep(line)
      expect(await lines.find(id)).toBe(line)
      expect(await lines.keep(line)).toBe(id)
    }),
    { numRuns: 200 },
  )
})

test.each(['', 'AAAAAAAAAAAAAAAA', "' or 1=1 --", '__proto__'])(
  'nothing is found under %j',
  async (id) => {
    const lines = await open()
    await lines.keep('help')
    expect(await lines.find(id)).toBeUndefined()
  },
)

test('two connections to the same file find each other’s lines', async () => {
  const [one, other] = [await open(), await open()]
  const id = await one.keep('asset OTTER')
  expect(await other.find(id)).toBe('asset OTTER')
  expect(await other.keep('asset OTTER')).toBe(id)
  expect(await one.prune()).toBe(0)
})

test('what nobody was shown for half a year is forgotten, and nothing else', async () => {
  const lines = await open()
  const old = await lines.keep('old')
  const shownAgain = await lines.keep('shown again')
  now += 100 * day
  await lines.keep('shown again')
  const recent = await lines.keep('recent')
  now += 80 * day
  expect(await lines.prune()).toBe(0)
  now += 1
  expect(await lines.prune()).toBe(1)
  expect(await lines.find(old)).toBeUndefined()
  expect(await lines.find(shownAgain)).toBe('shown again')
  expect(await lines.find(recent)).toBe('recent')
  now += 101 * day
  expect(await lines.prune()).toBe(2)
})
