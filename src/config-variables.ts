import { z } from 'zod'
import { queryNamesSchema } from './api/query-names.ts'
import { defaultStatusWords, statusWordsSchema } from './api/status.ts'
import { unitsSchema } from './api/units.ts'
import { launchersSchema } from './chain/launchers.ts'
import {
  address,
  chainId,
  chains,
  count,
  database,
  host,
  httpUrl,
  json,
  jsonOrFile,
  pageUrl,
  secret,
  serviceUrl,
  shards,
} from './config-values.ts'
import type { Shards } from './discord/shards.ts'
import { modulesSchema, symbolSchema, templatesSchema, usualSymbol } from './launch/settings.ts'
import { logLevels } from './log.ts'
import { isPostgres } from './store/database.ts'

/** The variables of the environment, each by itself and beside the others; what is left out has its usual value. */
export const variables = z
  .object({
    API_BASE_URL: httpUrl.refine((url) => url.endsWith('/v1'), 'must end with /v1'),
    API_KEY: secret,
    API_QUERY_NAMES: json.pipe(queryNamesSchema).default(queryNamesSchema.parse({})),
    API_STATUS: statusWordsSchema.default(defaultStatusWords),
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
    TELEGRAM_UPDATES: z
      .enum(['polling', 'webhook'], { error: 'must be polling or webhook' })
      .default('polling'),
    DISCORD_INTERACTIONS: z
      .enum(['gateway', 'http'], { error: 'must be gateway or http' })
      .default('gateway'),
    DISCORD_SHARDS: shards.optional(),
    DATABASE_URL: database.default('data/gavel.db'),
    PORT: z
      .string()
      .regex(/^\d{1,5}$/u, 'must be a port number')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port number up to 65535')
      .default(8080),
    HOST: host.optional(),
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
    TEMPLATES: jsonOrFile.pipe(templatesSchema).default([]),
    RPC_URLS: json.pipe(z.record(chainId, serviceUrl)).default({}),
    LAUNCHERS: json.pipe(launchersSchema).default(launchersSchema.parse({})),
    MODULES: json.pipe(modulesSchema).default({}),
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
    IPFS_GATEWAY: pageUrl
      .refine((text) => !/[?#]/u.test(text), 'must be without ? and #')
      .refine((text) => !/\/ip[fn]s$/u.test(text), 'must be without /ipfs at its end')
      .optional(),
    LOG_LEVEL: z
      .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
      .default('info'),
  })
  .refine(({ TELEGRAM_TOKEN, DISCORD_TOKEN }) => TELEGRAM_TOKEN ?? DISCORD_TOKEN, {
    path: ['TELEGRAM_TOKEN or DISCORD_TOKEN'],
    message: 'at least one of them is needed',
    when: () => true,
  })
  .refine(({ TELEGRAM_UPDATES, PUBLIC_URL }) => TELEGRAM_UPDATES === 'polling' || PUBLIC_URL, {
    path: ['PUBLIC_URL'],
    message: 'is needed with TELEGRAM_UPDATES=webhook: Telegram calls the bot there',
  })
  .refine(({ DISCORD_INTERACTIONS, PUBLIC_URL }) => DISCORD_INTERACTIONS !== 'http' || PUBLIC_URL, {
    path: ['PUBLIC_URL'],
    message: 'is needed with DISCORD_INTERACTIONS=http: Discord calls the bot there',
  })
  .refine(
    ({ DISCORD_INTERACTIONS, DISCORD_SHARDS }) =>
      DISCORD_INTERACTIONS !== 'http' || !DISCORD_SHARDS,
    {
      path: ['DISCORD_SHARDS'],
      message: 'goes with DISCORD_INTERACTIONS=gateway: without the gateway there are no shards',
    },
  )
  .refine(
    ({ DISCORD_SHARDS, DATABASE_URL }) => isWhole(DISCORD_SHARDS) || isPostgres(DATABASE_URL),
    {
      path: ['DISCORD_SHARDS'],
      message:
        'leaves shards to other replicas, for which DATABASE_URL must be a PostgreSQL database',
    },
  )
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

/** Whether no shard is left to others. */
function isWhole(named: Shards | undefined): boolean {
  return named === undefined || named.ids.length === named.count
}

export type Variables = z.output<typeof variables>
