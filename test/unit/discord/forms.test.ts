import { type APIMessage, ComponentType } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { ShownModal } from '../../../sandbox/discord/people.ts'
import type { Form, FormField } from '../../../src/core/conversation.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { discord } from '../../../src/discord/platform.ts'
import { refuses, says, viewOf } from '../core/scripted-bot.ts'
import { type Chat, controlOf, isEphemeral, startChat, textOf } from './discord-chat.ts'
import { asks, field, form, formLine } from './form-answers.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

/** What Ada alone sees in the club, with a button that opens the form. */
async function question(shown: Form<string> | Answer = form): Promise<APIMessage> {
  chat.bot.forms.set(formLine, shown)
  chat.bot.on(`launch from:${club.id}`, asks('What is it called?'))
  return chat.server.people.slash(ada.id, club.id, 'launch').message()
}

/** The same where everybody reads it. */
async function openQuestion(shown: Form<string> = form): Promise<APIMessage> {
  chat.bot.forms.set(formLine, shown)
  chat.bot.on('ask card', asks('What is it called?'))
  return chat.server.people.slash(ada.id, club.id, 'ask', { term: 'card' }).message()
}

const press = (message: APIMessage, person: string = ada.id) =>
  chat.server.people.click(person, message.channel_id, message.id, controlOf(message, 'Answer'))
const opened = async (shown: Form<string>): Promise<ShownModal> =>
  press(await question(shown)).modal()
const adaReads = () => chat.reads(club.id, ada.id)
const benReads = () => chat.reads(club.id, ben.id)

describe('the button of a form', () => {
  test('opens it with all fields', async () => {
    const fields: FormField<string>[] = [
      { ...field, example: 'Moon Otter', maxLength: 32, value: 'Otter' },
      {
        id: 'about',
        label: 'About',
        about: '',
        kind: 'paragraph',
        required: false,
        maxLength: 9000,
      },
      { id: 'picture', label: 'Picture', about: 'PNG', kind: 'file', required: false },
      { id: 'proof', label: 'Proof', about: 'PDF', kind: 'file', required: true },
    ]
    const { modal } = await opened({ ...form, fields })
    expect(modal.title).toBe('Your token')
    expect(modal.components).toEqual([
      {
        type: ComponentType.Label,
        label: 'Name',
        description: 'A',
        component: {
          type: ComponentType.TextInput,
          custom_id: 'name',
          style: 1,
          required: true,
          max_length: 32,
          placeholder: 'Moon Otter',
          value: 'Otter',
        },
      },
      {
        type: ComponentType.Label,
        label: 'About',
        component: {
          type: ComponentType.TextInput,
          custom_id: 'about',
          style: 2,
          required: false,
          max_length: 4000,
        },
      },
      {
        type: ComponentType.Label,
        label: 'Picture',
        description: 'PNG',
        component: {
          type: ComponentType.FileUpload,
          custom_id: 'picture',
          required: false,
          min_values: 0,
          max_values: 1,
        },
      },
      {
        type: ComponentType.Label,
        label: 'Proof',
        description: 'PDF',
        component: {
          type: ComponentType.FileUpload,
          custom_id: 'proof',
          required: true,
          min_values: 1,
          max_values: 1,
        },
      },
    ])
    const context = {
      platform: discord,
      user: ada.id,
      chat: club.id,
      ephemeral: true,
      isPrivate: false,
      locale: 'en',
      update: expect.any(String),
    }
    expect(chat.bot.formsAsked).toEqual([{ line: formLine, context }])
  })

  test('opens one with texts shortened for Discord, but never an answer', async () => {
    const long = 'x'.repeat(5000)
    const texts = { label: long, about: long, example: long, value: 'y'.repeat(40), maxLength: 32 }
    const { modal } = await opened({ ...form, title: long, fields: [{ ...field, ...texts }] })
    expect(modal.title).toBe(`${'x'.repeat(44)}…`)
    expect(modal.components).toMatchObject([
      {
        label: `${'x'.repeat(44)}…`,
        description: `${'x'.repeat(99)}…`,
        component: {
          placeholder: `${'x'.repeat(99)}…`,
          value: 'y'.repeat(40),
          max_length: 40,
        },
      },
    ])
    const without = await opened({ ...form, fields: [{ ...field, value: long }] })
    expect(JSON.stringify(without.modal.components)).not.toContain('value"')
  })

  test('on a public message opens a form for everybody who presses it', async () => {
    const message = await openQuestion()
    await press(message, ben.id).modal()
    expect(chat.bot.formsAsked[0]?.context).toMatchObject({ user: ben.id, ephemeral: true })
  })

  test.each([
    ['is refused', refuses('This has already been answered.')],
    ['has something else to say', says('This has already been answered.')],
  ])('that %s shows it instead of a form, to the presser alone', async (_, instead) => {
    const message = await openQuestion()
    chat.bot.forms.set(formLine, instead)
    const answer = await press(message).message()
    expect([textOf(answer), isEphemeral(answer)]).toEqual(['This has already been answered.', true])
    expect(benReads()).toEqual(['What is it called?'])
  })

  test.each<[string, Form<string>, string]>([
    ['has more fields than fit', { ...form, fields: Array(6).fill(field) }, 'A form has 6 fields'],
    ['is refused by Discord', { ...form, fields: [field, field] }, 'Invalid Form Body'],
  ])('says so if the form %s', async (_, unshowable, message) => {
    const answer = await press(await question(unshowable)).message()
    expect([textOf(answer), isEphemeral(answer)]).toEqual(['explained', true])
    const [explained] = chat.bot.explained
    expect(explained).toMatchObject({ line: formLine })
    expect(String(explained?.error)).toContain(message)
  })

  test('asks to press again if the form takes too long', async () => {
    const message = await question()
    const slow = Promise.withResolvers<Form<string>>()
    chat.bot.form = () => slow.promise
    const answer = await press(message).message()
    expect(isEphemeral(answer)).toBe(true)
    expect(textOf(answer)).toContain('Press the button again.')
    slow.resolve(form)
    chat.bot.form = async () => form
    await press(message).modal()
    expect(chat.log.of('error')).toEqual([])
  })

  test('whose long line was deleted is too old', async () => {
    const line = `launching form ${'月'.repeat(100)}`
    chat.bot.on('ask card', {
      ...asks('?'),
      view: { ...viewOf('?'), form: { label: 'Answer', line } },
    })
    chat.bot.forms.set(line, form)
    const { people } = chat.server
    const card = await people.slash(ada.id, club.id, 'ask', { term: 'card' }).message()
    await press(card).modal()
    chat.lines.forget()
    expect(textOf(await press(card).message())).toContain('This form is too old')
  })
})

