import type { ColumnType, ExpressionBuilder, Generated, Kysely } from 'kysely'
import type { PlatformName } from '../core/command.ts'

/** Command lines too long for a button. */
export interface CallbackLinesTable {
  /** A digest of the line, so that each line is one row. */
  id: string
  line: string
  /** The time when a message with it was last sent, to within an hour. */
  shown_at_s: number
}

/** A launch, from its first question to its end. */
export interface DraftsTable {
  id: string
  platform: PlatformName
  person: string
  /** The group in which it began, if any. */
  origin: string | null
  /** Revision: increases by one with each change, which names the revision that it is based on. */
  rev: number
  state: string
  /** JSON, as `launch/draft.ts` reads it. */
  body: string
  created_at_s: number
  updated_at_s: number
}

/** Calldata that was built for a draft, and its state. */
export interface PayloadsTable {
  id: string
  draft: string
  /** active, revoked, expired or launched; at most one of a draft is active. */
  state: string
  /** SHA-256 of the signing link's token, in hex; null if there is no link. */
  link: string | null
  link_expires_at_s: number | null
  /** JSON, as `launch/payload.ts` reads it. */
  body: string
  rev: number
  created_at_s: number
  updated_at_s: number
}

/** Pictures that were re-encoded, until they are pruned. */
export interface PicturesTable {
  cid: string
  type: string
  bytes: Uint8Array
  used_at_s: number
}

/** Work that survives a restart. */
export interface JobsTable {
  /** A job whose key was added before is not added again, even if it is done. */
  key: string
  kind: string
  /** JSON. */
  body: string
  state: 'waiting' | 'done' | 'given-up'
  run_at_s: number
  attempts: number
  /** Why the last try failed. */
  reason: string | null
  updated_at_s: number
  /** When the first of the tries that have failed in a row ended; null if the last one has not failed. */
  failing_since_s: number | null
}

/** A rule that matches events. Each combination is one row, however many chats subscribe to it; '' and 0 stand for "any". */
export interface RulesTable {
  id: Generated<number>
  kind: string
  chain: number
  /** Addresses in this table are in lower case. */
  asset: string
  numeraire: string
  creator: string
  category: string
  /** The setting of the kind in canonical form, with what the scope asks for besides the columns (name, mcap, raised), as `alerts/rule.ts` writes it; '' if there is none. */
  setting: string
  /** JSON of the watcher's state for it (the reference price of price moves, the last digest); '' at first. */
  memory: string
}

/** A chat, forum topic or person that alerts are sent to. */
export interface ChatsTable {
  id: Generated<number>
  platform: PlatformName
  kind: 'person' | 'chat'
  /** The platform's id of the chat or person. */
  chat: string
  /** The forum topic; '' if it is none. */
  thread: string
  /** Why nothing is sent there (a `Loss`); null if it is not paused. */
  paused: string | null
  /** 0 if it is not muted. */
  muted_until_s: number
  /** Nothing more is sent there before this time: something is being sent or was a moment ago, or the platform asked for a pause. */
  next_at_ms: number
  /** The time when a waiting delivery can be sent, or sent again if there is no result until then; null if none waits. */
  due_at_ms: number | null
  created_at_s: number
  /** The ids of the last updates that changed or removed a subscription, with commas between. */
  changed_by: string | null
}

/** Subscriptions of chats to rules. */
export interface SubscriptionsTable {
  rule_id: number
  chat_id: number
  created_at_s: number
  /** A role that its alerts notify, as a view's `mentions` name it; null for none. */
  role: ColumnType<string | null, string | null | undefined>
  /** The role's name as it was when it was set. */
  role_name: ColumnType<string | null, string | null | undefined>
}

/** A chain that is watched. */
export interface WatchedChainsTable {
  chain: number
  /** The time of the first complete poll: assets that were there then make no event. */
  begun_at_s: number
  /** JSON of the watcher's position. */
  body: string
}

/** The last observed state of an asset. */
export interface WatchedAssetsTable {
  chain: number
  asset: string
  /** incoming, live, graduated, ended, or gone. */
  phase: string
  /** JSON, as `alerts/asset.ts` reads it. */
  body: string
  /** JSON of the bounded history of price and progress, as `alerts/snapshot.ts` reads it. */
  history: string
  updated_at_s: number
}

/** Events. Each key exists once, for as long as the same event could be detected again. */
export interface EventsTable {
  id: Generated<number>
  key: string
  kind: string
  chain: number
  /** '' if the event is not about a single asset. */
  asset: string
  /** JSON, as `alerts/events.ts` reads it; '' once the event is too old for notifications. */
  body: string
  happened_at_s: number
  /** The time when the bot found it. */
  found_at_s: number
  /** No notification of it is sent after this time. */
  useful_until_s: number
  /** The chat (the id of its row) after which deliveries are still to be stored; null once all are. */
  slices_after: ColumnType<number | null, number | null | undefined>
}

