import { type Api, GrammyError, type InputFile } from 'grammy'
import type { ChatFullInfo, ChatMember, Message, ReplyParameters } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import { type ChatAddress, SendError, type Sent } from '../core/adapter.ts'
import type { CallbackStore } from '../core/callback-data.ts'
import { PhotoFallback } from '../core/photo-fallback.ts'
import { withTimeout } from '../core/retry.ts'
import type { Picture, View } from '../core/view.ts'
import { photoRefusal, sendError } from './errors.ts'
import { inputFile, sendFiles } from './files.ts'
import { maxCaption, plainLength, renderTelegram, type TelegramMessage } from './render.ts'

interface SenderParts {
  /** One that waits out nothing by itself. */
  api: Api
  posts: Posts
  lines: CallbackStore
}

/** Messages that nobody asked for at that moment: each call is made once, and who sends decides about another try. */
export class Sender {
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Telegram knows no key for a send: a second one gives a second message. @throws SendError */
  async send({ id, thread }: ChatAddress, view: View): Promise<Sent> {
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
  async edit({ id }: ChatAddress, message: string, view: View): Promise<void> {
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

/** Where in a chat a message goes. */
export interface Spot {
  message_thread_id?: number
  reply_parameters?: ReplyParameters
}

/** What is known of the photos in chats. */
interface ShownPhotos {
  /** What our messages show, by chat and id: the unique id of a photo, or '' for words alone. */
  messages: LRUCache<string, string>
  /** Where none may be shown. */
  photoFallback: PhotoFallback
}

/** @param now milliseconds on a clock that never jumps */
export function shownPhotos(now: () => number): ShownPhotos {
  const messages = new LRUCache<string, string>({ max: 50_000 })
  return { messages, photoFallback: new PhotoFallback(photoRefusal, now) }
}

/** Writes and changes messages through one way to call the Bot API; all of those ways share what they know. */
export class Posts {
  readonly #api: Api
  readonly #pictures: Pictures
  readonly #shown: ShownPhotos

  constructor(api: Api, pictures: Pictures, shown: ShownPhotos) {
    this.#api = api
    this.#pictures = pictures
    this.#shown = shown
  }

  /** Sends a message; without its picture where the chat or Telegram takes none. */
  async send(chat: number | string, message: TelegramMessage, spot: Spot = {}): Promise<number> {
    const { picture, text, link_preview_options, ...rest } = message
    const words = { ...rest, link_preview_options, ...spot }
    const caption = { ...rest, caption: text, ...spot }
    return this.#shown.photoFallback.show(String(chat), picture, async (shown) =>
      this.note(
        shown
          ? await this.#pictures.use(shown, (photo) => this.#api.sendPhoto(chat, photo, caption))
          : await this.#api.sendMessage(chat, text, words),
      ),
    )
  }

  /**
   * Changes a message where it stands. False where it can't become this one: what has a picture keeps one. With
   * `keepPicture` only its words are changed then, if they fit below a picture.
   */
  async edit(
    chat: number | string,
    id: number,
    message: TelegramMessage,
    keepPicture = false,
  ): Promise<boolean> {
    const { picture } = message
    if (picture && this.#pictures.isSame(picture, this.#shown.messages.get(keyOf(chat, id)))) {
      await this.#editCaption(chat, id, message)
      return true
    }
    return this.#shown.photoFallback.show(String(chat), picture, (shown) =>
      shown
        ? this.#editPicture(chat, id, message, shown)
        : this.#editWords(chat, id, message, keepPicture),
    )
  }

  /** @returns the message's id, a new one where it had to be written anew; the old one is gone then */
  async replace(
    chat: number | string,
    id: number,
    message: TelegramMessage,
    spot: Spot = {},
  ): Promise<number> {
    if (await this.edit(chat, id, message)) return id
    const sent = await this.send(chat, message, spot)
    await this.#remove(chat, id)
    return sent
  }

  /** Remembers what a message shows. @returns its id */
  note(message: Pick<Message, 'chat' | 'message_id' | 'photo'>): number {
    const unique = largestPhoto(message)?.file_unique_id ?? ''
    this.#shown.messages.set(keyOf(message.chat.id, message.message_id), unique)
    return message.message_id
  }

  async #editPicture(
    chat: number | string,
    id: number,
    { text, parse_mode, reply_markup }: TelegramMessage,
    picture: Picture,
  ): Promise<true> {
    const edited = await this.#pictures.use(picture, (media) =>
      this.#api.editMessageMedia(
        chat,
        id,
        { type: 'photo', media, caption: text, parse_mode },
        { reply_markup },
      ),
    )
    if (edited !== true) this.note(edited)
    return true
  }

  /** False where it has a picture that is not to be kept, or that leaves too little room. */
  async #editWords(
    chat: number | string,
    id: number,
    message: TelegramMessage,
    keepPicture: boolean,
  ): Promise<boolean> {
    const shows = this.#shown.messages.get(keyOf(chat, id))
    if (!shows && (await this.#editText(chat, id, message))) return true
    if (!keepPicture || plainLength(message.text) > maxCaption) return false
    await this.#editCaption(chat, id, message)
    return true
  }

  /** False where it turns out to have a picture. */
  async #editText(
    chat: number | string,
    id: number,
    { picture: _, text, ...rest }: TelegramMessage,
  ): Promise<boolean> {
    try {
      await this.#api.editMessageText(chat, id, text, rest)
      return true
    } catch (error) {
      const hasPicture =
        error instanceof GrammyError && error.description.includes('no text in the message')
      if (!hasPicture) throw error
      return false
    }
  }

  async #editCaption(chat: number | string, id: number, message: TelegramMessage): Promise<void> {
    const { text, parse_mode, reply_markup } = message
    await this.#api.editMessageCaption(chat, id, { caption: text, parse_mode, reply_markup })
  }

  /** What can't be taken away, as after two days, loses its buttons at least. */
  async #remove(chat: number | string, id: number): Promise<void> {
    try {
      await this.#api.deleteMessage(chat, id)
    } catch (error) {
      if (!(error instanceof GrammyError)) throw error
      await this.takeButtonsOff(chat, id)
    }
  }

  /** What stands below the old buttons has moved on. */
  async takeButtonsOff(chat: number | string, id: number): Promise<void> {
    try {
      await this.#api.editMessageReplyMarkup(chat, id)
    } catch (error) {
      // Gone, too old, or without buttons.
      if (!(error instanceof GrammyError)) throw error
    }
  }
}

