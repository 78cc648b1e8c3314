import {
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  InteractionResponseType,
  type MessageComponentInteraction,
} from 'discord.js'
import { decodePress, namesForm } from '../chat/control.ts'
import type { Answer } from '../chat/dispatch.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import { type AnswerParts, respond, turnOf } from './answering.ts'
import { lineOfOptions } from './commands.ts'
import { onFormPress, onModalSubmit } from './forms.ts'
import { pressData } from './render.ts'
import { callback, InteractionReply } from './reply.ts'
import { whose } from './whose.ts'

/** Turns Discord's interactions into command lines, and answers into plain API bodies. */
export async function onInteraction(parts: AnswerParts, interaction: Interaction) {
  if (interaction.isChatInputCommand()) return onSlash(parts, interaction)
  if (interaction.isAutocomplete()) return onAutocomplete(parts, interaction)
  if (interaction.isMessageComponent()) return onComponent(parts, interaction)
  if (interaction.isModalSubmit()) return onModalSubmit(parts, interaction)
  return undefined
}

/** What a person did, in a word. */
export function kindOf(interaction: Interaction): string {
  if (interaction.isCommand()) return 'command'
  if (interaction.isAutocomplete()) return 'autocomplete'
  return interaction.isModalSubmit() ? 'form' : 'component'
}

async function onSlash(parts: AnswerParts, interaction: ChatInputCommandInteraction) {
  const { bot } = parts
  const { commandName, options, user, channelId, guildId } = interaction
  const line = lineOfOptions(
    commandName,
    options.data,
    bot.menu,
    guildId === null ? undefined : channelId,
  )
  const direct = guildId === null
  const alone = direct || bot.isAlone(line)
  const turn = turnOf(user.id, channelId, { alone, direct })
  const reply = new InteractionReply(parts, interaction, {
    inPlace: false,
    hidden: alone && !direct,
  })
  await respond(reply, line, (show) => bot.answer(line, turn, show))
}

async function onComponent(parts: AnswerParts, interaction: MessageComponentInteraction) {
  const { bot, lines } = parts
  const { user, channelId } = interaction
  const chosen = interaction.isStringSelectMenu() ? interaction.values[0] : interaction.customId
  const data = pressData(chosen ?? '')
  if (namesForm(data)) return onFormPress(parts, interaction, data)
  const press = await decodePress(data, lines)
  const line = press?.line ?? ''
  const message = whose(interaction)
  const alone = message.private || !message.own || bot.isAlone(line)
  // What only one may read never takes the place of what all read.
  const inPlace = press?.opens === false && message.own && (message.private || !alone)
  const reply = new InteractionReply(parts, interaction, {
    inPlace,
    hidden: alone && !message.direct,
  })
  const turn = turnOf(user.id, channelId, { alone, direct: message.direct })
  await respond(reply, line, async (show) => (press ? bot.answer(line, turn, show) : tooOld))
}

async function onAutocomplete(parts: AnswerParts, interaction: AutocompleteInteraction) {
  const { name, value } = interaction.options.getFocused(true)
  const direct = interaction.guildId === null
  const asked = { command: interaction.commandName, option: name, typed: String(value) }
  const place = interaction.channelId ?? interaction.user.id
  const turn = turnOf(interaction.user.id, place, { alone: true, direct })
  const found = await parts.bot.complete(asked, turn)
  const choices = found
    .filter((choice) => choice.value.length <= 100)
    .slice(0, 25)
    .map((choice) => ({
      name: shortenUnits(harmless(choice.label).trim(), 100) || choice.value,
      value: choice.value,
    }))
  await callback(parts, interaction, {
    type: InteractionResponseType.ApplicationCommandAutocompleteResult,
    data: { choices },
  })
}

const tooOld: Answer = {
  view: {
    title: ['This button is too old'],
    tone: 'warn',
    blocks: [{ kind: 'text', spans: ['Send the command again.'] }],
  },
  outcome: 'refused',
}
