import { type Api, GrammyError, type InputFile } from 'grammy'
import type { ChatFullInfo, ChatMember, Message, ReplyParameters } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import { type ChatAddress, PhotoFallback, SendError, type Sent } from '../core/adapter.ts'
import { withTimeout } from '../core/task.ts'
import type { LocalisedView, Picture } from '../core/view.ts'
import { isNotModified, photoRefusal, sendError } from './errors.ts'
import { inputFile, largestPhoto, sendFiles } from './files.ts'
import { maxCaption, plainLength, type TelegramMessage } from './render.ts'

interface SenderParts {
  api: Api
  posts: Posts
  render(view: LocalisedView): Promise<TelegramMessage>
}

/** Sends messages that answer nobody, such as alerts, and says who may have them sent. */
export class Sender {
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Sends a message. Telegram has no idempotency key: a second send gives a second message. @throws SendError */
  async send({ id, thread }: ChatAddress, view: LocalisedView): Promise<Sent> {
    const { api, posts, render } = this.#parts
    const spot: Spot = thread === undefined ? {} : { message_thread_id: Number(thread) }
    try {
      const message = await render(view)
      await sendFiles(api, id, view.files ?? [], spot)
      return { message: String(await posts.send(id, message, spot)) }
    } catch (error) {
      throw sendError(error)
    }
  }

  /** Edits a message, which keeps its picture if the view has none. @throws SendError */
  async edit({ id }: ChatAddress, message: string, view: LocalisedView): Promise<void> {
    const { posts, render } = this.#parts
    try {
      const rendered = await render(view)
      if (await posts.edit(id, Number(message), rendered, true)) return
    } catch (error) {
      if (isNotModified(error)) return
      throw sendError(error)
    }
    throw new SendError('There is more text than fits below a picture.', { final: true })
  }

  /** Whether the person may write in this group or channel; false if Telegram doesn't say. */
  async isMember(chat: string, person: string): Promise<boolean> {
    const user = Number(person)
    if (!Number.isSafeInteger(user)) return false
    const { api } = this.#parts
    try {
      return await followMigration(chat, async (id) =>
        mayWrite(await api.getChatMember(id, user), await api.getChat(id)),
      )
    } catch {
      return false
    }
  }

  /** Title of a group or channel; undefined if Telegram doesn't give it. */
  async title(chat: string): Promise<string | undefined> {
    try {
      const { title } = await followMigration(chat, (id) => this.#parts.api.getChat(id))
      return title
    } catch {
      return undefined
    }
  }

  /** Whether the person is an administrator who may post. @throws SendError if Telegram doesn't say */
  async manages(chat: string, person: string): Promise<boolean> {
    const user = Number(person)
    if (!Number.isSafeInteger(user)) return false
    const { api } = this.#parts
    try {
      return await followMigration(chat, async (id) => {
        const member = await api.getChatMember(id, user)
        if (member.status !== 'administrator') return member.status === 'creator'
        const { type } = await api.getChat(id)
        return type !== 'channel' || member.can_post_messages === true
      })
    } catch (error) {
      if (isNoMember(error)) return false
      throw sendError(error)
    }
  }
}

/** Makes a request about a chat, and again about the supergroup that it was migrated to, if any. */
async function followMigration<T>(
  chat: string,
  request: (chat: string | number) => Promise<T>,
): Promise<T> {
  try {
    return await request(chat)
  } catch (error) {
    const moved = error instanceof GrammyError && error.parameters.migrate_to_chat_id
    if (!moved) throw error
    return request(moved)
  }
}

/** Whether the error says that there is no such person, or not in this chat. */
function isNoMember(error: unknown): boolean {
  return (
    error instanceof GrammyError &&
    error.error_code === 400 &&
    /user not found|member not found|user_id|PARTICIPANT_ID_INVALID|USER_NOT_PARTICIPANT/iu.test(
      error.description,
    )
  )
}

/** Whether a member may write: in a channel, who may post; in a group, who is not restricted, also by the group's defaults. */
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

/** Forum topic and replied-to message of a message. */
export interface Spot {
  message_thread_id?: number
  reply_parameters?: ReplyParameters
}

/** Sends and edits messages. */
export class Posts {
  readonly #api: Api
  readonly #pictures: Pictures
  /** The unique ids of the photos in our messages, by chat and id. */
  readonly #photos = new LRUCache<string, string>({ max: 50_000 })
  readonly #photoFallback = new PhotoFallback(photoRefusal, () => performance.now())

  constructor(api: Api, pictures: Pictures) {
    this.#api = api
    this.#pictures = pictures
  }

  /** Sends a message and returns its id; without its picture, if the chat or Telegram does not accept it. */
  async send(chat: number | string, message: TelegramMessage, spot: Spot = {}): Promise<number> {
    const { picture, text, caption: below = text, link_preview_options: _, ...rest } = message
    const caption = { ...rest, caption: below, ...spot }
    return this.#photoFallback.show(String(chat), picture, async (shown) =>
      this.note(
        shown
          ? await this.#pictures.use(shown, (photo) => this.#api.sendPhoto(chat, photo, caption))
          : await this.#sendText(chat, message, spot),
      ),
    )
  }

