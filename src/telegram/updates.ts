import { Composer, type Context } from 'grammy'
import type { ChatShared } from 'grammy/types'
import type { Show } from '../chat/command.ts'
import type { Answer, Bot } from '../chat/dispatch.ts'
import { Floods } from '../chat/floods.ts'
import { withoutPlace } from '../chat/place.ts'
import { type Reading, readMessage } from '../chat/reading.ts'
import { remembered } from '../chat/remember.ts'
import type { View } from '../chat/view.ts'
import {
  type Parts,
  replaceMessage,
  sendAnswer,
  showingIn,
  showOrExplain,
  turnOf,
} from './answers.ts'
import { onInlineQuery } from './inline.ts'
import { pickedLine } from './picker.ts'
import { onPress } from './presses.ts'
import { confirmation, invitation, isPrivate, linkedLine } from './private.ts'
import { renderTelegram } from './render.ts'

/** The kinds of update that are handled, and all that Telegram is asked to send. */
export const handledUpdates = ['message', 'channel_post', 'callback_query', 'inline_query'] as const

/**
 * Words under a picture count as words. What is neither words nor a file is an answer too, if only to be told what is
 * wanted instead.
 */
const messages = [
  'message:text',
  'message:file',
  'message:location',
  'message:contact',
  'message:poll',
  'message:dice',
  'channel_post:text',
] as const

/** A person sees "typing…" when an answer takes longer than this. */
const signOfLifeAfter = 700
const tooOld = 'These buttons are too old. Send the command again.'
/** How many ways into the private chat are offered within ten seconds. */
const mostInvitations = { person: 3, chat: 10 }

/** Turns Telegram's updates into command lines, and answers into messages. */
export function updateHandlers(given: Omit<Parts, 'render'>): Composer<Context> {
  // Many may ask for the same card: it is rendered once.
  const render = remembered((view: View) => renderTelegram(view, given.lines))
  const parts: Parts = { ...given, render }
  const invitations = new Floods(mostInvitations)
  const composer = new Composer<Context>()
  composer.on([...messages], (ctx) => onMessage(ctx, parts, invitations))
  composer.on('message:chat_shared', (ctx) => onPicked(ctx, ctx.msg.chat_shared, parts))
  composer.on('callback_query:data', (ctx) => onPress(ctx, parts))
  composer.on('inline_query', (ctx) => onInlineQuery(ctx, parts))
  return composer
}

async function onMessage(ctx: Context, parts: Parts, invitations: Floods): Promise<void> {
  // A card that was sent through inline mode comes back as a message of its sender.
  if (ctx.msg?.via_bot?.id === ctx.me.id) return
  const { bot, files } = parts
  const words = ctx.msg?.text ?? ctx.msg?.caption ?? ''
  const reading = readMessage(words, ctx.me.username)
  if (reading.kind === 'elsewhere') return
  if (isPrivate(ctx) && reading.kind !== 'command') {
    const heard = { words, named: {}, files: files.of(ctx.msg) }
    const { line } = reading
    await answerLine(ctx, parts, line, (show) => bot.hear(heard, line, turnOf(ctx), show))
    return
  }
  if (!isPrivate(ctx) && !isOurs(reading, bot)) return
  const linked = await linkedLine(reading.line, parts.lines)
  const line = linked ?? withoutPlace(reading.line, bot.menu)
  const instead = insteadOf(ctx, line, linked !== undefined, parts)
  if (instead) {
    if (await invitations.count(turnOf(ctx))) return
    await sendAnswer(ctx, { view: await instead(), outcome: 'answered' }, parts)
    return
  }
  await answerLine(ctx, parts, line, (show) => bot.answer(line, turnOf(ctx), show))
}

/** What is shown where a line may not run just so; undefined where it may. */
function insteadOf(
  ctx: Context,
  line: string,
  isLinked: boolean,
  parts: Parts,
): (() => Promise<View>) | undefined {
  const { bot } = parts
  if (bot.isAlone(line) && !isPrivate(ctx)) return () => invitation(ctx, line, parts)
  return isLinked && bot.changes(line) ? async () => confirmation(line) : undefined
}

/** A person chose a chat with the buttons of a picker, which goes away by that. */
async function onPicked(ctx: Context, shared: ChatShared, parts: Parts): Promise<void> {
  const line = await pickedLine(shared, parts.lines)
  const words = line === undefined ? tooOld : 'Chosen.'
  await ctx.reply(words, { reply_markup: { remove_keyboard: true }, disable_notification: true })
  if (line === undefined) return
  await answerLine(ctx, parts, line, (show) => parts.bot.answer(line, turnOf(ctx), show))
}

/** In a group other bots' commands pass by: ours are those in our menu, or with our name behind them. */
function isOurs(reading: Reading, bot: Bot): boolean {
  return (
    reading.kind === 'command' &&
    (reading.addressed || bot.menu.some(({ name }) => name === reading.name))
  )
}

async function answerLine(
  ctx: Context,
  parts: Parts,
  line: string,
  ask: (show: Show) => Promise<Answer>,
): Promise<void> {
  const showing = showingIn(ctx, parts)
  let shown: number | undefined
  let answer: Answer
  try {
    answer = await withSignOfLife(ctx, ask(showing.show))
  } finally {
    shown = await showing.end()
  }
  const show = async () =>
    shown === undefined ? sendAnswer(ctx, answer, parts) : replaceMessage(ctx, shown, answer, parts)
  await showOrExplain<unknown>(parts, line, show, ctx)
}

async function withSignOfLife(ctx: Context, answer: Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(() => {
    // Only a courtesy: a chat where it fails will refuse the answer too, and that is reported.
    ctx.replyWithChatAction('typing').catch(() => undefined)
  }, signOfLifeAfter)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}
