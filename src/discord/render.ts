import {
  ActionRowBuilder,
  AllowedMentionsTypes,
  type APIComponentInContainer,
  type APIContainerComponent,
  ButtonBuilder,
  ButtonStyle,
  ContainerBuilder,
  FileBuilder,
  MediaGalleryBuilder,
  MessageFlags,
  SectionBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  ThumbnailBuilder,
} from 'discord.js'
import { balancedRows } from '../core/button-rows.ts'
import { type CallbackStore, encodeForm, encodePress } from '../core/callback-data.ts'
import { addedIn, defaultLocale } from '../core/catalogue.ts'
import { chunks, harmless, harmlessInLanguage, progressBar, shortenUnits } from '../core/text.ts'
import {
  type Block,
  type Button,
  besidePicture,
  type Item,
  type LocalisedView,
  type Span,
  type Tone,
} from '../core/view.ts'
import { filesOf, type NamedFile } from './files.ts'

/** Limits of a Components V2 message: https://docs.discord.com/developers/components/reference */
const maxText = 4000
/** Discord answers texts of more than 10,170 bytes with status 500: https://github.com/discord/discord-api-docs/issues/8554 */
const maxBytes = 10_000
const maxTitle = 600
const maxComponents = 40
const maxCustomId = 100
const maxOptions = 25
const maxButtonsInRow = 5
/** UTF-16 units reserved for the note "Shortened …" and the line breaks around it. */
const cutNoteReserve = 64

/** A rendered view. Whatever its text contains, it notifies nobody but those whom the view mentions. */
export interface DiscordMessage {
  flags: number
  components: [APIContainerComponent]
  allowed_mentions: { parse: AllowedMentionsTypes[]; roles?: string[] }
  /** The uploaded files; an edit removes all others. */
  attachments: { id: number; filename: string }[]
}

type Row = ActionRowBuilder<ButtonBuilder | StringSelectMenuBuilder>
type Part = TextDisplayBuilder | SectionBuilder | MediaGalleryBuilder | FileBuilder

const accents: Record<Tone, number> = {
  neutral: 0x3b82f6,
  good: 0x16a34a,
  warn: 0xf59e0b,
  bad: 0xdc2626,
}

/**
 * Renders a view as one container. Names of `commands` become mentions, which a tap fills into the message box. Text over
 * Discord's limit is cut at the end (lists by whole items) with a note; controls are never dropped.
 * @throws Error if there are more than 40 components, or too many or too large files
 */
export async function renderDiscord(
  view: LocalisedView,
  callbacks: CallbackStore,
  commands: CommandIds = new Map(),
): Promise<DiscordMessage> {
  const files = filesOf(view)
  const [picture, others] = view.picture ? [files.slice(0, 1), files.slice(1)] : [[], files]
  const mentions = mentionsMarkdown(view)
  const components = [
    ...(mentions === '' ? [] : [text(mentions)]),
    ...texts(view, (spans, room) => spansMarkdown(spans, room, commands)),
    ...gallery(picture),
    ...shownFiles(others),
    ...(await rows(view, callbacks)),
  ]
  const container = new ContainerBuilder()
    .setAccentColor(accents[view.tone ?? 'neutral'])
    .spliceComponents(0, 0, components)
    .toJSON()
  const count = container.components.reduce((sum, each) => sum + componentCount(each), 1)
  if (count > maxComponents) {
    throw new Error(`A message has ${count} components; Discord takes ${maxComponents}.`)
  }
  return {
    flags: MessageFlags.IsComponentsV2,
    components: [container],
    allowed_mentions: allowedMentions(view),
    attachments: files.map(({ name }, id) => ({ id, filename: name })),
  }
}

/** The name by which a view mentions everybody. */
export const everyone = 'everyone'

function mentionsMarkdown({ mentions = [] }: LocalisedView): string {
  return mentions.map((role) => (role === everyone ? '@everyone' : `<@&${role}>`)).join(' ')
}

