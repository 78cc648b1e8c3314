import { addressNode } from './address.ts'
import { element, outLink } from './dom.ts'
import type { EndState } from './stage.ts'
import type { Sent } from './transaction.ts'
import type { Chain, Closed } from './wire.ts'

/** The panel's contents at one stage. */
export interface StageContent {
  title: string
  tone?: 'good' | 'warn'
  nodes: readonly (Node | undefined)[]
}

const back =
  'Go back to the chat and send /launches: it shows what became of the launch and gives you a new link.'

/** Returns the content of a link's final state; the chain is known only if the link was open before. */
export function finalContent(
  closed: Omit<Closed, 'state'> & { state: EndState },
  chain?: Chain,
  sent?: Pick<Sent, 'hash'>,
): StageContent {
  switch (closed.state) {
    case 'replaced':
      return ended(
        'This link was replaced or revoked',
        'Nothing can be signed with it any more. Go back to the chat: the last message there has the new link, and /launches shows it too.',
        sent,
      )
    case 'expired':
      return ended('This link has expired', `Links last for a short time. ${back}`, sent)
    case 'revoked':
      return ended('This link was revoked', `Nothing can be signed with it any more. ${back}`, sent)
    case 'launched':
      return { title: 'Launched', tone: 'good', nodes: launchedNodes(closed, chain, sent) }
  }
}

function ended(title: string, words: string, sent?: Pick<Sent, 'hash'>): StageContent {
  const watched = 'What you sent before stays sent; the bot watches it and tells you in the chat.'
  const nodes = sent ? [element('p', {}, watched), ...sentNodes(sent, undefined)] : []
  return { title, tone: 'warn', nodes: [element('p', {}, words), ...nodes] }
}

function launchedNodes(
  { token, explorer }: Omit<Closed, 'state'>,
  chain?: Chain,
  sent?: Pick<Sent, 'hash'>,
) {
  const ofToken = chain?.explorer && token && `${chain.explorer}/token/${token}`
  const href = explorer ?? ofToken
  return [
    element(
      'p',
      {},
      'The token is on the chain. Go back to the chat: the bot shows its card there.',
    ),
    ...(token ? [element('p', { class: 'label' }, 'Token address'), addressNode(token)] : []),
    ...(href ? [element('p', {}, outLink(href, 'See the token in the explorer'))] : []),
    ...sentNodes(sent, chain),
  ]
}

/** Shows the transaction and its link to the explorer. */
export function sentNodes(sent: Pick<Sent, 'hash'> | undefined, chain: Chain | undefined): Node[] {
  if (!sent) return []
  return [
    element('p', { class: 'label' }, 'Transaction'),
    element('code', { class: 'hex' }, sent.hash),
    ...(chain?.explorer
      ? [element('p', {}, outLink(`${chain.explorer}/tx/${sent.hash}`, 'See it in the explorer'))]
      : []),
  ]
}
