import { formatUnits } from 'viem/utils'
import { isPoolId, shortAddress } from '../../chain/address.ts'
import { addressUrl, type Chain, tokenUrl } from '../../chain/chains.ts'
import { formatLine } from '../../core/command.ts'
import type { Block, Button, Span, View } from '../../core/view.ts'
import type { Payload, UnseenReport } from '../payload.ts'
import { doubtsBlock, doubtsOf, launchLine, quiet, text, tokenTitle } from './terms.ts'

/** The parts of a payload's message. */
interface HandOffParts {
  payload: Payload
  chain: Chain
  /** The blocks that say what it creates, for whom, by which contract. */
  terms: readonly Block[]
  /** Host of all signing links; undefined if there is no signing page, only files. */
  host: string | undefined
  /** The new link; the token isn't stored, so it can be shown only now. */
  url?: string
  /** Unix seconds. */
  now: number
  /** Whether the draft began in a group, while notifications go to the private chat. */
  isNotifiedPrivately: boolean
}

/** Shows a payload that waits for its signature: its terms, the link, and other actions. */
export function handOffView(parts: HandOffParts): View {
  const { payload, terms, url } = parts
  const title = tokenTitle(payload.name, payload.symbol)
  return {
    title: payload.verified ? ['Ready to sign: ', ...title] : ['Not verified: ', ...title],
    tone: payload.verified ? 'good' : 'warn',
    blocks: [
      ...unverifiedNote(payload),
      ...terms,
      ...signerNote(payload),
      ...reportNote(payload),
      ...linkNote(parts),
      ...privateChatNote(parts),
      safetyNote(parts.host),
    ],
    buttons: [
      ...(url === undefined
        ? []
        : [[{ label: 'Sign with your wallet', url, look: 'main' as const }]]),
      ...signerButtons(payload),
      ...handOffButtons(payload, parts.host !== undefined, url !== undefined),
    ],
  }
}

function unverifiedNote(payload: Payload): Block[] {
  if (payload.verified) return []
  const advice = 'Sign it only if you trust whoever runs the template.'
  return [doubtsBlock(doubtsOf(payload)), text(advice)]
}

/** Returns the last accounts that await the creator's answer; anybody with the link can make more up. */
function waitingSigners({ signers }: Payload) {
  return signers.filter(({ allowed }) => allowed === undefined).slice(-3)
}

function signerNote(payload: Payload): Block[] {
  return waitingSigners(payload).map(({ account }) =>
    text('Another account wants to sign: ', { code: account }, '.'),
  )
}

function signerButtons(payload: Payload): Button[][] {
  return waitingSigners(payload).map(({ account }) => {
    const answer = (word: string) => launchLine('signer', payload.id, word, account)
    return [
      { label: `Allow ${shortAddress(account)}`, line: answer('yes') },
      { label: `Refuse ${shortAddress(account)}`, line: answer('no'), look: 'danger' },
    ]
  })
}

/** Describes a reported transaction that is not confirmed as the launch yet. */
function reportNote({ reported }: Payload): Block[] {
  if (!reported) return []
  return [
    text(
      'The transaction ',
      { code: reported.hash },
      reported.late ? ' was reported for it after its link had ended.' : ' was reported for it.',
      ' I can’t see that it launched the token: look at it in your wallet or an explorer first.',
    ),
  ]
}

function linkNote({ payload, host, url, now }: HandOffParts): Block[] {
  const { linkExpiresAt } = payload
  if (host === undefined) {
    return [
      text(
        'This bot has no signing page. Take the raw payload: it fits into a Safe and into every wallet that sends calldata.',
      ),
    ]
  }
  if (linkExpiresAt === undefined) return [text('There is no link yet. “New link” makes one.')]
  if (linkExpiresAt <= now) return [text('The link has expired. “New link” makes another one.')]
  const works: Span[] = [
    payload.staleAt === linkExpiresAt
      ? 'The link ends when the payload can no longer be launched, '
      : 'The link ends ',
    { time: linkExpiresAt, as: 'relative' },
    '.',
  ]
  if (url !== undefined) return [text(...works)]
  return [text(...works, ' It was shown once; “New link” replaces it.')]
}

function privateChatNote({ isNotifiedPrivately: isToldElsewhere }: HandOffParts): Block[] {
  if (!isToldElsewhere) return []
  return [
    text(
      'I’ll tell you in our private chat what becomes of it: make sure that I may write to you there.',
    ),
  ]
}

/** States the signing host in every message, so that people recognise a fake page. */
function safetyNote(host: string | undefined): Block {
  const never =
    'This bot never asks for a key, a seed phrase or an approval, and never writes to you first about one.'
  return host === undefined
    ? quiet(never)
    : quiet('Sign on ', { code: host }, ' and nowhere else. ', never)
}

/** Makes the buttons of an active payload. */
function handOffButtons({ id }: Payload, hasPage: boolean, hasLink: boolean): Button[][] {
  const link: Button = {
    label: 'New link',
    line: launchLine('link', id),
    ...(!hasLink && { look: 'main' as const }),
  }
  return [
    [
      ...(hasPage ? [link] : []),
      { label: 'Raw payload', line: launchLine('raw', id), opens: true },
    ],
    [{ label: 'Revoke…', line: launchLine('revoke', id), look: 'danger' }],
  ]
}

/** Asks for confirmation before a payload is revoked. */
export function revokeView(payload: Payload): View {
  return {
    title: ['Revoke ', ...tokenTitle(payload.name, payload.symbol), '?'],
    tone: 'warn',
    blocks: [
      text(
        'The link stops working at once. A payload file that was handed out, or a page that is open in a wallet, can ' +
          'still be signed by whoever has it: nothing can call that back. I keep watching for a week and tell you if ' +
          'it is launched after all.',
      ),
    ],
    buttons: [
      [
        { label: 'Revoke', line: launchLine('revoked', payload.id), look: 'danger' },
        { label: 'Keep it', line: launchLine('show', payload.id) },
      ],
    ],
  }
}

