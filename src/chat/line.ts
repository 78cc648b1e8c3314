import { UserError } from '../errors.ts'

/** A command line taken apart: `search "moon otter" chain:base` → name, bare words, named values. */
export interface ParsedLine {
  name: string
  bare: string
  named: Map<string, string>
}

/** Longer lines are refused before any work is done on them; Telegram's own limit for a message is 4096. */
const longestLine = 1000

const token =
  /\s*(?:(?<key>[a-z_]{1,32}):(?!\/\/)\s*)?(?:"(?<quoted>(?:[^"\\]|\\.)*)"(?=\s|$)|(?<plain>\S*))/iuy

/**
 * Takes a command line (without a slash) apart. Words without a name stay together, in order; a value or a bare word
 * in double quotes may hold anything, with `\"` and `\\` for those two characters.
 * @throws UserError when an option is given twice or without a value.
 */
export function parseLine(line: string): ParsedLine {
  if (line.length > longestLine) {
    throw new UserError(`That is too long. A command has at most ${longestLine} characters.`)
  }
  const [name = ''] = line.trimStart().split(/\s/u, 1)
  const rest = line.trimStart().slice(name.length).trimEnd()
  const bare: string[] = []
  const named = new Map<string, string>()
  token.lastIndex = 0
  while (token.lastIndex < rest.length) {
    const groups = token.exec(rest)?.groups
    if (!groups) break
    const { key, quoted, plain } = groups
    const value = quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/gu, '$1')
    if (key === undefined) bare.push(value)
    else setOnce(named, key.toLowerCase(), value)
  }
  return { name: name.toLowerCase(), bare: bare.join(' '), named }
}

function setOnce(named: Map<string, string>, key: string, value: string): void {
  if (value === '') throw new UserError(`${key}: needs a value, as in ${key}:something.`)
  if (named.has(key)) throw new UserError(`${key}: is there twice. Give it once.`)
  named.set(key, value)
}

/**
 * Writes the line that `parseLine` reads back to the same parts. `bare` is the value of the first parameter;
 * values that are undefined or empty are left out.
 */
export function formatLine(
  name: string,
  bare: string | undefined,
  named: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const parts = [name]
  if (bare !== undefined && bare !== '') parts.push(quoteIfNeeded(bare))
  for (const [key, value] of Object.entries(named)) {
    if (value !== undefined && value !== '') parts.push(`${key}:${quoteIfNeeded(String(value))}`)
  }
  return parts.join(' ')
}

function quoteIfNeeded(value: string): string {
  return /^(?!\/\/)[^\s":\\]+$/u.test(value) ? value : `"${value.replaceAll(/[\\"]/gu, '\\$&')}"`
}