function keyOf(chat: number | string, id: number): string {
  return `${chat}:${id}`
}

/** A picture that Telegram has. */
interface Known {
  id: string
  /** The same for one file however often it is sent. */
  unique: string
}

const maxKnown = 5_000
/** Milliseconds for which a send waits for another one's upload of the same picture. */
const maxWait = 10_000

/** Pictures by what they show: each goes up once, and is referred to from then on. */
export class Pictures {
  readonly #known = new LRUCache<string, Known>({ max: maxKnown })
  readonly #uploads = new Map<string, Promise<unknown>>()
  #waiting = 0

  /** How many calls wait for another one's upload. */
  get waiting(): number {
    return this.#waiting
  }

  /** Makes the call with what names the picture, which is the picture itself where Telegram does not have it. */
  async use<M extends Message | true>(
    picture: Picture,
    call: (photo: string | InputFile) => Promise<M>,
  ): Promise<M> {
    for (;;) {
      const known = this.#known.get(picture.key)
      const made = known && (await this.#refer(picture.key, known, call))
      if (made) return made
      const pending = this.#uploads.get(picture.key)
      if (!pending || !(await this.#ended(pending))) return this.#upload(picture, call)
    }
  }

  /** Whether a photo with this unique id is the picture. */
  isSame({ key }: Picture, unique: string | undefined): boolean {
    return unique !== undefined && unique !== '' && this.#known.get(key)?.unique === unique
  }

  /** Undefined, and forgotten, where Telegram does not have it any more. */
  async #refer<M extends Message | true>(
    key: string,
    known: Known,
    call: (photo: string) => Promise<M>,
  ): Promise<M | undefined> {
    try {
      return await call(known.id)
    } catch (error) {
      if (!isUnknownFile(error)) throw error
      if (this.#known.get(key) === known) this.#known.delete(key)
      return undefined
    }
  }

  async #upload<M extends Message | true>(
    picture: Picture,
    call: (photo: string | InputFile) => Promise<M>,
  ): Promise<M> {
    const upload = call(inputFile(picture))
    this.#uploads.set(picture.key, upload)
    try {
      const message = await upload
      const photo = message === true ? undefined : largestPhoto(message)
      if (photo) {
        this.#known.set(picture.key, { id: photo.file_id, unique: photo.file_unique_id })
      }
      return message
    } finally {
      if (this.#uploads.get(picture.key) === upload) this.#uploads.delete(picture.key)
    }
  }

  /** False where it takes too long to wait for. */
  async #ended(upload: Promise<unknown>): Promise<boolean> {
    this.#waiting += 1
    try {
      const ended = upload.then(
        () => true,
        () => true,
      )
      return (await withTimeout(ended, maxWait)) ?? false
    } finally {
      this.#waiting -= 1
    }
  }
}

/** The photo of a message in its largest size. */
function largestPhoto({ photo = [] }: Pick<Message, 'photo'>) {
  return [...photo].sort((one, other) => other.width * other.height - one.width * one.height)[0]
}

function isUnknownFile(error: unknown): boolean {
  return (
    error instanceof GrammyError &&
    error.error_code === 400 &&
    /file identifier|file_id|file reference|FILE_REFERENCE/iu.test(error.description)
  )
}
