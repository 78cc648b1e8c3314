import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import {
  defaultQueryNames,
  defaultStatusWords,
  queryNamesSchema,
  statusWordsSchema,
} from './api/schema.ts'
import { defaultUnits, unitsSchema } from './api/units.ts'
import { launchersSchema, parseAddress } from './chain/chains.ts'
import type { ProxySettings } from './core/proxy.ts'
import { isPostgres, parsePostgres } from './db/database.ts'
import type { Shards } from './discord/platform.ts'
import { UserError } from './errors.ts'
import type { LaunchSettings } from './launch/settings.ts'
import { logLevels } from './log.ts'
import { defaultMessageLimits, groupLimits } from './telegram/platform.ts'
import { userAgent } from './version.ts'
import { linksSchema } from './views/links.ts'

/** URL of a service, which may contain a user name and a password. */
const serviceUrl = z
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
const proxyUrl = serviceUrl.refine(
  (text) => URL.parse(text)?.pathname === '/',
  'must be without a path, such as http://proxy.example.org:3128',
)

const httpUrl = serviceUrl.refine(
  (text) => !URL.parse(text)?.username,
  'must be a URL without a user name',
)

/** A secret for an HTTP header or a path; a pasted line break or space would otherwise cause an obscure error later. */
const secret = z
  .string()
  .regex(
    /^[\x21-\x7e]{8,512}$/u,
    'must be 8 to 512 visible characters without spaces; was it pasted whole?',
  )

