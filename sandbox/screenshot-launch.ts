import type { Locator, Page } from 'playwright-core'
import type { Sandbox } from './sandbox.ts'

/** Keeps a picture of what is seen under a name. */
export type Keep = (seen: Page | Locator, name: string) => Promise<void>

const token = 'name: River Heron\nsymbol: HERONRY\ndescription: Stands in rivers.'

/** A person in the console's Telegram panel. */
class Visitor {
  readonly panel: Locator

  constructor(page: Page) {
    this.panel = page.locator('[data-panel=telegram]')
  }

  async says(words: string): Promise<void> {
    const box = this.panel.getByLabel('Message', { exact: true })
    await box.fill(words)
    await box.press('Enter')
  }

  async sees(words: string): Promise<void> {
    await this.panel.locator('.other').last().getByText(words).first().waitFor()
  }

  async presses(label: string): Promise<void> {
    const keys = this.panel.locator('.other').last().locator('.button')
    await keys.filter({ hasText: label }).first().click()
  }
}

/**
 * Launches a token from the console, from /launch to the token on the local chain, and keeps pictures of the review,
 * of what is to be signed, of the signing page and of the end.
 */
export async function pictureLaunch(page: Page, sandbox: Sandbox, keep: Keep): Promise<void> {
  const [wallet] = sandbox.chain?.accounts ?? []
  if (!wallet) return
  const visitor = new Visitor(page)
  await visitor.says('/launch')
  await visitor.sees('Question 1')
  await visitor.presses('Standard')
  await visitor.sees('Question 2')
  await visitor.says(token)
  await visitor.sees('Question 5')
  const sample = await fetch(`${sandbox.consoleUrl}/sample.png`)
  const buffer = Buffer.from(await sample.arrayBuffer())
  const file = { name: 'heron.png', mimeType: 'image/png', buffer }
  await visitor.panel.getByLabel('Attach a file').setInputFiles(file)
  await visitor.sees('This is how it will look')
  await keep(visitor.panel, 'launch-picture.png')
  await visitor.presses('Use it')
  await visitor.sees('Question 6')
  await visitor.presses('Skip')
  await visitor.sees('Question 7')
  await visitor.presses('Skip')
  await visitor.sees('Question 8')
  await visitor.says(wallet.address)
  await visitor.sees('Question 9')
  await visitor.presses('The same wallet')
  await visitor.sees('Question 10')
  await visitor.presses('Skip')
  await visitor.sees('Question 11')
  await visitor.presses('Skip')
  await visitor.sees('Review: River Heron')
  // The whole table is to be seen.
  const usual = page.viewportSize()
  await page.setViewportSize({ width: 600, height: 1480 })
  await keep(visitor.panel, 'launch-review.png')
  await visitor.presses('Confirm')
  await visitor.sees('Ready to sign')
  await page.setViewportSize({ width: 600, height: 1360 })
  await keep(visitor.panel, 'launch-ready.png')
  if (usual) await page.setViewportSize(usual)
  const opened = page.context().waitForEvent('page')
  await visitor.presses('Sign with your wallet')
  await sign(await opened, keep)
  await visitor.sees('Launched: River Heron')
  await keep(visitor.panel, 'launch-done.png')
}

async function sign(page: Page, keep: Keep): Promise<void> {
  await page.setViewportSize({ width: 1100, height: 1560 })
  const approve = page.getByRole('dialog').getByRole('button', { name: 'Approve' })
  await page.getByRole('button', { name: /Sandbox wallet/ }).click()
  await approve.click()
  const send = page.getByRole('button', { name: /^(?:Sign|Launch|Send)/ }).first()
  await send.waitFor()
  await keep(page, 'launch-signing.png')
  await send.click()
  await approve.click()
  await page.getByText('The token is on the chain').waitFor()
}
