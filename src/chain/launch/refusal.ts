import { decodeErrorResult, type Hex, isHex, parseAbi } from 'viem'
import { plain } from './plain.ts'

const errors = parseAbi([
  'error Error(string message)',
  'error Panic(uint256 code)',
  'error WrongModuleState(address module, uint8 expected, uint8 actual)',
  'error InvalidStartTime()',
  'error InvalidTimeRange()',
  'error InvalidTotalShares()',
  'error UnorderedBeneficiaries()',
  'error ArrayLengthsMismatch()',
  'error FailedDeployment()',
  'error DeploymentFailed()',
])

const known: Readonly<Record<string, string>> = {
  WrongModuleState: 'one of its modules is not whitelisted',
  InvalidStartTime: 'the starting time of its auction has passed',
  FailedDeployment: 'its token can’t be deployed, or is there already',
  DeploymentFailed: 'its token can’t be deployed, or is there already',
}

/** Why the contracts refuse a call, from the data of the revert: in words, where they are known, of bounded length. */
export function explainRevert(data: Hex): string {
  if (data === '0x') return 'without saying why'
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data })
    const [said] = args ?? []
    if (errorName === 'Error') return `“${plain(String(said))}”`
    if (errorName === 'Panic') return `a fault in the contract, Panic(${String(said)})`
    const words = known[errorName]
    return words === undefined ? errorName : `${words} (${errorName})`
  } catch {
    return `an error that is not known here, ${plain(data.slice(0, 10))}`
  }
}

/** The data of a revert in what a node gives beside its error; nodes wrap them differently. */
export function revertData(data: unknown): Hex {
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data)
  const bare = typeof data === 'string' ? data.replace(/^Reverted /iu, '') : ''
  return isHex(bare) ? bare : '0x'
}
