import { createHash } from 'node:crypto'
import { type Context as GrammyContext, GrammyError, HttpError } from 'grammy'
import type { ChatAdministratorRights, ChatShared, ReplyKeyboardMarkup } from 'grammy/types'
import { type ChatChange, type Edited, ThrottledEditor } from '../core/adapter.ts'
import type { CallbackStore } from '../core/callback-data.ts'
import { type Locale, localeFor, plainText } from '../core/catalogue.ts'
import type { Context, ShowProgress } from '../core/command.ts'
import type { Answer, Dispatch } from '../core/dispatch.ts'
import type { PlatformHealth } from '../core/platform-health.ts'
import { parseRetryAfter } from '../core/task.ts'
import { harmless, shortenUnits } from '../core/text.ts'
import { type Button, type LocalisedView, t } from '../core/view.ts'
import type { Logger } from '../log.ts'
import { isRefusal, sendError } from './errors.ts'
import { type IncomingFiles, sendFiles } from './files.ts'
import { type MessageLimits, telegram } from './platform.ts'
import type { TelegramMessage } from './render.ts'
import type { Posts, Spot } from './send.ts'

/** Dependencies of the update handlers. */
export interface Parts {
  dispatch: Dispatch
  callbacks: CallbackStore
  log: Logger
  files: IncomingFiles
  posts: Posts
  limits: MessageLimits
  /** Milliseconds between two interim views. */
  viewPauseMs: number
  /** Makes the calls of an interim view, which is left out while answers wait. */
  asInterim<T>(work: () => Promise<T>): Promise<T>
  render(view: LocalisedView): Promise<TelegramMessage>
  onChatChange(change: ChatChange): Promise<void>
  health: PlatformHealth
}

/**
 * Runs `show`, which shows the answer, and notes what became of it. If Telegram refuses the message with a 400, which is a
 * fault of ours, answers with an explanation instead.
 */
export async function showOrExplain<T>(
  parts: Parts,
  line: string,
  answer: Answer,
  show: () => Promise<T>,
  ctx: GrammyContext,
): Promise<T | undefined> {
  const { health } = parts
  try {
    const shown = await showOrReplace(parts, line, answer, show, ctx)
    if (!answer.repeated) health.accepted()
    answer.onShown?.('arrived')
    return shown
  } catch (error) {
    if (error instanceof GrammyError) health.failed(sendError(error))
    answer.onShown?.(isRefusal(error) ? 'refused by the platform' : 'lost')
    throw error
  }
}

async function showOrReplace<T>(
  parts: Parts,
  line: string,
  answer: Answer,
  show: () => Promise<T>,
  ctx: GrammyContext,
): Promise<T | undefined> {
  try {
    return await show()
  } catch (error) {
    const isNotOurs =
      error instanceof HttpError || (error instanceof GrammyError && error.error_code !== 400)
    if (isNotOurs) throw error
    await sendAnswer(ctx, parts.dispatch.explain(error, line, localeIn(ctx, parts)), parts)
    answer.onShown?.('replaced by an explanation')
    return undefined
  }
}

/** Shows interim views in `message`, or in a new message that the answer then replaces. */
export function progressIn(
  ctx: GrammyContext,
  parts: Parts,
  message?: number,
  onFirst?: () => Promise<void>,
): ProgressMessage {
  const { posts, viewPauseMs, asInterim, render, log } = parts
  const chat = ctx.chat?.id ?? 0
  return new ProgressMessage({
    message,
    viewPauseMs,
    send: (view) => asInterim(async () => posts.send(chat, await render(view), spotIn(ctx))),
    edit: (id, view) =>
      asInterim(async () => posts.replace(chat, id, await render(view), topicOf(ctx))),
    ...(onFirst && { onFirst }),
    onFault: (err) => log.debug({ err }, 'telegram: an interim view was not shown'),
  })
}

/** Sends an answer as a new message, after its files. */
export async function sendAnswer(ctx: GrammyContext, answer: Answer, parts: Parts): Promise<void> {
  if (answer.repeated || !ctx.chat) return
  const message = await parts.render(answer.view)
  const { files = [] } = answer.view
  if (files.length > 0) await sendFiles(ctx.api, ctx.chat.id, files, topicOf(ctx))
  await parts.posts.send(ctx.chat.id, message, spotIn(ctx))
  await offerPicker(ctx, answer.view, parts)
}

/**
 * Replaces a message of ours by an answer, or sends the answer as a new message if that is not possible.
 * @param last the last interim view, if the message shows an earlier one: it stays there above an answer that is a new message
 * @returns a notice for the person who pressed, if the message itself does not show the result
 */
