import { forgetChatRows } from '../alerts/known-chats.ts'
import type { Store } from '../db/schema.ts'
import { rangesOf } from '../db/sql.ts'
import { picturesOf } from '../launch/draft.ts'
import { Payloads } from '../launch/payload.ts'
import {
  type Action,
  type Admin,
  AdminError,
  type Id,
  idText,
  type Plan,
  readId,
  wordsOf,
} from './action.ts'

/** Removes all that is kept of somebody. */
export const forget: Action = {
  name: 'forget',
  uses: [['forget person telegram:123456', 'removes all that is kept of them, and says what']],
  plan: async (words, office) => {
    const [word, target, ...more] = wordsOf(words)
    if (word !== 'person' || more.length > 0)
      throw new AdminError(
        'Whom? forget person telegram:123456. For a group: chats forget telegram:-100123456',
      )
    return planForgetting('person', readId(target), office)
  },
}

type Kind = 'person' | 'chat'

/** Removed rows: of what, in words, and how many. */
type Removed = readonly [what: string, rows: number]

export async function planForgetting(kind: Kind, id: Id, office: Admin): Promise<Plan> {
  const found = await wouldRemove(kind, id, office)
  const kept = await keptOf(kind, id, office)
  if (found.length === 0) return { lines: [`Nothing is kept of ${idText(id)}.`, ...kept] }
  return {
    lines: [`Of ${idText(id)} these would be removed:`, ...linesOf(found), ...kept],
    change: {
      // Without the id, which is not to be kept either.
      what: kind === 'person' ? 'forget person' : 'chats forget',
      question: `Remove all that is kept of ${idText(id)}? It can’t be undone.`,
      apply: async () => {
        const named = await linesNaming(id, office.store)
        const removed = await office.store
          .transaction()
          .execute((tx) => remove(tx, kind, id, named, office.now))
        return ['Removed:', ...linesOf(removed), ...kept]
      },
    },
  }
}

function linesOf(removed: readonly Removed[]): string[] {
  return removed.map(([what, rows]) => `  ${what}: ${rows}`)
}

async function keptOf(kind: Kind, { platform, id }: Id, { store }: Admin): Promise<string[]> {
  const blocked = await store
    .selectFrom('blocked_people')
    .select('person')
    .where('platform', '=', platform)
    .where('person', '=', id)
    .execute()
  return [
    ...(blocked.length > 0 ? ['Kept: that they are blocked. unblock removes it.'] : []),
    ...(kind === 'person'
      ? ['Groups that they set up keep their alerts: chats forget removes those.']
      : []),
    'Not reached: what the platform itself keeps, logs, and copies of the database.',
  ]
}

