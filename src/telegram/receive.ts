import { Composer, type Context, type FilterQuery, GrammyError } from 'grammy'
import type { Chat, ChatMember, ChatShared, InlineQueryResultArticle } from 'grammy/types'
import type { ChatChange, Loss } from '../core/adapter.ts'
import { type CallbackStore, decodePress } from '../core/callback-data.ts'
import { localise, plainText, plainView } from '../core/catalogue.ts'
import {
  type InlineHit,
  lineAboutChat,
  lineFromChat,
  type ParsedCommand,
  type Reading,
  readMessage,
  type ShowProgress,
  withoutChatOption,
} from '../core/command.ts'
import type { Input } from '../core/conversation.ts'
import type { Answer, Dispatch } from '../core/dispatch.ts'
import { FloodControl } from '../core/flood-control.ts'
import { isSecret, looksSecret } from '../core/secret.ts'
import { withTimeout } from '../core/task.ts'
import { chunks, harmlessInLanguage, shortenUnits } from '../core/text.ts'
import { t, type View } from '../core/view.ts'
import { UserError } from '../errors.ts'
import {
  acknowledge,
  contextOf,
  inlineCard,
  isCardLine,
  localeIn,
  type Parts,
  pickedLine,
  progressIn,
  replaceMessage,
  sendAnswer,
  showOrExplain,
} from './answer.ts'
import { isFinal } from './errors.ts'
import { groupLimits } from './platform.ts'

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

/** Milliseconds after which "typing…" is shown. */
const typingAfter = 700
/** Milliseconds for which a press waits for its message to change before it is acknowledged. */
const acknowledgeAfter = 2_000
/** Maximum invitations to the private chat, and refusals of secrets, within ten seconds, per person and per chat. */
const maxInvitations = { person: 3, chat: 10 }

/** What becomes of each kind of update: it is run as a command line, and the answer is sent. */
export function handlers(parts: Parts): Composer<Context> {
  const invitations = new FloodControl({
    ...maxInvitations,
    inGroup: { telegram: groupLimits(parts.limits).invitations },
  })
  const composer = new Composer()
  composer.on(contents, (ctx) => onMessage(ctx, parts, invitations))
  composer.on('callback_query:data', (ctx) => onPress(ctx, parts))
  composer.on('inline_query', (ctx) => onInlineQuery(ctx, parts))
  composer.on('message:chat_shared', (ctx) => onPicked(ctx, ctx.message.chat_shared, parts))
  composer.on('my_chat_member', (ctx) => onMembership(ctx, parts))
  composer.on(['message:migrate_to_chat_id', 'message:migrate_from_chat_id'], (ctx) =>
    report(migration(ctx), parts),
  )
  return composer
}

async function onMembership(ctx: Context, parts: Parts): Promise<void> {
  // First, since it says why alerts were paused.
  const view = isEntry(ctx) ? await parts.dispatch.welcome(contextOf(ctx)) : undefined
  await report(membershipChange(ctx), parts)
  if (!view) return
  try {
    await sendAnswer(ctx, { view, outcome: 'answered' }, parts)
  } catch (err) {
    // Some groups let only administrators write.
    if (!isFinal(err)) throw err
    parts.log.info({ err }, 'telegram: a chat does not let the bot greet it')
  }
}

async function report(change: ChatChange | undefined, { onChatChange }: Parts): Promise<void> {
  if (change) await onChatChange(change)
}

async function onMessage(ctx: Context, parts: Parts, invitations: FloodControl): Promise<void> {
  // A card sent through inline mode arrives as a message of its sender.
  if (ctx.msg?.via_bot?.id === ctx.me.id) return
  const { dispatch, files } = parts
  const text = ctx.msg?.text ?? ctx.msg?.caption ?? ''
  const reading = readMessage(text, ctx.me.username)
  if (reading.kind === 'elsewhere') return
  const input = { text, fields: {}, files: files.of(ctx.msg) }
  if (isPrivate(ctx) && isInput(reading, input, dispatch)) {
    await answerInput(ctx, parts, reading.line, input)
    return
  }
  if (!isPrivate(ctx) && !isOurs(reading, dispatch)) {
    const answer = await answerToText(ctx, text, reading, parts)
    if (answer) await showOrExplain(parts, '', answer, () => sendAnswer(ctx, answer, parts), ctx)
    return
  }
  const linked = await linkedLine(reading.line, parts.callbacks)
  const command = linked ? dispatch.parse(linked) : withoutChatOption(dispatch.parse(reading.line))
  if (dispatch.isBlocked(contextOf(ctx))) return run(ctx, parts, command)
  if (isSecretIn(ctx, text, command)) return refuseSecret(ctx, parts, invitations)
  const instead = insteadOf(ctx, command, linked !== undefined, parts)
  if (instead) {
    if (invitations.count(contextOf(ctx))) return
    const view = localise(await instead(), localeIn(ctx, parts))
    await sendAnswer(ctx, { view, outcome: 'answered' }, parts)
    return
  }
  await run(ctx, parts, command)
}