const json = z.string().transform((text, context): unknown => {
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
function fileOf(text: string | undefined): string | undefined {
  return text === undefined || /^\s*[[{]/u.test(text) ? undefined : text
}

/** JSON, or the path of a file with it. */
const jsonOrFile = z.string().transform((text, context): unknown => {
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

const chains = z.string().transform((text, context): [number, ...number[]] => {
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

const chainId = z.string().regex(/^\d{1,15}$/u)

const address = z.string().transform((text, context) => {
  try {
    return parseAddress(text)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
    return z.NEVER
  }
})

/** Parses ADMINS: ids with their platform, with commas between. */
const admins = z.string().transform((text, context): string[] => {
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

function integer(min: number, max: number, unit = '') {
  const isWithin = (text: string) =>
    /^\d{1,15}$/u.test(text) && Number(text) >= min && Number(text) <= max
  return z
    .string()
    .refine(isWithin, `must be a whole number${unit} from ${min} to ${max}`)
    .transform(Number)
}

const count = integer(1, 999_999)

const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || text === 'localhost',
    'must be an address of this machine, such as 127.0.0.1',
  )

/** Maximum number of shards; no bot is known to have more. */
const maxShards = 9_999

/** The shards of this replica; undefined for `auto`. */
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

const limitExample = 'must be numbers from 1 on, such as {"all":30,"person":1,"group":20}'
const messageLimit = z.number({ error: limitExample }).min(1, limitExample)
const messageLimits = z.strictObject(
  {
    all: messageLimit.default(defaultMessageLimits.all),
    person: messageLimit.default(defaultMessageLimits.person),
    group: messageLimit.default(defaultMessageLimits.group),
  },
  { error: limitExample },
)

/** Loads the schemas of a launch's settings; many modules come with them. */
const ofLaunches = () => import('./launch/settings.ts')

/** A schema that is only loaded if its setting is given. */
function loaded<Output>(load: () => Promise<z.ZodType<Output>>) {
  return z.unknown().transform(async (value, context): Promise<Output> => {
    const schema = await load()
    const read = schema.safeParse(value)
    if (read.success) return read.data
    for (const { path, message } of read.error.issues) {
      context.issues.push({ code: 'custom', path, message, input: value })
    }
    return z.NEVER
  })
}

/** Parses SYMBOL_PATTERN. */
const symbolSchema = z.string().transform((text, context): LaunchSettings['symbol'] => {
  try {
    return { pattern: new RegExp(`^(?:${text})$`, 'u'), typed: text }
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a regular expression such as [A-Z]{2,8}' })
    return z.NEVER
  }
})
/** The default rule for symbols. */
const defaultSymbol: LaunchSettings['symbol'] = {
  pattern: /^[A-Za-z0-9]{1,15}$/u,
}

/** Has a check between these settings run if each of them is right, whatever is wrong with others. */
function among(...names: string[]) {
  const isOne = ({ path = [] }: z.core.$ZodRawIssue) => names.includes(String(path[0]))
  return { when: ({ issues }: z.core.ParsePayload) => !issues.some(isOne) }
}

/** The environment variables with their defaults, and the checks between them. */
const variables = z
  .object({
    API_BASE_URL: httpUrl
      .refine((url) => url.endsWith('/v1'), 'must end with /v1')
      .default('https://api.long.xyz/v1'),
    API_KEY: secret,
    API_QUERY_NAMES: json.pipe(queryNamesSchema).default(defaultQueryNames),
    API_STATUS: statusWordsSchema.default(defaultStatusWords),
    API_UNITS: json.pipe(unitsSchema).default(defaultUnits),
    TELEGRAM_TOKEN: secret
      .regex(/^\d+:[\w-]{5,}$/u, 'must look like 123456:ABC-DEF, as @BotFather gives it')
      .optional(),
    TELEGRAM_API_ROOT: httpUrl.default('https://api.telegram.org'),
    DISCORD_TOKEN: secret.optional(),
    DISCORD_API_ROOT: httpUrl
      .refine(
        (url) => !/\/v\d+$/u.test(url),
        'must not name the version, as in https://discord.com/api',
      )
      .default('https://discord.com/api'),
    TELEGRAM_UPDATES: z
      .enum(['polling', 'webhook'], { error: 'must be polling or webhook' })
      .default('polling'),
    TELEGRAM_LIMITS: json.pipe(messageLimits).default(defaultMessageLimits),
    DISCORD_INTERACTIONS: z
      .enum(['gateway', 'http'], { error: 'must be gateway or http' })
      .default('gateway'),
    DISCORD_SHARDS: shards.optional(),
    DATABASE_URL: database.default('data/gavel.db'),
    BACKUP_DIR: z
      .string()
      .refine((text) => !/^[a-z]{2,}:/u.test(text), 'must be a folder, such as data/backups')
      .optional(),
    BACKUP_KEEP: integer(1, 9_999).default(7),
    KEEP_SENT_ALERTS: integer(7, 365, ' of days').default(30),
    KEEP_ENDED_DRAFTS: integer(14, 365, ' of days').default(90),
    KEEP_LAUNCHES: integer(30, 3650, ' of days').default(365),
    KEEP_ADMIN_LOG: integer(30, 3650, ' of days').default(365),
    PORT: z
      .string()
      .regex(/^\d{1,5}$/u, 'must be a port number')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port number up to 65535')
      .default(8080),
    HOST: host.optional(),
    HTTPS_PROXY: proxyUrl.optional(),
    HTTP_PROXY: proxyUrl.optional(),
    NO_PROXY: z
      .string()
      .regex(/^[\w.:*[\]\s,-]+$/u, 'must be hosts with commas between, such as node.example.org')
      .optional(),
    COMMANDS_PER_PERSON: count.default(30),
    COMMANDS_PER_CHAT: count.default(60),
    WATCH_INTERVAL: integer(1, 9_999, ' of seconds').default(15),
    ALERTS_PER_CHAT: count.default(30),
    LINKS: json.pipe(linksSchema).default([]),
    CARDS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    PUBLIC_URL: pageUrl
      .refine((url) => URL.parse(url)?.pathname === '/', 'must be without a path')
      .optional(),
    CHAINS: chains.default([8453]),
    TEMPLATES: jsonOrFile
      .pipe(loaded(async () => (await ofLaunches()).templatesSchema))
      .default([]),
    RPC_URLS: json.pipe(z.record(chainId, serviceUrl)).default({}),
    LAUNCHERS: json.pipe(launchersSchema).default(launchersSchema.parse({})),
    MODULES: json.pipe(loaded(async () => (await ofLaunches()).modulesSchema)).default({}),
    INTEGRATOR: address.optional(),
    SYMBOL_PATTERN: symbolSchema.default(defaultSymbol),
    SIGNING_URL_TEMPLATE: pageUrl
      .refine((text) => text.includes('{token}'), 'must have {token} in it')
      .refine(
        (text) => !/[{}]/u.test(text.replaceAll(/\{(?:token|chain|to|digest)\}/gu, '')),
        'may have {token}, {chain}, {to} and {digest} in it, and no others',
      )
      .optional(),
    IPFS_API_URL: serviceUrl.optional(),
    PINATA_JWT: z
      .string()
      .regex(/^[\w.-]{20,4096}$/u, 'must be a JWT as Pinata gives it; was it pasted whole?')
      .optional(),
    PINATA_API_ROOT: httpUrl.default('https://uploads.pinata.cloud'),
    IPFS_GATEWAY: pageUrl
      .refine((text) => !/[?#]/u.test(text), 'must be without ? and #')
      .refine((text) => !/\/ip[fn]s$/u.test(text), 'must be without /ipfs at its end')
      .optional(),
    ADMINS: admins.default([]),
    LOG_LEVEL: z
      .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
      .default('info'),
  })
  .refine(({ TELEGRAM_TOKEN, DISCORD_TOKEN }) => TELEGRAM_TOKEN ?? DISCORD_TOKEN, {
    path: ['TELEGRAM_TOKEN or DISCORD_TOKEN'],
    message: 'at least one of them is needed',
    ...among('TELEGRAM_TOKEN', 'DISCORD_TOKEN'),
  })
  .refine(({ TELEGRAM_UPDATES, PUBLIC_URL }) => TELEGRAM_UPDATES === 'polling' || PUBLIC_URL, {
    ...among('TELEGRAM_UPDATES', 'PUBLIC_URL'),
    path: ['PUBLIC_URL'],
    message: 'is needed with TELEGRAM_UPDATES=webhook: Telegram calls the bot there',
  })
  .refine(({ DISCORD_INTERACTIONS, PUBLIC_URL }) => DISCORD_INTERACTIONS !== 'http' || PUBLIC_URL, {
    ...among('DISCORD_INTERACTIONS', 'PUBLIC_URL'),
    path: ['PUBLIC_URL'],
    message: 'is needed with DISCORD_INTERACTIONS=http: Discord calls the bot there',
  })
  .refine(
    ({ DISCORD_INTERACTIONS, DISCORD_SHARDS }) =>
      DISCORD_INTERACTIONS !== 'http' || !DISCORD_SHARDS,
    {
      ...among('DISCORD_INTERACTIONS', 'DISCORD_SHARDS'),
      path: ['DISCORD_SHARDS'],
      message: 'goes with DISCORD_INTERACTIONS=gateway: without the gateway there are no shards',
    },
  )
  .refine(
    ({ DISCORD_SHARDS, DATABASE_URL }) => areAllShards(DISCORD_SHARDS) || isPostgres(DATABASE_URL),
    {
      ...among('DISCORD_SHARDS', 'DATABASE_URL'),
      path: ['DISCORD_SHARDS'],
      message:
        'leaves shards to other replicas, for which DATABASE_URL must be a PostgreSQL database',
    },
  )
  .refine(({ BACKUP_DIR, DATABASE_URL }) => BACKUP_DIR === undefined || !isPostgres(DATABASE_URL), {
    path: ['BACKUP_DIR'],
    message:
      'is for SQLite alone, and DATABASE_URL is a PostgreSQL database: leave it out, and let pg_dump make the backups (docs/operating/upgrades-and-backups.md)',
  })
  .refine(({ IPFS_API_URL, PINATA_JWT }) => !IPFS_API_URL || !PINATA_JWT, {
    ...among('IPFS_API_URL', 'PINATA_JWT'),
    path: ['IPFS_API_URL or PINATA_JWT'],
    message: 'set one of them, not both',
  })
  .refine(({ TEMPLATES, CHAINS }) => TEMPLATES.every(({ chain }) => CHAINS.includes(chain)), {
    ...among('TEMPLATES', 'CHAINS'),
    path: ['TEMPLATES'],
    message: 'names a chain that CHAINS lacks',
  })
  .refine(({ TEMPLATES, LAUNCHERS }) => TEMPLATES.every(({ chain }) => LAUNCHERS[chain]), {
    ...among('TEMPLATES', 'LAUNCHERS'),
    path: ['LAUNCHERS'],
    message: 'lacks the launch contract of a chain that TEMPLATES names',
  })
  .refine(({ SIGNING_URL_TEMPLATE, PUBLIC_URL }) => !SIGNING_URL_TEMPLATE || PUBLIC_URL, {
    ...among('SIGNING_URL_TEMPLATE', 'PUBLIC_URL'),
    path: ['PUBLIC_URL'],
    message: 'is needed with SIGNING_URL_TEMPLATE: your page reads there what is to be signed',
  })
  .refine(({ TEMPLATES }) => new Set(TEMPLATES.map(templateKey)).size === TEMPLATES.length, {
    ...among('TEMPLATES'),
    path: ['TEMPLATES'],
    message: 'names a template twice on one chain',
  })

function templateKey({ id, chain }: { id: string; chain: number }): string {
  return `${chain} ${id}`
}

/** Whether these are all shards. */
function areAllShards(shards: Shards | undefined): boolean {
  return shards === undefined || shards.ids.length === shards.count
}

type Variables = z.output<typeof variables>

/** The name of a setting; `settings.ts` says of each what operators read. */
export type SettingName = keyof typeof variables.shape

/** The name of each setting. */
export const settingNames: readonly string[] = Object.keys(variables.shape)

/** Invalid settings: one problem for each variable, without any value that could be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: ReadonlyMap<string, string>) {
    const lines = [...problems].map(([name, what]) => `${name}: ${what}`)
    super(lines.join('\n'))
    this.problems = lines
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings from environment variables; an empty variable counts as absent.
 * @throws ConfigError with every problem, not only the first
 */
export async function readConfig(env: Environment): Promise<Config> {
  const given = givenIn(env)
  const read = await variables.safeParseAsync(given)
  if (!read.success) throw new ConfigError(firstProblems(read.error.issues, given))
  return configOf(read.data, fileOf(given.TEMPLATES))
}

/** What can be read of settings of which some are missing or wrong. */
export interface IncompleteConfig {
  /** The others. What is wrong has its default, or is not set; a missing API has an empty address and key. */
  config: Config
  /** Names of all that are set, wrong ones too. */
  given: ReadonlySet<string>
  /** What is wrong with each setting, by its name; several that are wrong together have one name, with "or" between theirs. */
  problems: ReadonlyMap<string, string>
}

/** Reads the settings for whoever examines them: what is missing or wrong leaves the others as they are. */
export async function readIncomplete(env: Environment): Promise<IncompleteConfig> {
  const given = givenIn(env)
  const { error } = await variables.safeParseAsync(given)
  const problems = firstProblems(error?.issues ?? [], given)
  const right = Object.entries(given).filter(([name]) => !problems.has(name))
  const {
    API_BASE_URL = '',
    API_KEY = '',
    ...values
  } = await z
    .object(variables.shape)
    .partial({ API_BASE_URL: true, API_KEY: true })
    .parseAsync(Object.fromEntries(right))
  const config = configOf({ API_BASE_URL, API_KEY, ...values }, fileOf(given.TEMPLATES))
  return { config, given: new Set(Object.keys(given)), problems }
}

function givenIn(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(
    settingNames.flatMap((name) => (env[name]?.trim() ? [[name, env[name]]] : [])),
  )
}

/**
 * The database of the settings, for a program that needs no other.
 * @throws ConfigError
 */
export function readDatabase(env: Readonly<Record<string, string | undefined>>): string {
  const read = variables.shape.DATABASE_URL.safeParse(env.DATABASE_URL?.trim() || undefined)
  if (read.success) return read.data
  throw new ConfigError(
    firstProblems(
      read.error.issues.map((issue) => ({ ...issue, path: ['DATABASE_URL'] })),
      env,
    ),
  )
}

/** The operator's settings, validated. */
export type Config = ReturnType<typeof configOf>

function configOf(values: Variables, templatesFile: string | undefined) {
  const proxy = proxyOf(values)
  return {
    api: {
      baseUrl: values.API_BASE_URL,
      key: values.API_KEY,
      queryNames: values.API_QUERY_NAMES,
      units: values.API_UNITS,
      statusWords: values.API_STATUS,
      /** The User-Agent of each call. */
      userAgent: userAgent(values.PUBLIC_URL),
      proxy,
    },
    telegram: values.TELEGRAM_TOKEN
      ? {
          token: values.TELEGRAM_TOKEN,
          apiRoot: values.TELEGRAM_API_ROOT,
          /** Where Telegram's webhook calls the bot; undefined with long polling. */
          publicUrl: values.TELEGRAM_UPDATES === 'webhook' ? values.PUBLIC_URL : undefined,
          limits: values.TELEGRAM_LIMITS,
          proxy,
        }
      : undefined,
    discord: values.DISCORD_TOKEN
      ? {
          token: values.DISCORD_TOKEN,
          apiRoot: values.DISCORD_API_ROOT,
          /** Whether interactions come over Discord's gateway, or by HTTP calls to `publicUrl`. */
          interactions: values.DISCORD_INTERACTIONS,
          publicUrl: values.PUBLIC_URL,
          /** The shards of this process and their total; undefined: all shards, as many as Discord recommends. */
          shards: values.DISCORD_SHARDS,
          proxy,
        }
      : undefined,
    /** Settings of commands, which get them as fields of `Services`. */
    commands: { units: values.API_UNITS, links: values.LINKS },
    /** Chain ids; the first is the default. */
    chains: values.CHAINS,
    /** Path of the SQLite file, or the URL of a PostgreSQL database, which may hold a password. */
    database: values.DATABASE_URL,
    /** Where copies of the SQLite file are kept, and how many; undefined: none are made. */
    backups:
      values.BACKUP_DIR === undefined
        ? undefined
        : { folder: values.BACKUP_DIR, keep: values.BACKUP_KEEP },
    /** For how many days what has ended is kept. */
    keptDays: {
      /** After they were last of use. */
      alerts: values.KEEP_SENT_ALERTS,
      /** After their end, without a launch. */
      drafts: values.KEEP_ENDED_DRAFTS,
      launches: values.KEEP_LAUNCHES,
      adminLog: values.KEEP_ADMIN_LOG,
    },
    /** 0: chosen by the system. */
    port: values.PORT,
    /** The address that the HTTP server binds to; undefined: all. Without PUBLIC_URL nobody else has to reach it. */
    host: values.HOST ?? (values.PUBLIC_URL === undefined ? '127.0.0.1' : undefined),
    /** Max commands that are answered in ten seconds; more have to wait. */
    floodLimits: {
      person: values.COMMANDS_PER_PERSON,
      chat: values.COMMANDS_PER_CHAT,
      /** In a group within a minute. */
      inGroup: { telegram: groupLimits(values.TELEGRAM_LIMITS).commands },
    },
    alerts: {
      /** Seconds between two polls of a chain. */
      interval: values.WATCH_INTERVAL,
      /** Maximum subscriptions of a chat. */
      perChat: values.ALERTS_PER_CHAT,
    },
    /** Whether cards have a picture. */
    cards: values.CARDS === 'on',
    launch: {
      templates: values.TEMPLATES,
      launchers: values.LAUNCHERS,
      modules: values.MODULES,
      symbol: values.SYMBOL_PATTERN,
      integrator: values.INTEGRATOR,
      publicUrl: values.PUBLIC_URL,
      signingUrlTemplate: values.SIGNING_URL_TEMPLATE,
    } satisfies LaunchSettings,
    /** The path of the file with the templates; undefined if TEMPLATES contains them. */
    templatesFile,
    /** Where pictures are published; undefined: only pictures that are on IPFS already can be used. */
    ipfs: ipfsOf(values),
    /** Gateway for reading uploaded metadata, without a trailing slash; undefined: the Kubo node, if there is one. */
    ipfsGateway: values.IPFS_GATEWAY,
    /** Nodes by chain id. The URLs may hold keys. */
    rpcUrls: values.RPC_URLS,
    /** The way out to other machines; undefined: none is needed. Its URLs may hold a password. */
    proxy,
    /** Who may use /admin: ids with their platform. */
    admins: values.ADMINS,
    logLevel: values.LOG_LEVEL,
  }
}

function proxyOf(values: Variables): ProxySettings | undefined {
  const { HTTPS_PROXY: https, HTTP_PROXY: http, NO_PROXY: none } = values
  return https === undefined && http === undefined ? undefined : { https, http, none }
}

function ipfsOf(
  values: Variables,
): { kind: 'kubo'; url: string } | { kind: 'pinata'; jwt: string; apiRoot: string } | undefined {
  const { IPFS_API_URL: url, PINATA_JWT: jwt, PINATA_API_ROOT: apiRoot } = values
  if (url !== undefined) return { kind: 'kubo', url }
  return jwt === undefined ? undefined : { kind: 'pinata', jwt, apiRoot }
}

/** The first problem of each variable: later ones may only follow from it. */
function firstProblems(
  issues: readonly z.core.$ZodIssue[],
  given: Readonly<Record<string, unknown>>,
): Map<string, string> {
  const first = new Map<string, string>()
  for (const issue of issues) {
    const name = String(issue.path[0])
    if (!first.has(name)) first.set(name, problem(issue, name in given))
  }
  return first
}

/** Describes a problem, with its path inside JSON. */
function problem({ path, code, message }: z.core.$ZodIssue, isGiven: boolean): string {
  if (code === 'invalid_type' && !isGiven) return 'is needed'
  const [, ...inner] = path
  return inner.length > 0 ? `${inner.join('.')}: ${message}` : message
}

/** The secrets that this bot shares with its replicas and with no other bot. */
export function ownSecrets({ api, telegram, discord }: Config): (string | undefined)[] {
  return [api.key, telegram?.token, discord?.token]
}

/** The secrets in the settings, for redaction in logs. */
export function secretsOf(config: Config): string[] {
  const { api, telegram, discord, ipfs, rpcUrls, database, proxy } = config
  const jwt = ipfs?.kind === 'pinata' ? ipfs.jwt : undefined
  const kubo = ipfs?.kind === 'kubo' ? passwordOf(ipfs.url) : undefined
  const nodes = Object.values(rpcUrls).flatMap((url) => [url, passwordOf(url)])
  const stored = databaseSecrets(database)
  const proxies = [proxy?.https, proxy?.http].flatMap((url) => proxySecrets(url))
  return [
    api.key,
    telegram?.token,
    discord?.token,
    jwt,
    kubo,
    ...nodes,
    ...stored,
    ...proxies,
  ].filter((each) => each !== undefined)
}

/** A proxy's password, as it is typed and as it is sent. */
function proxySecrets(url: string | undefined): string[] {
  const { username = '', password = '' } = URL.parse(url ?? '') ?? {}
  if (password === '') return []
  const [name, word] = [decodeURIComponent(username), decodeURIComponent(password)]
  return [password, word, Buffer.from(`${name}:${word}`).toString('base64')]
}

function passwordOf(url: string): string | undefined {
  return URL.parse(url)?.password || undefined
}

/** Skips passwords that also occur elsewhere in the URL: redacting a password `gavel` would redact the bot's name. */
function databaseSecrets(database: string): string[] {
  const url = parsePostgres(database)
  if (!url) return []
  const { username, password, host, pathname, protocol, searchParams } = url
  const passwords = [password, decodeURIComponent(password), searchParams.get('password') ?? '']
  if (passwords.every((each) => each === '')) return []
  const rest = `${protocol}//${username}@${host}${pathname}`
  return [database, ...new Set(passwords.filter((each) => !rest.includes(each)))]
}
