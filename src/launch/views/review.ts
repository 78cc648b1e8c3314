import type { Chain } from '../../chain/chains.ts'
import { chunks, shortenUnits } from '../../core/text.ts'
import type { Block, Button, Span, Tone, View } from '../../core/view.ts'
import { doubtOf } from '../../views/lookalike.ts'
import type { Draft } from '../draft.ts'
import type { Question } from '../questions/question.ts'
import type { Row } from '../table.ts'
import { askedFields, launchLine, quiet, text, tokenTitle } from './terms.ts'

const changesInRow = 3
/** Max characters of the review. Platforms allow about 4,000, and the last lines must not be cut off. */
const maxShown = 3_700

/** The parts of a review. */
interface ReviewParts {
  draft: Draft
  /** Undefined for metadata alone. */
  chain?: Chain | undefined
  templateLabel?: string | undefined
  /** The rows that the template and the person ask for; for metadata alone only vesting. */
  asked: readonly Row[]
  questions: readonly Question[]
  notes?: readonly Block[]
  tone?: Tone
}

/** Shows all answers, who gets what, and the cost, before anything is built. */
export function reviewView(parts: ReviewParts): View {
  const { draft, asked, chain, notes = [] } = parts
  const title: Span[] = ['Review: ', ...tokenTitle(draft.answers.name, draft.answers.symbol)]
  const sections = [[...tokenFields(parts), ...walletFields(draft)], ...askedFields(asked, chain)]
  const warnings = warningsOf(draft)
  const closing = closingBlocks(draft)
  const used =
    spansSize(title) + sizeOf(sections.flat()) + blocksSize([...notes, ...warnings, ...closing])
  return {
    title,
    ...(parts.tone && { tone: parts.tone }),
    blocks: [
      ...notes,
      ...warnings,
      ...[...sections, looksFields(draft, maxShown - used)].map(
        (fields) => ({ kind: 'fields', fields }) satisfies Block,
      ),
      ...closing,
    ],
    buttons: buttons(parts),
  }
}

/** Shows the warnings that readers of the token's name will get. */
function warningsOf({ answers: { name = '', symbol = '' } }: Draft): Block[] {
  const doubts = [doubtOf(name, 'name'), doubtOf(symbol, 'symbol')]
  const words = [...new Set(doubts.flatMap((each) => each ?? []))]
  return words.map((each) => text(`⚠️ ${each}`))
}

/** Estimates the size of the blocks: notes are text; the review has no other kinds here. */
function blocksSize(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + ('spans' in block ? spansSize(block.spans) : 0), 0)
}

function closingBlocks(draft: Draft): Block[] {
  const isLaunch = draft.goal === 'launch'
  const announced = canAnnounce(draft)
    ? ' Where you began, it can be announced once it is launched.'
    : ''
  return [
    text(
      isLaunch
        ? 'Cost: your wallet pays the gas; the bot takes nothing.'
        : 'This costs nothing: it is uploaded, and no token is made.',
    ),
    quiet(
      isLaunch
        ? `Nothing is built before you confirm. Then you see beside each line what the payload really does, and get a link where your own wallet signs; until it does, there is no token.${announced}`
        : 'Nothing is uploaded before you press Upload. Then you get the address of the metadata.',
    ),
  ]
}

function canAnnounce({ origin, goal }: Draft): boolean {
  return origin !== undefined && goal === 'launch'
}

function buttons({ draft, questions }: ReviewParts): Button[][] {
  const at = `${draft.id}.${draft.rev}`
  const confirm: Button = {
    label: draft.goal === 'launch' ? 'Confirm' : 'Upload',
    line: launchLine('confirm', at),
    look: 'main',
  }
  const announce: Button = draft.announce
    ? { label: '🔔 Announce it there: on', line: launchLine('announce', at, 'off') }
    : { label: '🔕 Announce it there: off', line: launchLine('announce', at, 'on') }
  return [
    [confirm],
    ...chunks(
      questions.map(({ id, label }) => ({
        label: `✎ ${label}`,
        line: launchLine('change', at, id),
      })),
      changesInRow,
    ),
    [
      ...(canAnnounce(draft) ? [announce] : []),
      { label: 'Cancel', line: launchLine('cancel', at), look: 'danger' },
    ],
  ]
}

/** Asks whether to discard the draft. */
export function dropQuestion(draft: Draft): View {
  const at = `${draft.id}.${draft.rev}`
  return {
    title: [`Discard this ${draft.goal === 'launch' ? 'launch' : 'upload'}?`],
    tone: 'warn',
    blocks: [text('All your answers to it are discarded, too.')],
    buttons: [
      [
        { label: 'Discard it', line: launchLine('drop', at), look: 'danger' },
        { label: 'Go on with it', line: launchLine('resume', at) },
      ],
    ],
  }
}

