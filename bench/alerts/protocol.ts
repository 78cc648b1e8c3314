import { z } from 'zod'

/** Requests of the measuring process to the process with the stand-ins. */
export const request = z.discriminatedUnion('do', [
  /** Opens the interface and both platforms, with this many chats on each. */
  z.object({ do: z.literal('open'), chats: z.number() }),
  /** Sends commands to the idle bot. */
  z.object({ do: z.literal('idle'), seconds: z.number(), everyMs: z.number() }),
  /** Lets an auction go live, and sends commands until every chat got the alert. */
  z.object({ do: z.literal('news'), everyMs: z.number(), patienceSeconds: z.number() }),
])
export type Request = z.infer<typeof request>

/** Settings for the bot, and the ids of the chats to subscribe. */
export const opened = z.object({
  env: z.record(z.string(), z.string()),
  followers: z.object({ telegram: z.array(z.string()), discord: z.array(z.string()) }),
})
export type Opened = z.infer<typeof opened>

/** Milliseconds from each command to its answer. */
const latencies = z.array(z.number())
export const idled = z.object({ telegram: latencies, discord: latencies })
export type Idled = z.infer<typeof idled>

/** Results of a run on one platform. */
const told = z.object({
  /** Chats that got the alert, and the messages that they got in all. */
  chats: z.number(),
  messages: z.number(),
  /** Milliseconds from the interface showing the event to the first and to the last chat's alert. */
  firstMillis: z.number(),
  lastMillis: z.number(),
  /** Answers to commands between the two, if they count towards the same limit. */
  answers: z.number(),
  edits: z.number(),
  refused: z.number(),
  latencies,
})
export type Told = z.infer<typeof told>
export const delivered = z.object({ telegram: told, discord: told })
export type Delivered = z.infer<typeof delivered>
