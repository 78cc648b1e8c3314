import { addressNode } from './address.ts'
import { button, element } from './dom.ts'
import type { StageContent } from './ends.ts'
import type { Flow } from './flow.ts'
import { backToWallets, hint, text } from './pieces.ts'

/** Content if the wallet has another account than the draft's and the creator wasn't asked yet. */
export function otherAccount(flow: Flow): StageContent {
  return {
    title: 'This is another account',
    tone: 'warn',
    nodes: [
      text(
        'The draft was made for one account, and the wallet has another one. Token and terms stay the same.',
      ),
      ...accounts(flow),
      switchAccount(flow),
      askButton(flow, 'Ask for permission'),
      hint('The launcher is then asked in the private chat with the bot whether it may sign.'),
      backToWallets(flow),
    ],
  }
}

/** Content after the creator was asked whether this account may sign. */
export function permissionAsked(flow: Flow): StageContent {
  return {
    title: 'Waiting for the launcher’s answer',
    nodes: [
      text(
        flow.signer?.state === 'waiting'
          ? 'Too many accounts asked already, so the bot sends no message about this one. Tell the launcher to send /launches in the private chat with the bot: this account can be allowed there.'
          : 'The launcher was asked in the private chat with the bot whether this account may sign.',
      ),
      hint('This page goes on by itself.'),
      element(
        'p',
        { class: 'waiting' },
        element('span', { class: 'dots', 'aria-hidden': 'true' }),
        'Looking for the answer…',
      ),
      ...accounts(flow),
      switchAccount(flow),
      backToWallets(flow),
    ],
  }
}

/** Content after the creator refused, perhaps by mistake. */
export function permissionRefused(flow: Flow): StageContent {
  const canAskAgain = flow.signer?.askAgainAt !== undefined
  return {
    title: 'The launcher said no',
    tone: 'warn',
    nodes: [
      text('This account can’t sign. Switch to the account of the draft.'),
      ...accounts(flow),
      switchAccount(flow),
      canAskAgain ? askButton(flow, 'Ask again') : undefined,
      hint(
        canAskAgain
          ? 'If that was a mistake, the launcher can be asked once more.'
          : 'The launcher was asked often enough about this account, and is not asked again.',
      ),
      backToWallets(flow),
    ],
  }
}

function accounts({ request, connection }: Flow): Node[] {
  const { chain, wallet } = request
  return [
    element('p', { class: 'label' }, 'Account of the draft'),
    addressNode(wallet, chain.explorer),
    element('p', { class: 'label' }, 'Account in the wallet'),
    addressNode(connection.account ?? '', chain.explorer),
  ]
}

function askButton(flow: Flow, label: string): HTMLElement {
  return button(
    { action: 'ask', kind: 'quiet', busy: flow.busy !== undefined },
    flow.busy === 'asking' ? 'Asking…' : label,
    () => void flow.askPermission(),
  )
}

function switchAccount(flow: Flow): HTMLElement {
  return button(
    { action: 'switch-account', kind: 'main', busy: flow.busy !== undefined },
    flow.busy === 'connecting' ? 'Look into your wallet…' : 'Switch account',
    () => void flow.switchAccount(),
  )
}