/** Shows an ended payload, and how to get another. */
export function endedView(payload: Payload): View {
  const title = tokenTitle(payload.name, payload.symbol)
  const revoked = payload.state === 'revoked'
  return {
    title: [revoked ? 'Revoked: ' : 'Expired: ', ...title],
    blocks: [
      ...reportNote(payload),
      text(
        revoked ? 'The link is dead.' : expiredWords(payload),
        ' Whoever has a payload file can still sign it; I keep watching for a week. “Build again” makes a new payload, ',
        'for a new token at another address.',
      ),
    ],
    buttons: [[{ label: 'Build again', line: launchLine('rebuild', payload.draft) }]],
  }
}

function expiredWords({ reported }: Payload): string {
  return reported
    ? 'The payload has expired.'
    : 'Nobody signed it in time, so the payload has expired.'
}

/** Warns before building another payload while one may have been launched. */
export function unseenView({ payload, report, until }: UnseenReport): View {
  return {
    title: ['Launched already? ', ...tokenTitle(payload.name, payload.symbol)],
    tone: 'warn',
    blocks: [
      ...reportNote({ ...payload, reported: report }),
      text('If it goes through, the token is there, and building again launches a second one.'),
      ...(until === undefined
        ? [text('It was not checked: this bot can’t look at it on that chain.')]
        : [
            text(
              'The chain does not know it. It holds “Build again” up until ',
              { time: until, as: 'date' },
              ', for it may still be on its way.',
            ),
          ]),
    ],
    buttons: [
      [
        {
          label: 'Build again anyway',
          line: launchLine('rebuild', payload.draft, 'anyway'),
          look: 'danger',
        },
      ],
    ],
  }
}

/** Describes the coins sent along, which pay for a first purchase. */
function coinsSent({ value }: Payload, { coin }: Chain): string {
  return value === '0' ? '0' : `${formatUnits(BigInt(value), 18)} ${coin}`
}

/** Offers the files for signing with other tools. */
export function rawView(payload: Payload, chain: Chain, digest: string): View {
  return {
    title: ['Raw payload: ', ...tokenTitle(payload.name, payload.symbol)],
    tone: payload.verified ? 'neutral' : 'warn',
    blocks: [
      ...unverifiedNote(payload),
      {
        kind: 'fields',
        fields: [
          ['Chain', [`${chain.name} (${chain.id})`]],
          ['To', [{ code: payload.to }]],
          ['Value', [coinsSent(payload, chain)]],
          ['Calldata digest', [{ code: digest }]],
        ],
      },
      text(
        'The first file has the transaction, its digest and all that it says. The second goes into the Transaction ' +
          'Builder of a Safe. Whoever signs it launches the token, so keep both to yourself. I watch the chain and ' +
          'tell you when it is launched.',
      ),
    ],
  }
}

/** Reports a launched token; `isListed` if its card is shown with it. */
export function launchedView(payload: Payload, chain: Chain, isListed = false): View {
  const { token, launchedBy } = payload
  const fields = [
    ...launchedFields(payload, chain),
    ...(launchedBy === undefined ? [] : [codeField('Transaction', launchedBy)]),
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
      ...(token === undefined || isListed
        ? []
        : [quiet('Its card works once the data source lists the token.')]),
    ],
    buttons: launchedButtons(payload, chain),
  }
}

/** Announces a launch in its group if the card is not available. */
export function announcementView(payload: Payload, chain: Chain): View {
  return {
    title: ['🚀 Launched here: ', ...tokenTitle(payload.name, payload.symbol)],
    tone: 'good',
    blocks: [{ kind: 'fields', fields: launchedFields(payload, chain) }],
    buttons: launchedButtons(payload, chain),
  }
}

/** Shows token and pool: a pool's contract links to the explorer; a pool id has no page there. */
function launchedFields({ token, pool }: Payload, chain: Chain): [string, Span[]][] {
  const url = pool === undefined || isPoolId(pool) ? undefined : addressUrl(chain, pool)
  const shownPool: [string, Span[]][] =
    pool === undefined
      ? []
      : url === undefined
        ? [codeField('Pool', pool)]
        : [['Pool', [{ code: shortAddress(pool) }, ' ', { link: 'Explorer', url }]]]
  return [
    ['Chain', [chain.name]],
    ...(token === undefined ? [] : [codeField('Token', token)]),
    ...shownPool,
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
      { label: 'Card', line: formatLine('asset', token, where), opens: true },
      ...(auction
        ? [{ label: 'Auction', line: formatLine('auction', pool, where), opens: true }]
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
        : [{ kind: 'fields' as const, fields: [codeField('Transaction', hash)] }]),
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
        ? [{ kind: 'fields' as const, fields: [codeField('Transaction', reported.hash)] }]
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
          ['It is', accountWithLink(chain, account)],
        ],
      },
      text(
        'Whoever signs pays the gas; who gets what stays as you set it. If it is not you, refuse, and revoke the link.',
      ),
    ],
    buttons: [
      [
        { label: 'Allow', line: answer('yes') },
        { label: 'Refuse', line: answer('no'), look: 'danger' },
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
    buttons: [[{ label: 'Show the launch', line: launchLine('show', payload.id) }]],
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

function accountWithLink(chain: Chain, account: string): Span[] {
  const url = addressUrl(chain, account)
  return [{ code: account }, ...(url === undefined ? [] : [' ', { link: 'Explorer', url }])]
}

function codeField(label: string, value: string): [string, Span[]] {
  return [label, [{ code: value }]]
}
