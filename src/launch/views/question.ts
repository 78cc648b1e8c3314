import { z } from 'zod'
import type { Read } from '../../api/client.ts'
import type { Asset } from '../../api/schema.ts'
import { moduleBook } from '../../chain/airlock/modules.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import { plainText } from '../../core/catalogue.ts'
import { type Context, formatLine } from '../../core/command.ts'
import { shorten } from '../../core/text.ts'
import {
  type Attachment,
  type Block,
  type Button,
  type List,
  type Message,
  type Span,
  small,
  type Text,
  type Tone,
  t,
  text,
  type View,
} from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import { searchedInstead } from '../../views/lookalike.ts'
import { chainName } from '../../views/token.ts'
import {
  type AnswerOutcome,
  lookAlikeReason,
  type MistypedLabel,
  symbolOf,
  unconfirmedAnswer,
} from '../answers.ts'
import { askedOf, reviewViewpoint, templateOf, termsDigest } from '../build-inputs.ts'
import type { Answers, Draft } from '../draft.ts'
import { signingPageOf } from '../handoff.ts'
import { launchLine } from '../line.ts'
import { type AccountNames, type NamedAccount, withNames } from '../questions/accounts.ts'
import {
  applicableQuestions,
  askedQuestions,
  launchTemplates,
  openQuestions,
} from '../questions/list.ts'
import { type Question, rejectSecret, type Scope } from '../questions/question.ts'
import type { Template } from '../settings.ts'
import { askedRows, type Row } from '../table.ts'
import { reviewView } from './review.ts'

const maxValue = 300

/** Max mistyped labels that are listed at once. */
const maxMistyped = 3

/** Notes and buttons above a question or the review. */
export interface Notes {
  notes: Block[]
  tone?: Tone
  /** Buttons that belong to the notes. */
  rows?: Button[][]
}

/** A draft and the notes above it. */
interface DraftAndNotes {
  draft: Draft
  scope: Scope
  notes?: Notes | undefined
}

/** Shows the current question, with the picture if one waits to be accepted. */
export function currentQuestionView(
  { draft, scope, notes: said }: DraftAndNotes,
  question: Question,
  offered: Attachment | undefined,
): View {
  const all = askedQuestions(scope)
  const answered = all.length - openQuestions(scope).length
  const isOpen = question.text(scope) === undefined
  const pending = said?.rows === undefined ? pendingNotes(draft, question, scope) : undefined
  const above = pending ? joinNotes(pending, said) : said
  const parts: QuestionParts = {
    at: `${draft.id}.${draft.rev}`,
    question,
    scope,
    // Forms may have answered later ones already: the number counts what was answered, as the bar does.
    number: isOpen ? answered + 1 : 0,
    of: all.length,
    answered,
    back: question !== all[0] || answered === all.length,
    typed: draft.rejectedTexts[question.id],
    names: draft.accountNames,
    ...(above && { notes: above.notes }),
    ...(above?.rows && { rows: above.rows }),
    ...(above?.tone && { tone: above.tone }),
  }
  return offered === undefined ? questionView(parts) : cropView(parts, offered)
}

/** Shows all answers for review, in the chat of the context if there is one. */
export function draftReview({
  draft,
  scope,
  notes: said,
  context,
}: DraftAndNotes & { context?: Context | undefined }): View {
  const { chain } = draft.answers
  const isLaunch = draft.goal === 'launch'
  const pinned = templateOf(draft.answers, scope.settings.templates)
  return reviewView({
    draft,
    chain: isLaunch && chain !== undefined ? chainById(chain) : undefined,
    templateLabel: isLaunch ? pinned?.label : undefined,
    terms: isLaunch ? termsDigest(pinned) : undefined,
    // Metadata launch nothing, but include the vesting accounts.
    asked: draftRows(draft.answers, pinned, scope).filter(
      ({ key }) => isLaunch || key === 'vesting',
    ),
    questions: applicableQuestions(scope),
    isInOrigin: context?.chat === draft.origin,
    asFiles: signingPageOf(scope.settings) === undefined,
    ...(said && { notes: said.notes }),
    ...(said?.tone && { tone: said.tone }),
  })
}