export async function replaceMessage(
  ctx: GrammyContext,
  message: number | undefined,
  answer: Answer,
  parts: Parts,
  last?: LocalisedView,
): Promise<string | undefined> {
  if (ctx.chat && answer.view.files?.length) {
    await sendAnswer(ctx, answer, parts)
    if (message !== undefined) await supersede(ctx.chat.id, message, last, parts)
    return undefined
  }
  try {
    await edit(ctx, message, answer.view, parts)
    await offerPicker(ctx, answer.view, parts)
    return undefined
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
    if (error.description.includes('message is not modified'))
      return plainText(t('telegram-unchanged'), localeIn(ctx, parts))
    // Too old, deleted, or a channel's: the answer still has to arrive.
    if (!ctx.chat) return plainText(t('telegram-unchangeable'), localeIn(ctx, parts))
    await sendAnswer(ctx, answer, parts)
    return undefined
  }
}

/** Leaves a message that newer ones supersede: without buttons, and as the last interim view shows it. */
async function supersede(
  chat: number,
  message: number,
  last: LocalisedView | undefined,
  { posts, render }: Parts,
): Promise<void> {
  if (!last) return posts.takeButtonsOff(chat, message)
  try {
    await posts.edit(chat, message, await render({ ...last, buttons: [] }))
  } catch (error) {
    // Gone, or too old.
    if (!(error instanceof GrammyError)) throw error
  }
}

/** Answers a callback query: with a notice, or by opening a link of ours. */
export async function acknowledge(ctx: GrammyContext, text?: string, url?: string): Promise<void> {
  try {
    await ctx.answerCallbackQuery({
      ...(text !== undefined && { text: shortenUnits(text, 190), show_alert: text.length > 60 }),
      ...(url !== undefined && { url }),
    })
  } catch (error) {
    // The query is too old to be answered; the message itself is what counts.
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
  }
}

/** The language of answers to an update. */
export function localeIn(ctx: GrammyContext, { dispatch }: Pick<Parts, 'dispatch'>): Locale {
  return dispatch.localeOf(contextOf(ctx))
}

export function contextOf(ctx: GrammyContext): Context {
  // Anonymous administrators share one user id; the chat that they post for tells them apart.
  const senderChat = ctx.callbackQuery ? undefined : ctx.senderChat?.id
  const user = senderChat ?? ctx.from?.id ?? ctx.chat?.id ?? 0
  const chat = ctx.chat?.id ?? user
  const { message_thread_id: thread } = topicOf(ctx)
  return {
    platform: telegram,
    user: String(user),
    chat: String(chat),
    ephemeral: ctx.chat?.type === 'private',
    isPrivate: ctx.chat?.type === 'private',
    locale: localeFor(ctx.from?.language_code),
    update: String(ctx.update.update_id),
    ...(thread !== undefined && { thread: String(thread) }),
    ...(ctx.chat?.type === 'private' && { invitations: invitationsTo(ctx.me.username) }),
    ...(senderChat !== undefined && senderChat === ctx.chat?.id && { asChat: true }),
    ...((ctx.message?.forward_origin ?? ctx.message?.via_bot) && { isQuoted: true }),
  }
}

/** Links that add the bot to a group or channel: https://core.telegram.org/api/links#groupchannel-bot-links */
function invitationsTo(username: string) {
  const bot = `https://t.me/${username}`
  return { group: `${bot}?startgroup`, channel: `${bot}?startchannel&admin=post_messages` }
}

async function edit(
  ctx: GrammyContext,
  message: number | undefined,
  view: LocalisedView,
  parts: Parts,
): Promise<void> {
  if (ctx.chat && message !== undefined) {
    await parts.posts.replace(ctx.chat.id, message, await parts.render(view), topicOf(ctx))
    return
  }
  // A message that was sent through inline mode.
  const { picture: _, text, ...rest } = await parts.render(inlineCard(view))
  await ctx.editMessageText(text, rest)
}

/** Sends the chat picker with a message of its own: a message has either a reply keyboard or inline buttons. */
async function offerPicker(
  ctx: GrammyContext,
  { picker }: LocalisedView,
  parts: Parts,
): Promise<void> {
  if (!picker || ctx.chat?.type !== 'private') return
  const reply_markup = await pickerKeyboard(picker, parts.callbacks)
  if (!reply_markup) return
  await ctx.reply(plainText(t('telegram-picker'), localeIn(ctx, parts)), {
    reply_markup,
    disable_notification: true,
    ...topicOf(ctx),
  })
}

/** The forum topic of the update's message, if any. */
function topicOf({ msg }: GrammyContext): Pick<Spot, 'message_thread_id'> {
  const { is_topic_message, message_thread_id } = msg ?? {}
  return is_topic_message && message_thread_id !== undefined ? { message_thread_id } : {}
}

/** The target of an answer: the same topic, and in a group as a reply to the message that asked. */
function spotIn(ctx: GrammyContext): Spot {
  const message = ctx.msg
  const inGroup = ctx.chat?.type === 'group' || ctx.chat?.type === 'supergroup'
  return {
    ...topicOf(ctx),
    ...(inGroup &&
      message &&
      !ctx.callbackQuery && {
        reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
      }),
  }
}

