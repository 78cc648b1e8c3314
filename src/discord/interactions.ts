import {
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Client,
  DiscordAPIError,
  HTTPError,
  type Interaction,
  InteractionResponseType,
  type Message,
  type MessageComponentInteraction,
  MessageFlags,
  Routes,
} from 'discord.js'
import { decodePress, type LineKeeper } from '../chat/control.ts'
import type { Answer, Bot } from '../chat/dispatch.ts'
import { readMessage } from '../chat/reading.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import type { View } from '../chat/view.ts'
import { lineOfOptions } from './commands.ts'
import { type DiscordMessage, pressData, renderDiscord } from './render.ts'

export interface InteractionParts {
  client: Client<true>
  bot: Bot
  lines: LineKeeper
}

/** Discord's code for a body that breaks one of its rules. */
const invalidFormBody = 50_035

/** Discord wants a sign within 3 s: an answer that takes longer than this is announced first and filled in later. */
const deferAfter = 1_500

/** Turns Discord's interactions into command lines, and answers into plain API bodies. */
export async function onInteraction(parts: InteractionParts, interaction: Interaction) {
  if (interaction.isChatInputCommand()) return onSlash(parts, interaction)
  if (interaction.isAutocomplete()) return onAutocomplete(parts, interaction)
  if (interaction.isMessageComponent()) return onComponent(parts, interaction)
  return undefined
}

/** A message in a private chat: the same commands as text, and a bare address. */
export async function onDirectMessage(parts: InteractionParts, message: Message): Promise<void> {
  if (message.author.bot || message.inGuild()) return
  const reading = readMessage(message.content, parts.client.user.username)
  const line = reading.kind === 'line' ? reading.line : 'start'
  const { view, repeated } = await parts.bot.answer(line, turnOf(message.author.id))
  if (repeated) return
  const body = await renderDiscord(view, parts.lines)
  await parts.client.rest.post(Routes.channelMessages(message.channelId), { body })
}

async function onSlash(parts: InteractionParts, interaction: ChatInputCommandInteraction) {
  const { commandName, options, user } = interaction
  const line = lineOfOptions(commandName, options.data, parts.bot.menu)
  const answering = parts.bot.answer(line, turnOf(user.id))
  await respond(parts, interaction, answering, 'message')
}

async function onComponent(parts: InteractionParts, interaction: MessageComponentInteraction) {
  const chosen = interaction.isStringSelectMenu() ? interaction.values[0] : interaction.customId
  const press = await decodePress(pressData(chosen ?? ''), parts.lines)
  const answering = press
    ? parts.bot.answer(press.line, turnOf(interaction.user.id))
    : Promise.resolve(tooOld)
  await respond(parts, interaction, answering, press?.opens === false ? 'update' : 'message')
}

/**
 * Answers an interaction: at once where the answer is quick, else after a deferral. What was refused or failed is
 * shown to the asker alone, and never in place of a message that others read.
 */
async function respond(
  parts: InteractionParts,
  interaction: ChatInputCommandInteraction | MessageComponentInteraction,
  answering: Promise<Answer>,
  how: 'message' | 'update',
): Promise<void> {
  const quick = await firstWithin(answering, deferAfter)
  if (quick) {
    await shownOrExplained(parts, quick, (answer, body) => {
      const ownMessage = how === 'message' || answer.outcome !== 'answered'
      const type = ownMessage
        ? InteractionResponseType.ChannelMessageWithSource
        : InteractionResponseType.UpdateMessage
      return callback(parts, interaction, { type, data: body })
    })
    return
  }
  await callback(parts, interaction, {
    type:
      how === 'message'
        ? InteractionResponseType.DeferredChannelMessageWithSource
        : InteractionResponseType.DeferredMessageUpdate,
  })
  const { applicationId, token } = interaction
  await shownOrExplained(parts, await answering, (answer, body) =>
    how === 'update' && answer.outcome !== 'answered'
      ? parts.client.rest.post(Routes.webhook(applicationId, token), { body, auth: false })
      : parts.client.rest.patch(Routes.webhookMessage(applicationId, token), { body, auth: false }),
  )
}

/** An answer that Discord won't show is a fault of ours; the person reads that instead of nothing. */
async function shownOrExplained(
  parts: InteractionParts,
  answer: Answer,
  show: (answer: Answer, body: DiscordMessage) => Promise<unknown>,
): Promise<void> {
  try {
    await show(answer, await bodyOf(parts, answer))
  } catch (error) {
    const refused = error instanceof DiscordAPIError && error.code === invalidFormBody
    if (error instanceof DiscordAPIError && !refused) throw error
    if (error instanceof HTTPError) throw error
    const instead = parts.bot.explain(error, '')
    await show(instead, await bodyOf(parts, instead))
  }
}

async function bodyOf(parts: InteractionParts, { view, outcome }: Answer): Promise<DiscordMessage> {
  const body = await renderDiscord(view, parts.lines)
  return outcome === 'answered' ? body : { ...body, flags: body.flags | MessageFlags.Ephemeral }
}

async function callback(
  parts: InteractionParts,
  interaction: Pick<Interaction, 'id' | 'token'>,
  body: unknown,
) {
  // Plain bodies through the REST client cost a third less than discord.js replies (docs/performance.md).
  await parts.client.rest.post(Routes.interactionCallback(interaction.id, interaction.token), {
    body,
    auth: false,
  })
}

async function onAutocomplete(parts: InteractionParts, interaction: AutocompleteInteraction) {
  const { name, value } = interaction.options.getFocused(true)
  const found = await parts.bot.complete(interaction.commandName, name, String(value))
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

async function firstWithin<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const tooOldView: View = {
  title: ['This button is too old'],
  tone: 'warn',
  blocks: [{ kind: 'text', spans: ['Send the command again.'] }],
}
const tooOld: Answer = { view: tooOldView, outcome: 'refused' }

function turnOf(person: string) {
  return { platform: 'discord', person } as const
}
