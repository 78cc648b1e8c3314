// Telegram's own library reads the bot's markup and finds what people can tap: the Bot API's server is built on it, and so
// are many clients. What it does without a connection is used here as it is.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { configure, execute } from 'tdl'
import { z } from 'zod'
import { badRequest } from './params.ts'

const textEntity = z.object({
  /** UTF-16 units, as the length. */
  offset: z.number(),
  length: z.number(),
  /** https://core.telegram.org/tdlib/docs/classtd_1_1td__api_1_1_text_entity_type.html */
  type: z.looseObject({ _: z.string() }),
})

const formattedText = z.object({ text: z.string(), entities: z.array(textEntity) })

/** TDLib's formattedText. */
export type FormattedText = z.infer<typeof formattedText>
export type TextEntity = z.infer<typeof textEntity>

const failure = z.object({ _: z.literal('error'), message: z.string() })

/** A 400 with TDLib's words, as the Bot API's server passes them on. */
const refusal = ({ message }: z.infer<typeof failure>): Error =>
  badRequest(message.slice(0, 1).toLowerCase() + message.slice(1))

let isLoaded = false

/**
 * Loads the library.
 * @throws Error where its package isn't installed: npm does that on Linux (x64, glibc)
 */
export function loadTdlib(): void {
  if (isLoaded) return
  const { platform, arch } = process
  const system = `@prebuilt-tdlib/${platform}-${arch}`
  const names = platform === 'linux' ? [`${system}-glibc`, `${system}-musl`] : [system]
  const libdir = names.map(folderOf).find((folder) => folder !== undefined)
  if (libdir === undefined) {
    throw new Error(
      `The stand-in for Telegram needs TDLib, so install ${names.join(' or ')} with npm's --no-save, in the version ` +
        'that sandbox/package.json has of @prebuilt-tdlib/linux-x64-glibc.',
    )
  }
  configure({ libdir, verbosityLevel: 0 })
  isLoaded = true
}

function folderOf(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

function request(query: { _: string } & Record<string, unknown>): unknown {
  loadTdlib()
  return execute(query)
}

function formatted(query: { _: string } & Record<string, unknown>): FormattedText {
  const answer = request(query)
  const failed = failure.safeParse(answer)
  if (failed.success) throw refusal(failed.data)
  return formattedText.parse(answer)
}

/** Bytes of markup that the Bot API's server takes (`get_formatted_text` of its Client.cpp). */
const maxMarkupBytes = 1 << 15

/** Reads HTML as `parse_mode` has it; throws the Bot API's 400. */
export function parseHtml(html: string): FormattedText {
  checkEncoding(html)
  if (Buffer.byteLength(html) > maxMarkupBytes) throw badRequest('text is too long')
  return formatted({ _: 'parseTextEntities', text: html, parse_mode: { _: 'textParseModeHTML' } })
}

function checkEncoding(text: string): void {
  if (!text.isWellFormed()) throw badRequest('strings must be encoded in UTF-8')
}

/**
 * Brings text and entities into the form in which Telegram stores and shows them: characters cleaned, blanks trimmed
 * at both ends, entities nested by its rules, and links, mentions, tags, commands and card numbers found.
 */
export function asStored(raw: FormattedText): FormattedText {
  checkEncoding(raw.text)
  const whole = cleaned(raw)
  const { text, entities } = trimmed(whole)
  if (blank.test(text)) return { text: '', entities: [] }
  const others = entities.filter((entity) => !isStyle(entity))
  const found = findEntities(text).filter((entity) => !others.some((other) => clash(other, entity)))
  if (found.length === 0 && text === whole.text) return whole
  return cleaned({ text, entities: [...entities, ...found] })
}

/** What Telegram takes for an empty text: `strip_empty_characters` of TDLib's misc.cpp. */
const blank =
  /^[ \n\u00a0\u1680\u180e\u2000-\u200f\u202e\u202f\u205f\u2800\u3000\ufeff\ufffc\u{e0000}-\u{e007f}]*$/u

/** What people can tap in a text, whether its writer wants it or not; times of a video count for what has one. */
export function findEntities(text: string): TextEntity[] {
  return z
    .object({ entities: z.array(textEntity) })
    .parse(request({ _: 'getTextEntities', text }))
    .entities.filter(({ type }) => type._ !== 'textEntityTypeMediaTimestamp')
}

/** Characters, single or doubled, that make markup of a text for `parseMarkdown`, and the one that stands for them. */
const masked = /[`*_~|[\ue000]/gu
const mask = '\ue000'

/**
 * Cleans the text and orders the entities. TDLib does so (`fix_formatted_text`) before it looks for Markdown, of which
 * it gets none to see.
 */
function cleaned({ text, entities }: FormattedText): FormattedText {
  const hidden = text.match(masked) ?? []
  const fixed = formatted({
    _: 'parseMarkdown',
    text: { _: 'formattedText', text: text.replaceAll(masked, mask), entities },
  })
  let next = 0
  return {
    text: fixed.text.replaceAll(mask, () => hidden[next++] ?? mask),
    entities: fixed.entities,
  }
}

const end = ({ offset, length }: TextEntity): number => offset + length

/** Removes blanks from the end, and from the beginning up to the first entity. */
function trimmed({ text, entities }: FormattedText): FormattedText {
  const last = text.replace(/[ \n]+$/u, '').length
  const kept = entities.filter(({ offset }) => offset < last)
  const leading = text.length - text.replace(/^[ \n]+/u, '').length
  const first = Math.min(leading, last, ...kept.map(({ offset }) => offset))
  return {
    text: text.slice(first, last),
    entities: kept.map((entity) => ({
      ...entity,
      offset: entity.offset - first,
      length: Math.min(end(entity), last) - entity.offset,
    })),
  }
}

const isStyle = ({ type }: TextEntity): boolean =>
  /^textEntityType(?:Bold|Italic|Underline|Strikethrough|Spoiler)$/u.test(type._)
const isQuote = ({ type }: TextEntity): boolean => type._.endsWith('BlockQuote')

/** Whether `found` can't stand beside `other`: a quote may hold it but not cut it, all else may not share a character. */
function clash(other: TextEntity, found: TextEntity): boolean {
  if (end(other) <= found.offset || end(found) <= other.offset) return false
  return !isQuote(other) || found.offset < other.offset || end(found) > end(other)
}

/** What Telegram makes of a link: its canonical form, or why it is none (TDLib's wording). */
type CheckedLink = { ok: true; url: string } | { ok: false; why: string }

/** Checks a link as Telegram does before it becomes a text link or a button. */
export function checkLink(url: string): CheckedLink {
  checkEncoding(url)
  const type = { _: 'textEntityTypeTextUrl', url }
  const answer = request({
    _: 'parseMarkdown',
    text: { _: 'formattedText', text: 'x', entities: [{ offset: 0, length: 1, type }] },
  })
  const failed = failure.safeParse(answer)
  if (failed.success)
    return { ok: false, why: failed.data.message.replace(/^.*' is invalid: /su, '') }
  const [entity] = formattedText.parse(answer).entities
  return { ok: true, url: z.string().catch(url).parse(entity?.type.url) }
}
