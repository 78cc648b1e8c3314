import { createHash } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Units } from '../api/units.ts'
import { cardFacts } from '../cards/asset-card.ts'
import type { CardPictures } from '../cards/card-pictures.ts'
import { chainById } from '../chain/chains.ts'
import { type Adapter, SendError } from '../core/adapter.ts'
import type { Locale } from '../core/catalogue.ts'
import type { PlatformName } from '../core/command.ts'
import { PollingLoop, sleep } from '../core/task.ts'
import type { View } from '../core/view.ts'
import type { LiveMessagesTable, Store } from '../db/schema.ts'
import { deleteInBatches, idRanges, inSlices } from '../db/sql.ts'
import type { Logger } from '../log.ts'
import type { Link } from '../setting-forms.ts'
import { withLinks } from '../views/links.ts'
import type { Phase } from './asset.ts'
import { type Chat, chatColumns, chatOf, coolDownChat } from './chats.ts'
import { live, liveView } from './kinds/phase.ts'
import type { DeliveredMessage } from './sending.ts'
import { chainsWithAssets, overPhases, type WatchedAsset, type WatchedAssets } from './snapshot.ts'
import { requireRenderable, withoutSuperseded } from './views/notification.ts'

/** A stored live message, with the chat that it is in. */
interface LiveMessage extends LiveMessagesTable {
  to: Chat
}

/**
 * Only the newest messages of a chat are updated regularly; older ones have scrolled away and are edited once, at the
 * end.
 */
const maxUpdated = 5
/** The columns of the primary key. */
const messageKey = ['chat_id', 'message'] as const
/** Maximum live messages that are stored per chat. */
const maxPerChat = 100
/** The `due_at_s` of messages that are updated only at the end of their auction; later than any real time. */
const atTheEnd = 2_147_483_647
/** Seconds between two edits of one message. */
const editEvery = 120
/** Seconds after the end during which a message is still corrected: a glitch of the API may look like an end. */
const correctedAfterEnd = 3600
const maxWait = 1200
const retention = 30 * 86_400

/** Seconds within which an asset has changed a moment ago: a poll may take that long. */
const recently = 600
/** Assets that are looked at in one statement: SQLite blocks the process while it runs. */
const assetsPerTurn = 2000

/** Stores which messages show live auctions, and when each is updated next. */
export class LiveMessages {
  readonly #store: Store
  readonly #now: () => number
  /** The last asset of each chain that `scheduleEnded` looked at in its turn. */
  readonly #lookedAt = new Map<number, string>()

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Stores a message that was just sent, if it shows a single live auction. */
  async onDelivered({ chat, events, message, view }: DeliveredMessage): Promise<void> {
    const [only, ...others] = withoutSuperseded(events)
    if (only?.body.kind !== live.id || others.length > 0) return
    const { chain, asset } = only
    await this.add({ chat_id: chat.row, message, chain, asset }, view)
  }

  /**
   * Stores a message. The chat's older messages are updated only at the end; those beyond the maximum are removed.
   */
  async add(
    sent: Pick<LiveMessagesTable, 'chat_id' | 'message' | 'chain' | 'asset'>,
    view: View,
  ): Promise<void> {
    const now = this.#now()
    await this.#store
      .insertInto('live_messages')
      .values({
        ...sent,
        shown: hashOf(view),
        due_at_s: now + editEvery,
        over_at_s: null,
        created_at_s: now,
      })
      .onConflict((conflict) => conflict.columns(['chat_id', 'message']).doNothing())
      .execute()
    await this.#demoteOlder(sent.chat_id)
    await this.#store
      .deleteFrom('live_messages')
      .where('chat_id', '=', sent.chat_id)
      .where('message', 'not in', this.#newest(sent.chat_id, maxPerChat))
      .execute()
  }

  async #demoteOlder(chatId: number): Promise<void> {
    await this.#store
      .updateTable('live_messages')
      .set({ due_at_s: atTheEnd })
      .where('chat_id', '=', chatId)
      .where('over_at_s', 'is', null)
      .where('due_at_s', '<>', atTheEnd)
      .where('message', 'not in', this.#newest(chatId, maxUpdated))
      .execute()
  }

  #newest(chatId: number, count: number) {
    return this.#store
      .selectFrom('live_messages')
      .select('message')
      .where('chat_id', '=', chatId)
      .orderBy('created_at_s', 'desc')
      .limit(count)
  }

