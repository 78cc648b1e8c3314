import { forgetChatRows } from '../alerts/known-chats.ts'
import type { Store } from '../db/schema.ts'
import { rangesOf } from '../db/sql.ts'
import { picturesOf } from '../launch/draft.ts'
import { Payloads } from '../launch/payload.ts'
import { type Action, type AdminContext, type Id, idText, readPerson, type Step } from './action.ts'

/** Removes everything stored about somebody. */
export const forget: Action = {
  name: 'forget',
  uses: [['forget person telegram:123456', 'removes everything stored about them, and says what']],
  read: async (words, context) => {
    const otherwise =
      'Who? forget person telegram:123456. For a group: chats forget telegram:-100123456'
    return forgetting('person', readPerson(words, otherwise), context)
  },
}

type Kind = 'person' | 'chat'

/** Removed rows: of what, in words, and how many. */
type Removed = readonly [what: string, rows: number]

/** Undoes the transaction of a preview. */
class Preview extends Error {
  readonly removed: readonly Removed[]

  constructor(removed: readonly Removed[]) {
    super('a preview')
    this.removed = removed
  }
}

/**
 * The step that removes everything stored about a person or chat. Its preview does the same in a transaction that is then
 * undone.
 */
export async function forgetting(
  kind: Kind,
  id: Id,
  { store, now }: AdminContext,
): Promise<readonly string[] | Step> {
  const removed = async (isPreview: boolean): Promise<string[]> => {
    const named = await linesNaming(id, store)
    const rows = await store
      .transaction()
      .execute(async (tx) => {
        const all = await remove(tx, kind, id, named, now)
        if (isPreview) throw new Preview(all)
        return all
      })
      .catch((error: unknown) => {
        if (error instanceof Preview) return error.removed
        throw error
      })
    return rows.map(([what, count]) => `  ${what}: ${count}`)
  }
  const found = await removed(true)
  const kept = await keptOf(kind, id, store)
  if (found.length === 0) return [`Nothing is stored about ${idText(id)}.`, ...kept]
  return {
    // Without the id, which must not be kept either.
    what: kind === 'person' ? 'forget person' : 'chats forget',
    preview: {
      lines: [`About ${idText(id)} these would be removed:`, ...found, ...kept],
      question: `Remove everything stored about ${idText(id)}? This can’t be undone.`,
    },
    run: async () => ['Removed:', ...(await removed(false)), ...kept],
  }
}

async function keptOf(kind: Kind, { platform, id }: Id, store: Store): Promise<string[]> {
  const blocked = await store
    .selectFrom('blocked_people')
    .select('person')
    .where('platform', '=', platform)
    .where('person', '=', id)
    .execute()
  return [
    ...(blocked.length > 0 ? ['Their block is kept. unblock removes it.'] : []),
    ...(kind === 'person'
      ? ['Groups that they set up keep their alerts: chats forget removes those.']
      : []),
    'Not removed: what the platform itself stores, logs, and copies of the database.',
  ]
}

/** Tables whose rows go as they are, with the column that names the person or the chat. */
const wholeRows = {
  person: [
    ['watched tokens', 'watchlist', 'person'],
    ['chats that they manage', 'managed_chats', 'person'],
    ['questions that were open', 'pending_questions', 'person'],
  ],
  chat: [
    ['settings', 'chat_settings', 'chat'],
    ['who manages it', 'managed_chats', 'chat'],
    ['questions that were open in it', 'pending_questions', 'chat'],
  ],
} as const

async function remove(
  tx: Store,
  kind: Kind,
  chat: Id,
  lines: readonly string[],
  now: () => number,
): Promise<Removed[]> {
  const { platform, id } = chat
  // First, while the rows that it needs still exist.
  const launches = kind === 'person' ? await removeLaunches(tx, chat) : []
  const { chats, alerts, deliveries, messages } = await forgetChatRows(tx, platform, id)
  const all: Removed[] = [
    ['chats and topics with alerts', chats],
    ['alerts', alerts],
    ['deliveries', deliveries],
    ['live messages', messages],
    ...launches,
  ]
  // A person's private chat with the bot goes with them.
  for (const each of kind === 'person' ? (['person', 'chat'] as const) : (['chat'] as const)) {
    for (const [what, table, column] of wholeRows[each]) {
      const { numDeletedRows } = await tx
        .deleteFrom(table)
        .where('platform', '=', platform)
        .where(tx.dynamic.ref<'person' | 'chat'>(column), '=', id)
        .executeTakeFirstOrThrow()
      all.push([what, Number(numDeletedRows)])
    }
  }
  const { numUpdatedRows: begun } = await tx
    .updateTable('drafts')
    .set({ origin: null })
    .where('platform', '=', platform)
    .where('origin', '=', id)
    .executeTakeFirstOrThrow()
  all.push(
    ['launches started in it, which stay without the mention of it', Number(begun)],
    [
      'launches announced in it, which stay without the mention of it',
      await removeAnnounced(tx, id, now),
    ],
    ['stored button lines that name it', await removeLines(tx, lines)],
    ['entries of the administrators’ log that named it', await redactLog(tx, chat)],
  )
  return all.filter(([, rows]) => rows > 0)
}

/** Drafts with their payloads, and the pictures that no other draft names. */
async function removeLaunches(tx: Store, { platform, id }: Id): Promise<Removed[]> {
  const drafts = await tx
    .deleteFrom('drafts')
    .where('platform', '=', platform)
    .where('person', '=', id)
    .returning(['id', 'body'])
    .execute()
  let payloads = 0
  for (const draft of drafts) {
    const gone = tx.deleteFrom('payloads').where('draft', '=', draft.id)
    payloads += Number((await gone.executeTakeFirstOrThrow()).numDeletedRows)
  }
  let pictures = 0
  for (const cid of new Set(drafts.flatMap(({ body }) => picturesOf(body)))) {
    const others = tx.selectFrom('drafts').select('id').where('body', 'like', `%"${cid}"%`)
    if ((await others.limit(1).execute()).length > 0) continue
    const gone = tx.deleteFrom('pictures').where('cid', '=', cid)
    pictures += Number((await gone.executeTakeFirstOrThrow()).numDeletedRows)
  }
  return [
    ['launches; those under way are no longer watched', drafts.length],
    ['payloads with their links', payloads],
    ['pictures', pictures],
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

/** Deletes the stored button lines of these ids; returns how many there were. */
async function removeLines(tx: Store, ids: readonly string[]): Promise<number> {
  let count = 0
  for (const id of ids) {
    const gone = tx.deleteFrom('callback_lines').where('id', '=', id)
    count += Number((await gone.executeTakeFirstOrThrow()).numDeletedRows)
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
