import { z } from 'zod'
import { isNestedTooDeeply } from '../core/body.ts'
import { isObject } from './schema.ts'

/** Max characters of a refusal's words, and max issues among them. */
const maxCharacters = 300
const maxIssues = 3
/** Max levels of objects around the words. */
const maxLevels = 8

/** Characters that would break a line, or act on the text around it without being seen. */
const unseen = /[\p{C}\s]+/gu

const issueSchema = z.object({
  path: z.array(z.union([z.string(), z.number()])).default([]),
  message: z.string(),
})

/**
 * Reads the words of a refusal's body, on one line: the issues of a schema with the field that each is about, else its
 * message. They are a stranger's words.
 * @returns undefined for a page, and for a body without words
 * @example
 *   refusalWords('{"errors":[{"path":["name"],"message":"Required"}]}') // 'name: Required'
 */
export function refusalWords(body: string): string | undefined {
  const text = body.trim()
  if (text === '' || text.startsWith('<') || isNestedTooDeeply(text)) return undefined
  const words = wordsIn(parsed(text)).replace(unseen, ' ').trim()
  if (words === '') return undefined
  return words.length > maxCharacters
    ? `${words
        .slice(0, maxCharacters)
        .toWellFormed()
        .replace(/\uFFFD$/u, '')}…`
    : words
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function wordsIn(value: unknown, levels = maxLevels): string {
  if (levels === 0) return ''
  // zod's own message is its issues as JSON.
  const read = typeof value === 'string' && value.trim().startsWith('[') ? parsed(value) : value
  if (typeof read === 'string') return read
  if (Array.isArray(read)) return read.slice(0, maxIssues).map(issueWords).join('; ')
  if (!isObject(read)) return ''
  const { errors, issues, message, error } = read
  // The message beside issues says no more than that there are some.
  const all = [errors, issues, message, error].map((each) => wordsIn(each, levels - 1))
  return all.find((each) => each !== '') ?? ''
}

function issueWords(value: unknown): string {
  const issue = issueSchema.safeParse(value).data
  if (!issue) return typeof value === 'string' ? value : ''
  const { path, message } = issue
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}
