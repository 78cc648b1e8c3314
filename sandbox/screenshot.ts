import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { showcaseAddresses } from './api/showcase.ts'
import { launchBrowser, pictureFonts } from './browser.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { type Keep, pictureAlerts, pictureFollow, pictureLaunch } from './screenshot-steps.ts'

interface Picture {
  file: string
  width: number
  height: number
  theme: 'light' | 'dark'
}

/** A line of the card on both platforms. */
const address = showcaseAddresses.moonOtter
const desk = { width: 1280, height: 800 }
const pictures: readonly Picture[] = [
  { file: 'console.png', ...desk, theme: 'light' },
  { file: 'console-dark.png', ...desk, theme: 'dark' },
  { file: 'console-phone.png', width: 375, height: 740, theme: 'light' },
]

function panelOf(page: Page, name: 'telegram' | 'discord'): Locator {
  return page.locator(`[data-panel=${name}]`)
}

// The same conversation on both: a ticker that two tokens share, then the card of the first.
async function ask(panel: Locator): Promise<void> {
  const box = panel.locator('textarea[aria-label="Message"]')
  await box.fill('/asset OTTER')
  await box.press('Enter')
  await panel.getByText(/^Which .*OTTER/).waitFor()
}

async function converse(page: Page): Promise<void> {
  const telegram = panelOf(page, 'telegram')
  await telegram.getByRole('button', { name: 'Start', exact: true }).click()
  await telegram.getByText('Search, track and launch tokens').first().waitFor()
  await ask(telegram)
  await telegram.getByRole('button', { name: '1', exact: true }).click()
  const discord = panelOf(page, 'discord')
  await ask(discord)
  await discord.getByRole('button', { name: 'Open one' }).click()
  await discord.getByRole('option', { name: /Moon Otter/ }).click()
  for (const panel of [telegram, discord]) await panel.getByText(address).first().waitFor()
}

// The card is higher than the panel: its head tells more than its foot.
async function showHead(panel: Locator): Promise<void> {
  if (!(await panel.isVisible())) return
  await panel.getByText(address).first().waitFor()
  // Pictures that arrive and lists that scroll to their end have settled after a moment.
  await panel.page().waitForTimeout(1000)
  await panel
    .getByText('Moon Otter')
    .first()
    .evaluate((head) => head.scrollIntoView({ block: 'start' }))
}

async function take(browser: Browser, url: string, picture: Picture): Promise<void> {
  const { width, height, theme } = picture
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme })
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('#bot[data-state=ready]').waitFor()
  if (picture === pictures[0]) await converse(page)
  for (const name of ['telegram', 'discord'] as const) await showHead(panelOf(page, name))
  await keep(page, picture.file)
  await context.close()
}

async function keep(seen: Page | Locator, file: string): Promise<void> {
  const taken = await seen.screenshot({ animations: 'disabled', caret: 'hide' })
  await sharp(taken)
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(fileURLToPath(new URL(`../docs/${file}`, import.meta.url)))
  process.stdout.write(`docs/${file}\n`)
}

async function takeSteps(
  browser: Browser,
  sandbox: Sandbox,
  viewport: { width: number; height: number },
  steps: (page: Page, sandbox: Sandbox, keep: Keep) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  await page.goto(sandbox.consoleUrl)
  await page.locator('#bot[data-state=ready]').waitFor()
  const start = panelOf(page, 'telegram').getByRole('button', { name: 'Start', exact: true })
  if (await start.isVisible()) await start.click()
  await steps(page, sandbox, async (seen, file) => {
    // What lies under the pointer looks another way.
    await page.mouse.move(0, 0)
    // Pictures that arrive and lists that scroll to their end have settled after a moment.
    await page.waitForTimeout(1500)
    await keep(seen, file)
  })
  await context.close()
}

const parts = [
  { name: 'launch', viewport: { width: 600, height: 860 }, steps: pictureLaunch },
  // A whole daily summary is to be seen.
  { name: 'alerts', viewport: { width: 600, height: 1200 }, steps: pictureAlerts },
  // Both panels beside each other.
  { name: 'follow', viewport: { width: 1200, height: 1200 }, steps: pictureFollow },
]

/** Names behind the command choose the pictures that are taken: all without any. */
function wants(name: string): boolean {
  const names = process.argv.slice(2)
  return names.length === 0 || names.includes(name)
}

const folder = await mkdtemp(join(tmpdir(), 'gavel-screenshot-'))
try {
  const sandbox = await startSandbox()
  try {
    const browser = await launchBrowser(await pictureFonts(folder))
    for (const picture of pictures) {
      if (wants('console')) await take(browser, sandbox.consoleUrl, picture)
    }
    for (const { name, viewport, steps } of parts) {
      if (wants(name)) await takeSteps(browser, sandbox, viewport, steps)
    }
    await browser.close()
  } finally {
    await sandbox.stop()
  }
} finally {
  await rm(folder, { recursive: true })
}
