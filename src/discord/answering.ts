import {
  DiscordAPIError,
  HTTPError,
  MessageFlags,
  RateLimitError,
  type RawFile,
  type REST,
} from 'discord.js'
import type { Show, Turn } from '../chat/command.ts'
import type { LineKeeper } from '../chat/control.ts'
import type { IncomingFile } from '../chat/conversation.ts'
import type { Answer, Bot } from '../chat/dispatch.ts'
import type { View } from '../chat/view.ts'
import { within } from '../chat/within.ts'
import type { SentFile } from './incoming.ts'
import type { DiscordMessage } from './render.ts'

/** A view as it is sent. */
export interface Rendered {
  body: DiscordMessage
  files: RawFile[]
}

/** What answering takes. */
export interface AnswerParts {
  rest: REST
  /** The bot's own, by which it can be addressed. */
  username: string
  bot: Bot
  /** Messages don't arrive, not even in private chats. */
  wordless: boolean
  lines: LineKeeper
  render: (view: View) => Promise<Rendered>
  /** Files that came with a message or a form. */
  files: (sent: Iterable<SentFile>) => IncomingFile[]
  /** Takes down what could not be shown. */
  report: (error: unknown) => void
}

/** The place of one answer. */
export interface Reply {
  /** Shows what there is so far. */
  show: Show
  /** Says that the answer takes a while. */
  announce(): Promise<void>
  finish(line: string, answer: Answer): Promise<void>
}

/** Discord wants a sign within 3 s: an answer that takes longer than this is announced first and filled in later. */
const deferAfter = 900

/** Asks the bot and gives its answer: at once where it is quick, else after an announcement. */
export async function respond(
  reply: Reply,
  line: string,
  ask: (show: Show) => Promise<Answer>,
): Promise<void> {
  const answering = ask(reply.show)
  if (!(await within(answering, deferAfter))) await reply.announce()
  await reply.finish(line, await answering)
}

/** Discord's code for a body that breaks one of its rules. */
const invalidFormBody = 50_035

/**
 * Shows an answer; what was refused or failed is marked for the asker alone. An answer that Discord won't show is a
 * fault of ours: the person reads that instead of nothing.
 */
export async function shownOrExplained(
  parts: AnswerParts,
  line: string,
  answer: Answer,
  show: (message: Rendered, answer: Answer) => Promise<unknown>,
): Promise<void> {
  try {
    await show(await renderedAnswer(parts, answer), answer)
  } catch (error) {
    if (isDiscords(error)) throw error
    const instead = parts.bot.explain(error, line)
    await show(await renderedAnswer(parts, instead), instead)
  }
}

/** Whether Discord or the way there failed, and not what was to be shown. */
export function isDiscords(error: unknown): boolean {
  if (error instanceof DiscordAPIError) return error.code !== invalidFormBody
  return error instanceof HTTPError || error instanceof RateLimitError
}

async function renderedAnswer(
  { render }: AnswerParts,
  { view, outcome }: Answer,
): Promise<Rendered> {
  const { body, files } = await render(view)
  if (outcome === 'answered') return { body, files }
  return { body: { ...body, flags: body.flags | MessageFlags.Ephemeral }, files }
}

/** Who asks and where; `seen` says who reads the answer, and whether the place is the private chat with the bot. */
export function turnOf(
  { wordless }: Pick<AnswerParts, 'wordless'>,
  person: string,
  place: string,
  seen: { alone: boolean; direct: boolean },
): Turn {
  return { platform: 'discord', person, place, ...seen, ...(wordless && { wordless }) }
}
