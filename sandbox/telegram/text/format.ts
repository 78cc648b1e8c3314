import { badRequest } from '../params.ts'
import { detectEntities } from './detect.ts'
import {
  type Entity,
  end,
  type FormattedText,
  inOrder,
  isCode,
  isHidden,
  isQuote,
  isStyle,
} from './entity.ts'

/** Telegram drops these (line separators, direction overrides, three combining marks) and the carriage return. */
const dropped = /[\r\u2028-\u202e]|\u030a|\u0333|\u033f/gu
/** Control characters show as blanks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const blanked = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unclean = /[\u0000-\u0009\u000b-\u001f\u2028-\u202e]|\u030a|\u0333|\u033f/u

/**
 * Brings text and entities into the form in which Telegram stores and shows them: characters cleaned, blanks
 * trimmed at both ends, entities nested by its rules, and links, mentions, tags and commands detected.
 */
export function formatText(raw: FormattedText): FormattedText {
  if (!raw.text.isWellFormed()) throw badRequest('strings must be encoded in UTF-8')
  const cleaned = clean(raw)
  const { text, entities } = trim({
    text: cleaned.text,
    entities: untangle(withoutBlanks(cleaned)),
  })
  const others = entities.filter((entity) => !isStyle(entity))
  const found = detectEntities(text).filter(
    (entity) => !others.some((other) => clash(other, entity)),
  )
  const fixed = [...others, ...found].sort(inOrder)
  const styles = entities.filter(isStyle)
  if (styles.length === 0) return { text, entities: fixed }
  const pieces = withoutBlanks({ text, entities: splitStyles(styles, fixed) })
  return { text, entities: [...fixed, ...pieces].sort(inOrder) }
}

function clean({ text, entities }: FormattedText): FormattedText {
  if (!unclean.test(text)) return { text, entities: entities.map((entity) => ({ ...entity })) }
  const gone = [...text.matchAll(dropped)].map((match) => match.index)
  const before = (offset: number): number => {
    const count = gone.findIndex((at) => at >= offset)
    return offset - (count < 0 ? gone.length : count)
  }
  return {
    text: text.replace(dropped, '').replace(blanked, ' '),
    entities: entities.map((entity) => {
      const offset = before(entity.offset)
      return { ...entity, offset, length: before(end(entity)) - offset }
    }),
  }
}

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\n'

/** Entities never start on a blank, and one that only covers blanks is none. */
function withoutBlanks({ text, entities }: FormattedText): Entity[] {
  return entities.flatMap((entity) => {
    if (entity.length <= 0) return []
    if (isHidden(entity)) return [entity]
    let offset = entity.offset
    while (offset < end(entity) && isBlank(text, offset)) offset++
    return offset === end(entity) ? [] : [{ ...entity, offset, length: end(entity) - offset }]
  })
}

const overlaps = (a: Entity, b: Entity): boolean => a.offset < end(b) && b.offset < end(a)
const holds = (outer: Entity, inner: Entity): boolean =>
  outer.offset <= inner.offset && end(inner) <= end(outer)

/** A quote may hold an entity but not cut it; no other two may share a unit. */
const clash = (other: Entity, entity: Entity): boolean =>
  overlaps(other, entity) && !(isQuote(other) && holds(other, entity))

/** Keeps, of what may not overlap, the earlier (of equal starts the longer). */
function untangle(entities: Entity[]): Entity[] {
  const sorted = [...entities].sort(inOrder)
  const quotes = firstOnly(sorted.filter(isQuote))
  const rest = firstOnly(sorted.filter((entity) => !isQuote(entity) && !isStyle(entity)))
  const uncut = rest.filter((entity) => !quotes.some((quote) => clash(quote, entity)))
  return [...quotes, ...uncut, ...sorted.filter(isStyle)].sort(inOrder)
}

function firstOnly(sorted: Entity[]): Entity[] {
  let covered = 0
  return sorted.filter((entity) => {
    if (entity.offset < covered) return false
    covered = end(entity)
    return true
  })
}

function trim({ text, entities }: FormattedText): FormattedText {
  let last = text.length
  while (last > 0 && isBlank(text, last - 1)) last--
  let first = 0
  const limit = Math.min(last, ...entities.map((entity) => entity.offset))
  while (first < limit && isBlank(text, first)) first++
  if (first === 0 && last === text.length) return { text, entities }
  return {
    text: text.slice(first, last),
    entities: entities.flatMap((entity) => {
      const length = Math.min(end(entity), last) - entity.offset
      return length > 0 ? [{ ...entity, offset: entity.offset - first, length }] : []
    }),
  }
}

/** Styles merge with their like, are cut at every border of another entity, and leave code alone. */
function splitStyles(styles: Entity[], others: Entity[]): Entity[] {
  const kinds = new Set(styles.map((style) => style.type))
  const whole = [...kinds].flatMap((type) => merged(styles.filter((style) => style.type === type)))
  const cuts = new Set(whole.map((style) => style.offset))
  for (const other of others) cuts.add(other.offset).add(end(other))
  const borders = [...cuts].sort((a, b) => a - b)
  const code = others.filter(isCode)
  return whole
    .flatMap((style) => cutAt(style, borders))
    .filter((piece) => !code.some((block) => overlaps(block, piece)))
}

function merged(sorted: Entity[]): Entity[] {
  const result: Entity[] = []
  for (const entity of sorted) {
    const previous = result.at(-1)
    if (previous && entity.offset <= end(previous))
      previous.length = Math.max(end(previous), end(entity)) - previous.offset
    else result.push({ ...entity })
  }
  return result
}

function cutAt(entity: Entity, borders: number[]): Entity[] {
  const inside = borders.filter((at) => at > entity.offset && at < end(entity))
  if (inside.length === 0) return [entity]
  const points = [entity.offset, ...inside, end(entity)]
  return points.slice(1).map((to, index) => ({
    ...entity,
    offset: points[index] ?? 0,
    length: to - (points[index] ?? 0),
  }))
}