function allowedMentions({ mentions = [] }: LocalisedView): DiscordMessage['allowed_mentions'] {
  const roles = mentions.filter((role) => role !== everyone)
  const parse = mentions.includes(everyone) ? [AllowedMentionsTypes.Everyone] : []
  return { parse, ...(roles.length > 0 && { roles }) }
}

function componentCount(component: APIComponentInContainer): number {
  if ('components' in component) {
    return 1 + component.components.length + ('accessory' in component ? 1 : 0)
  }
  return 1
}

/** The texts. With a thumbnail, the title and first block are beside it, and the rest below. */
function texts(view: LocalisedView, inline: Inline): Part[] {
  const title = inline(view.title, maxTitle)
  const heading = title.markdown.trim() && `### ${title.markdown}`
  const { shortened } = view.added ?? addedIn(defaultLocale)
  const blocks = view.picture ? besidePicture(view.blocks) : view.blocks
  const shown = bodies(blocks, heading + mentionsMarkdown(view), title.cut, inline)
  const note = `-# ${shortenUnits(shortened, cutNoteReserve - 4)}`
  const [first, ...others] = shown.cut ? [...shown.texts, note] : shown.texts
  const head = [heading, first].filter(Boolean).join('\n') || '…'
  if (view.image === undefined || view.picture) return [text([head, ...others].join('\n\n'))]
  const beside = new SectionBuilder()
    .addTextDisplayComponents(text(head))
    .setThumbnailAccessory(new ThumbnailBuilder({ media: { url: view.image } }))
  return others.length > 0 ? [beside, text(others.join('\n\n'))] : [beside]
}

function text(content: string): TextDisplayBuilder {
  return new TextDisplayBuilder({ content })
}

/** A gallery of the pictures, then the other files for download. */
function shownFiles(files: readonly NamedFile[]): Part[] {
  const isPicture = ({ contentType }: NamedFile) => contentType.startsWith('image/')
  const others = files.filter((file) => !isPicture(file))
  return [
    ...gallery(files.filter(isPicture)),
    ...others.map((file) => new FileBuilder({ file: mediaOf(file) })),
  ]
}

function gallery(pictures: readonly NamedFile[]): Part[] {
  const items = pictures.map((picture) => ({ media: mediaOf(picture) }))
  return items.length > 0 ? [new MediaGalleryBuilder({ items })] : []
}

function mediaOf({ name }: NamedFile): { url: string } {
  return { url: `attachment://${name}` }
}

/** As many blocks as fit below the heading, and whether something was cut. */
function bodies(
  blocks: readonly Block<string>[],
  heading: string,
  headingCut: boolean,
  inline: Inline,
): { texts: string[]; cut: boolean } {
  const texts: string[] = []
  let cut = headingCut
  let characters = maxText - cutNoteReserve - heading.length
  let bytes = maxBytes - cutNoteReserve - Buffer.byteLength(heading)
  for (const block of blocks) {
    const next = fittingMarkdown(block, characters - 2, bytes - 2, inline)
    if (next.markdown.trim() !== '') texts.push(next.markdown)
    characters -= next.markdown.length + 2
    bytes -= Buffer.byteLength(next.markdown) + 2
    cut ||= next.cut
    if (next.cut) break
  }
  return { texts, cut }
}

function fittingMarkdown(
  block: Block<string>,
  characters: number,
  bytes: number,
  inline: Inline,
): Markdown {
  const next = blockMarkdown(block, characters, inline)
  if (Buffer.byteLength(next.markdown) <= bytes) return next
  // A UTF-16 unit takes at most three bytes of UTF-8.
  return blockMarkdown(block, Math.min(characters, Math.floor(bytes / 3)), inline)
}