/** Confirms that a draft was discarded. */
export function droppedView({ goal }: Pick<Draft, 'goal'>): View {
  return {
    title: ['Dropped'],
    blocks: [
      {
        kind: 'text',
        spans: [`Nothing was ${goal === 'launch' ? 'built' : 'uploaded'}. /${goal} begins anew.`],
      },
    ],
  }
}

/** Says that a draft with another goal is open, and offers to continue or discard it. */
export function otherOpenView(draft: Draft): View {
  const at = `${draft.id}.${draft.rev}`
  const what = draft.goal === 'launch' ? 'launch' : 'metadata upload'
  const name = draft.answers.name
  return {
    title: [`There is an open ${what}`],
    tone: 'warn',
    blocks: [
      {
        kind: 'text',
        spans: [
          ...(name === undefined ? ['You began one '] : ['You began ', { bold: name }, ' ']),
          { time: draft.createdAt, as: 'relative' },
          '. Go on with it, or cancel it first: one at a time.',
        ],
      },
    ],
    buttons: [
      [
        { label: 'Go on with it', line: launchLine('resume', at) },
        { label: 'Cancel it', line: launchLine('cancel', at) },
      ],
    ],
  }
}

type Field = [label: string, value: Span[]]

const maxAddress = 60
const minDescription = 80

/** Shows the token's name, symbol and chain. */
function tokenFields(parts: {
  draft: Draft
  chain?: Chain | undefined
  templateLabel?: string | undefined
}): Field[] {
  const { answers } = parts.draft
  return [
    ...(parts.chain ? [['Chain', [parts.chain.name]] satisfies Field] : []),
    ...(parts.templateLabel === undefined
      ? []
      : [['Template', [parts.templateLabel]] satisfies Field]),
    ['Name', [{ bold: answers.name ?? '' }]],
    ...(answers.symbol === undefined
      ? []
      : [['Symbol', [{ bold: `$${answers.symbol}` }]] satisfies Field]),
  ]
}

/** Shows the accounts. */
function walletFields({ answers, goal }: Draft): Field[] {
  const { wallet, feeReceiver } = answers
  const same: Span = goal === 'launch' ? 'the same wallet' : 'not given'
  return [
    ...(wallet ? [['Wallet that signs', [{ code: wallet }]] satisfies Field] : []),
    ['Fee receiver (in the metadata)', [feeReceiver ? { code: feeReceiver } : same]],
  ]
}

/** Shows the public metadata within about `room` characters; description and links are shortened if needed. */
function looksFields({ answers }: Draft, room: number): Field[] {
  const { picture, links = [], categories = [], description = '' } = answers
  const above: Field[] = [
    ['Picture', [picture ? { code: shortCid(picture.cid) } : 'none']],
    ['Categories', [categories.length > 0 ? categories.join(', ') : 'none']],
  ]
  const left = room - sizeOf(above)
  const shown = linkFields(links, left / 2)
  const maxDescription = Math.max(minDescription, Math.floor((left - sizeOf(shown)) / 2))
  return [
    ...above,
    ...shown,
    ['Description', [description === '' ? 'none' : shortenUnits(description, maxDescription)]],
  ]
}

function shortCid(cid: string): string {
  return cid.length > 20 ? `${cid.slice(0, 12)}…${cid.slice(-6)}` : cid
}

function linkFields(links: NonNullable<Draft['answers']['links']>, room: number): Field[] {
  if (links.length === 0) return [['Links', ['none']]]
  const rows = links.map(linkField)
  const fits = rows.filter((_, index) => sizeOf(rows.slice(0, index + 1)) <= room)
  const more = rows.length - fits.length
  if (more === 0) return fits
  return [...fits, [fits.length === 0 ? 'Links' : 'More links', [String(more)]]]
}

/** Shows a long URL by its beginning, without a link: the full URL would leave no room for the rest. */
function linkField({ label, url }: { label: string; url: string }): Field {
  const text = url.replace(/^https:\/\//u, '').replace(/\/$/u, '')
  const shown = shortenUnits(text, maxAddress)
  return [`Link ${label}`, [shown === text ? { link: shown, url } : { code: shown }]]
}

/** Estimates the max characters of fields, including markup and with escaped characters counted twice. */
function sizeOf(fields: readonly Field[]): number {
  return fields.reduce((sum, [label, value]) => sum + 12 + 2 * label.length + spansSize(value), 0)
}

/** Does the same for spans. */
function spansSize(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + spanSize(span), 0)
}

function spanSize(span: Span): number {
  if (typeof span === 'string') return 2 * span.length
  if ('bold' in span) return 2 * span.bold.length + 4
  if ('code' in span) return span.code.length + 2
  if ('link' in span) return 2 * span.link.length + span.url.length + 6
  return 24
}
