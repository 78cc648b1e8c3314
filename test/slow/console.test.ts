import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'

let sandbox: Sandbox
let browser: Browser
let page: Page
let telegram: Locator
let discord: Locator

beforeAll(async () => {
  ;[sandbox, browser] = await Promise.all([startSandbox(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await sandbox?.stop()
})
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(sandbox.consoleUrl)
  await page.locator('#bot[data-state=ready]').waitFor()
  telegram = page.locator('[data-panel=telegram]')
  discord = page.locator('[data-panel=discord]')
  return () => page.close()
})

const box = (panel: Locator) => panel.getByRole('textbox', { name: 'Message' })

async function says(panel: Locator, text: string): Promise<void> {
  const start = panel.getByRole('button', { name: 'Start', exact: true })
  await start.or(box(panel)).filter({ visible: true }).first().waitFor()
  if (await start.isVisible()) await start.click()
  await box(panel).fill(text)
  await box(panel).press('Enter')
}

test('a newcomer finds a token on Telegram, opens its card and refreshes it', async () => {
  await says(telegram, '/asset OTTER')
  await telegram
    .getByText(/Which .*OTTER/u)
    .last()
    .waitFor()
  await telegram.getByRole('button', { name: '1', exact: true }).last().click()
  await telegram.getByText('night patrols').last().waitFor()
  await telegram.getByRole('button', { name: 'Refresh' }).last().click()
  await telegram.getByRole('button', { name: 'Auction' }).last().click()
  await telegram.getByText('Auction of Moon Otter').last().waitFor()
})

test('a newcomer turns pages of a list on Telegram, edited in place', async () => {
  await says(telegram, '/assets live')
  await telegram.getByText('Live assets on Base').last().waitFor()
  const count = await telegram.getByText('assets on Base').count()
  await telegram.getByRole('button', { name: 'Next ▶' }).last().click()
  await telegram.getByText('Page 2').last().waitFor()
  await telegram.getByRole('button', { name: 'Graduated', exact: true }).last().click()
  await telegram.getByText('Graduated assets on Base').last().waitFor()
  expect(await telegram.getByText('assets on Base').count()).toBe(count)
})

test('a newcomer sends a card through inline mode', async () => {
  await says(telegram, '/help')
  await telegram.getByText('What you can ask').last().waitFor()
  await box(telegram).fill('@gavel_bot otter')
  await telegram.getByText('Moon Otter $OTTER').last().click()
  await telegram.getByText('via @gavel_bot').last().waitFor()
})

test('a newcomer finds a token on Discord with a command as one line, and opens its card', async () => {
  await says(discord, '/asset OTTER')
  await discord
    .getByText(/Which .*OTTER/u)
    .last()
    .waitFor()
  await discord.getByRole('button', { name: 'Open one' }).last().click()
  await discord.getByRole('option', { name: /Moon Otter/u }).click()
  await discord.getByText('night patrols').last().waitFor()
  await discord.getByRole('button', { name: 'Auction' }).last().click()
  await discord.getByText('Auction of Moon Otter').last().waitFor()
})

test('Discord suggests assets while one types', async () => {
  await box(discord).fill('/asset')
  await discord.getByRole('option', { name: /\/asset\b/u }).waitFor()
  await page.keyboard.press('Space')
  const suggestion = discord.getByRole('option', { name: /Paper Lantern \$LANTERN/u })
  // On a busy machine suggestions can miss Discord's three seconds: a person types once more.
  await expect
    .poll(
      async () => {
        await discord.getByRole('textbox', { name: 'asset' }).fill('')
        await page.keyboard.type('lant')
        return suggestion.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        )
      },
      { timeout: 20_000 },
    )
    .toBe(true)
  await suggestion.click()
  await page.keyboard.press('Enter')
  await discord.getByText('Light for reading').last().waitFor()
})

test('what is wrong is answered in words on both panels', async () => {
  await says(telegram, '/asser OTTER')
  await telegram.getByText('Did you mean').last().waitFor()
  await says(discord, '/asset 0x1234abcd')
  await discord.getByText('An address has 40 characters').last().waitFor()
  await discord.getByText('Only you can see this').last().waitFor()
})

test('an interface that is down is explained, and back when it is back', async () => {
  await page.getByLabel('Interface').selectOption({ label: 'Down (500)' })
  await says(telegram, '/search quartz')
  await telegram.getByText('does not answer right now').last().waitFor()
  await page.getByLabel('Interface').selectOption({ label: 'Normal' })
  await expect
    .poll(
      async () => {
        await telegram.getByRole('button', { name: 'Try again' }).last().click()
        await page.waitForTimeout(500)
        return telegram.getByText('Search: quartz').count()
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0)
})

test('on a phone one can go on typing below a long conversation, on either panel', async () => {
  const phone = await browser.newPage({ viewport: { width: 375, height: 740 } })
  await phone.goto(sandbox.consoleUrl)
  for (const name of ['telegram', 'discord'] as const) {
    await phone.getByRole('tab', { name: new RegExp(name, 'iu') }).click()
    const panel = phone.locator(`[data-panel=${name}]`)
    for (let count = 0; count < 4; count += 1) await says(panel, '/help')
    await panel.getByText('What you can ask').nth(3).waitFor()
    const { y = 0, height = 0 } = (await box(panel).boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
    expect(y + height).toBeLessThanOrEqual(740)
  }
  await phone.close()
})
