import { type Address, isAddressEqual, size } from 'viem'
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
  /** How many bytes of their own these modules are told; what these say is not read. */
  unread: { governanceFactory: number; liquidityMigrator: number }
  /** Undefined where the layout of the data is not recognised, as with `pool`. */
  token: TokenData | undefined
  pool: PoolData | undefined
}

/** What these parameters come to; who vests and who gets fees: the given wallet's own lines first, then the largest. */
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
    unread: {
      governanceFactory: size(params.governanceFactoryData),
      liquidityMigrator: size(params.liquidityMigratorData),
    },
    token: token && {
      ...token,
      vesting: ownFirst(token.vesting, ({ recipient, amount }) => [recipient, amount], wallet),
    },
    pool: pool && {
      ...pool,
      ...(pool.beneficiaries && {
        beneficiaries: ownFirst(
          pool.beneficiaries,
          ({ beneficiary, shares }) => [beneficiary, shares],
          wallet,
        ),
      }),
    },
  }
}

function ownFirst<Line>(
  lines: readonly Line[],
  told: (line: Line) => readonly [whose: Address, part: bigint],
  wallet: Address | undefined,
): readonly Line[] {
  const rank = (whose: Address) => (wallet && isAddressEqual(whose, wallet) ? 0 : 1)
  return [...lines].sort((one, other) => {
    const [[whose, part], [another, otherPart]] = [told(one), told(other)]
    return rank(whose) - rank(another) || (part > otherPart ? -1 : Number(part < otherPart))
  })
}