function blockMarkdown(block: Block<string>, room: number, inline: Inline): Markdown {
  switch (block.kind) {
    case 'text': {
      const mark = block.small ? '-# ' : ''
      const { markdown, cut } = inline(block.spans, room - mark.length)
      return { markdown: markdown && mark + markdown, cut }
    }
    case 'lines':
      return wholeLines(
        block.lines.map((spans) => (left) => inline(spans, left)),
        room,
      )
    case 'copy':
      return copyMarkdown(block.text, room)
    case 'details':
      return { markdown: '', cut: false }
    case 'fields':
      return wholeLines(
        block.fields.map(
          ([label, value]) =>
            (left) =>
              fieldMarkdown(label, value, left, inline),
        ),
        room,
      )
    case 'progress': {
      const bar = `${progressBar(block.ratio)} `
      return wholeLines([(left) => prefixed(bar, [{ bold: block.label }], left, inline)], room)
    }
    case 'list':
      return wholeLines(
        block.items.map(
          ({ spans }, index) =>
            (left) =>
              prefixed(`${block.first + index}\\. `, spans, left, inline),
        ),
        room,
      )
  }
}

/** A block of code, which Discord's desktop client has a button to copy of. */
function copyMarkdown(text: string, room: number): Markdown {
  const code = codeText(text)
  const markdown = `\`\`\`\n${code}\n\`\`\``
  return code === '' || markdown.length > room
    ? { markdown: '', cut: code !== '' }
    : { markdown, cut: false }
}

/** A field's line; the colon after the label is markup, and not escaped. */
function fieldMarkdown(
  label: string,
  value: readonly Span<string>[],
  room: number,
  inline: Inline,
): Markdown {
  const [colon = ''] = /[:：]$/u.exec(label) ?? []
  const name = inline([{ bold: label.slice(0, label.length - colon.length) }], room - 2)
  const ours = name.markdown.replace(/\*\*$/u, `${colon}** `)
  const rest = inline(value, room - ours.length)
  return { markdown: ours + rest.markdown, cut: name.cut || rest.cut }
}

/** Puts markup before spans. */
function prefixed(
  prefix: string,
  spans: readonly Span<string>[],
  room: number,
  inline: Inline,
): Markdown {
  const { markdown, cut } = inline(spans, room - prefix.length)
  return { markdown: prefix + markdown, cut }
}

/** Joins lines, as many whole ones as fit. */
function wholeLines(lines: ((room: number) => Markdown)[], room: number): Markdown {
  const shown: string[] = []
  let left = room
  for (const line of lines) {
    const next = line(left)
    if (next.cut) return { markdown: shown.join('\n'), cut: true }
    shown.push(next.markdown)
    left -= next.markdown.length + 1
  }
  return { markdown: shown.join('\n'), cut: false }
}

async function rows(view: LocalisedView, callbacks: CallbackStore): Promise<Row[]> {
  const { openOne } = view.added ?? addedIn(defaultLocale)
  const lists = view.blocks.filter((block) => block.kind === 'list')
  const [{ choose = openOne } = {}] = lists
  const items = uniqueItems(lists.flatMap((list) => list.items))
  const selects = chunks(items, maxOptions).map((part, index) =>
    select(part, `open${index}`, choose, callbacks),
  )
  let count = 0
  const buttons = withForm({ ...view, buttons: withDetails(view) })
    .flatMap((row) => balancedRows(row, { max: maxButtonsInRow }))
    .map(async (row): Promise<Row> => {
      const rendered = await Promise.all(
        row.map((button) => discordButton(button, count++, callbacks)),
      )
      return rowOf(...rendered.filter((button) => button !== undefined))
    })
  return (await Promise.all([...selects, ...buttons])).filter(hasControls)
}

type Control = Button<string> | FormButton

/** Opens the form that this line names. */
interface FormButton {
  label: string
  formLine: string
}

/** Adds the button of folded lines to the first row that has room for it, and leaves out buttons that copy. */
function withDetails({ blocks, buttons = [] }: LocalisedView): Button<string>[][] {
  const rows = buttons.map((row) => row.filter((button) => !('copy' in button)))
  const details = blocks.flatMap((block) => (block.kind === 'details' ? [block.open] : []))
  if (details.length === 0) return rows
  const free = rows.findIndex((row) => row.length > 0 && row.length < maxButtonsInRow)
  if (free < 0) return [...rows, details]
  return rows.map((row, index) => (index === free ? [...row, ...details] : row))
}

