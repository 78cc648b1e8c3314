import { GrammyError, type InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import type { Picture } from '../chat/view.ts'
import { within } from '../chat/within.ts'
import { inputFile } from './outgoing-files.ts'

/** A picture that Telegram has. */
interface Known {
  id: string
  /** The same for one file however often it is sent. */
  unique: string
}

const mostKnown = 5_000
/** Milliseconds for which a send waits for another one's upload of the same picture. */
const longestWait = 10_000

/** Pictures by what they show: each goes up once, and is referred to from then on. */
export class Pictures {
  readonly #known = new LRUCache<string, Known>({ max: mostKnown })
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
      return (await within(ended, longestWait)) ?? false
    } finally {
      this.#waiting -= 1
    }
  }
}

/** The photo of a message in its largest size. */
export function largestPhoto({ photo = [] }: Pick<Message, 'photo'>) {
  return [...photo].sort((one, other) => other.width * other.height - one.width * one.height)[0]
}

function isUnknownFile(error: unknown): boolean {
  return (
    error instanceof GrammyError &&
    error.error_code === 400 &&
    /file identifier|file_id|file reference|FILE_REFERENCE/iu.test(error.description)
  )
}