/** The notification of one event to one chat. */
export interface DeliveriesTable {
  event_id: number
  chat_id: number
  state: 'waiting' | 'sent' | 'uncertain' | 'dropped' | 'given-up'
  run_at_s: number
  attempts: number
  /**
   * The number of the claim in which it may have been sent: 0 if it can't have arrived. Deliveries of one claim that wait
   * are only sent again together, as the same message.
   */
  claim: number
  /** Why it was not sent, or is not sent yet. */
  reason: string | null
  updated_at_s: number
  /** A role that it notifies; null for none. */
  role: ColumnType<string | null, string | null | undefined>
}

/** A message about a live auction that is edited as the auction goes on. */
export interface LiveMessagesTable {
  chat_id: number
  message: string
  chain: number
  asset: string
  /** A digest of its current content. */
  shown: string
  /** It is not edited again before this time. */
  due_at_s: number
  /** The time when the end of its auction was observed; null while it is live. */
  over_at_s: number | null
  created_at_s: number
}

/** The bot that the database belongs to, for each platform: chat ids are of use to that bot only. */
export interface BotsTable {
  platform: string
  /** The platform's own id of the bot. */
  id: string
}

/** The settings of a chat, by /settings; a person's own private chat has their id. */
export interface ChatSettingsTable {
  platform: PlatformName
  /** The platform's own id. */
  chat: string
  /** A language tag of the catalogue. */
  language: string | null
  /** The language tag of the last person who changed something in the chat. */
  seen_language: string | null
  /** 1: addresses and tickers that people write in a group are answered with cards. */
  cards: Generated<number>
  /** Local hours, 0 to 23; null: alerts come at any hour. */
  quiet_from: number | null
  quiet_to: number | null
  /** An IANA time zone; null: UTC. */
  zone: string | null
  /** By the database's own clock. */
  changed_at_ms: number
}

/** A question that a person is being asked in a chat, such as for the price of an alert, for some minutes. */
export interface PendingQuestionsTable {
  platform: PlatformName
  person: string
  /** The platform's own id. */
  chat: string
  /** The command line that asked; '' if nothing is asked any more. */
  line: string
  asked_at_s: number
  /** The last update that answered a question here, which its platform may bring again. */
  answered_by: string | null
}

/** Chats in which a person was a manager. */
export interface ManagedChatsTable {
  platform: PlatformName
  person: string
  chat: string
  seen_at_s: number
}

/** The tokens that a person watches. */
export interface WatchlistTable {
  platform: string
  /** The platform's own id. */
  person: string
  chain: number
  /** Lower case. */
  asset: string
  /** The price when it was added, as a decimal; null if it was unknown. */
  price: string | null
  /** The currency of that price: `usd`, or the address of the quote token in lower case. */
  currency: string | null
  added_at_s: number
}

/** Changes by administrators. */
export interface AdminLogTable {
  id: Generated<number>
  /** An id with its platform, or the name of a user of the machine. */
  who: string
  /** The line, such as `pause telegram:-100123`. */
  what: string
  /** The outcome; null if the process ended before. */
  outcome: string | null
  done_at_s: number
}

/** People whom the bot does not answer. */
export interface BlockedPeopleTable {
  platform: PlatformName
  /** The platform's own id. */
  person: string
  blocked_at_s: number
  /** 1: they were told. */
  noticed: Generated<number>
}

/** The tables. Names of times end with their unit: `_s` for unix seconds, `_ms` for unix milliseconds. */
export interface Schema {
  callback_lines: CallbackLinesTable
  drafts: DraftsTable
  payloads: PayloadsTable
  pictures: PicturesTable
  jobs: JobsTable
  rules: RulesTable
  chats: ChatsTable
  subscriptions: SubscriptionsTable
  watched_chains: WatchedChainsTable
  watched_assets: WatchedAssetsTable
  events: EventsTable
  deliveries: DeliveriesTable
  live_messages: LiveMessagesTable
  bots: BotsTable
  chat_settings: ChatSettingsTable
  pending_questions: PendingQuestionsTable
  watchlist: WatchlistTable
  managed_chats: ManagedChatsTable
  admin_log: AdminLogTable
  blocked_people: BlockedPeopleTable
}

/** The database, open. */
export type Store = Kysely<Schema>

/** A row of a table in a statement, with which expressions of its columns are made. */
export type RowOf<Table extends keyof Schema> = ExpressionBuilder<Schema, Table>
