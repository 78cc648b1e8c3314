import { createHash, randomBytes } from 'node:crypto'
import type {
  Document,
  File,
  LinkPreviewOptions,
  Message,
  MessageEntity,
  PhotoSize,
} from 'grammy/types'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { toWire } from './entities.ts'
import { asFlag, asText, badRequest, isFields, type Params, type Upload } from './params.ts'
import { asStored, checkLink, type FormattedText, parseHtml } from './tdlib.ts'
import type { World } from './world.ts'

// Code points of the text as it is stored: TDLib compares them with `utf8_length` (MessageContent.cpp).
const maxText = 4096
const maxCaption = 1024

export interface Content {
  text: string
  entities: MessageEntity[]
}

/** Parses the text of a message; throws the 400 for an empty or too long one and for bad markup. */
export function readText(world: World, params: Params, name = 'text'): Content {
  if (params.text(name) === '') throw badRequest('message text is empty')
  const content = parse(world, params, name)
  if (content.text === '') throw badRequest('text must be non-empty')
  if ([...content.text].length > maxText) throw badRequest('message is too long')
  return content
}

/** Parses a caption, which may be empty. */
export function readCaption(world: World, params: Params): Content {
  const content = parse(world, params, 'caption')
  if ([...content.text].length > maxCaption) throw badRequest('message caption is too long')
  return content
}

function parse(world: World, params: Params, name: string): Content {
  const mode = params.text('parse_mode')
  const other = ['entities', 'caption_entities'].find((each) => params.has(each))
  if (other !== undefined || /^markdown(?:v2)?$/iu.test(mode))
    throw badRequest(
      `can't parse entities: the sandbox reads parse_mode HTML only, not ${other ?? mode}`,
    )
  const isHtml = mode.toLowerCase() === 'html'
  if (!isHtml && mode !== '') throw badRequest('unsupported parse_mode')
  const text = params.text(name)
  return formatted(world, isHtml ? parseHtml(text) : { text, entities: [] })
}

/** A text as Telegram stores it, whoever wrote it. */
export function formatted(world: World, raw: FormattedText): Content {
  const { text, entities } = asStored(raw)
  return { text, entities: toWire(entities, world.users) }
}

/** A text as a message carries it. */
export const textPart = ({ text, entities }: Content, preview?: LinkPreviewOptions) => ({
  text,
  ...(entities.length > 0 ? { entities } : {}),
  ...(preview ? { link_preview_options: preview } : {}),
})

/** A caption as a message carries it; nothing of an empty one. */
export const captionPart = ({ text, entities }: Content): Partial<Message> => ({
  ...(text === '' ? {} : { caption: text }),
  ...(entities.length > 0 ? { caption_entities: entities } : {}),
})

/** Reads `link_preview_options`; undefined where nothing was changed. */
export function readPreview(value: unknown): LinkPreviewOptions | undefined {
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

/** Files that were sent, by id; the oldest go when 200 MB are held. */
export class Files {
  readonly #files = new LRUCache<string, StoredFile>({
    maxSize: 200 << 20,
    sizeCalculation: (file) => file.bytes.length + 1,
  })

  add(upload: Upload, folder: 'photos' | 'documents', picture?: PictureSize): StoredFile {
    const hash = createHash('sha256').update(upload.bytes).digest('base64url')
    const id = `AgAC${randomBytes(24).toString('base64url')}`
    const extension = /\.[A-Za-z0-9]{1,8}$/u.exec(upload.name)?.[0] ?? ''
    const file: StoredFile = {
      ...upload,
      id,
      kind: folder === 'photos' ? 'photo' : 'document',
      uniqueId: `AQAD${hash.slice(0, 12)}`,
      path: `${folder}/file_${id.slice(4, 16)}${extension}`,
      picture,
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
  async photo(upload: Upload): Promise<StoredFile> {
    if (upload.bytes.length === 0) throw badRequest('file must be non-empty')
    if (upload.bytes.length > largestPhoto) throw badRequest('file is too big')
    const picture = await pictureSize(upload.bytes)
    if (!picture) throw badRequest('IMAGE_PROCESS_FAILED')
    const { width, height } = picture
    const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height))
    if (width + height > 10_000 || ratio > 20) throw badRequest('PHOTO_INVALID_DIMENSIONS')
    return this.add(upload, 'photos', picture)
  }
}

/** A file as a message names it. */
export const documentPart = (file: StoredFile): Document => ({
  file_id: file.id,
  file_unique_id: file.uniqueId,
  file_name: file.name,
  mime_type: file.type,
  file_size: file.bytes.length,
})

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
 * The file that a parameter names: uploaded with the call or by its id; throws the 400. `value` is what names it, where
 * that is no parameter of its own. The sandbox reaches no address.
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
  const upload = params.file(kind, value)
  if (/^https?:/iu.test(value)) throw badRequest('failed to get HTTP URL content')
  if (!upload && value === '') throw badRequest(`there is no ${kind} in the request`)
  if (!upload) throw badRequest('wrong remote file identifier specified: Wrong string length')
  if (kind === 'photo') return files.photo(upload)
  if (upload.bytes.length === 0) throw badRequest('file must be non-empty')
  return files.add(upload, 'documents')
}

interface PictureSize {
  width: number
  height: number
}

/** The size of a picture of a kind that Telegram takes for a photo; undefined for anything else. */
async function pictureSize(bytes: Buffer): Promise<PictureSize | undefined> {
  try {
    const { format, width, height } = await sharp(bytes).metadata()
    return ['png', 'jpeg', 'gif', 'webp'].includes(format) ? { width, height } : undefined
  } catch {
    return undefined
  }
}
