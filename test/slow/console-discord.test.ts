import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from '../../sandbox/browser.ts'
import type { ConsoleServer } from '../../sandbox/console/server.ts'
import { ada, ben, club, gavel } from '../../sandbox/discord/cast.ts'
import { discordConsole } from '../../sandbox/discord/console.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { startConsole, staysAtEnd } from './console-page.ts'
import {
  call,
  callback,
  commands,
  Line,
  nextInteraction,
  say,
  token,
} from './sandbox/discord-bot.ts'

let browser: Browser
let server: DiscordServer
let line: Line
let web: ConsoleServer
let page: Page
let faults: string[]

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

beforeEach(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
  line = new Line(server)
  await line.identify()
  await line.when('GUILD_CREATE')
  await call(server, `PUT /applications/${gavel.id}/commands`, [
    ...commands,
    {
      name: 'asset',
      description: 'Show one asset',
      options: [
        { type: 3, name: 'asset', description: 'Symbol', required: true, autocomplete: true },
        {
          type: 3,
          name: 'chain',
          description: 'Chain',
          choices: [{ name: 'Base', value: '8453' }],
        },
      ],
    },
  ])
  web = await startConsole({ discord: discordConsole(server) })
  faults = []
  page = await browser.newPage()
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(web.url)
  await page.getByText('Type / to see what Gavel can do.').waitFor()
})

afterEach(async () => {
  expect(faults).toEqual([])
  await page.close()
  await web.stop()
  await line.close()
  await server.stop()
})

const box = () => page.getByRole('textbox', { name: 'Message' })
const bubble = (text: string) => page.locator('[data-message]').filter({ hasText: text })

async function bot(body: unknown, from: number): Promise<unknown> {
  const interaction = await nextInteraction(line, from)
  expect(await callback(server, interaction, body)).toMatchObject({ status: 204 })
  return interaction.data
}

/**
 * Types all of an option's text at once, after what its focus asks for was answered: the page asks for each letter of slow typing,
 * too, and an answer would go to the first. Returns the frame from which on the page asks for the text.
 */
async function typesInto(option: string, text: string, from: number): Promise<number> {
  await bot({ type: 8, data: { choices: [] } }, from)
  await page.getByText('No options match').waitFor()
  const next = line.frames.length
  await page.getByLabel(option, { exact: true }).fill(text)
  return next
}