/** Tries it in a transaction that is then undone. */
async function wouldRemove(kind: Kind, id: Id, { store, now }: Admin): Promise<readonly Removed[]> {
  class Undone extends Error {}
  const named = await linesNaming(id, store)
  let removed: readonly Removed[] = []
  try {
    await store.transaction().execute(async (tx) => {
      removed = await remove(tx, kind, id, named, now)
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return removed
}

async function remove(
  tx: Store,
  kind: Kind,
  id: Id,
  lines: readonly string[],
  now: () => number,
): Promise<Removed[]> {
  // Before what they are found by is gone.
  const launches = kind === 'person' ? await removeLaunches(tx, id) : []
  const { chats, alerts, deliveries, messages } = await forgetChatRows(tx, id.platform, id.id)
  const all: Removed[] = [
    ['chats and topics with alerts', chats],
    ['alerts', alerts],
    ['deliveries', deliveries],
    ['live messages', messages],
    ...launches,
    ...(kind === 'person' ? await removeOfPerson(tx, id) : []),
    ...(await removeOfChat(tx, id, now)),
    ['stored button lines that name it', await removeLines(tx, lines)],
    ['entries of the administrators’ log that named it', await redactLog(tx, id)],
  ]
  return all.filter(([, rows]) => rows > 0)
}

async function removeOfPerson(tx: Store, id: Id): Promise<Removed[]> {
  return [
    ['watched tokens', await removeRows(tx, 'watchlist', 'person', id)],
    ['chats that they manage', await removeRows(tx, 'managed_chats', 'person', id)],
    ['questions that were open', await removeRows(tx, 'value_questions', 'person', id)],
  ]
}

type TableOfIds = 'watchlist' | 'managed_chats' | 'value_questions' | 'chat_settings'

/** Deletes the rows of a table in which a column names somebody or a chat; returns how many. */
async function removeRows(
  tx: Store,
  table: TableOfIds,
  column: 'person' | 'chat',
  { platform, id }: Id,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where('platform', '=', platform)
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Drafts with their payloads, and the pictures that no other draft names. */
async function removeLaunches(tx: Store, { platform, id }: Id): Promise<Removed[]> {
  const drafts = await tx
    .deleteFrom('drafts')
    .where('platform', '=', platform)
    .where('person', '=', id)
    .returning(['id', 'body'])
    .execute()
  if (drafts.length === 0) return []
  const payloads = await tx
    .deleteFrom('payloads')
    .where(
      'draft',
      'in',
      drafts.map((draft) => draft.id),
    )
    .executeTakeFirstOrThrow()
  let pictures = 0
  for (const cid of new Set(drafts.flatMap(({ body }) => picturesOf(body)))) {
    const others = await tx
      .selectFrom('drafts')
      .select('id')
      .where('body', 'like', `%"${cid}"%`)
      .limit(1)
      .execute()
    if (others.length > 0) continue
    const { numDeletedRows } = await tx
      .deleteFrom('pictures')
      .where('cid', '=', cid)
      .executeTakeFirstOrThrow()
    pictures += Number(numDeletedRows)
  }
  return [
    ['launches; those under way are not watched any more', drafts.length],
    ['payloads with their links', Number(payloads.numDeletedRows)],
    ['pictures', pictures],
  ]
}

async function removeOfChat(tx: Store, chat: Id, now: () => number): Promise<Removed[]> {
  const { platform, id } = chat
  const origins = await tx
    .updateTable('drafts')
    .set({ origin: null })
    .where('platform', '=', platform)
    .where('origin', '=', id)
    .executeTakeFirstOrThrow()
  return [
    ['settings', await removeRows(tx, 'chat_settings', 'chat', chat)],
    ['who manages it', await removeRows(tx, 'managed_chats', 'chat', chat)],
    ['questions that were open in it', await removeRows(tx, 'value_questions', 'chat', chat)],
    ['launches that began in it, which stay without that', Number(origins.numUpdatedRows)],
    ['launches announced in it, which stay without that', await removeAnnounced(tx, id, now)],
  ]
}

async function removeAnnounced(tx: Store, id: string, now: () => number): Promise<number> {
  const payloads = new Payloads(tx, now)
  const rows = await tx
    .selectFrom('payloads')
    .select('id')
    .where('body', 'like', `%"${id}"%`)
    .execute()
  let changed = 0
  for (const row of rows) {
    const saved = await payloads.change(row.id, (each) =>
      each.announced.includes(id)
        ? { ...each, announced: each.announced.filter((chat) => chat !== id) }
        : undefined,
    )
    if (saved) changed += 1
  }
  return changed
}

/** Ids of the stored lines that name it: in `in:`, or with its platform. They may be many, so no transaction waits for this. */
async function linesNaming({ platform, id }: Id, store: Store): Promise<string[]> {
  const named = new RegExp(`(?<!\\S)(?:in|${platform}):["<#]*${id}[">]*(?!\\S)`, 'iu')
  const ids: string[] = []
  const ranges = rangesOf('', (from, size) =>
    store
      .selectFrom('callback_lines')
      .select('id as end')
      .where('id', '>', from)
      .orderBy('id')
      .offset(size - 1)
      .limit(1)
      .executeTakeFirst(),
  )
  for await (const { from, to } of ranges) {
    const rows = await store
      .selectFrom('callback_lines')
      .select(['id', 'line'])
      .where('id', '>', from)
      .$if(to !== undefined, (rest) => rest.where('id', '<=', to ?? ''))
      .where('line', 'like', `%${id}%`)
      .execute()
    ids.push(...rows.filter(({ line }) => named.test(line)).map((row) => row.id))
  }
  return ids
}

async function removeLines(tx: Store, ids: readonly string[]): Promise<number> {
  let count = 0
  for (const each of ids) {
    const { numDeletedRows } = await tx
      .deleteFrom('callback_lines')
      .where('id', '=', each)
      .executeTakeFirstOrThrow()
    count += Number(numDeletedRows)
  }
  return count
}

/** Entries stay, without the id. */
async function redactLog(tx: Store, id: Id): Promise<number> {
  const named = idText(id)
  const rows = await tx
    .selectFrom('admin_log')
    .select(['id', 'what', 'outcome'])
    .where((row) =>
      row.or([row('what', 'like', `%${named}%`), row('outcome', 'like', `%${named}%`)]),
    )
    .execute()
  const without = (text: string) =>
    text.replaceAll(new RegExp(`${named}(?!\\d)`, 'gu'), `${id.platform}:forgotten`)
  let count = 0
  for (const { id: row, what, outcome } of rows) {
    const entry = { what: without(what), outcome: outcome === null ? null : without(outcome) }
    // Another's id may begin with the same digits.
    if (entry.what === what && entry.outcome === outcome) continue
    count += 1
    await tx.updateTable('admin_log').set(entry).where('id', '=', row).execute()
  }
  return count
}
