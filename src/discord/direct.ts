import { MessageFlags, Routes } from 'discord.js'
import { z } from 'zod'
import type { Answer } from '../chat/dispatch.ts'
import type { Paced } from '../chat/paced.ts'
import { withoutPlace } from '../chat/place.ts'
import { readMessage } from '../chat/reading.ts'
import {
  type AnswerParts,
  type Rendered,
  type Reply,
  respond,
  shownOrExplained,
  turnOf,
} from './answering.ts'
import type { WrittenMessage } from './incoming.ts'
import { progress } from './progress.ts'

/** A message in a private chat: the same commands as text, and what the bot asked for in words or files. */
export async function onDirectMessage(parts: AnswerParts, message: WrittenMessage): Promise<void> {
  if (message.isBot || !message.direct) return
  const { bot, username, files } = parts
  const { content, place, author } = message
  const reading = readMessage(content, username)
  if (reading.kind === 'elsewhere') return
  const line = withoutPlace(reading.line, bot.menu)
  const turn = turnOf(parts, author, place, { alone: true, direct: true })
  const reply = new DirectReply(parts, place)
  await respond(reply, line, (show) => {
    if (reading.kind === 'command') return bot.answer(line, turn, show)
    const heard = { words: content, named: {}, files: files(message.files) }
    return bot.hear(heard, line, turn, show)
  })
}

const posted = z.object({ id: z.string() })

/** An answer in a private chat: posted once, then edited. */
class DirectReply implements Reply {
  readonly show
  readonly #parts: AnswerParts
  readonly #channel: string
  readonly #progress: Paced
  #message: string | undefined

  constructor(parts: AnswerParts, channel: string) {
    this.#parts = parts
    this.#channel = channel
    this.#progress = progress(async (view) => this.#put(await parts.render(view)), parts.report)
    this.show = this.#progress.show
  }

  async announce(): Promise<void> {
    const { rest } = this.#parts
    // Only a courtesy: where it fails the answer may still arrive.
    await rest.post(Routes.channelTyping(this.#channel)).catch(() => undefined)
  }

  async finish(line: string, answer: Answer): Promise<void> {
    await this.#progress.end()
    if (answer.repeated) return
    await shownOrExplained(this.#parts, line, answer, (message) => this.#put(message))
  }

  async #put({ body: { flags, ...body }, files }: Rendered): Promise<void> {
    const { rest } = this.#parts
    // What only the asker sees in a server needs no hiding here, and can't have it.
    const sent = { body: { ...body, flags: flags & ~MessageFlags.Ephemeral }, files }
    if (this.#message === undefined) {
      const answer = await rest.post(Routes.channelMessages(this.#channel), sent)
      this.#message = posted.parse(answer).id
    } else {
      await rest.patch(Routes.channelMessage(this.#channel, this.#message), sent)
    }
  }
}
