import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord.js'
import { formatLine } from '../core/command.ts'
import type { MenuEntry, MenuOption } from '../core/dispatch.ts'

/** More than this many choices are typed instead of picked. */
const maxChoices = 25

/** The slash commands as Discord registers them: https://docs.discord.com/developers/interactions/application-commands */
export function slashCommands(menu: readonly MenuEntry[]): RESTPutAPIApplicationCommandsJSONBody {
  return menu.map((entry) => ({
    type: ApplicationCommandType.ChatInput,
    name: entry.name,
    description: entry.about,
    options: entry.options.filter(({ chat }) => !chat).map(slashOption),
    integration_types: [ApplicationIntegrationType.GuildInstall],
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  }))
}

function slashOption(option: MenuOption): APIApplicationCommandBasicOption {
  const { name, about: description, whole, choices, completes } = option
  // Discord answers without what is false, and the two are compared.
  const required = option.required ? { required: true } : {}
  if (whole) {
    const { min: min_value, max: max_value } = whole
    const type = ApplicationCommandOptionType.Integer
    return { type, name, description, ...required, min_value, max_value }
  }
  const type = ApplicationCommandOptionType.String
  if (choices && choices.length <= maxChoices) {
    const listed = choices.map(({ value, label }) => ({ name: label, value }))
    return { type, name, description, ...required, choices: listed }
  }
  return completes
    ? { type, name, description, ...required, autocomplete: true }
    : { type, name, description, ...required }
}

/** Whether these commands are what is registered; Discord adds fields of its own to each. */
export function isRegistered(registered: unknown, wanted: readonly unknown[]): boolean {
  return (
    Array.isArray(registered) && registered.length === wanted.length && holds(registered, wanted)
  )
}

function holds(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    const list = Array.isArray(actual) ? actual : []
    return list.length === wanted.length && wanted.every((each, index) => holds(list[index], each))
  }
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted
  if (typeof actual !== 'object' || actual === null) return false
  const found = new Map(Object.entries(actual))
  return Object.entries(wanted).every(([key, value]) => holds(found.get(key), value))
}

/**
 * The command line that chosen options stand for; the first option of the menu goes without its name. `place` is the
 * channel of a server in which it was given.
 */
export function lineOfOptions(
  name: string,
  options: readonly { name: string; value?: string | number | boolean | undefined }[],
  menu: readonly MenuEntry[],
  place?: string,
): string {
  const entry = menu.find((each) => each.name === name)
  const from = entry?.options.find((option) => option.chat)
  const chosen = options.filter((option) => option.name !== from?.name)
  const values = Object.fromEntries(chosen.map((option) => [option.name, String(option.value)]))
  const { [entry?.options[0]?.name ?? '']: bare, ...named } = values
  if (from && place !== undefined) named[from.name] = place
  return formatLine(name, bare, named)
}
