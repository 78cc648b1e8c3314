import { z } from 'zod'

/** A point of an asset's recorded course; price in dollars (or the numeraire) and progress 0 to 1 as decimals. */
const pointSchema = z.object({
  at: z.number(),
  price: z.string().max(120).optional(),
  progress: z.string().max(120).optional(),
})
export type Point = z.output<typeof pointSchema>

/** Oldest first. */
export const historySchema = z.array(pointSchema)
