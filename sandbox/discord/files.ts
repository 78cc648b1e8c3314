import type { APIAttachment } from 'discord-api-types/v10'
import type { Snowflakes } from './snowflake.ts'

/** A file as it lies in the store. */
export interface StoredFile {
  attachment: APIAttachment
  contentType: string
  bytes: Uint8Array
}

/** What someone uploads. */
export interface NewFile {
  name: string
  contentType: string
  bytes: Uint8Array
  description?: string | undefined
}

const keptFiles = 200

/** The attachments' home: keeps the latest files in memory and knows the address each is served at. */
export class FileStore {
  readonly #ids: Snowflakes
  readonly #files = new Map<string, StoredFile>()
  /** Where the server listens, set once it does. */
  origin = ''

  constructor(ids: Snowflakes) {
    this.#ids = ids
  }

  add(channelId: string, file: NewFile): APIAttachment {
    const id = this.#ids.next()
    const name = file.name.replace(/[^\w.-]+/g, '_') || 'file'
    const url = `${this.origin}/attachments/${channelId}/${id}/${name}`
    const attachment: APIAttachment = {
      id,
      filename: name,
      size: file.bytes.byteLength,
      url,
      proxy_url: url,
      content_type: file.contentType,
      ...(file.description === undefined ? {} : { description: file.description }),
    }
    this.#files.set(id, { attachment, contentType: file.contentType, bytes: file.bytes })
    const oldest = this.#files.size > keptFiles ? this.#files.keys().next().value : undefined
    if (oldest !== undefined) this.#files.delete(oldest)
    return attachment
  }

  get(id: string): StoredFile | undefined {
    return this.#files.get(id)
  }
}
