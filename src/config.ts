import { z } from 'zod'
import type { ProxySettings } from './core/proxy.ts'
import { isPostgres, parsePostgres } from './db/database.ts'
import { fileOf } from './setting-forms.ts'
import { type SettingName, settingNames, variables } from './settings.ts'
import { userAgent } from './version.ts'

type Values = z.output<typeof variables>

/** A rule between settings, which is checked if each of them is right, whatever is wrong with others. */
interface Rule {
  /** The settings that it looks at. */
  among: readonly SettingName[]
  isBroken: (values: Values) => boolean
  /** The setting that the problem is told of. */
  at: string
  message: string
}

const rules: readonly Rule[] = [
  {
    among: ['TELEGRAM_TOKEN', 'DISCORD_TOKEN'],
    isBroken: ({ TELEGRAM_TOKEN, DISCORD_TOKEN }) => !TELEGRAM_TOKEN && !DISCORD_TOKEN,
    at: 'TELEGRAM_TOKEN or DISCORD_TOKEN',
    message: 'at least one of them is needed',
  },
  {
    among: ['TELEGRAM_UPDATES', 'PUBLIC_URL'],
    isBroken: ({ TELEGRAM_UPDATES, PUBLIC_URL }) => TELEGRAM_UPDATES === 'webhook' && !PUBLIC_URL,
    at: 'PUBLIC_URL',
    message: 'is needed with TELEGRAM_UPDATES=webhook: Telegram calls the bot there',
  },
  {
    among: ['DISCORD_SHARDS', 'DATABASE_URL'],
    isBroken: ({ DISCORD_SHARDS: shards, DATABASE_URL }) =>
      shards !== undefined && shards.ids.length < shards.count && !isPostgres(DATABASE_URL),
    at: 'DISCORD_SHARDS',
    message:
      'leaves shards to other processes, for which DATABASE_URL must be a PostgreSQL database',
  },
  {
    among: ['BACKUP_DIR', 'DATABASE_URL'],
    isBroken: ({ BACKUP_DIR, DATABASE_URL }) =>
      BACKUP_DIR !== undefined && isPostgres(DATABASE_URL),
    at: 'BACKUP_DIR',
    message:
      'is for SQLite alone, and DATABASE_URL is a PostgreSQL database: leave it out, and let pg_dump make the backups (docs/operating/upgrades-and-backups.md)',
  },
  {
    among: ['IPFS_API_URL', 'PINATA_JWT'],
    isBroken: ({ IPFS_API_URL, PINATA_JWT }) => Boolean(IPFS_API_URL && PINATA_JWT),
    at: 'IPFS_API_URL or PINATA_JWT',
    message: 'set one of them, not both',
  },
  {
    among: ['TEMPLATES', 'CHAINS'],
    isBroken: ({ TEMPLATES, CHAINS }) => !TEMPLATES.every(({ chain }) => CHAINS.includes(chain)),
    at: 'TEMPLATES',
    message: 'names a chain that CHAINS lacks',
  },
  {
    among: ['TEMPLATES', 'LAUNCHERS'],
    isBroken: ({ TEMPLATES, LAUNCHERS }) => !TEMPLATES.every(({ chain }) => LAUNCHERS[chain]),
    at: 'LAUNCHERS',
    message: 'lacks the launch contract of a chain that TEMPLATES names',
  },
  {
    among: ['SIGNING_URL_TEMPLATE', 'PUBLIC_URL'],
    isBroken: ({ SIGNING_URL_TEMPLATE, PUBLIC_URL }) =>
      SIGNING_URL_TEMPLATE !== undefined && !PUBLIC_URL,
    at: 'PUBLIC_URL',
    message: 'is needed with SIGNING_URL_TEMPLATE: your page reads there what is to be signed',
  },
  {
    among: ['TEMPLATES'],
    isBroken: ({ TEMPLATES }) => new Set(TEMPLATES.map(templateKey)).size < TEMPLATES.length,
    at: 'TEMPLATES',
    message: 'names a template twice on one chain',
  },
]

/** The settings, and the rules between them. */
const checked = rules.reduce(
  (schema, { among, isBroken, at, message }) =>
    schema.refine((values) => !isBroken(values), {
      path: [at],
      message,
      when: ({ issues }) => !issues.some(({ path = [] }) => among.some((name) => name === path[0])),
    }),
  variables,
)

function templateKey({ id, chain }: { id: string; chain: number }): string {
  return `${chain} ${id}`
}

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
  const read = await checked.safeParseAsync(given)
  if (!read.success) throw new ConfigError(firstProblems(read.error.issues, given))
  return configOf(read.data, fileOf(given.TEMPLATES))
}

/** The readable part of settings, some of which are missing or wrong. */
export interface IncompleteConfig {
  /** The settings. A wrong one has its default, or is not set; a missing API has an empty address and key. */
  config: Config
  /** Names of all that are set, wrong ones too. */
  given: ReadonlySet<string>
  /**
   * The problem of each setting, by its name; several that are wrong together share an entry, with "or" between their names.
   */
  problems: ReadonlyMap<string, string>
}

/** Reads the settings to examine them: missing or wrong ones leave the others as they are. */
export async function readIncomplete(env: Environment): Promise<IncompleteConfig> {
  const given = givenIn(env)
  const { error } = await checked.safeParseAsync(given)
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

function configOf(values: Values, templatesFile: string | undefined) {
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
    },
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
    /** The people who may use /admin: ids with their platform. */
    admins: values.ADMINS,
    logLevel: values.LOG_LEVEL,
  }
}

function proxyOf(values: Values): ProxySettings | undefined {
  const { HTTPS_PROXY: https, HTTP_PROXY: http, NO_PROXY: none } = values
  return https === undefined && http === undefined ? undefined : { https, http, none }
}

function ipfsOf(
  values: Values,
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
