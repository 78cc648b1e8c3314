import { InteractionResponseType } from 'discord.js'
import { decodePress, namesForm } from '../chat/control.ts'
import type { Answer } from '../chat/dispatch.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import { type AnswerParts, respond, turnOf } from './answering.ts'
import { lineOfOptions } from './commands.ts'
import { onFormPress, onModalSubmit } from './forms.ts'
import type { CommandUse, Interaction, Press, Typing } from './incoming.ts'
import { pressData } from './render.ts'
import { callback, InteractionReply } from './reply.ts'
import { whose } from './whose.ts'

/** Turns Discord's interactions into command lines, and answers into plain API bodies. */
export async function onInteraction(parts: AnswerParts, interaction: Interaction) {
  if (interaction.kind === 'command') return onSlash(parts, interaction)
  if (interaction.kind === 'autocomplete') return onAutocomplete(parts, interaction)
  if (interaction.kind === 'component') return onComponent(parts, interaction)
  return onModalSubmit(parts, interaction)
}

async function onSlash(parts: AnswerParts, interaction: CommandUse) {
  const { bot } = parts
  const { name, options, person, place, direct } = interaction
  const line = lineOfOptions(name, options, bot.menu, direct ? undefined : place)
  const alone = direct || bot.isAlone(line)
  const turn = turnOf(parts, person, place, { alone, direct })
  const reply = new InteractionReply(parts, interaction, {
    inPlace: false,
    hidden: alone && !direct,
  })
  await respond(reply, line, (show) => bot.answer(line, turn, show))
}

async function onComponent(parts: AnswerParts, interaction: Press) {
  const { bot, lines } = parts
  const { person, place, direct, chosen } = interaction
  const data = pressData(chosen)
  if (namesForm(data)) return onFormPress(parts, interaction, data)
  const press = await decodePress(data, lines)
  const line = press?.line ?? ''
  const message = whose(interaction)
  const alone = message.private || !message.own || bot.isAlone(line)
  // What only one may read never takes the place of what all read.
  const inPlace = press?.opens === false && message.own && (message.private || !alone)
  const reply = new InteractionReply(parts, interaction, { inPlace, hidden: alone && !direct })
  const turn = turnOf(parts, person, place, { alone, direct })
  await respond(reply, line, async (show) => (press ? bot.answer(line, turn, show) : tooOld))
}

async function onAutocomplete(parts: AnswerParts, interaction: Typing) {
  const { name: command, option, typed, person, place, direct } = interaction
  const turn = turnOf(parts, person, place, { alone: true, direct })
  const found = await parts.bot.complete({ command, option, typed }, turn)
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
