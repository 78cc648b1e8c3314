import { shortAddress } from '../../chain/address.ts'
import { shortDigest } from '../../chain/airlock/calldata.ts'
import { addressUrl, type Chain, chainById } from '../../chain/chains.ts'
import { shorten } from '../../core/text.ts'
import { type Block, type Message, type Span, small, type Text, t, text } from '../../core/view.ts'
import { nameAndSymbol } from '../../views/token.ts'
import type { CheckedPayload } from '../payload.ts'
import type { AccountNames } from '../questions/accounts.ts'
import { mapSpan } from '../table/value.ts'
import { isDeviation, markOf, marksWords, type Row, type Section, sectionsOf } from '../table.ts'
import { firstDoubts, type StoredText, uncheckedReason, verdictOf } from '../verdict.ts'

type Fields = [label: Text, value: Span[]][]

/**
 * Shows a payload's table in the chat: deviations first, then by topic. `names` stand beside the accounts that the
 * person gave by name.
 */
export function termsBlocks(payload: CheckedPayload, names: AccountNames = {}): Block[] {
  const { calldata, wallet, check, unchecked = [] } = payload
  const fullChain = chainById(payload.chain)
  const rows = check ? verdictOf(calldata, wallet, check, fullChain.coin).rows : []
  const chain = withFewLinks(rows, fullChain)
  return [
    ...sectionsOf(rows).flatMap((section) => sectionBlocks(section, { chain, names })),
    { kind: 'fields', fields: contractFields(payload, chain) },
    ...(unchecked.length > 0
      ? [small(t('verify-not-compared', { fields: { list: unchecked, as: 'and' } }))]
      : []),
    small(...rehearsalWords(payload, rows), ' ', t('verify-bot-takes-nothing')),
  ]
}

/** Says why a payload is not verified. */
export function doubtsBlock(doubts: readonly StoredText[]): Block {
  return text({ bold: t('terms-not-verified') }, ' ', doubtsText(doubts))
}

/** Joins the most important reasons. */
function doubtsText(doubts: readonly StoredText[]): Message {
  const [first = '', ...others] = firstDoubts(doubts)
  const joined = others.reduce<Span>(
    (before, next) => t('verify-doubt-and', { first: before, next }),
    first,
  )
  return t('verify-doubts', { doubts: joined })
}

/** Returns why a stored payload is not verified. */
export function doubtsOf({
  calldata,
  wallet,
  chain,
  check,
}: CheckedPayload): readonly StoredText[] {
  return check
    ? verdictOf(calldata, wallet, check, chainById(chain).coin).doubts
    : [uncheckedReason]
}

/**
 * Shows a review's rows by section. Addresses are shown in full while there is room, so that people can compare them
 * with what they meant to paste.
 */
export function askedFields(
  rows: readonly Row[],
  fullChain: Chain | undefined,
  names: AccountNames,
): Fields[] {
  const chain = fullChain && withFewLinks(rows, fullChain)
  const show = accountsOf(rows) > maxLinks ? shortAddress : wholeAddress
  return sectionsOf(rows).map((section) =>
    section.rows.map((row) => [row.label, [shownSpan(row.asked ?? '', { chain, names }, show)]]),
  )
}

function wholeAddress(address: string): string {
  return address
}

/** Max links to the explorer; more would leave no room for the end of the message. */
const maxLinks = 12

/** Removes the explorer from the chain if the rows have too many accounts to link. */
function withFewLinks(rows: readonly Row[], { explorer, ...chain }: Chain): Chain {
  return accountsOf(rows) > maxLinks || explorer === undefined ? chain : { ...chain, explorer }
}

function accountsOf(rows: readonly Row[]): number {
  let accounts = 0
  const count = (span: Span) => {
    if (isAccount(span)) accounts += 1
    return span
  }
  for (const { does = '', asked = '' } of rows)
    for (const each of [does, asked]) mapSpan(each, count)
  return accounts
}

function isAccount(span: Span): span is { code: string } {
  return typeof span === 'object' && 'code' in span
}

/** Shows a section; only alarming rows get a title, the other groups are separated by space. */
function sectionBlocks({ group, title, rows }: Section, accounts: ShownAccounts): Block[] {
  return [
    ...(group === 'first' ? [text({ bold: title })] : []),
    { kind: 'fields', fields: rows.map((row) => tableField(row, accounts)) },
  ]
}

function tableField(row: Row, accounts: ShownAccounts): [Text, Span[]] {
  const does = shownSpan(row.does ?? '', accounts)
  if (!isDeviation(row)) {
    const mark = markOf(row)
    return [row.label, mark ? [does, ' ', mark] : [does]]
  }
  const shown = row.asked
    ? t('verify-asked', { does, asked: shownSpan(row.asked, accounts) })
    : does
  const why: Span[] = row.why === undefined ? [] : [' (', row.why, ')']
  return [t('terms-alarm', { label: row.label }), [shown, ...why]]
}

/** The additions to shown accounts: links to the chain's explorer, and names. */
interface ShownAccounts {
  chain: Chain | undefined
  names: AccountNames
}

/** Shortens, links and names the accounts of a text. */
function shownSpan(span: Span, { chain, names }: ShownAccounts, show = shortAddress): Span {
  return mapSpan(span, (each) => {
    if (!isAccount(each)) return each
    const url = chain && addressUrl(chain, each.code)
    const short = show(each.code)
    return namedAccount(
      each.code,
      url === undefined ? { code: short } : { link: short, url },
      names,
    )
  })
}

/** Max characters of a name: its address stands beside it. */
const maxName = 24

/** Puts the name of an account, if it was given by one, before what is shown of its address. */
export function namedAccount(address: string, account: Span, names: AccountNames): Span {
  const name = names[address.toLowerCase()]
  return name === undefined ? account : t('name-account', { name: shorten(name, maxName), account })
}

function contractFields({ to, airlock, token, digest }: CheckedPayload, chain: Chain): Fields {
  const account = (address: string) => [shownSpan({ code: address }, { chain, names: {} })]
  const { name, id, testnet } = chain
  const named = { chain: name, id: String(id) }
  return [
    [
      t('terms-chain'),
      [testnet ? t('verify-chain-testnet', { ...named }) : t('verify-chain-named', { ...named })],
    ],
    [t('terms-token'), token === undefined ? [t('terms-token-unknown')] : account(token)],
    [t('terms-contract-called'), account(to)],
    ...(to.toLowerCase() === airlock.toLowerCase()
      ? []
      : ([[t('verify-forwards'), account(airlock)]] satisfies Fields)),
    [t('terms-digest'), [{ code: shortDigest(digest) }]],
  ]
}

function rehearsalWords({ simulation }: CheckedPayload, rows: readonly Row[]): Span[] {
  const marks = marksWords(rows)
  if (simulation.kind === 'none') {
    return [marks, ' ', t('verify-not-simulated', { why: simulation.reason })]
  }
  if (rows.some(({ rehearsed }) => rehearsed)) return [marks]
  return [marks, ' ', simulation.note ?? t('verify-would-pass')]
}

/** Says that nobody could check the published picture. */
export const unreadPicture: Block = {
  kind: 'fields',
  fields: [[t('terms-picture'), [t('terms-picture-unread')]]],
}

/** Formats `Moon Otter $OTTER`; metadata alone have no symbol. */
export function tokenTitle(name: string | undefined, symbol: string | undefined): Span[] {
  // A single span: bold spans side by side would lose the space between them.
  return [nameAndSymbol(name, symbol)]
}