/** Adds the form's button: after the first row's buttons if one of them is the main action, otherwise before them. */
function withForm({ form, buttons = [] }: LocalisedView): Control[][] {
  if (!form) return buttons
  const open: FormButton = { label: form.label, formLine: form.line }
  const [first = [], ...others] = buttons
  const isMain = first.some((button) => 'look' in button && button.look === 'main')
  if (isMain && first.length < maxButtonsInRow) return [[...first, open], ...others]
  return first.length < maxButtonsInRow ? [[open, ...first], ...others] : [[open], first, ...others]
}

function rowOf(...controls: (ButtonBuilder | StringSelectMenuBuilder)[]): Row {
  return new ActionRowBuilder<ButtonBuilder | StringSelectMenuBuilder>().addComponents(controls)
}

function hasControls({ components: [first] }: Row): boolean {
  return first !== undefined && !('options' in first && first.options.length === 0)
}

function uniqueItems(items: readonly Item<string>[]): Item<string>[] {
  const allLines = items.map(({ open }) => open.line)
  return items.filter(({ open }, index) => allLines.indexOf(open.line) === index)
}

async function select(
  items: readonly Item<string>[],
  id: string,
  placeholder: string,
  callbacks: CallbackStore,
): Promise<Row> {
  const options = items.map(async ({ open }) => {
    const label = shortenUnits(harmlessInLanguage(open.label).trim() || '…', 100)
    const value = await encodePress({ line: open.line, asNew: true }, maxCustomId, callbacks)
    return value === undefined ? [] : [{ label, value }]
  })
  return rowOf(
    new StringSelectMenuBuilder()
      .setCustomId(id)
      .setPlaceholder(shortenUnits(placeholder, 150))
      .addOptions((await Promise.all(options)).flat()),
  )
}

const styles = { main: ButtonStyle.Primary, danger: ButtonStyle.Danger } as const

async function discordButton(
  button: Control,
  index: number,
  callbacks: CallbackStore,
): Promise<ButtonBuilder | undefined> {
  if ('copy' in button) return undefined
  const shown = new ButtonBuilder().setLabel(
    shortenUnits(harmlessInLanguage(button.label).trim() || '·', 80),
  )
  if ('url' in button) return shown.setStyle(ButtonStyle.Link).setURL(button.url)
  // Two buttons may run the same line, but ids in a message must be unique: they begin with the button's number.
  const number = String(index)
  const room = maxCustomId - number.length
  if ('formLine' in button) {
    const data = await encodeForm(button.formLine, room, callbacks)
    return data === undefined
      ? undefined
      : shown.setStyle(ButtonStyle.Primary).setCustomId(number + data)
  }
  const press = { line: button.line, asNew: button.asNew ?? false }
  const data = await encodePress(press, room, callbacks)
  const style = button.look ? styles[button.look] : ButtonStyle.Secondary
  return data === undefined ? undefined : shown.setStyle(style).setCustomId(number + data)
}

/** The data of a control of `renderDiscord`, as `encodePress` or `encodeForm` wrote it. */
export function pressData(customIdOrValue: string): string {
  return customIdOrValue.replace(/^\d+(?=[=+?])/u, '')
}

/** Discord's markdown, and whether something was left out because it did not fit. */
interface Markdown {
  markdown: string
  cut: boolean
}

/** The ids of the registered commands by their names. */
export type CommandIds = ReadonlyMap<string, string>

/** Renders spans in at most `room` UTF-16 units. */
type Inline = (spans: readonly Span<string>[], room: number) => Markdown

/** A command by itself: not a part of a word, a path or a line with values. */
const commandName = /(?<![\p{L}\p{N}/])\/[a-z]+(?![\p{L}\p{N}/:])/gu

/** Takes the names of commands out of a text of ours, each as a span of its own. */
function withCommands(span: Span<string>, commands: CommandIds): Span<string>[] {
  if (typeof span === 'string' || !('own' in span)) return [span]
  const { own } = span
  const names = [...own.matchAll(commandName)].filter(([name]) => commands.has(name.slice(1)))
  const ends = names.map(({ 0: name, index }) => index + name.length)
  return [
    ...names.flatMap(({ 0: name, index }, at) => [
      { own: own.slice(ends[at - 1] ?? 0, index) },
      { code: name },
    ]),
    { own: own.slice(ends.at(-1) ?? 0) },
  ]
}

