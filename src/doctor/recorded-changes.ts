import { z } from 'zod'
import { historySchema, type Point } from '../alerts/snapshot.ts'
import { readOnly } from '../db/read-only.ts'

/** Price changes in about a day that the bot recorded, by lower-case address, as a ratio: 0.154 is +15.4%. */
export type RecordedChanges = ReadonlyMap<string, number>

const rowSchema = z.array(z.object({ asset: z.string(), history: z.string() }))
const maxRows = 500
const hour = 3600
const query = `select asset, history from watched_assets where phase in ('live', 'graduated') limit ${maxRows}`

/**
 * Reads the bot's recorded prices of a day ago and now. Read-only, so it may run beside the bot; empty if the database
 * can't be read or has another version.
 * @param now unix seconds
 */
export async function recordedChanges(database: string, now: number): Promise<RecordedChanges> {
  try {
    const rows = rowSchema.parse(await readOnly(database, query))
    return new Map(
      rows.flatMap(({ asset, history }) => {
        const change = changeIn(historySchema.parse(JSON.parse(history)), now)
        return change === undefined ? [] : [[asset.toLowerCase(), change] as const]
      }),
    )
  } catch {
    return new Map()
  }
}

/** Returns the change from the last price that is about a day old to the newest; undefined if one is missing. */
function changeIn(history: readonly Point[], now: number): number | undefined {
  const priced = history.filter(({ price }) => Number(price) > 0)
  const last = priced.at(-1)
  // A price holds until the next is recorded.
  const before = priced.findLast(({ at }) => at <= now - 24 * hour)
  if (!last || !before || before.at < now - 48 * hour || last.at < now - 2 * hour) return undefined
  return Number(last.price) / Number(before.price) - 1
}
