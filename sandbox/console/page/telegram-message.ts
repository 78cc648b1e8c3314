import type { InlineKeyboardButton, MessageEntity } from 'grammy/types'
import type { SeenMessage } from '../../telegram/shown.ts'
import type { Button, Message, Part, TimeShown } from './model.ts'

/** A message of Telegram's as the pane shows it to a person; files are served below `base`. */
export function telegramMessage(seen: SeenMessage, person: number, base: string): Message {
  const { sender, replyTo } = seen
  const text: Part[] =
    seen.text === ''
      ? []
      : [{ kind: 'text', inside: richText(seen.text, seen.entities, 0, seen.text.length) }]
  const media = mediaOf(seen, base)
  const isBelow = seen.photo ? seen.captionAbove : seen.preview && !seen.preview.above
  return {
    id: String(seen.id),
    author: { ...sender, id: String(sender.id) },
    at: seen.date * 1000,
    service: seen.service,
    isOwn: sender.id === person,
    isEdited: seen.edited,
    answers: replyTo && {
      id: String(replyTo.id),
      author: { id: '0', name: replyTo.sender, isBot: false },
      words: replyTo.text,
    },
    via: seen.viaBot,
    body: isBelow ? [...text, ...media] : [...media, ...text],
    controls: seen.buttons.map((row, at) => ({
      kind: 'row',
      inside: row.map((button, column) => keyOf(button, `${at}:${column}`)),
    })),
  }
}

function mediaOf({ document, photo, preview }: SeenMessage, base: string): Part[] {
  if (document) {
    const { name, size, fileId } = document
    return [{ kind: 'file', name, size, url: `${base}/file/${fileId}` }]
  }
  if (photo) {
    const url = `${base}/file/${photo.fileId}`
    return [{ kind: 'pictures', items: [{ url, alt: 'Photo', size: photo }] }]
  }
  if (!preview) return []
  const { url, host, isPicture, large } = preview
  return [{ kind: 'preview', url, host, isPicture, isLarge: large }]
}

function keyOf(button: InlineKeyboardButton, id: string): Button {
  const { text: label, style = '' } = button
  const sign =
    'url' in button || 'switch_inline_query' in button
      ? 'link'
      : 'copy_text' in button
        ? 'copy'
        : undefined
  return { kind: 'button', id, label, style, sign, isDisabled: false }
}

/** A text with its entities, which nest and stand in the order of their beginnings. */
function richText(
  text: string,
  entities: readonly MessageEntity[],
  from: number,
  to: number,
): Part[] {
  const parts: Part[] = []
  let at = from
  let index = 0
  while (index < entities.length) {
    const entity = entities[index]
    if (!entity) break
    const stop = Math.min(entity.offset + entity.length, to)
    let next = index + 1
    while ((entities[next]?.offset ?? to) < stop) next++
    if (entity.offset >= at && stop > entity.offset) {
      parts.push(text.slice(at, entity.offset))
      const inside = richText(text, entities.slice(index + 1, next), entity.offset, stop)
      parts.push(partOf(entity, inside, text.slice(entity.offset, stop)))
      at = stop
    }
    index = next
  }
  return [...parts, text.slice(at, to)].filter((part) => part !== '')
}

function partOf(entity: MessageEntity, inside: Part[], text: string): Part {
  switch (entity.type) {
    case 'bold':
    case 'italic':
    case 'underline':
    case 'spoiler':
      return { kind: entity.type, inside }
    case 'strikethrough':
      return { kind: 'strike', inside }
    case 'code':
      return { kind: 'tap', does: 'copy', value: text, inside: [{ kind: 'code', text }] }
    case 'pre':
      return { kind: 'pre', text, ...(entity.language ? { language: entity.language } : {}) }
    case 'blockquote':
      return { kind: 'quote', isFolded: false, inside }
    case 'expandable_blockquote':
      return { kind: 'quote', isFolded: true, inside }
    case 'date_time':
      return { kind: 'time', unix: entity.unix_time, shown: shownAs(entity.date_time_format, text) }
    case 'text_link':
      return { kind: 'link', url: entity.url, inside }
    case 'url':
      return { kind: 'link', url: /^[a-z]+:\/\//iu.test(text) ? text : `http://${text}`, inside }
    case 'email':
      return { kind: 'link', url: `mailto:${text}`, inside }
    case 'bot_command':
      return { kind: 'tap', does: 'command', value: text, inside }
    default:
      return { kind: 'mention', inside }
  }
}

/** What the format of a date_time entity asks for; without one the message's own words stay. */
function shownAs(format: string, words: string): TimeShown {
  if (format === '') return { words }
  if (format === 'r') return 'relative'
  return {
    ...(format.includes('w') ? { weekday: 'long' } : {}),
    ...(format.includes('d') ? { year: '2-digit', month: '2-digit', day: '2-digit' } : {}),
    ...(format.includes('D') ? { year: 'numeric', month: 'long', day: 'numeric' } : {}),
    ...(/t/iu.test(format) ? { hour: '2-digit', minute: '2-digit' } : {}),
    ...(format.includes('T') ? { second: '2-digit' } : {}),
  }
}
