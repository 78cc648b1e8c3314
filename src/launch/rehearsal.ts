import { type Address, isAddressEqual } from 'viem'
import { type Decoded, decodePayload } from '../chain/airlock/decode.ts'
import { effectsOf } from '../chain/airlock/effects.ts'
import type { RehearsalResult } from '../chain/airlock/rehearse.ts'
import type { ChainNode } from '../chain/node.ts'
import { bookOf, type Rehearsal } from './check.ts'
import type { Payload } from './payload.ts'

type Sent = Pick<Payload, 'to' | 'airlock' | 'calldata' | 'wallet'> & {
  token?: Address | undefined
}

/**
 * Rehearses a payload from the launcher's account on its chain's last block.
 * @throws NodeError if the node can't say
 */
export function rehearsePayload(
  node: Pick<ChainNode, 'rehearse'>,
  { to, airlock, calldata, wallet, token }: Sent,
  decoded: Decoded,
): Promise<RehearsalResult> {
  const { params } = decoded.call
  const pool = decoded.pool
  const { value, starts } = effectsOf(decoded, { token })
  return node.rehearse({
    to,
    airlock,
    calldata,
    from: wallet,
    value,
    ...(starts !== undefined && { starts }),
    ...(token !== undefined && { token }),
    modules: decoded.modules.filter(({ kind }) => kind !== 'hook'),
    quote: params.numeraire,
    supply: params.initialSupply,
    beneficiaries:
      pool && 'beneficiaries' in pool ? pool.beneficiaries.map((each) => each.beneficiary) : [],
  })
}

/** What a stored payload says; undefined if it is no launch, or was built by a version that checked less. */
export function decodedOf({
  calldata,
  check,
}: Pick<Payload, 'calldata' | 'check'>): Decoded | undefined {
  const decoded = check && decodePayload(calldata, bookOf(check))
  return decoded?.call ? decoded : undefined
}

type Rehearsed = NonNullable<Extract<RehearsalResult, { kind: 'passed' }>['rehearsed']>

/** A rehearsal as it is stored with a check. */
export function storedRehearsal(rehearsed: Rehearsed, wallet: Address): Rehearsal {
  const { holders, pool, assetData, early, collected, buy, sell, spent, moved } = rehearsed
  const taken = moved
    .filter(({ from }) => isAddressEqual(from, wallet))
    .reduce((sum, { amount }) => sum + amount, 0n)
  return {
    holders: holders.map(({ address, amount }) => ({ address, amount: String(amount) })),
    ...(pool && {
      pool: {
        holders: [...pool.holders],
        ...('id' in pool && { id: pool.id }),
        sqrtPrice: String(pool.sqrtPrice),
      },
    }),
    timelock: assetData.timelock,
    governance: assetData.governance,
    integrator: assetData.integrator,
    ...(early && { early: early === 'possible' }),
    ...(collected &&
      !('refused' in collected) && {
        collected: collected.map(({ to, quote, tokens }) => ({
          to,
          quote: String(quote),
          tokens: String(tokens),
        })),
      }),
    ...(buy &&
      !('untried' in buy) && {
        bought:
          'refused' in buy
            ? { refused: buy.refused }
            : {
                paid: String(buy.paid),
                took: String(buy.took),
                gave: String(buy.gave),
                tokens: String(buy.got),
                fee: buy.fee,
              },
      }),
    ...(sell && 'refused' in sell && !('untried' in sell) && { cannotSell: sell.refused }),
    ...(collected && 'refused' in collected && { cannotCollect: collected.refused }),
    taken: { coins: String(spent), quote: String(taken) },
  }
}
