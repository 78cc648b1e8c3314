import type {
  APIButtonComponent,
  APIMessage,
  APIMessageComponent,
  APIStringSelectComponent,
  APIUnfurledMediaItem,
} from 'discord-api-types/v10'
import type { ConsoleView } from '../../discord/console-view.ts'
import { type Names, readMarkdown } from './discord-markdown.ts'
import type { Button, Message, Part, Person, Picture, Select } from './model.ts'
import { plainWords } from './parts.ts'

const flags = { ephemeral: 1 << 6, loading: 1 << 7, v2: 1 << 15 }

/** What a message's ids and addresses stand for. */
export interface DiscordWorld {
  view: ConsoleView
  names: Names
  /** Where a picture or file is shown from. */
  address(url: string): string
}

/** A message of Discord's as the pane shows it. */
export function discordMessage(message: APIMessage, world: DiscordWorld): Message {
  const { view, names } = world
  const has = (flag: number) => ((message.flags ?? 0) & flag) !== 0
  const answered = view.messages.find(({ id }) => id === message.message_reference?.message_id)
  const user = message.interaction_metadata?.user
  const failed = view.notices.some(
    ({ about }) => about.kind === 'component' && about.messageId === message.id,
  )
  return {
    id: message.id,
    author: personOf(message.author, names),
    at: Date.parse(message.timestamp),
    isOwn: message.author.id === view.self,
    isEdited: message.edited_timestamp !== null,
    answers: answered && {
      id: answered.id,
      author: personOf(answered.author, names),
      words: plainWords(bodyOf(answered, world)) || 'Click to see attachment',
    },
    used: user &&
      message.interaction && { by: personOf(user, names), command: message.interaction.name },
    body: bodyOf(message, world),
    isThinking: has(flags.loading),
    isPrivate: has(flags.ephemeral),
    isPing: message.mention_everyone || message.mentions.some(({ id }) => id === view.self),
    failure: failed ? 'This interaction failed' : undefined,
  }
}

const personOf = (user: APIMessage['author'], names: Names): Person => ({
  id: user.id,
  name: names('user', user.id) ?? user.username,
  isBot: user.bot === true,
})

function bodyOf(message: APIMessage, world: DiscordWorld): Part[] {
  const { content, attachments, components = [] } = message
  // In Components V2 only components show files; elsewhere they stand below the text.
  const files = ((message.flags ?? 0) & flags.v2) !== 0 ? [] : attachments
  return [
    ...(content === '' ? [] : readMarkdown(content, world.names)),
    ...files.map((file) => attached(file, world)),
    ...components.flatMap((component) => partsOf(component, world)),
  ]
}

function attached(file: APIMessage['attachments'][number], { address }: DiscordWorld): Part {
  const { filename: name, size, description } = file
  const url = address(file.url)
  if (!file.content_type?.startsWith('image/')) return { kind: 'file', name, size, url }
  return { kind: 'pictures', items: [{ url, alt: description ?? '' }] }
}

function partsOf(component: APIMessageComponent, world: DiscordWorld): Part[] {
  const inside = (all: readonly APIMessageComponent[]) =>
    all.flatMap((each) => partsOf(each, world))
  switch (component.type) {
    case 1:
      return [{ kind: 'row', inside: inside(component.components) }]
    case 2:
      return [buttonOf(component)]
    case 3:
      return [selectOf(component)]
    case 9: {
      const [side = ''] = partsOf(component.accessory, world)
      return [{ kind: 'section', inside: inside(component.components), side }]
    }
    case 10:
      return [{ kind: 'group', inside: readMarkdown(component.content, world.names) }]
    case 11:
      return [{ kind: 'thumbnail', item: pictureOf(component, world) }]
    case 12:
      return [{ kind: 'pictures', items: component.items.map((item) => pictureOf(item, world)) }]
    case 13: {
      const { name = 'file', size = 0, file } = component
      return [{ kind: 'file', name, size, url: world.address(file.url) }]
    }
    case 17: {
      const { accent_color, components } = component
      return [{ kind: 'card', colour: accent_color ?? undefined, inside: inside(components) }]
    }
    default:
      // The stand-in refuses all others.
      return []
  }
}

interface Shown {
  media: APIUnfurledMediaItem
  description?: string | null
}

const pictureOf = ({ media, description }: Shown, { address }: DiscordWorld): Picture => ({
  url: address(media.url),
  alt: description ?? '',
})

const styles = ['', 'primary', 'secondary', 'success', 'danger']

function buttonOf(component: APIButtonComponent): Button {
  const { emoji, label } = { emoji: undefined, label: undefined, ...component }
  return {
    kind: 'button',
    id: 'custom_id' in component ? component.custom_id : '',
    label: [emoji?.name, label].filter(Boolean).join(' '),
    style: styles[component.style] ?? 'secondary',
    isDisabled: component.disabled === true,
    ...('url' in component ? { url: component.url, sign: 'link' } : {}),
  }
}

/** A select of a message or of a form. */
export function selectOf(select: APIStringSelectComponent): Select {
  return {
    kind: 'select',
    id: select.custom_id,
    placeholder: select.placeholder ?? 'Make a selection',
    min: select.min_values ?? 1,
    max: select.max_values ?? 1,
    isDisabled: select.disabled === true,
    choices: select.options.map(({ value, label, description, emoji, default: isChosen }) => ({
      value,
      label: [emoji?.name, label].filter(Boolean).join(' '),
      about: description,
      isChosen,
    })),
  }
}
