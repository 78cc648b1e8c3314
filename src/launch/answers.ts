import type { Read } from '../api/cache.ts'
import type { Api } from '../api/client.ts'
import { baseToken } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { nearest } from '../core/command.ts'
import type { IncomingFile } from '../core/conversation.ts'
import { harmless } from '../core/text.ts'
import { ApiError, UserError } from '../errors.ts'
import { readsLike, searchedInstead } from '../views/lookalike.ts'
import type { Answers, Draft, QuestionId } from './draft.ts'
import { maxInputBytes, readPicture } from './image.ts'
import type { Pictures } from './images.ts'
import { questions } from './questions/list.ts'
import type { Doubt, Question, Scope } from './questions/question.ts'
import { looksSecret, refuseSecret } from './questions/secrets.ts'

/** An answer as it was given, and the question that it is for. */
export interface Given {
  question: Question
  text: string
}

/** What stands behind a label that there is not, and the label that was most likely meant. */
export interface Slip {
  word: string
  near: string
  text: string
}

/** What a text with labels holds. */
export interface Labelled {
  given: Given[]
  slips: Slip[]
}

/**
 * Several answers in one text, each behind its label, as in `name: Moon Otter, symbol: OTTER` or one a line; a line
 * without a label goes on with what stands above it. Undefined where the text does not begin with a label.
 */
export function labelledAnswers(
  text: string,
  questions: readonly Question[],
): Labelled | undefined {
  const byName = new Map(
    questions.flatMap((question) => question.names.map((name) => [name, question] as const)),
  )
  const lines = text.trim().split(/\r?\n/u)
  const pieces: Piece[] = []
  for (const line of lines) {
    const found = labelled(line, byName) ?? slipOf(line, byName, pieces.at(-1))
    const last = pieces.at(-1)
    if (found) pieces.push(...fromLine(found, byName))
    else if (last) last.text = `${last.text}\n${line}`.trim()
    else return undefined
  }
  const given = pieces.filter((piece) => 'question' in piece)
  // Of a text in which nothing is known, the whole is one answer.
  if (given.length === 0) return undefined
  return {
    // Who gives an answer twice means the second.
    given: [...new Map(given.map((each) => [each.question.id, each])).values()],
    slips: pieces.filter((piece) => 'near' in piece),
  }
}

type Names = ReadonlyMap<string, Question>
type Piece = Given | Slip

const label = /^\s*([a-z][a-z ]{0,30}?)\s*[:=](?!\/\/)(.*)$/isu

function wordOf(text: string): { word: string; rest: string } | undefined {
  const [found, word = '', rest = ''] = label.exec(text) ?? []
  if (found === undefined) return undefined
  return { word: word.toLowerCase().replaceAll(/ +/gu, ' '), rest: rest.trim() }
}

function labelled(text: string, byName: Names): Given | undefined {
  const found = wordOf(text)
  const question = found && byName.get(found.word)
  return question && { question, text: found.rest }
}

