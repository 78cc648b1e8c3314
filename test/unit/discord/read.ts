import { MessageCreateRequestSchema } from 'discord-api-spec/zod'
import { ComponentType } from 'discord-api-types/v10'
import { checkMessage } from '../../../sandbox/discord/checks.ts'
import {
  type CallbackStore,
  decodeForm,
  decodePress,
  namesForm,
} from '../../../src/core/callback-data.ts'
import { type DiscordMessage, pressData } from '../../../src/discord/render.ts'
import { flat, plainText, readMarkdown, type Shown } from './markdown-reader.ts'

export interface SeenMessage {
  /** What each text of the message shows. */
  shown: Shown[][]
  /** As people read it. */
  text: string
  /** Labels of the buttons, row by row. */
  labels: string[][]
  /** Labels of the items to choose from. */
  choices: string[]
  /** What each control does: `=` in place, `+` as a new message or `?` as a form, and the line. */
  lines: string[]
  links: string[]
}

/** Reads a message as Discord would; throws Discord's answer to one that it refuses. */
export async function readDiscord(
  body: DiscordMessage,
  lines: CallbackStore,
): Promise<SeenMessage> {
  const files = body.attachments.map(({ id, filename }) => ({
    index: id,
    name: filename,
    contentType: '',
    bytes: Buffer.alloc(0),
  }))
  checkMessage(MessageCreateRequestSchema, body, files)
  const parts = body.components[0].components
  const texts = parts.flatMap((part) => {
    if (part.type === ComponentType.TextDisplay) return [part.content]
    return part.type === ComponentType.Section ? part.components.map(({ content }) => content) : []
  })
  const rows = parts.flatMap((part) =>
    part.type === ComponentType.ActionRow ? [part.components] : [],
  )
  const controls = rows.flat()
  const options = controls.flatMap((control) =>
    control.type === ComponentType.StringSelect ? control.options : [],
  )
  const buttons = (row: typeof controls) =>
    row.filter((control) => control.type === ComponentType.Button)
  const data = [
    ...options.map(({ value }) => value),
    ...buttons(controls).flatMap((button) => ('custom_id' in button ? [button.custom_id] : [])),
  ]
  const actions = await Promise.all(data.map((each) => readControl(pressData(each), lines)))
  const shown = texts.map(readMarkdown)
  return {
    shown,
    text: shown.map(plainText).join('\n'),
    labels: rows
      .map((row) => buttons(row).map((button) => ('label' in button ? (button.label ?? '') : '')))
      .filter((row) => row.length > 0),
    choices: options.map(({ label }) => label),
    lines: actions,
    links: [
      ...shown.flatMap(flat).flatMap((piece) => (piece.kind === 'link' ? [piece.url] : [])),
      ...buttons(controls).flatMap((button) => ('url' in button ? [button.url] : [])),
    ],
  }
}

async function readControl(data: string, lines: CallbackStore): Promise<string> {
  if (namesForm(data)) return `?${await decodeForm(data, lines)}`
  const press = await decodePress(data, lines)
  return `${press?.asNew ? '+' : '='}${press?.line}`
}
