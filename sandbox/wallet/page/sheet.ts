const style = `
  dialog { box-sizing: border-box; width: min(22rem, calc(100vw - 2rem)); padding: 1.25rem; border: 0;
    border-radius: 1rem; color: #1d1b19; background: #fff; font: 15px/1.45 system-ui, sans-serif;
    box-shadow: 0 1rem 3rem #0006; overflow-wrap: anywhere }
  dialog::backdrop { background: #0008 }
  h2 { margin: 0 0 .25rem; font-size: 1.05rem }
  .from { margin: 0 0 1rem; color: #6b645d; font-size: .85rem }
  dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: .25rem .75rem }
  dt { color: #6b645d } dd { margin: 0; font-variant-numeric: tabular-nums }
  label { display: flex; gap: .5rem; padding: .5rem; border-radius: .5rem; cursor: pointer; align-items: center }
  label:has(:checked) { background: #f6e9e2 }
  menu { margin: 1rem 0 0; padding: 0; display: flex; gap: .5rem }
  button { flex: 1; padding: .65rem; border: 1px solid #d8d2cc; border-radius: .6rem; background: #fff;
    color: inherit; font: inherit; cursor: pointer }
  button.main { border-color: #b4542c; background: #b4542c; color: #fff }
  @media (prefers-color-scheme: dark) {
    dialog { color: #f2efec; background: #26221f }
    .from, dt { color: #b3aaa2 } label:has(:checked) { background: #443229 }
    button { border-color: #57504a; background: #322d29 }
  }
`

/** What the wallet asks its owner. */
export interface Question {
  title: string
  facts?: readonly (readonly [name: string, value: string])[]
  /** Accounts to choose from. */
  choices?: readonly string[]
  chosen?: string | undefined
}

/** The wallet's own window over the page: it asks one thing after the other. */
export class Sheet {
  readonly #name: string
  #asking: Promise<unknown> = Promise.resolve()

  constructor(name: string) {
    this.#name = name
  }

  /** The choice, or '' where there was none to make; undefined where the owner said no. */
  async ask(question: Question): Promise<string | undefined> {
    const asked = this.#asking.then(() => this.#show(question))
    this.#asking = asked
    return await asked
  }

  async #show({ title, facts = [], choices = [], chosen }: Question): Promise<string | undefined> {
    // A shadow keeps the page's styles out; its style sheet is made here, since the page's policy allows no others.
    const host = document.createElement('div')
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    root.adoptedStyleSheets = [sheet]
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', `${this.#name}: ${title}`)
    const from = element('p', `${this.#name} · ${location.host}`)
    from.className = 'from'
    const options = choices.map((choice) => option(choice, choice === chosen))
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const approve = button('Approve', () => {
      const checked = options.find(({ input }) => input.checked)
      resolve(checked?.input.value ?? '')
    })
    approve.className = 'main'
    const buttons = document.createElement('menu')
    buttons.append(
      button('Reject', () => resolve(undefined)),
      approve,
    )
    const list = document.createElement('dl')
    for (const [name, value] of facts) list.append(element('dt', name), element('dd', value))
    dialog.append(element('h2', title), from, list, ...options.map(({ label }) => label), buttons)
    dialog.addEventListener('cancel', () => resolve(undefined))
    root.append(dialog)
    document.documentElement.append(host)
    dialog.showModal()
    approve.focus()
    const answer = await promise
    host.remove()
    return answer
  }
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.addEventListener('click', act)
  return made
}

function option(value: string, checked: boolean) {
  const label = document.createElement('label')
  const input = document.createElement('input')
  input.type = 'radio'
  input.name = 'account'
  input.value = value
  input.checked = checked
  label.append(input, value)
  return { label, input }
}
