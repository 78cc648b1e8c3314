import { html, render } from 'lit-html'
import type { WalletOptions } from '../server.ts'

/** Put in by the bundler. */
declare const walletOptions: WalletOptions

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'%3E%3Crect width='96' height='96' rx='22' fill='%23b4542c'/%3E%3Cpath d='M20 34h56v34a6 6 0 0 1-6 6H26a6 6 0 0 1-6-6zm6-12h36v8H20a6 6 0 0 1 6-8zm34 28v10h16V50z' fill='%23fff'/%3E%3C/svg%3E"

/** A refusal with its number, as EIP-1193 and EIP-1474 have it. */
class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

interface Request {
  method: string
  params?: readonly unknown[]
}

/** What is kept of a site while its tab is open, as wallets do over a reload. */
interface Session {
  /** The account that the page may see. */
  account: string | undefined
  chain: number
  /** The chains that it can go to. */
  known: readonly number[]
}

type Fact = readonly [name: string, value: string]

/** What the wallet asks its owner. */
interface Question {
  title: string
  facts?: readonly Fact[]
  /** Accounts to choose from. */
  choices?: readonly string[]
  chosen?: string | undefined
}

interface Transaction {
  from: string
  to: string
  data: string
  value: string
}

type Listener = (value: unknown) => void

// What a wallet assumes where the node does not let a call be estimated, as when it reverts.
const assumedGas = 3_000_000n

/** A wallet as pages see it (EIP-1193). Reads go to the node; whatever shows or moves something asks its owner. */
class Wallet {
  readonly #options: WalletOptions
  readonly #name: string
  readonly #key: string
  readonly #listeners = new Map<string, Set<Listener>>()
  #session: Session
  #requests = 0
  /** The wallet asks one thing after the other. */
  #asking: Promise<string | undefined> = Promise.resolve(undefined)

  constructor(name: string, rdns: string, options: WalletOptions) {
    const { chain, on = chain, knows = true } = options
    this.#options = options
    this.#name = name
    this.#key = `wallet ${rdns}`
    const kept = sessionStorage.getItem(this.#key)
    const fresh = { account: undefined, chain: on, known: knows ? [on, chain] : [on] }
    this.#session = kept ? JSON.parse(kept) : fresh
  }

  // Pages pass this function around on its own.
  readonly request = async ({ method, params = [] }: Request): Promise<unknown> => {
    const { account, chain } = this.#session
    switch (method) {
      case 'eth_accounts':
        return this.#accounts
      case 'eth_requestAccounts':
        return account === undefined ? await this.#connect() : this.#accounts
      case 'wallet_requestPermissions':
        await this.#connect()
        return [{ parentCapability: 'eth_accounts' }]
      case 'wallet_revokePermissions':
        this.#keep({ account: undefined })
        this.#emit('accountsChanged', [])
        return null
      case 'eth_chainId':
        return hex(chain)
      case 'net_version':
        return String(chain)
      case 'wallet_switchEthereumChain':
        return await this.#switch(chainOf(params[0]))
      case 'wallet_addEthereumChain':
        return await this.#add(chainOf(params[0]))
      case 'eth_sendTransaction':
        return await this.#send(params[0])
      default:
        if (/^(?:eth_sign|personal_|eth_sendRaw|wallet_|anvil_|evm_|hardhat_)/u.test(method)) {
          throw new RpcError(4200, `The sandbox wallet does not do ${method}.`)
        }
        return await this.#node(method, params)
    }
  }

  readonly on = (event: string, listener: Listener): this => {
    const known = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, known.add(listener))
    return this
  }

  readonly removeListener = (event: string, listener: Listener): this => {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  /** What the owner does in the wallet itself: goes to another account or chain. */
  become({ account, chain }: { account?: string; chain?: number }): void {
    if (account !== undefined) {
      this.#keep({ account })
      this.#emit('accountsChanged', this.#accounts)
    }
    if (chain !== undefined) this.#goTo(chain)
  }

  get #accounts(): string[] {
    const { account } = this.#session
    return account === undefined ? [] : [account]
  }

  #keep(change: Partial<Session>): void {
    this.#session = { ...this.#session, ...change }
    sessionStorage.setItem(this.#key, JSON.stringify(this.#session))
  }

