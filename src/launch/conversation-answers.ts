import type { Read } from '../api/cache.ts'
import type { Asset } from '../api/schema.ts'
import type { IncomingFile } from '../chat/conversation.ts'
import { UserError } from '../errors.ts'
import type { Given, Slip } from './answers.ts'
import type { Answers, Draft, QuestionId } from './draft.ts'
import type { SymbolCheck } from './known-symbol.ts'
import { mostInputBytes, readPicture } from './picture.ts'
import type { Pictures } from './pictures.ts'
import { questions } from './questions/list.ts'
import type { Question, Scope } from './questions/question.ts'
import { looksSecret, refuseSecret } from './questions/secrets.ts'

/** Longest text that is kept to be corrected. */
const mostTyped = 3_000

/** A draft after answers were given to it, and what became of each. */
export interface Taken {
  draft: Draft
  taken: Question[]
  /** Given as empty where an answer may be left out. */
  left: Question[]
  refused: { question: Question; reason: string }[]
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
}

/** Nothing given yet. */
export function untouched(draft: Draft): Taken {
  return { draft, taken: [], left: [], refused: [], slips: [], unchecked: false }
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
  const [first] = state.refused.filter(({ question }) => question.id in state.draft.typed)
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
    return question.id === 'symbol' || question.id === 'chain'
      ? checkedSymbol(next, state.draft, reader)
      : next
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const mayKeep = question.keeps?.(text) ?? !looksSecret(text)
    return refuse(state, question, mayKeep ? text : '', error.message)
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
  const typed = { ...others, ...(text !== '' && { [question.id]: text.slice(0, mostTyped) }) }
  return {
    ...state,
    draft: { ...state.draft, typed, asking: question.id },
    refused: [...state.refused, { question, reason }],
  }
}

/**
 * A symbol is looked for on its chain, when it is given and when the chain becomes another. One that is known already
 * waits to be used anyway; on the same chain the symbol that was there before stays meanwhile.
 */
async function checkedSymbol(state: Taken, before: Draft, reader: Reader): Promise<Taken> {
  const { knownSymbolAccepted, ...draft } = state.draft
  const { symbol, chain, ...others } = draft.answers
  if (symbol === undefined || chain === undefined) return { ...state, draft }
  if (knownSymbolAccepted === `${chain} ${symbol}`) return state
  const check = await reader.check(symbol, chain)
  if (check.kind !== 'known') return { ...state, draft, unchecked: check.kind === 'unchecked' }
  const old = before.answers.chain === chain ? before.answers.symbol : undefined
  const answers = { ...others, chain, ...(old !== undefined && { symbol: old }) }
  return {
    ...state,
    draft: { ...draft, answers, typed: { ...draft.typed, symbol }, asking: 'symbol' },
    taken: state.taken.filter(({ id }) => id !== 'symbol'),
    known: check.read,
  }
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
    if ((file.size ?? 0) > mostInputBytes) {
      throw new UserError('This file is over 10 MB. Send a smaller picture.')
    }
    const picture = await readPicture(await file.read(mostInputBytes))
    await pictures.keep(picture)
    const draft = cleared(state.draft, question.id)
    return { ...state, draft: { ...draft, asking: question.id, offered: picture.cid } }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return refuse(state, question, '', error.message)
  }
}
