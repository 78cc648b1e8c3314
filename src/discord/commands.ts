import {
  type ApplicationCommandOptionBase,
  ApplicationIntegrationType,
  type CommandInteractionOption,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  SlashCommandBuilder,
} from 'discord.js'
import { z } from 'zod'
import { formatLine } from '../core/command.ts'
import type { MenuEntry, MenuOption } from '../core/runner.ts'

/** Discord's maximum; options with more choices are typed. */
const maxChoices = 25

/** The slash commands in Discord's format: https://docs.discord.com/developers/interactions/application-commands */
export function slashCommands(
  menu: readonly MenuEntry[],
): RESTPostAPIChatInputApplicationCommandsJSONBody[] {
  return menu.map(slashCommand)
}

function slashCommand({ name, about, options }: MenuEntry) {
  const command = new SlashCommandBuilder()
    .setName(name)
    .setDescription(about)
    // Also for people who added the bot for themselves, wherever they are.
    .setIntegrationTypes(
      ApplicationIntegrationType.GuildInstall,
      ApplicationIntegrationType.UserInstall,
    )
    .setContexts(
      InteractionContextType.Guild,
      InteractionContextType.BotDM,
      InteractionContextType.PrivateChannel,
    )
  for (const option of options) if (!option.chat && !option.groupText) addOption(command, option)
  return command.toJSON()
}

function addOption(command: SlashCommandBuilder, option: MenuOption): void {
  const { name, about, required, integer, role, choices, completes } = option
  const begun = <Builder extends ApplicationCommandOptionBase>(builder: Builder) =>
    builder.setName(name).setDescription(about).setRequired(required)
  if (integer) {
    command.addIntegerOption((builder) =>
      begun(builder).setMinValue(integer.min).setMaxValue(integer.max),
    )
  } else if (role) command.addRoleOption(begun)
  else if (choices && choices.length <= maxChoices) {
    const listed = choices.map(({ value, label, word }) => ({ name: label, value: word ?? value }))
    command.addStringOption((builder) => begun(builder).setChoices(listed))
  } else command.addStringOption((builder) => begun(builder).setAutocomplete(completes))
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
  // Discord leaves out what is not so.
  if (expected === undefined || expected === false) return !actual
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
