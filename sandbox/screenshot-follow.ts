import Database from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { showcaseAddresses } from './interface/showcase.ts'
import type { Sandbox } from './sandbox.ts'
import type { Keep } from './screenshot-launch.ts'

const hour = 3_600
const points = 48
const maxTurns = 5
/** Milliseconds in which a card has surely come. */
const answerPause = 5_000

/** Follows one asset from its card, and keeps pictures of the card, of its switches, and of an alert on Discord. */
export async function pictureFollow(page: Page, sandbox: Sandbox, keep: Keep): Promise<void> {
  await recorded(page, sandbox)
  const telegram = page.locator('[data-panel=telegram]')
  const last = () => telegram.locator('.other').last()
  const presses = async (label: string) =>
    last().locator('.button').filter({ hasText: label }).first().click()
  const box = telegram.getByLabel('Message', { exact: true })
  const pictured = () => last().locator('.pictures img')
  // A card that has to wait long for its picture comes without; the next one has it.
  for (let context = 0; context < maxTurns && !(await pictured().isVisible()); context += 1) {
    await box.fill(`/asset ${showcaseAddresses.moonOtter}`)
    await box.press('Enter')
    await page.waitForTimeout(answerPause)
  }
  await pictured().waitFor()
  await keep(last(), 'alerts-card.png')
  await presses('Follow')
  await last().getByText('nothing of this asset yet').waitFor()
  await presses('Ending')
  await last().getByText('before the end').first().waitFor()
  await presses('Graduated')
  await last().getByText('Moon Otter graduates').first().waitFor()
  await keep(last(), 'alerts-follow.png')
  const discord = page.locator('[data-panel=discord]')
  await discord.getByRole('button', { name: 'otter-news' }).click()
  const alert = discord.locator('.card').filter({ hasText: 'Live now' }).last()
  await alert.waitFor({ timeout: 60_000 })
  await keep(alert, 'alerts-discord.png')
}

/** As if the bot had looked on for two days. */
async function recorded(page: Page, { api, database }: Sandbox): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const asset = showcaseAddresses.moonOtter
  const price = api.world.tokens.find(({ address }) => address === asset)?.price ?? 1
  const history = Array.from({ length: points }, (_, index) => ({
    at: now - (points - index) * hour,
    price: (price * (0.5 + index / 96 + Math.sin(index / 4) / 20)).toFixed(9),
  }))
  const file = new Database(database)
  try {
    const update = file.prepare('update watched_assets set history = ? where lower(asset) = ?')
    const row = [JSON.stringify(history), asset.toLowerCase()]
    while (update.run(...row).changes === 0) await page.waitForTimeout(500)
  } finally {
    file.close()
  }
}
