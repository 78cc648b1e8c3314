import { type Context, GrammyError } from 'grammy'
import type { ChatMember } from 'grammy/types'
import type { Show } from '../chat/command.ts'
import { decodePress, type Press } from '../chat/control.ts'
import type { Answer, Bot } from '../chat/dispatch.ts'
import { plainView } from '../chat/view.ts'
import {
  acknowledge,
  type Parts,
  replaceMessage,
  sendAnswer,
  showingIn,
  showOrExplain,
  turnOf,
} from './answers.ts'
import { isCardLine } from './inline-card.ts'
import { isPrivate, lineInPrivate, privateLink } from './private.ts'

/** Runs the line of a pressed button, if it is one of ours and the presser may see its answer here. */
export async function onPress(ctx: Context, parts: Parts): Promise<void> {
  const data = ctx.callbackQuery?.data ?? ''
  const press = isOnMessage(ctx, data) ? await decodePress(data, parts.lines) : undefined
  if (!press || (ctx.callbackQuery?.inline_message_id && !isCardLine(press.line))) {
    await acknowledge(ctx, 'This button is too old. Send the command again.')
    return
  }
  if (parts.bot.isAlone(press.line) && !isPrivate(ctx)) {
    const line = lineInPrivate(ctx, press.line, parts.bot)
    await acknowledge(ctx, undefined, await privateLink(ctx, line, parts.lines))
    return
  }
  const line =
    ctx.chat?.type === 'channel' ? await awayFromReaders(ctx, press, parts.bot) : undefined
  if (line !== undefined) {
    await acknowledge(ctx, undefined, await privateLink(ctx, line, parts.lines))
    return
  }
  await answerPress(ctx, press, parts)
}

/**
 * What a press under a channel's post runs in private instead, as here all would read it. Undefined where an
 * administrator changes the post itself; what one opens who may post is about the channel.
 */
async function awayFromReaders(
  ctx: Context,
  { line, opens }: Press,
  bot: Bot,
): Promise<string | undefined> {
  const member = await memberOf(ctx)
  const isCreator = member?.status === 'creator'
  const isAdministrator = member?.status === 'administrator'
  if (!opens) return isCreator || isAdministrator ? undefined : line
  const manages = isCreator || (isAdministrator && member.can_post_messages === true)
  return manages ? bot.aboutChat(line, String(ctx.chat?.id)) : line
}

async function answerPress(ctx: Context, press: Press, parts: Parts): Promise<void> {
  const message = ctx.callbackQuery?.message
  if (message?.date) parts.posts.note(message)
  const pressed = press.opens ? undefined : ctx.msgId
  const showing = showingIn(ctx, parts, pressed, () => acknowledge(ctx))
  // Where the message was sent by somebody else, nothing is shown on the way.
  const show: Show = ctx.chat ? showing.show : async () => undefined
  let shown: number | undefined
  let answer: Answer
  try {
    answer = await parts.bot.answer(press.line, turnOf(ctx), show)
  } finally {
    shown = await showing.end()
  }
  if (shown !== undefined) {
    const replace = () => replaceMessage(ctx, shown, answer, parts)
    await showOrExplain(parts, press.line, replace, ctx)
  } else if (answer.outcome !== 'answered') {
    await acknowledge(ctx, plainView(answer.view))
  } else if (press.opens && ctx.chat) {
    await acknowledge(ctx)
    await showOrExplain(parts, press.line, () => sendAnswer(ctx, answer, parts), ctx)
  } else {
    const replace = () => replaceMessage(ctx, pressed, answer, parts)
    await acknowledge(ctx, await showOrExplain(parts, press.line, replace, ctx))
  }
}

/** A hostile app can send any data. Telegram shows us the buttons of a message unless it is an inline or a very old one. */
function isOnMessage(ctx: Context, data: string): boolean {
  const rows = ctx.callbackQuery?.message?.reply_markup?.inline_keyboard
  if (!rows) return ctx.callbackQuery?.message === undefined
  return rows.flat().some((button) => 'callback_data' in button && button.callback_data === data)
}

async function memberOf(ctx: Context): Promise<ChatMember | undefined> {
  try {
    return await ctx.getChatMember(ctx.from?.id ?? 0)
  } catch (error) {
    // A bot that may not ask is no administrator itself: nobody's press changes the post then.
    if (error instanceof GrammyError) return undefined
    throw error
  }
}
