import { z } from 'zod'
import { type QueryNames, queryNamesSchema } from './api/query-names.ts'
import { type Units, unitsSchema } from './api/units.ts'
import { launchersSchema } from './chain/launchers.ts'
import type { FloodLimits } from './chat/floods.ts'
import {
  address,
  chainId,
  chains,
  count,
  database,
  httpUrl,
  json,
  pageUrl,
  secret,
  serviceUrl,
} from './config-values.ts'
import {
  type LaunchSettings,
  symbolSchema,
  templatesSchema,
  usualSymbol,
} from './launch/settings.ts'
import { type LogLevel, logLevels } from './log.ts'
import { isPostgres } from './store/database.ts'

/** Everything that the operator sets, checked. */
export interface Config {
  api: { baseUrl: string; key: string; queryNames: QueryNames; units: Units }
  telegram: { token: string; apiRoot: string } | undefined
  discord: { token: string; apiRoot: string } | undefined
  /** Chain ids; the first is the default. */
  chains: [number, ...number[]]
  /** Path of the SQLite file, or the URL of a PostgreSQL database, which may hold a password. */
  database: string
  /** 0 lets the system choose. */
  port: number
  /** Commands heard within ten seconds. */
  floodLimits: FloodLimits
  launch: LaunchSettings
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

const variables = z
  .object({
    API_BASE_URL: httpUrl.refine((url) => url.endsWith('/v1'), 'must end with /v1'),
    API_KEY: secret,
    API_QUERY_NAMES: json.pipe(queryNamesSchema).default(queryNamesSchema.parse({})),
    API_UNITS: json.pipe(unitsSchema).default(unitsSchema.parse({})),
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
    DATABASE_URL: database.default('data/gavel.db'),
    PORT: z
      .string()
      .regex(/^\d{1,5}$/u, 'must be a port number')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port number up to 65535')
      .default(8080),
    COMMANDS_PER_PERSON: count.default(30),
    COMMANDS_PER_CHAT: count.default(60),
    WATCH_INTERVAL: z
      .string()
      .regex(/^[1-9]\d{0,3}$/u, 'must be a whole number of seconds from 1 to 9999')
      .transform(Number)
      .default(15),
    ALERTS_PER_CHAT: count.default(30),
    CARDS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    PUBLIC_URL: pageUrl
      .refine((url) => URL.parse(url)?.pathname === '/', 'must be without a path')
      .optional(),
    CHAINS: chains.default([8453]),
    TEMPLATES: json.pipe(templatesSchema).default([]),
    RPC_URLS: json.pipe(z.record(chainId, serviceUrl)).default({}),
    LAUNCHERS: json.pipe(launchersSchema).default(launchersSchema.parse({})),
    INTEGRATOR: address.optional(),
    SYMBOL_PATTERN: symbolSchema.default(usualSymbol),
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
    LOG_LEVEL: z
      .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
      .default('info'),
  })
  .refine(({ TELEGRAM_TOKEN, DISCORD_TOKEN }) => TELEGRAM_TOKEN ?? DISCORD_TOKEN, {
    path: ['TELEGRAM_TOKEN or DISCORD_TOKEN'],
    message: 'at least one of them is needed',
    when: () => true,
  })
  .refine(({ IPFS_API_URL, PINATA_JWT }) => !IPFS_API_URL || !PINATA_JWT, {
    path: ['IPFS_API_URL or PINATA_JWT'],
    message: 'set one of them, not both',
  })
  .refine(({ TEMPLATES, CHAINS }) => TEMPLATES.every(({ chain }) => CHAINS.includes(chain)), {
    path: ['TEMPLATES'],
    message: 'names a chain that CHAINS lacks',
  })
  .refine(({ TEMPLATES, LAUNCHERS }) => TEMPLATES.every(({ chain }) => LAUNCHERS[chain]), {
    path: ['LAUNCHERS'],
    message: 'lacks the launch contract of a chain that TEMPLATES names',
  })
  .refine(({ SIGNING_URL_TEMPLATE, PUBLIC_URL }) => !SIGNING_URL_TEMPLATE || PUBLIC_URL, {
    path: ['PUBLIC_URL'],
    message: 'is needed with SIGNING_URL_TEMPLATE: your page reads there what is to be signed',
  })
  .refine(({ TEMPLATES }) => new Set(TEMPLATES.map(templateKey)).size === TEMPLATES.length, {
    path: ['TEMPLATES'],
    message: 'names a template twice on one chain',
  })

function templateKey({ id, chain }: { id: string; chain: number }): string {
  return `${chain} ${id}`
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
    },
    telegram: values.TELEGRAM_TOKEN
      ? { token: values.TELEGRAM_TOKEN, apiRoot: values.TELEGRAM_API_ROOT }
      : undefined,
    discord: values.DISCORD_TOKEN
      ? { token: values.DISCORD_TOKEN, apiRoot: values.DISCORD_API_ROOT }
      : undefined,
    chains: values.CHAINS,
    database: values.DATABASE_URL,
    port: values.PORT,
    floodLimits: { person: values.COMMANDS_PER_PERSON, chat: values.COMMANDS_PER_CHAT },
    alerts: { interval: values.WATCH_INTERVAL, perChat: values.ALERTS_PER_CHAT },
    cards: values.CARDS === 'on',
    launch: {
      templates: values.TEMPLATES,
      launchers: values.LAUNCHERS,
      symbol: values.SYMBOL_PATTERN,
      integrator: values.INTEGRATOR,
      publicUrl: values.PUBLIC_URL,
      signingUrlTemplate: values.SIGNING_URL_TEMPLATE,
    },
    ipfs: ipfsOf(values),
    rpcUrls: values.RPC_URLS,
    logLevel: values.LOG_LEVEL,
  }
}

function ipfsOf(values: z.output<typeof variables>): Config['ipfs'] {
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
  const stored = isPostgres(database) ? [database, passwordOf(database)] : []
  return [api.key, telegram?.token, discord?.token, jwt, kubo, ...nodes, ...stored].filter(
    (each) => each !== undefined,
  )
}

function passwordOf(url: string): string | undefined {
  return URL.parse(url)?.password || undefined
}
