import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'

let sandbox: Sandbox
let browser: Browser
const faultsOfPages: string[] = []

beforeAll(async () => {
  ;[sandbox, browser] = await Promise.all([startSandbox(), launchBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await sandbox?.stop()
})

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  expect(faultsOfPages.splice(0)).toEqual([])
})

async function open(options: BrowserContextOptions = {}, url = sandbox.consoleUrl): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('pageerror', (error) => faultsOfPages.push(error.message))
  // A refusal by the page's own policy shows as a console error.
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faultsOfPages.push(message.text())
  })
  await page.goto(url)
  await page.locator('#bot[data-state=ready]').waitFor()
  return page
}

const theme = (page: Page) => page.locator('html').getAttribute('data-theme')

describe('the console page', () => {
  it('shows both panels side by side on a desk', async () => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    expect(await page.title()).toBe('Gavel sandbox')
    for (const name of ['telegram', 'discord']) {
      expect(await page.locator(`[data-panel=${name}]`).isVisible()).toBe(true)
    }
    expect(await page.getByRole('tablist').isVisible()).toBe(false)
  })

  it('shows one panel at a time on a phone, and nothing wider than the screen', async () => {
    const page = await open({ viewport: { width: 375, height: 740 } })
    const shown = async () => {
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      const panels = ['telegram', 'discord'].map((name) => page.locator(`[data-panel=${name}]`))
      return { width, visible: await Promise.all(panels.map((panel) => panel.isVisible())) }
    }
    expect(await shown()).toEqual({ width: 375, visible: [true, false] })
    await page.getByRole('tab', { name: 'Discord' }).click()
    expect(await shown()).toEqual({ width: 375, visible: [false, true] })
    await page.keyboard.press('ArrowLeft')
    expect(await shown()).toEqual({ width: 375, visible: [true, false] })
    expect(await page.getByRole('tab', { name: 'Telegram' }).getAttribute('aria-selected')).toBe(
      'true',
    )
  })

  it('follows the reader’s theme until they choose one, and remembers that', async () => {
    const page = await open({ colorScheme: 'dark' })
    expect(await theme(page)).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => theme(page)).toBe('light')
    await page.getByRole('button', { name: 'Dark theme' }).click()
    expect(await theme(page)).toBe('dark')
    await page.reload()
    expect(await theme(page)).toBe('dark')
  })

  it('speeds time up by a slider that keys move, and shows the speed again after a reload', async () => {
    const page = await open({ viewport: { width: 375, height: 740 } })
    const slider = page.getByRole('slider', { name: 'How fast auctions run' })
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => sandbox.api.world.speed).toBe(60)
    await page.reload()
    await page.getByText('×60').waitFor()
    expect(await slider.getAttribute('aria-valuetext')).toBe('60 times as fast as the clock')
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => sandbox.api.world.speed).toBe(1)
  })

  it('shows the same state of the interface on every open page', async () => {
    const [one, other] = await Promise.all([open(), open()])
    await one.getByLabel('Interface').selectOption('down')
    await other.locator('#mode[data-mode=down]').waitFor()
    await other.getByLabel('Interface').selectOption('normal')
    await one.locator('#mode[data-mode=normal]').waitFor()
  })

  it('lists the wallet’s accounts to copy, and a picture to try with', async () => {
    const page = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Wallet', exact: true }).click()
    const menu = page.getByRole('dialog', { name: 'Sandbox wallet' })
    const [first] = sandbox.chain?.accounts ?? []
    await menu.getByRole('button', { name: first?.address ?? '' }).click()
    await menu.locator('[data-copied]').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first?.address)
    const picture = menu.getByRole('link', { name: 'Download a sample picture' })
    const [download] = await Promise.all([page.waitForEvent('download'), picture.click()])
    expect(download.suggestedFilename()).toBe('sample.png')
  })

  it('draws a picture in place of one that cannot be had', async () => {
    const page = await open()
    await page.evaluate(`
      const picture = document.createElement('img')
      picture.id = 'missing'
      picture.src = '/no-such-picture.png'
      document.body.append(picture)
    `)
    const width = () => page.evaluate<number>(`document.querySelector('#missing').naturalWidth`)
    await expect.poll(width).toBe(512)
  })

  it('says that the bot stopped, and that it is back', async () => {
    const page = await open()
    const stopped = page.locator('#bot[data-state=stopped]').waitFor()
    await sandbox.bot.current?.kill()
    await stopped
    await page.locator('#bot[data-state=ready]').waitFor()
  })

  it('says that the sandbox itself is gone', async () => {
    const brief = await startSandbox()
    const page = await open({}, brief.consoleUrl)
    await brief.stop()
    await page.getByText('Sandbox stopped').waitFor()
  })
})
