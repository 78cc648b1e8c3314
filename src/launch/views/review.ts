import type { Chain } from '../../chain/chains.ts'
import { locales, localiseSpans, plainText } from '../../core/catalogue.ts'
import { shortenUnits } from '../../core/text.ts'
import {
  type Block,
  type Button,
  type Span,
  small,
  type Text,
  type Tone,
  t,
  text,
  type View,
} from '../../core/view.ts'
import { doubtOf } from '../../views/lookalike.ts'
import { chainName } from '../../views/token.ts'
import type { Draft } from '../draft.ts'
import { launchLine } from '../line.ts'
import { categoryLabels } from '../questions/list.ts'
import type { Question } from '../questions/question.ts'
import type { Row } from '../table.ts'
import { askedFields, namedAccount, tokenTitle } from './terms.ts'

/** Max characters of the review. Platforms allow about 4,000, and the last lines must not be cut off. */
const maxShown = 3_700

/** Room for the public metadata at least. */
const minLooks = 400
/** Parts that few people read: left out if there is no room. */
const technical: ReadonlySet<Row['key']> = new Set(['shape', 'contracts', 'idle'])

/** The parts of a review. */
interface ReviewParts {
  draft: Draft
  /** Undefined for metadata alone. */
  chain?: Chain | undefined
  templateLabel?: string | undefined
  /** Digest of what the template sets: Confirm is for these terms alone. */
  terms?: string | undefined
  /** The rows that the template and the person ask for; for metadata alone only vesting. */
  asked: readonly Row[]
  questions: readonly Question[]
  /** The payload is handed out only as files, without a link to sign it. */
  asFiles?: boolean
  /** It is shown in the chat where the draft began. */
  isInOrigin?: boolean
  notes?: readonly Block[]
  tone?: Tone
}

/** Shows all answers, who gets what, and the cost, before anything is built. */
export function reviewView(parts: ReviewParts): View {
  const { draft, asked, chain, notes = [] } = parts
  const token = tokenTitle(draft.answers.name, draft.answers.symbol)
  const title: Span[] = [t('launch-review', { token })]
  const warnings = warningsOf(draft)
  const closing = closingBlocks(parts)
  const around = spansSize(title) + blocksSize([...notes, ...warnings, ...closing])
  const sectionsOf = (rows: readonly Row[], linked: Chain | undefined) => [
    [...tokenFields(parts), ...walletFields(draft)],
    ...askedFields(rows, linked, draft.accountNames),
  ]
  // The table of the payload has these rows, too.
  const fewer = asked.filter(({ key }) => !technical.has(key))
  const sections =
    [sectionsOf(asked, chain), sectionsOf(fewer, chain)].find(
      (each) => around + sizeOf(each.flat()) + minLooks <= maxShown,
    ) ?? sectionsOf(fewer, undefined)
  const used = around + sizeOf(sections.flat())
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
  const doubts = [doubtOf(name, 'name'), doubtOf(symbol, 'symbol')].filter(
    (doubt) => doubt !== undefined,
  )
  const different = new Map(doubts.map((doubt) => [plainText(doubt), doubt]))
  return [...different.values()].map((doubt) => text('⚠️ ', doubt))
}

/** Estimates the size of the blocks: notes are text; the review has no other kinds here. */
function blocksSize(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + ('spans' in block ? spansSize(block.spans) : 0), 0)
}

function closingBlocks({ draft, asFiles, isInOrigin }: ReviewParts): Block[] {
  const isLaunch = draft.goal === 'launch'
  const confirm = asFiles ? t('launch-review-confirm-file') : t('launch-review-confirm')
  const notes = [
    isLaunch ? confirm : t('launch-review-upload'),
    ...(canAnnounce(draft) && !isInOrigin ? [' ', t('launch-review-announce')] : []),
  ]
  return [
    text(isLaunch ? t('launch-review-cost') : t('launch-review-upload-cost')),
    small(...notes),
  ]
}

function canAnnounce({ origin, goal }: Draft): boolean {
  return origin !== undefined && goal === 'launch'
}

function buttons(parts: ReviewParts): Button[][] {
  const { draft, questions, terms } = parts
  const at = `${draft.id}.${draft.rev}`
  const confirm: Button = {
    label: draft.goal === 'launch' ? t('launch-confirm') : t('launch-upload'),
    line: launchLine('confirm', at, ...(terms === undefined ? [] : [terms])),
    look: 'main',
  }
  return [
    [confirm],
    questions.map(({ id, label }) => ({
      label: t('launch-change', { label }),
      line: launchLine('change', at, id),
    })),
    [
      ...(canAnnounce(draft) ? [announceButton(parts, at)] : []),
      { label: t('launch-cancel'), line: launchLine('cancel', at), look: 'danger' },
    ],
  ]
}

function announceButton({ draft, isInOrigin }: ReviewParts, at: string): Button {
  const [on, off] = isInOrigin
    ? [t('launch-announce-on-here'), t('launch-announce-off-here')]
    : [t('launch-announce-on'), t('launch-announce-off')]
  return draft.announce
    ? { label: on, line: launchLine('announce', at, 'off') }
    : { label: off, line: launchLine('announce', at, 'on') }
}

