import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { statuses } from './api/schema.ts'
import { parseAddress } from './chain/chains.ts'
import { httpsUrl } from './core/https-url.ts'
import { isPostgres, parsePostgres } from './db/database.ts'
import { UserError } from './errors.ts'

/** URL of a service, which may contain a user name and a password. */
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

/** URL of a proxy, which may contain a user name and a password. */
export const proxyUrl = serviceUrl.refine(
  (text) => URL.parse(text)?.pathname === '/',
  'must be without a path, such as http://proxy.example.org:3128',
)

export const httpUrl = serviceUrl.refine(
  (text) => !URL.parse(text)?.username,
  'must be a URL without a user name',
)

/** A secret for an HTTP header or a path; a pasted line break or space would otherwise cause an obscure error later. */
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

/** The path that a setting names instead of JSON; undefined if it is JSON, or not set. */
export function fileOf(text: string | undefined): string | undefined {
  return text === undefined || /^\s*[[{]/u.test(text) ? undefined : text
}

/** JSON, or the path of a file with it. */
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

/** Advice on a password in a URL. */
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

/** Parses ADMINS: ids with their platform, with commas between. */
export const admins = z.string().transform((text, context): string[] => {
  const ids = text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  if (ids.every((id) => /^(?:telegram|discord):\d{1,25}$/u.test(id))) return ids
  const message =
    'must be ids of people with their platform, such as telegram:123456,discord:123456789012345678'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** URL of a page that people open: https, or http on this machine, for tests. */
const pageUrl = httpUrl
  .refine(
    (text) => /^(?:https:|http:\/\/(?:localhost|127\.0\.0\.1)(?::|\/|$))/u.test(text),
    'must begin with https://',
  )
  .refine(
    (text) => !URL.parse(text)?.hostname.includes('_'),
    'must have no _ in its host: Discord refuses buttons that lead there',
  )

export function integer(min: number, max: number, unit = '') {
  const isWithin = (text: string) =>
    /^\d{1,15}$/u.test(text) && Number(text) >= min && Number(text) <= max
  return z
    .string()
    .refine(isWithin, `must be a whole number${unit} from ${min} to ${max}`)
    .transform(Number)
}

export const count = integer(1, 999_999)

export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: `must be ${words.join(' or ')}` })
}

export const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || text === 'localhost',
    'must be an address of this machine, such as 127.0.0.1',
  )

/** Maximum number of shards; no bot is known to have more. */
const maxShards = 9_999

/** Shards of Discord’s gateway: `ids`, in order and without a gap, of `count` in total. */
interface Shards {
  ids: readonly number[]
  count: number
}

/** The shards of this process; undefined for `auto`. */
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
  if (range.from <= range.to && range.to < range.count && range.count <= maxShards) {
    const ids = Array.from({ length: range.to - range.from + 1 }, (_, each) => range.from + each)
    return { ids, count: range.count }
  }
  // Quoted only if it looks like shards: it may be a secret, pasted by mistake.
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

export const telegramToken = secret.regex(
  /^\d+:[\w-]{5,}$/u,
  'must look like 123456:ABC-DEF, as @BotFather gives it',
)

export const unversionedUrl = httpUrl.refine(
  (url) => !/\/v\d+$/u.test(url),
  'must not name the version, as in https://discord.com/api',
)

export const originUrl = pageUrl.refine(
  (url) => URL.parse(url)?.pathname === '/',
  'must be without a path',
)

export const signingUrl = pageUrl
  .refine((text) => text.includes('{token}'), 'must have {token} in it')
  .refine(
    (text) => !/[{}]/u.test(text.replaceAll(/\{(?:token|chain|to|digest)\}/gu, '')),
    'may have {token}, {chain}, {to} and {digest} in it, and no others',
  )

