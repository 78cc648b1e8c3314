import { html, nothing, render } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { type ShellState, speeds } from '../state.ts'
import { icon } from './icons.ts'
import { fetchJson } from './request.ts'

const botWords = { starting: 'Bot starting', ready: 'Bot ready', stopped: 'Bot stopped' } as const
const modes = {
  normal: 'Normal',
  slow: 'Slow (1.5 s)',
  down: 'Down (500)',
  'rate-limited': 'Rate-limited (429)',
  html: 'Firewall’s page (403)',
  forbidden: 'Key refused (403)',
  'broken-json': 'Broken JSON',
}
const themeShapes = {
  dark: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  light: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5Z',
}

/** The bar above both panels: how the bot is doing, and what can be set for all of the sandbox. */
export class Bar {
  readonly #root: HTMLElement
  #state: ShellState = { bot: { state: 'starting' }, mode: 'normal', speed: 1 }
  #isLost = false
  /** The speed at which the slider is held. */
  #held: number | undefined
  #copied = ''

  constructor(root: HTMLElement) {
    this.#root = root
  }

  start(): void {
    const events = new EventSource('/shell/events')
    events.addEventListener('message', ({ data }) => {
      this.#state = JSON.parse(data)
      this.#isLost = false
      this.#draw()
    })
    events.addEventListener('error', () => {
      this.#isLost = true
      this.#draw()
    })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
      if (!localStorage.getItem('theme')) this.#setTheme(matches)
    })
    this.#draw()
  }

  #draw(): void {
    const { bot, mode, accounts } = this.#state
    const speed = this.#held ?? this.#state.speed
    const template = html`
      <h1><span class="mark">${icon('gavel')}</span><span class="words">Gavel <span>sandbox</span></span></h1>
      <p id="bot" data-state=${this.#isLost ? 'lost' : bot.state} role="status"><i></i><span>${this.#botLine()}</span></p>
      <button class="gear" type="button" popovertarget="settings" aria-label="Settings">${icon('gear')}</button>
      <div id="settings" popover aria-label="Settings">
      <label class="speed" title="How fast auctions run"><span>Time</span>
        <input type="range" min="0" max=${speeds.length - 1} step="1" aria-label="How fast auctions run" .value=${live(String(speeds.indexOf(speed)))}
          aria-valuetext=${speed === 1 ? 'as fast as the clock' : `${speed} times as fast as the clock`} @input=${this.#holdSpeed} @change=${this.#setSpeed}>
        <span class="speed-now" aria-hidden="true">×${speed}</span></label>
      <label class="mode"><span>API</span>
        <select id="mode" aria-label="API" data-mode=${mode} @change=${setMode}>${Object.entries(
          modes,
        ).map(
          ([value, words]) =>
            html`<option value=${value} .selected=${live(value === mode)}>${words}</option>`,
        )}</select></label>
      ${accounts?.length ? this.#wallet(accounts) : nothing}
      <button class="theme" type="button" aria-label="Dark theme" aria-pressed=${isDark()} @click=${this.#toggleTheme}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${themeShapes[isDark() ? 'dark' : 'light']}></path></svg></button>
      </div>`
    render(template, this.#root)
  }

  #botLine(): string {
    const { state, detail } = this.#state.bot
    if (this.#isLost) return 'Sandbox stopped'
    const why = detail ? ` (${detail})` : ''
    return `${botWords[state]}${why}${state === 'stopped' ? ', starting it again' : ''}`
  }

  #wallet(accounts: readonly string[]) {
    return html`<button class="wallet" type="button" popovertarget="wallet">Wallet</button>
      <div id="wallet" popover role="dialog" aria-label="Sandbox wallet">
        <p>Accounts of the sandbox wallet on the local chain, with 10,000 ETH each. Press one to copy it.</p>
        ${accounts.map(
          (account) =>
            html`<button type="button" ?data-copied=${account === this.#copied} @click=${() => this.#copy(account)}>${account}</button>`,
        )}
        <p><a href="/sample.png" download="sample.png">Download a sample picture</a> for your token.</p>
      </div>`
  }

  #copy(account: string): void {
    void navigator.clipboard.writeText(account).then(() => {
      this.#copied = account
      this.#draw()
    })
  }

  readonly #holdSpeed = (event: Event) => {
    this.#held = speedAt(event)
    this.#draw()
  }

  readonly #setSpeed = (event: Event) => {
    this.#held = undefined
    void fetchJson('/shell', { speed: speedAt(event) })
  }

  #setTheme(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
    this.#draw()
  }

  readonly #toggleTheme = () => {
    this.#setTheme(!isDark())
    localStorage.setItem('theme', isDark() ? 'dark' : 'light')
  }
}

const isDark = () => document.documentElement.dataset.theme === 'dark'

const setMode = ({ currentTarget: box }: Event) =>
  box instanceof HTMLSelectElement && void fetchJson('/shell', { mode: box.value })

const speedAt = ({ currentTarget: slider }: Event) =>
  slider instanceof HTMLInputElement ? speeds[Number(slider.value)] : undefined

/** Where there is room for one panel only, tabs choose it. */
export function mountTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>('[role=tab]')]
  const choose = (chosen: HTMLButtonElement | undefined) => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen))
      tab.tabIndex = tab === chosen ? 0 : -1
      const controlled = tab.getAttribute('aria-controls') ?? ''
      document.getElementById(controlled)?.toggleAttribute('data-active', tab === chosen)
    }
    chosen?.focus()
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(tab))
    tab.addEventListener('keydown', ({ key }) => {
      if (key === 'ArrowLeft' || key === 'ArrowRight') choose(tabs[(index + 1) % tabs.length])
    })
  }
}

/** Draws a picture in place of an invented token's, which is on a host that does not exist. */
export function drawMissing({ target }: Event): void {
  if (!(target instanceof HTMLImageElement)) return
  // An element is used again for another picture.
  if (URL.parse(target.src)?.pathname === '/picture.svg') return
  target.src = `/picture.svg?of=${encodeURIComponent(target.src)}`
}
