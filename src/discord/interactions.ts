import { InteractionResponseType, MessageFlags, Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { ThrottledEditor } from '../core/adapter.ts'
import { decodePress, namesForm } from '../core/callback-data.ts'
import { readMessage, withoutChatOption } from '../core/command.ts'
import type { Answer } from '../core/dispatch.ts'
import type { UpdateDeduplication } from '../core/inbox.ts'
import { withTimeout } from '../core/retry.ts'
import { harmless, shortenUnits } from '../core/text.ts'
import type { Logger } from '../log.ts'
import {
  type AnswerParts,
  callback,
  contextOf,
  InteractionReply,
  progress,
  type Rendered,
  type Reply,
  respond,
  shownOrExplained,
} from './answer.ts'
import { lineOfOptions } from './commands.ts'
import { accessOf, onFormPress, onModalSubmit } from './forms.ts'
import type { CommandUse, Interaction, Press, Typing, WrittenMessage } from './incoming.ts'
import { pressData } from './render.ts'

interface HandlingParts {
  /** Dependencies of the handlers; called for each interaction, since some are known only after the start. */
  answering: () => AnswerParts
  deduplication: UpdateDeduplication
  /** There are no other replicas, so that deduplication needs no database. */
  isSingleNode: boolean
  log: Logger
  /** Called for each update, with its kind. */
  onUpdate: (kind: string) => void
  /** Called with the channel of a person's private chat. */
  onPrivateChat: (person: string, channel: string) => void
}

/** Maximum ids that are cached for deduplication: those of some minutes at hundreds a second. */
const maxSeen = 50_000
/** Milliseconds for deduplication by the database; Discord waits 3 s for the initial response. */
const deduplicationTimeout = 1_000

/** Handles each interaction and message once over all replicas, and tracks those under way. */
export class Handling {
  readonly #parts: HandlingParts
  readonly #seen = new LRUCache<string, true>({ max: maxSeen })
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: HandlingParts) {
    this.#parts = parts
  }

  interaction(interaction: Interaction): void {
    const { id, kind, user, chat, isPrivate } = interaction
    this.#take(id, kind, async (parts) => {
      if (isPrivate) this.#parts.onPrivateChat(user, chat)
      await onInteraction(parts, interaction)
    })
  }

  message(message: WrittenMessage): void {
    const { id, isBot, isPrivate, author, chat } = message
    if (isBot || !isPrivate) return
    this.#take(id, 'message', async (parts) => {
      this.#parts.onPrivateChat(author, chat)
      await onDirectMessage(parts, message)
    })
  }

  /** Waits up to `milliseconds` for the handlers under way. */
  async end(milliseconds: number): Promise<void> {
    await withTimeout(Promise.allSettled(this.#underWay), milliseconds)
  }

  #take(id: string, kind: string, handle: (parts: AnswerParts) => Promise<void>): void {
    const { answering, onUpdate } = this.#parts
    const parts = answering()
    const tracked = this.#isFirst(id)
      .then(async (isFirst) => {
        if (!isFirst) return
        onUpdate(kind)
        await handle(parts)
      })
      .catch(parts.report)
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  /**
   * Whether no replica has handled this id. True if the database does not answer: Discord accepts only one response to an
   * interaction anyway, most commands need no database, and no answer would be worse. A single process does not use the
   * database: that would take 0.1 ms, a good part of a command's whole time.
   */
  async #isFirst(id: string): Promise<boolean> {
    if (this.#seen.has(id)) return false
    this.#seen.set(id, true)
    const { deduplication, isSingleNode, log } = this.#parts
    if (isSingleNode) return true
    try {
      return (await withTimeout(deduplication.isFirst('discord', id), deduplicationTimeout)) ?? true
    } catch (error) {
      log.warn({ err: error }, 'discord: the database does not say who answers; this replica does')
      return true
    }
  }
}

/** Handles an interaction: runs it as a command line, and shows the answer. */
async function onInteraction(parts: AnswerParts, interaction: Interaction) {
  if (interaction.kind === 'command') return onSlash(parts, interaction)
  if (interaction.kind === 'autocomplete') return onAutocomplete(parts, interaction)
  if (interaction.kind === 'component') return onComponent(parts, interaction)
  return onModalSubmit(parts, interaction)
}

async function onSlash(parts: AnswerParts, interaction: CommandUse) {
  const { bot } = parts
  const { name, options, user, chat, isPrivate } = interaction
  const line = lineOfOptions(name, options, bot.menu, isPrivate ? undefined : chat)
  const command = bot.parse(line)
  const ephemeral = isPrivate || command.ephemeral
  const context = contextOf(parts, user, chat, { ephemeral, isPrivate })
  const reply = new InteractionReply(parts, interaction, {
    inPlace: false,
    hidden: ephemeral && !isPrivate,
  })
  await respond(reply, line, (show) => bot.answer(command, context, show))
}

async function onComponent(parts: AnswerParts, interaction: Press) {
  const { bot, lines } = parts
  const { user, chat, isPrivate, chosen } = interaction
  const data = pressData(chosen)
  if (namesForm(data)) return onFormPress(parts, interaction, data)
  const press = await decodePress(data, lines)
  const line = press?.line ?? ''
  const command = bot.parse(line)
  const access = accessOf(interaction)
  const ephemeral = access.private || !access.own || command.ephemeral
  // An ephemeral answer never replaces a public message.
  const inPlace = press?.opens === false && access.own && (access.private || !ephemeral)
  const reply = new InteractionReply(parts, interaction, {
    inPlace,
    hidden: ephemeral && !isPrivate,
  })
  const context = contextOf(parts, user, chat, { ephemeral, isPrivate })
  await respond(reply, line, async (show) => (press ? bot.answer(command, context, show) : tooOld))
}

async function onAutocomplete(parts: AnswerParts, interaction: Typing) {
  const { name: command, option, typed, user, chat, isPrivate } = interaction
  const context = contextOf(parts, user, chat, { ephemeral: true, isPrivate })
  const found = await parts.bot.complete({ command, option, typed }, context)
  const choices = found
    .filter((choice) => choice.value.length <= 100)
    .slice(0, 25)
    .map((choice) => ({
      name: shortenUnits(harmless(choice.label).trim(), 100) || choice.value,
      value: choice.value,
    }))
  await callback(parts, interaction, {
    type: InteractionResponseType.ApplicationCommandAutocompleteResult,
    data: { choices },
  })
}

const tooOld: Answer = {
  view: {
    title: ['This button is too old'],
    tone: 'warn',
    blocks: [{ kind: 'text', spans: ['Send the command again.'] }],
  },
  outcome: 'refused',
}

/** Handles a message in a private chat: a command as text, or text and files that the bot asked for. */
async function onDirectMessage(parts: AnswerParts, message: WrittenMessage): Promise<void> {
  if (message.isBot || !message.isPrivate) return
  const { bot, username, files } = parts
  const { content, chat, author } = message
  const reading = readMessage(content, username)
  if (reading.kind === 'elsewhere') return
  const command = withoutChatOption(bot.parse(reading.line))
  const context = contextOf(parts, author, chat, { ephemeral: true, isPrivate: true })
  const reply = new DirectReply(parts, chat)
  await respond(reply, command.line, (show) => {
    if (reading.kind === 'command') return bot.answer(command, context, show)
    const input = { text: content, fields: {}, files: files(message.files) }
    return bot.receive(input, command, context, show)
  })
}

const posted = z.object({ id: z.string() })

/** An answer in a private chat: sent once, then edited. */
class DirectReply implements Reply {
  readonly show
  readonly #parts: AnswerParts
  readonly #channel: string
  readonly #progress: ThrottledEditor
  #message: string | undefined

  constructor(parts: AnswerParts, channel: string) {
    this.#parts = parts
    this.#channel = channel
    this.#progress = progress(async (view) => this.#put(await parts.render(view)), parts.report)
    this.show = this.#progress.show
  }

  async announce(): Promise<void> {
    const { rest } = this.#parts
    // Ignored: the answer may still arrive.
    await rest.post(Routes.channelTyping(this.#channel)).catch(() => undefined)
  }

  async finish(line: string, answer: Answer): Promise<void> {
    await this.#progress.end()
    if (answer.repeated) return
    await shownOrExplained(this.#parts, line, answer, (message) => this.#put(message))
  }

  async #put({ body: { flags, ...body }, files }: Rendered): Promise<void> {
    const { rest } = this.#parts
    // Messages in private chats can't be ephemeral.
    const sent = { body: { ...body, flags: flags & ~MessageFlags.Ephemeral }, files }
    if (this.#message === undefined) {
      const answer = await rest.post(Routes.channelMessages(this.#channel), sent)
      this.#message = posted.parse(answer).id
    } else {
      await rest.patch(Routes.channelMessage(this.#channel, this.#message), sent)
    }
  }
}
