import type { BriefAsset } from './asset.ts'

/** The stored JSON of an event. The event's kind knows the other fields, and parses them. */
export interface EventBody {
  readonly kind: string
  /** The asset as the API returned it at that time; absent if the event is about many. */
  readonly asset?: BriefAsset
  /** The id of the one rule whose subscribers are notified; absent if rules are matched. */
  readonly filter?: number
  readonly [field: string]: unknown
}

/** Something that happened, before it is matched with rules. */
export interface Event<Body extends EventBody = EventBody> {
  /** Unique and permanent: if the same thing is detected twice it has the same key. */
  key: string
  /** 0 if it is not about a single chain. */
  chain: number
  /** Lower-case address; '' if it is not about a single asset. */
  asset: string
  /** Unix seconds. */
  at: number
  /** Unix seconds; nobody is notified after it. */
  usefulUntil: number
  body: Body
}