describe('a form that was filled in', () => {
  test('is handled with its id and all fields, the empty ones too', async () => {
    const about: FormField<string> = { ...field, id: 'about', required: false }
    const shown = await opened({ ...form, fields: [field, about] })
    chat.bot.receiver = async () => says('Thanks.')
    await chat.server.people.submit(shown, { name: ' Otter ' }).message()
    const context = {
      platform: discord,
      user: ada.id,
      chat: club.id,
      ephemeral: true,
      isPrivate: false,
      locale: 'en',
      update: expect.any(String),
    }
    const heard = { text: '', fields: { name: ' Otter ', about: '' }, files: [], form: form.id }
    expect(chat.bot.heard).toEqual([{ heard, context }])
  })

  test('is answered by replacing the question, quick or slow', async () => {
    const message = await question()
    chat.bot.receiver = async () => asks('And the symbol?')
    const quick = await chat.server.people
      .submit(await press(message).modal(), { name: 'x' })
      .message()
    expect([quick.id, isEphemeral(quick)]).toEqual([message.id, true])
    const slow = Promise.withResolvers<Answer>()
    chat.bot.receiver = () => slow.promise
    chat.times.deferAfterMs = 0
    const asked = chat.server.people.submit(await press(message).modal(), { name: 'x' })
    expect(await asked.taken).toBe('pending-update')
    slow.resolve(says('Done.'))
    expect((await asked.message()).id).toBe(message.id)
    expect([adaReads(), benReads()]).toEqual([['Done.'], []])
  })

  test('that is refused says so beside the question, which stays', async () => {
    const shown = await opened(form)
    chat.bot.receiver = async () => refuses('Too long.')
    expect(isEphemeral(await chat.server.people.submit(shown, { name: 'x' }).message())).toBe(true)
    expect(adaReads()).toEqual(['What is it called?', 'Too long.'])
  })

  test.each([
    ['the asker', ada.id],
    ['somebody else', ben.id],
  ])('from a public message is answered to %s alone', async (_, person) => {
    const shown = await press(await openQuestion(), person).modal()
    chat.bot.receiver = async () => says('Thanks.')
    const message = await chat.server.people.submit(shown, { name: 'x' }).message()
    expect(isEphemeral(message)).toBe(true)
    expect(chat.reads(club.id, person)).toEqual(['What is it called?', 'Thanks.'])
    expect(chat.bot.heard[0]?.context).toMatchObject({ user: person, ephemeral: true })
  })

  test('with a long id is handled with it, and is too old once that is deleted', async () => {
    const id = `k3f9a2bc ${'月'.repeat(100)}`
    const shown = await opened({ ...form, id })
    chat.bot.receiver = async () => says('Thanks.')
    await chat.server.people.submit(shown, { name: 'x' }).message()
    expect(chat.bot.heard.map(({ heard }) => heard.form)).toEqual([id])
    chat.lines.forget()
    const late = await chat.server.people.submit(shown, { name: 'x' }).message()
    expect(textOf(late)).toContain('This form is too old')
    expect(chat.bot.heard).toHaveLength(1)
  })
})
