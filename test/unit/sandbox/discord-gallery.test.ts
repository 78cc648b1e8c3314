import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from '../../../sandbox/browser.ts'
import { club } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, token } from './discord-bot.ts'
import { type Bundle, buildPanel, openPanel, type Panel } from './discord-page.ts'

let browser: Browser
let bundle: Bundle
let server: DiscordServer
let panel: Panel
let page: Page
beforeAll(async () => {
  bundle = await buildPanel()
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
  panel = await openPanel(browser, bundle, server)
  page = panel.page
})
afterEach(async () => {
  expect(panel.faults).toEqual([])
  await panel.close()
  await server.stop()
})

const bubble = (text: string) => page.locator('[data-message]').filter({ hasText: text })

describe('a picture of the bot’s own making', () => {
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
    const shown = (text: string) => bubble(text).locator('.dc-gallery img')
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
