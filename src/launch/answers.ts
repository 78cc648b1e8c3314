import { baseToken } from '../api/asset.ts'
import type { Api, Read } from '../api/client.ts'
import type { Asset } from '../api/schema.ts'
import { nearest } from '../core/command.ts'
import type { IncomingFile } from '../core/conversation.ts'
import { looksSecret } from '../core/secret.ts'
import { harmless } from '../core/text.ts'
import { type Message, type Span, type Text, t } from '../core/view.ts'
import { ApiError, UserError } from '../errors.ts'
import { readsLike, searchedInstead } from '../views/lookalike.ts'
import type { Answers, Draft, QuestionId } from './draft.ts'
import { maxInputBytes, readPicture, rejectLargeFile } from './image.ts'
import type { Publisher } from './ipfs.ts'
import type { Pictures } from './pictures.ts'
import { type LookUpName, type NamedAccount, namesIn, withAddresses } from './questions/accounts.ts'
import { openQuestions, questions } from './questions/list.ts'
import { type Doubt, type Question, rejectSecret, type Scope } from './questions/question.ts'

/** A raw answer text and the question it answers. */
export interface RawAnswer {
  question: Question
  text: string
}

/** A mistyped label: the word, the nearest real label, and the text after it. */
export interface MistypedLabel {
  word: string
  nearestLabel: string
  text: string
}

/** The result of `labelledAnswers`. */
export interface Labelled {
  given: RawAnswer[]
  mistyped: MistypedLabel[]
}

/**
 * Splits a text into several answers by their labels, comma-separated or one per line. A line without a label continues
 * the answer above it.
 * @returns undefined if the text doesn't begin with a label, or holds no known label
 * @example
 * labelledAnswers('name: Moon Otter, symbol: OTTER')?.given.map(({ text }) => text) // ['Moon Otter', 'OTTER']
 */
export function labelledAnswers(text: string): Labelled | undefined {
  const lines = text.trim().split(/\r?\n/u)
  const parts: LabelledPart[] = []
  for (const line of lines) {
    const match = labelledAnswer(line) ?? mistypedLabel(line, parts.at(-1))
    const last = parts.at(-1)
    if (match) parts.push(...splitLine(match))
    else if (last) last.text = `${last.text}\n${line}`.trim()
    else return undefined
  }
  const rawAnswers = parts.filter((part) => 'question' in part)
  // Without a known label the whole text is a single answer.
  if (rawAnswers.length === 0) return undefined
  return {
    // If a question is answered twice, the second answer wins.
    given: [...new Map(rawAnswers.map((each) => [each.question.id, each])).values()],
    mistyped: parts.filter((part) => 'nearestLabel' in part),
  }
}

/**
 * Labels the parts of a launch in one message: `RIVER "River Heron"` is its symbol and its name, what stands below is its
 * description, up to the first line with a label.
 */
