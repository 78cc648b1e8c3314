import { shortDigest } from '../../../chain/launch/calldata.ts'
import { addressNode } from './address.ts'
import { button, element } from './dom.ts'
import { elsewhereNodes } from './elsewhere.ts'
import { endOf, type StageContent, sentNodes } from './ends.ts'
import type { Flow } from './flow.ts'
import type { Link } from './link.ts'
import type { Stage } from './stage.ts'
import { walletNodes } from './wallet-list.ts'

type Show = (flow: Flow, link: Link) => StageContent

/** What each stage shows: one clear thing to do, and the ways round it. */
export const stages: Readonly<Record<Stage, Show>> = {
  blocked: ({ inspection }) => ({
    title: 'Do not sign this',
    tone: 'warn',
    nodes: [
      text('What this page reads in the transaction is not what the bot said:'),
      element('ul', {}, ...inspection.faults.map((fault) => element('li', {}, fault))),
      text('Signing is blocked. Go back to the chat, send /launches and revoke this link.'),
    ],
  }),
  expired: () => endOf({ state: 'expired' }),
  revoked: () => endOf({ state: 'revoked' }),
  launched: ({ request, closed, transaction }) =>
    endOf({ token: request.token, ...closed, state: 'launched' }, request.chain, transaction.sent),
  'no wallet': (_, link) => ({
    title: 'No wallet in this browser',
    nodes: [
      text('Open this page where your wallet is. The link stays the same, and nothing is lost.'),
      ...elsewhereNodes(link),
    ],
  }),
  wallets: (flow, link) => ({
    title: 'Connect your wallet',
    nodes: [...walletNodes(flow), folded('Sign somewhere else', elsewhereNodes(link))],
  }),
  disconnected: (flow) => ({
    title: flow.busy === 'connecting' ? 'Look into your wallet' : 'The wallet is not connected',
    nodes: [
      text('The wallet asks whether this page may see your account. That allows nothing else.'),
      ...(flow.connection.wallet ? [reconnect(flow, flow.connection.wallet)] : []),
      flow.busy === 'connecting'
        ? hint(
            'Did no window open? Open the wallet yourself. To choose another wallet, reload this page.',
          )
        : otherWallet(flow),
    ],
  }),
  'other account': (flow) => ({
    title: 'This is another account',
    tone: 'warn',
    nodes: [
      text(
        'The draft was made for one account, and the wallet has another one. Token and terms stay the same.',
      ),
      ...accounts(flow),
      switchAccount(flow),
      button(
        { action: 'ask', kind: 'quiet', busy: flow.busy !== undefined },
        flow.busy === 'asking' ? 'Asking…' : 'Ask for permission',
        () => void flow.askPermission(),
      ),
      hint('The launcher is then asked in the chat whether this account may sign.'),
      otherWallet(flow),
    ],
  }),
  asked: (flow) => ({
    title: 'Waiting for the launcher’s answer',
    nodes: [
      text(
        'The launcher was asked in the chat whether this account may sign. This page goes on by itself.',
      ),
      ...accounts(flow),
      switchAccount(flow),
      otherWallet(flow),
    ],
  }),
  'not allowed': (flow) => ({
    title: 'The launcher said no',
    tone: 'warn',
    nodes: [
      text('This account may not sign. Switch to the account of the draft.'),
      ...accounts(flow),
      switchAccount(flow),
      otherWallet(flow),
    ],
  }),
  'other chain': (flow) => ({
    title: `Switch to ${flow.request.chain.name}`,
    nodes: [
      text(`The wallet is on another chain; this launch is for ${flow.request.chain.name}.`),
      button(
        { action: 'switch-chain', kind: 'main', busy: flow.busy !== undefined },
        flow.busy === 'switching'
          ? 'Look into your wallet…'
          : `Switch to ${flow.request.chain.name}`,
        () => void flow.switchChain(),
      ),
      otherWallet(flow),
    ],
  }),
  ready: (flow) => ({
    title: flow.busy === 'signing' ? 'Look into your wallet' : 'Ready to sign',
    nodes: [
      text(
        'Compare the digest with the one in the chat. Then sign; the wallet shows the transaction once more.',
      ),
      ...digest(flow),
      ...signer(flow),
      button(
        { action: 'sign', kind: 'main', busy: flow.busy !== undefined },
        flow.busy === 'signing' ? 'Waiting for the wallet…' : 'Sign and launch',
        () => void flow.sign(),
      ),
      hint(
        flow.busy === 'signing'
          ? 'Did no window open? Open the wallet yourself; it waits there. To begin again, reload this page.'
          : 'Your wallet pays the gas. The transaction sends no coins and approves nothing.',
      ),
      otherWallet(flow),
    ],
  }),
  pending: (flow) => ({
    title: 'Sent: waiting until it is mined',
    nodes: [
      text('You can leave this page. The bot tells you in the chat when the token is launched.'),
      ...sentNodes(flow.transaction.sent, flow.request.chain),
    ],
  }),
  missing: (flow) => ({
    title: 'The transaction is not to be found',
    tone: 'warn',
    nodes: [
      text(
        'It may have been dropped, or replaced by another one in the wallet (sped up or cancelled). A wallet of several signers, such as Safe, may still collect signatures.',
      ),
      ...sentNodes(flow.transaction.sent, flow.request.chain),
      again(flow, 'look', 'Look again', () => void flow.lookAgain()),
      again(flow, 'anew', 'Send again', () => void flow.startAnew()),
      hint('Sending again can not launch the token twice: the second transaction would fail.'),
    ],
  }),
  reverted: (flow) =>
    failed(
      flow,
      'The chain refused it',
      'The transaction failed; it cost gas and launched nothing. The payload may be out of date: go back to the chat, send /launches and build it anew.',
    ),
  empty: (flow) =>
    failed(
      flow,
      'It launched nothing',
      'The transaction went through, but this token was not created in it. Look at it in the wallet, and ask in the chat with /launches.',
    ),
}

