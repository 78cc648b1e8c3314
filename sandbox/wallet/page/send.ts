import type { WalletOptions } from '../options.ts'
import { RpcError } from './error.ts'
import type { ChainLine } from './line.ts'

/** A transaction's hash. */
export type Sent = string

export interface Transaction {
  from: string
  to: string
  data: string
  value: string
}

type Ask = (facts: readonly (readonly [string, string])[]) => Promise<unknown>

// What a wallet assumes where the node does not let a call be estimated, as when it reverts.
const plentyOfGas = 3_000_000n

/** Sends a transaction if its account can pay for it and `ask` lets it; gives the hash that the page gets. */
export async function send(
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