const wordJoiner = '\u2060'
// Characters that start or end markup, a mention, a timestamp, a link, an emoji's name or a numbered list; a backslash
// escapes each of them.
const meaningful = /[\\*_~|`>#\-+<@[\]():]|(?<=^ ?\d*)\.(?=\s|$)/gu

/** Escapes text by strangers: no markup, mention, link or timestamp. */
function escapeMarkdown(text: string, clean: typeof harmless): string {
  return clean(text).replace(meaningful, String.raw`\$&`)
}

/** Text between backticks. A link before it could end at a "](" inside it. */
function codeText(text: string): string {
  return harmless(text).replaceAll('`', 'ˋ').replaceAll('](', `]${wordJoiner}(`).trim()
}

/** Renders one span in at most `room` UTF-16 units of markdown. */
function spanMarkdown(span: Span<string>, room: number, commands: CommandIds): Markdown {
  if (typeof span === 'string') return escaped(span, room)
  if ('own' in span) return escaped(span.own, room, harmlessInLanguage)
  if ('bold' in span) {
    const text = harmlessInLanguage(span.bold).trim()
    return around('**', escaped(text, room - 4, harmlessInLanguage), '**')
  }
  if ('code' in span) {
    const id = span.code.startsWith('/') ? commands.get(span.code.slice(1)) : undefined
    const mention = `<${span.code}:${id}>`
    // https://docs.discord.com/developers/reference#message-formatting
    if (id !== undefined && mention.length <= room) return { markdown: mention, cut: false }
    const code = codeText(span.code)
    const markdown = shortenUnits(code, room - 2)
    return around('`', { markdown, cut: markdown.length < code.length }, '`')
  }
  if ('link' in span) {
    // Discord takes brackets in the text for the link's own, even if escaped.
    const text = span.link.replaceAll('[', '(').replaceAll(']', ')').trim()
    const target = `](<${linkTarget(span.url)}>)`
    return around('[', escaped(text, room - target.length - 1, harmlessInLanguage), target)
  }
  const stamp = `<t:${Math.trunc(span.time)}:${span.as === 'relative' ? 'R' : 'f'}>`
  return stamp.length > room ? { markdown: '', cut: true } : { markdown: stamp, cut: false }
}

/** Encodes characters that would end the link early, so that the rest of a stranger's URL would be read as markdown. */
function linkTarget(url: string): string {
  return new URL(url).href.replaceAll(
    /[()[\]<>\\]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function around(open: string, { markdown, cut }: Markdown, close: string): Markdown {
  return { markdown: markdown === '' ? '' : open + markdown + close, cut }
}

/** Escapes a text, cut between characters so that the result fits. */
function escaped(text: string, room: number, clean = harmless): Markdown {
  const whole = clean(text)
  let shown = whole
  let markdown = escapeMarkdown(shown, clean)
  while (markdown.length > room) {
    const share = Math.floor((shown.length * room) / markdown.length)
    shown = shortenUnits(shown, Math.min(share, shown.length - 1))
    markdown = escapeMarkdown(shown, clean)
    if (shown === '') break
  }
  return { markdown, cut: shown.length < whole.length }
}

/** Renders spans in order until `room` UTF-16 units of markdown are used up. */
export function spansMarkdown(
  spans: readonly Span<string>[],
  room: number,
  commands: CommandIds = new Map(),
): Markdown {
  let markdown = ''
  for (const span of spans.flatMap((each) => withCommands(each, commands))) {
    const next = spanMarkdown(span, room - markdown.length - wordJoiner.length, commands)
    // Adjacent marks would be read as one: `a``b` is a single code span.
    const [first] = next.markdown
    const touching = (first === '`' || first === '*') && markdown.endsWith(first)
    markdown += touching ? wordJoiner + next.markdown : next.markdown
    if (next.cut) return { markdown, cut: true }
  }
  return { markdown, cut: false }
}
