import type { SigningRequest } from '../../../launch/signing-wire.ts'
import { LinkFault } from './link.ts'
import type { Notice, Step } from './state.ts'
import { clean } from './text.ts'
import { WalletFault } from './wallet.ts'

type Chain = SigningRequest['chain']

/** Describes a fault and what to do; `nextStep` names the button to press again. */
export function noticeOf(fault: unknown, chain: Chain, nextStep: string): Notice {
  if (fault instanceof WalletFault) return warning(walletWords(fault, chain, nextStep))
  if (fault instanceof LinkFault) return warning(`${linkWords[fault.kind]} ${nextStep}`)
  return warning(`Something went wrong in this page. Reload it. ${nextStep}`)
}

function warning(text: string): Notice {
  return { tone: 'warn', text }
}

/** The notice while the bot can't be reached; removed as soon as it answers again. */
export function botUnreachable(isSent: boolean): Notice {
  const meanwhile = isSent
    ? 'The transaction is on its way all the same.'
    : 'This page keeps trying.'
  const text = `The bot can’t be reached at the moment. ${meanwhile}`
  return { ...warning(text), untilReached: true }
}

/** The notice if another tab of this browser still waits for its wallet. */
export const otherTab = warning(
  'Another tab is asking your wallet. Answer there, or close that tab; then press Sign and launch again.',
)

/** Says why Sign and launch did not ask the wallet. */
export function notSent(step: Step): Notice {
  return warning(
    step === 'pending' || step === 'missing'
      ? 'Nothing was sent from here: another page of this link has sent it already.'
      : 'Nothing was sent: something changed just before. See below.',
  )
}

/** The notice if the creator refused and can't be asked again yet. */
export function askedTooSoon(seconds: number): Notice {
  const wait = Math.max(1, Math.ceil(seconds))
  return warning(`The launcher was asked a moment ago. Ask again in ${wait} s.`)
}

function walletWords({ kind, message }: WalletFault, chain: Chain, nextStep: string): string {
  switch (kind) {
    case 'refused':
      return `You refused in the wallet, and nothing was sent. ${nextStep}`
    case 'pending':
      return `The wallet is still waiting for an earlier answer. Open it, answer there, and come back. ${nextStep}`
    case 'unauthorised':
      return 'The wallet does not show this page its account any more. Connect it again.'
    case 'unknown chain': {
      const { id, name, coin, rpcUrl } = chain
      const rpc = rpcUrl === undefined ? '' : `, RPC ${rpcUrl}`
      return `The wallet does not know ${name}. Add it there by hand, under Networks: chain id ${id}, coin ${coin}${rpc}. Then switch to it in the wallet.`
    }
    case 'funds':
      return `This account has not enough ${chain.coin} on ${chain.name} for this transaction. Send some ${chain.coin} to it first. ${nextStep}`
    case 'disconnected':
      return `The wallet has no connection. Look into it, then come back. ${nextStep}`
    case 'no hash':
      return 'The wallet named no transaction. Look into its history first: it may have sent one all the same.'
    case 'other': {
      const reason = clean(message, 200)
      return reason === ''
        ? `The wallet did not do it and gave no reason. Look into it. ${nextStep}`
        : `The wallet did not do it. It says: “${reason}” ${nextStep}`
    }
  }
}

export const linkWords: Readonly<Record<LinkFault['kind'], string>> = {
  unknown:
    'There is no such signing link: it may have been replaced or revoked. Go back to the chat and send /launches for a new one.',
  busy: 'This page was asked for too often. Wait a minute.',
  unreachable: 'The bot could not be reached, and nothing was sent. Look at your connection.',
}