/** A launch's progress and its current question. */
export interface QuestionParts {
  /** The draft's id and rev, for buttons. */
  at: string
  question: Question
  scope: Scope
  /** Counted from 1, among the questions that this launch asks; 0 for one that has an answer. */
  number: number
  of: number
  answered: number
  /** Whether there is an earlier question. */
  back: boolean
  /** Shown first: why an answer was rejected, or what was understood. */
  notes?: readonly Block[]
  tone?: Tone
  /** The last text that was not applied. */
  typed?: string | undefined
  names: AccountNames
  /** Buttons of the notes, above all others. */
  rows?: Button[][]
}

/** Shows a question with an example, what is allowed, and the alternatives to answering. */
export function questionView(parts: QuestionParts): View {
  const { question, scope } = parts
  const { words, choices = [] } = question.ask(scope)
  return {
    title: [title(parts)],
    ...(parts.tone && { tone: parts.tone }),
    blocks: [
      ...(parts.notes ?? []),
      text(...words),
      ...(question.id === 'template' ? templatesBlocks(scope) : []),
      ...facts(parts),
      progress(parts),
    ],
    buttons: [
      ...(parts.rows ?? []),
      choices.map(({ label, value }) => ({
        label,
        line: launchLine('set', parts.at, question.id, value),
      })),
      ...navigation(parts),
    ].filter((row) => row.length > 0),
    ...(question.field && { form: answerForm(parts.at) }),
  }
}

/** Shows the cropped picture, to accept or change. */
export function cropView(parts: QuestionParts, picture: Attachment): View {
  return {
    title: [title(parts)],
    ...(parts.tone && { tone: parts.tone }),
    blocks: [
      ...(parts.notes ?? []),
      text(t('launch-logo-cropped')),
      small(t('launch-logo-cropped-next')),
      progress(parts),
    ],
    buttons: [
      [{ label: t('launch-logo-use'), line: launchLine('accept', parts.at), look: 'main' }],
      pictureAlternatives(parts),
      backAndCancel(parts),
    ],
    files: [picture],
    form: { ...answerForm(parts.at), label: t('launch-logo-another') },
  }
}

function title({ number, of, question }: QuestionParts): Message {
  const { label } = question
  return number === 0 ? label : t('launch-question-title', { number, of, label })
}

function answerForm(at: string) {
  return { label: t('launch-answer'), line: launchLine('form', at) }
}

function contains(block: Block, words: Text): boolean {
  return block.kind === 'text' && plainText(block.spans).includes(plainText(words))
}

function facts({ question, scope, typed, names, notes = [] }: QuestionParts): Block[] {
  const { example, allowed } = question.ask(scope)
  // The rejection has said it already.
  const isSaid = allowed !== undefined && notes.some((each) => contains(each, allowed))
  const now = question.text(scope)
  const fields: [Message, Span[]][] = []
  const lists: Block[] = []
  // A list stands there line by line: in code a line break would be a space.
  const addAnswer = (label: Message, answer: string) => {
    const [first = '', ...others] = shorten(answer, maxValue)
      .split(/\s*\n\s*/u)
      .map((line): Span => ({ code: line }))
    if (others.length === 0) fields.push([label, [first]])
    else lists.push(lines(t('field', { label, value: first }), ...others))
  }
  if (example !== undefined) addAnswer(t('launch-example'), example)
  if (allowed !== undefined && !isSaid) fields.push([t('launch-allowed'), [allowed]])
  if (now === '') fields.push([t('launch-now'), [t('launch-left-out')]])
  else if (now !== undefined) {
    addAnswer(t('launch-now'), question.hasAccounts ? withNames(now, names) : now)
  }
  if (typed !== undefined) addAnswer(t('launch-you-typed'), typed)
  return [{ kind: 'fields', fields }, ...lists]
}