async function answerInput(ctx: Context, parts: Parts, line: string, input: Input): Promise<void> {
  const { dispatch } = parts
  const fallback = withoutChatOption(dispatch.parse(line))
  const note = looksSecret(input.text) ? await deleteSecret(ctx, parts) : undefined
  await answerLine(ctx, parts, line, async (show) =>
    noted(await dispatch.receive(input, fallback, contextOf(ctx), show), note),
  )
}

/** Deletes a message with a secret, and says so unless there were too many. */
async function refuseSecret(ctx: Context, parts: Parts, floods: FloodControl): Promise<void> {
  const note = await deleteSecret(ctx, parts)
  if (floods.count(contextOf(ctx))) return
  const error = new UserError(t('secret-sent'))
  const refused = parts.dispatch.explain(error, '', localeIn(ctx, parts))
  await sendAnswer(ctx, noted(refused, note), parts)
}

/**
 * Deletes a message that may hold a secret, and says whether it could: in a group the bot needs the right to.
 * https://core.telegram.org/bots/api#deletemessage
 */
async function deleteSecret(ctx: Context, parts: Parts): Promise<string> {
  const isDeleted = await ctx.deleteMessage().catch((err: unknown) => {
    parts.log.info({ err }, 'telegram: a message that may hold a secret could not be deleted')
    return false
  })
  return plainText(isDeleted ? t('secret-deleted') : t('secret-delete'), localeIn(ctx, parts))
}

/** Whether a command must not be run: the invitation to the private chat would store its line. */
function isSecretIn(ctx: Context, text: string, { ephemeral }: ParsedCommand): boolean {
  return ephemeral && !isPrivate(ctx) ? looksSecret(text) : isSecret(text)
}

/** Puts a note above an answer. */
function noted({ view, ...answer }: Answer, note: string | undefined): Answer {
  if (note === undefined) return { view, ...answer }
  return {
    ...answer,
    view: { ...view, blocks: [{ kind: 'text', spans: [{ own: note }] }, ...view.blocks] },
  }
}

/** The view to show if the command may not run as it is; undefined if it may. */
function insteadOf(
  ctx: Context,
  command: ParsedCommand,
  isLinked: boolean,
  { callbacks }: Parts,
): (() => Promise<View>) | undefined {
  if (command.ephemeral && !isPrivate(ctx)) return () => invitation(ctx, command, callbacks)
  return isLinked && command.mutates ? async () => confirmation(command.line) : undefined
}

/** Runs the line for a chat that a person chose with the picker, and removes the picker's keyboard. */
async function onPicked(ctx: Context, shared: ChatShared, parts: Parts): Promise<void> {
  if (parts.dispatch.isBlocked(contextOf(ctx))) return run(ctx, parts, parts.dispatch.parse(''))
  const line = await pickedLine(shared, parts.callbacks)
  const words = line === undefined ? t('telegram-buttons-too-old') : t('telegram-picked')
  await ctx.reply(plainText(words, localeIn(ctx, parts)), {
    reply_markup: { remove_keyboard: true },
    disable_notification: true,
  })
  if (line === undefined) return
  await run(ctx, parts, parts.dispatch.parse(line))
}

function run(ctx: Context, parts: Parts, command: ParsedCommand): Promise<void> {
  return answerLine(ctx, parts, command.line, (show) =>
    parts.dispatch.answer(command, contextOf(ctx), show),
  )
}

/** Whether a message is input for the conversation: no command, or one with words or files that it takes. */
function isInput(
  reading: Reading & { line: string },
  { files }: Input,
  dispatch: Dispatch,
): boolean {
  if (reading.kind !== 'command') return true
  return (
    dispatch.parse(reading.line).takesInput && (files.length > 0 || /\s/u.test(reading.line.trim()))
  )
}

/** Whether a command in a group is for this bot: it is in our menu, or followed by our name. */
function isOurs(reading: Reading, dispatch: Dispatch): boolean {
  return (
    reading.kind === 'command' &&
    (reading.addressed || dispatch.menu.some(({ name }) => name === reading.name))
  )
}

