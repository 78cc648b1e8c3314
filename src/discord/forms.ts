import { InteractionResponseType } from 'discord.js'
import { decodeForm } from '../chat/control.ts'
import type { Form } from '../chat/conversation.ts'
import type { Answer } from '../chat/dispatch.ts'
import { within } from '../chat/within.ts'
import { type AnswerParts, isDiscords, respond, turnOf } from './answering.ts'
import type { FilledForm, Press } from './incoming.ts'
import { heardFrom, modalOf } from './modal.ts'
import { callback, InteractionReply } from './reply.ts'
import { whose } from './whose.ts'

/** No form can follow an announcement, and Discord waits 3 s for it: this leaves the time to say that it was too slow. */
const formDeadline = 2_000

/** A press of the button that opens a form; whatever there is to say instead is for the presser alone. */
export async function onFormPress(
  parts: AnswerParts,
  interaction: Press,
  data: string,
): Promise<void> {
  const { bot, lines } = parts
  const { person, place, direct } = interaction
  const line = await decodeForm(data, lines)
  const turn = turnOf(parts, person, place, { alone: true, direct })
  const asking = line === undefined ? tooOld : bot.form(line, turn)
  const form = (await within(Promise.resolve<Form | Answer>(asking), formDeadline)) ?? tooSlow
  const answer = 'view' in form ? form : await opened(parts, interaction, form, line ?? '')
  if (!answer) return
  const manner = { inPlace: false, hidden: !direct }
  await new InteractionReply(parts, interaction, manner).finish(line ?? '', answer)
}

/** Shows the form; where that can't be done, what to say of it. */
async function opened(
  parts: AnswerParts,
  interaction: Press,
  form: Form,
  line: string,
): Promise<Answer | undefined> {
  try {
    const data = await modalOf(form, parts.lines)
    await callback(parts, interaction, { type: InteractionResponseType.Modal, data })
    return undefined
  } catch (error) {
    if (isDiscords(error)) throw error
    return parts.bot.explain(error, line)
  }
}

/** A form that was filled in: the answer takes the place of a message that nobody else sees. */
export async function onModalSubmit(parts: AnswerParts, interaction: FilledForm): Promise<void> {
  const { bot, lines } = parts
  const { person, place, direct, message } = interaction
  const { private: hidden } = whose(interaction)
  const manner = { inPlace: message !== undefined && hidden, hidden: !direct }
  const turn = turnOf(parts, person, place, { alone: true, direct })
  const form = await decodeForm(interaction.form, lines)
  await respond(new InteractionReply(parts, interaction, manner), '', async (show) => {
    if (form === undefined) return tooOld
    try {
      return await bot.hear(heardFrom(parts, interaction, form), '', turn, show)
    } catch (error) {
      return bot.explain(error, '')
    }
  })
}

const tooOld = refusal('This form is too old', 'Send the command again.')
const tooSlow = refusal('That took too long', 'Press the button again.')

function refusal(title: string, words: string): Answer {
  const blocks = [{ kind: 'text' as const, spans: [words] }]
  return { view: { title: [title], tone: 'warn', blocks }, outcome: 'refused' }
}
