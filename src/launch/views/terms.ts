import { shortAddress } from '../../chain/address.ts'
import { shortDigest } from '../../chain/airlock/calldata.ts'
import { addressUrl, type Chain, chainById } from '../../chain/chains.ts'
import type { Block, Button, Span, View } from '../../core/view.ts'
import { tokenName, tokenSymbol } from '../../views/token.ts'
import type { Draft } from '../draft.ts'
import type { CheckedPayload } from '../payload.ts'
import type { RowText } from '../table/value.ts'
import { isDeviation, markOf, marksWords, type Row, type Section, sectionsOf } from '../table.ts'
import { firstDoubts, uncheckedReason, verdictOf } from '../verdict.ts'

type Fields = [label: string, value: Span[]][]

/** Shows a payload's table in the chat: deviations first, then by topic. */
export function termsBlocks(payload: CheckedPayload): Block[] {
  const { calldata, wallet, check, unchecked = [] } = payload
  const fullChain = chainById(payload.chain)
  const rows = check ? verdictOf(calldata, wallet, check, fullChain.coin).rows : []
  const chain = withFewLinks(rows, fullChain)
  return [
    ...sectionsOf(rows).flatMap((section) => sectionBlocks(section, chain)),
    { kind: 'fields', fields: contractFields(payload, chain) },
    ...(unchecked.length > 0
      ? [
          quiet(
            `Not compared, because the data provider did not repeat them: ${unchecked.join(', ')}.`,
          ),
        ]
      : []),
    quiet(`${rehearsalWords(payload, rows)} The bot takes nothing.`),
  ]
}

/** Says why a payload is not verified. */
export function doubtsBlock(doubts: readonly string[]): Block {
  return text({ bold: 'Not verified: ' }, `${firstDoubts(doubts).join('; ')}.`)
}

/** Returns why a stored payload is not verified. */
export function doubtsOf({ calldata, wallet, chain, check }: CheckedPayload): readonly string[] {
  return check
    ? verdictOf(calldata, wallet, check, chainById(chain).coin).doubts
    : [uncheckedReason]
}

/**
 * Shows a review's rows by section. Addresses are shown in full while there is room, so that people can compare them
 * with what they meant to paste.
 */