export function labelledMessage(text: string): string {
  const lines = text.trim().split(/\r?\n/u)
  const from = lines.findIndex((line) => labelledAnswer(line))
  const unlabelled = from < 0 ? lines : lines.slice(0, from)
  const [first = '', ...below] = unlabelled
  const [symbol = ''] = first.split(/\s/u, 1)
  const name = first.slice(symbol.length).replaceAll(/["“”]/gu, '').trim()
  const description = below.join('\n').trim()
  return [
    ...(symbol === '' ? [] : [`symbol: ${symbol}`]),
    ...(name === '' ? [] : [`name: ${name}`]),
    ...(description === '' ? [] : [`description: ${description}`]),
    ...lines.slice(unlabelled.length),
  ].join('\n')
}

/** Skips what may be left out and was not answered, except for the logo. */
export function withoutOpenOptions(state: AnswerOutcome, { scope }: AnswerParts): AnswerOutcome {
  const open = openQuestions(scope(state.draft)).flatMap((question) => {
    const answer = question.id === 'picture' ? undefined : question.skipped(scope(state.draft))
    return answer === undefined || question.id in state.draft.rejectedTexts
      ? []
      : [{ question, answer }]
  })
  let { answers } = state.draft
  for (const { answer } of open) answers = { ...answers, ...answer }
  return {
    ...state,
    draft: { ...state.draft, answers },
    skipped: [...state.skipped, ...open.map(({ question }) => question)],
  }
}

const questionsByLabel: ReadonlyMap<string, Question> = new Map(
  questions.flatMap((each) => each.names.map((name) => [name, each])),
)

type LabelledPart = RawAnswer | MistypedLabel

const labelledLine = /^\s*([a-z][a-z ]{0,30}?)\s*[:=](?!\/\/)(.*)$/isu

function labelOf(text: string): { word: string; rest: string } | undefined {
  const [found, word = '', rest = ''] = labelledLine.exec(text) ?? []
  if (found === undefined) return undefined
  return { word: word.toLowerCase().replaceAll(/ +/gu, ' '), rest: rest.trim() }
}

function labelledAnswer(text: string): RawAnswer | undefined {
  const match = labelOf(text)
  const question = match && questionsByLabel.get(match.word)
  return question && { question, text: match.rest }
}

/** Returns the mistyped label at the start of a line; it must share its first letter with the real one. */
function mistypedLabel(text: string, above: LabelledPart | undefined): MistypedLabel | undefined {
  const match = labelOf(text)
  if (match === undefined) return undefined
  const isLinks = above !== undefined && 'question' in above && above.question.id === 'links'
  // In a list of links, `word: https://…` is a link's own label.
  if (isLinks && /^https?:\/\//iu.test(match.rest)) return undefined
  const names = [...questionsByLabel.keys()].filter((name) => name[0] === match.word[0])
  const near = nearest(match.word, names)
  return near === undefined ? undefined : { word: match.word, nearestLabel: near, text: match.rest }
}

/**
 * Splits a line that begins with a label. A comma separates answers only if a label follows it. A description keeps its
 * commas and labels up to the end of the line, unless every part of the line has a label.
 */
function splitLine(first: LabelledPart): LabelledPart[] {
  const parts: LabelledPart[] = [{ ...first, text: '' }]
  const fragments = first.text.split(',')
  const isFullyLabelled = fragments.slice(1).every((fragment) => labelledAnswer(fragment))
  for (const [index, fragment] of fragments.entries()) {
    const last = parts.at(-1)
    const isText =
      last !== undefined &&
      'question' in last &&
      last.question.id === 'description' &&
      !isFullyLabelled
    const next =
      index === 0 || isText
        ? undefined
        : (labelledAnswer(fragment) ?? mistypedLabel(fragment, last))
    if (next) parts.push(next)
    else if (last) last.text += index === 0 || last.text === '' ? fragment : `,${fragment}`
  }
  return parts.map((each) => ({ ...each, text: each.text.trim() }))
}

/** Max characters of a rejected text that are stored for correction. */
const maxStoredText = 3_000

/** A draft after answers were applied to it, and the outcome of each. */
export interface AnswerOutcome {
  draft: Draft
  accepted: Question[]
  /** Optional questions that were answered with nothing. */
  skipped: Question[]
  refused: { question: Question; reason: readonly Span[] }[]
  /** Answers that wait for the person's confirmation, and why each looks odd. */
  held: { question: Question; reasons: readonly Text[] }[]
  /** Mistyped labels; the text after them was not used. */
  mistyped: readonly MistypedLabel[]
  /** Accounts that were given by name. */
  named: readonly NamedAccount[]
  /** The existing asset that has this symbol. */
  existing?: Read<Asset>
  /** Whether it could not be checked if the symbol exists already. */
  unchecked: boolean
}

/** Inputs for parsing answers, besides the draft. */
export interface AnswerParts {
  scope(draft: Draft): Scope
  reconcile(draft: Draft): Draft
  checkSymbol(symbol: string, chain: number): Promise<SymbolCheck>
  /** Checks for a listed token with a look-alike name. */
  checkName(name: string, chain: number): Promise<SymbolCheck>
  lookUpName: LookUpName
}

/** Wraps a draft to which no answer was applied yet. */
export function untouched(draft: Draft): AnswerOutcome {
  return {
    draft,
    accepted: [],
    skipped: [],
    refused: [],
    held: [],
    mistyped: [],
    named: [],
    unchecked: false,
  }
}

/**
 * Removes what a new answer to the question replaces: its stored text, the pending picture, the jump to the question.
 */
export function cleared(draft: Draft, id: QuestionId): Draft {
  const { askedQuestion, pendingPicture, ...rest } = draft
  const { [id]: _, ...rejectedTexts } = draft.rejectedTexts
  return {
    ...rest,
    rejectedTexts,
    ...(askedQuestion !== undefined && askedQuestion !== id && { askedQuestion }),
    ...(pendingPicture !== undefined && id !== 'picture' && { pendingPicture }),
  }
}

/**
 * Applies answers in the order of the questions, since later ones are parsed against earlier ones. Stores the text of
 * those that can't be used; the first of them is asked next.
 */
export async function applyAnswers(
  before: AnswerOutcome,
  rawAnswers: readonly RawAnswer[],
  parts: AnswerParts,
): Promise<AnswerOutcome> {
  let state = before
  const order = ({ question }: RawAnswer) => questions.indexOf(question)
  for (const each of rawAnswers.toSorted((one, other) => order(one) - order(other))) {
    state = await applyAnswer(state, each, parts)
  }
  const [first] = [...state.refused, ...state.held].filter(
    ({ question }) => question.id in state.draft.rejectedTexts,
  )
  if (first === undefined) return state
  return { ...state, draft: { ...state.draft, askedQuestion: first.question.id } }
}

async function applyAnswer(
  before: AnswerOutcome,
  answer: RawAnswer,
  parts: AnswerParts,
): Promise<AnswerOutcome> {
  const { question } = answer
  // Our own messages contain word joiners that prevent auto-linking; a person may have copied them.
  let text = answer.text.replaceAll('\u2060', '')
  let state = before
  const scope = parts.scope(state.draft)
  if (!question.applies(scope)) {
    return { ...state, refused: [...state.refused, { question, reason: [t('launch-not-asked')] }] }
  }
  try {
    rejectSecret(text)
    if (question.hasAccounts) ({ text, state } = await withNamesLookedUp(text, state, parts))
    const isBlank = /^(?:skip|none|no|[-–—])?$/iu.test(text.trim())
    const empty = isBlank ? question.skipped(scope) : undefined
    const changed = cleared(state.draft, question.id)
    const answers = { ...changed.answers, ...(empty ?? question.parse(text, scope)) }
    const draft = parts.reconcile({
      ...changed,
      answers: withoutOutdatedNames(withoutOutdatedTemplate(answers, state.draft), state.draft),
    })
    if (empty) return { ...state, draft, skipped: [...state.skipped, question] }
    const next = { ...state, draft, accepted: [...state.accepted, question] }
    if (question.id === 'symbol' || question.id === 'chain') {
      return await withCheckedSymbol(next, state.draft, parts)
    }
    const reasons = await doubtReasons(draft, question, parts)
    return reasons.length === 0 ? next : holdBack(state, question, text, reasons)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const mayKeep = question.mayStore?.(text) ?? !looksSecret(text)
    return reject(state, question, mayKeep ? text : '', error.spans)
  }
}

/** Max names in one answer: each is looked up. */
const maxNames = 20

/**
 * Replaces names by the addresses that they stand for now: what they stand for later changes nothing.
 * @throws UserError about the first name that can't be used
 */
async function withNamesLookedUp(
  text: string,
  state: AnswerOutcome,
  { lookUpName, scope }: AnswerParts,
): Promise<{ text: string; state: AnswerOutcome }> {
  const typed = namesIn(text)
  if (typed.length === 0) return { text, state }
  if (typed.length > maxNames) {
    throw new UserError(t('launch-accounts-many', { max: maxNames, count: typed.length }))
  }
  const { chain } = scope(state.draft).answers
  const named = await Promise.all(typed.map((name) => lookUpName(name, chain)))
  const found = new Map(named.map(({ address }, index) => [typed[index] ?? '', address]))
  const names = Object.fromEntries(
    named.map(({ name, address }) => [address.toLowerCase(), name] as const),
  )
  const { answers, rejectedTexts: stored, accountNames: before } = state.draft
  // Replaced names are removed: somebody may answer with new names endlessly.
  const texts = JSON.stringify([answers, stored]).toLowerCase()
  const used = Object.entries(before).filter(([address]) => texts.includes(address))
  const draft = { ...state.draft, accountNames: { ...Object.fromEntries(used), ...names } }
  return {
    text: withAddresses(text, found),
    state: { ...state, draft, named: [...state.named, ...named] },
  }
}

/** Lists why an applied answer needs the person's confirmation. */
async function doubtReasons(draft: Draft, question: Question, parts: AnswerParts): Promise<Text[]> {
  const reasons = openDoubts(draft, question, parts.scope(draft)).map((each) => each.reason)
  const { name, chain } = draft.answers
  const isChecked =
    question.id === 'name' &&
    reasons.length === 0 &&
    !draft.acceptedDoubts.name?.includes(name ?? '')
  if (!isChecked || name === undefined || chain === undefined) return reasons
  const check = await parts.checkName(name, chain)
  return check.kind === 'known' ? [lookAlikeReason(name)] : reasons
}

/** Returns the reason to doubt a name that looks like a listed token's. */
export function lookAlikeReason(name: string): Message {
  return t('launch-name-lookalike', { name })
}

/** Lists the doubts about an answer that the person has not confirmed yet. */
function openDoubts(draft: Draft, { id, doubts }: Question, scope: Scope): Doubt[] {
  const kept = draft.acceptedDoubts[id] ?? []
  return (doubts?.find(scope) ?? []).filter(({ part }) => !kept.includes(part))
}

/** Parses the stored text of an unapplied answer; undefined if there is none or it doesn't parse. */
export function unconfirmedAnswer(
  draft: Draft,
  question: Question,
  scope: Scope,
): { answer: string; doubts: Doubt[] } | undefined {
  const text = draft.rejectedTexts[question.id]
  if (text === undefined) return undefined
  try {
    const answers = { ...scope.answers, ...question.parse(text, scope) }
    const held = { ...scope, answers }
    return { answer: question.text(held) ?? '', doubts: openDoubts(draft, question, held) }
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Holds an answer back until the person confirms it. */
function holdBack(
  state: AnswerOutcome,
  question: Question,
  text: string,
  reasons: readonly Text[],
): AnswerOutcome {
  const typed = { ...state.draft.rejectedTexts, [question.id]: text.slice(0, maxStoredText) }
  return {
    ...state,
    draft: { ...state.draft, rejectedTexts: typed, askedQuestion: question.id },
    held: [...state.held, { question, reasons }],
  }
}

/** Drops the template if the chain changed: templates of two chains may share an id. */
function withoutOutdatedTemplate({ template, ...others }: Answers, before: Draft): Answers {
  const { chain } = before.answers
  const isMoved = chain !== undefined && others.chain !== chain
  return isMoved || template === undefined ? others : { ...others, template }
}

/** Drops accounts that were given by name if the chain changed: a name may stand for another account there. */
function withoutOutdatedNames(
  answers: Answers,
  { accountNames: names, answers: before }: Draft,
): Answers {
  if (before.chain === undefined || answers.chain === before.chain) return answers
  const hasName = (answer: unknown) => {
    const accounts = JSON.stringify(answer ?? null).toLowerCase()
    return Object.keys(names).some((address) => accounts.includes(address))
  }
  const { wallet, feeReceiver, vesting, beneficiaries, ...others } = answers
  return {
    ...others,
    ...(wallet !== undefined && !hasName(wallet) && { wallet }),
    ...(feeReceiver !== undefined && !hasName(feeReceiver) && { feeReceiver }),
    ...(vesting !== undefined && !hasName(vesting) && { vesting }),
    ...(beneficiaries !== undefined && !hasName(beneficiaries) && { beneficiaries }),
  }
}

/** Rejects an answer, and stores its text for correction. */
export function reject(
  state: AnswerOutcome,
  question: Question,
  text: string,
  reason: readonly Span[],
): AnswerOutcome {
  // Drops the earlier text too, even if this one is not stored.
  const { [question.id]: _, ...others } = state.draft.rejectedTexts
  const typed = { ...others, ...(text !== '' && { [question.id]: text.slice(0, maxStoredText) }) }
  return {
    ...state,
    draft: { ...state.draft, rejectedTexts: typed, askedQuestion: question.id },
    refused: [...state.refused, { question, reason }],
  }
}

/**
 * Looks up the symbol on its chain whenever symbol or chain changes. A symbol that exists already or looks like a
 * well-known one needs confirmation; until then the previous symbol stays, if it was for the same chain.
 */
async function withCheckedSymbol(
  state: AnswerOutcome,
  before: Draft,
  parts: AnswerParts,
): Promise<AnswerOutcome> {
  const { knownSymbolAccepted, ...draft } = state.draft
  const { symbol, chain, ...others } = draft.answers
  if (symbol === undefined || chain === undefined) return { ...state, draft }
  if (knownSymbolAccepted === `${chain} ${symbol}`) return state
  const question = questions.find(({ id }) => id === 'symbol')
  const doubts = question ? openDoubts(draft, question, parts.scope(draft)) : []
  const check = await parts.checkSymbol(symbol, chain)
  const isHeld = check.kind === 'known' || doubts.length > 0
  if (question === undefined || !isHeld) {
    return { ...state, draft, unchecked: check.kind === 'unchecked' }
  }
  const old = before.answers.chain === chain ? before.answers.symbol : undefined
  const answers = { ...others, chain, ...(old !== undefined && { symbol: old }) }
  const reasons = doubts.map((each) => each.reason)
  const accepted = state.accepted.filter(({ id }) => id !== 'symbol')
  const held = holdBack(
    { ...state, draft: { ...draft, answers }, accepted },
    question,
    symbol,
    reasons,
  )
  return check.kind === 'known' ? { ...held, existing: check.read } : held
}

/** Re-encodes and stores a picture, and asks the person to accept the crop. */
export async function applyPicture(
  state: AnswerOutcome,
  question: Question,
  file: IncomingFile,
  {
    pictures,
    publisher,
  }: { pictures: Pictures; publisher: Pick<Publisher, 'format' | 'isAvailable'> },
): Promise<AnswerOutcome> {
  try {
    if (!publisher.isAvailable) {
      throw new UserError(t('launch-logo-no-files'))
    }
    rejectLargeFile(file.size ?? 0)
    const picture = await readPicture(await file.read(maxInputBytes), publisher.format)
    await pictures.keep(picture)
    const draft = cleared(state.draft, question.id)
    return {
      ...state,
      draft: { ...draft, askedQuestion: question.id, pendingPicture: picture.cid },
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return reject(state, question, '', error.spans)
  }
}

/** Whether the API lists an asset with the same or a look-alike symbol; `unchecked` if it gave no usable answer. */
type SymbolCheck = { kind: 'free' } | { kind: 'known'; read: Read<Asset> } | { kind: 'unchecked' }

/**
 * Looks for an asset of the chain with this symbol (case-insensitive) or a look-alike one. API failures give
 * `unchecked`.
 */
export async function checkSymbol(
  api: Pick<Api, 'search'>,
  symbol: string,
  chain: number,
): Promise<SymbolCheck> {
  const searched = [symbol, searchedInstead(symbol)].filter((term) => term !== undefined)
  const matchers = [
    (asset: Asset) => symbolOf(asset).toLowerCase() === symbol.toLowerCase(),
    (asset: Asset) => readsLike(symbolOf(asset), symbol),
  ]
  return firstMatch(api, { searched, chain, matchers })
}

/** Looks for an asset of the chain whose name or symbol is a look-alike of the name. API failures give `unchecked`. */
export async function checkName(
  api: Pick<Api, 'search'>,
  name: string,
  chain: number,
): Promise<SymbolCheck> {
  const instead = searchedInstead(name)
  if (instead === undefined) return { kind: 'free' }
  const isMatch = (asset: Asset) =>
    [symbolOf(asset), baseToken(asset)?.token_name ?? ''].some((each) => readsLike(each, name))
  return firstMatch(api, { searched: [instead], chain, matchers: [isMatch] })
}

interface AssetSearch {
  searched: readonly string[]
  chain: number
  /** Predicates for a match, the most certain first. */
  matchers: readonly ((asset: Asset) => boolean)[]
}

async function firstMatch(
  api: Pick<Api, 'search'>,
  { searched, chain, matchers }: AssetSearch,
): Promise<SymbolCheck> {
  try {
    const reads = await Promise.all(searched.map((term) => api.search({ term, chain })))
    if (reads.some(({ value }) => value.chainIgnored)) return { kind: 'unchecked' }
    for (const is of matchers) {
      for (const read of reads) {
        const value = read.value.items.find(is)
        if (value) return { kind: 'known', read: { ...read, value } }
      }
    }
    return { kind: 'free' }
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'unchecked' }
    throw error
  }
}

/** Returns an asset's symbol for display, without a dollar sign. */
export function symbolOf(asset: Asset): string {
  const symbol = harmless(baseToken(asset)?.token_symbol ?? '')
  return symbol.trim().replace(/^\$+/u, '')
}
