import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import type { PlatformName } from '../core/command.ts'
import type { ChatSettingsTable, Store } from './schema.ts'
import { databaseNow } from './sql.ts'

/** Alerts wait from the hour `from` until the hour `to` (0 to 23), by the clocks of an IANA time zone. */
export interface QuietHours {
  from: number
  to: number
  zone: string
}

/** A chat's settings, and other known facts about it. */
export interface ChatSetting {
  /** A language tag that was chosen; undefined: by the person who writes. */
  language: string | undefined
  /** The language tag of the last person who changed something in it: for what the bot sends by itself. */
  seenLanguage: string | undefined
  /** Addresses and tickers that people write in the group are answered with cards. */
  cards: boolean
  /** Undefined: alerts come at any hour. */
  quiet: Omit<QuietHours, 'zone'> | undefined
  /** The time zone of quiet hours. */
  zone: string
}

const unset: ChatSetting = {
  language: undefined,
  seenLanguage: undefined,
  cards: false,
  quiet: undefined,
  zone: 'UTC',
}

/** Rows that were stored at about the time of the last read are read again: a transaction may have been slow. */
const overlapMs = 10_000

/**
 * The settings of chats, in memory: every answer needs them, and only few chats have any. Other processes' changes are seen
 * once `load` is called again.
 * @example
 *   const settings = new ChatSettings(store)
 *   await settings.load()
 *   settings.of('telegram', '-100123').language // 'es'
 */
export class ChatSettings {
  readonly #store: Store
  readonly #onQuietHours: (platform: PlatformName, chat: string) => void
  readonly #settings = new Map<string, ChatSetting>()
  /** The number of the last change that was made here, by chat: a read that began before it may have found the row of before. */
  readonly #setBy = new Map<string, number>()
  #changes = 0
  #readUntil = 0

  /**
   * @param onQuietHours called once the quiet hours of a chat are over or others, also if another process has stored that
   */
  constructor(
    store: Store,
    onQuietHours: (platform: PlatformName, chat: string) => void = () => undefined,
  ) {
    this.#store = store
    this.#onQuietHours = onQuietHours
  }

  /** Reads what was changed since the last call; everything, if the database's clock was set back. */
  async load(): Promise<void> {
    const changes = this.#changes
    const { now } = await this.#store
      .selectNoFrom(databaseNow(this.#store).as('now'))
      .executeTakeFirstOrThrow()
    const since = now < this.#readUntil ? 0 : this.#readUntil - overlapMs
    const rows = await this.#store
      .selectFrom('chat_settings')
      .selectAll()
      .where('changed_at_ms', '>=', since)
      .orderBy('changed_at_ms')
      .execute()
    for (const row of rows) if (!this.#isSetSince(changes, row)) this.#keep(row)
    this.#readUntil = now
    const { count } = await this.#store
      .selectFrom('chat_settings')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count < this.#settings.size) await this.#loadAnew()
  }

  /** Forgets chats whose rows are gone: an administrator had them forgotten, or they have another id. */
  async #loadAnew(): Promise<void> {
    const changes = this.#changes
    const rows = await this.#store.selectFrom('chat_settings').selectAll().execute()
    // The next call does it.
    if (changes !== this.#changes) return
    this.#settings.clear()
    this.#setBy.clear()
    for (const row of rows) this.#keep(row)
  }

  /** The settings of a chat, or of a person for their private chat. */
  of(platform: PlatformName, chat: string): ChatSetting {
    return this.#settings.get(keyOf(platform, chat)) ?? unset
  }

  /** Stores a part of a chat's settings. */
  async set(platform: PlatformName, chat: string, change: Partial<ChatSetting>): Promise<void> {
    // Only what changes: two people, or two processes, may each set another part at once.
    const values = {
      ...('language' in change && { language: change.language ?? null }),
      ...('seenLanguage' in change && { seen_language: change.seenLanguage ?? null }),
      ...(change.cards !== undefined && { cards: change.cards ? 1 : 0 }),
      ...('quiet' in change && {
        quiet_from: change.quiet?.from ?? null,
        quiet_to: change.quiet?.to ?? null,
      }),
      ...(change.zone !== undefined && { zone: change.zone }),
      changed_at_ms: databaseNow(this.#store),
    }
    const row = await this.#store
      .insertInto('chat_settings')
      .values({ platform, chat, ...values })
      .onConflict((conflict) => conflict.columns(['platform', 'chat']).doUpdateSet(values))
      .returningAll()
      .executeTakeFirstOrThrow()
    this.#keepSet(row)
  }

  /**
   * Gives a chat's settings to another id, by which the platform calls it from now on. If it says so twice, what was set since
   * the first time stays.
   */
  async move(platform: PlatformName, from: string, to: string): Promise<void> {
    const row = await this.#store.transaction().execute(async (tx) => {
      const old = await tx
        .deleteFrom('chat_settings')
        .where('platform', '=', platform)
        .where('chat', '=', from)
        .returning(['language', 'seen_language', 'cards', 'quiet_from', 'quiet_to', 'zone'])
        .executeTakeFirst()
      if (!old) return undefined
      const values = { ...old, changed_at_ms: databaseNow(tx) }
      return tx
        .insertInto('chat_settings')
        .values({ platform, chat: to, ...values })
        .onConflict((conflict) => conflict.columns(['platform', 'chat']).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    if (!row) return
    this.#keepSet(row)
  }

  #isSetSince(changes: number, { platform, chat }: Selectable<ChatSettingsTable>): boolean {
    return (this.#setBy.get(keyOf(platform, chat)) ?? 0) > changes
  }

  #keepSet(row: Selectable<ChatSettingsTable>): void {
    this.#changes += 1
    this.#setBy.set(keyOf(row.platform, row.chat), this.#changes)
    this.#keep(row)
  }

  #keep(row: Selectable<ChatSettingsTable>): void {
    const { platform, chat, language, seen_language, cards } = row
    const { quiet_from: from, quiet_to: to, zone } = row
    const before = this.of(platform, chat)
    const setting = {
      language: language ?? undefined,
      seenLanguage: seen_language ?? undefined,
      cards: cards === 1,
      quiet: from === null || to === null ? undefined : { from, to },
      zone: zone ?? 'UTC',
    }
    this.#settings.set(keyOf(platform, chat), setting)
    const hours = ({ quiet, zone }: ChatSetting) => [quiet, zone]
    if (before.quiet && !isDeepStrictEqual(hours(before), hours(setting)))
      this.#onQuietHours(platform, chat)
  }
}

function keyOf(platform: string, chat: string): string {
  return `${platform} ${chat}`
}