export const gateway = pageUrl
  .refine((text) => !/[?#]/u.test(text), 'must be without ? and #')
  .refine((text) => !/\/ip[fn]s$/u.test(text), 'must be without /ipfs at its end')

export const folder = z
  .string()
  .refine((text) => !/^[a-z]{2,}:/u.test(text), 'must be a folder, such as data/backups')

export const hosts = z
  .string()
  .regex(/^[\w.:*[\]\s,-]+$/u, 'must be hosts with commas between, such as node.example.org')

export const port = z
  .string()
  .regex(/^\d{1,5}$/u, 'must be a port number')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port number up to 65535')

export const pinataJwt = z
  .string()
  .regex(/^[\w.-]{20,4096}$/u, 'must be a JWT as Pinata gives it; was it pasted whole?')

const limitExample = 'must be numbers from 1 on, such as {"all":30,"person":1,"group":20}'
const messageLimit = z.number({ error: limitExample }).min(1, limitExample).exactOptional()

/** Telegram's limits; those that are not named stay as they are. */
export const messageLimits = z.strictObject(
  { all: messageLimit, person: messageLimit, group: messageLimit },
  { error: limitExample },
)

/** The rule for symbols where the operator sets none. */
export const defaultSymbolPattern = '[A-Za-z0-9]{1,15}'

/** The pattern that a whole symbol must match; `typed` is the operator's own, as it was written. */
export const symbolPattern = z
  .string()
  .transform((text, context): { pattern: RegExp; typed?: string } => {
    try {
      const pattern = new RegExp(`^(?:${text})$`, 'u')
      return text === defaultSymbolPattern ? { pattern } : { pattern, typed: text }
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'must be a regular expression such as [A-Z]{2,8}',
      })
      return z.NEVER
    }
  })

/** Templates to launch from. Launches check `expects`, whose rows are theirs. */
export const templates = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(200),
      label: z.string().min(1).max(60),
      chain: z.number().int().positive(),
      about: z.string().max(200).optional(),
      openShare: z
        .string()
        .regex(
          /^(?:100|\d{1,2}(?:\.\d{1,16})?)$/u,
          'must be a percentage from 0 to 100, such as "35"',
        )
        .optional(),
      expects: z.record(z.string(), z.unknown()).optional(),
    }),
    'must be a list such as [{"id":"…","label":"Standard","chain":8453}], or the path of a file with one',
  )
  .max(25, 'must have 25 templates at most')

/** The operator’s own modules. Their schema is loaded only if there is one, since many other files come with it. */
export const modules = z.unknown().transform(async (value, context) => {
  const { modulesSchema } = await import('./chain/airlock/modules-setting.ts')
  const { data, error } = modulesSchema.safeParse(value)
  if (data) return data
  for (const { path, message } of error.issues) {
    context.issues.push({ code: 'custom', path, message, input: value })
  }
  return z.NEVER
})

const linkPlaceholders = ['{address}', '{pool}', '{chain}', '{chainId}']
const placeholder = /\{[^{}]*\}/gu

const linkTemplate = z
  .string()
  .max(400)
  .refine((text) => httpsUrl(text.replaceAll(placeholder, '1')) !== undefined, {
    error: 'must begin with https:// and a host that has no _ in it',
  })
  .refine(
    (text) => [...text.matchAll(placeholder)].every(([name]) => linkPlaceholders.includes(name)),
    `may have ${linkPlaceholders.join(', ')} in it, and no others`,
  )
  .refine((text) => !URL.parse(text)?.host.match(/[{}]|%7B/iu), 'must have a host without braces')

/**
 * The operator's links out, such as where to trade, with what may carry their referral:
 * `[{"label":"Trade","url":"https://dex.example/{chain}/{address}?ref=me","chains":[8453],"status":["graduated"]}]`.
 */
export const links = z
  .array(
    z.strictObject({
      label: z.string().trim().min(1).max(20),
      url: linkTemplate,
      /** Only on these chains. */
      chains: z.array(z.int().positive()).min(1).optional(),
      /** Only while an asset has one of these statuses. */
      status: z.array(z.enum(statuses)).min(1).optional(),
    }),
  )
  .max(5, 'may be five at most')

export type Link = z.output<typeof links>[number]
