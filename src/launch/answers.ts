import type { Question } from './questions/question.ts'

/** An answer as it was given, and the question that it is for. */
export interface Given {
  question: Question
  text: string
}

/**
 * Several answers in one text, each behind its label, as in `name: Moon Otter, symbol: OTTER` or one a line; a line
 * without a label goes on with the answer above it. Undefined where the text does not begin with a label.
 */
export function labelledAnswers(text: string, questions: readonly Question[]): Given[] | undefined {
  const byName = new Map(
    questions.flatMap((question) => question.names.map((name) => [name, question] as const)),
  )
  const given: Given[] = []
  for (const line of text.trim().split(/\r?\n/u)) {
    const found = labelled(line, byName)
    const last = given.at(-1)
    if (found) given.push(...fromLine(found, byName))
    else if (last) last.text = `${last.text}\n${line}`.trim()
    else return undefined
  }
  // Who gives an answer twice means the second.
  return [...new Map(given.map((each) => [each.question.id, each])).values()]
}

type Names = ReadonlyMap<string, Question>

function labelled(text: string, byName: Names): Given | undefined {
  const [, label = '', rest = ''] =
    /^\s*([a-z][a-z ]{0,30}?)\s*[:=](?!\/\/)(.*)$/isu.exec(text) ?? []
  const question = byName.get(label.toLowerCase().replaceAll(/ +/gu, ' '))
  return question && { question, text: rest.trim() }
}

/**
 * The answers of a line that begins with one. Commas part answers only before a label. A description may hold any
 * commas and labels: it goes on to the end of the line, unless every piece of the line has its label.
 */
function fromLine(first: Given, byName: Names): Given[] {
  const given = [{ ...first, text: '' }]
  const pieces = first.text.split(',')
  const all = pieces.slice(1).every((piece) => labelled(piece, byName))
  for (const [index, piece] of pieces.entries()) {
    const last = given.at(-1)
    const isText = last?.question.id === 'description' && !all
    const next = index === 0 || isText ? undefined : labelled(piece, byName)
    if (next) given.push(next)
    else if (last) last.text += index === 0 || last.text === '' ? piece : `,${piece}`
  }
  return given.map(({ question, text }) => ({ question, text: text.trim() }))
}