/** A label that there is not, where it is a slip of one that there is. Hardly anybody mistypes the first letter. */
function slipOf(text: string, byName: Names, above: Piece | undefined): Slip | undefined {
  const found = wordOf(text)
  if (found === undefined) return undefined
  const isLinks = above !== undefined && 'question' in above && above.question.id === 'links'
  // In a list of links it is the label of one.
  if (isLinks && /^https?:\/\//iu.test(found.rest)) return undefined
  const names = [...byName.keys()].filter((name) => name[0] === found.word[0])
  const near = nearest(found.word, names)
  return near === undefined ? undefined : { word: found.word, near, text: found.rest }
}

/**
 * The answers of a line that begins with one. Commas part answers only before a label. A description may hold any
 * commas and labels: it goes on to the end of the line, unless every piece of the line has its label.
 */
function fromLine(first: Piece, byName: Names): Piece[] {
  const found: Piece[] = [{ ...first, text: '' }]
  const pieces = first.text.split(',')
  const all = pieces.slice(1).every((piece) => labelled(piece, byName))
  for (const [index, piece] of pieces.entries()) {
    const last = found.at(-1)
    const isText =
      last !== undefined && 'question' in last && last.question.id === 'description' && !all
    const next =
      index === 0 || isText ? undefined : (labelled(piece, byName) ?? slipOf(piece, byName, last))
    if (next) found.push(next)
    else if (last) last.text += index === 0 || last.text === '' ? piece : `,${piece}`
  }
  return found.map((each) => ({ ...each, text: each.text.trim() }))
}

/** Longest text that is kept to be corrected. */
const maxTyped = 3_000

/** A draft after answers were given to it, and what became of each. */
export interface Taken {
  draft: Draft
  taken: Question[]
  /** Given as empty where an answer may be left out. */
  left: Question[]
  refused: { question: Question; reason: string }[]
  /** Answers that are held back until the person says that they were meant, with what is odd about each. */
  held: { question: Question; words: readonly string[] }[]
  /** Labels that there are not: what stood behind them was not taken. */
  slips: readonly Slip[]
  /** The asset that has the symbol already. */
  known?: Read<Asset>
  /** Whether the symbol is known already could not be found out. */
  unchecked: boolean
}

/** What reading answers needs beside the draft. */
export interface Reader {
  scope(draft: Draft): Scope
  settle(draft: Draft): Draft
  check(symbol: string, chain: number): Promise<SymbolCheck>
  /** The same of a name that looks like a listed token's. */
  checkName(name: string, chain: number): Promise<SymbolCheck>
}

/** Nothing given yet. */
export function untouched(draft: Draft): Taken {
  return { draft, taken: [], left: [], refused: [], held: [], slips: [], unchecked: false }
}

/** The draft without what stands in the way of a question's new answer. */
export function cleared(draft: Draft, id: QuestionId): Draft {
  const { asking, offered, ...rest } = draft
  const { [id]: _, ...typed } = draft.typed
  return {
    ...rest,
    typed,
    ...(asking !== undefined && asking !== id && { asking }),
    ...(offered !== undefined && id !== 'picture' && { offered }),
  }
}

/**
 * Takes the answers that are good, in the order of their questions, for later ones are read against earlier ones; and
 * keeps the text of those that are not, whose question is asked next.
 */
export async function takeAnswers(
  before: Taken,
  given: readonly Given[],
  reader: Reader,
): Promise<Taken> {
  let state = before
  const order = ({ question }: Given) => questions.indexOf(question)
  for (const each of given.toSorted((one, other) => order(one) - order(other))) {
    state = await takeAnswer(state, each, reader)
  }
  const [first] = [...state.refused, ...state.held].filter(
    ({ question }) => question.id in state.draft.typed,
  )
  if (first === undefined) return state
  return { ...state, draft: { ...state.draft, asking: first.question.id } }
}

async function takeAnswer(state: Taken, given: Given, reader: Reader): Promise<Taken> {
  const { question } = given
  // Copied from a message of ours, a text holds what keeps a platform from making links of it.
  const text = given.text.replaceAll('\u2060', '')
  const scope = reader.scope(state.draft)
  if (!question.applies(scope)) {
    return { ...state, refused: [...state.refused, { question, reason: notAsked }] }
  }
  try {
    refuseSecret(text)
    const isBlank = /^\s*(?:skip|none|no|[-–—])?\s*$/iu.test(text)
    const empty = isBlank ? question.skipped(scope) : undefined
    const changed = cleared(state.draft, question.id)
    const answers = { ...changed.answers, ...(empty ?? question.parse(text, scope)) }
    const draft = reader.settle({ ...changed, answers: fitting(answers, state.draft) })
    if (empty) return { ...state, draft, left: [...state.left, question] }
    const next = { ...state, draft, taken: [...state.taken, question] }
    if (question.id === 'symbol' || question.id === 'chain') {
      return await checkedSymbol(next, state.draft, reader)
    }
    const words = await oddities(draft, question, reader)
    return words.length === 0 ? next : hold(state, question, text, words)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const mayKeep = question.keeps?.(text) ?? !looksSecret(text)
    return refuse(state, question, mayKeep ? text : '', error.message)
  }
}

/** What a person has to be asked about an answer that a draft was given. */
async function oddities(draft: Draft, question: Question, reader: Reader): Promise<string[]> {
  const words = openDoubts(draft, question, reader.scope(draft)).map((each) => each.words)
  const { name, chain } = draft.answers
  const isChecked =
    question.id === 'name' && words.length === 0 && !draft.kept.name?.includes(name ?? '')
  if (!isChecked || name === undefined || chain === undefined) return words
  const check = await reader.checkName(name, chain)
  return check.kind === 'known' ? [likeListed(name)] : words
}

/** What is said of a name that looks like a listed token's. */
export function likeListed(name: string): string {
  return `“${name}” is written with look-alike letters: it reads like a token that exists already.`
}

/** What is odd about the answer of a scope, without what the person meant. */
function openDoubts(draft: Draft, { id, doubts }: Question, scope: Scope): Doubt[] {
  const kept = draft.kept[id] ?? []
  return (doubts?.find(scope) ?? []).filter(({ about }) => !kept.includes(about))
}

/** An answer that was typed and not taken, and what is odd about it; undefined where it is no answer at all. */
export function heldAnswer(
  draft: Draft,
  question: Question,
  scope: Scope,
): { answer: string; doubts: Doubt[] } | undefined {
  const text = draft.typed[question.id]
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

/** The state with an answer held back: it becomes one once the person says that it was meant. */
function hold(state: Taken, question: Question, text: string, words: readonly string[]): Taken {
  const typed = { ...state.draft.typed, [question.id]: text.slice(0, maxTyped) }
  return {
    ...state,
    draft: { ...state.draft, typed, asking: question.id },
    held: [...state.held, { question, words }],
  }
}

/** Templates of two chains may go by one id: on another chain it is asked for again, where there is a choice. */
function fitting({ template, ...others }: Answers, before: Draft): Answers {
  const { chain } = before.answers
  const isMoved = chain !== undefined && others.chain !== chain
  return isMoved || template === undefined ? others : { ...others, template }
}

const notAsked = 'is not asked for here, so it was left out.'

/** The state with an answer refused, whose text is kept to be corrected. */
export function refuse(state: Taken, question: Question, text: string, reason: string): Taken {
  // What was typed before it is out of date, also where this is not kept.
  const { [question.id]: _, ...others } = state.draft.typed
  const typed = { ...others, ...(text !== '' && { [question.id]: text.slice(0, maxTyped) }) }
  return {
    ...state,
    draft: { ...state.draft, typed, asking: question.id },
    refused: [...state.refused, { question, reason }],
  }
}

/**
 * A symbol is looked for on its chain, when it is given and when the chain becomes another. One that is known already,
 * or looks like a well-known one, waits to be used anyway; on the same chain the symbol that was there before stays meanwhile.
 */
async function checkedSymbol(state: Taken, before: Draft, reader: Reader): Promise<Taken> {
  const { knownSymbolAccepted, ...draft } = state.draft
  const { symbol, chain, ...others } = draft.answers
  if (symbol === undefined || chain === undefined) return { ...state, draft }
  if (knownSymbolAccepted === `${chain} ${symbol}`) return state
  const question = questions.find(({ id }) => id === 'symbol')
  const doubts = question ? openDoubts(draft, question, reader.scope(draft)) : []
  const check = await reader.check(symbol, chain)
  const isHeld = check.kind === 'known' || doubts.length > 0
  if (question === undefined || !isHeld) {
    return { ...state, draft, unchecked: check.kind === 'unchecked' }
  }
  const old = before.answers.chain === chain ? before.answers.symbol : undefined
  const answers = { ...others, chain, ...(old !== undefined && { symbol: old }) }
  const words = doubts.map((each) => each.words)
  const taken = state.taken.filter(({ id }) => id !== 'symbol')
  const held = hold({ ...state, draft: { ...draft, answers }, taken }, question, symbol, words)
  return check.kind === 'known' ? { ...held, known: check.read } : held
}

/** Reads, crops and keeps a picture, and offers it to be accepted. */
export async function takePicture(
  state: Taken,
  question: Question,
  file: IncomingFile,
  { pictures, publishes }: { pictures: Pictures; publishes: boolean },
): Promise<Taken> {
  try {
    if (!publishes) {
      throw new UserError(
        'This bot can’t publish files. Put the picture on IPFS yourself, and paste its CID.',
      )
    }
    if ((file.size ?? 0) > maxInputBytes) {
      throw new UserError('This file is over 10 MB. Send a smaller picture.')
    }
    const picture = await readPicture(await file.read(maxInputBytes))
    await pictures.keep(picture)
    const draft = cleared(state.draft, question.id)
    return { ...state, draft: { ...draft, asking: question.id, offered: picture.cid } }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return refuse(state, question, '', error.message)
  }
}

/** Whether the interface knows an asset with a symbol, or one that looks the same; `unchecked` where it gave no usable answer. */
type SymbolCheck = { kind: 'free' } | { kind: 'known'; read: Read<Asset> } | { kind: 'unchecked' }

/**
 * Looks for an asset of the chain with just this symbol, whatever the case of its letters, or with one that it can be
 * taken for. Never rejects for the interface's sake.
 */
export async function checkSymbol(
  api: Pick<Api, 'search'>,
  symbol: string,
  chain: number,
): Promise<SymbolCheck> {
  const searched = [symbol, searchedInstead(symbol)].filter((term) => term !== undefined)
  const isIt = [
    (asset: Asset) => symbolOf(asset).toLowerCase() === symbol.toLowerCase(),
    (asset: Asset) => readsLike(symbolOf(asset), symbol),
  ]
  return firstOf(api, { searched, chain, isIt })
}

/** Looks for an asset whose name or symbol a name can be taken for, though it is written with other letters. */
export async function checkName(
  api: Pick<Api, 'search'>,
  name: string,
  chain: number,
): Promise<SymbolCheck> {
  const instead = searchedInstead(name)
  if (instead === undefined) return { kind: 'free' }
  const isIt = (asset: Asset) =>
    [symbolOf(asset), baseToken(asset)?.token_name ?? ''].some((each) => readsLike(each, name))
  return firstOf(api, { searched: [instead], chain, isIt: [isIt] })
}

interface Looked {
  searched: readonly string[]
  chain: number
  /** Which asset it is, the surest way first. */
  isIt: readonly ((asset: Asset) => boolean)[]
}

async function firstOf(
  api: Pick<Api, 'search'>,
  { searched, chain, isIt }: Looked,
): Promise<SymbolCheck> {
  try {
    const reads = await Promise.all(searched.map((term) => api.search({ term, chain })))
    if (reads.some(({ value }) => value.chainIgnored)) return { kind: 'unchecked' }
    for (const is of isIt) {
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

/** The symbol of an asset as people read it, without a dollar sign. */
export function symbolOf(asset: Asset): string {
  const symbol = harmless(baseToken(asset)?.token_symbol ?? '')
  return symbol.trim().replace(/^\$+/u, '')
}