/** The answer to a message in a group that is no command of ours: to a value that was asked for, or to what it names. */
async function answerToText(
  ctx: Context,
  text: string,
  reading: Reading,
  { dispatch, files }: Parts,
): Promise<Answer | undefined> {
  const context = contextOf(ctx)
  const input = { text, fields: {}, files: files.of(ctx.msg) }
  const answer =
    reading.kind === 'words' && isReplyToUs(ctx)
      ? await dispatch.replied(input, context)
      : undefined
  // In a channel, only posts that are commands are answered.
  return answer ?? (ctx.message && dispatch.overheard(text, context))
}

/** Whether the message is a reply to one of ours. */
function isReplyToUs(ctx: Context): boolean {
  return ctx.msg?.reply_to_message?.from?.id === ctx.me.id
}

async function answerLine(
  ctx: Context,
  parts: Parts,
  line: string,
  ask: (show: ShowProgress<string>) => Promise<Answer>,
): Promise<void> {
  await withTyping(ctx, async () => {
    const { answer, shown, last } = await progressIn(ctx, parts).during(ask)
    const show = async () =>
      shown === undefined
        ? sendAnswer(ctx, answer, parts)
        : replaceMessage(ctx, shown, answer, parts, last)
    await showOrExplain<unknown>(parts, line, answer, show, ctx)
  })
}

/** Shows "typing…" if making and sending an answer takes long. */
async function withTyping(ctx: Context, work: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    // Ignored: a chat where this fails refuses the answer too, and that is reported.
    ctx.replyWithChatAction('typing').catch(() => undefined)
  }, typingAfter)
  await work().finally(() => clearTimeout(timer))
}

/** Runs the line of a pressed button, or links to the private chat if the answer may not be shown here. */
async function onPress(ctx: Context, parts: Parts): Promise<void> {
  const data = ctx.callbackQuery?.data ?? ''
  if (parts.dispatch.isBlocked(contextOf(ctx)))
    return answerPress(ctx, parts.dispatch.parse(''), false, parts)
  const press = isOnMessage(ctx, data) ? await decodePress(data, parts.callbacks) : undefined
  if (!press || (ctx.callbackQuery?.inline_message_id && !isCardLine(press.line))) {
    await acknowledge(ctx, plainText(t('telegram-buttons-too-old'), localeIn(ctx, parts)))
    return
  }
  const command = parts.dispatch.parse(press.line)
  const line = await privateLineOf(ctx, command, press.asNew)
  if (line === undefined) return answerPress(ctx, command, press.asNew, parts)
  await acknowledge(ctx, undefined, await privateLink(ctx, line, parts.callbacks))
}

/**
 * The line that a press runs in the private chat: if only the person may read the answer, or if it is under a channel's
 * post, since the whole channel would read the answer. Undefined if it runs in the chat itself, also if an administrator
 * changes a post. A line opened by somebody who may post is about the channel.
 */
async function privateLineOf(
  ctx: Context,
  command: ParsedCommand,
  asNew: boolean,
): Promise<string | undefined> {
  const { line } = command
  if (command.ephemeral && !isPrivate(ctx)) return lineInPrivate(ctx, command)
  if (ctx.chat?.type !== 'channel') return undefined
  const member = await memberOf(ctx)
  const isCreator = member?.status === 'creator'
  const isAdministrator = member?.status === 'administrator'
  if (!asNew) return isCreator || isAdministrator ? undefined : line
  const manages = isCreator || (isAdministrator && member.can_post_messages === true)
  return manages ? lineAboutChat(command, String(ctx.chat.id)) : line
}