interface ProgressMessageParts {
  /** The message that the views replace; undefined: the first view is a new message. */
  message: number | undefined
  send(view: LocalisedView): Promise<number>
  /** @returns the id of the message that shows the view: a new one, if the old one could not */
  edit(message: number, view: LocalisedView): Promise<number>
  /** Called before the first view is shown. */
  onFirst?: () => Promise<void>
  onFault: (error: unknown) => void
  viewPauseMs: number
}

/** Shows interim views while an answer is being made, with a pause between them. */
class ProgressMessage {
  readonly #parts: ProgressMessageParts
  readonly #editor = new ThrottledEditor((view) => this.#show(view))
  #message: number | undefined
  #hasBegun = false
  /** The last view that was to be shown, and the one that the message shows. */
  #last: LocalisedView | undefined
  #shown: LocalisedView | undefined

  constructor(parts: ProgressMessageParts) {
    this.#parts = parts
    this.#message = parts.message
  }

  /**
   * Shows the interim views of an answer. Returns it, and the message that it replaces: undefined if nothing was shown. `last` is the
   * last view, if the message shows an earlier one.
   */
  async during(
    ask: (show: ShowProgress<string>) => Promise<Answer>,
  ): Promise<{ answer: Answer; shown: number | undefined; last: LocalisedView | undefined }> {
    const show: ShowProgress<string> = (view) => {
      this.#last = view
      return this.#editor.show(view)
    }
    const answer = await ask(show).finally(() => this.#editor.end())
    const last = this.#last === this.#shown ? undefined : this.#last
    return { answer, shown: this.#hasBegun ? this.#message : undefined, last }
  }

  async #show(view: LocalisedView): Promise<Edited> {
    const { send, edit, onFirst, onFault, viewPauseMs: pause } = this.#parts
    try {
      if (!this.#hasBegun) {
        this.#hasBegun = true
        await onFirst?.()
      }
      if (this.#message === undefined) this.#message = await send(view)
      else this.#message = await edit(this.#message, view)
      this.#shown = view
    } catch (error) {
      const refusal = error instanceof GrammyError ? error : undefined
      const wait = parseRetryAfter(refusal?.parameters.retry_after)
      if (wait !== undefined) return { pause: Math.max(pause, wait * 1000), retry: true }
      if (!refusal?.description.includes('message is not modified')) onFault(error)
    }
    return { pause }
  }
}

/** Whether a line is one of a card's buttons: only these run on inline messages, whose buttons can't be verified. */
export function isCardLine(line: string): boolean {
  return /^(?:asset|auction) 0x[0-9a-f]+(?: chain:\d+)?$/iu.test(line)
}

/**
 * Adapts a view to a message sent through inline mode, in a chat where the bot may not send: without picture, with
 * buttons that act in place, and without buttons that `isCardLine` rejects.
 */
export function inlineCard(view: LocalisedView): LocalisedView {
  const { picture: _, ...rest } = view
  if (!view.buttons) return rest
  return {
    ...rest,
    buttons: view.buttons.map((row) =>
      row.flatMap((button): Button<string>[] => {
        if (!('line' in button)) return [button]
        return isCardLine(button.line) ? [{ label: button.label, line: button.line }] : []
      }),
    ),
  }
}

type Picker = NonNullable<LocalisedView['picker']>

const noRights: ChatAdministratorRights = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
}
const mayPost = { ...noRights, can_post_messages: true }
const mayManage = { ...noRights, can_manage_chat: true }

/**
 * A keyboard for choosing a channel or group that the person manages; Telegram adds the bot to it. The choice comes back
 * with a number only, so the line is stored under that number. Undefined if it can't be stored.
 */
async function pickerKeyboard(
  { channel, group, line }: Picker,
  callbacks: CallbackStore,
): Promise<ReplyKeyboardMarkup | undefined> {
  const number = numberOf(line)
  if ((await callbacks.store(line, idOf(number))) === undefined) return undefined
  return {
    keyboard: [
      [
        {
          text: labelOf(channel),
          request_chat: {
            request_id: number,
            chat_is_channel: true,
            user_administrator_rights: mayPost,
            bot_administrator_rights: mayPost,
          },
        },
      ],
      [
        {
          text: labelOf(group),
          request_chat: {
            request_id: number + 1,
            chat_is_channel: false,
            user_administrator_rights: mayManage,
            bot_is_member: true,
          },
        },
      ],
    ],
    one_time_keyboard: true,
    resize_keyboard: true,
  }
}

/** The line to run for a chosen chat; undefined if it is not stored any more. */
export async function pickedLine(
  { request_id, chat_id }: ChatShared,
  callbacks: CallbackStore,
): Promise<string | undefined> {
  const line = await callbacks.find(idOf(request_id - (request_id % 2)))
  return line === undefined ? undefined : `${line} ${chat_id}`
}

/** An even number derived from a line that fits into the 32 bits of a `request_id`; the next odd one is the group's. */
function numberOf(line: string): number {
  return (createHash('sha256').update(line).digest().readUInt32BE(0) >>> 2) * 2
}

function idOf(number: number): string {
  return `picker:${number}`
}

function labelOf(label: string): string {
  return shortenUnits(harmless(label).trim() || '·', 40)
}