function lines(...each: Span[]): Block {
  return { kind: 'lines', lines: each.map((line) => [line]) }
}

function progress({ answered, of }: QuestionParts): Block {
  return {
    kind: 'progress',
    ratio: of === 0 ? 1 : answered / of,
    label: t('launch-answered', { answered, of }),
  }
}

/** Offers the alternatives to the new picture: the previous one, or none. */
function pictureAlternatives({ at, question, scope }: QuestionParts): Button[] {
  const old: Button = { label: t('launch-logo-keep-old'), line: launchLine('keep', at) }
  const none: Button = { label: t('launch-logo-none'), line: launchLine('skip', at, question.id) }
  return question.text(scope) ? [old, none] : [none]
}

/** Lists keep and skip first, then back and cancel. */
function navigation(parts: QuestionParts): Button[][] {
  const { at, question, scope } = parts
  const now = question.text(scope)
  const canSkip = question.skipped(scope) !== undefined && now !== ''
  const stay: Button[] = [
    ...(now === undefined ? [] : [{ label: t('launch-keep'), line: launchLine('keep', at) }]),
    ...(canSkip
      ? [
          {
            label: now === undefined ? t('launch-skip') : t('launch-leave-out'),
            line: launchLine('skip', at, question.id),
          },
        ]
      : []),
  ]
  return [stay, backAndCancel(parts)].filter((row) => row.length > 0)
}

function backAndCancel({ at, back }: QuestionParts): Button[] {
  return [
    ...(back ? [{ label: t('launch-back'), line: launchLine('back', at) }] : []),
    { label: t('launch-cancel'), line: launchLine('cancel', at) },
  ]
}

function joinNotes(one: Notes, other: Notes | undefined): Notes {
  return { ...one, ...other, notes: [...(other?.notes ?? []), ...one.notes] }
}

/** Explains why a stored answer was held back, and offers to use it anyway. */
function pendingNotes(draft: Draft, question: Question, scope: Scope): Notes | undefined {
  const held = unconfirmedAnswer(draft, question, scope)
  if (held === undefined) return undefined
  const doubts = held.doubts.map(({ reason }) => reason)
  if (doubts.length > 0) return doubtNotes(draft, question, doubts)
  if (question.id === 'symbol') return pendingSymbolNotes(draft)
  return question.id === 'name'
    ? doubtNotes(draft, question, [lookAlikeReason(held.answer)])
    : undefined
}

/** Reports the outcome of the answers: which were applied if there were several, and why others were not. */
export function outcomeNotes(state: AnswerOutcome, labelled: boolean): Notes {
  const { accepted, skipped, refused, held, mistyped, named, unchecked, draft } = state
  const several = labelled || accepted.length + skipped.length + refused.length + held.length > 1
  const notes = [
    ...(several && accepted.length > 0
      ? [text(t('launch-saved', { labels: labelsOf(accepted) }))]
      : []),
    ...(several && skipped.length > 0
      ? [text(t('launch-skipped', { labels: labelsOf(skipped) }))]
      : []),
    ...named.map(namedNote),
    ...refused.map(({ question, reason }) =>
      several
        ? text(t('field', { label: { bold: question.label }, value: reason }))
        : text(...reason),
    ),
    ...held.flatMap(({ question, reasons }) =>
      reasons.map((each) =>
        several ? text(t('field', { label: { bold: question.label }, value: each })) : text(each),
      ),
    ),
    ...mistyped.slice(0, maxMistyped).map((label) => text(...mistypedText(label))),
    ...(unchecked
      ? [text(t('launch-symbol-unchecked', { symbol: `$${draft.answers.symbol}` }))]
      : []),
  ]
  const isTrouble = refused.length + held.length + mistyped.length > 0
  // An existing asset's note brings its own buttons.
  const rows = held
    .filter(({ question }) => question.id !== 'symbol' || state.existing === undefined)
    .map(({ question }) => [keepIt(draft, question)])
  return {
    notes,
    ...(isTrouble && { tone: 'warn' as const }),
    ...(rows.length > 0 && { rows }),
  }
}

