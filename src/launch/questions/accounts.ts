import { isNobody, parseAddress } from '../../chain/address.ts'
import { UserError } from '../../errors.ts'
import { always, never, ofLaunches, type Question } from './question.ts'
import { isAboutAccounts, refuseSecret } from './secrets.ts'

/** What stands for the wallet where another account could be given. */
const sameWallet = 'wallet'

/**
 * An account that can hold something.
 * @throws UserError that names the fault
 */
export function readAccount(text: string): `0x${string}` {
  refuseSecret(text)
  const address = parseAddress(text)
  if (!isNobody(address)) return address
  throw new UserError('This is the zero address: what it gets is lost. Give another address.')
}

export const wallet: Question = {
  id: 'wallet',
  label: 'Wallet',
  names: ['wallet', 'my wallet', 'signer'],
  field: { kind: 'line', most: 100, about: 'The address that signs and pays the gas' },
  applies: ofLaunches,
  skipped: never,
  ask: () => ({
    words: [
      'Which wallet will sign? Paste its address. Only the address: nobody here ever asks for a key or a seed phrase.',
    ],
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
    allowed: 'An address of 0x and 40 characters.',
  }),
  keeps: isAboutAccounts,
  parse: (text) => ({ wallet: readAccount(text) }),
  text: ({ answers }) => answers.wallet,
}

export const feeReceiver: Question = {
  id: 'feeReceiver',
  label: 'Fee receiver',
  names: ['fee receiver', 'fees', 'fee', 'feereceiver', 'receiver'],
  field: {
    kind: 'line',
    most: 100,
    about: 'An address',
    empty: { text: sameWallet, about: 'empty: the wallet that signs' },
  },
  applies: always,
  skipped: ({ goal }) => (goal === 'metadata' ? { feeReceiver: null } : undefined),
  ask: ({ goal }) => ({
    words: [
      'Who is named as fee receiver in the token’s metadata?',
      ...(goal === 'launch'
        ? [' It is written there only: who shares in the fees is asked for under Beneficiaries.']
        : []),
    ],
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
    allowed:
      goal === 'launch' ? 'An address, or “wallet” for the wallet that signs.' : 'An address.',
    ...(goal === 'launch' && { choices: [{ label: 'The same wallet', value: sameWallet }] }),
  }),
  keeps: isAboutAccounts,
  parse: (text, { goal }) => {
    const same = /^(?:(?:the |my )?(?:same )?wallet|same|me|the same)\.?$/iu.test(text.trim())
    if (same && goal === 'launch') return { feeReceiver: null }
    return { feeReceiver: readAccount(text) }
  },
  text: ({ answers, goal }) =>
    answers.feeReceiver === null ? (goal === 'launch' ? sameWallet : '') : answers.feeReceiver,
}
