import type { AbiParameter, Address, DecodeAbiParametersReturnType, Hex } from 'viem'
import { decodeExactly } from './exactly.ts'

/** What somebody gets over time; `amount` in base units, `cliff` and `duration` in seconds where they are said. */
export interface Vesting {
  recipient: Address
  amount: bigint
  cliff?: bigint
  duration?: bigint
}

export type TokenLayout = 'DERC20' | 'CloneDERC20VotesV2' | 'DopplerERC20V1' | 'DN404'

/** What a token factory is told. */
export interface TokenData {
  layout: TokenLayout
  name: string
  symbol: string
  /** The metadata; of DN404 the base of them. */
  uri: string
  vesting: readonly Vesting[]
  /** How much may be minted a year: an 18-decimal fraction of the supply. Absent where the layout has none. */
  yearlyMintRate?: bigint
  /** Absent where the layout has none; the zero address stands for nobody. */
  controller?: Address
  /** Absent where the layout has none. `most` in base units, none at zero; `until` in unix seconds. */
  balanceLimit?: { most: bigint; until: number; excluded: readonly Address[] }
}

const schedules = {
  name: 'schedules',
  type: 'tuple[]',
  components: [
    { name: 'cliff', type: 'uint64' },
    { name: 'duration', type: 'uint64' },
  ],
} as const
const name = { name: 'name', type: 'string' } as const
const symbol = { name: 'symbol', type: 'string' } as const
const yearlyMintRate = { name: 'yearlyMintRate', type: 'uint256' } as const
const recipients = { name: 'recipients', type: 'address[]' } as const
const scheduleIds = { name: 'scheduleIds', type: 'uint256[]' } as const
const amounts = { name: 'amounts', type: 'uint256[]' } as const
const tokenUri = { name: 'tokenURI', type: 'string' } as const

const derc20 = [
  name,
  symbol,
  yearlyMintRate,
  { name: 'vestingDuration', type: 'uint256' },
  recipients,
  amounts,
  tokenUri,
] as const
const cloneVotesV2 = [
  name,
  symbol,
  yearlyMintRate,
  schedules,
  recipients,
  scheduleIds,
  amounts,
  tokenUri,
] as const
const dopplerErc20V1 = [
  name,
  symbol,
  schedules,
  recipients,
  scheduleIds,
  amounts,
  tokenUri,
  { name: 'maxBalanceLimit', type: 'uint256' },
  { name: 'balanceLimitEnd', type: 'uint48' },
  { name: 'controller', type: 'address' },
  { name: 'excluded', type: 'address[]' },
] as const
const dn404 = [
  name,
  symbol,
  { name: 'baseURI', type: 'string' },
  { name: 'unit', type: 'uint256' },
] as const

// The layouts have heads of different lengths, and the first word points behind its head: at most one fits.
const readers: readonly ((data: Hex) => TokenData | undefined)[] = [
  layout(dopplerErc20V1, ([name, symbol, schedules, recipients, ids, amounts, uri, ...rest]) => {
    const vesting = scheduled(recipients, amounts, ids, schedules)
    const [most, until, controller, excluded] = rest
    const balanceLimit = { most, until, excluded }
    return (
      vesting && { layout: 'DopplerERC20V1', name, symbol, uri, vesting, controller, balanceLimit }
    )
  }),
  layout(derc20, ([name, symbol, yearlyMintRate, duration, recipients, amounts, uri]) => {
    const schedules = [{ duration }]
    const vesting = scheduled(
      recipients,
      amounts,
      recipients.map(() => 0n),
      schedules,
    )
    return vesting && { layout: 'DERC20', name, symbol, uri, vesting, yearlyMintRate }
  }),
  layout(
    cloneVotesV2,
    ([name, symbol, yearlyMintRate, schedules, recipients, ids, amounts, uri]) => {
      const vesting = scheduled(recipients, amounts, ids, schedules)
      return vesting && { layout: 'CloneDERC20VotesV2', name, symbol, uri, vesting, yearlyMintRate }
    },
  ),
  layout(dn404, ([name, symbol, uri]) => ({ layout: 'DN404', name, symbol, uri, vesting: [] })),
]

/**
 * What `tokenFactoryData` say, in whichever of the known layouts encodes to just these bytes; undefined where none
 * does, or where the lists do not belong together.
 */
export function readTokenData(data: Hex): TokenData | undefined {
  const lowerCase: Hex = `0x${data.slice(2).toLowerCase()}`
  for (const read of readers) {
    const token = read(lowerCase)
    if (token !== undefined) return token
  }
  return undefined
}

function layout<const Params extends readonly AbiParameter[]>(
  params: Params,
  tell: (values: DecodeAbiParametersReturnType<Params>) => TokenData | undefined,
) {
  return (data: Hex): TokenData | undefined => {
    const values = decodeExactly(params, data)
    return values && tell(values)
  }
}

function scheduled(
  recipients: readonly Address[],
  amounts: readonly bigint[],
  ids: readonly bigint[],
  schedules: readonly { cliff?: bigint; duration: bigint }[],
): Vesting[] | undefined {
  if (recipients.length !== amounts.length || recipients.length !== ids.length) return undefined
  const vesting = recipients.flatMap((recipient, index) => {
    const amount = amounts[index]
    const schedule = schedules[Number(ids[index])]
    return amount === undefined || schedule === undefined
      ? []
      : [{ recipient, amount, ...schedule }]
  })
  return vesting.length === recipients.length ? vesting : undefined
}
