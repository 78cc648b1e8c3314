import { z } from 'zod'
import { isPerRule, kindsWhere } from '../../src/alerts/kinds/list.ts'
import type { Store } from '../../src/db/schema.ts'

const day = 86_400

const digest = z.object({ date: z.iso.date() })
const lastNotified = z.record(z.string(), z.looseObject({ notifiedAt: z.number() }))

/** Makes the stored memories of rules a day older. */
export async function ageMemories(store: Store): Promise<void> {
  const rules = await store
    .selectFrom('rules')
    .select(['id', 'kind', 'memory'])
    .where('kind', 'in', kindsWhere(isPerRule))
    .where('memory', '!=', '')
    .execute()
  for (const { id, kind, memory } of rules) {
    const older = kind === 'digest' ? olderDigest(memory) : olderNotification(memory)
    await store
      .updateTable('rules')
      .set({ memory: JSON.stringify(older) })
      .where('id', '=', id)
      .execute()
  }
}

/** How many digest rules have no memory yet. */
export async function digestsToBegin(store: Store): Promise<number> {
  const rules = await store
    .selectFrom('rules')
    .select('id')
    .where('kind', '=', 'digest')
    .where('memory', '=', '')
    .execute()
  return rules.length
}

function olderDigest(memory: string): z.output<typeof digest> {
  const { date } = digest.parse(JSON.parse(memory))
  return { date: new Date(Date.parse(date) - day * 1000).toISOString().slice(0, 10) }
}

function olderNotification(memory: string): z.output<typeof lastNotified> {
  const chains = Object.entries(lastNotified.parse(JSON.parse(memory)))
  return Object.fromEntries(
    chains.map(([chain, known]) => [chain, { ...known, notifiedAt: known.notifiedAt - day }]),
  )
}
