import { isPoolId, shortAddress } from '../../chain/address.ts'
import { addressUrl, type Chain, tokenUrl } from '../../chain/chains.ts'
import { formatLine } from '../../core/command.ts'
import type { Button, Span, View } from '../../core/view.ts'
import type { Payload } from '../payload.ts'
import { handOffButtons } from './handoff.ts'
import { launchLine, quiet, text, tokenTitle } from './steps.ts'

/** Reports a launched token. */
export function launchedView(payload: Payload, chain: Chain): View {
  const { token, launchedBy } = payload
  const fields: [string, Span[]][] = [
    ['Chain', [chain.name]],
    ...(token === undefined ? [] : [field('Token', token)]),
    ...poolFields(payload, chain),
    ...(launchedBy === undefined ? [] : [field('Transaction', launchedBy)]),
  ]
  return {
    title: ['🚀 Launched: ', ...tokenTitle(payload.name, payload.symbol)],
    tone: 'good',
    blocks: [
      { kind: 'fields', fields },
      ...(payload.late
        ? [
            text(
              'Its payload was no longer handed out, but somebody who had it signed it after all.',
            ),
          ]
        : []),
      ...(token === undefined
        ? []
        : [quiet('Its card works once the data source lists the token.')]),
    ],
    buttons: launchedButtons(payload, chain),
  }
}

/** Announces a launch in its group if the card is not available. */
export function announcementView(payload: Payload, chain: Chain): View {
  const { token } = payload
  const fields: [string, Span[]][] = [
    ['Chain', [chain.name]],
    ...(token === undefined ? [] : [field('Token', token)]),
    ...poolFields(payload, chain),
  ]
  return {
    title: ['🚀 Launched here: ', ...tokenTitle(payload.name, payload.symbol)],
    tone: 'good',
    blocks: [{ kind: 'fields', fields }],
    buttons: launchedButtons(payload, chain),
  }
}

/** Shows the pool: a contract links to the explorer; a pool id has no page there. */
function poolFields({ pool }: Payload, chain: Chain): [string, Span[]][] {
  if (pool === undefined) return []
  const url = isPoolId(pool) ? undefined : addressUrl(chain, pool)
  return [
    url === undefined
      ? field('Pool', pool)
      : ['Pool', [{ code: shortAddress(pool) }, ' ', { link: 'Explorer', url }]],
  ]
}

/** Links to pages about the launched token. */
function launchedButtons({ token, pool }: Payload, chain: Chain): Button[][] {
  if (token === undefined) return []
  const explorer = tokenUrl(chain, token)
  const where = { chain: chain.id }
  const auction = pool !== undefined && isPoolId(pool)
  return [
    [
      { label: 'Card', run: formatLine('asset', token, where), opens: true },
      ...(auction
        ? [{ label: 'Auction', run: formatLine('auction', pool, where), opens: true }]
        : []),
      ...(explorer === undefined ? [] : [{ label: 'Explorer', url: explorer }]),
    ],
  ]
}

/** Reports that a reported transaction failed. */
export function revertedView(payload: Payload, chain: Chain, hasPage: boolean): View {
  const hash = payload.reported?.hash
  return {
    title: ['Not launched: ', ...tokenTitle(payload.name, payload.symbol)],
    tone: 'bad',
    blocks: [
      text(
        `The transaction was mined and failed on ${chain.name}. Nothing was created, only its gas is spent. ` +
          'Try once more; if it fails again, revoke this payload and build another one.',
      ),
      ...(hash === undefined
        ? []
        : [{ kind: 'fields' as const, fields: [field('Transaction', hash)] }]),
    ],
    ...(payload.state === 'active' && { buttons: handOffButtons(payload, hasPage, false) }),
  }
}

/** Reports that the link was not used, or that the reported transaction was not found. */
export function silenceView(payload: Payload): View {
  const { reported } = payload
  return {
    title: ['Your link has expired: ', ...tokenTitle(payload.name, payload.symbol)],
    blocks: [
      reported
        ? text(
            'A transaction was reported, but I can’t see what became of it. Look at it in your wallet or an explorer: ' +
              'if it went through, there is nothing left to do.',
          )
        : text('Nothing was signed as far as I can see.'),
      ...(reported
        ? [{ kind: 'fields' as const, fields: [field('Transaction', reported.hash)] }]
        : []),
      text('A new link leads to the same payload, for another hour.'),
    ],
    buttons: handOffButtons(payload, true, false),
  }
}

/** Asks whether another account may sign. */
export function signerView(payload: Payload, account: string, chain: Chain): View {
  const answer = (word: string) => launchLine('signer', payload.id, word, account)
  return {
    title: ['Another account wants to sign ', ...tokenTitle(payload.name, payload.symbol)],
    tone: 'warn',
    blocks: [
      {
        kind: 'fields',
        fields: [
          ['You named', [{ code: payload.wallet }]],
          ['It is', accountSpans(chain, account)],
        ],
      },
      text(
        'Whoever signs pays the gas; who gets what stays as you set it. If it is not you, refuse, and revoke the link.',
      ),
    ],
    buttons: [
      [
        { label: 'Allow', run: answer('yes') },
        { label: 'Refuse', run: answer('no'), look: 'danger' },
      ],
    ],
  }
}

/** Confirms the creator's answer about an account; `isOpen`: the link still works. */
export function signerAnswerView(
  payload: Payload,
  account: string,
  { allowed, isOpen }: { allowed: boolean; isOpen: boolean },
): View {
  return {
    title: [
      allowed ? 'Allowed to sign ' : 'Refused to sign ',
      ...tokenTitle(payload.name, payload.symbol),
    ],
    blocks: [text({ code: account }), text(signerAnswerWords(allowed, isOpen))],
    buttons: [[{ label: 'Show the launch', run: launchLine('show', payload.id) }]],
  }
}

function signerAnswerWords(allowed: boolean, isOpen: boolean): string {
  if (!allowed)
    return 'The signing page stops there. If you did not give the link to anybody, revoke it.'
  if (isOpen) return 'The signing page goes on.'
  return 'Its link has expired, so nothing can be signed with it any more. A new link takes this account, too.'
}

/** Reports that a draft expired after a week without changes. */
export function draftExpiredView(name: string | undefined, symbol: string | undefined): View {
  return {
    title: ['Your launch draft has expired: ', ...tokenTitle(name, symbol)],
    blocks: [text('Nobody touched it for a week. Nothing was built. /launch begins a new one.')],
  }
}

function accountSpans(chain: Chain, account: string): Span[] {
  const url = addressUrl(chain, account)
  return [{ code: account }, ...(url === undefined ? [] : [' ', { link: 'Explorer', url }])]
}

function field(label: string, value: string): [string, Span[]] {
  return [label, [{ code: value }]]
}
