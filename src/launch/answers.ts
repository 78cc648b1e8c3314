import { nearest } from '../chat/command.ts'
import type { Question } from './questions/question.ts'

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
