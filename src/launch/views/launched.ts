import { formatUnits } from 'viem/utils'
import { isPoolId, shortAddress } from '../../chain/address.ts'
import { addressUrl, type Chain, callUrl, tokenUrl, transactionUrl } from '../../chain/chains.ts'
import { formatLine } from '../../core/command.ts'
import { amount, price } from '../../core/number.ts'
import {
  type Block,
  type Button,
  type Message,
  type Span,
  small,
  type Text,
  t,
  text,
  type View,
} from '../../core/view.ts'
import { shareButtons } from '../../views/links.ts'
import { chainName, tokenName, tokenSymbol } from '../../views/token.ts'
import type { CreatorFees } from '../fees.ts'
import { launchLine } from '../line.ts'
import type { Payload } from '../payload.ts'
import { tokenTitle } from './terms.ts'

/**
 * Reports a launched token to its creator, with what to do next.
 * @param card undefined if the API doesn't list the token (yet)
 * @param fees undefined if they are not known
 */
export function launchedView(
  payload: Payload,
  chain: Chain,
  card?: View,
  fees?: CreatorFees,
): View {
  const { token, draft, late } = payload
  const again = { label: t('launch-again'), line: launchLine('again', draft), asNew: true }
  return {
    ...card,
    title: launchedTitle(payload),
    tone: 'good',
    blocks: [
      ...(card?.blocks ?? plainBlocks(payload, chain)),
      ...(fees ? feesBlocks(fees, payload, chain) : []),
      ...linkBlocks(payload, chain),
      ...(late ? [text(t('launch-launched-late'))] : []),
      ...(token === undefined || card ? [] : [small(t('launch-not-listed-yet'))]),
    ],
    buttons: [
      ...(token === undefined ? [] : nextButtons(payload, token, chain)),
      ...pageButtons(payload, chain),
      ...operatorLinks(card),
      [again],
    ],
  }
}

/** Announces a launch in a chat. */
export function announcementView(payload: Payload, chain: Chain, card?: View): View {
  const { token } = payload
  if (card) return { ...card, title: launchedTitle(payload), tone: 'good' }
  const where = { chain: chain.id }
  const alerts = token && {
    label: t('asset-button-alerts'),
    line: formatLine('follow', token, where),
    asNew: true,
  }
  return {
    title: launchedTitle(payload),
    tone: 'good',
    blocks: plainBlocks(payload, chain),
    buttons: [...(alerts ? [[alerts]] : []), ...pageButtons(payload, chain)],
  }
}

/** The card's rows of links by the operator, whose labels are no texts of ours. */
function operatorLinks(card: View | undefined): Button[][] {
  const rows = card?.buttons ?? []
  return rows.filter((row) =>
    row.every((button) => 'url' in button && typeof button.label === 'string'),
  )
}

function launchedTitle({ name, symbol }: Payload): Span[] {
  return [t('launch-launched', { token: tokenTitle(name, symbol) })]
}

/** The facts that are known without the API. */
function plainBlocks({ token }: Payload, chain: Chain): Block[] {
  return [text(chainName(chain)), ...(token ? [{ kind: 'copy', text: token } as const] : [])]
}

/** The transaction and the pool: links to the explorer, or their short form if there is none. */
function linkBlocks({ launchedBy, pool }: Payload, chain: Chain): Block[] {
  const entry = (label: Text, value: string, url: string | undefined): Span[] =>
    url === undefined
      ? [t('field', { label, value: { code: shortAddress(value) } })]
      : [{ link: label, url }]
  const entries = [
    ...(launchedBy
      ? [entry(t('launch-transaction'), launchedBy, transactionUrl(chain, launchedBy))]
      : []),
    // The explorer has no page of an id.
    ...(pool && !isPoolId(pool) ? [entry(t('launch-pool'), pool, addressUrl(chain, pool))] : []),
  ]
  if (entries.length === 0) return []
  return [text(...entries.flatMap((each, index) => (index > 0 ? [' · ', ...each] : each)))]
}

/** The trading fees that wait for the creator, and a link to the explorer's page of the call that collects them. */
function feesBlocks(
  { quote: paidIn, parts }: CreatorFees,
  payload: Payload,
  chain: Chain,
): Block[] {
  const waiting = parts.filter(({ quote, tokens }) => quote > 0n || tokens > 0n)
  if (waiting.length === 0) return [text(t('launch-fees-none'))]
  return [
    text(t('launch-fees', { fees: { list: feeAmounts(waiting, paidIn, payload), as: 'and' } })),
    ...waiting.flatMap(({ account, contract, argument }): Block[] => {
      const url = callUrl(chain, contract)
      if (url === undefined) return []
      const how = t('launch-fees-how', { account: { code: shortAddress(account) } })
      return [
        text({ link: t('launch-fees-claim'), url }, ' · ', how),
        { kind: 'copy', text: argument },
      ]
    }),
  ]
}

