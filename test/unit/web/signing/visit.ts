import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Opens pages in one browser, and hears what must never be: errors in the page, and breaches of its policy. */
export class Visits {
  readonly #browser: Browser
  readonly #faults: string[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** `prepare` puts wallets into the context. */
  async open(
    url: string,
    prepare: (context: BrowserContext) => Promise<unknown> = async () => undefined,
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const context = await this.#browser.newContext(options)
    await prepare(context)
    const page = await context.newPage()
    this.hear(page)
    await page.goto(url)
    return page
  }

  hear(page: Page): void {
    page.on('pageerror', (error) => this.#faults.push(error.message))
    page.on('console', (message) => {
      // What the browser itself says of an answer that is no 200 is no fault of the page.
      const usual = /Failed to load resource/u.test(message.text())
      if (message.type() === 'error' && !usual) this.#faults.push(message.text())
      if (/Content Security Policy/u.test(message.text())) this.#faults.push(message.text())
    })
  }

  /** Closes what was opened; fails where a page had a fault. */
  async end(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()))
    expect(this.#faults.splice(0)).toEqual([])
  }
}

/** The title of what the page offers to do now. */
export function stage(page: Page, title: string | RegExp): Promise<void> {
  return page.locator('#panel-title', { hasText: title }).waitFor()
}
