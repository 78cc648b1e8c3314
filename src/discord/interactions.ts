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
import { within } from '../chat/within.ts'
import { lineOfOptions } from './commands.ts'
import { type DiscordMessage, pressData } from './render.ts'

export interface InteractionParts {
  client: Client<true>
  bot: Bot
  lines: LineKeeper
  render: (view: View) => Promise<DiscordMessage>
}

/** Discord's code for a body that breaks one of its rules. */
const invalidFormBody = 50_035

/** Discord wants a sign within 3 s: an answer that takes longer than this is announced first and filled in later. */
const deferAfter = 900

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
  if (reading.kind === 'elsewhere') return
  const { rest } = parts.client
  const { channelId } = message
  const answering = parts.bot.answer(reading.line, turnOf(message.author.id, channelId))
  if (!(await within(answering, deferAfter))) {
    // Only a courtesy: where it fails the answer may still arrive.
    await rest.post(Routes.channelTyping(channelId)).catch(() => undefined)
  }
  const answer = await answering
  if (answer.repeated) return
  await shownOrExplained(parts, reading.line, answer, ({ flags, ...body }) =>
    // What only the asker sees in a server needs no hiding here, and can't have it.
    rest.post(Routes.channelMessages(channelId), {
      body: { ...body, flags: flags & ~MessageFlags.Ephemeral },
    }),
  )
}

async function onSlash(parts: InteractionParts, interaction: ChatInputCommandInteraction) {
  const { commandName, options } = interaction
  const line = lineOfOptions(commandName, options.data, parts.bot.menu)
  const answering = parts.bot.answer(line, turnOf(interaction.user.id, interaction.channelId))
  await respond(parts, interaction, { line, answering, inPlace: false, alone: false })
}

async function onComponent(parts: InteractionParts, interaction: MessageComponentInteraction) {
  const chosen = interaction.isStringSelectMenu() ? interaction.values[0] : interaction.customId
  const press = await decodePress(pressData(chosen ?? ''), parts.lines)
  const answering = press
    ? parts.bot.answer(press.line, turnOf(interaction.user.id, interaction.channelId))
    : Promise.resolve(tooOld)
  const own = isOwn(interaction)
  const inPlace = press?.opens === false && own
  await respond(parts, interaction, { line: press?.line ?? '', answering, inPlace, alone: !own })
}

/** In a server a message belongs to who asked for it: what others press opens for them alone. */
function isOwn({ message, user }: MessageComponentInteraction): boolean {
  const asker = message.interactionMetadata?.user.id
  return !message.inGuild() || asker === undefined || asker === user.id
}

interface Response {
  line: string
  answering: Promise<Answer>
  /** The answer takes the place of the message that was pressed. */
  inPlace: boolean
  /** Only the asker sees the answer. */
  alone: boolean
}

/**
 * Answers an interaction: at once where the answer is quick, else after a deferral. What was refused or failed is
 * shown to the asker alone, and never in place of a message that others read.
 */
async function respond(
  parts: InteractionParts,
  interaction: ChatInputCommandInteraction | MessageComponentInteraction,
  { line, answering, inPlace, alone }: Response,
): Promise<void> {
  const { rest } = parts.client
  const { applicationId, token } = interaction
  const hidden = alone ? MessageFlags.Ephemeral : 0
  const quick = await within(answering, deferAfter)
  if (quick) {
    await shownOrExplained(parts, line, quick, ({ flags, ...body }, { outcome }) => {
      const type =
        inPlace && outcome === 'answered'
          ? InteractionResponseType.UpdateMessage
          : InteractionResponseType.ChannelMessageWithSource
      return callback(parts, interaction, { type, data: { ...body, flags: flags | hidden } })
    })
    return
  }
  await callback(
    parts,
    interaction,
    inPlace
      ? { type: InteractionResponseType.DeferredMessageUpdate }
      : {
          type: InteractionResponseType.DeferredChannelMessageWithSource,
          data: { flags: hidden },
        },
  )
  await shownOrExplained(parts, line, await answering, async (body, { outcome }) => {
    const original = Routes.webhookMessage(applicationId, token)
    if (outcome === 'answered' || alone) return rest.patch(original, { body, auth: false })
    // A deferral is public for good: what only the asker may see has to be a message of its own.
    if (!inPlace) await rest.delete(original, { auth: false })
    return rest.post(Routes.webhook(applicationId, token), { body, auth: false })
  })
}

/** An answer that Discord won't show is a fault of ours; the person reads that instead of nothing. */
async function shownOrExplained(
  parts: InteractionParts,
  line: string,
  answer: Answer,
  show: (body: DiscordMessage, answer: Answer) => Promise<unknown>,
): Promise<void> {
  try {
    await show(await bodyOf(parts, answer), answer)
  } catch (error) {
    const refused = error instanceof DiscordAPIError && error.code === invalidFormBody
    if (error instanceof HTTPError || (error instanceof DiscordAPIError && !refused)) throw error
    const instead = parts.bot.explain(error, line)
    await show(await bodyOf(parts, instead), instead)
  }
}

async function bodyOf(parts: InteractionParts, { view, outcome }: Answer): Promise<DiscordMessage> {
  const body = await parts.render(view)
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
  const asked = { command: interaction.commandName, option: name, typed: String(value) }
  const found = await parts.bot.complete(
    asked,
    turnOf(interaction.user.id, interaction.channelId ?? interaction.user.id),
  )
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

const tooOldView: View = {
  title: ['This button is too old'],
  tone: 'warn',
  blocks: [{ kind: 'text', spans: ['Send the command again.'] }],
}
const tooOld: Answer = { view: tooOldView, outcome: 'refused' }

function turnOf(person: string, place: string) {
  return { platform: 'discord', person, place } as const
}
