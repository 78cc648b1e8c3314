import { z } from 'zod'

/** What the measuring process asks of the process with the stand-ins. */
export const request = z.discriminatedUnion('do', [
  /** Opens the interface and both platforms, with so many chats on each. */
  z.object({ do: z.literal('open'), chats: z.number() }),
  /** Sends commands to a bot that has nothing else to do. */
  z.object({ do: z.literal('idle'), seconds: z.number(), everyMs: z.number() }),
  /** Lets an auction go live, and sends commands until every chat was told of it. */
  z.object({ do: z.literal('news'), everyMs: z.number(), patienceSeconds: z.number() }),
])
export type Request = z.infer<typeof request>

/** What the bot needs to know of the stand-ins, and the ids of the chats that shall follow. */
export const opened = z.object({
  env: z.record(z.string(), z.string()),
  followers: z.object({ telegram: z.array(z.string()), discord: z.array(z.string()) }),
})
export type Opened = z.infer<typeof opened>

/** Milliseconds from each command to its answer. */
const latencies = z.array(z.number())
export const idled = z.object({ telegram: latencies, discord: latencies })
export type Idled = z.infer<typeof idled>

/** One run on one platform. */
const told = z.object({
  /** Chats that got the news, and messages that they got of it in all. */
  chats: z.number(),
  messages: z.number(),
  /** Milliseconds from the interface showing it to the first and to the last chat that got it. */
  firstMillis: z.number(),
  lastMillis: z.number(),
  /** Answers to commands between the two, as far as the platform counts them with the alerts. */
  answers: z.number(),
  edits: z.number(),
  refused: z.number(),
  latencies,
})
export type Told = z.infer<typeof told>
export const delivered = z.object({ telegram: told, discord: told })
export type Delivered = z.infer<typeof delivered>
