import { z } from 'zod'
import { type ListStatus, listStatuses } from '../api/status.ts'
import { type BriefAsset, briefAssetSchema } from './brief-asset.ts'

/** Where an asset is in its life, as the interface tells it; `gone` where it knows the asset no more. */
export const phases = [...listStatuses, 'ended', 'gone'] as const
export type Phase = (typeof phases)[number]

/** What is kept of an asset beside its phase, to tell news from what was known. */
export const stateSchema = z.object({
  /** As the interface gave it last. */
  asset: briefAssetSchema,
  /** The phases that are never told again: they were told, or were there before anybody asked. */
  told: z.array(z.enum(listStatuses)),
  /** The largest share sold that was ever seen, 0 to 1; absent until it is known. */
  progress: z.string().optional(),
  /** The end that is counted down to. */
  ending: z
    .object({
      endsAt: z.number(),
      /** The fewest to it that were seen. */
      minutes: z.number(),
      /** Whether anything was told of it. */
      told: z.boolean().optional(),
      /** How often it was counted down to anew after it was told of, and when (unix seconds) that was last. */
      anew: z.object({ count: z.number(), at: z.number() }).optional(),
    })
    .optional(),
  /** How often in a row the interface did not know it. */
  misses: z.number(),
})

/** An asset of the snapshot. */
export interface AssetState extends z.output<typeof stateSchema> {
  phase: Phase
}

/** How an asset was seen: in a list, or asked for by itself. */
export interface Seen {
  by: ListStatus | 'itself'
  asset: BriefAsset
}

/** What a look came to for one asset; `absence` where the interface does not know it. */
export type Sighting = Seen | { by: 'absence' }