  async #ask(question: Question): Promise<string> {
    const { approval = 'ask' } = this.#options
    if (approval === 'always') return question.chosen ?? ''
    if (approval === 'ask') this.#asking = this.#asking.then(() => askOwner(this.#name, question))
    const answer = await this.#asking
    if (answer === undefined) throw new RpcError(4001, 'User rejected the request.')
    return answer
  }

  async #connect(): Promise<string[]> {
    const { accounts: choices } = this.#options
    const before = this.#session.account
    const chosen = before ?? choices[0]
    const account = await this.#ask({ title: 'Connect to this site?', choices, chosen })
    this.#keep({ account })
    if (account !== before) this.#emit('accountsChanged', this.#accounts)
    return this.#accounts
  }

  async #switch(chain: number): Promise<null> {
    if (chain === this.#session.chain) return null
    if (!this.#session.known.includes(chain)) {
      throw new RpcError(4902, `Unrecognized chain ID "${hex(chain)}". Try adding the chain first.`)
    }
    await this.#ask({ title: 'Switch chain?', facts: [['Chain', String(chain)]] })
    this.#goTo(chain)
    return null
  }

  async #add(chain: number): Promise<null> {
    const { known } = this.#session
    if (!known.includes(chain)) {
      await this.#ask({ title: 'Add this chain?', facts: [['Chain', String(chain)]] })
      this.#keep({ known: [...known, chain] })
    }
    return await this.#switch(chain)
  }

  #goTo(chain: number): void {
    this.#keep({ chain })
    this.#emit('chainChanged', hex(chain))
  }

  /** Sends a transaction if its account can pay for it and the owner lets it; gives the hash that the page gets. */
  async #send(parameter: unknown): Promise<string> {
    const { chainId, ...call } = transactionOf(parameter)
    const { account = '', chain } = this.#session
    if (call.from.toLowerCase() !== account.toLowerCase()) {
      throw new RpcError(4100, 'The account of this transaction is not connected.')
    }
    if (chainId !== undefined && Number(chainId) !== chain) {
      throw new RpcError(-32602, `The wallet is on chain ${chain}, not ${Number(chainId)}.`)
    }
    const gas = await this.#node('eth_estimateGas', [call]).then(number, () => assumedGas)
    const price = number(await this.#node('eth_gasPrice'))
    const balance = number(await this.#node('eth_getBalance', [call.from, 'latest']))
    const cost = gas * price + BigInt(call.value)
    const facts: Fact[] = [
      ['From', call.from],
      ['To', call.to],
      ['Data', `${(call.data.length - 2) / 2} bytes, begins ${call.data.slice(0, 10)}`],
      ['Pays', `${coins(cost)} at most`],
    ]
    await this.#ask({ title: 'Send this transaction?', facts })
    if (cost > balance) {
      throw new RpcError(
        -32000,
        `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`,
      )
    }
    const { sending = 'mined' } = this.#options
    if (sending === 'dropped') return unminedHash()
    const hash = await this.#node('eth_sendTransaction', [call])
    return sending === 'replaced' ? unminedHash() : String(hash)
  }

  /** What the node says. @throws RpcError */
  async #node(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const { rpc, chain } = this.#options
    if (this.#session.chain !== chain) {
      const message = `The sandbox wallet has no node for chain ${this.#session.chain}.`
      throw new RpcError(-32603, message)
    }
    this.#requests += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#requests, method, params })
    const text = await answerOf(rpc, body).catch(() => {
      throw new RpcError(-32603, 'The wallet can’t reach its node.')
    })
    const { result, error }: Answer = JSON.parse(text)
    if (error) throw new RpcError(error.code, error.message, error.data)
    return result
  }

  #emit(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value)
  }
}

