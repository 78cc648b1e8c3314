import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dialects } from '../../../sandbox/api/dialects.ts'
import { figuresOf } from '../../../src/api/figures.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { openStore } from '../../../src/db/database.ts'
import { recordedChanges } from '../../../src/doctor/facts.ts'
import { checkUnits } from '../../../src/doctor/units.ts'
import { listed } from './dialects.ts'

const now = 1_790_000_000
const hour = 3600

type History = readonly { at: number; price?: string }[]

/** A bot's database with what it recorded of these assets. */
async function recorded(histories: Readonly<Record<string, History>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gavel-seen-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'gavel.db')
  const store = await openStore(file)
  for (const [asset, history] of Object.entries(histories)) {
    const row = { chain: 8453, asset, phase: 'live', body: '{}', updated_at: 0 }
    await store
      .insertInto('watched_assets')
      .values({ ...row, history: JSON.stringify(history) })
      .execute()
  }
  await store.destroy()
  return file
}

test('the change in a day is that from the price recorded a day ago to the last one', async () => {
  const file = await recorded({
    '0xup': [
      { at: now - 30 * hour, price: '1' },
      { at: now - 25 * hour, price: '2' },
      { at: now - 12 * hour, price: '9' },
      { at: now - 60, price: '3' },
    ],
    '0xyoung': [{ at: now - 60, price: '3' }],
    '0xold': [
      { at: now - 60 * hour, price: '2' },
      { at: now - 60, price: '3' },
    ],
    '0xstill': [{ at: now - 25 * hour, price: '2' }],
  })
  expect(await recordedChanges(file, now)).toEqual(new Map([['0xup', 0.5]]))
})

test('a missing or invalid database gives no changes, and none is created', async () => {
  expect(await recordedChanges(join(tmpdir(), 'no-such-folder', 'gavel.db'), now)).toEqual(
    new Map(),
  )
  expect(await recordedChanges(new URL(import.meta.url).pathname, now)).toEqual(new Map())
  expect(await recordedChanges('postgres://nobody:none@127.0.0.1:1/none', now)).toEqual(new Map())
})

test.each([
  ['usual', 'ratio', 'percent'],
  ['percents', 'percent', 'ratio'],
] as const)(
  'the bot’s recorded prices decide in %s whether a change is a %s',
  async (name, unit, other) => {
    const dialect = dialects[name]
    const assets = await listed(dialect)
    const recorded = new Map(
      assets.flatMap((asset) => {
        const change = figuresOf(asset, { ...defaultUnits, pool_price_change_24h: unit }).change24h
        return change === undefined
          ? []
          : [[asset.asset_address.toLowerCase(), Number(change) * 1.2] as const]
      }),
    )
    const checked = (set: 'ratio' | 'percent') =>
      checkUnits(assets, { ...defaultUnits, pool_price_change_24h: set }, { recorded }).find(
        ({ field }) => field === 'pool_price_change_24h',
      )
    expect(checked(unit)).toMatchObject({ verdict: 'ok' })
    expect(checked(other)).toMatchObject({ verdict: 'wrong', better: unit })
  },
)
