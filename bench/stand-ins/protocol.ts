import { z } from 'zod'

export const platforms = ['telegram', 'discord'] as const
export type PlatformName = (typeof platforms)[number]

/** What the measuring process asks of the stand-ins' process. A venue is one platform with one interface behind it. */
export const request = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('open'),
    platform: z.enum(platforms),
    answerDelayMs: z.number(),
    upstreamMs: z.number(),
  }),
  z.object({
    do: z.literal('commands'),
    venue: z.number(),
    address: z.string(),
    /** Commands sent at once, answered before the next such batch goes out. */
    batch: z.number(),
    batches: z.number(),
    /** So many rows of batches side by side. */
    inFlight: z.number(),
  }),
  /** From now on Telegram calls these servers in turn: roots without a slash at the end. */
  z.object({ do: z.literal('call'), venue: z.number(), targets: z.array(z.string()) }),
  z.object({ do: z.literal('answer'), venue: z.number() }),
  z.object({ do: z.literal('close'), venue: z.number() }),
])
export type Request = z.infer<typeof request>

/** A venue as a bot needs to know it, and the assets that it can be asked for. */
export const opened = z.object({
  venue: z.number(),
  env: z.record(z.string(), z.string()),
  addresses: z.array(z.string()),
})
export type Opened = z.infer<typeof opened>

export const served = z.object({
  /** Milliseconds from the first command to the last answer. */
  millis: z.number(),
  /** Milliseconds from each command to its answer, in no particular order. */
  latencies: z.array(z.number()),
  /** Milliseconds of processor time that the stand-ins themselves took. */
  standInCpu: z.number(),
  /** Requests that reached the interface meanwhile. */
  upstreamReads: z.number(),
})
export type Served = z.infer<typeof served>

/** The body with which the bot last answered a command, as the platform got it. */
export const answerBody = z.record(z.string(), z.unknown())
export type AnswerBody = z.infer<typeof answerBody>
