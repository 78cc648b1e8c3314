import type { MessageEntity } from 'grammy/types'
import { startParameter } from './telegram-bot.ts'
import { button, el, icon } from './telegram-dom.ts'
import { timeElement } from './telegram-time.ts'

export interface TextActions {
  copy(text: string): void
  /** A command in a message was tapped. */
  command(text: string): void
  /** A link to the bot itself with a start parameter. */
  start(parameter: string): void
}

const styles: Partial<Record<MessageEntity['type'], keyof HTMLElementTagNameMap>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
}

/** A text with its entities as nodes. */
export function richText(
  text: string,
  entities: readonly MessageEntity[],
  actions: TextActions,
): DocumentFragment {
  return nest(text, entities, 0, text.length, actions)
}

function nest(
  text: string,
  entities: readonly MessageEntity[],
  from: number,
  to: number,
  actions: TextActions,
): DocumentFragment {
  const fragment = document.createDocumentFragment()
  let at = from
  let index = 0
  while (index < entities.length) {
    const entity = entities[index]
    if (!entity) break
    const stop = Math.min(entity.offset + entity.length, to)
    let next = index + 1
    while ((entities[next]?.offset ?? to) < stop) next++
    if (entity.offset >= at && stop > entity.offset) {
      fragment.append(text.slice(at, entity.offset))
      const inner = nest(text, entities.slice(index + 1, next), entity.offset, stop, actions)
      fragment.append(wrap(entity, inner, text.slice(entity.offset, stop), actions))
      at = stop
    }
    index = next
  }
  fragment.append(text.slice(at, to))
  return fragment
}

function wrap(
  entity: MessageEntity,
  inner: DocumentFragment,
  text: string,
  actions: TextActions,
): Node {
  const style = styles[entity.type]
  if (style) return el(style, {}, inner)
  switch (entity.type) {
    case 'spoiler':
      return spoiler(inner)
    case 'code':
      return button({ class: 'tg-code', title: 'Copy' }, () => actions.copy(text), inner)
    case 'pre':
      return preformatted(inner, text, 'language' in entity ? entity.language : '', actions)
    case 'blockquote':
      return el('blockquote', { class: 'tg-quote' }, inner)
    case 'expandable_blockquote':
      return expandable(inner)
    case 'date_time':
      return timeElement(entity.unix_time, entity.date_time_format, text)
    case 'text_link':
      return link(entity.url, inner, actions)
    case 'url':
      return link(/^[a-z]+:\/\//iu.test(text) ? text : `http://${text}`, inner, actions)
    case 'email':
      return link(`mailto:${text}`, inner, actions)
    case 'bot_command':
      return button({ class: 'tg-tap' }, () => actions.command(text), inner)
    default:
      return el('span', { class: 'tg-tap', 'data-kind': entity.type }, inner)
  }
}

/** No button element: a spoiler may stand inside a link. */
function spoiler(inner: DocumentFragment): HTMLElement {
  const hidden = el('span', {
    class: 'tg-spoiler',
    role: 'button',
    tabindex: '0',
    'aria-label': 'Spoiler, tap to show',
  })
  hidden.append(el('span', {}, inner))
  const show = (event: Event): void => {
    if (hidden.classList.contains('tg-shown')) return
    event.preventDefault()
    hidden.classList.add('tg-shown')
    for (const name of ['role', 'tabindex', 'aria-label']) hidden.removeAttribute(name)
  }
  hidden.addEventListener('click', show)
  hidden.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') show(event)
  })
  return hidden
}

function expandable(inner: DocumentFragment): HTMLElement {
  const quote = el('blockquote', { class: 'tg-quote tg-folded' }, inner)
  quote.addEventListener('click', () => quote.classList.toggle('tg-folded'))
  return quote
}

function preformatted(
  inner: DocumentFragment,
  text: string,
  language: string | undefined,
  actions: TextActions,
): HTMLElement {
  const copy = button(
    { class: 'tg-pre-copy', title: 'Copy', 'aria-label': 'Copy code' },
    () => actions.copy(text),
    icon('copy'),
  )
  const head = el('span', { class: 'tg-pre-head' }, language || 'code', copy)
  return el('div', { class: 'tg-pre' }, head, el('pre', {}, inner))
}

const safe = /^(?:https?|mailto|tg):/iu
/** A link that opens in a tab of its own, except one to the bot itself, which starts it here. */
export function link(url: string, inner: Node | string, actions: TextActions): HTMLElement {
  const parameter = startParameter(url)
  if (parameter !== undefined)
    return button({ class: 'tg-tap', title: url }, () => actions.start(parameter), inner)
  if (!safe.test(url)) return el('span', {}, inner)
  return el('a', { href: url, title: url, target: '_blank', rel: 'noopener noreferrer' }, inner)
}