async function answerPress(
  ctx: Context,
  command: ParsedCommand,
  asNew: boolean,
  parts: Parts,
): Promise<void> {
  const message = ctx.callbackQuery?.message
  if (message?.date) parts.posts.note(message)
  const pressed = asNew ? undefined : ctx.msgId
  const progress = progressIn(ctx, parts, pressed, () => acknowledge(ctx))
  const { answer, shown, last } = await progress.during((show) =>
    // A message sent through inline mode is not the bot's: no interim views.
    parts.dispatch.answer(command, contextOf(ctx), ctx.chat ? show : undefined),
  )
  if (shown !== undefined) {
    const replace = () => replaceMessage(ctx, shown, answer, parts, last)
    await showOrExplain(parts, command.line, answer, replace, ctx)
  } else if (answer.outcome !== 'answered') {
    // A person who sends too much is told at each press; a blocked person, once.
    const isSilent = answer.repeated && parts.dispatch.isBlocked(contextOf(ctx))
    const notify = () => acknowledge(ctx, isSilent ? undefined : plainView(answer.view))
    await showOrExplain(parts, command.line, answer, notify, ctx)
  } else if (asNew && ctx.chat) {
    await acknowledge(ctx)
    await showOrExplain(parts, command.line, answer, () => sendAnswer(ctx, answer, parts), ctx)
  } else {
    const replace = () => replaceMessage(ctx, pressed, answer, parts)
    const replaced = showOrExplain(parts, command.line, answer, replace, ctx)
    // The edit may have to wait for its turn, and a press that is not answered looks as if it was not heard.
    const isSoon = await withTimeout(
      replaced.then(() => true),
      acknowledgeAfter,
    )
    if (!isSoon) await acknowledge(ctx)
    const notice = await replaced
    if (isSoon) await acknowledge(ctx, notice)
  }
}

/**
 * Whether the message has this button: a modified client can send any data. True for inline messages, which come without
 * their buttons; false for very old ones, which do so too.
 */
