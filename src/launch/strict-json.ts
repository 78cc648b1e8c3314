import { isObject } from '../api/leaf.ts'
import { plain } from '../chain/airlock/plain.ts'

/** Deeper than metadata are. */
const maxDepth = 20

/** The members of an object in their order, or in a person's words what the bytes are instead. */
export type ReadJson =
  | { kind: 'object'; members: ReadonlyMap<string, unknown> }
  | { kind: 'other'; why: string }

/**
 * Reads bytes as one JSON object that every reader understands alike: where a name stands twice in an object some take
 * the first and some the last.
 */
export function readJsonObject(bytes: Uint8Array): ReadJson {
  const text = textOf(bytes)
  if (text === undefined) return other('bytes that are no text')
  const value = parsed(text)
  if (!isObject(value)) return other(`no JSON object: ${plain(text)}`)
  const members = countMembers(value)
  if (members === undefined) return other('JSON that is nested too deeply')
  if (members !== countWritten(text)) return other('JSON in which a field stands twice')
  return { kind: 'object', members: new Map(Object.entries(value)) }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many members all objects have together; undefined where they are nested too deeply. */
function countMembers(value: unknown): number | undefined {
  let count = 0
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return undefined
    const objects = level.filter(isObject).map((each) => Object.values(each))
    count += objects.reduce((sum, members) => sum + members.length, 0)
    level = [...level.filter((each) => Array.isArray(each)), ...objects].flat()
  }
  return count
}

/** How many members valid JSON is written with: each has a colon outside of strings. */
function countWritten(text: string): number {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|:/gu) ?? []
  return tokens.filter((token) => token === ':').length
}

function other(why: string): ReadJson {
  return { kind: 'other', why }
}
