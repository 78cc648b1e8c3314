import type { BrowserContext } from 'playwright-core'

/** What the wallet says to a method: a result, or an error. A method that is not named never answers. */
export type Answers = Record<
  string,
  { result?: unknown; error?: { code: number; message: string } }
>

export interface TableWallet {
  answers: Answers
  /** As it announces itself; without it, it only sets `window.ethereum`. */
  info?: { name: string; rdns: string; icon: string }
}

/** A wallet that has the faults it is given, where a real one would have to be brought to them. */
export function withTableWallet(...wallets: TableWallet[]) {
  return (context: BrowserContext): Promise<unknown> =>
    context.addInitScript({ content: `(${install})(${JSON.stringify(wallets)})` })
}

// It runs in the page, which the types of this folder know nothing of.
const install = `(wallets) => {
  window.asked = []
  window.tables = wallets.map(({ answers }) => answers)
  window.emit = (event, payload) => { for (const tell of heard[event] ?? []) tell(payload) }
  const heard = {}
  wallets.forEach(({ info }, index) => {
    const provider = {
      on: (event, tell) => { (heard[event] ??= []).push(tell) },
      removeListener: (event, tell) => { heard[event] = (heard[event] ?? []).filter((it) => it !== tell) },
      request: async ({ method, params }) => {
        window.asked.push({ method, params })
        const answer = window.tables[index][method]
        if (!answer) return new Promise(() => {})
        if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error)
        return answer.result
      },
    }
    if (!info) { window.ethereum = provider; return }
    const detail = Object.freeze({ info: { ...info, uuid: String(index) }, provider })
    const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    addEventListener('eip6963:requestProvider', tell)
    tell()
  })
}`

/** A wallet on the chain of the requests of these tests, with this account. */
export function connected(account: string, more: Answers = {}): TableWallet {
  return {
    info: { name: 'Table wallet', rdns: 'test.table', icon: 'data:image/png;base64,' },
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