interface Answer {
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

async function answerOf(rpc: WalletOptions['rpc'], body: string): Promise<string> {
  if ('binding' in rpc) return await Reflect.get(window, rpc.binding)(body)
  const headers = { 'content-type': 'application/json' }
  return await (await fetch(rpc.url, { method: 'POST', headers, body })).text()
}

const hex = (chain: number): string => `0x${chain.toString(16)}`
const number = (value: unknown): bigint => BigInt(String(value))

function chainOf(parameter: unknown): number {
  const { chainId } = Object(parameter)
  const chain = typeof chainId === 'string' && /^0x[0-9a-f]+$/iu.test(chainId) ? Number(chainId) : 0
  if (chain > 0 && Number.isSafeInteger(chain)) return chain
  throw new RpcError(-32602, 'Expected 0x-prefixed hexadecimal string "chainId".')
}

function transactionOf(parameter: unknown): Transaction & { chainId: string | undefined } {
  const { from, to, data = '0x', value = '0x0', chainId } = Object(parameter)
  const id = chainId === undefined ? undefined : text(chainId)
  return { from: text(from), to: text(to), data: text(data), value: text(value), chainId: id }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new RpcError(-32602, 'A transaction needs from, to, data and value as text.')
}

/** Wei as coins with six digits after the point. */
function coins(wei: bigint): string {
  const millionths = (wei + 10n ** 12n - 1n) / 10n ** 12n
  const digits = String(millionths).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)} ETH`
}

/** The hash of a transaction that no block will ever hold. */
function unminedHash(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const style = `
  dialog { box-sizing: border-box; width: min(22rem, calc(100vw - 2rem)); padding: 1.25rem; border: 0;
    border-radius: 1rem; color: light-dark(#1d1b19, #f2efec); background: light-dark(#fff, #26221f);
    font: 15px/1.45 system-ui, sans-serif; box-shadow: 0 1rem 3rem #0006; overflow-wrap: anywhere;
    color-scheme: light dark; --quiet: light-dark(#6b645d, #b3aaa2) }
  dialog::backdrop { background: #0008 }
  h2 { margin: 0 0 .25rem; font-size: 1.05rem }
  .from { margin: 0 0 1rem; color: var(--quiet); font-size: .85rem }
  dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: .25rem .75rem }
  dt { color: var(--quiet) } dd { margin: 0; font-variant-numeric: tabular-nums }
  label { display: flex; gap: .5rem; padding: .5rem; border-radius: .5rem; cursor: pointer; align-items: center }
  label:has(:checked) { background: light-dark(#f6e9e2, #443229) }
  menu { margin: 1rem 0 0; padding: 0; display: flex; gap: .5rem }
  button { flex: 1; padding: .65rem; border: 1px solid light-dark(#d8d2cc, #57504a); border-radius: .6rem;
    background: light-dark(#fff, #322d29); color: inherit; font: inherit; cursor: pointer }
  button.main { border-color: #b4542c; background: #b4542c; color: #fff }
`

/** The owner's choice, or '' if there was none to make; undefined if they said no. */
async function askOwner(
  name: string,
  { title, facts = [], choices = [], chosen }: Question,
): Promise<string | undefined> {
  // A shadow keeps the page's styles out; its style sheet is made here, since the page's policy allows no others.
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const approve = () => resolve(root.querySelector<HTMLInputElement>('input:checked')?.value ?? '')
  const reject = () => resolve(undefined)
  const content = html`<dialog aria-label="${name}: ${title}" @cancel=${reject}>
    <h2>${title}</h2><p class="from">${name} · ${location.host}</p>
    <dl>${facts.map(([fact, value]) => html`<dt>${fact}</dt><dd>${value}</dd>`)}</dl>
    ${choices.map((choice) => html`<label><input type="radio" name="account" value=${choice} ?checked=${choice === chosen}>${choice}</label>`)}
    <menu><button type="button" @click=${reject}>Reject</button>
      <button type="button" class="main" autofocus @click=${approve}>Approve</button></menu>
  </dialog>`
  render(content, root)
  document.documentElement.append(host)
  root.querySelector('dialog')?.showModal()
  const answer = await promise
  host.remove()
  return answer
}

/** Makes the wallet known to the page, now and whenever the page asks (EIP-6963). */
function announce(name: string, rdns: string, provider: Wallet): void {
  const info = Object.freeze({ uuid: crypto.randomUUID(), name, icon, rdns })
  // Pages keep what they were given: none may change what another is told.
  const detail = Object.freeze({ info, provider })
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
}

// Elsewhere, as on about:blank, nothing can be remembered and nobody looks for wallets.
if (/^https?:$/u.test(location.protocol) && window.top === window) {
  const { name = 'Sandbox wallet', rdns = 'sandbox.gavel' } = walletOptions
  const wallet = new Wallet(name, rdns, walletOptions)
  announce(name, rdns, wallet)
  // Tests and the browser's own console stand in for the window of an extension.
  window.addEventListener(rdns, (event) => {
    if (event instanceof CustomEvent) wallet.become(Object(event.detail))
  })
}
