import { type Api, GrammyError, InputFile } from 'grammy'
import type { Message, PhotoSize } from 'grammy/types'
import { fileTooBig, type IncomingFile } from '../core/conversation.ts'
import { withTimeout } from '../core/task.ts'
import { type Attachment, t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { photoRefusal } from './errors.ts'
import type { Transport } from './transport.ts'

interface IncomingFileParts {
  api: Pick<Api, 'getFile'>
  transport: Pick<Transport, 'download'>
  token: string
  log: Logger
  /** Milliseconds that reading a file may take. */
  deadline?: number
}

const defaultDeadline = 30_000

/** A file in a message. */
interface FileReference {
  id: string
  name: string
  size: number | undefined
}

/** Finds the files of messages, and reads each on demand. */
export class IncomingFiles {
  readonly #parts: IncomingFileParts

  constructor(parts: IncomingFileParts) {
    this.#parts = parts
  }

  /** The document of a message, or its photo in the largest size; nothing else counts as a file. */
  of(message: Message | undefined): IncomingFile[] {
    const file = fileOf(message)
    if (!file) return []
    const read = (maxBytes: number) => this.#read(file, maxBytes)
    return [{ name: file.name, ...(file.size !== undefined && { size: file.size }), read }]
  }

  async #read({ id, size = 0 }: FileReference, maxBytes: number): Promise<Uint8Array> {
    const { log, deadline = defaultDeadline } = this.#parts
    if (size > maxBytes) throw fileTooBig(maxBytes)
    const aborter = new AbortController()
    try {
      const bytes = await withTimeout(this.#bytes(id, maxBytes, aborter.signal), deadline)
      if (bytes) return bytes
    } catch (error) {
      if (error instanceof UserError) throw error
      if (error instanceof GrammyError && error.description.includes('file is too big')) {
        throw fileTooBig(maxBytes)
      }
      log.warn({ err: error }, 'telegram: a file could not be read')
      throw unreadable(error)
    } finally {
      aborter.abort()
    }
    log.warn({ deadline }, 'telegram: a file took too long to read')
    throw unreadable()
  }

  async #bytes(id: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const { api, transport, token } = this.#parts
    const { file_path, file_size = 0 } = await api.getFile(id)
    if (file_size > maxBytes) throw fileTooBig(maxBytes)
    const path = `/file/bot${token}/${safePath(file_path)}`
    const bytes = await transport.download(path, maxBytes, signal)
    if (bytes === undefined) throw fileTooBig(maxBytes)
    return bytes
  }
}

function fileOf(message: Message | undefined): FileReference | undefined {
  const { document, photo } = message ?? {}
  if (document) {
    const { file_id, file_name = 'file', file_size } = document
    return { id: file_id, name: file_name, size: file_size }
  }
  const largest = largestPhoto(photo)
  return largest && { id: largest.file_id, name: 'photo.jpg', size: largest.file_size }
}

/** A photo in its largest size. */
export function largestPhoto(sizes: readonly PhotoSize[] = []): PhotoSize | undefined {
  return [...sizes].sort((one, other) => other.width * other.height - one.width * one.height)[0]
}

/** Encodes a path from getFile for a URL that contains the token, and rejects paths that lead elsewhere. */
function safePath(path: string | undefined): string {
  const steps = path?.split('/') ?? ['']
  if (steps.some((step) => step === '' || step === '.' || step === '..')) {
    throw new Error('getFile gave no usable path')
  }
  return steps.map((step) => encodeURIComponent(step.toWellFormed())).join('/')
}

function unreadable(cause?: unknown): UserError {
  return new UserError(t('file-not-given', { platform: 'Telegram' }), { cause })
}

/** Types that the Bot API accepts as a photo: https://core.telegram.org/bots/api#sendphoto */
const photoTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp'])
const maxPhotoBytes = 10 * 1024 * 1024

/**
 * Sends each file as a message: pictures as photos if Telegram accepts them, everything else as documents.
 * @throws GrammyError or HttpError
 */
export async function sendFiles(
  api: Api,
  chat: number | string,
  files: readonly Attachment[],
  where: { message_thread_id?: number } = {},
): Promise<void> {
  for (const file of files) {
    const isPhoto = photoTypes.has(file.type) && file.bytes.length <= maxPhotoBytes
    if (isPhoto && (await sentAsPhoto(api, chat, file, where))) continue
    await api.sendDocument(chat, inputFile(file), where)
  }
}

/** Sends a picture; false if Telegram can't process it, or refuses its dimensions. */
async function sentAsPhoto(
  api: Api,
  chat: number | string,
  file: Attachment,
  where: { message_thread_id?: number },
): Promise<boolean> {
  try {
    await api.sendPhoto(chat, inputFile(file), where)
    return true
  } catch (error) {
    if (photoRefusal(error)) return false
    throw error
  }
}

/** A file to upload, with a sanitized name: grammY writes it into a header as it is. */
export function inputFile({ name, bytes }: Attachment): InputFile {
  const safe = name.replaceAll(/[^\p{L}\p{N}._ ()-]/gu, '_').slice(0, 60)
  return new InputFile(bytes, safe === '' ? 'file' : safe)
}
