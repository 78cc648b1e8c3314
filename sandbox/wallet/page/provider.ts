import type { WalletOptions } from '../server.ts'
import type { Memory } from './memory.ts'
import type { Question, Sheet } from './sheet.ts'

interface Request {
  method: string
  params?: readonly unknown[]
}

type Listener = (value: unknown) => void

interface Parts {
  options: WalletOptions
  line: ChainLine
  memory: Memory
  sheet: Sheet
}

const hex = (chain: number): string => `0x${chain.toString(16)}`

/** A wallet as pages see it (EIP-1193). Reads go to the node; whatever shows or moves something asks its owner. */
export class SandboxProvider {
  readonly #parts: Parts
  readonly #listeners = new Map<string, Set<Listener>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  // Pages pass this function around on its own.
  readonly request = async ({ method, params = [] }: Request): Promise<unknown> => {
    const { memory } = this.#parts
    switch (method) {
      case 'eth_accounts':
        return this.#accounts
      case 'eth_requestAccounts':
        return memory.account === undefined ? await this.#connect() : this.#accounts
      case 'wallet_requestPermissions':
        await this.#connect()
        return [{ parentCapability: 'eth_accounts' }]
      case 'wallet_revokePermissions':
        memory.account = undefined
        this.#emit('accountsChanged', [])
        return null
      case 'eth_chainId':
        return hex(memory.chain)
      case 'net_version':
        return String(memory.chain)
      case 'wallet_switchEthereumChain':
        return await this.#switch(chainOf(params[0]))
      case 'wallet_addEthereumChain':
        return await this.#add(chainOf(params[0]))
      case 'eth_sendTransaction':
        return await this.#send(params[0])
      default:
        return await this.#read(method, params)
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
    const { memory } = this.#parts
    if (account !== undefined) {
      memory.account = account
      this.#emit('accountsChanged', this.#accounts)
    }
    if (chain !== undefined) this.#goTo(chain)
  }

  get #accounts(): string[] {
    const { account } = this.#parts.memory
    return account === undefined ? [] : [account]
  }

  async #ask(question: Question): Promise<string> {
    const { approval = 'ask' } = this.#parts.options
    if (approval === 'always') return question.chosen ?? ''
    const answer = approval === 'never' ? undefined : await this.#parts.sheet.ask(question)
    if (answer === undefined) throw userRejected()
    return answer
  }

  async #connect(): Promise<string[]> {
    const { memory, options } = this.#parts
    const before = memory.account
    const chosen = before ?? options.accounts[0]
    const question = { title: 'Connect to this site?', choices: options.accounts, chosen }
    memory.account = await this.#ask(question)
    if (memory.account !== before) this.#emit('accountsChanged', this.#accounts)
    return this.#accounts
  }

  async #switch(chain: number): Promise<null> {
    const { memory } = this.#parts
    if (chain === memory.chain) return null
    if (!memory.knows(chain)) {
      throw new RpcError(4902, `Unrecognized chain ID "${hex(chain)}". Try adding the chain first.`)
    }
    await this.#ask({ title: 'Switch chain?', facts: [['Chain', String(chain)]] })
    this.#goTo(chain)
    return null
  }

  async #add(chain: number): Promise<null> {
    const { memory } = this.#parts
    if (!memory.knows(chain)) {
      await this.#ask({ title: 'Add this chain?', facts: [['Chain', String(chain)]] })
      memory.learn(chain)
    }
    return await this.#switch(chain)
  }

  #goTo(chain: number): void {
    this.#parts.memory.chain = chain
    this.#emit('chainChanged', hex(chain))
  }

  async #send(value: unknown): Promise<Sent> {
    const { memory, options, line } = this.#parts
    const account = memory.account ?? ''
    const transaction = transactionOf(value)
    if (transaction.from.toLowerCase() !== account.toLowerCase()) {
      throw new RpcError(4100, 'The account of this transaction is not connected.')
    }
    const asked = transaction.chainId === undefined ? memory.chain : Number(transaction.chainId)
    if (asked !== memory.chain) {
      throw new RpcError(-32602, `The wallet is on chain ${memory.chain}, not ${asked}.`)
    }
    this.#mustBeHome()
    return await send(line, transaction, options.sending ?? 'mined', (facts) =>
      this.#ask({ title: 'Send this transaction?', facts }),
    )
  }

  async #read(method: string, params: readonly unknown[]): Promise<unknown> {
    if (/^(?:eth_sign|personal_|eth_sendRaw|wallet_|anvil_|evm_|hardhat_)/u.test(method)) {
      throw new RpcError(4200, `The sandbox wallet does not do ${method}.`)
    }
    this.#mustBeHome()
    return await this.#parts.line.ask(method, params)
  }

  #mustBeHome(): void {
    const { memory, options } = this.#parts
    if (memory.chain === options.chain) return
    throw new RpcError(-32603, `The sandbox wallet has no node for chain ${memory.chain}.`)
  }

  #emit(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value)
  }
}