describe('a command', () => {
  test('typed as one line runs with Enter, and its answer says who used what', async () => {
    const from = line.frames.length
    await box().fill('/asset moon otter chain:8453')
    await box().press('Enter')
    const data = await bot(say('here it is'), from)
    expect(data).toMatchObject({
      name: 'asset',
      options: [
        { name: 'asset', value: 'moon otter' },
        { name: 'chain', value: '8453' },
      ],
    })
    const answer = bubble('here it is')
    await answer.waitFor()
    expect(await answer.innerText()).toMatch(/Ada\s*used\s*asset/)
    expect(await box().inputValue()).toBe('')
  })

  test('typed with the names of its options gives a text all its words up to the next name', async () => {
    const from = line.frames.length
    await box().fill('/asset asset:moon otter chain:8453')
    await box().press('Enter')
    expect(await bot(say('here it is'), from)).toMatchObject({
      options: [
        { name: 'asset', value: 'moon otter' },
        { name: 'chain', value: '8453' },
      ],
    })
  })

  test('picked from the list takes its options with autocomplete and choices', async () => {
    await box().pressSequentially('/ass')
    await page.getByRole('option', { name: 'Show one asset' }).waitFor()
    let from = line.frames.length
    await page.keyboard.press('Enter')
    from = await typesInto('asset', 'ot', from)
    await bot({ type: 8, data: { choices: [{ name: 'Moon Otter', value: '0xabc' }] } }, from)
    await page.getByRole('option', { name: 'Moon Otter', selected: true }).waitFor()
    // Enter takes the first suggestion, and sends only once there is none to take.
    await page.keyboard.press('Enter')
    await page.keyboard.type('chain:')
    await page.getByRole('option', { name: 'Base' }).click()
    from = line.frames.length
    await page.keyboard.press('Enter')
    expect(await bot(say('done'), from)).toMatchObject({
      options: [
        { name: 'asset', value: '0xabc' },
        { name: 'chain', value: '8453' },
      ],
    })
    await bubble('done').waitFor()
  })

  test('whose suggestions are still on their way waits for the first of them at Enter', async () => {
    let from = line.frames.length
    await box().pressSequentially('/asset ')
    from = await typesInto('asset', 'ott', from)
    await page.keyboard.press('Enter')
    await bot({ type: 8, data: { choices: [{ name: 'Moon Otter', value: '0xabc' }] } }, from)
    await expect
      .poll(() => page.getByLabel('asset', { exact: true }).inputValue())
      .toBe('Moon Otter')
    from = line.frames.length
    await page.keyboard.press('Enter')
    expect(await bot(say('done'), from)).toMatchObject({
      options: [{ name: 'asset', value: '0xabc' }],
    })
  })

  test('without options runs at once, one with options is opened to be filled in', async () => {
    const from = line.frames.length
    await box().fill('/ask')
    await box().press('Enter')
    await bot(say('asked'), from)
    await bubble('asked').waitFor()
    await box().fill('/asset')
    await box().press('Enter')
    await page.getByLabel('asset', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await box().waitFor()
  })

  test('that the bot does not answer is shown as unanswered', async () => {
    await box().fill('/ask')
    await box().press('Enter')
    await page.getByText('The application did not respond').waitFor()
    await page.getByRole('button', { name: 'Dismiss message' }).click()
    await page.getByText('The application did not respond').waitFor({ state: 'detached' })
  })

  test('that the app refuses can be corrected', async () => {
    await box().fill('/find a')
    await box().press('Enter')
    await page.getByText('The option term must have 2 to 5 characters.').waitFor()
    expect(await box().inputValue()).toBe('/find a')
  })
})

test('the list stays at its newest message, unless somebody scrolls up', async () => {
  await page.setViewportSize({ width: 1200, height: 600 })
  for (let sent = 1; sent <= 8; sent += 1) {
    const content = `message ${sent}\n${'line\n'.repeat(6)}`
    await call(server, `POST /channels/${club.id}/messages`, { content })
  }
  await bubble('message 8').waitFor()
  await staysAtEnd(page.locator('[data-panel=discord] .scroller'))
})

describe('what the bot sends', () => {
  test('is shown as text where a name is hostile: no element, no link, no ping', async () => {
    const name =
      '<img src=x onerror="window.hacked = true"> \\[x\\](https://evil.example) \\@everyone'
    const components = [{ type: 17, components: [{ type: 10, content: `**${name}**` }] }]
    await call(server, `POST /channels/${club.id}/messages`, {
      flags: 1 << 15,
      components,
      allowed_mentions: { parse: [] },
    })
    const message = bubble('<img src=x')
    await message.waitFor()
    expect(await message.locator('img').count()).toBe(0)
    expect(await message.locator('.mention').count()).toBe(0)
    expect(await message.locator('a').allInnerTexts()).not.toContain('x')
    expect(await page.evaluate('"hacked" in globalThis')).toBe(false)
  })

  test('is quoted as plain text above a reply to it', async () => {
    const soon = Math.floor(Date.now() / 1000) + 7_300
    const components = [
      { type: 10, content: `## **Moon Otter** \\*\n- End: <t:${soon}:R>\n- by <@${ada.id}>` },
    ]
    const path = `POST /channels/${club.id}/messages`
    const { json } = await call(server, path, { flags: 1 << 15, components })
    const { id: message_id } = z.object({ id: z.string() }).parse(json)
    await call(server, path, { content: 'sold out', message_reference: { message_id } })
    const above = bubble('sold out').locator('.above-text')
    expect(await above.innerText()).toBe('Moon Otter * End: in 2 hours by @Ada')
  })

  test('works: buttons, selects, a modal, edits and ephemeral notes', async () => {
    let from = line.frames.length
    await box().fill('/ask')
    await box().press('Enter')
    const options = [
      { label: 'Moon Otter', value: 'moon' },
      { label: 'Sea Otter', value: 'sea' },
    ]
    const components = [
      { type: 1, components: [{ type: 3, custom_id: 'pick', placeholder: 'Choose', options }] },
      { type: 1, components: [{ type: 2, style: 1, label: 'Launch', custom_id: 'launch' }] },
    ]
    await bot(say('which?', { components, flags: 64 }), from)
    await bubble('which?').getByText('Only you can see this').waitFor()

    from = line.frames.length
    await page.getByRole('button', { name: 'Choose' }).click()
    await page.getByRole('option', { name: 'Sea Otter' }).click()
    const update = { type: 7, data: { content: 'the sea one?', components } }
    expect(await bot(update, from)).toMatchObject({ values: ['sea'] })
    await bubble('the sea one?').getByText('(edited)').waitFor()

    from = line.frames.length
    await page.getByRole('button', { name: 'Launch' }).click()
    const input = { type: 4, custom_id: 'name', style: 1 }
    const modal = {
      custom_id: 'm',
      title: 'Name it',
      components: [{ type: 18, label: 'Name', component: input }],
    }
    await bot({ type: 9, data: modal }, from)
    const dialog = page.getByRole('dialog', { name: 'Name it' })
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await dialog.getByText('name is required.').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('Otto')
    from = line.frames.length
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await bot(say('Hello Otto', { flags: 64 }), from)
    await bubble('Hello Otto').waitFor()
    expect(await dialog.count()).toBe(0)
    await bubble('Hello Otto').getByRole('button', { name: 'Dismiss message' }).click()
    await bubble('Hello Otto').waitFor({ state: 'detached' })
  })

  test('takes a file through a modal, also one that is still on its way when it is sent', async () => {
    let from = line.frames.length
    await box().fill('/ask')
    await box().press('Enter')
    const upload = { type: 19, custom_id: 'picture', required: true }
    const part = { type: 18, label: 'Logo', component: upload }
    await bot({ type: 9, data: { custom_id: 'm', title: 'Show it', components: [part] } }, from)
    const dialog = page.getByRole('dialog', { name: 'Show it' })
    const file = { name: 'otter.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    const sent = Promise.withResolvers<void>()
    await page.route('**/upload', async (route) => {
      await sent.promise
      await route.continue()
    })
    await dialog.getByLabel('Logo', { exact: true }).setInputFiles(file)
    from = line.frames.length
    await dialog.getByRole('button', { name: 'Submit' }).click()
    sent.resolve()
    expect(await bot(say('Seen', { flags: 64 }), from)).toMatchObject({
      resolved: { attachments: expect.anything() },
    })
    await bubble('Seen').waitFor()
  })

  test('is thinking until it answers', async () => {
    const from = line.frames.length
    await box().fill('/ask')
    await box().press('Enter')
    const interaction = await nextInteraction(line, from)
    await callback(server, interaction, { type: 5 })
    await page.getByText('Gavel is thinking…').waitFor()
    const path = `PATCH /webhooks/${gavel.id}/${interaction.token}/messages/@original`
    await call(server, path, { content: 'thought' })
    await bubble('thought').waitFor()
    await page.getByText('Gavel is thinking…').waitFor({ state: 'detached' })
  })
})

test('a link that adds the bot to a server has Ada choose one, and the bot join it anew', async () => {
  const url = `https://discord.com/oauth2/authorize?client_id=${gavel.id}&scope=bot`
  const button = { type: 2, style: 5, label: 'Add to a server', url }
  const path = `POST /channels/${club.id}/messages`
  await call(server, path, { content: 'hi', components: [{ type: 1, components: [button] }] })
  const add = page.getByRole('link', { name: 'Add to a server' })
  await add.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Otter Club' }).click()
  await line.when('GUILD_DELETE')
  await expect.poll(() => line.frames.filter(({ t }) => t === 'GUILD_CREATE')).toHaveLength(2)
  await page.getByRole('button', { name: 'Ben', exact: true }).last().click()
  await add.click()
  await dialog.getByText('You manage no server here').waitFor()
  expect(page.context().pages()).toHaveLength(1)
})

describe('person and channel', () => {
  test('are switched in the header: Ben sees and writes only what he may', async () => {
    const from = line.frames.length
    server.people.slash(ada.id, club.id, 'ask')
    await bot(say('for Ada', { flags: 64 }), from)
    await bubble('for Ada').waitFor()
    await page.getByRole('button', { name: 'Ben' }).click()
    server.people.text(ben.id, club.id, 'Ben here')
    await bubble('Ben here').waitFor()
    expect(await bubble('for Ada').count()).toBe(0)
    await page.getByRole('button', { name: 'otter-news' }).click()
    await page.getByPlaceholder('You do not have permission').waitFor()
    await page.getByRole('button', { name: 'Gavel', exact: true }).click()
    await page.getByPlaceholder('Message @Gavel').waitFor()
    await box().fill('good day')
    await box().press('Enter')
    await bubble('good day').waitFor()
  })

  test('fit a phone: nothing is wider than the screen', async () => {
    await page.setViewportSize({ width: 375, height: 700 })
    await page.getByRole('tab', { name: 'Discord' }).click()
    server.people.text(ben.id, club.id, `long ${'x'.repeat(400)}`)
    await bubble('long').waitFor()
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(375)
  })
})

describe('a picture drawn by the bot', () => {
  const red =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

  function card(text: string, name: string): FormData {
    const media = { url: `attachment://${name}` }
    const components = [
      { type: 10, content: text },
      { type: 12, items: [{ media }] },
    ]
    const form = new FormData()
    const body = {
      flags: 1 << 15,
      components: [{ type: 17, components }],
      attachments: [{ id: 0, filename: name }],
    }
    form.append('payload_json', JSON.stringify(body))
    const picture = new Blob([Buffer.from(red, 'base64')], { type: 'image/png' })
    form.append('files[0]', picture, name)
    return form
  }

  test('is shown in the message once, and another in its place after an edit', async () => {
    const sent = await call(
      server,
      `POST /channels/${club.id}/messages`,
      card('it is live', 'a.png'),
    )
    const { id } = z.object({ id: z.string() }).parse(sent.json)
    const shown = (text: string) => bubble(text).locator('.pictures img')
    await shown('it is live').waitFor()
    const width = () =>
      shown('it is').evaluate((img) => ('naturalWidth' in img ? img.naturalWidth : 0))
    await expect.poll(width, { timeout: 20_000 }).toBe(1)
    const first = await shown('it is live').getAttribute('src')
    await call(server, `PATCH /channels/${club.id}/messages/${id}`, card('it is sold', 'b.png'))
    await shown('it is sold').waitFor()
    await expect.poll(width, { timeout: 20_000 }).toBe(1)
    expect(await shown('it is sold').getAttribute('src')).not.toBe(first)
    expect(await bubble('it is sold').locator('img').count()).toBe(1)
  })
})
