import { z } from 'zod'
import type { Store } from '../../src/db/schema.ts'

const day = 86_400

const digest = z.object({ date: z.iso.date() })
const movement = z.record(z.string(), z.looseObject({ toldAt: z.number() }))

/** Makes what the bot remembers of digests and movements a day older. */
export async function ageMemories(store: Store): Promise<void> {
  const filters = await store
    .selectFrom('filters')
    .select(['id', 'kind', 'memory'])
    .where('kind', 'in', ['digest', 'price', 'mcap'])
    .where('memory', '!=', '')
    .execute()
  for (const { id, kind, memory } of filters) {
    const older = kind === 'digest' ? olderDigest(memory) : olderMovement(memory)
    await store
      .updateTable('filters')
      .set({ memory: JSON.stringify(older) })
      .where('id', '=', id)
      .execute()
  }
}

/** How many digests the bot has not looked at yet. */
export async function digestsToBegin(store: Store): Promise<number> {
  const filters = await store
    .selectFrom('filters')
    .select('id')
    .where('kind', '=', 'digest')
    .where('memory', '=', '')
    .execute()
  return filters.length
}

function olderDigest(memory: string): z.output<typeof digest> {
  const { date } = digest.parse(JSON.parse(memory))
  return { date: new Date(Date.parse(date) - day * 1000).toISOString().slice(0, 10) }
}

function olderMovement(memory: string): z.output<typeof movement> {
  const chains = Object.entries(movement.parse(JSON.parse(memory)))
  return Object.fromEntries(
    chains.map(([chain, known]) => [chain, { ...known, toldAt: known.toldAt - day }]),
  )
}
