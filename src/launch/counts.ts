import { z } from 'zod'
import type { Store } from '../db/schema.ts'
import { active } from '../db/sql.ts'
import { type DraftState, draftStates } from './draft.ts'

/** The launches in a state. */
export interface LaunchCount {
  /** `signed`: handed out, and a transaction was reported that the chain does not show as the launch yet. */
  state: LaunchState
  /** At most the number that was asked for. */
  count: number
  /** Seconds for which the one that has waited longest has been in it; undefined if they have ended. */
  oldest: number | undefined
}

type LaunchState = DraftState | 'signed'

/** States of launches that go on. */
const openStates: readonly LaunchState[] = ['open', 'handed', 'signed']

/** Counts the launches by state, at `now` (unix seconds), up to `max` of each, by indexes. */
export async function countLaunches(
  store: Store,
  now: number,
  max: number,
): Promise<LaunchCount[]> {
  const signed = await signedSince(store, max)
  const counts: LaunchCount[] = []
  for (const state of draftStates) {
    const { count, first } = await draftsIn(store, state, max)
    const others = state === 'handed' ? Math.max(0, count - signed.length) : count
    counts.push(countOf(state, others, first, now))
  }
  const earliest = signed.length === 0 ? null : Math.min(...signed)
  counts.push(countOf('signed', signed.length, earliest, now))
  return counts
}

function countOf(
  state: LaunchState,
  count: number,
  first: number | null,
  now: number,
): LaunchCount {
  if (!openStates.includes(state)) return { state, count, oldest: undefined }
  return { state, count, oldest: count === 0 || first === null ? 0 : Math.max(0, now - first) }
}

function draftsIn(store: Store, state: DraftState, max: number) {
  return store
    .selectFrom((from) =>
      from
        .selectFrom('drafts')
        .select('updated_at_s')
        .where('state', '=', state)
        .orderBy('updated_at_s')
        .limit(max)
        .as('some'),
    )
    .select((row) => [
      row.fn.countAll<number>().as('count'),
      row.fn.min('updated_at_s').as('first'),
    ])
    .executeTakeFirstOrThrow()
}

const reportedSchema = z.object({ reported: z.object({ at: z.number() }) })

/** Unix seconds at which the transactions were reported that may launch something. */
async function signedSince(store: Store, max: number): Promise<number[]> {
  const rows = await store
    .selectFrom('payloads')
    .select('body')
    .where('state', '=', active)
    // Quotes inside a text are escaped, so this matches the key only.
    .where('body', 'like', '%"reported":{%')
    .limit(max)
    .execute()
  return rows.flatMap(
    ({ body }) => reportedSchema.safeParse(JSON.parse(body)).data?.reported.at ?? [],
  )
}