function isOnMessage(ctx: Context, data: string): boolean {
  const rows = ctx.callbackQuery?.message?.reply_markup?.inline_keyboard
  if (!rows) return ctx.callbackQuery?.message === undefined
  return rows.flat().some((button) => 'callback_data' in button && button.callback_data === data)
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

/** Whether this is a private chat. */
function isPrivate(ctx: Context): boolean {
  return ctx.chat?.type === 'private'
}

/** A link into the private chat that runs the line there. */
async function privateLink(ctx: Context, line: string, callbacks: CallbackStore): Promise<string> {
  const id = await callbacks.store(line)
  return `https://t.me/${ctx.me.username}?start=${id ?? ''}`
}

/** The line of a link made by `privateLink`; undefined if the line is no such /start. */
async function linkedLine(line: string, callbacks: CallbackStore): Promise<string | undefined> {
  const id = /^start (?<id>[\w-]{16})$/u.exec(line)?.groups?.id
  return id === undefined ? undefined : callbacks.find(id)
}

/** Asks for confirmation of a line that came by a link, which a stranger may have made. */
function confirmation(line: string): View {
  return {
    title: [t('linked-title')],
    tone: 'warn',
    blocks: [
      { kind: 'text', spans: [t('linked-what')] },
      { kind: 'text', spans: [{ code: `/${line}` }] },
      { kind: 'text', spans: [t('linked-ignore')] },
    ],
    buttons: [[{ label: t('linked-confirm'), line: line, look: 'main' }]],
  }
}

/** Adds the current chat to a line that is run in the private chat, if its command has an option for it. */
function lineInPrivate(ctx: Context, command: ParsedCommand): string {
  return ctx.chat ? lineFromChat(command, String(ctx.chat.id)) : command.line
}

/** Answers a command that is for private chats only, with a link there. */
async function invitation(
  ctx: Context,
  command: ParsedCommand,
  callbacks: CallbackStore,
): Promise<View> {
  // A link runs its line for whoever opens it, so lines of unlisted commands that somebody typed get a plain link.
  const url = command.isListed
    ? await privateLink(ctx, lineInPrivate(ctx, command), callbacks)
    : `https://t.me/${ctx.me.username}`
  return {
    title: [],
    blocks: [{ kind: 'text', spans: [t('private-invitation')] }],
    buttons: [[{ label: t('private-open'), url }]],
  }
}

/** The change of the chat of a `my_chat_member`, which says what the bot is there from now on. */
function membershipChange({ myChatMember }: Context): ChatChange | undefined {
  if (!myChatMember) return undefined
  const { chat, new_chat_member: member } = myChatMember
  const chats = [String(chat.id)]
  const loss = lossOf(member, chat)
  return loss === undefined ? { kind: 'back', chats } : { kind: 'lost', chats, loss }
}

/** Whether a `my_chat_member` says that the bot was let into a chat in which it may write, or unblocked. */
export function isEntry({ myChatMember }: Context): boolean {
  if (!myChatMember) return false
  const { chat, old_chat_member: before, new_chat_member: member } = myChatMember
  const wasOut =
    before.status === 'left' ||
    before.status === 'kicked' ||
    (before.status === 'restricted' && !before.is_member)
  return wasOut && lossOf(member, chat) === undefined
}

/**
 * The migration that a service message tells of: one comes in the group that was, with the id of the supergroup, and one in
 * the supergroup. Undefined for another message.
 */
function migration({ msg }: Context): ChatChange | undefined {
  if (!msg) return undefined
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = msg
  if (to !== undefined) return { kind: 'migrated', chat: String(chat.id), to: String(to) }
  if (from !== undefined) return { kind: 'migrated', chat: String(from), to: String(chat.id) }
  return undefined
}

/** Why the bot can't write in a chat as this member; undefined if it can. */
function lossOf(member: ChatMember, { type }: Chat): Loss | undefined {
  if (member.status === 'kicked') return type === 'private' ? 'blocked' : 'removed'
  if (member.status === 'left') return 'removed'
  if (type === 'channel') {
    const mayPost = member.status === 'administrator' && member.can_post_messages === true
    return mayPost ? undefined : 'forbidden'
  }
  if (member.status !== 'restricted') return undefined
  if (!member.is_member) return 'removed'
  return member.can_send_messages ? undefined : 'forbidden'
}

const cacheSeconds = 10

/** Offers cards for the term that a person types after the bot's name in any chat. */
async function onInlineQuery(ctx: Context, parts: Parts): Promise<void> {
  const term = ctx.inlineQuery?.query.trim() ?? ''
  const { hits, notice } = await parts.dispatch.inline(term, contextOf(ctx))
  const results = await Promise.all(distinct(hits).map((hit) => inlineResult(hit, parts)))
  const hint = term === '' ? t('telegram-inline-ask') : t('telegram-inline-none')
  const prompt = shortenUnits(notice ?? plainText(hint, localeIn(ctx, parts)), 64)
  const answer = (shown: readonly InlineQueryResultArticle[]) =>
    ctx.answerInlineQuery(shown, {
      // Errors are not cached.
      cache_time: notice === undefined ? cacheSeconds : 0,
      // They are in the person's language.
      is_personal: true,
      ...(shown.length === 0 && { button: { text: prompt, start_parameter: 'inline' } }),
    })
  const sent = await answerWithMost(results, answer)
  if (!sent?.refusal) return
  const shown = sent.results.map(({ id }) => id)
  const leftOut = results.map(({ id }) => id).filter((id) => !shown.includes(id))
  parts.log.warn(
    { err: sent.refusal, leftOut },
    'telegram: inline results were refused; the rest were sent without them',
  )
}

/** Drops hits whose id another one has, whatever its case: Telegram refuses all results if two have the same. */
function distinct(hits: readonly InlineHit<string>[]): InlineHit<string>[] {
  return [...new Map(hits.map((hit) => [hit.id.toLowerCase(), hit])).values()]
}

async function inlineResult(
  { id, title, about, image, view }: InlineHit<string>,
  { render }: Parts,
): Promise<InlineQueryResultArticle> {
  const { text, reply_markup, ...rest } = await render(inlineCard(view))
  return {
    type: 'article',
    id,
    // An empty one is refused.
    title: shortenUnits(harmlessInLanguage(title).trim(), 60) || '·',
    description: shortenUnits(harmlessInLanguage(about), 100),
    ...(image !== undefined && { thumbnail_url: image }),
    input_message_content: { message_text: text, ...rest },
    reply_markup,
  }
}

/**
 * Answers with as many of the results as Telegram accepts. It refuses all of them for one, and its error doesn't say for
 * which: neither the server of the Bot API nor those behind it give an index
 * (https://core.telegram.org/method/messages.setInlineBotResults). So it tries: all results; all without the pictures beside them,
 * which are refused if their address is none that Telegram would fetch (WEBDOCUMENT_URL_INVALID); all but one; a half; one; none.
 * @returns those that were sent, and the first refusal; undefined if the person has typed on, or gone
 */
async function answerWithMost(
  results: readonly InlineQueryResultArticle[],
  answer: (results: readonly InlineQueryResultArticle[]) => Promise<unknown>,
): Promise<{ results: readonly InlineQueryResultArticle[]; refusal: unknown } | undefined> {
  const bare = results.map(({ thumbnail_url: _, ...rest }) => rest)
  const allButOne = bare.map((_, index) => bare.toSpliced(index, 1))
  const halves = chunks(bare, Math.max(1, Math.floor(bare.length / 2)))
  const tries = [results, bare, ...allButOne, ...halves, ...chunks(bare, 1), []]
  let refusal: unknown
  for (const some of tries) {
    try {
      await answer(some)
      return { results: some, refusal }
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
      if (/query is too old|query ID is invalid/iu.test(error.description)) return undefined
      refusal ??= error
    }
  }
  throw refusal
}
