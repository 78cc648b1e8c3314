import type { APIEmbed, APIMessage } from 'discord-api-types/v10'
import type { ConsoleView } from '../../discord/console-view.ts'
import { accent, type Drawing, renderAttachment, renderComponent } from './discord-components.ts'
import { button, el, icon, icons } from './discord-dom.ts'
import { type Names, plainMarkdown, renderMarkdown } from './discord-text.ts'

const flags = { ephemeral: 1 << 6, loading: 1 << 7, v2: 1 << 15 }
const groupedMs = 7 * 60_000

/** What drawing a message needs beside the components' needs. */
export interface MessageDrawing extends Drawing {
  view: ConsoleView
  dismiss: (id: string) => void
}

/** A message with all around it: who used what, avatar, name, badge, time, content, notes. */
export function renderMessage(
  message: APIMessage,
  previous: APIMessage | undefined,
  d: MessageDrawing,
): HTMLElement {
  const flagged = (flag: number) => ((message.flags ?? 0) & flag) !== 0
  const above = renderAbove(message, d)
  const grouped = above === undefined && !flagged(flags.ephemeral) && follows(message, previous)
  const pinged = message.mention_everyone || message.mentions.some(({ id }) => id === d.view.self)
  const marks = [grouped && 'grouped', flagged(flags.ephemeral) && 'ephemeral', pinged && 'pinged']
  const body = flagged(flags.loading)
    ? [el('div', { class: 'dc-thinking' }, dots(), `${d.view.bot.name} is thinking…`)]
    : renderBody(message, d)
  return el(
    'article',
    {
      class: ['dc-message', ...marks].filter(Boolean).join(' '),
      'data-message': message.id,
      'data-author': message.author.bot ? 'bot' : message.author.id,
    },
    above,
    grouped
      ? undefined
      : avatar(message.author.id, nameOf(message, d), message.author.bot === true),
    el(
      'div',
      { class: 'dc-message-main' },
      grouped ? undefined : renderHead(message, d),
      ...body,
      flagged(flags.ephemeral) ? ephemeralNote(() => d.dismiss(message.id)) : undefined,
    ),
  )
}

function follows(message: APIMessage, previous: APIMessage | undefined): boolean {
  if (previous === undefined || previous.author.id !== message.author.id) return false
  if (((previous.flags ?? 0) & flags.ephemeral) !== 0) return false
  return Date.parse(message.timestamp) - Date.parse(previous.timestamp) < groupedMs
}

function nameOf(message: APIMessage, d: MessageDrawing): string {
  return d.names('user', message.author.id) ?? message.author.username
}

/** A round picture with the initial; the bot has its gavel. */
export function avatar(id: string, name: string, bot: boolean): HTMLElement {
  const hue = bot ? '' : String(Number(id.slice(-4)) % 5)
  return el(
    'span',
    { class: bot ? 'dc-avatar bot' : 'dc-avatar', 'data-hue': hue, 'aria-hidden': 'true' },
    bot
      ? icon(
          'M3.500 20.500h11v1.800h-11zM12.800 2.200l6.300 6.300-1.900 1.900-.8-.8-2.700 2.700 7.300 7.300-2.300 2.300-7.300-7.300-2.700 2.700.8.8-1.900 1.900L1.300 13.700l1.900-1.900.8.8 7.600-7.600-.8-.8 2-2Z',
          'dc-gavel',
        )
      : name.slice(0, 1),
  )
}

function renderAbove(message: APIMessage, d: MessageDrawing): HTMLElement | undefined {
  const user = message.interaction_metadata?.user
  if (message.interaction !== undefined && user !== undefined) {
    const name = d.names('user', user.id) ?? user.username
    return usedLine(user.id, name, message.interaction.name)
  }
  const target = d.view.messages.find(({ id }) => id === message.message_reference?.message_id)
  if (target === undefined) return undefined
  return el(
    'div',
    { class: 'dc-above' },
    avatar(target.author.id, nameOf(target, d), target.author.bot === true),
    el('span', { class: 'dc-above-name' }, nameOf(target, d)),
    el('span', { class: 'dc-above-text' }, glimpse(target, d.names)),
  )
}

