import type { InlineKeyboardButton } from 'grammy/types'
import type { SeenMessage, SeenPreview } from '../../telegram/shown.ts'
import { avatar, button, el, hueOf, type Icon, icon } from './telegram-dom.ts'
import { link, richText, type TextActions } from './telegram-text.ts'
import { clockTime } from './telegram-time.ts'

export interface MessageActions extends TextActions {
  press(message: SeenMessage, row: number, column: number): void
  reply(message: SeenMessage): void
  show(messageId: number): void
}

export interface MessageFrame {
  /** Whose eyes look at the chat. */
  person: number
  /** Names and pictures stand beside others' messages. */
  isGroup: boolean
  /** Where files are served from. */
  base: string
}

/** One message as a row of the chat. */
export function messageRow(
  message: SeenMessage,
  frame: MessageFrame,
  actions: MessageActions,
): HTMLElement {
  if (message.service !== undefined)
    return el(
      'div',
      { class: 'tg-service', 'data-message': String(message.id) },
      el('span', {}, message.service),
    )
  const own = message.sender.id === frame.person
  const row = el('div', {
    class: `tg-row ${own ? 'tg-own' : 'tg-other'}`,
    'data-message': String(message.id),
    'data-sender': String(message.sender.id),
  })
  if (frame.isGroup && !own) row.append(avatar(message.sender.id, message.sender.name))
  const column = el('div', { class: 'tg-column' }, bubble(message, frame, own, actions))
  if (message.buttons.length > 0) column.append(inlineKeyboard(message, actions))
  row.append(column, replyButton(message, actions))
  return row
}

const replyButton = (message: SeenMessage, actions: MessageActions): HTMLElement =>
  button(
    { class: 'tg-reply-button', 'aria-label': 'Reply', title: 'Reply' },
    () => actions.reply(message),
    icon('reply'),
  )

function bubble(
  message: SeenMessage,
  frame: MessageFrame,
  own: boolean,
  actions: MessageActions,
): HTMLElement {
  const box = el('div', { class: 'tg-bubble' })
  const named = (frame.isGroup && !own) || message.viaBot !== undefined
  if (named) box.append(nameLine(message, own, frame))
  if (message.replyTo) box.append(replyQuote(message.replyTo, actions))
  const text =
    message.text === ''
      ? undefined
      : el('div', { class: 'tg-text' }, richText(message.text, message.entities, actions))
  const media = mediaOf(message, frame.base, actions)
  if (media.above) box.append(media.above)
  if (text) box.append(text)
  if (media.below) box.append(media.below)
  if (message.photo) box.classList.add('tg-with-photo')
  const meta = metaLine(message, own)
  // The time sits in the last line of the text where there is room, else in a line of its own.
  if (text && !media.below) text.append(meta)
  else box.append(meta)
  if (!text && message.photo) meta.classList.add('tg-on-photo')
  return box
}

interface Media {
  above?: HTMLElement
  below?: HTMLElement
}

function mediaOf(message: SeenMessage, base: string, actions: TextActions): Media {
  if (message.document) return { above: documentBox(message.document, base) }
  if (message.photo) {
    const photo = photoBox(message.photo, base)
    return message.captionAbove ? { below: photo } : { above: photo }
  }
  if (!message.preview) return {}
  const card = previewCard(message.preview, actions)
  return message.preview.above ? { above: card } : { below: card }
}

function nameLine(message: SeenMessage, own: boolean, frame: MessageFrame): HTMLElement {
  const line = el('div', { class: 'tg-name' })
  line.style.setProperty('--tg-hue', hueOf(message.sender.id))
  if (frame.isGroup && !own) line.append(el('span', {}, message.sender.name))
  if (message.viaBot !== undefined)
    line.append(el('span', { class: 'tg-via' }, ` via @${message.viaBot}`))
  return line
}

function replyQuote(
  reply: NonNullable<SeenMessage['replyTo']>,
  actions: MessageActions,
): HTMLElement {
  return button(
    { class: 'tg-replied' },
    () => actions.show(reply.id),
    el('b', {}, reply.sender),
    el('span', {}, reply.text),
  )
}

function metaLine(message: SeenMessage, own: boolean): HTMLElement {
  const meta = el('span', { class: 'tg-meta' })
  if (message.edited) meta.append(el('span', { class: 'tg-edited' }, 'edited'))
  meta.append(el('span', {}, clockTime(message.date)))
  if (own) meta.append(icon('ticks'))
  return meta
}

function photoBox(photo: NonNullable<SeenMessage['photo']>, base: string): HTMLElement {
  const src = photo.url === '' ? `${base}/file/${photo.fileId}` : photo.url
  const picture = el('img', { class: 'tg-photo', src, alt: 'Photo', loading: 'lazy' })
  picture.style.aspectRatio = `${photo.width} / ${photo.height}`
  return picture
}

function documentBox(file: NonNullable<SeenMessage['document']>, base: string): HTMLElement {
  return el(
    'a',
    { class: 'tg-file', href: `${base}/file/${file.fileId}`, download: file.name },
    el('span', { class: 'tg-file-sign' }, icon('file')),
    el(
      'span',
      { class: 'tg-file-text' },
      el('b', {}, file.name),
      el('span', {}, sizeText(file.size)),
    ),
  )
}

const sizeText = (bytes: number): string =>
  bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`

function previewCard(preview: SeenPreview, actions: TextActions): HTMLElement {
  const card = el('div', {
    class: `tg-preview${preview.large ? ' tg-large' : ''}${preview.isPicture ? ' tg-picture' : ''}`,
  })
  const words = el('div', { class: 'tg-preview-text' }, el('b', {}, preview.host))
  if (!preview.isPicture) words.append(el('span', {}, pageName(preview.url)))
  card.append(words)
  if (preview.isPicture)
    card.append(
      el('img', { src: preview.url, alt: '', loading: 'lazy', class: 'tg-preview-image' }),
    )
  return wrapLink(preview.url, card, actions)
}

function wrapLink(url: string, card: HTMLElement, actions: TextActions): HTMLElement {
  const wrapped = link(url, card, actions)
  wrapped.classList.add('tg-preview-link')
  return wrapped
}

const pageName = (url: string): string => decodeSafely(new URL(url).pathname)

function decodeSafely(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function inlineKeyboard(message: SeenMessage, actions: MessageActions): HTMLElement {
  const keyboard = el('div', { class: 'tg-keyboard' })
  message.buttons.forEach((buttons, row) => {
    const line = el('div', { class: 'tg-keyboard-row' })
    buttons.forEach((item, column) => {
      const sign = signOf(item)
      const key = button(
        {
          class: `tg-key${item.style ? ` tg-key-${item.style}` : ''}`,
          'data-key': `${row}:${column}`,
        },
        () => actions.press(message, row, column),
        el('span', { class: 'tg-key-text' }, item.text),
        sign && icon(sign),
      )
      line.append(key)
    })
    keyboard.append(line)
  })
  return keyboard
}

function signOf(item: InlineKeyboardButton): Icon | undefined {
  if ('url' in item) return 'link'
  if ('copy_text' in item) return 'copy'
  if ('web_app' in item) return 'app'
  return 'switch_inline_query' in item || 'switch_inline_query_current_chat' in item
    ? 'share'
    : undefined
}
