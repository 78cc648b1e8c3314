import type { Context } from 'grammy'
import type { LineKeeper } from '../chat/control.ts'
import type { Bot } from '../chat/dispatch.ts'
import { menuEntry, withPlace } from '../chat/place.ts'
import type { View } from '../chat/view.ts'

/** Whether nobody but the person reads this chat. */
export function isPrivate(ctx: Context): boolean {
  return ctx.chat?.type === 'private'
}

/** A link into the private chat that runs the line there. */
export async function privateLink(ctx: Context, line: string, lines: LineKeeper): Promise<string> {
  const id = await lines.keep(line)
  return `https://t.me/${ctx.me.username}?start=${id ?? ''}`
}

/** The line that `privateLink` put behind /start; undefined where this one was typed. */
export async function linkedLine(line: string, lines: LineKeeper): Promise<string | undefined> {
  const id = /^start (?<id>[\w-]{16})$/u.exec(line)?.groups?.id
  return id === undefined ? undefined : lines.find(id)
}

/** Asks before a line is run that came by a link: a stranger may have made it. */
export function confirmation(line: string): View {
  return {
    title: ['Do you want this?'],
    tone: 'warn',
    blocks: [
      { kind: 'text', spans: ['The link that you opened changes something. It would do: '] },
      { kind: 'text', spans: [{ code: `/${line}` }] },
      { kind: 'text', spans: ['If you did not mean to, do nothing.'] },
    ],
    buttons: [[{ label: 'Do it', run: line, look: 'main' }]],
  }
}

/** The line as it goes on in private, with the chat where it began for commands that want to know. */
export function lineInPrivate(ctx: Context, line: string, bot: Bot): string {
  return ctx.chat ? withPlace(line, bot.menu, String(ctx.chat.id)) : line
}

/** What a chat reads where a command is for the private chat alone. */
export async function invitation(
  ctx: Context,
  line: string,
  { bot, lines }: { bot: Bot; lines: LineKeeper },
): Promise<View> {
  // Links run what they hold for whoever opens them: lines that stand behind buttons only don't become links by typing.
  const url = menuEntry(bot.menu, line)
    ? await privateLink(ctx, lineInPrivate(ctx, line, bot), lines)
    : `https://t.me/${ctx.me.username}`
  return {
    title: [],
    blocks: [
      { kind: 'text', spans: ['This goes on in our private chat, where only you read along.'] },
    ],
    buttons: [[{ label: 'Go on in private', url }]],
  }
}
