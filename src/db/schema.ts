import type { ColumnType, Generated, Kysely } from 'kysely'

/** Command lines too long for a button. */
export interface LinesTable {
  /** A digest of the line, so that one line is one row however often it is shown. */
  id: string
  line: string
  /** Unix seconds of the last time that a message with it was sent. */
  shown_at: number
}

/** A launch from its first question to its end. Times are unix seconds. */
export interface DraftsTable {
  id: string
  platform: 'telegram' | 'discord'
  person: string
  /** The group in which it began. */
  origin: string | null
  /** Grows by one with each change; a change names the one it was made on. */
  rev: number
  state: string
  /** JSON, as `launch/draft.ts` reads it. */
  body: string
  created_at: number
  updated_at: number
}

/** Calldata that was built for a draft, and what became of it. Times are unix seconds. */
export interface PayloadsTable {
  id: string
  draft: string
  /** active, revoked, expired or launched; of one draft at most one is active. */
  state: string
  /** SHA-256 of the signing link's token, in hex; null where there is no link. */
  link: string | null
  link_expires_at: number | null
  /** JSON, as `launch/payload.ts` reads it. */
  body: string
  rev: number
  created_at: number
  updated_at: number
}

/** Pictures that were re-encoded and not yet forgotten. */
export interface PicturesTable {
  cid: string
  type: string
  bytes: Uint8Array
  /** Unix seconds. */
  used_at: number
}

/** Work that survives a restart. Times are unix seconds. */
export interface JobsTable {
  /** A job with a key that was there before is not added again, also when it is done. */
  key: string
  kind: string
  /** JSON. */
  body: string
  state: 'waiting' | 'done' | 'given-up'
  run_at: number
  attempts: number
  /** Until then somebody works on it. */
  leased_until: number
  /** Why the last try failed. */
  reason: string | null
  updated_at: number
}

/** Which news somebody wants. Each combination is one row, however many follow it; '' and 0 stand for "any". */
export interface FiltersTable {
  id: Generated<number>
  kind: string
  chain: number
  /** Addresses are in lower case here. */
  asset: string
  numeraire: string
  creator: string
  category: string
  /** The kind's own setting in one canonical spelling, as `alerts/rule.ts` writes it; '' where it has none. */
  setting: string
  /** JSON of what the watcher remembers of it (the price that moves are counted from, the last digest); '' at first. */
  memory: string
}

/** A chat, a topic of one, or a person to whom alerts go. */
export interface DestinationsTable {
  id: Generated<number>
  platform: 'telegram' | 'discord'
  kind: 'person' | 'chat'
  /** The platform's id of the chat or person. */
  chat: string
  /** '' where it is no topic. */
  thread: string
  /** Why nothing is sent there (a `Loss`); null where it is. */
  paused: string | null
  /** Unix seconds; 0 where it is not muted. */
  muted_until: number
  /** Unix milliseconds before which nothing more is sent there: somebody is at it, or did it a moment ago. */
  next_at: number
  /** Unix milliseconds at which something can be sent there; null where nothing waits. */
  due_at: number | null
  /** How often what waits was taken to be sent: who took it last is the one who may say what became of it. */
  claims: number
  created_at: number
  /** Unix seconds at which it was last said when something is due. */
  updated_at: number
}

/** Who wants what. */
export interface FollowsTable {
  filter: number
  destination: number
  created_at: number
}

/** A chain that is watched. */
export interface WatchedChainsTable {
  chain: number
  /** Unix seconds of the first whole look at it: what was there then is no news. */
  begun_at: number
  /** JSON of where the watcher is. */
  body: string
}

/** What an asset looked like when it was last seen. */
export interface WatchedAssetsTable {
  chain: number
  asset: string
  /** incoming, live, graduated, ended, or gone. */
  phase: string
  /** JSON, as `alerts/state.ts` reads it. */
  body: string
  /** JSON of the bounded history of price and progress, as `alerts/point.ts` reads it. */
  history: string
  updated_at: number
}

/** What happened. A key is there once, for as long as the same could be found again. */
export interface NewsTable {
  id: Generated<number>
  key: string
  kind: string
  chain: number
  /** '' where it is about no single asset. */
  asset: string
  /** JSON, as `alerts/news.ts` reads it; '' once it is too old to be told. */
  body: string
  at: number
  /** Unix seconds after which it is told to nobody any more. */
  useful_until: number
}

/** One piece of news for one destination. */
export interface DeliveriesTable {
  news: number
  destination: number
  state: 'waiting' | 'sent' | 'uncertain' | 'dropped' | 'given-up'
  /** Unix seconds, as all times here. */
  run_at: number
  attempts: number
  /**
   * Which claim of its destination it was last in, below zero where that claim is over; 0 where it can't have been
   * sent. What may be there already is sent again only as the same message.
   */
  claim: number
  /** 1 where a send of it got no answer before. */
  uncertain: number
  /** Why it was not sent, or not yet. */
  reason: string | null
  updated_at: number
}

/** A message about a live auction that is kept up to date. */
export interface LiveMessagesTable {
  destination: number
  message: string
  chain: number
  asset: string
  /** A digest of what it shows. */
  shown: string
  /** Unix seconds before which it is not edited again. */
  due_at: number
  /** Unix seconds at which its auction's end was seen; null while that lives. */
  over_at: number | null
  created_at: number
}

/** Work that one of several processes does. */
export interface RolesTable {
  name: string
  /** The id that its holder gave itself. */
  holder: string
  /** Unix milliseconds on the database's own clock. */
  held_until: number
}

/** What a platform brought: kept until it is handled, and then its number alone, so that it is heard once. */
export interface UpdatesTable {
  platform: string
  /** The platform's own number: it grows. Discord's are beyond what a number holds, and are never read. */
  id: ColumnType<number, number | bigint, never>
  /** What must be handled one after the other. */
  lane: string
  /** JSON; null once it was handled, or given up. */
  body: string | null
  attempts: number
  /** Unix seconds. */
  received_at: number
}

/** Lanes in which one process handles updates at this moment. */
export interface LanesTable {
  platform: string
  lane: string
  /** The id that the process gave itself. */
  holder: string
  /** Unix milliseconds on the database's own clock. */
  held_until: number
}

/** Whose the database is: what is stored under a chat's id is of use to that bot alone. */
export interface BotsTable {
  platform: string
  /** The platform's own id of the bot. */
  id: string
}

export interface Schema {
  lines: LinesTable
  drafts: DraftsTable
  payloads: PayloadsTable
  pictures: PicturesTable
  jobs: JobsTable
  filters: FiltersTable
  destinations: DestinationsTable
  follows: FollowsTable
  watched_chains: WatchedChainsTable
  watched_assets: WatchedAssetsTable
  news: NewsTable
  deliveries: DeliveriesTable
  live_messages: LiveMessagesTable
  roles: RolesTable
  updates: UpdatesTable
  lanes: LanesTable
  bots: BotsTable
}

/** The database, open. */
export type Store = Kysely<Schema>