  #sendText(chat: number | string, message: TelegramMessage, spot: Spot): Promise<Message> {
    const { replyHint: hint } = message
    const reply_markup =
      hint === undefined
        ? message.reply_markup
        : { force_reply: true as const, selective: true, input_field_placeholder: hint }
    return this.#api.raw.sendMessage({ chat_id: chat, ...spot, ...textOf(message), reply_markup })
  }

  /**
   * Edits a message. False if that is not possible: a message with a picture can't lose it. With `keepPicture`, its caption
   * is edited in this case, if the text fits.
   */
  async edit(
    chat: number | string,
    id: number,
    message: TelegramMessage,
    keepPicture = false,
  ): Promise<boolean> {
    const { picture } = message
    if (picture && this.#pictures.isSame(picture, this.#photos.get(keyOf(chat, id)))) {
      await this.#editCaption(chat, id, message)
      return true
    }
    return this.#photoFallback.show(String(chat), picture, (shown) =>
      shown
        ? this.#editPicture(chat, id, message, shown)
        : this.#editTextOrCaption(chat, id, message, keepPicture),
    )
  }

  /** Edits a message, or deletes it and sends a new one. @returns the id of the message */
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

  /** Records which photo a message shows, if any. @returns its id */
  note(message: Pick<Message, 'chat' | 'message_id' | 'photo'>): number {
    const photo = largestPhoto(message.photo)
    if (photo) this.#photos.set(keyOf(message.chat.id, message.message_id), photo.file_unique_id)
    return message.message_id
  }

  async #editPicture(
    chat: number | string,
    id: number,
    { text, caption = text, parse_mode, reply_markup }: TelegramMessage,
    picture: Picture,
  ): Promise<true> {
    const edited = await this.#pictures.use(picture, (media) =>
      this.#api.editMessageMedia(
        chat,
        id,
        { type: 'photo', media, caption, parse_mode },
        { reply_markup },
      ),
    )
    if (edited !== true) this.note(edited)
    return true
  }

  /** Edits the text. False if the message has a picture that is not to be kept, or the text does not fit in its caption. */
  async #editTextOrCaption(
    chat: number | string,
    id: number,
    message: TelegramMessage,
    keepPicture: boolean,
  ): Promise<boolean> {
    const photo = this.#photos.get(keyOf(chat, id))
    if (photo === undefined && (await this.#editText(chat, id, message))) return true
    if (!keepPicture || plainLength(message.text) > maxCaption) return false
    await this.#editCaption(chat, id, message)
    return true
  }

  /** Edits the text; false if the message turns out to have a picture. */
  async #editText(chat: number | string, id: number, message: TelegramMessage): Promise<boolean> {
    const { text, ...rest } = textOf(message)
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
    const { text, caption = text, parse_mode, reply_markup } = message
    await this.#api.editMessageCaption(chat, id, { caption, parse_mode, reply_markup })
  }

  /** Deletes a message; if it can't be deleted, as after two days, removes its buttons. */
  async #remove(chat: number | string, id: number): Promise<void> {
    try {
      await this.#api.deleteMessage(chat, id)
    } catch (error) {
      if (!(error instanceof GrammyError)) throw error
      await this.takeButtonsOff(chat, id)
    }
  }

  /** Removes the buttons of a message that a newer one supersedes. */
  async takeButtonsOff(chat: number | string, id: number): Promise<void> {
    try {
      await this.#api.editMessageReplyMarkup(chat, id)
    } catch (error) {
      // Gone, too old, or without buttons.
      if (!(error instanceof GrammyError)) throw error
    }
  }
}

/** The part of a message that is sent without its picture. */
function textOf({ picture: _, caption: _caption, replyHint: _hint, ...rest }: TelegramMessage) {
  return rest
}

function keyOf(chat: number | string, id: number): string {
  return `${chat}:${id}`
}

/** A picture that is stored at Telegram. */
interface StoredPicture {
  id: string
  /** The same for one file, however often it is sent. */
  unique: string
}

const maxStored = 5_000
/** Milliseconds that a send waits for another one's upload of the same picture. */
const maxWait = 10_000

/** Uploads each picture once, by its key, and refers to it by its file id from then on. */
export class Pictures {
  readonly #stored = new LRUCache<string, StoredPicture>({ max: maxStored })
  readonly #uploads = new Map<string, Promise<unknown>>()
  #waiting = 0

  /** Number of calls that wait for another one's upload. */
  get waiting(): number {
    return this.#waiting
  }

  /** Makes the call with the picture's file id, or with the picture itself if it has to be uploaded. */
  async use<M extends Message | true>(
    picture: Picture,
    call: (photo: string | InputFile) => Promise<M>,
  ): Promise<M> {
    for (;;) {
      const stored = this.#stored.get(picture.key)
      const made = stored && (await this.#refer(picture.key, stored, call))
      if (made) return made
      const pending = this.#uploads.get(picture.key)
      if (!pending || !(await this.#waitForUpload(pending))) return this.#upload(picture, call)
    }
  }

  /** Whether a photo with this unique id is the picture. */
  isSame({ key }: Picture, unique: string | undefined): boolean {
    return unique !== undefined && this.#stored.get(key)?.unique === unique
  }

  /** Makes the call with a file id; undefined if Telegram does not have the file any more. */
  async #refer<M extends Message | true>(
    key: string,
    stored: StoredPicture,
    call: (photo: string) => Promise<M>,
  ): Promise<M | undefined> {
    try {
      return await call(stored.id)
    } catch (error) {
      if (!isUnknownFile(error)) throw error
      if (this.#stored.get(key) === stored) this.#stored.delete(key)
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
      const photo = message === true ? undefined : largestPhoto(message.photo)
      if (photo) {
        this.#stored.set(picture.key, { id: photo.file_id, unique: photo.file_unique_id })
      }
      return message
    } finally {
      if (this.#uploads.get(picture.key) === upload) this.#uploads.delete(picture.key)
    }
  }

  /** Waits for an upload; false if it takes too long. */
  async #waitForUpload(upload: Promise<unknown>): Promise<boolean> {
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

function isUnknownFile(error: unknown): boolean {
  return (
    error instanceof GrammyError &&
    error.error_code === 400 &&
    /file identifier|file_id|file reference|FILE_REFERENCE/iu.test(error.description)
  )
}
