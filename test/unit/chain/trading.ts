import type { Address, Hex } from 'viem'
import type { LocalChain } from '../../../sandbox/chain/chain.ts'
import { type Rehearsal, rehearse } from '../../../src/chain/airlock/rehearse.ts'
import { traderAddress, traderCode } from '../../../src/chain/airlock/rehearsed-launch.ts'
import { TradePlan } from '../../../src/chain/airlock/rehearsed-trades.ts'
import { Rpc } from '../../../src/chain/rpc.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { handsOn } from './on-chain.ts'

/** A launch that was sent. */
interface Launched {
  asset: Address
  /** The pool's id on Uniswap V4, its address on V3. */
  pool: Hex
  /** Buys in the pool, and sells a part again, as the rehearsal tried. */
  trade(): Promise<void>
}

/** Sends a launch. */
export async function launchOn(
  { rpcUrl, chainId }: LocalChain,
  chain: ReturnType<typeof handsOn>,
  subject: Rehearsal,
): Promise<Launched> {
  const result = await rehearse(new Rpc({ rpcUrl, chainId }), subject)
  if (result.kind === 'refused') throw new Error(plainText(result.reason))
  const { asset, gas, rehearsed } = result
  const pool = rehearsed?.pool
  if (!rehearsed || !pool) throw new Error('no pool')
  await chain.send(subject.to, subject.calldata)
  const launch = { ...rehearsed, asset, gas }
  const options = { beneficiaries: [], time: 0n, quoteSource: 'coins' } as const
  const [first, second] = new TradePlan(subject, launch, pool, options).blocks
  const calls = [...(first?.calls.slice(1, 2) ?? []), ...(second?.calls.slice(0, 2) ?? [])]
  return {
    asset,
    pool: pool.version === 4 ? pool.id : pool.address,
    trade: async () => {
      const address = traderAddress(subject)
      await chain.client.setCode({ address, bytecode: traderCode })
      await chain.client.setBalance({ address, value: 10n ** 24n })
      for (const { to, data } of calls) {
        const { status } = await chain.send(to, data)
        if (status !== 'success') throw new Error('the trade failed')
      }
    },
  }
}
