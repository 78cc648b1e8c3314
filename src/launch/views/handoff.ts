import { formatUnits } from 'viem/utils'
import { shortAddress } from '../../chain/address.ts'
import type { Chain } from '../../chain/chains.ts'
import type { Block, Button, Span, View } from '../../core/view.ts'
import type { Payload } from '../payload.ts'
import type { Unseen } from '../reports.ts'
import { launchLine, quiet, text, tokenTitle } from './steps.ts'
import { doubtsBlock, doubtsOf } from './terms.ts'

/** The parts of a payload's message. */
export interface HandOffParts {
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
  isToldElsewhere: boolean
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
      { label: `Allow ${shortAddress(account)}`, run: answer('yes') },
      { label: `Refuse ${shortAddress(account)}`, run: answer('no'), look: 'danger' },
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

function privateChatNote({ isToldElsewhere }: HandOffParts): Block[] {
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
export function handOffButtons({ id }: Payload, hasPage: boolean, hasLink: boolean): Button[][] {
  const link: Button = {
    label: 'New link',
    run: launchLine('link', id),
    ...(!hasLink && { look: 'main' as const }),
  }
  return [
    [...(hasPage ? [link] : []), { label: 'Raw payload', run: launchLine('raw', id), opens: true }],
    [{ label: 'Revoke…', run: launchLine('revoke', id), look: 'danger' }],
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
        { label: 'Revoke', run: launchLine('revoked', payload.id), look: 'danger' },
        { label: 'Keep it', run: launchLine('show', payload.id) },
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
    buttons: [[{ label: 'Build again', run: launchLine('rebuild', payload.draft) }]],
  }
}

function expiredWords({ reported }: Payload): string {
  return reported
    ? 'The payload has expired.'
    : 'Nobody signed it in time, so the payload has expired.'
}

/** Warns before building another payload while one may have been launched. */
export function unseenView({ payload, report, until }: Unseen): View {
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
          run: launchLine('rebuild', payload.draft, 'anyway'),
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
