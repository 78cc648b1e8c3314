import type { WalletOptions } from '../options.ts'
import { RpcError } from './error.ts'

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
