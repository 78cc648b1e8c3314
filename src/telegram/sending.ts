import { type Api, GrammyError, HttpError } from 'grammy'
import type { ChatFullInfo, ChatMember } from 'grammy/types'
import type { LineKeeper } from '../chat/control.ts'
import { type Destination, SendError } from '../chat/platform.ts'
import type { View } from '../chat/view.ts'
import { sendFiles } from './outgoing-files.ts'
import { renderTelegram } from './render.ts'

/** Messages that nobody asked for at that moment: each call is made once, and who sends decides about another try. */
export class Sender {
  readonly #api: Api
  readonly #lines: LineKeeper

  /** @param api one that waits out nothing by itself */
  constructor(api: Api, lines: LineKeeper) {
    this.#api = api
    this.#lines = lines
  }

  /** Telegram knows no key for a send: a second one gives a second message. @throws SendError */
  async send({ id }: Destination, view: View): Promise<void> {
    try {
      await this.#sendTo(id, view)
    } catch (error) {
      const moved = error instanceof GrammyError && error.parameters.migrate_to_chat_id
      if (!moved) throw sendError(error)
      await this.#sendTo(String(moved), view).catch((reason: unknown) => {
        throw sendError(reason)
      })
    }
  }

  /** Whether the person may write in this group or channel; false where Telegram doesn't tell. */
  async isMember(chat: string, person: string): Promise<boolean> {
    const user = Number(person)
    if (!Number.isSafeInteger(user)) return false
    try {
      return mayWrite(await this.#api.getChatMember(chat, user), await this.#api.getChat(chat))
    } catch {
      return false
    }
  }

  async #sendTo(chat: string, view: View): Promise<void> {
    const { text, ...rest } = await renderTelegram(view, this.#lines)
    await sendFiles(this.#api, chat, view.files ?? [])
    await this.#api.sendMessage(chat, text, rest)
  }
}

/** In a channel only who posts there, in a group who is not muted, alone or with everybody. */
function mayWrite(member: ChatMember, { type, permissions }: ChatFullInfo): boolean {
  if (type === 'private') return false
  if (member.status === 'creator') return true
  if (type === 'channel') {
    return member.status === 'administrator' && member.can_post_messages === true
  }
  if (member.status === 'administrator') return true
  if (permissions?.can_send_messages === false) return false
  if (member.status === 'restricted') return member.is_member && member.can_send_messages === true
  return member.status === 'member'
}

/** What can't be sent today may be sent tomorrow: but not to who is gone, nor what Telegram does not take. */
function sendError(cause: unknown): SendError {
  if (cause instanceof HttpError) {
    return new SendError('Telegram can’t be reached.', { final: false, cause })
  }
  if (!(cause instanceof GrammyError)) {
    return new SendError('A view can’t be made into a message for Telegram.', {
      final: true,
      cause,
    })
  }
  const { error_code, description, parameters } = cause
  return new SendError(`Telegram refused a message: ${description}`, {
    final: error_code === 400 || error_code === 403,
    retryAfter: parameters.retry_after,
    cause,
  })
}
