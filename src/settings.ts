import { z } from 'zod'
import { defaultStatusWords, queryNamesSchema, statusWordsSchema } from './api/schema.ts'
import { defaultUnits, unitsSchema } from './api/units.ts'
import { launchersSchema } from './chain/chains.ts'
import { logLevels } from './log.ts'
import {
  address,
  admins,
  chainId,
  chains,
  count,
  database,
  defaultSymbolPattern,
  folder,
  gateway,
  host,
  hosts,
  httpUrl,
  integer,
  json,
  jsonOrFile,
  links,
  messageLimits,
  modules,
  oneOf,
  originUrl,
  pinataJwt,
  port,
  proxyUrl,
  secret,
  serviceUrl,
  shards,
  signingUrl,
  symbolPattern,
  telegramToken,
  templates,
  unversionedUrl,
} from './setting-forms.ts'

/** The documentation of one setting: a row of docs/operating/settings.md, and a line of .env.example. */
export interface Setting {
  /** The heading that it stands under. */
  part: keyof typeof parts
  /** The form of its value. */
  form: string
  /** Its value where it is not set, as it is typed; absent if there is none. */
  default?: string
  /** For .env.example, where there is no default. */
  example?: string
  /** The secret part of the value, if any. */
  secret?: string
  /** The features that don't work, or work differently, without it. */
  neededFor: string
  /** Short sentences. They may hold `code` and no links. */
  about: string
  /** Where docs/operating says more. */
  page?: string
}

/** The headings, in their order, each with what is true of all that stands below it. */
export const parts = {
  api: {
    title: 'The v1 API',
    about: '`npm run doctor -- api` shows what the API sends, and what a card makes of it.',
  },
  telegram: { title: 'Telegram', about: 'At least one platform needs a token.' },
  discord: { title: 'Discord', about: 'At least one platform needs a token.' },
  bot: {
    title: 'The bot itself',
    about: 'How long it remembers, how often it polls, what it shows.',
  },
  server: {
    title: 'The HTTP server',
    about:
      'Signing pages and calls by Telegram and Discord are public. `/healthz`, `/readyz` and `/metrics` are for you only.',
  },
  launches: {
    title: 'Launches',
    about:
      'People can launch from the templates that the API lists for your key. These settings are only for checking more, and for showing more.',
  },
} as const

/** The documentation of each setting, by its schema. */
const texts = z.registry<Setting>()

type Row<Value> = Setting & {
  /** Parses the value. */
  value: Value
}

/** Makes the schema of a setting from its row. */
function setting<Value extends z.ZodType<unknown, string>>(
  row: Row<Value> & { default: string },
): z.ZodPrefault<Value>
function setting<Value extends z.ZodType>(row: Row<Value>): Value
function setting({ value, ...row }: Row<z.ZodType<unknown, string>>) {
  const schema = row.default === undefined ? value.clone() : value.prefault(row.default)
  return schema.register(texts, row)
}

