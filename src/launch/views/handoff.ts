import { shortAddress } from '../../chain/address.ts'
import { addressUrl, type Chain } from '../../chain/chains.ts'
import {
  type Block,
  type Button,
  type Message,
  type Span,
  small,
  t,
  text,
  type View,
} from '../../core/view.ts'
import { chainName } from '../../views/token.ts'
import { launchLine } from '../line.ts'
import { fileName, type Payload, type UnseenReport } from '../payload.ts'
import { doubtsBlock, doubtsOf, tokenTitle } from './terms.ts'

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
  const token = tokenTitle(payload.name, payload.symbol)
  return {
    title: [payload.verified ? t('launch-ready', { token }) : t('launch-not-verified', { token })],
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
      ...(url === undefined ? [] : [[{ label: t('launch-sign'), url, look: 'main' as const }]]),
      ...signerButtons(payload),
      ...handOffButtons(payload, parts.host !== undefined, url !== undefined),
    ],
  }
}

function unverifiedNote(payload: Payload): Block[] {
  if (payload.verified) return []
  return [doubtsBlock(doubtsOf(payload)), text(t('launch-not-verified-advice'))]
}

/** Returns the last accounts that await the creator's answer; anybody with the link can make more up. */
function waitingSigners({ signers }: Payload) {
  return signers.filter(({ allowed }) => allowed === undefined).slice(-3)
}

function signerNote(payload: Payload): Block[] {
  return waitingSigners(payload).map(({ account }) =>
    text(t('launch-signer-waits', { account: { code: account } })),
  )
}

function signerButtons(payload: Payload): Button[][] {
  return waitingSigners(payload).map(({ account }) => {
    const answer = (word: string) => launchLine('signer', payload.id, word, account)
    const short = shortAddress(account)
    return [
      { label: t('launch-signer-allow-account', { account: short }), line: answer('yes') },
      {
        label: t('launch-signer-refuse-account', { account: short }),
        line: answer('no'),
        look: 'danger',
      },
    ]
  })
}

/** Describes a reported transaction that is not confirmed as the launch yet. */
function reportNote({ reported }: Payload): Block[] {
  if (!reported) return []
  const hash = { code: reported.hash }
  return [
    text(reported.late ? t('launch-reported-late', { hash }) : t('launch-reported', { hash })),
  ]
}

function linkNote({ payload, host, url, now }: HandOffParts): Block[] {
  const { linkExpiresAt } = payload
  if (host === undefined) {
    const [safe, file] = [fileName(payload, 'safe'), fileName(payload, 'payload')]
    return [text(t('launch-no-page', { safe: { code: safe }, file: { code: file } }))]
  }
  if (linkExpiresAt === undefined) return [text(t('launch-link-none'))]
  if (linkExpiresAt <= now) return [text(t('launch-link-expired'))]
  const end = { time: linkExpiresAt, as: 'relative' } as const
  const works =
    payload.staleAt === linkExpiresAt
      ? t('launch-link-ends-with-payload', { end })
      : t('launch-link-ends', { end })
  return [url === undefined ? text(works, ' ', t('launch-link-shown-once')) : text(works)]
}

function privateChatNote({ isNotifiedPrivately }: HandOffParts): Block[] {
  return isNotifiedPrivately ? [text(t('launch-notified-privately'))] : []
}

/** States the signing host in every message, so that people recognise a fake page. */
function safetyNote(host: string | undefined): Block {
  return host === undefined
    ? small(t('launch-never-asks'))
    : small(t('launch-sign-only-on', { host: { code: host } }), ' ', t('launch-never-asks'))
}

/** Makes the buttons of an active payload. */
function handOffButtons({ id }: Payload, hasPage: boolean, hasLink: boolean): Button[][] {
  const link: Button = {
    label: t('launch-new-link'),
    line: launchLine('link', id),
    ...(!hasLink && { look: 'main' as const }),
  }
  return [
    [
      ...(hasPage ? [link] : []),
      { label: t('launch-raw'), line: launchLine('raw', id), asNew: true },
    ],
    [{ label: t('launch-revoke'), line: launchLine('revoke', id), look: 'danger' }],
  ]
}

/** Asks for confirmation before a payload is revoked. */
export function revokeView(payload: Payload): View {
  return {
    title: [t('launch-revoke-title', { token: tokenTitle(payload.name, payload.symbol) })],
    tone: 'warn',
    blocks: [text(t('launch-revoke-about'))],
    buttons: [
      [
        { label: t('launch-revoke-yes'), line: launchLine('revoked', payload.id), look: 'danger' },
        { label: t('launch-revoke-no'), line: launchLine('show', payload.id) },
      ],
    ],
  }
}

/** Shows an ended payload, and how to get another. */
export function endedView(payload: Payload): View {
  const token = tokenTitle(payload.name, payload.symbol)
  const revoked = payload.state === 'revoked'
  return {
    title: [revoked ? t('launch-revoked', { token }) : t('launch-expired', { token })],
    blocks: [
      ...reportNote(payload),
      text(revoked ? t('launch-revoked-link') : expiredText(payload), ' ', t('launch-ended-about')),
    ],
    buttons: [[{ label: t('launch-build-again'), line: launchLine('rebuild', payload.draft) }]],
  }
}

