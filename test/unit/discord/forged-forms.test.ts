import { type APIModalInteractionResponseCallbackData, ComponentType } from 'discord-api-types/v10'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import type { ShownModal } from '../../../sandbox/discord/people.ts'
import { says } from '../core/scripted-bot.ts'
import { type Chat, controlOf, isEphemeral, startChat, textOf } from './discord-chat.ts'
import { asks, form, formLine } from './form-answers.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const launchLine = `launch from:${club.id}`

async function opened(): Promise<ShownModal> {
  chat.bot.forms.set(formLine, form)
  chat.bot.on(launchLine, asks('What is it called?'))
  const { people } = chat.server
  const message = await people.slash(ada.id, club.id, 'launch').message()
  return people.click(ada.id, club.id, message.id, controlOf(message, 'Answer')).modal()
}

/** A modal as no bot of ours made it. */
function forged(
  shown: ShownModal,
  change: Partial<APIModalInteractionResponseCallbackData>,
): ShownModal {
  return { ...shown, modal: { ...shown.modal, ...change } }
}

const input = (custom_id: string) => ({
  type: ComponentType.Label as const,
  label: 'x',
  component: {
    type: ComponentType.TextInput as const,
    custom_id,
    style: 2 as const,
    max_length: 1_000_000,
  },
})

test.each(['', 'k3f9a2bc.12', '=ask card', '+ask card', '?', '?#', '?#gone', 'x'.repeat(100)])(
  'a forged form with the id %j is answered as too old, and not handled',
  async (custom_id) => {
    const shown = forged(await opened(), { custom_id })
    const message = await chat.server.people.submit(shown, { name: 'x' }).message()
    expect([textOf(message).includes('too old'), isEphemeral(message)]).toEqual([true, true])
    expect([chat.bot.heard, chat.bot.lines]).toEqual([[], [launchLine]])
  },
)

test.each([
  ['a text of 100 kB', { name: 'x'.repeat(100_000) }, ['name']],
  ['the name of a field of 100 kB', { ['x'.repeat(100_000)]: 'x' }, ['x'.repeat(100_000)]],
  ['more fields than five', { a: 'x' }, ['a', 'b', 'c', 'd', 'e', 'f']],
])('a forged form with %s is refused, and not handled', async (_, values, ids) => {
  const filled = Object.fromEntries(ids.map((id) => [id, 'x']))
  const shown = forged(await opened(), { components: ids.map(input) })
  const message = await chat.server.people.submit(shown, { ...filled, ...values }).message()
  expect(textOf(message)).toContain('That is too long.')
  expect(chat.bot.heard).toEqual([])
})

test('a form with fields that nobody asked for is passed on as it is', async () => {
  const ids = ['__proto__', 'constructor', 'wallet']
  const shown = forged(await opened(), { components: ids.map(input) })
  chat.bot.receiver = async () => says('Thanks.')
  const values = Object.fromEntries(ids.map((id) => [id, '1']))
  await chat.server.people.submit(shown, values).message()
  expect(Object.entries(chat.bot.heard[0]?.heard.fields ?? {})).toEqual(ids.map((id) => [id, '1']))
})
