import { type Api, GrammyError } from 'grammy'
import type { Message } from 'grammy/types'
import type { IncomingFile } from '../chat/conversation.ts'
import { within } from '../chat/within.ts'
import { UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Transport } from './transport.ts'

export interface IncomingFileParts {
  api: Api
  transport: Transport
  token: string
  log: Logger
  /** Milliseconds that reading a file may take. */
  deadline?: number
}

const usualDeadline = 30_000

/** A file as a message names it. */
interface Named {
  id: string
  name: string
  size: number | undefined
}

/** The files of messages, each read only when somebody asks for its bytes. */
export class IncomingFiles {
  readonly #parts: IncomingFileParts

  constructor(parts: IncomingFileParts) {
    this.#parts = parts
  }

  /** The document of a message, or its photo in the largest size; nothing else counts as a file. */
  of(message: Message | undefined): IncomingFile[] {
    const file = named(message)
    if (!file) return []
    const read = (mostBytes: number) => this.#read(file, mostBytes)
    return [{ name: file.name, ...(file.size !== undefined && { size: file.size }), read }]
  }

  async #read({ id, size = 0 }: Named, mostBytes: number): Promise<Uint8Array> {
    const { log, deadline = usualDeadline } = this.#parts
    if (size > mostBytes) throw tooBig(mostBytes)
    const ending = new AbortController()
    try {
      const bytes = await within(this.#bytes(id, mostBytes, ending.signal), deadline)
      if (bytes) return bytes
    } catch (error) {
      if (error instanceof UserError) throw error
      if (error instanceof GrammyError && error.description.includes('file is too big')) {
        throw tooBig(mostBytes)
      }
      log.warn({ err: error }, 'telegram: a file could not be read')
      throw unreadable(error)
    } finally {
      ending.abort()
    }
    log.warn({ deadline }, 'telegram: a file took too long to read')
    throw unreadable()
  }

  async #bytes(id: string, mostBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const { api, transport, token } = this.#parts
    const { file_path, file_size = 0 } = await api.getFile(id)
    if (file_size > mostBytes) throw tooBig(mostBytes)
    const path = `/file/bot${token}/${safePath(file_path)}`
    const bytes = await transport.download(path, mostBytes, signal)
    if (bytes === undefined) throw tooBig(mostBytes)
    return bytes
  }
}

function named(message: Message | undefined): Named | undefined {
  const { document, photo } = message ?? {}
  if (document) {
    const { file_id, file_name = 'file', file_size } = document
    return { id: file_id, name: file_name, size: file_size }
  }
  const [largest] = [...(photo ?? [])].sort(
    (one, other) => other.width * other.height - one.width * one.height,
  )
  return largest && { id: largest.file_id, name: 'photo.jpg', size: largest.file_size }
}

/** What getFile answers becomes part of an address with the token in it: it may lead nowhere else. */
function safePath(path: string | undefined): string {
  const steps = path?.split('/') ?? ['']
  if (steps.some((step) => step === '' || step === '.' || step === '..')) {
    throw new Error('getFile gave no usable path')
  }
  return steps.map((step) => encodeURIComponent(step.toWellFormed())).join('/')
}

function tooBig(mostBytes: number): UserError {
  const megabytes = Math.floor((mostBytes / 1024 / 1024) * 10) / 10
  const most = megabytes >= 1 ? `${megabytes} MB` : `${Math.floor(mostBytes / 1024)} kB`
  return new UserError(`That file is too big: at most ${most}. Send a smaller one.`)
}

function unreadable(cause?: unknown): UserError {
  return new UserError('Telegram did not hand over that file. Send it again.', { cause })
}
