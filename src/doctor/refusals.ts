import { isObject } from '../api/schema.ts'

/** Words in a refusal that may be parameter names. */
export interface NamedWords {
  /** Names that the text complains about or asks for. */
  named: string[]
  /** Names that the text says are accepted. */
  offered: string[]
  /** Every other word. */
  others: string[]
}

interface Leaf {
  text: string
  /** Whether the text is a key of the JSON body; some bodies use parameter names as keys. */
  isKey?: boolean
}

const word = String.raw`[\w.[\]-]{1,64}`
const wordOnly = new RegExp(`^${word}$`, 'u')
/** Common words in refusals, and keys of error bodies, which are not parameter names. */
const commonWords = new Set(
  (
    'a an and are as at bad be but by cannot code detail details error errors exception expected false field fields for ' +
    'found given has have in input instance int integer invalid invalid_type is it its key keys loc message missing msg must ' +
    'name names not null number object of on one only or param parameter parameters params path please provided ' +
    'properties property query querystring received request required result should statuscode status_code string ' +
    'success that the this title to true type undefined unexpected unknown unprocessable unrecognized ' +
    'unrecognized_keys unsupported url use validation value value_error was when with without you your'
  ).split(' '),
)

/** Extracts possible parameter names from a refusal. Untrusted: use them only as query names. */
export function namedIn(text: string): NamedWords {
  const leaves = leavesOf(text)
  const offered = leaves.flatMap((leaf) => offeredIn(leaf.text))
  const rest = leaves.map((leaf) => ({ ...leaf, text: leaf.text.replace(offerPattern, ' ') }))
  return {
    named: distinct(rest.flatMap(likelyIn)),
    offered: distinct(offered),
    others: distinct(rest.flatMap((leaf) => (leaf.isKey ? [] : wordsOf(leaf.text)))),
  }
}

/** Returns the text of a refusal in one line and without control characters. */
export function saidIn(text: string): string {
  const leaves = leavesOf(text).filter(({ isKey, text }) => !isKey && /\s|_/u.test(text.trim()))
  const said = leaves.length > 0 ? leaves.map((leaf) => leaf.text).join('; ') : text
  return said
    .replace(/<[^>]*>/gu, ' ')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
}

const offerPattern =
  /(?<!not )\b(?:(?:allowed|expected|valid|supported|accepted|known|available|use)\b(?: [a-z]+){0,3}(?::| are\b)|one of\b:?)\s*([^;\n<]{1,300}?)(?:\.\s|\.?$|[;\n<])/giu

function offeredIn(text: string): string[] {
  return [...text.matchAll(offerPattern)].flatMap(([, list = '']) => wordsOf(list))
}

function likelyIn({ text, isKey }: Leaf): string[] {
  if (wordOnly.test(text)) return [text]
  if (isKey) return []
  const patterns = [
    new RegExp(`["'\`](${word})["'\`]`, 'gu'),
    new RegExp(`(?:param|parameter|field|property|argument|key)s?:?\\s+(${word})`, 'giu'),
    new RegExp(`(?:^|\\s)(${word}):\\s`, 'gu'),
    new RegExp(`(${word}):? (?:is|are|must|should|cannot|was)\\b`, 'giu'),
    new RegExp(`(?:missing|unknown|unexpected|requires?|needs?|without):?\\s+(${word})`, 'giu'),
    // camelCase and snake_case occur only in code.
    /(?<![\w[.-])([a-z]+(?:_[a-z]+)+|[a-z]+[A-Z][a-zA-Z]*|[a-z]+\[\w+\])(?![\w\]-])/gu,
  ]
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, found = '']) => found))
}

function wordsOf(text: string): string[] {
  return text.match(new RegExp(word, 'gu')) ?? []
}

function distinct(words: readonly string[]): string[] {
  const all = words
    // As in "query.limit" and "querystring/limit".
    .flatMap((each) => [each, each.split('.').at(-1) ?? ''])
    .map((each) => each.replace(/^[.-]+|[.-]+$/gu, ''))
  return [...new Set(all)].filter(
    (each) => each !== '' && !commonWords.has(each.toLowerCase()) && !/^\d/u.test(each),
  )
}

/** Returns all texts in a JSON body, or the whole body if it is not JSON. */
function leavesOf(text: string): Leaf[] {
  try {
    const leaves: Leaf[] = []
    collect(JSON.parse(text), leaves, 0)
    return leaves
  } catch {
    return [{ text: text.replace(/<[^>]*>/gu, ' ') }]
  }
}

function collect(value: unknown, leaves: Leaf[], depth: number): void {
  if (typeof value === 'string') leaves.push({ text: value })
  if (depth > 6) return
  if (Array.isArray(value)) for (const each of value) collect(each, leaves, depth + 1)
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      // {"status": 400} is about the answer, {"errors": {"status": ["is required"]}} about the question.
      if (depth > 0 && typeof inner !== 'number') leaves.push({ text: key, isKey: true })
      collect(inner, leaves, depth + 1)
    }
  }
}