  /**
   * Makes messages whose auctions are over due at once, before all others. Each call looks at the assets that changed a
   * moment ago, and at some of all others in turn: there may be very many.
   */
  async scheduleEnded(): Promise<void> {
    for (const chain of await chainsWithAssets(this.#store)) {
      await this.#scheduleEnded(chain, { since: this.#now() - recently })
      await yieldToOthers()
      const after = this.#lookedAt.get(chain) ?? ''
      const last = await this.#store
        .selectFrom('watched_assets')
        .select('asset')
        .where('chain', '=', chain)
        .where('asset', '>', after)
        .orderBy('asset')
        .offset(assetsPerTurn - 1)
        .limit(1)
        .executeTakeFirst()
      await this.#scheduleEnded(chain, { after, last: last?.asset })
      this.#lookedAt.set(chain, last?.asset ?? '')
    }
  }

  /** Schedules the messages of a chain's ended auctions: of assets that changed since a unix second, or in a range of addresses. */
  async #scheduleEnded(
    chain: number,
    { since, after, last }: { since?: number; after?: string; last?: string | undefined },
  ): Promise<void> {
    const isOpen = ['live_messages.over_at_s', 'is', null] as const
    // Select by auction: few ended lately, but messages may be very many.
    const ended = await this.#store
      .selectFrom('watched_assets as watched')
      .select('watched.asset')
      .where('watched.chain', '=', chain)
      .$if(since !== undefined, (all) => all.where('watched.updated_at_s', '>=', since ?? 0))
      .$if(after !== undefined, (all) => all.where('watched.asset', '>', after ?? ''))
      .$if(last !== undefined, (all) => all.where('watched.asset', '<=', last ?? ''))
      .where('phase', 'in', overPhases)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('live_messages')
            .select('message')
            .where(...isOpen)
            .whereRef('live_messages.chain', '=', 'watched.chain')
            .whereRef('live_messages.asset', '=', 'watched.asset'),
        ),
      )
      .execute()
    for (const { asset } of ended) {
      const open = this.#store
        .selectFrom('live_messages')
        .select(messageKey)
        .where(...isOpen)
        .where('chain', '=', chain)
        .where('asset', '=', asset)
      await inSlices(async (limit) => {
        const { numUpdatedRows } = await this.#store
          .updateTable('live_messages')
          .set({ due_at_s: 0, over_at_s: this.#now() })
          .where((row) =>
            row(row.refTuple(...messageKey), 'in', open.limit(limit).$asTuple(...messageKey)),
          )
          .executeTakeFirstOrThrow()
        return numUpdatedRows
      })
    }
  }

  /**
   * Messages that may be edited now, most overdue first; none in a chat that was written to a moment ago or is paused.
   */
  async due(platform: PlatformName, limit: number): Promise<LiveMessage[]> {
    const now = this.#now()
    const rows = await this.#store
      .selectFrom('live_messages')
      .innerJoin('chats', 'chats.id', 'live_messages.chat_id')
      .selectAll('live_messages')
      .select(chatColumns)
      .where('live_messages.due_at_s', '<=', now)
      .where('platform', '=', platform)
      .where('paused', 'is', null)
      .where('next_at_ms', '<=', now * 1000)
      .orderBy('live_messages.due_at_s')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...row, to: chatOf(row) }))
  }

  /**
   * Schedules the next update.
   * @param shown hash of what the message shows now
   * @param seconds until then; 120 at least, and 20 minutes if infinite
   */
  async schedule(message: LiveMessage, shown = message.shown, seconds = 0): Promise<void> {
    const wait = Number.isFinite(seconds) ? Math.max(Math.ceil(seconds), editEvery) : maxWait
    await this.#store
      .updateTable('live_messages')
      .set({ shown, due_at_s: this.#now() + wait })
      .where('chat_id', '=', message.chat_id)
      // A newer message may have demoted this one to `atTheEnd` in the meantime.
      .where('due_at_s', '<>', atTheEnd)
      .where('message', '=', message.message)
      .execute()
  }

  /** Sends nothing else to the message's chat for so many seconds. */
  async coolDown({ chat_id }: LiveMessage, seconds: number): Promise<void> {
    await coolDownChat(this.#store, chat_id, (this.#now() + Math.ceil(seconds)) * 1000)
  }

  /** Undoes the end: the auction is live after all. */
  async markLive({ chat_id, message }: LiveMessage): Promise<void> {
    const { numUpdatedRows } = await this.#store
      .updateTable('live_messages')
      .set({ over_at_s: null })
      .where('chat_id', '=', chat_id)
      .where('message', '=', message)
      .where('over_at_s', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await this.#demoteOlder(chat_id)
  }

  /** Whether the message shows a final state: the auction graduated, or ended an hour ago. */
  isFinal({ over_at_s: overAt }: LiveMessage, phase: Phase): boolean {
    if (phase === 'graduated') return true
    return isOver(phase) && overAt !== null && overAt <= this.#now() - correctedAfterEnd
  }

  async remove({ chat_id, message }: LiveMessage): Promise<void> {
    await this.#store
      .deleteFrom('live_messages')
      .where('chat_id', '=', chat_id)
      .where('message', '=', message)
      .execute()
  }

  /** Deletes messages of chats that no longer exist and those older than 30 days; returns how many. */
  async prune(): Promise<number> {
    const now = this.#now()
    let count = 0
    for await (const { from, to } of idRanges(this.#store, 'chats')) {
      const inRange = this.#store
        .selectFrom('live_messages')
        .select(messageKey)
        .where('chat_id', '>', from)
        .where('chat_id', '<=', to)
      const chats = this.#store
        .selectFrom('chats')
        .select('id')
        .where('id', '>', from)
        .where('id', '<=', to)
      const old = inRange.where((row) =>
        row.or([row('created_at_s', '<', now - retention), row('chat_id', 'not in', chats)]),
      )
      count += await deleteInBatches((limit) =>
        this.#store
          .deleteFrom('live_messages')
          .where((row) =>
            row(row.refTuple(...messageKey), 'in', old.limit(limit).$asTuple(...messageKey)),
          )
          .executeTakeFirstOrThrow(),
      )
    }
    return count
  }
}

/**
 * A short hash of a view's content. It uses only the key of the picture: hashing the bytes would take longer than all the
 * rest.
 */
export function hashOf({ picture, ...words }: View): string {
  const shown = JSON.stringify([words, picture?.key])
  return createHash('sha256').update(shown).digest('base64url').slice(0, 22)
}

function isOver(phase: Phase): boolean {
  return overPhases.includes(phase)
}

interface LiveMessageUpdaterParts {
  platform: Pick<Adapter, 'name' | 'edit' | 'msUntilSlot' | 'gap' | 'localeOf'>
  messages: LiveMessages
  assets: Pick<WatchedAssets, 'find'>
  /** Undefined if pictures are disabled. */
  pictures: CardPictures | undefined
  units: Units
  /** The operator's links below each message; none by default. */
  links?: readonly Link[]
  /** Whether no alert waits to be sent and the platform can be reached. */
  isIdle: () => boolean
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Milliseconds between two edits; 200 by default, at most a fifth of either platform's limit. */
  editPauseMs?: number
  /** Milliseconds between two polls while nothing is due. */
  pollEveryMs?: number
}

const batchSize = 20
/** Views to cache: one auction's message is in many chats. */
const maxViews = 50
/** Assets to remember for logging: a message that can't be written is tried again at each update. */
const maxLogged = 500
const drainMs = 5000

/** Updates the messages of `live` alerts while no alert waits to be sent, and completes them when the auction is over. */
export class LiveMessageUpdater {
  readonly #parts: Required<LiveMessageUpdaterParts>
  readonly #stopping = new AbortController()
  readonly #views = new LRUCache<string, Promise<View>>({ max: maxViews, ttl: 60_000 })
  readonly #logged = new LRUCache<string, true>({ max: maxLogged })
  #loop: PollingLoop | undefined

  constructor(parts: LiveMessageUpdaterParts) {
    this.#parts = { links: [], editPauseMs: 200, pollEveryMs: 5000, ...parts }
  }

  start(): void {
    const { log, platform, pollEveryMs } = this.#parts
    this.#loop ??= new PollingLoop({
      poll: () => this.#poll(),
      everyMs: pollEveryMs,
      firstAfterMs: 0,
      drainMs,
      onFault: (err) =>
        log.error({ err, platform: platform.name }, 'live messages could not be updated'),
    })
  }

  /** Waits for an edit in progress, 5 seconds at most. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop?.stop()
  }

  /** Continues while messages are due and no alert waits. */
  async #poll(): Promise<void> {
    const { platform, messages } = this.#parts
    while (this.#mayEdit()) {
      await messages.scheduleEnded()
      const due = await messages.due(platform.name, batchSize)
      if (due.length === 0) return
      for (const message of due) {
        if (!this.#mayEdit()) return
        await this.#refresh(message)
        // If the view is unchanged nothing below waits for I/O, so give other work a turn.
        await yieldToOthers()
      }
    }
  }

  #mayEdit(): boolean {
    return !this.#stopping.signal.aborted && this.#parts.isIdle()
  }

  async #refresh(message: LiveMessage): Promise<void> {
    const { assets, messages, platform } = this.#parts
    const watched = await assets.find(message.chain, message.asset)
    if (!watched) return messages.remove(message)
    const view = await this.#view(watched, platform.localeOf(message.to)).catch((error: unknown) =>
      this.#logOnce(message, error),
    )
    // Leave it as it is until the auction changes; without a new time it would block those behind it.
    if (!view) return messages.schedule(message)
    const shown = hashOf(view)
    if (shown !== message.shown) {
      if (!(await this.#hasCapacity())) return
      try {
        await this.#edit(message, view)
      } catch (error) {
        return this.#failed(message, error)
      }
    }
    if (messages.isFinal(message, watched.phase)) return messages.remove(message)
    await messages.schedule(message, shown)
    if (watched.phase === 'live') await messages.markLive(message)
  }

  #logOnce({ chain, asset }: LiveMessage, error: unknown): undefined {
    const key = `${chain} ${asset}`
    if (this.#logged.has(key)) return
    this.#logged.set(key, true)
    this.#parts.log.warn({ err: error, chain, asset }, 'a live message can’t be written')
  }

  async #edit(message: LiveMessage, view: View): Promise<void> {
    const { platform, messages, editPauseMs } = this.#parts
    await messages.coolDown(message, platform.gap(message.to))
    await platform.edit(message.to, message.message, view)
    await sleep(editPauseMs, this.#stopping.signal)
  }

  async #failed(message: LiveMessage, error: unknown): Promise<void> {
    const { log, messages, platform } = this.#parts
    log.debug({ err: error, platform: platform.name }, 'a live message could not be edited')
    if (!(error instanceof SendError)) return messages.schedule(message)
    const isUnreachable = error.final || error.loss !== undefined || error.movedTo !== undefined
    if (isUnreachable) return messages.remove(message)
    await messages.schedule(message, message.shown, error.retryAfter)
  }

  /** Waits for capacity within the platform's limits; false if an alert needs it more, or on stop. */
  async #hasCapacity(): Promise<boolean> {
    while (this.#mayEdit()) {
      const ms = this.#parts.platform.msUntilSlot()
      if (ms === 0) return true
      await sleep(Math.min(ms, 1000), this.#stopping.signal)
    }
    return false
  }

  #view(watched: WatchedAsset, locale: Locale): Promise<View> {
    const { chain, asset, phase, updatedAt } = watched
    const key = `${locale} ${chain} ${asset.asset_address} ${phase} ${updatedAt}`
    const cached = this.#views.get(key)
    if (cached) return cached
    const view = this.#make(watched, locale)
    this.#views.set(key, view)
    view.catch(() => this.#views.delete(key))
    return view
  }

  async #make({ asset, chain, history, phase }: WatchedAsset, locale: Locale): Promise<View> {
    const { pictures, units, links, now } = this.#parts
    const facts = { asset, chain: chainById(chain), units, now: now(), history, phase, locale }
    const picture = await pictures?.of(cardFacts(facts))
    const view = liveView({ asset, chain, units, now: now(), phase, ...(picture && { picture }) })
    return requireRenderable(withLinks(view, asset, chainById(chain), links))
  }
}
