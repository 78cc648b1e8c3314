import { type Api, GrammyError } from 'grammy'
import type { Message, ReplyParameters } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import { Pictureless } from '../chat/pictureless.ts'
import type { Picture } from '../chat/view.ts'
import { plainLength } from './html.ts'
import { largestPhoto, type Pictures } from './pictures.ts'
import { mostCaption, type TelegramMessage } from './render.ts'
import { photoRefusal } from './send-error.ts'

/** Where in a chat a message goes. */
export interface Spot {
  message_thread_id?: number
  reply_parameters?: ReplyParameters
}

/** What is known of the photos in chats. */
export interface ShownPhotos {
  /** What our messages show, by chat and id: the unique id of a photo, or '' for words alone. */
  messages: LRUCache<string, string>
  /** Where none may be shown. */
  pictureless: Pictureless
}

/** @param now milliseconds on a clock that never jumps */
export function shownPhotos(now: () => number): ShownPhotos {
  const messages = new LRUCache<string, string>({ max: 50_000 })
  return { messages, pictureless: new Pictureless(photoRefusal, now) }
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
    return this.#shown.pictureless.show(String(chat), picture, async (shown) =>
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
    return this.#shown.pictureless.show(String(chat), picture, (shown) =>
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
    if (!keepPicture || plainLength(message.text) > mostCaption) return false
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
