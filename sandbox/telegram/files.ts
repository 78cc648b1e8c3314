import { createHash, randomBytes } from 'node:crypto'
import type { File, PhotoSize } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import type { Params, Upload } from './params.ts'
import { type PictureSize, pictureSize } from './picture.ts'
import { badRequest } from './refusal.ts'

export interface StoredFile extends Upload {
  id: string
  kind: 'photo' | 'document'
  uniqueId: string
  path: string
  picture: PictureSize | undefined
}

/** The Bot API's bounds: photos 10 MB and, for a bot's download, 20 MB. */
const largestPhoto = 10 << 20
const largestDownload = 20 << 20
const largestFetched = 5 << 20

/** Files that were sent, by id; the oldest go when 200 MB are held. */
export class Files {
  readonly #files = new LRUCache<string, StoredFile>({
    maxSize: 200 << 20,
    sizeCalculation: (file) => file.bytes.length + 1,
  })

  add(upload: Upload, folder: 'photos' | 'documents'): StoredFile {
    const hash = createHash('sha256').update(upload.bytes).digest('base64url')
    const id = `AgAC${randomBytes(24).toString('base64url')}`
    const extension = /\.[A-Za-z0-9]{1,8}$/u.exec(upload.name)?.[0] ?? ''
    const file: StoredFile = {
      ...upload,
      id,
      kind: folder === 'photos' ? 'photo' : 'document',
      uniqueId: `AQAD${hash.slice(0, 12)}`,
      path: `${folder}/file_${id.slice(4, 16)}${extension}`,
      picture: pictureSize(upload.bytes),
    }
    this.#files.set(id, file)
    return file
  }

  get(id: string): StoredFile | undefined {
    return this.#files.get(id)
  }

  byPath(path: string): StoredFile | undefined {
    return this.#files.find((file) => file.path === path)
  }

  /** What getFile answers; throws the 400 for an unknown id or a file over 20 MB. */
  describe(id: string): File {
    const file = this.get(id)
    if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable')
    if (file.bytes.length > largestDownload) throw badRequest('file is too big')
    return {
      file_id: file.id,
      file_unique_id: file.uniqueId,
      file_size: file.bytes.length,
      file_path: file.path,
    }
  }

  /** Checks a photo as Telegram does (kind, 10 MB, width + height up to 10,000, ratio up to 20). */
  photo(upload: Upload): StoredFile {
    if (upload.bytes.length === 0) throw badRequest('file must be non-empty')
    if (upload.bytes.length > largestPhoto) throw badRequest('file is too big')
    const picture = pictureSize(upload.bytes)
    if (!picture) throw badRequest('IMAGE_PROCESS_FAILED')
    const { width, height } = picture
    const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height))
    if (width + height > 10_000 || ratio > 20) throw badRequest('PHOTO_INVALID_DIMENSIONS')
    return this.add(upload, 'photos')
  }
}

/** A photo's sizes as a message lists them. */
export function photoSizes(file: StoredFile): PhotoSize[] {
  const { width, height } = file.picture ?? { width: 320, height: 320 }
  return [
    {
      file_id: file.id,
      file_unique_id: file.uniqueId,
      file_size: file.bytes.length,
      width,
      height,
    },
  ]
}

/**
 * The file that a parameter names: uploaded with the call, by its id, or by an address; throws the 400. `value` is
 * what names it, where that is no parameter of its own.
 */
export async function fileOf(
  files: Files,
  params: Params,
  kind: StoredFile['kind'],
  value = params.text(kind),
): Promise<StoredFile> {
  const known = files.get(value)
  if (known && known.kind !== kind) {
    const names = { photo: 'Photo', document: 'Document' }
    throw badRequest(`can't use file of type ${names[known.kind]} as ${names[kind]}`)
  }
  if (known) return known
  const upload =
    params.file(kind, value) ?? (/^https?:/iu.test(value) ? await fetchUpload(value) : undefined)
  if (!upload && value === '') throw badRequest(`there is no ${kind} in the request`)
  if (!upload) throw badRequest('wrong remote file identifier specified: Wrong string length')
  if (kind === 'photo') return files.photo(upload)
  if (upload.bytes.length === 0) throw badRequest('file must be non-empty')
  return files.add(upload, 'documents')
}

/**
 * Fetches the file of an HTTP URL as Telegram's servers would. The sandbox reaches this machine only, so any
 * other host gives the 400 that Telegram answers for one that it cannot reach.
 */
async function fetchUpload(link: string): Promise<Upload> {
  const url = URL.canParse(link) ? new URL(link) : undefined
  if (!url || !/^https?:$/u.test(url.protocol))
    throw badRequest('wrong file identifier/HTTP URL specified')
  if (url.hostname !== '127.0.0.1') throw badRequest('failed to get HTTP URL content')
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.ok && bytes.length <= largestFetched)
      return {
        name: url.pathname.split('/').at(-1) || 'file',
        type: response.headers.get('content-type') ?? 'application/octet-stream',
        bytes,
      }
  } catch (cause) {
    throw Object.assign(badRequest('failed to get HTTP URL content'), { cause })
  }
  throw badRequest('wrong type of the web page content')
}
