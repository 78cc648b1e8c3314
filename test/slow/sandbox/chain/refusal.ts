import { type Address, type Hex, isHex } from 'viem'
import { z } from 'zod'
import type { LocalChain } from '../../../../sandbox/chain/chain.ts'

const answer = z.object({ error: z.object({ data: z.custom<Hex>(isHex) }).optional() })

/** The data with which a contract refuses a call; undefined where it takes it. */
export async function refusalOf(
  { rpcUrl, accounts: [first] }: LocalChain,
  to: Address,
  data: Hex,
): Promise<Hex | undefined> {
  const call = { from: first?.address, to, data }
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] }),
  })
  return answer.parse(await response.json()).error?.data
}
