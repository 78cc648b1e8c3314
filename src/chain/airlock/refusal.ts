import { type Abi, decodeErrorResult, type Hex, isHex, parseAbi } from 'viem'
import { plain } from './plain.ts'
import { type RefusedLaunch, type RevertReason, refusals } from './refusals.ts'

/** What stands in a revert with a text, where that text is known. */
const texts: Readonly<Record<string, Omit<RevertReason, 'name'>>> = {
  TRANSFER_FAILED: {
    words:
      'The token refuses to hand out the rest of its supply: over its own limit on balances, or too many collectibles at once',
    blame: 'template',
  },
}

const wrappers = parseAbi([
  'error Error(string message)',
  'error Panic(uint256 code)',
  // A hook's error, as Uniswap V4 passes it on; now and before 2025.
  'error WrappedError(address target, bytes4 selector, bytes reason, bytes details)',
  'error Wrap__FailedHookCall(address hook, bytes reason)',
])

const signatures: readonly string[] = refusals.map(([signature]) => `error ${signature}`)
const known: Abi = parseAbi(signatures)

/** Why the contracts refuse a call, from the data of the revert. */
export function explainRevert(data: Hex, launch: RefusedLaunch = {}): RevertReason {
  return explained(data, launch, 3)
}

function explained(data: Hex, launch: RefusedLaunch, depth: number): RevertReason {
  if (data === '0x') {
    return {
      words:
        'It does not say why: most likely the pool data can’t be decoded, and the template is broken',
      blame: 'template',
    }
  }
  const found = decoded(known, data)
  const refusal = found && refusals[known.indexOf(found.item)]
  if (found && refusal) {
    const [, blame, words] = refusal
    const { name, args } = found
    return { name, words: typeof words === 'string' ? words : words(args, launch), blame }
  }
  const wrapped = decoded(wrappers, data)
  if (!wrapped) {
    const selector = plain(data.slice(0, 10))
    return { words: `An error that is not known here, ${selector}`, blame: 'other' }
  }
  const { name, args } = wrapped
  if (name === 'Error') return said(String(args[0]))
  if (name === 'Panic') {
    return { name, words: `A fault in the contract, Panic(${String(args[0])})`, blame: 'other' }
  }
  const reason = name === 'WrappedError' ? args[2] : args[1]
  return isHex(reason) && reason !== '0x' && depth > 0
    ? explained(reason, launch, depth - 1)
    : { name, words: 'Its hook refuses without saying why', blame: 'other' }
}

function said(text: string): RevertReason {
  return { name: 'Error', ...(texts[text] ?? { words: `“${plain(text)}”`, blame: 'other' }) }
}

function decoded(abi: Abi, data: Hex) {
  try {
    const { errorName, args, abiItem } = decodeErrorResult({ abi, data })
    return { name: errorName, args: args ?? [], item: abiItem }
  } catch {
    return undefined
  }
}

/** The data of a revert in what a node gives beside its error; nodes wrap them differently. */
export function revertData(data: unknown): Hex {
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data)
  const bare = typeof data === 'string' ? data.replace(/^Reverted /iu, '') : ''
  return isHex(bare) ? bare : '0x'
}
