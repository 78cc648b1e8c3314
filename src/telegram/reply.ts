import { type Context, GrammyError } from 'grammy'
import type { ReplyKeyboardMarkup, ReplyKeyboardRemove } from 'grammy/types'
import { type ChatChange, type Edited, ThrottledEditor } from '../core/adapter.ts'
import type { CallbackStore } from '../core/callback-data.ts'
import { localise, plainText, plainView } from '../core/catalogue.ts'
import type { Answer, Dispatch, Manner, Reply } from '../core/incoming.ts'
import type { PlatformHealth } from '../core/platform-health.ts'
import { withTimeout } from '../core/task.ts'
import { shortenUnits } from '../core/text.ts'
import { type LocalisedView, type Message, t, text } from '../core/view.ts'
import type { Logger } from '../log.ts'
import { contextOf, spotIn, topicOf } from './context.ts'
import { isNotModified, sendError } from './errors.ts'
import { type IncomingFiles, sendFiles } from './files.ts'
import { inlineCard, privateLink } from './inline.ts'
import { pickerKeyboard } from './picker.ts'
import type { TelegramMessage } from './render.ts'
import type { Posts } from './send.ts'

/** Dependencies of the update handlers and their replies. */
export interface ReplyParts {
  dispatch: Dispatch
  callbacks: CallbackStore
  log: Logger
  files: IncomingFiles
  posts: Posts
  /** Milliseconds between two interim views. */
  viewPauseMs: number
  /** Makes the calls of an interim view, which is left out while answers wait. */
  asInterim<T>(work: () => Promise<T>): Promise<T>
  render(view: LocalisedView): Promise<TelegramMessage>
  onChatChange(change: ChatChange): Promise<void>
  health: PlatformHealth
}

/** Milliseconds after which "typing…" is shown. */
const typingAfter = 700
/** Milliseconds for which a press waits for its message to change before it is acknowledged. */
const acknowledgeAfter = 2_000

/** Answers a message with a new one, and a press in its message or with a notice. */
export class ChatReply implements Reply {
  readonly #ctx: Context
  readonly #parts: ReplyParts
  readonly #editor = new ThrottledEditor((view) => this.#showInterim(view))
  #inPlace = false
  #typing: NodeJS.Timeout | undefined
  /** The message that the views replace; undefined: the first view is a new message. */
  #message: number | undefined
  #hasShown = false
  /** The last interim view that was to be shown, and the one that the message shows. */
  #last: LocalisedView | undefined
  #shown: LocalisedView | undefined
  /** An answer was not taken: what follows explains that. */
  #isRefused = false

  constructor(ctx: Context, parts: ReplyParts) {
    this.#ctx = ctx
    this.#parts = parts
    const pressed = ctx.callbackQuery?.message
    if (pressed?.date) parts.posts.note(pressed)
  }

  begin({ inPlace }: Manner): void {
    this.#inPlace = inPlace
    if (!this.#ctx.callbackQuery) {
      // Ignored: a chat where this fails refuses the answer too, and that is reported.
      const type = () => this.#ctx.replyWithChatAction('typing').catch(() => undefined)
      this.#typing = setTimeout(type, typingAfter)
    } else if (inPlace) this.#message = this.#ctx.msgId
  }

