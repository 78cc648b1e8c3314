import type { z } from 'zod'
import type { QueryNames } from './api/query-names.ts'
import type { StatusWords } from './api/status.ts'
import type { Units } from './api/units.ts'
import type { FloodLimits } from './chat/floods.ts'
import { fileOf } from './config-values.ts'
import { type Variables, variables } from './config-variables.ts'
import type { Shards } from './discord/shards.ts'
import type { LaunchSettings } from './launch/settings.ts'
import type { LogLevel } from './log.ts'
import { parsePostgres } from './store/database.ts'

/** Everything that the operator sets, checked. */
export interface Config {
  api: {
    baseUrl: string
    key: string
    queryNames: QueryNames
    units: Units
    statusWords: StatusWords
  }
  /** `publicUrl` is where Telegram calls the bot; undefined where the bot asks Telegram. */
  telegram: { token: string; apiRoot: string; publicUrl: string | undefined } | undefined
  discord:
    | {
        token: string
        apiRoot: string
        /** Whether Discord calls the bot, at `publicUrl`, or the bot keeps a connection to Discord's gateway. */
        interactions: 'gateway' | 'http'
        publicUrl: string | undefined
        /** Which shards of how many this process has; as many as Discord advises, and all of them, where undefined. */
        shards: Shards | undefined
      }
    | undefined
  /** Chain ids; the first is the default. */
  chains: [number, ...number[]]
  /** Path of the SQLite file, or the URL of a PostgreSQL database, which may hold a password. */
  database: string
  /** 0 lets the system choose. */
  port: number
  /** The one address of this machine that the HTTP server has; all of them where undefined. */
  host: string | undefined
  /** Commands heard within ten seconds. */
  floodLimits: FloodLimits
  launch: LaunchSettings
  /** The path of the file with the templates; undefined where TEMPLATES itself has them. */
  templatesFile: string | undefined
  alerts: {
    /** Seconds between two looks at a chain. */
    interval: number
    /** How many rules one chat may follow. */
    perChat: number
  }
  /** Whether cards carry a picture. */
  cards: boolean
  /** Where pictures are published; without one only pictures that are on IPFS already can be used. */
  ipfs: { kind: 'kubo'; url: string } | { kind: 'pinata'; jwt: string; apiRoot: string } | undefined
  /** Where uploaded metadata is read, without a trailing slash; undefined: at the Kubo node, where there is one. */
  ipfsGateway: string | undefined
  /** Nodes by chain id. The URLs may hold keys. */
  rpcUrls: Readonly<Record<number, string>>
  logLevel: LogLevel
}

/** What is wrong with the settings: one line for each variable, without any value that could be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the environment; an empty variable counts as absent.
 * @throws ConfigError with every problem, not only the first.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const read = variables.safeParse(given)
  if (!read.success) throw new ConfigError(firstProblems(read.error.issues, given))
  const values = read.data
  return {
    api: {
      baseUrl: values.API_BASE_URL,
      key: values.API_KEY,
      queryNames: values.API_QUERY_NAMES,
      units: values.API_UNITS,
      statusWords: values.API_STATUS,
    },
    telegram: values.TELEGRAM_TOKEN
      ? {
          token: values.TELEGRAM_TOKEN,
          apiRoot: values.TELEGRAM_API_ROOT,
          publicUrl: values.TELEGRAM_UPDATES === 'webhook' ? values.PUBLIC_URL : undefined,
        }
      : undefined,
    discord: values.DISCORD_TOKEN
      ? {
          token: values.DISCORD_TOKEN,
          apiRoot: values.DISCORD_API_ROOT,
          interactions: values.DISCORD_INTERACTIONS,
          publicUrl: values.PUBLIC_URL,
          shards: values.DISCORD_SHARDS,
        }
      : undefined,
    chains: values.CHAINS,
    database: values.DATABASE_URL,
    port: values.PORT,
    host: values.HOST,
    floodLimits: { person: values.COMMANDS_PER_PERSON, chat: values.COMMANDS_PER_CHAT },
    alerts: { interval: values.WATCH_INTERVAL, perChat: values.ALERTS_PER_CHAT },
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
    templatesFile: fileOf(given['TEMPLATES']),
    ipfs: ipfsOf(values),
    ipfsGateway: values.IPFS_GATEWAY,
    rpcUrls: values.RPC_URLS,
    logLevel: values.LOG_LEVEL,
  }
}

function ipfsOf(values: Variables): Config['ipfs'] {
  const { IPFS_API_URL: url, PINATA_JWT: jwt, PINATA_API_ROOT: apiRoot } = values
  if (url !== undefined) return { kind: 'kubo', url }
  return jwt === undefined ? undefined : { kind: 'pinata', jwt, apiRoot }
}

/** One line a variable: what is wrong first hides what follows from it. */
function firstProblems(
  issues: readonly z.core.$ZodIssue[],
  given: Readonly<Record<string, unknown>>,
): string[] {
  const first = new Map<string, string>()
  for (const issue of issues) {
    const name = String(issue.path[0])
    if (!first.has(name)) first.set(name, problem(issue, name in given))
  }
  return [...first].map(([name, what]) => `${name}: ${what}`)
}

/** Inside JSON the place is told too. */
function problem({ path, code, message }: z.core.$ZodIssue, isGiven: boolean): string {
  if (code === 'invalid_type' && !isGiven) return 'is needed'
  const [, ...place] = path
  return place.length > 0 ? `${place.join('.')}: ${message}` : message
}

/** What must never be printed. */
export function secretsOf(config: Config): string[] {
  const { api, telegram, discord, ipfs, rpcUrls, database } = config
  const jwt = ipfs?.kind === 'pinata' ? ipfs.jwt : undefined
  const kubo = ipfs?.kind === 'kubo' ? passwordOf(ipfs.url) : undefined
  const nodes = Object.values(rpcUrls).flatMap((url) => [url, passwordOf(url)])
  const stored = databaseSecrets(database)
  return [api.key, telegram?.token, discord?.token, jwt, kubo, ...nodes, ...stored].filter(
    (each) => each !== undefined,
  )
}

function passwordOf(url: string): string | undefined {
  return URL.parse(url)?.password || undefined
}

/** None of what the rest of the URL says: a password `gavel` would be struck from every line that names the bot. */
function databaseSecrets(database: string): string[] {
  const url = parsePostgres(database)
  if (!url) return []
  const { username, password, host, pathname, protocol, searchParams } = url
  const spelled = [password, decodeURIComponent(password), searchParams.get('password') ?? '']
  if (spelled.every((each) => each === '')) return []
  const rest = `${protocol}//${username}@${host}${pathname}`
  return [database, ...new Set(spelled.filter((each) => !rest.includes(each)))]
}
