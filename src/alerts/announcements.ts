import { createHash } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { z } from 'zod'
import type { PlatformName } from '../core/command.ts'
import { chunks } from '../core/text.ts'
import { type Span, t, type View } from '../core/view.ts'
import type { Store } from '../db/schema.ts'
import { constant, inSlices, waiting } from '../db/sql.ts'
import { type ChatRange, createChat, lockDeliveries, type Target } from './chats.ts'
import type { EventBody, ShownEvent } from './kinds/kind.ts'

// A message of the operator to all chats, each once. It is an event that nobody subscribes to: its deliveries go out as those
// of alerts do, at the same pace, with the same retries, in no quiet hours and not to chats that are paused or muted.

interface AnnouncementBody extends EventBody {
  text: string
}

/** The stored form of announcements, and their text. */
export const announcement = {
  id: 'announcement',
  body: z.object({ kind: z.literal('announcement'), text: z.string() }),
  view: ({ body: { text } }: ShownEvent<AnnouncementBody>): View => ({
    title: [t('announcement-title')],
    blocks: [{ kind: 'lines', lines: text.split('\n').map(linked) }],
  }),
}

/** A line of the operator's, whose links can be opened. */
function linked(line: string): Span[] {
  return line
    .split(/(https:\/\/[^\s<>"]+)/u)
    .filter((part) => part !== '')
    .map((part) =>
      URL.canParse(part) && part.startsWith('https:') ? { link: part, url: part } : part,
    )
}

/** Seconds for which it is still sent to chats that can't be reached, or have quiet hours. */
const usefulFor = 3 * 86_400
/** Seconds after which the same text may be sent again. */
const repeatableAfter = 3_600

/** The chats that an announcement reaches now, by platform, and the number that it leaves out. */
export interface Recipients {
  platform: PlatformName
  chats: number
  paused: number
  muted: number
}

/** Chats that the bot knows although they have no alerts: where somebody let it in, and people with launches or watched tokens. */
async function chatsWithoutAlerts(store: Store): Promise<Target[]> {
  return store
    .selectFrom((from) =>
      from
        .selectFrom('managed_chats')
        .select(['platform', 'chat as id', constant<Target['kind']>('chat').as('kind')])
        .union(
          from
            .selectFrom('drafts')
            .select(['platform', 'person as id', constant<Target['kind']>('person').as('kind')]),
        )
        .union(
          from
            .selectFrom('watchlist')
            .select((row) => [
              row.ref('platform').$castTo<PlatformName>().as('platform'),
              'person as id',
              constant<Target['kind']>('person').as('kind'),
            ]),
        )
        .as('known'),
    )
    .select(['known.platform', 'known.id', 'known.kind'])
    .where(({ not, exists, selectFrom }) => {
      const withAlerts = selectFrom('chats')
        .select('chats.id')
        .whereRef('chats.chat', '=', 'known.id')
        .whereRef('chats.platform', '=', 'known.platform')
      return not(exists(withAlerts))
    })
    .where(({ not, exists, selectFrom }) => {
      const blocked = selectFrom('blocked_people')
        .select('blocked_people.person')
        .whereRef('blocked_people.person', '=', 'known.id')
        .whereRef('blocked_people.platform', '=', 'known.platform')
      return not(exists(blocked))
    })
    .execute()
}

/** Counts whom an announcement would reach. */
export async function recipients(store: Store, now: number): Promise<Recipients[]> {
  const rows = await store
    .selectFrom('chats')
    .select((row) => [
      'platform',
      row.fn.count<number>('chat').distinct().as('chats'),
      row
        .case()
        .when('paused', 'is not', null)
        .then('paused')
        .when('muted_until_s', '>', now)
        .then('muted')
        .else('reached')
        .end()
        .as('state'),
    ])
    .groupBy(['platform', 'state'])
    .execute()
  const others = await chatsWithoutAlerts(store)
  const platforms = [...new Set([...rows, ...others].map(({ platform }) => platform))].sort()
  return platforms.map((platform) => {
    const countOf = (state: string) =>
      rows.find((row) => row.platform === platform && row.state === state)?.chats ?? 0
    const more = others.filter((other) => other.platform === platform).length
    return {
      platform,
      chats: countOf('reached') + more,
      paused: countOf('paused'),
      muted: countOf('muted'),
    }
  })
}

const chatBatchSize = 200

/**
 * Stores an announcement; the leader then adds its deliveries in slices, at its next poll. Undefined if this text was stored before, in the last hour or of this moment: two administrators may confirm it, or
 * one again whose process was killed.
 * @param at unix seconds at which it was shown to the administrator: with the text it names the announcement
 */
export async function beginAnnouncement(
  store: Store,
  text: string,
  at: number,
  now: number,
): Promise<number | undefined> {
  const key = `announcement:${at}:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  const others = await chatsWithoutAlerts(store)
  for (const batch of chunks(others, chatBatchSize)) {
    await store.transaction().execute(async (tx) => {
      for (const chat of batch) await createChat(tx, chat, now)
    })
    await yieldToOthers()
  }
  const body = JSON.stringify({ kind: announcement.id, text })
  return store.transaction().execute(async (tx) => {
    await lockDeliveries(tx)
    const row = await tx
      .insertInto('events')
      .values({
        key,
        kind: announcement.id,
        chain: 0,
        asset: '',
        body,
        happened_at_s: now,
        found_at_s: now,
        useful_until_s: now + usefulFor,
        slices_after: 0,
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return undefined
    const same = await tx
      .selectFrom('events')
      .select('id')
      .where('kind', '=', announcement.id)
      .where('body', '=', body)
      .where('id', '<>', row.id)
      .where('happened_at_s', '>', now - repeatableAfter)
      .executeTakeFirst()
    if (same === undefined) return row.id
    await tx.deleteFrom('events').where('id', '=', row.id).execute()
    return undefined
  })
}

/** Selects the chats of a range that an announcement is for: all that are not paused or muted, and of a chat's topics one. */
export function recipientsOf(tx: Store, event: number, { after, last }: ChatRange, now: number) {
  return tx
    .selectFrom('chats')
    .select((row) => [
      'chats.id',
      'chats.paused',
      'chats.muted_until_s',
      row.cast<string | null>(row.val(null), 'text').as('role'),
    ])
    .where('chats.id', '>', after)
    .where('chats.id', '<=', last)
    .where('chats.paused', 'is', null)
    .where('chats.muted_until_s', '<=', now)
    .where(({ not, exists, selectFrom }) => {
      const notified = selectFrom('deliveries')
        .innerJoin('chats as other', 'other.id', 'deliveries.chat_id')
        .select('deliveries.event_id')
        .where('deliveries.event_id', '=', event)
        .whereRef('other.chat', '=', 'chats.chat')
        .whereRef('other.platform', '=', 'chats.platform')
      return not(exists(notified))
    })
    .where(({ not, exists, selectFrom }) => {
      const first = selectFrom('chats as topic')
        .select('topic.id')
        .whereRef('topic.chat', '=', 'chats.chat')
        .whereRef('topic.platform', '=', 'chats.platform')
        .whereRef('topic.id', '<', 'chats.id')
        .where('topic.paused', 'is', null)
        .where('topic.muted_until_s', '<=', now)
      return not(exists(first))
    })
    .where(({ not, exists, selectFrom }) => {
      const blocked = selectFrom('blocked_people')
        .select('blocked_people.person')
        .whereRef('blocked_people.person', '=', 'chats.chat')
        .whereRef('blocked_people.platform', '=', 'chats.platform')
      return not(exists(blocked))
    })
}

/** An announcement, and what became of its deliveries by their state. */
export interface Announcement {
  id: number
  text: string
  at: number
  /** Whether deliveries are still to be added. */
  isGrowing: boolean
  states: ReadonlyMap<string, number>
}

/** The latest announcements, newest first. */
export async function latestAnnouncements(store: Store, max: number): Promise<Announcement[]> {
  const rows = await store
    .selectFrom('events')
    .select(['id', 'body', 'happened_at_s', 'slices_after'])
    .where('kind', '=', announcement.id)
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
  const found: Announcement[] = []
  for (const { id, body, happened_at_s, slices_after } of rows) {
    const counts = await store
      .selectFrom('deliveries')
      .select((row) => ['state', row.fn.countAll<number>().as('count')])
      .where('event_id', '=', id)
      .groupBy('state')
      .orderBy('state')
      .execute()
    const { text } = announcement.body.parse(JSON.parse(body))
    const states = new Map(counts.map(({ state, count }) => [state, count]))
    found.push({ id, text, at: happened_at_s, isGrowing: slices_after !== null, states })
  }
  return found
}

/** Sends an announcement to no more chats; returns how many deliveries were dropped, undefined if there is none of that id. */
export async function stopAnnouncement(
  store: Store,
  id: number,
  now: number,
): Promise<number | undefined> {
  const isThere = await store.transaction().execute(async (tx) => {
    // Otherwise whoever adds a slice at this moment would go on.
    await lockDeliveries(tx)
    const { numUpdatedRows } = await tx
      .updateTable('events')
      .set({ slices_after: null })
      .where('id', '=', id)
      .where('kind', '=', announcement.id)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
  if (!isThere) return undefined
  const left = store
    .selectFrom('deliveries')
    .select('chat_id')
    .where('event_id', '=', id)
    .where('state', '=', waiting)
  return inSlices(async (limit) => {
    const { numUpdatedRows } = await store
      .updateTable('deliveries')
      .set({ state: 'dropped', reason: 'stopped by an administrator', updated_at_s: now })
      .where('event_id', '=', id)
      .where('chat_id', 'in', left.limit(limit))
      .where('state', '=', waiting)
      .executeTakeFirstOrThrow()
    return numUpdatedRows
  })
}