/** Says which account a name stands for, in full: it is this account that is signed for. */
function namedNote({ name, address }: NamedAccount): Block {
  const account = { code: address }
  const isPlain = /^[a-z0-9.-]+$/u.test(name)
  return text(isPlain ? t('name-is', { name, account }) : t('name-is-odd', { name, account }))
}

function labelsOf(questions: readonly Question[]): List {
  return { list: questions.map(({ label }) => label), as: 'and' }
}

function mistypedText({ word, nearestLabel: near, text }: MistypedLabel): readonly Span[] {
  try {
    rejectSecret(text)
    return [t('launch-mistyped', { word, near })]
  } catch (error) {
    if (error instanceof UserError) return error.spans
    throw error
  }
}

/** Adds to notes that the answered template turned out to be none, if the draft has another now or none. */
export function withMissingTemplate(
  { answers: { chain, template } }: Draft,
  { answers }: Draft,
  notes: Notes | undefined,
): Notes | undefined {
  if (chain === undefined || template === undefined || answers.template === template) return notes
  const missing = text(t('launch-template-missing', { chain: chainById(chain).name }))
  return { tone: 'warn', ...notes, notes: [missing, ...(notes?.notes ?? [])] }
}

/** Adds to notes that the launch contract reserves the symbol for another token, and offers to change it. */
export function withTakenSymbol(draft: Draft, notes: Notes = { notes: [] }): Notes {
  const { chain = 0, symbol = '' } = draft.answers
  const taken = t('launch-symbol-reserved', { symbol: `$${symbol}`, chain: chainById(chain).name })
  const change: Button = {
    label: t('launch-change', { label: t('launch-symbol') }),
    line: launchLine('change', `${draft.id}.${draft.rev}`, 'symbol'),
  }
  return {
    tone: 'warn',
    notes: [...notes.notes, text('⚠️ ', taken)],
    rows: [...(notes.rows ?? []), [change]],
  }
}

/** Reports that the symbol belongs to an existing asset, with that asset's card. */
export function knownSymbolNotes(
  draft: Draft,
  known: { read: Read<Asset>; chain: Chain; card: View },
): Notes {
  const { read, chain, card } = known
  const asset = formatLine('asset', read.value.asset_address, { chain: chain.id })
  const symbol = `$${draft.rejectedTexts.symbol ?? ''}`
  const other = `$${symbolOf(read.value)}`
  const isSame = other.toLowerCase() === symbol.toLowerCase()
  return {
    tone: 'warn',
    notes: [
      text(
        isSame
          ? t('launch-symbol-exists-on', { symbol, chain: chainName(chain) })
          : t('launch-symbol-reads-like-on', { symbol, other, chain: chainName(chain) }),
      ),
      text(...boldTitle(card.title)),
      ...card.blocks,
    ],
    rows: [[useAnyway(draft), { label: t('launch-symbol-show'), line: asset, asNew: true }]],
  }
}

/** Puts a title into bold, for a text block. */
export function boldTitle(title: readonly Span[]): Span[] {
  return title.map((span) => (typeof span === 'string' || 'key' in span ? { bold: span } : span))
}

/** Explains the doubts about a held-back answer to a person who returns to the question. */
function doubtNotes(draft: Draft, question: Question, doubts: readonly Text[]): Notes {
  return {
    notes: doubts.map((reason) => text(reason)),
    rows: [[keepIt(draft, question)]],
  }
}

/** The same for a symbol that belongs to another asset. */
function pendingSymbolNotes(draft: Draft): Notes {
  const symbol = draft.rejectedTexts.symbol ?? ''
  const other = searchedInstead(symbol)
  const asset = formatLine('asset', other ?? symbol, { chain: draft.answers.chain })
  const shown = `$${symbol}`
  return {
    notes: [
      text(
        other === undefined
          ? t('launch-symbol-exists', { symbol: shown })
          : t('launch-symbol-reads-like', { symbol: shown, other: `$${other}` }),
      ),
    ],
    rows: [[useAnyway(draft), { label: t('launch-symbol-show'), line: asset, asNew: true }]],
  }
}

