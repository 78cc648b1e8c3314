import type { ShellState } from '../state.ts'
import { mountSpeed } from './speed.ts'
import { showWallet } from './wallet-menu.ts'

const labels = { starting: 'Bot starting', ready: 'Bot ready', stopped: 'Bot stopped' } as const

function part<T extends Element>(selector: string, kind: new () => T): T {
  const found = document.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`the page lacks ${selector}`)
  return found
}

function showBot(state: keyof typeof labels | 'lost', detail = ''): void {
  part('#bot', HTMLElement).dataset.state = state
  part('#bot', HTMLElement).title = detail
  const label = state === 'lost' ? 'Sandbox stopped' : labels[state]
  const restart = state === 'stopped' ? ', starting it again' : ''
  part('#bot-label', HTMLElement).textContent = detail ? `${label} (${detail})${restart}` : label
}

function showMode(mode: string): void {
  const select = part('#mode', HTMLSelectElement)
  select.value = mode
  select.dataset.mode = mode
}

async function tell(what: 'mode' | 'speed', value: string | number): Promise<void> {
  await fetch(`/shell/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ [what]: value }),
  })
}

function followServer(): void {
  const showSpeed = mountSpeed(part('#speed', HTMLInputElement), {
    label: part('#speed-label', HTMLElement),
    chosen: (speed) => void tell('speed', speed),
  })
  const events = new EventSource('/shell/events')
  events.addEventListener('message', ({ data }) => {
    const state: ShellState = JSON.parse(data)
    showBot(state.bot.state, state.bot.detail)
    showMode(state.mode)
    showSpeed(state.speed)
    showWallet(part('#wallet', HTMLElement), part('#wallet-accounts', HTMLElement), state.accounts)
  })
  events.addEventListener('error', () => showBot('lost'))
  const select = part('#mode', HTMLSelectElement)
  select.addEventListener('change', () => void tell('mode', select.value))
}

function themeToggle(): void {
  const button = part('#theme', HTMLButtonElement)
  const { dataset } = document.documentElement
  const show = () => {
    button.setAttribute('aria-pressed', String(dataset.theme === 'dark'))
  }
  const set = (theme: string) => {
    dataset.theme = theme
    show()
  }
  button.addEventListener('click', () => {
    set(dataset.theme === 'dark' ? 'light' : 'dark')
    localStorage.setItem('theme', dataset.theme ?? 'light')
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (!localStorage.getItem('theme')) set(matches ? 'dark' : 'light')
  })
  show()
}

function tabs(): void {
  const all = [...document.querySelectorAll<HTMLButtonElement>('[role=tab]')]
  const choose = (chosen: HTMLButtonElement) => {
    for (const tab of all) {
      tab.setAttribute('aria-selected', String(tab === chosen))
      tab.tabIndex = tab === chosen ? 0 : -1
      const controlled = tab.getAttribute('aria-controls') ?? ''
      document.getElementById(controlled)?.toggleAttribute('data-active', tab === chosen)
    }
  }
  for (const [index, tab] of all.entries()) {
    tab.addEventListener('click', () => choose(tab))
    tab.addEventListener('keydown', ({ key }) => {
      if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
      const next = all[(index + (key === 'ArrowRight' ? 1 : all.length - 1)) % all.length]
      if (!next) return
      choose(next)
      next.focus()
    })
  }
}

// The invented tokens name pictures on a host that does not exist: this machine draws one instead.
function drawMissingPictures(): void {
  document.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLImageElement) || target.dataset.drawn !== undefined) return
      target.dataset.drawn = ''
      target.src = `/picture.svg?of=${encodeURIComponent(target.src)}`
    },
    true,
  )
}

/** Brings the top bar, the tabs and the stand-in pictures to life. */
export function mountShell(): void {
  followServer()
  themeToggle()
  tabs()
  drawMissingPictures()
}
