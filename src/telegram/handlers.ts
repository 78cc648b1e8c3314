import { Composer, type Context, type FilterQuery, GrammyError } from 'grammy'
import type { ChatMember } from 'grammy/types'
import { SendError } from '../core/adapter.ts'
import { type ButtonPress, decodePress } from '../core/callback-data.ts'
import type { IncomingInput, PressedMessage } from '../core/incoming.ts'
import { contextOf } from './context.ts'
import { answerInlineQuery, isCardLine } from './inline.ts'
import { isEntry, membershipChange, migration } from './membership.ts'
import { pickedLine } from './picker.ts'
import { ChatReply, type ReplyParts } from './reply.ts'

/** The kinds of update that are handled; Telegram is asked for these only. */
export const handledUpdates = [
  'message',
  'channel_post',
  'callback_query',
  'inline_query',
  'my_chat_member',
] as const

/** The kinds of update as they are counted. */
export const updateKinds = [...handledUpdates, 'other'] as const

/** The contents of messages that the bot answers. Captions count as text; to anything but text and files it says what it expects. */
const contents: FilterQuery[] = [
  'message:text',
  'message:file',
  'message:location',
  'message:contact',
  'message:poll',
  'message:dice',
  'channel_post:text',
]

/** What becomes of each kind of update. */
export function handlers(parts: ReplyParts): Composer<Context> {
  const { dispatch, callbacks, onChatChange } = parts
  const handle = (ctx: Context, input: IncomingInput) =>
    dispatch.handle({ context: contextOf(ctx), input, reply: new ChatReply(ctx, parts) })
  const composer = new Composer()

  // A link of ours, https://t.me/<bot>?start=<id of a stored line>, sends this in the name of whoever opens it.
  composer.command('start', async (ctx, next) => {
    const line = /^[\w-]{16}$/u.test(ctx.match) ? await callbacks.find(ctx.match) : undefined
    await (line === undefined ? next() : handle(ctx, { kind: 'link', line }))
  })

  composer.on(contents, async (ctx) => {
    // A card sent through inline mode arrives as a message of its sender.
    if (ctx.msg?.via_bot?.id === ctx.me.id) return
    await handle(ctx, {
      kind: 'message',
      text: ctx.msg?.text ?? ctx.msg?.caption ?? '',
      files: parts.files.of(ctx.msg),
      botName: ctx.me.username,
      isReply: ctx.msg?.reply_to_message?.from?.id === ctx.me.id,
      isPost: ctx.channelPost !== undefined,
    })
  })

  composer.on('callback_query:data', async (ctx) => {
    const press = await pressOf(ctx, ctx.callbackQuery.data, parts)
    const message = await pressedMessage(ctx, press?.asNew ?? false)
    await handle(ctx, { kind: 'press', line: press?.line, asNew: press?.asNew ?? false, message })
  })

  // The person has chosen a chat with the picker, for the line that is stored with it.
  composer.on('message:chat_shared', async (ctx) => {
    const line = await pickedLine(ctx.message.chat_shared, callbacks)
    const message = { isSoleReader: true, isTheirs: true, isPost: false }
    await handle(ctx, { kind: 'press', line, asNew: true, message })
  })

  composer.on('inline_query', (ctx) => answerInlineQuery(ctx, parts))

  // The bot was added to a chat or removed, or a person has blocked or unblocked it.
  composer.on('my_chat_member', async (ctx) => {
    // First, since it says why alerts were paused.
    const view = isEntry(ctx.myChatMember) ? await dispatch.welcome(contextOf(ctx)) : undefined
    await onChatChange(membershipChange(ctx.myChatMember))
    if (view)
      await greet(ctx, new ChatReply(ctx, parts).finish({ view, outcome: 'answered' }), parts)
  })

  composer.on(['message:migrate_to_chat_id', 'message:migrate_from_chat_id'], (ctx) =>
    onChatChange(migration(ctx.message)),
  )
  return composer
}

async function greet(ctx: Context, greeting: Promise<void>, { log }: ReplyParts): Promise<void> {
  try {
    await greeting
  } catch (err) {
    // Some groups let only administrators write.
    if (!(err instanceof SendError) || !err.final) throw err
    log.info({ err, chat: ctx.chat?.id }, 'telegram: a chat does not let the bot greet it')
  }
}

/** Decodes a press; undefined if its line is not stored any more, or the button is not one of the message's. */
async function pressOf(
  ctx: Context,
  data: string,
  { callbacks }: ReplyParts,
): Promise<ButtonPress | undefined> {
  const press = isOnMessage(ctx, data) ? await decodePress(data, callbacks) : undefined
  return press && ctx.inlineMessageId !== undefined && !isCardLine(press.line) ? undefined : press
}

/**
 * Whether the message has this button: a modified client can send any data. True for inline messages, which come without
 * their buttons; false for very old ones, which do so too.
 */
function isOnMessage({ callbackQuery }: Context, data: string): boolean {
  const rows = callbackQuery?.message?.reply_markup?.inline_keyboard
  if (!rows) return callbackQuery?.message === undefined
  return rows.flat().some((button) => 'callback_data' in button && button.callback_data === data)
}

/** A channel's post is changed by administrators, and answered with a new one by those who may post. */
async function pressedMessage(ctx: Context, asNew: boolean): Promise<PressedMessage> {
  const isSoleReader = ctx.chat?.type === 'private'
  if (ctx.chat?.type !== 'channel') return { isSoleReader, isTheirs: true, isPost: false }
  const member = await memberOf(ctx)
  const isAdministrator = member?.status === 'administrator' && (!asNew || member.can_post_messages)
  return { isSoleReader, isTheirs: member?.status === 'creator' || !!isAdministrator, isPost: true }
}

async function memberOf(ctx: Context): Promise<ChatMember | undefined> {
  try {
    return await ctx.getChatMember(ctx.from?.id ?? 0)
  } catch (error) {
    // The bot is not an administrator itself: then nobody's press changes the post.
    if (error instanceof GrammyError) return undefined
    throw error
  }
}