/** Asks whether to discard the draft. */
export function dropQuestion(draft: Draft): View {
  const at = `${draft.id}.${draft.rev}`
  return {
    title: [draft.goal === 'launch' ? t('launch-discard') : t('launch-discard-upload')],
    tone: 'warn',
    blocks: [text(t('launch-discard-about'))],
    buttons: [
      [
        { label: t('launch-discard-yes'), line: launchLine('drop', at), look: 'danger' },
        { label: t('launch-discard-no'), line: launchLine('resume', at) },
      ],
    ],
  }
}

/** Confirms that a draft was discarded. */
export function droppedView({ goal }: Pick<Draft, 'goal'>): View {
  return {
    title: [t('launch-discarded')],
    blocks: [text(goal === 'launch' ? t('launch-discarded-about') : t('launch-discarded-upload'))],
  }
}

/** Says that a draft with another goal is open, and offers to continue or discard it. */
export function otherOpenView(draft: Draft): View {
  const at = `${draft.id}.${draft.rev}`
  const name = draft.answers.name
  const since = { time: draft.createdAt, as: 'relative' } as const
  return {
    title: [draft.goal === 'launch' ? t('launch-open-launch') : t('launch-open-upload')],
    tone: 'warn',
    blocks: [
      text(
        name === undefined
          ? t('launch-open-about', { since })
          : t('launch-open-about-named', { name: { bold: name }, since }),
      ),
    ],
    buttons: [
      [
        { label: t('launch-discard-no'), line: launchLine('resume', at) },
        { label: t('launch-discard-it'), line: launchLine('cancel', at) },
      ],
    ],
  }
}

type Field = [label: Text, value: Span[]]

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
    ...(parts.chain ? [[t('launch-chain'), [chainName(parts.chain)]] satisfies Field] : []),
    ...(parts.templateLabel === undefined
      ? []
      : [[t('launch-template'), [parts.templateLabel]] satisfies Field]),
    [t('launch-name'), [{ bold: answers.name ?? '' }]],
    ...(answers.symbol === undefined
      ? []
      : [[t('launch-symbol'), [{ bold: `$${answers.symbol}` }]] satisfies Field]),
  ]
}

/** Shows the accounts. */
function walletFields({ answers, goal, accountNames }: Draft): Field[] {
  const { wallet, feeReceiver } = answers
  const same: Span = goal === 'launch' ? t('launch-fee-receiver-same') : t('launch-none')
  const shown = (address: string) => namedAccount(address, { code: address }, accountNames)
  return [
    ...(wallet ? [[t('launch-wallet'), [shown(wallet)]] satisfies Field] : []),
    [t('launch-fee-receiver'), [feeReceiver ? shown(feeReceiver) : same]],
  ]
}

/** Shows the public metadata within about `room` characters; description and links are shortened if needed. */
function looksFields({ answers }: Draft, room: number): Field[] {
  const { picture, links = [], categories = [], description = '' } = answers
  const above: Field[] = [
    [t('launch-logo'), [picture ? { code: shortCid(picture.cid) } : t('launch-none')]],
    [t('launch-categories'), categoriesText(categories)],
  ]
  const left = room - sizeOf(above)
  const shown = linkFields(links, left / 2)
  const maxDescription = Math.max(minDescription, Math.floor((left - sizeOf(shown)) / 2))
  return [
    ...above,
    ...shown,
    [
      t('launch-description'),
      [description === '' ? t('launch-none') : shortenUnits(description, maxDescription)],
    ],
  ]
}

function categoriesText(categories: NonNullable<Draft['answers']['categories']>): Span[] {
  if (categories.length === 0) return [t('launch-none')]
  return [{ list: categories.map((each) => categoryLabels[each]), as: 'and' }]
}

function shortCid(cid: string): string {
  return cid.length > 20 ? `${cid.slice(0, 12)}…${cid.slice(-6)}` : cid
}

function linkFields(links: NonNullable<Draft['answers']['links']>, room: number): Field[] {
  if (links.length === 0) return [[t('launch-links'), [t('launch-none')]]]
  const rows = links.map(linkField)
  const fits = rows.filter((_, index) => sizeOf(rows.slice(0, index + 1)) <= room)
  const more = rows.length - fits.length
  if (more === 0) return fits
  return [...fits, [fits.length === 0 ? t('launch-links') : t('launch-more-links'), [String(more)]]]
}

/** Shows a long URL by its beginning, without a link: the full URL would leave no room for the rest. */
function linkField({ label, url }: { label: string; url: string }): Field {
  const text = url.replace(/^https:\/\//u, '').replace(/\/$/u, '')
  const shown = shortenUnits(text, maxAddress)
  return [
    t('launch-link-field', { label }),
    [shown === text ? { link: shown, url } : { code: shown }],
  ]
}

/**
 * Estimates the max characters of fields in any language, including markup and with escaped characters counted twice:
 * the reader's language is known later.
 */
function sizeOf(fields: readonly Field[]): number {
  return fields.reduce((sum, [label, value]) => sum + 12 + spansSize([label]) + spansSize(value), 0)
}

/** Does the same for spans. */
function spansSize(spans: readonly Span[]): number {
  const sizes = locales.map((locale) =>
    localiseSpans(spans, locale).reduce((sum, span) => sum + spanSize(span), 0),
  )
  return Math.max(...sizes)
}

function spanSize(span: Span<string>): number {
  if (typeof span === 'string') return 2 * span.length
  if ('own' in span) return 2 * span.own.length
  if ('bold' in span) return 2 * span.bold.length + 4
  if ('code' in span) return span.code.length + 2
  if ('link' in span) return 2 * span.link.length + span.url.length + 6
  return 24
}
