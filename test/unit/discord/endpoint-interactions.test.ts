import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, gavel } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { discordWithoutMessages } from '../../../src/discord/platform.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { statusOfBegun } from '../web/begun.ts'
import { adasTurn, controlOf, deferred, isEphemeral, startServer, textOf } from './discord-chat.ts'
import { type CalledBot, calledBot } from './endpoint-bot.ts'
import { asks, form, formLine } from './form-answers.ts'

const patience = { timeout: 20_000 }

let server: DiscordServer
let chat: CalledBot
beforeEach(async () => {
  server = await startServer()
  chat = await calledBot(server)
  await chat.platform.start()
  await expect.poll(() => server.endpoint.url, patience).toBe(chat.url)
})
afterEach(async () => {
  await chat.stop()
  await server.stop()
})

const ask = (term: string) => server.people.slash(ada.id, club.id, 'ask', { term })
/** What the bot did with interactions over the REST interface. */
const restCalls = () =>
  server.calls
    .filter(({ path }) => /\/(?:interactions|webhooks)\//u.test(path))
    .map(({ method, path, status }) => `${method} ${path.split('/').at(-1)} ${status}`)
/** The statuses of the answers to Discord's calls; fails if Discord did not accept a response in one. */
const answered = () =>
  server.endpoint.answers.map(({ status, refusal }) => {
    expect(refusal).toBeUndefined()
    return status
  })

describe('without a gateway', () => {
  test('no connection to one is opened', async () => {
    expect(textOf(await ask('moon').message())).toBe('ask moon')
    expect(server.sessionStarts).toBe(0)
    expect(chat.platform.receivers.map(({ name }) => name)).toEqual(['discord calls'])
    expect(chat.platform.state()).toBe('connected')
  })

  test('a command is run for the person in that channel, and messages are not received', async () => {
    await ask('moon otter').message()
    expect(chat.bot.asked).toEqual([
      { line: 'ask "moon otter"', context: { ...adasTurn, platform: discordWithoutMessages } },
    ])
  })

  test('autocomplete, buttons and forms work as well', async () => {
    chat.bot.choices = [{ value: 'a', label: 'Otter' }]
    const { people } = server
    const typed = people.complete(ada.id, club.id, 'ask', { term: 'ott' }, 'term')
    expect(await typed).toEqual([{ name: 'Otter', value: 'a' }])
    chat.bot.forms.set(formLine, form)
    chat.bot.on(`launch from:${club.id}`, asks('What is it called?'))
    const question = await people.slash(ada.id, club.id, 'launch').message()
    expect(isEphemeral(question)).toBe(true)
    const shown = await people
      .click(ada.id, club.id, question.id, controlOf(question, 'Answer'))
      .modal()
    chat.bot.receiver = async ({ fields }) => says(`It is ${fields.name}.`)
    const thanks = await people.submit(shown, { name: 'Otter' }).message()
    expect([textOf(thanks), thanks.id]).toEqual(['It is Otter.', question.id])
    // Choices, a new message, a form, and a change of the message that it was opened from.
    expect([answered(), restCalls()]).toEqual([[200, 200, 200, 200], []])
  })

  test('what takes longer is deferred and edited in over the REST interface, and Discord’s call answered meanwhile', async () => {
    const come = deferred(chat, 'ask moon')
    const asked = ask('moon')
    expect(await asked.taken).toBe('thinking')
    await expect.poll(answered, patience).toEqual([202])
    come(says('at last'))
    expect(textOf(await asked.message())).toBe('at last')
    await expect.poll(restCalls, patience).toEqual(['POST callback 204', 'PATCH @original 200'])
  })

  test('steps of an answer go over the REST interface, so that what follows finds them', async () => {
    const answer = Promise.withResolvers<void>()
    chat.bot.on('ask moon', async (_, __, show) => {
      await show(viewOf('step 1'))
      await answer.promise
      return says('at last')
    })
    const asked = ask('moon')
    expect(await asked.taken).toBe('message')
    await expect.poll(answered, patience).toEqual([202])
    answer.resolve()
    await server.people.until(club.id, ada.id, (messages) =>
      messages.find((message) => textOf(message) === 'at last'),
    )
    await expect.poll(restCalls, patience).toEqual(['POST callback 204', 'PATCH @original 200'])
  })

  test('files go over the REST interface', async () => {
    const files = [{ name: 'payload.json', type: 'application/json', bytes: Buffer.from('{}') }]
    chat.bot.on('ask moon', { view: { ...viewOf('Sign this.'), files }, outcome: 'answered' })
    expect((await ask('moon').message()).attachments).toHaveLength(1)
    await expect.poll(restCalls, patience).toEqual(['POST callback 204', 'PATCH @original 200'])
    await expect.poll(answered, patience).toEqual([202])
  })

  test('what Discord no longer accepts is no error, and its call is answered', async () => {
    deferred(chat, 'ask moon')
    server.answerMs = -1
    await expect(ask('moon').taken).rejects.toThrow('did not respond')
    await expect.poll(answered, patience).toEqual([202])
    expect(restCalls()).toEqual(['POST callback 404'])
    expect(chat.log.of('error')).toEqual([])
  })

  test('a stop lets answers under way arrive', async () => {
    const come = Promise.withResolvers<void>()
    chat.bot.on('ask moon', async () => {
      await come.promise
      return says('at last')
    })
    const asked = ask('moon')
    await expect.poll(() => chat.bot.lines, patience).toEqual(['ask moon'])
    const stopping = chat.platform.stop()
    come.resolve()
    await stopping
    expect(textOf(await asked.message())).toBe('at last')
    expect([answered(), restCalls()]).toEqual([[200], []])
  })

  test('a command in a private chat makes that chat known for later messages', async () => {
    const dm = server.people.dm(ben.id)
    await server.people.slash(ben.id, dm, 'ask', { term: 'moon' }).message()
    expect(chat.bot.asked[0]?.context).toMatchObject({
      user: ben.id,
      isPrivate: true,
      ephemeral: true,
      locale: 'en',
    })
    await chat.platform.send({ kind: 'person', id: ben.id }, says('news').view, 'one')
    expect(server.calls.map(({ route }) => route)).not.toContain('/users/@me/channels')
  })
})

describe('a request to the endpoint', () => {
  const payload = (id: string) =>
    JSON.stringify({
      id,
      token: 'a-token',
      application_id: gavel.id,
      type: 2,
      channel_id: club.id,
      guild_id: '1300000000000000200',
      member: { user: { id: ada.id } },
      data: { type: 1, name: 'ask', options: [] },
    })
  const now = () => Math.floor(Date.now() / 1000)
  const call = async (body: string | Uint8Array, headers: object) => {
    const answer = await fetch(chat.url, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    })
    return { status: answer.status, text: await answer.text() }
  }
  const signed = (body: string, at = now()) => server.endpoint.signed(body, at)

  test('that is a ping is answered as such', async () => {
    const ping = JSON.stringify({ id: '1', type: 1, token: 'x', application_id: gavel.id })
    expect(await call(ping, signed(ping))).toEqual({ status: 200, text: '{"type":1}' })
  })

  test.each([
    ['no signature', () => ({})],
    ['the signature of another body', () => signed(payload('2'))],
    [
      'the signature of another time',
      (body: string) => ({ ...signed(body), 'x-signature-timestamp': String(now() - 1) }),
    ],
    [
      'a signature that is none',
      (body: string) => ({ ...signed(body), 'x-signature-ed25519': 'zz' }),
    ],
    [
      'a signature of zeros',
      (body: string) => ({ ...signed(body), 'x-signature-ed25519': '0'.repeat(128) }),
    ],
    [
      'a time that is none',
      (body: string) => ({ ...signed(body), 'x-signature-timestamp': 'now' }),
    ],
  ])('with %s is refused as not Discord’s, and not handled', async (_, headers) => {
    const body = payload('1300000000000000009')
    expect((await call(body, headers(body))).status).toBe(401)
    expect(textOf(await ask('moon').message())).toBe('ask moon')
    expect(chat.bot.lines).toEqual(['ask moon'])
  })

  test.each([
    [-330, 401],
    [-270, 200],
    [270, 200],
    [330, 401],
  ])('with a signature %i s from now gets %i', async (seconds, status) => {
    const body = payload('1300000000000000009')
    expect((await call(body, signed(body, now() + seconds))).status).toBe(status)
  })

  test('with an interaction that came before is not handled', async () => {
    const body = payload('1300000000000000009')
    for (const status of [200, 202, 202]) {
      expect((await call(body, signed(body))).status).toBe(status)
    }
    expect(textOf(await ask('moon').message())).toBe('ask moon')
    expect(chat.bot.lines).toEqual(['ask', 'ask moon'])
  })

  test('is verified by its bytes, even if they are no text', async () => {
    const bytes = Buffer.from([0x22, 0xff, 0x22])
    expect((await call(bytes, signed('"\ufffd"'))).status).toBe(401)
  })

  test.each(['{', '[]', '{"type":9}', '{"type":2}'])('with %j is refused', async (body) => {
    expect((await call(body, signed(body))).status).toBe(400)
  })

  test('with more than Discord ever sends is refused before it is verified', async () => {
    const body = ' '.repeat(128 * 1024 + 1)
    expect((await call(body, signed(body))).status).toBe(413)
    const streamed = { ...signed(body), 'content-type': 'application/json' }
    const stream = new Blob([body]).stream()
    const options = { method: 'POST', body: stream, headers: streamed, duplex: 'half' } as const
    expect((await fetch(chat.url, options)).status).toBe(413)
  })

  test.each([
    ['no signature', () => ({})],
    ['the signature of a time long ago', () => signed(payload('2'), now() - 330)],
    ['what is no signature', () => ({ ...signed(payload('2')), 'x-signature-ed25519': 'zz' })],
  ])('with %s is refused before it was read in full', async (_, headers) => {
    expect(await statusOfBegun(chat.url, headers())).toBe(401)
  })

  test('with a form and its message, both of max size, is handled', async () => {
    const component = { type: 4, custom_id: 'a', value: '語'.repeat(4_000) }
    const data = { custom_id: '?x', components: Array(5).fill({ type: 18, component }) }
    const message = { id: '12', components: [{ type: 10, content: '語'.repeat(4_000) }] }
    const all = { ...JSON.parse(payload('1300000000000000009')), type: 5, data, message }
    const body = JSON.stringify(all)
    expect((await call(body, signed(body))).status).toBe(200)
  })

  test('during a stop is answered 404', async () => {
    await chat.platform.stop()
    const body = payload('1300000000000000009')
    expect((await call(body, signed(body))).status).toBe(503)
  })
})