function useAnyway(draft: Draft): Button {
  return { label: t('launch-symbol-keep'), line: launchLine('known', `${draft.id}.${draft.rev}`) }
}

function keepIt(draft: Draft, { id, doubts }: Question): Button {
  const label = doubts?.confirmLabel ?? t('launch-keep')
  return { label, line: launchLine('known', `${draft.id}.${draft.rev}`, id) }
}

/** The rows that say what a template does to those who choose it. */
const explained: readonly Row['key'][] = [
  'opening',
  'curve',
  'raise',
  'trading',
  'tradingFee',
  'shares',
  'proceeds',
]

/** Rows that people look for in a review, even if a template that pins nothing does not have them. */
const awaited = ['sale', 'opening', 'tradingFee'] as const

/** Max templates that are explained in full: a message has no room for more. */
const maxExplained = 4

/** Lists the rows that a template and the answers ask for. */
function draftRows(
  answers: Answers,
  pinned: Template | undefined,
  { settings }: Pick<Scope, 'settings'>,
): Row[] {
  const { chain = 0 } = answers
  const book = moduleBook(chain, settings.modules[chain])
  const { integrator } = settings
  const view = { ...reviewViewpoint(answers, pinned, book), ...(integrator && { integrator }) }
  const rows = askedRows(askedOf(answers, pinned), view, awaited)
  return rows.map((row) => {
    const drawing = row.key === 'curve' ? curveDrawing(pinned) : undefined
    const asked = row.asked
    return drawing === undefined || asked === undefined
      ? row
      : { ...row, asked: t('terms-curve-drawn', { drawing, curve: asked }) }
  })
}

/** Explains the templates that can be chosen; with many of them only as far as the operator does. */
function templatesBlocks(scope: Scope): Block[] {
  const templates = launchTemplates(scope)
  return templates.flatMap((each) =>
    templates.length > maxExplained ? shortBlocks(each) : templateBlocks(each, scope),
  )
}

/** Explains what a template does: price, what is raised and what if it is not, how long it takes, fees. */
export function templateBlocks(template: Template, scope: Scope): Block[] {
  const { id, chain, expects = {} } = template
  const rows = draftRows({ chain, template: id }, template, scope)
  const fields = explained.flatMap((key): [Text, Span[]][] => {
    if (key === 'raise' && expects.raise === null) {
      return [[t('terms-raise'), [t('launch-template-no-minimum')]]]
    }
    const row = rows.find((each) => each.key === key)
    return row?.asked && key in expects ? [[row.label, [row.asked]]] : []
  })
  return [
    ...shortBlocks(template),
    ...(fields.length > 0 ? [{ kind: 'fields' as const, fields }] : []),
  ]
}

function shortBlocks({ label, about }: Template): Block[] {
  return [text({ bold: label }, ...(about === undefined ? [] : [': ', about]))]
}

const opening = z.object({ cap: z.union([z.string(), z.tuple([z.string(), z.string()])]) })
const curve = z.object({ cap: z.string() })

const levels = '▁▂▃▄▅▆▇█'
const columns = 12

/**
 * Draws the price over what is sold, or over the time if it falls: between its two ends it changes by the same factor with
 * each step.
 */
function curveDrawing(template: Template | undefined): string | undefined {
  const first = opening.safeParse(template?.expects?.opening).data?.cap
  const last = Number(curve.safeParse(template?.expects?.curve).data?.cap)
  const from = Number(typeof first === 'string' ? first : first?.[0])
  if (!(from > 0 && last > 0)) return undefined
  const [low, high] = [Math.min(from, last), Math.max(from, last)]
  return Array.from({ length: columns }, (_, index) => {
    const price = from * (last / from) ** (index / (columns - 1))
    const level = high === low ? 0 : ((price - low) / (high - low)) * (levels.length - 1)
    return levels[Math.round(level)] ?? ''
  }).join('')
}
