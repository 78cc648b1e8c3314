import { createHash, randomBytes } from 'node:crypto'
import type { File, LinkPreviewOptions, MessageEntity, PhotoSize } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import {
  asFlag,
  asInteger,
  asText,
  badRequest,
  type Fields,
  isFields,
  type Params,
  type Upload,
} from './params.ts'
import { type Entity, type FormattedText, fromWire, toWire } from './text/entity.ts'
import { formatText } from './text/format.ts'
import { parseHtml } from './text/html.ts'
import { checkLink } from './text/urls.ts'
import type { World } from './world.ts'

const maxText = 4096
const maxCaption = 1024

export interface Content {
  text: string
  entities: MessageEntity[]
}

/** The three parameters that a text comes in. */
interface RawContent {
  text: string
  parseMode: string
  entities: unknown
}

/** Parses the text of a message; throws the 400 for an empty or too long one and for bad markup. */
export function readText(world: World, raw: RawContent): Content {
  if (raw.text === '') throw badRequest('message text is empty')
  const content = parse(world, raw)
  if (content.text === '') throw badRequest('message text is empty')
  if (content.text.length > maxText) throw badRequest('message is too long')
  return content
}

/** Parses a caption, which may be empty. */
export function readCaption(world: World, raw: RawContent): Content {
  const content = parse(world, raw)
  if (content.text.length > maxCaption) throw badRequest('message caption is too long')
  return content
}

function parse(world: World, raw: RawContent): Content {
  const { text, entities } = formatText(marked(raw))
  return { text, entities: toWire(entities, world.users) }
}

function marked({ text, parseMode, entities }: RawContent): FormattedText {
  switch (parseMode.toLowerCase()) {
    case '':
      return { text, entities: readEntities(entities, text) }
    case 'html':
      return parseHtml(text)
    case 'markdown':
    case 'markdownv2':
      throw badRequest(
        `can't parse entities: the sandbox reads parse_mode HTML only, not ${parseMode}`,
      )
    default:
      throw badRequest('unsupported parse_mode')
  }
}

function readEntities(value: unknown, text: string): Entity[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw badRequest("can't parse entities JSON object")
  return value.map((item: unknown): Entity => {
    if (!isFields(item)) throw badRequest("can't parse MessageEntity: expected an Object")
    const offset = asInteger(item.offset)
    const length = asInteger(item.length)
    if (offset === undefined || length === undefined)
      throw badRequest('can\'t parse MessageEntity: Can\'t find field "offset"')
    if (offset < 0 || length < 0 || offset + length > text.length)
      throw badRequest(
        `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${offset + length}`,
      )
    return fromWire(item, offset, length)
  })
}

/** Reads `link_preview_options`; undefined where nothing was changed. */
export function readPreviewOptions(value: unknown): LinkPreviewOptions | undefined {
  if (value === undefined) return undefined
  if (!isFields(value)) throw badRequest("can't parse LinkPreviewOptions: expected an Object")
  const url = asText(value.url)
  const checked = url === '' ? undefined : checkLink(url)
  const small = asFlag(value.prefer_small_media)
  const large = asFlag(value.prefer_large_media)
  if (small && large)
    throw badRequest("can't use both prefer_small_media and prefer_large_media at the same time")
  const options: LinkPreviewOptions = {
    ...(asFlag(value.is_disabled) ? { is_disabled: true } : {}),
    ...(checked?.ok ? { url: checked.url } : {}),
    ...(small ? { prefer_small_media: true } : {}),
    ...(large ? { prefer_large_media: true } : {}),
    ...(asFlag(value.show_above_text) ? { show_above_text: true } : {}),
  }
  return Object.keys(options).length === 0 ? undefined : options
}

/** The `input_message_content` of an inline result; the sandbox knows texts only. */
export function readInputContent(
  world: World,
  value: Fields,
): Content & { preview?: LinkPreviewOptions } {
  if (!('message_text' in value))
    throw badRequest(
      "can't parse InputMessageContent: the sandbox knows InputTextMessageContent only",
    )
  const content = readText(world, {
    text: asText(value.message_text),
    parseMode: asText(value.parse_mode),
    entities: value.entities,
  })
  const preview = readPreviewOptions(value.link_preview_options)
  return preview ? { ...content, preview } : content
}

interface StoredFile extends Upload {
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

interface PictureSize {
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  width: number
  height: number
}

/** Reads kind and size from the first bytes of a picture; undefined for anything Telegram takes for no photo. */
function pictureSize(bytes: Buffer): PictureSize | undefined {
  return png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes)
}

function png(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function gif(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/u.test(bytes.toString('latin1', 0, 6))) return undefined
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function webp(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const size = webpSize(bytes)
  return size && { type: 'image/webp', ...size }
}

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

function jpeg(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame)
      return {
        type: 'image/jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
