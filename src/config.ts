import { z } from 'zod'
import { type QueryNames, queryNamesSchema } from './api/query-names.ts'
import { type Units, unitsSchema } from './api/units.ts'
import type { FloodLimits } from './chat/floods.ts'
import { type LogLevel, logLevels } from './log.ts'

/** Everything that the operator sets, checked. */
export interface Config {
  api: { baseUrl: string; key: string; queryNames: QueryNames; units: Units }
  telegram: { token: string; apiRoot: string } | undefined
  discord: { token: string; apiRoot: string } | undefined
  /** Chain ids; the first is the default. */
  chains: [number, ...number[]]
  /** Path of the SQLite file. */
  database: string
  /** 0 lets the system choose. */
  port: number
  /** Commands heard within ten seconds. */
  floodLimits: FloodLimits
  /** Where people reach the bot's own pages, without a trailing slash. */
  publicUrl: string | undefined
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

const httpUrl = z
  .string()
  .refine(
    (text) => /^https?:$/u.test(URL.parse(text)?.protocol ?? ''),
    'must be a URL such as https://example.org',
  )
  .refine((text) => !URL.parse(text)?.username, 'must be a URL without a user name')
  .transform((text) => text.replace(/\/+$/u, ''))

/** A secret in an HTTP header or a path; the check keeps a pasted line break or quote from failing obscurely later. */
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

const database = z.string().transform((text, context): string => {
  if (text.startsWith('file:') && text.length > 'file:'.length) return text.slice('file:'.length)
  context.addIssue({ code: 'custom', message: 'must be a file, such as file:data/gavel.db' })
  return z.NEVER
})

const count = z
  .string()
  .regex(/^[1-9]\d{0,5}$/u, 'must be a whole number from 1 to 999999')
  .transform(Number)

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
    PUBLIC_URL: httpUrl.optional(),
    CHAINS: chains.default([8453]),
    LOG_LEVEL: z
      .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
      .default('info'),
  })
  .refine(({ TELEGRAM_TOKEN, DISCORD_TOKEN }) => TELEGRAM_TOKEN ?? DISCORD_TOKEN, {
    path: ['TELEGRAM_TOKEN or DISCORD_TOKEN'],
    message: 'at least one of them is needed',
    when: () => true,
  })

/**
 * Reads the environment; an empty variable counts as absent.
 * @throws ConfigError with every problem, not only the first.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const read = variables.safeParse(given)
  if (!read.success) throw new ConfigError(firstProblems(read.error.issues))
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
    publicUrl: values.PUBLIC_URL,
    logLevel: values.LOG_LEVEL,
  }
}

/** One line a variable: what is wrong first hides what follows from it. */
function firstProblems(issues: readonly z.core.$ZodIssue[]): string[] {
  const first = new Map(issues.map((issue) => [issue.path[0], issue] as const).toReversed())
  return [...first.values()].toReversed().map(problem)
}

function problem(issue: z.core.$ZodIssue): string {
  const [name] = issue.path
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  return `${String(name)}: ${missing ? 'is needed' : issue.message}`
}

/** What must never be printed. */
export function secretsOf({ api, telegram, discord }: Config): string[] {
  return [api.key, telegram?.token, discord?.token].filter((each) => each !== undefined)
}