/** The beginning of a message that another one answers. */
function glimpse(message: APIMessage, names: Names): string {
  const texts = (message.components ?? []).flatMap((component) => {
    if (component.type === 10) return [component.content]
    const inner = component.type === 17 || component.type === 9 ? component.components : []
    return inner.flatMap((each) => {
      if (each.type === 10) return [each.content]
      return each.type === 9 ? each.components.map(({ content }) => content) : []
    })
  })
  const [text = ''] = [message.content, ...texts].filter((each) => each !== '')
  return plainMarkdown(text, names) || 'Click to see attachment'
}

/** "Ada used /asset". */
export function usedLine(id: string, name: string, command: string): HTMLElement {
  return el(
    'div',
    { class: 'dc-above' },
    avatar(id, name, false),
    el('span', { class: 'dc-above-name' }, name),
    ' used ',
    el('span', { class: 'dc-above-command' }, icon(icons.slash), command),
  )
}

function renderHead(message: APIMessage, d: MessageDrawing): HTMLElement {
  const date = new Date(message.timestamp)
  const today = date.toDateString() === new Date().toDateString()
  const style: Intl.DateTimeFormatOptions = today
    ? { timeStyle: 'short' }
    : { dateStyle: 'short', timeStyle: 'short' }
  return el(
    'header',
    { class: 'dc-head' },
    el('span', { class: 'dc-name' }, nameOf(message, d)),
    message.author.bot ? badge() : undefined,
    el(
      'time',
      { class: 'dc-when', datetime: message.timestamp },
      date.toLocaleString(undefined, style),
    ),
  )
}

export function badge(): HTMLElement {
  return el('span', { class: 'dc-badge' }, 'APP')
}

function renderBody(message: APIMessage, d: MessageDrawing): HTMLElement[] {
  const v2 = ((message.flags ?? 0) & flags.v2) !== 0
  const edited =
    message.edited_timestamp === null
      ? []
      : [el('span', { class: 'dc-edited', title: message.edited_timestamp }, '(edited)')]
  const content = message.content === '' ? [] : [renderMarkdown(message.content, d.names)]
  // In Components V2 only components show files; elsewhere they stand below the text.
  const files = v2 ? [] : message.attachments.map((each) => attached(each, d))
  return [
    ...content,
    ...message.embeds.map((embed) => renderEmbed(embed, d)),
    ...files,
    ...(message.components ?? []).map((component) => renderComponent(component, d)),
    ...edited,
  ]
}

function attached(file: APIMessage['attachments'][number], d: Drawing): HTMLElement {
  const url = d.address(file.url)
  if (!file.content_type?.startsWith('image/'))
    return renderAttachment(file.filename, file.size, url)
  return el('div', { class: 'dc-gallery' }, el('img', { src: url, alt: file.description ?? '' }))
}

function renderEmbed(embed: APIEmbed, d: Drawing): HTMLElement {
  const box = el(
    'div',
    { class: 'dc-container accented dc-embed' },
    embed.author === undefined
      ? undefined
      : el('div', { class: 'dc-embed-author' }, embed.author.name),
    embed.title === undefined ? undefined : el('div', { class: 'dc-embed-title' }, embed.title),
    embed.description === undefined ? undefined : renderMarkdown(embed.description, d.names),
    ...(embed.fields ?? []).map((field) =>
      el(
        'div',
        { class: 'dc-embed-field' },
        el('strong', {}, field.name),
        renderMarkdown(field.value, d.names),
      ),
    ),
    embed.footer === undefined ? undefined : el('div', { class: 'dc-subtext' }, embed.footer.text),
  )
  if (embed.color !== undefined) box.style.setProperty('--accent', accent(embed.color))
  return box
}

/** "Only you can see this · Dismiss message". */
export function ephemeralNote(dismiss: () => void): HTMLElement {
  return el(
    'div',
    { class: 'dc-note' },
    icon(icons.eye),
    'Only you can see this · ',
    button({ class: 'dc-link' }, dismiss, 'Dismiss message'),
  )
}

export function dots(): HTMLElement {
  return el('span', { class: 'dc-dots', 'aria-hidden': 'true' }, el('i'), el('i'), el('i'))
}