function expiredText({ reported }: Payload): Message {
  return reported ? t('launch-expired-reported') : t('launch-expired-unsigned')
}

/** Warns before building another payload while one may have been launched. */
export function unseenView({ payload, report, until }: UnseenReport): View {
  return {
    title: [t('launch-unseen', { token: tokenTitle(payload.name, payload.symbol) })],
    tone: 'warn',
    blocks: [
      ...reportNote({ ...payload, reported: report }),
      text(t('launch-unseen-about')),
      text(
        until === undefined
          ? t('launch-unseen-unchecked')
          : t('launch-unseen-until', { until: { time: until, as: 'date' } }),
      ),
    ],
    buttons: [
      [
        {
          label: t('launch-build-anyway'),
          line: launchLine('rebuild', payload.draft, payload.id),
          look: 'danger',
        },
      ],
    ],
  }
}

/** Offers the files for signing with other tools. */
export function rawView(payload: Payload, chain: Chain, digest: string): View {
  return {
    title: [t('launch-raw-title', { token: tokenTitle(payload.name, payload.symbol) })],
    tone: payload.verified ? 'neutral' : 'warn',
    blocks: [
      ...unverifiedNote(payload),
      {
        kind: 'fields',
        fields: [
          [t('launch-chain'), [chainName(chain), ` · ${chain.id}`]],
          [t('launch-raw-to'), [{ code: payload.to }]],
          [t('launch-raw-value'), [payload.value]],
          [t('launch-raw-digest'), [{ code: digest }]],
        ],
      },
      text(t('launch-raw-about')),
    ],
  }
}

/** Reports that a reported transaction failed. */
export function revertedView(payload: Payload, chain: Chain, hasPage: boolean): View {
  return {
    title: [t('launch-reverted', { token: tokenTitle(payload.name, payload.symbol) })],
    tone: 'bad',
    blocks: [
      text(t('launch-reverted-about', { chain: chainName(chain) })),
      ...transactionBlocks(payload),
    ],
    ...(payload.state === 'active' && { buttons: handOffButtons(payload, hasPage, false) }),
  }
}

/** Reports that the link was not used, or that the reported transaction was not found. */
export function silenceView(payload: Payload): View {
  return {
    title: [t('launch-silence', { token: tokenTitle(payload.name, payload.symbol) })],
    blocks: [
      text(payload.reported ? t('launch-silence-reported') : t('launch-silence-unsigned')),
      ...transactionBlocks(payload),
      text(t('launch-silence-link')),
    ],
    buttons: handOffButtons(payload, true, false),
  }
}

/** Asks whether another account may sign. */
export function signerView(payload: Payload, account: string, chain: Chain): View {
  const answer = (word: string) => launchLine('signer', payload.id, word, account)
  return {
    title: [t('launch-signer', { token: tokenTitle(payload.name, payload.symbol) })],
    tone: 'warn',
    blocks: [
      {
        kind: 'fields',
        fields: [
          [t('launch-signer-named'), [{ code: payload.wallet }]],
          [t('launch-signer-is'), accountWithLink(chain, account)],
        ],
      },
      text(t('launch-signer-about')),
    ],
    buttons: [
      [
        { label: t('launch-signer-allow'), line: answer('yes') },
        { label: t('launch-signer-refuse'), line: answer('no'), look: 'danger' },
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
  const token = tokenTitle(payload.name, payload.symbol)
  return {
    title: [
      allowed ? t('launch-signer-allowed', { token }) : t('launch-signer-refused', { token }),
    ],
    blocks: [text({ code: account }), text(signerAnswerText(allowed, isOpen))],
    buttons: [[{ label: t('launch-show'), line: launchLine('show', payload.id) }]],
  }
}

function signerAnswerText(allowed: boolean, isOpen: boolean): Message {
  if (!allowed) return t('launch-signer-refused-about')
  return isOpen ? t('launch-signer-allowed-about') : t('launch-signer-allowed-late')
}

/** Reports that a draft expired after a week without changes. */
export function draftExpiredView(name: string | undefined, symbol: string | undefined): View {
  return {
    title: [t('launch-draft-expired', { token: tokenTitle(name, symbol) })],
    blocks: [text(t('launch-draft-expired-about'))],
  }
}

function accountWithLink(chain: Chain, account: string): Span[] {
  const url = addressUrl(chain, account)
  return [{ code: account }, ...(url === undefined ? [] : [' ', explorerLink(url)])]
}

function explorerLink(url: string): Span {
  return { link: t('asset-button-explorer'), url }
}

function transactionBlocks({ reported }: Payload): Block[] {
  if (!reported) return []
  return [{ kind: 'fields', fields: [[t('launch-transaction'), [{ code: reported.hash }]]] }]
}
