import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { Form, FormField } from '../../../src/core/conversation.ts'
import type { Answer } from '../../../src/core/dispatch.ts'
import type { Button, View } from '../../../src/core/view.ts'
import { DiscordVisitor } from '../../e2e/visitor.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const answered = (view: View): Answer => ({ view, outcome: 'answered' })
const field = (id: string, kind: FormField['kind']): FormField => ({
  id,
  label: id,
  about: '',
  kind,
  required: true,
})

/** A bot that asks for a name, then a picture, then builds in steps and hands a file over. */
function launches(): void {
  const { bot } = chat
  const asks = (words: string, line: string) =>
    answered({ ...viewOf(words), form: { label: 'Answer', line } })
  const forms: Form[] = [
    { id: 'words', title: 'Name', fields: [field('name', 'line'), field('symbol', 'line')] },
    { id: 'picture', title: 'Picture', fields: [field('picture', 'file')] },
  ]
  for (const form of forms) bot.forms.set(`launching form ${form.id}`, form)
  const confirm: Button = { label: 'Confirm', run: 'launching confirm x.3', look: 'main' }
  for (const line of [`launch from:${club.id}`, 'launch']) {
    bot.on(line, asks('What is it called?', 'launching form words'))
  }
  bot.receiver = async ({ fields, files, form, text }) => {
    if (form === 'words') {
      return asks(`${fields.name} ${fields.symbol}. A picture?`, 'launching form picture')
    }
    const bytes = await files[0]?.read(1000)
    return bytes && answered(viewOf(`Review: ${bytes.byteLength} bytes ${text}`, [confirm]))
  }
  bot.on(confirm.run, async (_, __, show) => {
    for (const step of ['publish', 'build', 'verify']) await show(viewOf(`${step} …`))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const payload = {
      name: 'payload.json',
      type: 'application/json',
      bytes: Buffer.from('{"a":1}'),
    }
    return answered({ ...viewOf('Sign it'), files: [payload] })
  })
}

const picture = { name: 'otter.png', type: 'image/png', bytes: Buffer.from('picture') }

test('a visitor goes through it in a server, and nobody else sees any of it', async () => {
  launches()
  const visitor = new DiscordVisitor({ discord: chat.server })
  await visitor.says('/launch')
  await visitor.sees('What is it called?')
  expect(visitor.controls()).toEqual(['Answer'])
  await visitor.fills({ name: 'Moon Otter', symbol: 'OTTER' })
  await visitor.sees('Moon Otter OTTER.')
  await visitor.sends(picture)
  await visitor.sees('Review: 7 bytes')
  await visitor.presses('Confirm')
  await visitor.sees('Sign it')
  expect(String(visitor.downloads('payload.json'))).toBe('{"a":1}')
  expect(chat.reads(club.id, ada.id)).toHaveLength(1)
  expect(chat.reads(club.id, ben.id)).toEqual([])
  expect(chat.bot.heard.every(({ context }) => context.ephemeral && context.chat === club.id)).toBe(
    true,
  )
})

test('a visitor goes through it in the private chat, by form and by message', async () => {
  launches()
  const dm = chat.server.people.dm(ben.id)
  const visitor = new DiscordVisitor({ discord: chat.server }, ben.id, dm)
  await visitor.says('/launch')
  await visitor.fills({ name: 'Moon Otter', symbol: 'OTTER' })
  await visitor.sees('A picture?')
  await visitor.writes('here', [picture])
  await visitor.sees('Review: 7 bytes here')
  await visitor.presses('Confirm')
  await visitor.sees('Sign it')
  expect(String(visitor.downloads('payload.json'))).toBe('{"a":1}')
})

test('a visitor can’t leave out, press or download what the app would not let them', async () => {
  launches()
  const visitor = new DiscordVisitor({ discord: chat.server })
  await visitor.says('/launch')
  await expect(visitor.fills({ name: 'Moon Otter' })).rejects.toThrow('symbol is required')
  await expect(visitor.presses('Confirm')).rejects.toThrow('no button Confirm: Answer')
  expect(() => visitor.downloads('payload.json')).toThrow('no file payload.json')
})
