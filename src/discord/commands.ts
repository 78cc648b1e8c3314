import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type CommandInteractionOption,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord.js'
import { z } from 'zod'
import { formatLine } from '../core/command.ts'
import type { MenuEntry, MenuOption } from '../core/runner.ts'

/** Discord's maximum; options with more choices are typed. */
const maxChoices = 25

/** The slash commands in Discord's format: https://docs.discord.com/developers/interactions/application-commands */
export function slashCommands(menu: readonly MenuEntry[]): RESTPutAPIApplicationCommandsJSONBody {
  return menu.map((entry) => ({
    type: ApplicationCommandType.ChatInput,
    name: entry.name,
    description: entry.about,
    options: entry.options.filter(({ chat, groupText }) => !chat && !groupText).map(slashOption),
    // Also for people who added the bot for themselves, wherever they are.
    integration_types: [
      ApplicationIntegrationType.GuildInstall,
      ApplicationIntegrationType.UserInstall,
    ],
    contexts: [
      InteractionContextType.Guild,
      InteractionContextType.BotDM,
      InteractionContextType.PrivateChannel,
    ],
  }))
}

function slashOption(option: MenuOption): APIApplicationCommandBasicOption {
  const { name, about: description, integer, choices, completes } = option
  // Absent if false, as in Discord's answers, which `isRegistered` compares.
  const required = option.required ? { required: true } : {}
  if (integer) {
    const { min: min_value, max: max_value } = integer
    const type = ApplicationCommandOptionType.Integer
    return { type, name, description, ...required, min_value, max_value }
  }
  if (option.role) {
    return { type: ApplicationCommandOptionType.Role, name, description, ...required }
  }
  const type = ApplicationCommandOptionType.String
  if (choices && choices.length <= maxChoices) {
    const listed = choices.map(({ value, label, word }) => ({ name: label, value: word ?? value }))
    return { type, name, description, ...required, choices: listed }
  }
  return completes
    ? { type, name, description, ...required, autocomplete: true }
    : { type, name, description, ...required }
}

const registeredSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** The ids of commands by their names, from Discord's list of those that are registered. */
export function commandIds(registered: unknown): ReadonlyMap<string, string> {
  const { data = [] } = registeredSchema.safeParse(registered)
  return new Map(data.map(({ name, id }) => [name, id]))
}

/** Whether exactly these commands are registered, ignoring the fields that Discord adds to each. */
export function isRegistered(registered: unknown, expected: readonly unknown[]): boolean {
  return (
    Array.isArray(registered) &&
    registered.length === expected.length &&
    contains(registered, expected)
  )
}

function contains(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    const list = Array.isArray(actual) ? actual : []
    return (
      list.length === expected.length &&
      expected.every((each, index) => contains(list[index], each))
    )
  }
  if (typeof expected !== 'object' || expected === null) return actual === expected
  if (typeof actual !== 'object' || actual === null) return false
  const found = new Map(Object.entries(actual))
  return Object.entries(expected).every(([key, value]) => contains(found.get(key), value))
}

/** The command line of a slash command, from the options that were filled in. */
export function lineOfUse(
  name: string,
  options: readonly Pick<CommandInteractionOption, 'name' | 'value'>[],
  menu: readonly MenuEntry[],
): string {
  const entry = menu.find((each) => each.name === name)
  const values = Object.fromEntries(options.map((option) => [option.name, String(option.value)]))
  const { [entry?.options[0]?.name ?? '']: bare = '', ...named } = values
  return entry?.takesLine
    ? formatLine(`${name} ${bare}`.trimEnd(), undefined, named)
    : formatLine(name, bare, named)
}
