import { type Api, GrammyError } from 'grammy'
import type { ChatFullInfo, ChatMember } from 'grammy/types'
import type { LineKeeper } from '../chat/control.ts'
import { type Destination, SendError, type Sent } from '../chat/platform.ts'
import type { View } from '../chat/view.ts'
import { sendFiles } from './outgoing-files.ts'
import type { Posts, Spot } from './posts.ts'
import { renderTelegram } from './render.ts'
import { sendError } from './send-error.ts'

export interface SenderParts {
  /** One that waits out nothing by itself. */
  api: Api
  posts: Posts
  lines: LineKeeper
}

/** Messages that nobody asked for at that moment: each call is made once, and who sends decides about another try. */
export class Sender {
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Telegram knows no key for a send: a second one gives a second message. @throws SendError */
  async send({ id, thread }: Destination, view: View): Promise<Sent> {
    const { api, posts, lines } = this.#parts
    const spot: Spot = thread === undefined ? {} : { message_thread_id: Number(thread) }
    try {
      const message = await renderTelegram(view, lines)
      await sendFiles(api, id, view.files ?? [], spot)
      return { message: String(await posts.send(id, message, spot)) }
    } catch (error) {
      throw sendError(error)
    }
  }

  /** A message with a picture keeps it where the view has none. @throws SendError */
  async edit({ id }: Destination, message: string, view: View): Promise<void> {
    const { posts, lines } = this.#parts
    try {
      const rendered = await renderTelegram(view, lines)
      if (await posts.edit(id, Number(message), rendered, true)) return
    } catch (error) {
      if (error instanceof GrammyError && error.description.includes('is not modified')) return
      throw sendError(error)
    }
    throw new SendError('There is more text than fits below a picture.', { final: true })
  }

  /** Whether the person may write in this group or channel; false where Telegram doesn't tell. */
  async isMember(chat: string, person: string): Promise<boolean> {
    const user = Number(person)
    if (!Number.isSafeInteger(user)) return false
    const { api } = this.#parts
    try {
      return await whereItIs(chat, async (id) =>
        mayWrite(await api.getChatMember(id, user), await api.getChat(id)),
      )
    } catch {
      return false
    }
  }

  /** What a group or channel is called; undefined where Telegram doesn't tell. */
  async title(chat: string): Promise<string | undefined> {
    try {
      const { title } = await whereItIs(chat, (id) => this.#parts.api.getChat(id))
      return title
    } catch {
      return undefined
    }
  }

  /** @throws SendError where Telegram doesn't tell */
  async manages(chat: string, person: string): Promise<boolean> {
    const user = Number(person)
    if (!Number.isSafeInteger(user)) return false
    const { api } = this.#parts
    try {
      return await whereItIs(chat, async (id) => {
        const member = await api.getChatMember(id, user)
        if (member.status !== 'administrator') return member.status === 'creator'
        const { type } = await api.getChat(id)
        return type !== 'channel' || member.can_post_messages === true
      })
    } catch (error) {
      if (isNobody(error)) return false
      throw sendError(error)
    }
  }
}

/** Asks about a chat, and where it has become a supergroup, about that. */
async function whereItIs<T>(chat: string, ask: (chat: string | number) => Promise<T>): Promise<T> {
  try {
    return await ask(chat)
  } catch (error) {
    const moved = error instanceof GrammyError && error.parameters.migrate_to_chat_id
    if (!moved) throw error
    return ask(moved)
  }
}

/** Telegram knows no such person, or not in this chat. */
function isNobody(error: unknown): boolean {
  return (
    error instanceof GrammyError &&
    error.error_code === 400 &&
    /user not found|member not found|user_id|PARTICIPANT_ID_INVALID|USER_NOT_PARTICIPANT/iu.test(
      error.description,
    )
  )
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
