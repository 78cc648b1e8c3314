import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchBrowser } from '../../../../sandbox/browser.ts'
import type { SigningRequest } from '../../../../src/launch/signing-wire.ts'
import { wallet } from './payload.ts'
import { type Site, startSite } from './site.ts'

/** What a wallet answers to a method: a result, or an error. A method that is not named is never answered. */
export type Answer = { result?: unknown; error?: { code: number; message: string } }

interface TestWallet {
  answers: Record<string, Answer>
  /** As it announces itself; without it, it only sets `window.ethereum`. */
  info?: { name: string; rdns: string; icon: string }
}

/** A wallet with this account, on the chain of the requests of these tests. */
export function connected(account: string, more: TestWallet['answers'] = {}): TestWallet {
  return {
    info: { name: 'Test wallet', rdns: 'test.wallet', icon: 'data:image/png;base64,' },
    answers: {
      eth_requestAccounts: { result: [account] },
      eth_accounts: { result: [account] },
      eth_chainId: { result: '0x14a34' },
      eth_getTransactionReceipt: { result: null },
      eth_getTransactionByHash: { result: null },
      ...more,
    },
  }
}

// Runs in the page, of which the types of this folder know nothing.
const install = `(wallets) => {
  window.asked = []
  window.answers = wallets.map(({ answers }) => answers)
  window.emit = (event, payload) => { for (const listener of listeners[event] ?? []) listener(payload) }
  const listeners = {}
  wallets.forEach(({ info }, index) => {
    const provider = {
      on: (event, listener) => { (listeners[event] ??= []).push(listener) },
      removeListener: (event, listener) => {
        listeners[event] = (listeners[event] ?? []).filter((each) => each !== listener)
      },
      request: async ({ method, params }) => {
        window.asked.push({ method, params })
        const answer = window.answers[index][method]
        if (!answer) return new Promise(() => {})
        if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error)
        return answer.result
      },
    }
    if (!info) { window.ethereum = provider; return }
    const detail = Object.freeze({ info: { ...info, uuid: String(index) }, provider })
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    addEventListener('eip6963:requestProvider', announce)
    announce()
  })
}`

/**
 * Waits until this holds in the page. `waitForFunction` can't: it evaluates the string in the page when it looks a second
 * time, which the page's policy forbids.
 */
export async function becomes(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression), { timeout: 10_000 }).toBe(true)
}

/** The signing page in a browser, as a person uses it. */
export class SigningPage {
  readonly page: Page
  readonly token: string

  constructor(page: Page, token: string) {
    this.page = page
    this.token = token
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name })
  }

  press(name: string): Promise<void> {
    return this.button(name).click()
  }

  sign(): Promise<void> {
    return this.press('Sign and launch')
  }

  /** Waits until the panel has this title. */
  step(title: string | RegExp): Promise<void> {
    return this.page.locator('#panel-title', { hasText: title }).waitFor()
  }

  async connect(title: string | RegExp = 'Ready to sign'): Promise<void> {
    await this.press('Test wallet')
    await this.step(title)
  }

  sees(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor()
  }

  notice(text: string): Promise<void> {
    return this.page.locator('#notice', { hasText: text }).waitFor()
  }

  /** Sets what the wallet answers from now on. */
  answers(method: string, answer: Answer): Promise<unknown> {
    return this.page.evaluate(`answers[0].${method} = ${JSON.stringify(answer)}`)
  }

  /** Lets the wallet tell the page of a change. */
  emit(event: string, payload: unknown): Promise<unknown> {
    return this.page.evaluate(`emit('${event}', ${JSON.stringify(payload)})`)
  }

  /** The parameters with which the wallet was asked for a method. */
  asked(method: string): Promise<unknown[]> {
    return this.page.evaluate(
      `asked.filter((each) => each.method === '${method}').map(({ params }) => params?.[0])`,
    )
  }

  /** The transactions that the wallet was asked to send. */
  sent(): Promise<unknown[]> {
    return this.asked('eth_sendTransaction')
  }

  /** Lets this many seconds go by in the page. */
  wait(seconds: number): Promise<void> {
    return this.page.clock.runFor(seconds * 1_000)
  }

  /** Lets time go by in the page until the panel has this title. */
  async waitFor(title: string): Promise<void> {
    const later = async () => {
      await this.wait(20)
      return this.page.locator('#panel-title').innerText()
    }
    await expect.poll(later).toContain(title)
  }

  /** Waits until the element with this id has the focus. */
  async focuses(id: string): Promise<void> {
    await becomes(this.page, `document.activeElement.id === '${id}'`)
  }
}

interface Visit {
  request?: Partial<SigningRequest>
  /** An existing link. */
  token?: string
  wallets?: readonly TestWallet[]
  query?: string
  context?: BrowserContextOptions
  prepare?: (context: BrowserContext) => Promise<unknown>
}

/**
 * Opens signing pages for the tests of a file: one server and one browser. A test fails if a page had an error or broke
 * its own policy.
 */
export class Visits {
  #site: Site | undefined
  #browser: Browser | undefined
  readonly #faults: string[] = []

  constructor() {
    beforeAll(async () => {
      ;[this.#site, this.#browser] = await Promise.all([startSite(), launchBrowser()])
    })
    afterAll(async () => {
      await this.#browser?.close()
      await this.#site?.stop()
    })
    afterEach(async () => {
      this.service.fault = undefined
      await Promise.all(this.browser.contexts().map((context) => context.close()))
      expect(this.#faults.splice(0)).toEqual([])
    })
  }

  get site(): Site {
    if (!this.#site) throw new Error('the site has not started')
    return this.#site
  }

  get service(): Site['service'] {
    return this.site.service
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error('the browser has not started')
    return this.#browser
  }

  /** Opens a link, by default in a browser with one wallet whose account is the draft's. */
  async open(visit: Visit = {}): Promise<SigningPage> {
    const { request, token = this.site.add(request), wallets = [connected(wallet)] } = visit
    const context = await this.browser.newContext({ timezoneId: 'UTC', ...visit.context })
    await visit.prepare?.(context)
    const content = `(${install})(${JSON.stringify(wallets)})`
    await context.addInitScript({ content })
    await context.clock.install()
    return this.tab(context, token, visit.query)
  }

  /** Opens a link in a context that is there already. */
  async tab(context: BrowserContext, token: string, query = ''): Promise<SigningPage> {
    const page = await context.newPage()
    page.on('pageerror', (error) => this.#faults.push(error.message))
    page.on('console', (message) => {
      const text = message.text()
      // What the browser itself says of an answer that is no 200 is no fault of the page.
      const isUsual = message.type() !== 'error' || /Failed to load resource/u.test(text)
      if (!isUsual || /Content Security Policy/u.test(text)) this.#faults.push(text)
    })
    await page.goto(`${this.site.url}/s/${token}${query}`)
    return new SigningPage(page, token)
  }
}