/** Every setting, in the order in which operators read them. */
export const variables = z.object({
  API_BASE_URL: setting({
    part: 'api',
    value: httpUrl.refine((url) => url.endsWith('/v1'), 'must end with /v1'),
    form: 'URL that ends with `/v1`',
    default: 'https://api.long.xyz/v1',
    neededFor: '–',
    about: 'The address of the API: LONG’s, unless you set another.',
  }),
  API_KEY: setting({
    part: 'api',
    value: secret,
    form: 'text, 8 characters or more',
    secret: 'yes',
    neededFor: 'everything',
    about:
      'Your key for the API. The bot sends it in the header `X-API-KEY`, and writes it nowhere.',
    page: 'README.md#a-key-for-the-api',
  }),
  API_QUERY_NAMES: setting({
    part: 'api',
    value: json.pipe(queryNamesSchema),
    form: 'JSON: name to name',
    default:
      '{"chain":"chainId","status":"status","limit":"limit","offset":"offset","ordering":"ordering","numeraire":"numeraire","category":"category","creator":"creator","term":"term"}',
    neededFor: 'filters',
    about:
      'The names of query parameters, where the API’s document leaves them open. Only those that differ.',
    page: '../api.md',
  }),
  API_STATUS: setting({
    part: 'api',
    value: statusWordsSchema.default(defaultStatusWords),
    form: 'status=word, with commas between',
    example: 'live=auction_live,graduated=migrated',
    neededFor: 'statuses',
    about: 'The meaning of the API’s own words for a status. The words of its document are known.',
    page: '../api.md',
  }),
  API_UNITS: setting({
    part: 'api',
    value: json.pipe(unitsSchema).default(defaultUnits),
    form: 'JSON: field to unit',
    example: '{"pool_current_sale_progress_percentage":"percent"}',
    neededFor: 'figures',
    about: 'Units of numeric fields. Only those that differ.',
    page: '../api.md#units',
  }),
  TELEGRAM_TOKEN: setting({
    part: 'telegram',
    value: telegramToken.optional(),
    form: 'such as `123456:ABC-DEF`',
    secret: 'yes',
    neededFor: 'Telegram',
    about: 'The token that @BotFather gave you.',
    page: 'telegram.md',
  }),
  TELEGRAM_API_ROOT: setting({
    part: 'telegram',
    value: httpUrl,
    form: 'URL',
    default: 'https://api.telegram.org',
    neededFor: '–',
    about: 'Another Bot API server, for instance your own.',
  }),
  TELEGRAM_UPDATES: setting({
    part: 'telegram',
    value: oneOf('polling', 'webhook'),
    form: '`polling` or `webhook`',
    default: 'polling',
    neededFor: '–',
    about:
      '`polling`: the bot asks Telegram for updates. `webhook`: Telegram calls the bot at `PUBLIC_URL/telegram`.',
    page: 'telegram.md#by-webhook',
  }),
  TELEGRAM_LIMITS: setting({
    part: 'telegram',
    value: json.pipe(messageLimits),
    form: 'JSON: limit to number',
    default: '{"all":30,"person":1,"group":20}',
    neededFor: '–',
    about:
      'How many messages Telegram lets the bot send: a second in all, a second to one chat, a minute to one group or channel. Change them only if Telegram agreed to others.',
  }),
  DISCORD_TOKEN: setting({
    part: 'discord',
    value: secret.optional(),
    form: 'text',
    secret: 'yes',
    neededFor: 'Discord',
    about:
      'The token from the developer portal (https://discord.com/developers/applications), page Bot.',
    page: 'discord.md',
  }),
  DISCORD_API_ROOT: setting({
    part: 'discord',
    value: unversionedUrl,
    form: 'URL without a version',
    default: 'https://discord.com/api',
    neededFor: '–',
    about: 'Another API server.',
  }),
  DISCORD_SHARDS: setting({
    part: 'discord',
    value: shards,
    form: '`auto`, `8`, or `0-3/8`',
    default: 'auto',
    neededFor: 'more than some 2,500 servers',
    about:
      'Shards of the gateway: as many as Discord advises, a number, or the ones that this replica has, counted from 0.',
    page: 'discord.md#many-servers-shards',
  }),
  DATABASE_URL: setting({
    part: 'bot',
    value: database,
    form: '`file:…` or `postgres://…`',
    default: 'file:data/gavel.db',
    secret: 'its password',
    neededFor: 'replicas',
    about:
      'A SQLite file, created if it does not exist. Or a PostgreSQL database that replicas share: `postgres://name:password@host/gavel`. In the password write @ : / ? # % as %40 %3A %2F %3F %23 %25.',
    page: 'postgresql.md',
  }),
  BACKUP_DIR: setting({
    part: 'bot',
    value: folder.optional(),
    form: 'folder',
    example: 'data/backups',
    neededFor: 'backups',
    about:
      'The folder where the bot puts a checked copy of its SQLite file, once a day. Each bot needs its own. It is created if it does not exist. Not with PostgreSQL, where `pg_dump` does it.',
    page: 'upgrades-and-backups.md',
  }),
  BACKUP_KEEP: setting({
    part: 'bot',
    value: integer(1, 9_999),
    form: '1 to 9999',
    default: '7',
    neededFor: '–',
    about:
      'The number of copies to keep. The bot deletes older ones, and nothing else in the folder.',
    page: 'upgrades-and-backups.md',
  }),
  KEEP_SENT_ALERTS: setting({
    part: 'bot',
    value: integer(7, 365, ' of days'),
    form: 'days, 7 to 365',
    default: '30',
    neededFor: '–',
    about:
      'How long the bot remembers which chat got which alert, or why not, after the alert stopped being useful. `npm run admin -- explain` shows no older ones.',
    page: 'privacy-and-retention.md#how-long',
  }),
  KEEP_ENDED_DRAFTS: setting({
    part: 'bot',
    value: integer(14, 365, ' of days'),
    form: 'days, 14 to 365',
    default: '90',
    neededFor: '–',
    about: 'How long the bot keeps drafts that ended without a launch, with their payloads.',
    page: 'privacy-and-retention.md#how-long',
  }),
  KEEP_LAUNCHES: setting({
    part: 'bot',
    value: integer(30, 3650, ' of days'),
    form: 'days, 30 to 3650',
    default: '365',
    neededFor: '–',
    about:
      'How long the bot keeps launches. `/launches` lists no older ones. The tokens stay on the chain.',
    page: 'privacy-and-retention.md#how-long',
  }),
  KEEP_ADMIN_LOG: setting({
    part: 'bot',
    value: integer(30, 3650, ' of days'),
    form: 'days, 30 to 3650',
    default: '365',
    neededFor: '–',
    about: 'How long the bot remembers what administrators changed, and who did it.',
    page: 'privacy-and-retention.md#how-long',
  }),
  CHAINS: setting({
    part: 'bot',
    value: chains,
    form: 'chain ids, with commas between',
    default: '8453',
    neededFor: '–',
    about:
      'The chains that people see: those of your key’s assets, such as 8453 (Base) or 4663 (Robinhood Chain). The first is the default of each command.',
  }),
  COMMANDS_PER_PERSON: setting({
    part: 'bot',
    value: count,
    form: 'number, 1 to 999999',
    default: '30',
    neededFor: '–',
    about:
      'The number of commands that one person may send within ten seconds. A person who sends more is told once. Each process counts for itself.',
  }),
  COMMANDS_PER_CHAT: setting({
    part: 'bot',
    value: count,
    form: 'number, 1 to 999999',
    default: '60',
    neededFor: '–',
    about:
      'The same for one chat. In a group on Telegram it is ten a minute, and six for one member: Telegram takes twenty messages a minute there.',
  }),
  WATCH_INTERVAL: setting({
    part: 'bot',
    value: integer(1, 9_999, ' of seconds'),
    form: 'seconds, 1 to 9999',
    default: '15',
    neededFor: '–',
    about:
      'The time between two polls of a chain’s auctions, for alerts. Where 14,000 auctions are live, each of 200 that are followed is seen within two minutes at 15 seconds. That takes some 100 requests a minute. At 8 seconds it is one minute, and 190 requests.',
    page: '../scale.md#which-limit-is-whose',
  }),
  ALERTS_PER_CHAT: setting({
    part: 'bot',
    value: count,
    form: 'number, 1 to 999999',
    default: '30',
    neededFor: '–',
    about: 'How many alerts one chat may follow.',
  }),
  CARDS: setting({
    part: 'bot',
    value: oneOf('on', 'off'),
    form: '`on` or `off`',
    default: 'on',
    neededFor: '–',
    about: 'Whether alerts and asset cards carry a picture. `off` saves memory and traffic.',
    page: 'pictures.md',
  }),
  LINKS: setting({
    part: 'bot',
    value: json.pipe(links).default([]),
    form: 'JSON: a list of five at most',
    example:
      '[{"label":"Trade","url":"https://app.uniswap.org/swap?chain={chain}&outputCurrency={address}","status":["graduated"]}]',
    neededFor: 'buttons that lead out',
    about:
      'Buttons below cards and alerts, such as where to trade. The address is https. It may hold `{address}` of the token, `{pool}`, `{chain}` (such as `base`) and `{chainId}`, and your referral. `chains` and `status` say where a button is shown.',
  }),
  ADMINS: setting({
    part: 'bot',
    value: admins.default([]),
    form: 'platform:id, with commas between',
    example: 'telegram:123456,discord:123456789012345678',
    neededFor: '`/admin` in a chat',
    about:
      'People who may use `/admin` in a private chat with the bot: their ids with the platform.',
    page: 'admin.md',
  }),
  LOG_LEVEL: setting({
    part: 'bot',
    value: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }),
    form: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    default: 'info',
    neededFor: '–',
    about: 'The lowest level that is logged.',
    page: 'monitoring.md#logs',
  }),
  HTTPS_PROXY: setting({
    part: 'bot',
    value: proxyUrl.optional(),
    form: 'URL such as `http://name:password@proxy.example.org:3128`',
    secret: 'its password',
    neededFor: 'networks that only a proxy leads out of',
    about:
      'A proxy for all requests of the bot over https: the API, Telegram, Discord, nodes, IPFS. Not for Discord’s gateway, which the bot must reach without it. Not for the pictures of tokens, nor for this machine.',
  }),
  HTTP_PROXY: setting({
    part: 'bot',
    value: proxyUrl.optional(),
    form: 'URL',
    secret: 'its password',
    neededFor: '–',
    about: 'The same for http, and for https without `HTTPS_PROXY`.',
  }),
  NO_PROXY: setting({
    part: 'bot',
    value: hosts.optional(),
    form: 'hosts, with commas between',
    example: 'node.example.org,.internal.example.org',
    neededFor: '–',
    about:
      'Hosts that are reached without the proxy. A dot before a name stands for all its subdomains.',
  }),
  PORT: setting({
    part: 'server',
    value: port,
    form: 'port, or `0`: the system chooses',
    default: '8080',
    neededFor: '–',
    about: 'The port of the HTTP server. The log names it.',
  }),
  HOST: setting({
    part: 'server',
    value: host.optional(),
    form: 'address of this machine',
    example: '127.0.0.1',
    neededFor: '–',
    about:
      'The address that the server listens on; `0.0.0.0` is all of them. Without it: `127.0.0.1`, or all of them if `PUBLIC_URL` is set.',
    page: 'monitoring.md',
  }),
  PUBLIC_URL: setting({
    part: 'server',
    value: originUrl.optional(),
    form: 'https URL without a path',
    example: 'https://gavel.example.org',
    neededFor: 'webhooks, signing links',
    about:
      'The address of that server from outside. Without it, people get the payload as a file instead of a signing link.',
  }),
  TEMPLATES: setting({
    part: 'launches',
    value: jsonOrFile.pipe(templates).default([]),
    form: 'JSON, or the path of a file with it',
    example:
      '[{"id":"the-id","label":"Standard auction","chain":8453,"about":"What people read beside the label"}]',
    neededFor: 'only to pin what a template does',
    about:
      'The auction templates that people may launch from. Without it the bot offers those that the API lists for your key. `npm run doctor -- template NAME` writes the file, also for a template of that list.',
    page: 'launches.md#templates',
  }),
  RPC_URLS: setting({
    part: 'launches',
    value: json.pipe(z.record(chainId, serviceUrl)).default({}),
    form: 'JSON: chain id to URL',
    example: '{"8453":"https://mainnet.base.org"}',
    secret: 'keys in its URLs',
    neededFor: 'simulations, names such as ada.eth',
    about:
      'A node for each chain, preferably one that has `eth_simulateV1`. Without one, a launch is checked against its calldata alone, and says so.',
    page: 'launches.md',
  }),
  LAUNCHERS: setting({
    part: 'launches',
    value: json.pipe(launchersSchema).default(launchersSchema.parse({})),
    form: 'JSON: chain id to address',
    example: '{"8453":"0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12"}',
    neededFor: 'chains that are not known',
    about:
      'The contract that the transaction goes to, if it is not known or differs. Write `{"to":"0x…","airlock":"0x…"}` if a contract forwards to the Airlock.',
    page: 'launches.md',
  }),
  MODULES: setting({
    part: 'launches',
    value: json.pipe(modules).default({}),
    form: 'JSON: chain id to a list',
    example:
      '{"8453":[{"address":"0x0000000000000000000000000000000000000001","layout":"multicurve","name":"Ours"}]}',
    neededFor: 'modules of your own',
    about:
      'Modules of your own service. A payload with a module that is not known is "Not verified".',
    page: 'launches.md#modules-of-your-own',
  }),
  INTEGRATOR: setting({
    part: 'launches',
    value: address.optional(),
    form: 'address',
    example: '0x0000000000000000000000000000000000000000',
    neededFor: '–',
    about:
      'The integrator that every payload must name. A payload with another one is not handed out.',
  }),
  SYMBOL_PATTERN: setting({
    part: 'launches',
    value: symbolPattern,
    form: 'regular expression',
    default: defaultSymbolPattern,
    neededFor: '–',
    about: 'The pattern that a whole symbol must match.',
  }),
  SIGNING_URL_TEMPLATE: setting({
    part: 'launches',
    value: signingUrl.optional(),
    form: 'https URL with `{token}`',
    example: 'https://sign.example.org/launch/{token}',
    neededFor: 'a signing page of your own',
    about: '`{token}`, `{chain}`, `{to}` and `{digest}` are filled in.',
    page: 'launches.md#your-own-signing-page',
  }),
  IPFS_API_URL: setting({
    part: 'launches',
    value: serviceUrl.optional(),
    form: 'URL',
    example: 'http://127.0.0.1:5001',
    secret: 'its password',
    neededFor: 'pictures on your own node',
    about:
      'The RPC of your Kubo node, where pictures are published. Set this or `PINATA_JWT`, not both. Without either the API publishes them.',
    page: 'launches.md',
  }),
  PINATA_JWT: setting({
    part: 'launches',
    value: pinataJwt.optional(),
    form: 'JWT',
    secret: 'yes',
    neededFor: 'pictures at Pinata',
    about: 'A key of Pinata, where pictures are published.',
  }),
  PINATA_API_ROOT: setting({
    part: 'launches',
    value: httpUrl,
    form: 'URL',
    default: 'https://uploads.pinata.cloud',
    neededFor: '–',
    about: 'Another Pinata server.',
  }),
  IPFS_GATEWAY: setting({
    part: 'launches',
    value: gateway.optional(),
    form: 'URL',
    example: 'https://trustless-gateway.link',
    neededFor: 'the check of uploaded metadata',
    about:
      'An IPFS gateway that serves single blocks (`?format=raw`). The bot reads the API’s uploads there, and compares them with what was typed. Without it, the bot asks the Kubo node. Without either, nothing is compared.',
    page: 'launches.md',
  }),
})

/** The name of a setting. */
export type SettingName = keyof typeof variables.shape

/** The documentation of a setting. */
export function textOf(name: SettingName): Setting {
  const text = texts.get(variables.shape[name])
  if (text === undefined) throw new TypeError(`${name} is not made by setting()`)
  return text
}

/** Each setting with its documentation. */
export const settings = variables.keyof().options.map((name) => ({ name, ...textOf(name) }))

/** The name of each setting. */
export const settingNames: readonly string[] = settings.map(({ name }) => name)
