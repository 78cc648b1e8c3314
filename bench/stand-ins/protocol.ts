import { z } from 'zod'

export const platforms = ['telegram', 'discord'] as const
export type PlatformName = (typeof platforms)[number]

/**
 * Requests of the measuring process to the stand-ins' process. A venue is a stand-in of one platform with an interface.
 */
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
    /** Commands sent at once; the next batch waits for their answers. */
    batch: z.number(),
    batches: z.number(),
    /** Number of concurrent sequences of batches. */
    inFlight: z.number(),
  }),
  /** Lets Telegram call these servers in turn: base URLs without a trailing slash. */
  z.object({ do: z.literal('call'), venue: z.number(), targets: z.array(z.string()) }),
  z.object({ do: z.literal('answer'), venue: z.number() }),
  z.object({ do: z.literal('close'), venue: z.number() }),
])
export type Request = z.infer<typeof request>

/** A stand-in's settings for a bot, and the assets that commands can ask for. */
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
  /** Processor time of the stand-ins in milliseconds. */
  standInCpu: z.number(),
  /** Requests to the interface meanwhile. */
  upstreamReads: z.number(),
})
export type Served = z.infer<typeof served>

/** The bot's last answer to a command, as the platform received it. */
export const answerBody = z.record(z.string(), z.unknown())
export type AnswerBody = z.infer<typeof answerBody>