function chainOf(parameter: unknown): number {
  const { chainId } = Object(parameter)
  const chain = typeof chainId === 'string' && /^0x[0-9a-f]+$/iu.test(chainId) ? Number(chainId) : 0
  if (chain > 0 && Number.isSafeInteger(chain)) return chain
  throw new RpcError(-32602, 'Expected 0x-prefixed hexadecimal string "chainId".')
}

function transactionOf(value: unknown): Transaction & { chainId: string | undefined } {
  const { from, to, data = '0x', value: amount = '0x0', chainId } = Object(value)
  return {
    from: text(from),
    to: text(to),
    data: text(data),
    value: text(amount),
    chainId: chainId === undefined ? undefined : text(chainId),
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new RpcError(-32602, 'A transaction needs from, to, data and value as text.')
}

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

const userRejected = (): RpcError => new RpcError(4001, 'User rejected the request.')

interface Answer {
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

type Binding = (body: string) => Promise<string>

/** The wallet's own line to its node. */
export class ChainLine {
  readonly #rpc: WalletOptions['rpc']
  #asked = 0

  constructor(rpc: WalletOptions['rpc']) {
    this.#rpc = rpc
  }

  /** @throws RpcError */
  async ask(method: string, params: readonly unknown[] = []): Promise<unknown> {
    this.#asked += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#asked, method, params })
    const answer: Answer = JSON.parse(await this.#send(body))
    const { error } = answer
    if (error) throw new RpcError(error.code, error.message, error.data)
    return answer.result
  }

  async #send(body: string): Promise<string> {
    try {
      if ('url' in this.#rpc) {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(this.#rpc.url, { method: 'POST', headers, body })
        return await response.text()
      }
      const binding: Binding | undefined = Reflect.get(window, this.#rpc.binding)
      if (!binding) throw new Error('the wallet has no line')
      return await binding(body)
    } catch {
      throw new RpcError(-32603, 'The wallet can’t reach its node.')
    }
  }
}

/** A transaction's hash. */
type Sent = string

interface Transaction {
  from: string
  to: string
  data: string
  value: string
}

type Ask = (facts: readonly (readonly [string, string])[]) => Promise<unknown>

// What a wallet assumes where the node does not let a call be estimated, as when it reverts.
const plentyOfGas = 3_000_000n

/** Sends a transaction if its account can pay for it and `ask` lets it; gives the hash that the page gets. */
async function send(
  line: ChainLine,
  { from, to, data, value }: Transaction,
  sending: NonNullable<WalletOptions['sending']>,
  ask: Ask,
): Promise<Sent> {
  const call = { from, to, data, value }
  const gas = await line.ask('eth_estimateGas', [call]).then(number, () => plentyOfGas)
  const price = number(await line.ask('eth_gasPrice'))
  const balance = number(await line.ask('eth_getBalance', [from, 'latest']))
  const cost = gas * price + BigInt(value)
  await ask([
    ['From', from],
    ['To', to],
    ['Data', `${(data.length - 2) / 2} bytes, begins ${data.slice(0, 10)}`],
    ['Pays', `${coins(cost)} at most`],
  ])
  if (cost > balance) {
    throw new RpcError(
      -32000,
      `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`,
    )
  }
  if (sending === 'dropped') return invented()
  const hash = await line.ask('eth_sendTransaction', [call])
  return sending === 'replaced' || typeof hash !== 'string' ? invented() : hash
}

function number(value: unknown): bigint {
  return BigInt(String(value))
}

/** Wei as coins with six digits after the point. */
function coins(wei: bigint): string {
  const millionths = (wei + 10n ** 12n - 1n) / 10n ** 12n
  const digits = String(millionths).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)} ETH`
}

/** The hash of a transaction that no block will ever hold. */
function invented(): Sent {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
