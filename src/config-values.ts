import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { parseAddress } from './chain/address.ts'
import type { Shards } from './discord/shards.ts'
import { UserError } from './errors.ts'
import { isPostgres, parsePostgres } from './store/database.ts'

/** Of a service that may want a name and a password. */
export const serviceUrl = z
  .string()
  .refine(
    (text) => /^https?:$/u.test(URL.parse(text)?.protocol ?? ''),
    'must be a URL such as https://example.org',
  )
  .refine((text) => {
    const { username = '', password = '' } = URL.parse(text) ?? {}
    return isDecodable(username) && isDecodable(password)
  }, 'must have % in its name or password written as %25')
  .transform((text) => text.replace(/\/+$/u, ''))

export const httpUrl = serviceUrl.refine(
  (text) => !URL.parse(text)?.username,
  'must be a URL without a user name',
)

/** A secret in an HTTP header or a path; the check keeps a pasted line break or quote from failing obscurely later. */
export const secret = z
  .string()
  .regex(
    /^[\x21-\x7e]{8,512}$/u,
    'must be 8 to 512 visible characters without spaces; was it pasted whole?',
  )

export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'is not valid JSON; it looks like {"name":"value"}',
    })
    return z.NEVER
  }
})

/** The path that a setting names in place of JSON; undefined where it is JSON, or not set. */
export function fileOf(text: string | undefined): string | undefined {
  return text === undefined || /^\s*[[{]/u.test(text) ? undefined : text
}

/** JSON itself, or the path of a file with it: what is long is easier to read and to keep there. */
export const jsonOrFile = z.string().transform((text, context): unknown => {
  const file = fileOf(text)
  const isJson = file === undefined
  try {
    return JSON.parse(isJson ? text : readFileSync(file, 'utf8'))
  } catch (error) {
    const isSyntax = error instanceof SyntaxError
    const what = isSyntax ? 'is not valid JSON' : 'can’t be read'
    const message = isJson
      ? `${what}; it looks like [{"name":"value"}]`
      : `the file ${text} ${what}`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
})

export const chains = z.string().transform((text, context): [number, ...number[]] => {
  const ids = text.split(',').map((id) => (/^\s*\d{1,15}\s*$/u.test(id) ? Number(id) : 0))
  const [first, ...rest] = ids
  if (first !== undefined && ids.every((id) => id > 0) && new Set(ids).size === ids.length) {
    return [first, ...rest]
  }
  context.addIssue({
    code: 'custom',
    message: 'must be different chain ids with commas between them, such as 8453,84532',
  })
  return z.NEVER
})

export const database = z.string().transform((text, context): string => {
  if (text.startsWith('file:') && text.length > 'file:'.length) return text.slice('file:'.length)
  const { username, password, pathname } = parsePostgres(text) ?? {}
  if (pathname && [username, password, pathname].every(isDecodable)) return text
  const message = `must be a file, such as file:data/gavel.db, or a PostgreSQL database, such as postgres://name:password@host/gavel${isPostgres(text) ? `; ${encoding}` : ''}`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** How a password gets into a URL. */
export const encoding = 'in the password write @ : / ? # % as %40 %3A %2F %3F %23 %25'

export const chainId = z.string().regex(/^\d{1,15}$/u)

export const address = z.string().transform((text, context) => {
  try {
    return parseAddress(text)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
    return z.NEVER
  }
})

/** A page that people open: https, or this machine for trying things out. */
export const pageUrl = httpUrl.refine(
  (text) => /^(?:https:|http:\/\/(?:localhost|127\.0\.0\.1)(?::|\/|$))/u.test(text),
  'must begin with https://',
)

export const count = z
  .string()
  .regex(/^[1-9]\d{0,5}$/u, 'must be a whole number from 1 to 999999')
  .transform(Number)

export const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || text === 'localhost',
    'must be an address of this machine, such as 127.0.0.1',
  )

/** More than Discord has ever given a bot. */
const mostShards = 9_999

/** `auto` is what is undefined. */
export const shards = z.string().transform((text, context): Shards | undefined => {
  if (text === 'auto') return undefined
  const {
    first,
    last = first,
    count,
    all,
  } = /^(?:(?<all>\d{1,4})|(?<first>\d{1,4})(?:-(?<last>\d{1,4}))?\/(?<count>\d{1,4}))$/u.exec(text)
    ?.groups ?? {}
  const range = all
    ? { from: 0, to: Number(all) - 1, count: Number(all) }
    : { from: Number(first), to: Number(last), count: Number(count) }
  if (range.from <= range.to && range.to < range.count && range.count <= mostShards) {
    const ids = Array.from({ length: range.to - range.from + 1 }, (_, each) => range.from + each)
    return { ids, count: range.count }
  }
  // A secret may have got there by mistake.
  const given = /^[-\d/,]{1,20}$/u.test(text) ? `, and is ${text}` : ''
  const message = `must be auto, how many shards there are, such as 8, or which of them this replica has, such as 0-3/8 (they are counted from 0)${given}`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

function isDecodable(text = ''): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
