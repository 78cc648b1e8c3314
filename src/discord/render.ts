import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIComponentInMessageActionRow,
  type APIContainerComponent,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord.js'
import { encodePress, type LineKeeper } from '../chat/control.ts'
import { progressBar } from '../chat/progress.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import type { Block, Button, Item, Tone, View } from '../chat/view.ts'
import { spansMarkdown } from './markdown.ts'

/** Limits of a Components V2 message: https://docs.discord.com/developers/components/reference */
const mostText = 4000
const mostComponents = 40
const mostCustomId = 100
const mostOptions = 25
const mostInRow = 5
const roomForCut = 64

/** A view as Discord's API takes it. Nothing in it pings anybody, whatever the text says. */
export interface DiscordMessage {
  flags: number
  components: [APIContainerComponent]
  allowed_mentions: { parse: [] }
}

type Row = APIActionRowComponent<APIComponentInMessageActionRow>

const accents: Record<Tone, number> = {
  neutral: 0x3b82f6,
  good: 0x16a34a,
  warn: 0xf59e0b,
  bad: 0xdc2626,
}

/**
 * Renders a view as one container. Text over Discord's limit is cut at the end, by whole list items where there is a
 * list, and says so; controls are never dropped.
 */
export async function renderDiscord(view: View, lines: LineKeeper): Promise<DiscordMessage> {
  const components = [...texts(view), ...(await rows(view, lines))]
  const count = 1 + components.reduce((sum, component) => sum + componentCount(component), 0)
  if (count > mostComponents) {
    throw new Error(`A message has ${count} components; Discord takes ${mostComponents}.`)
  }
  return {
    flags: MessageFlags.IsComponentsV2,
    components: [
      {
        type: ComponentType.Container,
        accent_color: accents[view.tone ?? 'neutral'],
        components,
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

function componentCount(component: APIComponentInContainer): number {
  if ('components' in component) {
    return 1 + component.components.length + ('accessory' in component ? 1 : 0)
  }
  return 1
}

/** With a picture, the head (title and first block) stands beside it and the rest below. */
function texts(view: View): APIComponentInContainer[] {
  const title = spansMarkdown(view.title, 600)
  const [first, ...others] = bodies(view.blocks, mostText - 700).filter((part) => part !== '')
  const head = [title && `### ${title}`, first].filter(Boolean).join('\n') || '…'
  if (view.image === undefined) return [text([head, ...others].join('\n\n'))]
  const accessory = { type: ComponentType.Thumbnail, media: { url: view.image } } as const
  const below = others.length > 0 ? [text(others.join('\n\n'))] : []
  return [{ type: ComponentType.Section, components: [text(head)], accessory }, ...below]
}

function text(content: string) {
  return { type: ComponentType.TextDisplay, content } as const
}

function bodies(blocks: readonly Block[], room: number): string[] {
  const shown: string[] = []
  let left = room - roomForCut
  for (const block of blocks) {
    const { markdown, cut } = blockMarkdown(block, left)
    shown.push(markdown)
    left -= markdown.length + 2
    if (cut || left < 32) return [...shown, '-# Shortened: there is more than fits here.']
  }
  return shown
}

function blockMarkdown(block: Block, room: number): { markdown: string; cut?: boolean } {
  switch (block.kind) {
    case 'text': {
      const markdown = spansMarkdown(block.spans, room - 3)
      return {
        markdown: block.quiet && markdown ? `-# ${markdown}` : markdown,
        cut: markdown.length >= room - 8,
      }
    }
    case 'fields':
      return wholeLines(
        block.fields.map(
          ([label, value]) =>
            (left) =>
              spansMarkdown([{ bold: label }, ' ', ...value], left),
        ),
        room,
      )
    case 'progress': {
      const label = spansMarkdown([{ bold: block.label }], room - 16)
      return { markdown: `${progressBar(block.ratio)} ${label}` }
    }
    case 'list':
      return wholeLines(
        block.items.map((item, index) => (left) => {
          const number = `${block.first + index}\\. `
          return number + spansMarkdown(item.spans, left - number.length)
        }),
        room,
      )
  }
}

/** Lines one below the other while whole ones fit. */
function wholeLines(lines: ((room: number) => string)[], room: number) {
  const shown: string[] = []
  let left = room
  for (const line of lines) {
    const next = left > 32 ? line(left) : undefined
    if (next === undefined || next.length > left - 8)
      return { markdown: shown.join('\n'), cut: true }
    shown.push(next)
    left -= next.length + 1
  }
  return { markdown: shown.join('\n') }
}

async function rows(view: View, lines: LineKeeper): Promise<Row[]> {
  const items = view.blocks.flatMap((block) => (block.kind === 'list' ? block.items : []))
  const selects = chunks(uniqueItems(items), mostOptions).map((part, index) =>
    select(part, `open${index}`, lines),
  )
  let count = 0
  const buttons = (view.buttons ?? [])
    .flatMap((row) => chunks(row, mostInRow))
    .map(async (row): Promise<Row> => {
      const components = row.map((button) => discordButton(button, count++, lines))
      return { type: ComponentType.ActionRow, components: await Promise.all(components) }
    })
  return Promise.all([...selects, ...buttons])
}

function uniqueItems(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.open.run, item])).values()]
}

async function select(items: readonly Item[], id: string, lines: LineKeeper): Promise<Row> {
  const options = items.map(async ({ open }) => ({
    label: shortenUnits(harmless(open.label).trim() || '…', 100),
    value: await encodePress({ line: open.run, opens: true }, mostCustomId, lines),
  }))
  const component: APIStringSelectComponent = {
    type: ComponentType.StringSelect,
    custom_id: id,
    placeholder: 'Open one',
    options: await Promise.all(options),
  }
  return { type: ComponentType.ActionRow, components: [component] }
}

async function discordButton(
  button: Button,
  index: number,
  lines: LineKeeper,
): Promise<APIButtonComponent> {
  const label = shortenUnits(harmless(button.label).trim() || '·', 80)
  if ('url' in button) {
    return { type: ComponentType.Button, style: ButtonStyle.Link, label, url: button.url }
  }
  const press = { line: button.run, opens: button.opens ?? false }
  return {
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    label,
    custom_id: await customId(press, index, lines),
  }
}

/** Two buttons may run the same line, but ids in a message are unique: the button's number stands in front. */
async function customId(
  press: { line: string; opens: boolean },
  index: number,
  lines: LineKeeper,
): Promise<string> {
  const number = String.fromCharCode(0x61 + index)
  return number + (await encodePress(press, mostCustomId - 1, lines))
}

/** The press that a control of `renderDiscord` carries, as `encodePress` wrote it. */
export function pressData(customIdOrValue: string): string {
  return /^[a-z][=+]/u.test(customIdOrValue) ? customIdOrValue.slice(1) : customIdOrValue
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size))
  return parts
}