function text(words: string): HTMLElement {
  return element('p', {}, words)
}

function hint(words: string): HTMLElement {
  return element('p', { class: 'quiet' }, words)
}

function folded(title: string, nodes: readonly Node[]): HTMLElement {
  return element('details', { class: 'more' }, element('summary', {}, title), ...nodes)
}

function failed(flow: Flow, title: string, what: string): StageContent {
  const retry = again(flow, 'anew', 'Try again', () => void flow.startAnew())
  return {
    title,
    tone: 'warn',
    nodes: [text(what), ...sentNodes(flow.transaction.sent, flow.request.chain), retry],
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

function digest({ inspection }: Flow): Node[] {
  return [
    element('p', { class: 'label' }, 'Digest'),
    element('code', { class: 'digest' }, shortDigest(inspection.digest)),
  ]
}

function signer({ connection, request }: Flow): Node[] {
  const { account = '', wallet } = connection
  return [
    element('p', { class: 'label' }, `Signs with ${wallet?.name ?? 'the wallet'}`),
    addressNode(account, request.chain.explorer),
  ]
}

function switchAccount(flow: Flow): HTMLElement {
  return button(
    { action: 'switch-account', kind: 'main', busy: flow.busy !== undefined },
    flow.busy === 'connecting' ? 'Look into your wallet…' : 'Switch account',
    () => void flow.switchAccount(),
  )
}

function again(flow: Flow, action: string, label: string, press: () => void): HTMLElement {
  return button({ action, kind: 'quiet', busy: flow.busy !== undefined }, label, press)
}

function otherWallet(flow: Flow): HTMLElement {
  return button(
    { action: 'leave', kind: 'quiet', busy: flow.busy !== undefined },
    'Use another wallet',
    () => flow.leave(),
  )
}

function reconnect(flow: Flow, wallet: NonNullable<Flow['connection']['wallet']>): HTMLElement {
  return button(
    { action: 'connect', kind: 'main', busy: flow.busy !== undefined },
    flow.busy === 'connecting' ? 'Waiting for the wallet…' : 'Connect',
    () => void flow.connect(wallet),
  )
}