/** Their sums, in the quote token and in the token; a sum of zero is left out. */
function feeAmounts(
  parts: CreatorFees['parts'],
  { symbol, decimals }: CreatorFees['quote'],
  { name, symbol: own }: Payload,
): Message[] {
  const quote = parts.reduce((sum, each) => sum + each.quote, 0n)
  const tokens = parts.reduce((sum, each) => sum + each.tokens, 0n)
  const paid = price(formatUnits(quote, decimals))
  const given = amount(formatUnits(tokens, 18))
  const token = tokenSymbol(own) ?? tokenName(name)
  return [
    ...(quote > 0n ? [t('money-in-token', { amount: paid, symbol })] : []),
    ...(tokens > 0n ? [t('money-in-token', { amount: given, symbol: token })] : []),
  ]
}

/** Follow it, announce it, tell others of it. */
function nextButtons(payload: Payload, token: string, chain: Chain): Button[][] {
  const { id, name, symbol } = payload
  const follow = formatLine('follow', token, { chain: chain.id, on: 'all' })
  const shares = shareButtons({ address: token, name, symbol }, chain)
  return [
    [
      { label: t('launch-follow-own'), line: follow, asNew: true, look: 'main' },
      { label: t('launch-announce'), line: announceLine(id), asNew: true },
    ],
    ...(shares.length > 0
      ? [shares.map((each) => ({ ...each, label: t('launch-share-on', { place: [each.label] }) }))]
      : []),
  ]
}

/** Pages about the token. */
function pageButtons({ token, pool }: Payload, chain: Chain): Button[][] {
  if (token === undefined) return []
  const where = { chain: chain.id }
  const explorer = tokenUrl(chain, token)
  const auction = pool !== undefined && isPoolId(pool)
  return [
    [
      { label: t('asset-button-card'), line: formatLine('asset', token, where), asNew: true },
      ...(auction
        ? [
            {
              label: t('asset-button-auction'),
              line: formatLine('auction', pool, where),
              asNew: true,
            },
          ]
        : []),
      ...(explorer === undefined ? [] : [{ label: t('asset-button-explorer'), url: explorer }]),
    ],
  ]
}

/** A chat where a launch can be announced. */
interface AnnouncementChat {
  id: string
  name: Text
}

/** Asks where to announce a launch. `canPick`: the platform has a picker for chats that are not listed. */
export function announceView(
  payload: Payload,
  chats: readonly AnnouncementChat[],
  canPick: boolean,
): View {
  const { id } = payload
  const buttons = chats.map(
    (chat): Button => ({ label: chat.name, line: announceLine(id, { in: chat.id }) }),
  )
  const other = { label: t('launch-announce-other'), line: announceLine(id, { step: 'pick' }) }
  return {
    title: [announceTitle(payload)],
    blocks: [
      text(buttons.length > 0 ? t('launch-announce-about') : t('launch-announce-none')),
      ...(canPick
        ? []
        : [small(t('launch-announce-elsewhere', { command: { code: '/launches' } }))]),
    ],
    buttons: [buttons, ...(canPick ? [[other]] : [])].filter((row) => row.length > 0),
  }
}

/** Lets the person choose a channel or group with the platform's own picker. */
export function announcePickView(payload: Payload): View {
  return {
    title: [announceTitle(payload)],
    blocks: [text(t('launch-announce-pick'))],
    picker: {
      channel: t('alerts-button-pick-channel'),
      group: t('alerts-button-pick-group'),
      line: [announceLine(payload.id), 'in:'].join(' '),
    },
  }
}

/** Asks for confirmation before a launch is announced in a chat. */
export function confirmAnnouncementView(payload: Payload, chat: AnnouncementChat): View {
  const { id, name, symbol } = payload
  return {
    title: [t('launch-announce-in', { token: tokenTitle(name, symbol), chat: [chat.name] })],
    blocks: [text(t('launch-announce-what'))],
    buttons: [
      [
        {
          label: t('launch-announce-yes'),
          line: announceLine(id, { in: chat.id, step: 'post' }),
          look: 'main',
        },
        { label: t('launch-announce-no'), line: announceLine(id) },
      ],
    ],
  }
}

/** Says that a launch was announced in a chat. */
export function announcedView(payload: Payload, chat: AnnouncementChat): View {
  const { id, name, symbol } = payload
  return {
    title: [t('launch-announced-in', { token: tokenTitle(name, symbol), chat: [chat.name] })],
    tone: 'good',
    blocks: [],
    buttons: [[{ label: t('launch-announce-again'), line: announceLine(id) }]],
  }
}

function announceTitle({ name, symbol }: Payload): Text {
  return t('launch-announce-title', { token: tokenTitle(name, symbol) })
}

function announceLine(
  payload: string,
  { in: chat, step }: { in?: string; step?: 'pick' | 'post' } = {},
): string {
  return formatLine('announce', payload, { in: chat, step })
}