export function askedFields(rows: readonly Row[], fullChain: Chain | undefined): Fields[] {
  const chain = fullChain && withFewLinks(rows, fullChain)
  const show = accountsOf(rows) > maxLinks ? shortAddress : wholeAddress
  return sectionsOf(rows).map((section) =>
    section.rows.map((row) => [row.label, spansOf(row.asked ?? [], chain, show)]),
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
  const stepTexts = rows.flatMap(({ does = [], asked = [] }) => [...does, ...asked])
  return stepTexts.filter((word) => typeof word === 'object' && 'account' in word).length
}

/** Shows a section; only alarming rows get a title, the other groups are separated by space. */
function sectionBlocks({ title, rows }: Section, chain: Chain): Block[] {
  const isFirst = title === 'Look at this first'
  return [
    ...(isFirst ? [text({ bold: `${title}:` })] : []),
    { kind: 'fields', fields: rows.map((row) => tableField(row, chain)) },
  ]
}

function tableField(row: Row, chain: Chain): [string, Span[]] {
  const does = spansOf(row.does ?? [], chain)
  if (!isDeviation(row)) {
    const mark = markOf(row)
    return [row.label, mark === '' ? does : [...does, mark]]
  }
  const asked: Span[] = row.asked ? ['. Asked: ', ...spansOf(row.asked, chain)] : []
  const why: Span[] = row.why === undefined ? [] : [` (${row.why})`]
  return [`⚠️ ${row.label}`, [...does, ...asked, ...why]]
}

function spansOf(words: RowText, chain: Chain | undefined, show = shortAddress): Span[] {
  return words.map((word) => {
    if (typeof word === 'string') return word
    if ('time' in word) return { time: word.time, as: 'date' }
    const url = chain && addressUrl(chain, word.account)
    const text = show(word.account)
    return url === undefined ? { code: text } : { link: text, url }
  })
}

function contractFields({ to, airlock, token, digest }: CheckedPayload, chain: Chain): Fields {
  const account = (address: `0x${string}`) => spansOf([{ account: address }], chain)
  return [
    ['Chain', [`${chain.name} (${chain.id})${chain.testnet ? ', TESTNET' : ''}`]],
    ['Token address', token === undefined ? ['not known before the launch'] : account(token)],
    ['Contract', account(to)],
    ...(to.toLowerCase() === airlock.toLowerCase()
      ? []
      : ([['Forwards to', account(airlock)]] satisfies Fields)),
    ['Calldata digest', [{ code: shortDigest(digest) }]],
  ]
}

function rehearsalWords({ simulation }: CheckedPayload, rows: readonly Row[]): string {
  const stepMarks = marksWords(rows)
  if (simulation.kind === 'none') return `${stepMarks}. Not rehearsed: ${simulation.reason}.`
  if (rows.some(({ rehearsed }) => rehearsed)) return `${stepMarks}.`
  return `${stepMarks}. ${simulation.note ?? 'The chain would take it now.'}`
}

/** A build step and its state. */
export interface Step {
  label: string
  state: 'done' | 'running' | 'to come' | 'failed'
  /** Its result, or why it failed. */
  note?: Span[]
}

const marks = { done: '✅', running: '⏳', 'to come': '▫️', failed: '❌' } as const
const words = { done: 'done', running: 'under way…', 'to come': 'to come', failed: 'failed' }

/** Shows the progress of a build, and the buttons if a step failed. */
export function stepsView(parts: {
  name: string
  symbol: string
  steps: readonly Step[]
  failures?: readonly Block[]
  buttons?: Button[][]
}): View {
  const failed = parts.steps.some(({ state }) => state === 'failed')
  return {
    title: [failed ? 'Not built yet: ' : 'Building ', ...tokenTitle(parts.name, parts.symbol)],
    tone: failed ? 'bad' : 'neutral',
    blocks: [
      {
        kind: 'fields',
        fields: parts.steps.map(({ label, state, note }) => [
          `${marks[state]} ${label}`,
          note ?? [words[state]],
        ]),
      },
      ...(parts.failures ?? []),
    ],
    ...(parts.buttons && { buttons: parts.buttons }),
  }
}

/** Shows the uploaded metadata of /metadata. */
export function uploadedView({ answers, done }: Pick<Draft, 'answers' | 'done'>): View {
  return {
    title: ['Uploaded: ', ...tokenTitle(answers.name, answers.symbol)],
    tone: 'good',
    blocks: [
      text({ code: done.metadata?.uri ?? '' }),
      text('This is the token URI. Nothing was launched.'),
    ],
  }
}

/** Makes a paragraph. */
export function text(...spans: Span[]): Block {
  return { kind: 'text', spans }
}

/** Makes a paragraph in small print. */
export function quiet(...spans: Span[]): Block {
  return { kind: 'text', quiet: true, spans }
}

/** Formats `Moon Otter $OTTER`; metadata alone have no symbol. */
export function tokenTitle(name: string | undefined, symbol: string | undefined): Span[] {
  const sign = tokenSymbol(symbol)
  // A single span: bold spans side by side would lose the space between them.
  return [[tokenName(name), sign].filter((each) => each !== undefined).join(' ')]
}

/**
 * Makes a button's command line: the action, the draft and rev (`k3f9a2bc.12`), and arguments. Quotes arguments with
 * anything but letters, digits and dashes, so that parsing returns them unchanged.
 * @example
 * launchLine('set', 'k3f9a2bc.12', 'name', 'Moon Otter')
 */
export function launchLine(action: string, at: string, ...words: readonly string[]): string {
  return ['launching', action, at, ...words.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w.-]+$/u.test(word) ? word : `"${word.replaceAll(/[\\"]/gu, '\\$&')}"`
}
