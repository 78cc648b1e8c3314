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

export interface Schema {
  lines: LinesTable
  drafts: DraftsTable
  payloads: PayloadsTable
  pictures: PicturesTable
  jobs: JobsTable
}
