import type { LinkPreviewOptions, MessageEntity } from 'grammy/types'
import { asFlag, asInteger, asText, type Fields, isFields } from './params.ts'
import { badRequest } from './refusal.ts'
import type { Entity, FormattedText } from './text/entity.ts'
import { formatText } from './text/format.ts'
import { parseHtml } from './text/html.ts'
import { checkLink } from './text/links.ts'
import { fromWire, toWire } from './text/wire.ts'
import type { World } from './world.ts'

const maxText = 4096
const maxCaption = 1024

export interface Content {
  text: string
  entities: MessageEntity[]
}

/** The three parameters that a text comes in. */
export interface RawContent {
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
