import { shortDigest } from '../../../chain/airlock/calldata.ts'
import { addressNode } from './address.ts'
import { button, element } from './dom.ts'
import { otherWaysNodes } from './elsewhere.ts'
import { finalContent, type StageContent, sentNodes } from './ends.ts'
import type { Flow } from './flow.ts'
import type { Link } from './link.ts'
import { otherAccount, permissionAsked, permissionRefused } from './permission.ts'
import { backToWallets, coins, hint, text } from './pieces.ts'
import type { Stage } from './stage.ts'
import { clean } from './text.ts'
import { walletNodes } from './wallet-list.ts'
import type { OpenRequest } from './wire.ts'

type Render = (flow: Flow, link: Link) => StageContent

/** The content of each stage: one clear action, and its alternatives. */
export const stages: Readonly<Record<Stage, Render>> = {
  blocked: ({ inspection }) => ({
    title: 'Do not sign this',
    tone: 'warn',
    nodes: [
      text('What this page reads in the transaction is not what the bot said:'),
      element('ul', {}, ...inspection.faults.map((fault) => element('li', {}, fault))),
      text('Signing is blocked. Go back to the chat, send /launches and revoke this link.'),
    ],
  }),
  expired: () => finalContent({ state: 'expired' }),
  revoked: () => finalContent({ state: 'revoked' }),
  replaced: ({ transaction }) => finalContent({ state: 'replaced' }, undefined, transaction.sent),
  failing: (flow) => ({
    title: 'It would fail now',
    tone: 'warn',
    nodes: [
      element('p', {}, 'The rehearsal failed: ', element('bdi', {}, reasonOf(flow.request))),
      text('Signing is blocked, since your wallet would pay gas for nothing.'),
      button(
        { action: 'check', kind: 'main', busy: flow.busy !== undefined },
        flow.busy === 'checking' ? 'Checking…' : 'Check again',
        () => void flow.checkAgain(),
      ),
      hint('If it goes on failing, go back to the chat, send /launches and build it anew.'),
    ],
  }),
  launched: ({ request, closed, transaction }) =>
    finalContent(
      { token: request.token, ...closed, state: 'launched' },
      request.chain,
      transaction.sent,
    ),
  'no wallet': (_, link) => ({
    title: 'No wallet in this browser',
    nodes: [
      text('Open this page where your wallet is. The link stays the same, and nothing is lost.'),
      ...otherWaysNodes(link),
    ],
  }),
  wallets: (flow, link) => ({
    title: 'Connect your wallet',
    nodes: [...walletNodes(flow), folded('Sign somewhere else', otherWaysNodes(link))],
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
        : backToWallets(flow),
    ],
  }),
  'other account': otherAccount,
  asked: permissionAsked,
  'not allowed': permissionRefused,
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
      backToWallets(flow),
    ],
  }),
  ready: (flow) => ({
    title: flow.busy === 'signing' ? 'Look into your wallet' : readyTitle(flow),
    ...(flow.inspection.verified ? {} : { tone: 'warn' }),
    nodes: [
      text(
        'Compare the digest with the one in the chat. Then sign; the wallet shows the transaction once more.',
      ),
      ...digest(flow),
      ...signer(flow),
      button(
        { action: 'sign', kind: 'main', busy: flow.busy !== undefined },
        flow.busy === 'signing' ? 'Look into your wallet…' : 'Sign and launch',
        () => void flow.sign(),
      ),
      hint(
        flow.busy === 'signing'
          ? 'Did no window open? Open the wallet yourself; it waits there. To begin again, reload this page.'
          : costWords(flow),
      ),
      backToWallets(flow),
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
      retryButton(flow, 'look', 'Look again', () => void flow.resumePolling()),
      retryButton(flow, 'anew', 'Send again', () => void flow.startAnew()),
      hint(
        flow.inspection.verified
          ? 'Sending again can’t launch the token twice: the second transaction would fail.'
          : 'This is not verified: sending again may do twice what it does. Look in the wallet first.',
      ),
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

/** Only a fully decoded launch is known to approve nothing. */
function costWords({ inspection, request: { chain, value } }: Flow): string {
  const sent = value === '0' ? 'sends no coins' : `sends ${coins(value, chain)} along`
  const approves = inspection.verified ? ' and approves nothing' : ''
  return `Your wallet pays the gas. The transaction ${sent}${approves}.`
}

function reasonOf({ simulation }: OpenRequest): string {
  const reason = simulation.kind === 'failed' ? clean(simulation.reason, 200) : ''
  if (reason === '') return 'no reason was given.'
  return /[.!?]$/u.test(reason) ? reason : `${reason}.`
}

function readyTitle({ inspection }: Flow): string {
  return inspection.verified ? 'Ready to sign' : 'Not verified'
}

function folded(title: string, nodes: readonly Node[]): HTMLElement {
  return element('details', { class: 'more' }, element('summary', {}, title), ...nodes)
}

function failed(flow: Flow, title: string, what: string): StageContent {
  const retry = retryButton(flow, 'anew', 'Try again', () => void flow.startAnew())
  return {
    title,
    tone: 'warn',
    nodes: [text(what), ...sentNodes(flow.transaction.sent, flow.request.chain), retry],
  }
}

function digest({ inspection }: Flow): Node[] {
  return [
    element('p', { class: 'label' }, 'Calldata digest'),
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

function retryButton(flow: Flow, action: string, label: string, press: () => void): HTMLElement {
  return button({ action, kind: 'quiet', busy: flow.busy !== undefined }, label, press)
}

function reconnect(flow: Flow, wallet: NonNullable<Flow['connection']['wallet']>): HTMLElement {
  return button(
    { action: 'connect', kind: 'main', busy: flow.busy !== undefined },
    flow.busy === 'connecting' ? 'Look into your wallet…' : 'Connect',
    () => void flow.connect(wallet),
  )
}
