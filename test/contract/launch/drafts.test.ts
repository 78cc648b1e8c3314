import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { categories } from '../../../src/api/schema.ts'
import { discord } from '../../../src/discord/platform.ts'
import { type Draft, Drafts, StaleDraftError } from '../../../src/launch/draft.ts'
import { TestDatabase } from '../../database.ts'
import { hostileText } from '../../hostile.ts'
import { ada, bob } from '../../unit/launch/harness.ts'

const week = 7 * 86_400

let database: TestDatabase
let now: number

async function open(): Promise<Drafts> {
  const store = await database.open()
  return new Drafts(store, () => now)
}

beforeEach(async () => {
  database = await TestDatabase.make()
  now = 1_700_000_000
})
afterEach(() => database.remove())

const text = hostileText.map((each) => each.toWellFormed())
const address = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((each): `0x${string}` => `0x${each.toString(16).padStart(40, '0')}`)
const id = fc.string({ minLength: 1, maxLength: 8 })

/** Everything of a draft that a person or the building can change. */
const content = fc.record(
  {
    goal: fc.constantFrom('launch' as const, 'metadata' as const),
    answers: fc.record(
      {
        chain: fc.integer({ min: 1, max: 2 ** 48 }),
        template: text,
        name: text,
        symbol: text,
        description: text,
        picture: fc.option(fc.record({ cid: text, stored: fc.boolean() })),
        links: fc.array(fc.record({ label: text, url: text }), { maxLength: 4 }),
        categories: fc.subarray([...categories]),
        wallet: address,
        feeReceiver: fc.option(address),
        vesting: fc.array(
          fc.record({ address, amount: text, percentage: text }, { requiredKeys: ['address'] }),
          { maxLength: 3 },
        ),
        beneficiaries: fc.array(fc.record({ beneficiary: address, shares: text }), {
          maxLength: 3,
        }),
      },
      { requiredKeys: [] },
    ),
    askedQuestion: id,
    pendingPicture: text,
    knownSymbolAccepted: text,
    rejectedTexts: fc.dictionary(
      id.filter((each) => each !== '__proto__'),
      text,
      { noNullPrototype: true },
    ),
    announce: fc.boolean(),
    stepResults: fc.record(
      {
        picture: fc.record(
          { of: text, cid: text, isChecked: fc.boolean() },
          { requiredKeys: ['of', 'cid'] },
        ),
        metadata: fc.record({ of: text, uri: text }),
        built: fc.record({ of: text, answer: text }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['goal', 'answers', 'rejectedTexts', 'announce', 'stepResults'] },
)

test('any draft is read back as it was saved, even after the file was closed', async () => {
  let drafts = await open()
  const begun = await drafts.begin(ada, { origin: '-1', goal: 'launch' })
  let last: Draft = begun
  await fc.assert(
    fc.asyncProperty(content, async (changed) => {
      const { answers: _, ...frame } = begun
      last = await drafts.save({ ...frame, ...changed, rev: last.rev })
      expect(await drafts.find(begun.id)).toEqual({ ...frame, ...changed, rev: last.rev })
    }),
    { numRuns: 200 },
  )
  await database.close()
  drafts = await open()
  expect(await drafts.current(ada)).toEqual(last)
})

test('a person has one open draft: two presses at once get the same', async () => {
  const drafts = [await open(), await open(), await open()]
  const begun = await Promise.all(drafts.map((each) => each.begin(ada, { goal: 'launch' })))
  expect(new Set(begun.map((draft) => draft.id)).size).toBe(1)
  expect(begun[0]?.id).toMatch(/^[a-z0-9]{8}$/u)
  const [first] = drafts
  expect((await first?.begin(bob, { goal: 'metadata' }))?.id).not.toBe(begun[0]?.id)
  expect(await first?.current({ ...ada, platform: discord })).toBeUndefined()
})

test('of two changes of one rev the second is refused', async () => {
  const drafts = await open()
  const draft = await drafts.begin(ada, { goal: 'launch' })
  const saved = await drafts.save({ ...draft, answers: { name: 'One' } })
  expect(saved.rev).toBe(draft.rev + 1)
  await expect(drafts.save({ ...draft, answers: { name: 'Two' } })).rejects.toBeInstanceOf(
    StaleDraftError,
  )
  expect((await drafts.current(ada))?.answers.name).toBe('One')
})

test('a draft expires after a week in which nobody touched it, not a moment earlier', async () => {
  const drafts = await open()
  const draft = await drafts.begin(ada, { goal: 'launch' })
  now += week - 1
  expect((await drafts.current(ada))?.id).toBe(draft.id)
  expect(await drafts.expireOld()).toEqual([])
  expect(await drafts.expiredSince(ada)).toBeUndefined()
  now += 1
  expect(await drafts.current(ada)).toBeUndefined()
  expect(await drafts.expiredSince(ada)).toBe(draft.updatedAt)
  expect((await drafts.find(draft.id))?.state).toBe('expired')
  await drafts.begin(ada, { goal: 'launch' })
  expect(await drafts.expiredSince(ada)).toBeUndefined()
})

test('the sweep reports each expired draft once, and leaves others alone', async () => {
  const [drafts, twin] = [await open(), await open()]
  const old = await drafts.begin(ada, { goal: 'launch' })
  const built = await drafts.begin(bob, { goal: 'launch' })
  await drafts.save({ ...built, state: 'handed' })
  now += week
  const fresh = await drafts.begin(bob, { goal: 'launch' })
  const told = (await Promise.all([drafts.expireOld(), twin.expireOld()])).flat()
  expect(told.map(({ id: each, state }) => [each, state])).toEqual([[old.id, 'expired']])
  expect(await drafts.expireOld()).toEqual([])
  expect((await drafts.current(bob))?.id).toBe(fresh.id)
  expect((await drafts.find(built.id))?.state).toBe('handed')
})

test('a draft that is open is never pruned, however old; the sweep ends it first', async () => {
  const drafts = await open()
  const draft = await drafts.begin(ada, { goal: 'launch' })
  now += 400 * 86_400
  expect(await drafts.prune({ drafts: 90, launches: 365 })).toBe(0)
  expect(await drafts.find(draft.id)).toEqual(draft)
})

test('a draft that was read before it expired can no longer be saved', async () => {
  const drafts = await open()
  const draft = await drafts.begin(ada, { goal: 'launch' })
  now += week
  await drafts.expireOld()
  await expect(drafts.save(draft)).rejects.toBeInstanceOf(StaleDraftError)
})

test('a person’s drafts are listed from the newest, and no others nor discarded ones', async () => {
  const drafts = await open()
  const ids: string[] = []
  for (const state of ['done', 'cancelled', 'handed', 'open'] as const) {
    const draft = await drafts.begin(ada, { goal: 'launch' })
    if (state !== 'cancelled') ids.unshift(draft.id)
    await drafts.save({ ...draft, state })
    now += 1
  }
  await drafts.begin(bob, { goal: 'launch' })
  expect((await drafts.list(ada, 10)).map((draft) => draft.id)).toEqual(ids)
  expect((await drafts.list(ada, 2)).map((draft) => draft.id)).toEqual(ids.slice(0, 2))
})

test('of the drafts that a person ends within a day the last fifty are kept, and each that was built', async () => {
  const drafts = await open()
  const ended: string[] = []
  const end = async (state: Draft['state'], owner = ada) => {
    const draft = await drafts.begin(owner, { goal: 'launch' })
    await drafts.save({ ...draft, state })
    now += 60
    return draft.id
  }
  const kept = [await end('cancelled'), await end('cancelled', bob)]
  now += 86_400
  kept.push(await end('handed'), await end('launched'))
  for (let left = 60; left > 0; left -= 1) ended.push(await end(left % 2 ? 'cancelled' : 'done'))
  const { id } = await drafts.begin(ada, { goal: 'launch' })
  const found = await Promise.all([...kept, ...ended, id].map((each) => drafts.find(each)))
  expect(found.map((draft) => draft?.id)).toEqual([
    ...kept,
    ...Array(10).fill(undefined),
    ...ended.slice(10),
    id,
  ])
})
