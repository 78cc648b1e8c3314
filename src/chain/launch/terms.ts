import { type Address, isAddressEqual } from 'viem'
import type { CreateParams } from './calldata.ts'
import { type PoolData, readPoolData } from './pool-data.ts'
import { readTokenData, type TokenData } from './token-data.ts'

/** The contracts that a launch is put together from. */
export interface LaunchModules {
  tokenFactory: Address
  governanceFactory: Address
  poolInitializer: Address
  liquidityMigrator: Address
}

/** What a payload creates, for people to read. Amounts are in base units, 18 decimals. */
export interface LaunchTerms {
  supply: bigint
  numTokensToSell: bigint
  /** The zero address stands for the chain's coin. */
  numeraire: Address
  integrator: Address
  modules: LaunchModules
  /** Undefined where the layout of the data is not recognised, as with `pool`. */
  token: TokenData | undefined
  pool: PoolData | undefined
}

/** What these parameters come to; who vests and who gets fees with the given wallet's own lines first. */
export function termsOf(params: CreateParams, wallet?: Address): LaunchTerms {
  const token = readTokenData(params.tokenFactoryData)
  const pool = readPoolData(params.poolInitializerData)
  return {
    supply: params.initialSupply,
    numTokensToSell: params.numTokensToSell,
    numeraire: params.numeraire,
    integrator: params.integrator,
    modules: {
      tokenFactory: params.tokenFactory,
      governanceFactory: params.governanceFactory,
      poolInitializer: params.poolInitializer,
      liquidityMigrator: params.liquidityMigrator,
    },
    token: token && {
      ...token,
      vesting: ownFirst(token.vesting, ({ recipient }) => recipient, wallet),
    },
    pool: pool && {
      ...pool,
      beneficiaries: ownFirst(pool.beneficiaries, ({ beneficiary }) => beneficiary, wallet),
    },
  }
}

function ownFirst<Line>(
  lines: readonly Line[],
  whose: (line: Line) => Address,
  wallet: Address | undefined,
): readonly Line[] {
  if (wallet === undefined) return lines
  const isOwn = (line: Line) => isAddressEqual(whose(line), wallet)
  return [...lines.filter(isOwn), ...lines.filter((line) => !isOwn(line))]
}
