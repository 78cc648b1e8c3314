import { createHash } from 'node:crypto'
import type { View } from '../../chat/view.ts'
import { quietDestination } from '../../queue/destinations.ts'
import type { Claim } from '../../queue/outbox.ts'
import type { Store } from '../../store/database.ts'
import type { LiveMessagesTable } from '../../store/schema.ts'
import { telling } from '../../views/alerts/telling.ts'
import type { Phase } from '../state.ts'
import type { Told } from './sending.ts'

/** A message about a live auction, and where it stands. */
export interface LiveMessage extends LiveMessagesTable {
  to: Claim['destination']
}

/** Of a chat only the newest are kept up to date: the others have scrolled away, and are put right at the end alone. */
const mostUpToDate = 5
/** So many of a chat are remembered at all. */
const mostEach = 100
/** The `due_at` of those that wait for the end of their auction; later than any time that is one. */
const atTheEnd = 2_147_483_647
/** Seconds between two edits of a message. */
const editEvery = 120
/** Seconds for which it is still put right after the end: a hiccup of the interface may look like one. */
const keptAfterEnd = 3600
const longestWait = 1200
const forgottenAfter = 30 * 86_400

const overPhases: readonly Phase[] = ['graduated', 'ended', 'gone']

/** The messages that are kept up to date, while their auctions live. */
export class LiveMessages {
  readonly #store: Store
  readonly #now: () => number

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Remembers a message that was just sent; older ones of the chat wait for the end, and too many are forgotten. */
  async remember(
    sent: Pick<LiveMessagesTable, 'destination' | 'message' | 'chain' | 'asset'>,
    view: View,
  ): Promise<void> {
    const now = this.#now()
    await this.#store
      .insertInto('live_messages')
      .values({
        ...sent,
        shown: digestOf(view),
        due_at: now + editEvery,
        over_at: null,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['destination', 'message']).doNothing())
      .execute()
    await this.#letOlderWait(sent.destination)
    await this.#store
      .deleteFrom('live_messages')
      .where('destination', '=', sent.destination)
      .where('message', 'not in', this.#newest(sent.destination, mostEach))
      .execute()
  }

  async #letOlderWait(destination: number): Promise<void> {
    await this.#store
      .updateTable('live_messages')
      .set({ due_at: atTheEnd })
      .where('destination', '=', destination)
      .where('over_at', 'is', null)
      .where('due_at', '<>', atTheEnd)
      .where('message', 'not in', this.#newest(destination, mostUpToDate))
      .execute()
  }

  #newest(destination: number, count: number) {
    return this.#store
      .selectFrom('live_messages')
      .select('message')
      .where('destination', '=', destination)
      .orderBy('created_at', 'desc')
      .limit(count)
  }

  /** Those whose auction is over are due at once, before all others. */
  async hasten(): Promise<void> {
    await this.#store
      .updateTable('live_messages')
      .set({ due_at: 0, over_at: this.#now() })
      .where('over_at', 'is', null)
      .where((row) => {
        // Few auctions ended lately, and messages may be very many.
        const over = row
          .selectFrom('watched_assets as watched')
          .select(['watched.chain', 'watched.asset'])
          .where('phase', 'in', overPhases)
          .where((each) =>
            each.exists(
              each
                .selectFrom('live_messages as open')
                .select('open.message')
                .where('open.over_at', 'is', null)
                .whereRef('open.chain', '=', 'watched.chain')
                .whereRef('open.asset', '=', 'watched.asset'),
            ),
          )
        return row(row.refTuple('chain', 'asset'), 'in', over.$asTuple('chain', 'asset'))
      })
      .execute()
  }

  /** Messages that may be edited now, the one that waits longest first; none in a chat that was just written to. */
  async due(platform: LiveMessage['to']['platform'], most: number): Promise<LiveMessage[]> {
    const now = this.#now()
    const rows = await this.#store
      .selectFrom('live_messages')
      .innerJoin('destinations', 'destinations.id', 'live_messages.destination')
      .selectAll('live_messages')
      .select(['destinations.id', 'platform', 'kind', 'chat', 'thread'])
      .where('live_messages.due_at', '<=', now)
      .where('platform', '=', platform)
      .where('paused', 'is', null)
      .where('next_at', '<=', now * 1000)
      .orderBy('live_messages.due_at')
      .limit(most)
      .execute()
    return rows.map(({ id, platform, kind, chat, thread, ...row }) => {
      return { ...row, to: { id, platform, kind, chat, thread } }
    })
  }

  /** It is not looked at again for a while; `shown` is what it shows now. */
  async putOff(message: LiveMessage, shown = message.shown, seconds = 0): Promise<void> {
    const pause = Number.isFinite(seconds) ? Math.max(Math.ceil(seconds), editEvery) : longestWait
    await this.#store
      .updateTable('live_messages')
      .set({ shown, due_at: this.#now() + pause })
      .where('destination', '=', message.destination)
      // A newer one may have been sent while this was looked at.
      .where('due_at', '<>', atTheEnd)
      .where('message', '=', message.message)
      .execute()
  }

  /** Nothing else is sent to its chat for so many seconds. */
  async quiet({ destination }: LiveMessage, seconds: number): Promise<void> {
    await quietDestination(this.#store, destination, (this.#now() + Math.ceil(seconds)) * 1000)
  }

  /** Its auction lives after all. */
  async reopen({ destination, message }: LiveMessage): Promise<void> {
    const { numUpdatedRows } = await this.#store
      .updateTable('live_messages')
      .set({ over_at: null })
      .where('destination', '=', destination)
      .where('message', '=', message)
      .where('over_at', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await this.#letOlderWait(destination)
  }

  /** It shows an end that stands: the auction graduated, or was over for an hour. */
  isFinal({ over_at: overAt }: LiveMessage, phase: Phase): boolean {
    if (phase === 'graduated') return true
    return isOver(phase) && overAt !== null && overAt <= this.#now() - keptAfterEnd
  }

  async forget({ destination, message }: LiveMessage): Promise<void> {
    await this.#store
      .deleteFrom('live_messages')
      .where('destination', '=', destination)
      .where('message', '=', message)
      .execute()
  }

  /** Forgets those of chats that are gone and those over 30 days old; returns how many. */
  async prune(): Promise<number> {
    const now = this.#now()
    // A clock that ran ahead was put right.
    await this.#store
      .updateTable('live_messages')
      .set({ due_at: now })
      .where('due_at', '>', now + longestWait)
      .where('due_at', '<>', atTheEnd)
      .execute()
    const { numDeletedRows } = await this.#store
      .deleteFrom('live_messages')
      .where((row) =>
        row.or([
          row('created_at', '<', now - forgottenAfter),
          row('destination', 'not in', row.selectFrom('destinations').select('id')),
        ]),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
}

/** Remembers a message that tells of one live auction and of nothing that it has not overtaken. */
export function rememberLive(messages: LiveMessages): (told: Told) => Promise<void> {
  return async ({ destination, news, message, view }) => {
    const [only, ...others] = telling(news)
    if (only?.body.kind !== 'live' || others.length > 0) return
    const { chain, asset } = only
    await messages.remember({ destination: destination.id, message, chain, asset }, view)
  }
}

/** Of all that a view shows; of its picture the key alone, for its bytes take longer than all the rest of a message. */
export function digestOf({ picture, ...words }: View): string {
  const shown = JSON.stringify([words, picture?.key])
  return createHash('sha256').update(shown).digest('base64url').slice(0, 22)
}

function isOver(phase: Phase): boolean {
  return overPhases.includes(phase)
}