  async show(view: LocalisedView): Promise<void> {
    // A message sent through inline mode is not the bot's: no interim views.
    if (!this.#ctx.chat) return
    this.#last = view
    await this.#editor.show(view)
  }

  async finish(answer: Answer): Promise<void> {
    const { health } = this.#parts
    try {
      await this.#editor.end()
      await (this.#isRefused ? this.#explain(answer) : this.#answer(answer))
      if (!answer.repeated) health.accepted()
    } catch (cause) {
      this.#isRefused = true
      const error = sendError(cause)
      if (cause instanceof GrammyError) health.failed(error)
      throw error
    } finally {
      clearTimeout(this.#typing)
    }
  }

  async openPrivately(line: string | undefined): Promise<void> {
    const { callbacks } = this.#parts
    const { username } = this.#ctx.me
    const url =
      line === undefined ? `https://t.me/${username}` : await privateLink(line, username, callbacks)
    if (this.#ctx.callbackQuery) return this.#acknowledge(undefined, url)
    const invitation = {
      title: [],
      blocks: [text(t('private-invitation'))],
      buttons: [[{ label: t('private-open'), url }]],
    }
    const view = localise(invitation, this.#locale)
    await this.finish({ view, outcome: 'answered' })
  }

  /** In a group the bot needs the right to: https://core.telegram.org/bots/api#deletemessage */
  async deleteMessage(): Promise<boolean> {
    return this.#ctx.deleteMessage().catch((err: unknown) => {
      const { log } = this.#parts
      log.info({ err }, 'telegram: a message that may hold a secret could not be deleted')
      return false
    })
  }

  get #locale() {
    return this.#parts.dispatch.localeOf(contextOf(this.#ctx))
  }

  async #answer(answer: Answer): Promise<void> {
    const { callbackQuery, chat } = this.#ctx
    if (this.#hasShown) await this.#replace(this.#message, answer)
    else if (!callbackQuery) await this.#send(answer)
    else if (answer.outcome !== 'answered')
      await this.#acknowledge(answer.repeated ? undefined : plainView(answer.view))
    else if (!this.#inPlace && chat) {
      await this.#acknowledge()
      await this.#send(answer)
    } else await this.#change(answer)
  }

  /** Says why the answer is not shown. */
  async #explain(answer: Answer): Promise<void> {
    if (this.#ctx.chat) await this.#send(answer)
    else await this.#acknowledge(plainView(answer.view))
  }

  /** Sends an answer as a new message, after its files. */
  async #send({ view, repeated }: Answer): Promise<void> {
    const { api, chat } = this.#ctx
    const { posts, render } = this.#parts
    if (repeated || !chat) return
    if (this.#ctx.message?.chat_shared)
      await this.#reply(t('telegram-picked'), { remove_keyboard: true })
    const message = await render(view)
    await sendFiles(api, chat.id, view.files ?? [], topicOf(this.#ctx))
    await posts.send(chat.id, message, spotIn(this.#ctx))
    await this.#offerPicker(view)
  }

  /** Changes the message whose button was pressed, and acknowledges the press. */
  async #change(answer: Answer): Promise<void> {
    const changed = this.#replace(this.#ctx.msgId, answer)
    // The edit may have to wait for its turn, and a press that is not answered looks as if it was not heard.
    const isSoon = await withTimeout(
      changed.then(() => true),
      acknowledgeAfter,
    )
    if (!isSoon) await this.#acknowledge()
    const notice = await changed
    if (isSoon) await this.#acknowledge(notice && plainText(notice, this.#locale))
  }

  /**
   * Replaces a message of ours by an answer, or sends the answer as a new message if that is not possible.
   * @returns a notice for the person who pressed, if the message itself does not show the result
   */
  async #replace(message: number | undefined, answer: Answer): Promise<Message | undefined> {
    const { chat } = this.#ctx
    if (chat && answer.view.files?.length) {
      await this.#send(answer)
      if (message !== undefined) await this.#supersede(chat.id, message)
      return undefined
    }
    try {
      await this.#edit(message, answer.view)
      await this.#offerPicker(answer.view)
      return undefined
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
      if (isNotModified(error)) return t('telegram-unchanged')
      // Too old, deleted, or a channel's: the answer still has to arrive.
      if (!chat) return t('telegram-unchangeable')
      await this.#send(answer)
      return undefined
    }
  }

  async #edit(message: number | undefined, view: LocalisedView): Promise<void> {
    const { chat, me } = this.#ctx
    const { posts, render, callbacks } = this.#parts
    if (chat && message !== undefined) {
      await posts.replace(chat.id, message, await render(view), topicOf(this.#ctx))
      return
    }
    // A message that was sent through inline mode.
    const card = await inlineCard(view, me.username, callbacks)
    const { picture: _, text, ...rest } = await render(card)
    await this.#ctx.editMessageText(text, rest)
  }

  /** Leaves a message that newer ones supersede: without buttons, and as the last interim view shows it. */
  async #supersede(chat: number, message: number): Promise<void> {
    const { posts, render } = this.#parts
    if (!this.#last || this.#last === this.#shown) return posts.takeButtonsOff(chat, message)
    try {
      await posts.edit(chat, message, await render({ ...this.#last, buttons: [] }))
    } catch (error) {
      // Gone, or too old.
      if (!(error instanceof GrammyError)) throw error
    }
  }

  /** Sends the chat picker with a message of its own: a message has either a reply keyboard or inline buttons. */
  async #offerPicker({ picker }: LocalisedView): Promise<void> {
    if (!picker || this.#ctx.chat?.type !== 'private') return
    const reply_markup = await pickerKeyboard(picker, this.#parts.callbacks)
    if (reply_markup) await this.#reply(t('telegram-picker'), reply_markup)
  }

  /** Says something with a keyboard, or removes it. */
  async #reply(words: Message, reply_markup: ReplyKeyboardMarkup | ReplyKeyboardRemove) {
    await this.#ctx.reply(plainText(words, this.#locale), {
      reply_markup,
      disable_notification: true,
      ...topicOf(this.#ctx),
    })
  }

  async #showInterim(view: LocalisedView): Promise<Edited> {
    const { posts, render, asInterim, viewPauseMs: pause, log } = this.#parts
    const { chat, callbackQuery } = this.#ctx
    try {
      if (callbackQuery && !this.#hasShown) await this.#acknowledge()
      this.#hasShown = true
      const message = this.#message
      const made = await render(view)
      this.#message = await asInterim(() =>
        message === undefined
          ? posts.send(chat?.id ?? 0, made, spotIn(this.#ctx))
          : posts.replace(chat?.id ?? 0, message, made, topicOf(this.#ctx)),
      )
      this.#shown = view
      return { pause }
    } catch (error) {
      if (isNotModified(error)) return { pause }
      const { retryAfter } = sendError(error)
      if (retryAfter !== undefined)
        return { pause: Math.max(pause, retryAfter * 1_000), retry: true }
      log.debug({ err: error }, 'telegram: an interim view was not shown')
      return { pause }
    }
  }

  /** Answers a callback query: with a notice, or by opening a link of ours. */
  async #acknowledge(text?: string, url?: string): Promise<void> {
    try {
      await this.#ctx.answerCallbackQuery({
        ...(text !== undefined && { text: shortenUnits(text, 190), show_alert: text.length > 60 }),
        ...(url !== undefined && { url }),
      })
    } catch (error) {
      // The query is too old to be answered; the message itself is what counts.
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
    }
  }
}
