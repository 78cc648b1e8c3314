import { type LocalChain, startChain } from '../../../../sandbox/chain/chain.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'
import { type Rehearsal, rehearse } from '../../../../src/chain/airlock/rehearse.ts'
import { Rpc } from '../../../../src/chain/rpc.ts'
import { plainText } from '../../../../src/core/catalogue.ts'
import { walletOn } from '../on-chain.ts'
import { ada, beneficiaries, encodeCreate, somebody } from './sample.ts'

const chainId = 4663
/** Transactions go to another contract than the one that emits `Create`. */
export const launcher = { to: somebody('launcher'), airlock: somebody('airlock behind it') }

export interface Stage {
  chain: LocalChain
  hands: ReturnType<typeof walletOn>
  rehearse(params: CreateParams, other?: Partial<Rehearsal>): ReturnType<typeof rehearse>
}

/** A chain on which ada's launches are rehearsed. */
export async function startStage(): Promise<Stage> {
  const chain = await startChain({ chainId, launcher })
  const rpc = new Rpc({ rpcUrl: chain.rpcUrl, chainId })
  return {
    chain,
    hands: walletOn(chain),
    rehearse: (params, other = {}) =>
      rehearse(rpc, {
        ...launcher,
        calldata: encodeCreate(params),
        from: ada,
        quote: params.numeraire,
        supply: params.initialSupply,
        beneficiaries: beneficiaries.map(({ beneficiary }) => beneficiary),
        modules: [
          { kind: 'token factory', address: params.tokenFactory },
          { kind: 'governance factory', address: params.governanceFactory },
          { kind: 'pool initializer', address: params.poolInitializer },
          { kind: 'liquidity migrator', address: params.liquidityMigrator },
        ],
        ...other,
      }),
  }
}

/** What a rehearsal that has to pass shows. */
export async function shown(stage: Stage, params: CreateParams, other: Partial<Rehearsal> = {}) {
  const result = await stage.rehearse(params, other)
  if (result.kind === 'refused') throw new Error(plainText(result.reason))
  const { rehearsed } = result
  if (!rehearsed) throw new Error(plainText(result.note ?? ''))
  return { ...result, rehearsed }
}
