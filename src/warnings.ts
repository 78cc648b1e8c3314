import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import type { Config, Environment } from './config.ts'

/** Something that works, and that an operator should change. */
export interface Warning {
  /** The setting that it is about; undefined for a file. */
  setting?: string
  text: string
}

/** Settings of versions before, and why nothing reads them any more. */
const retired = {
  DISCORD_INTERACTIONS:
    'is no longer a setting: interactions come over Discord’s gateway, which the leader has. Remove it. With http, the start clears the Interactions Endpoint URL.',
}

/** Warnings about settings that are given and that this version no longer has. */
export function retiredSettings(env: Environment): { setting: string; text: string }[] {
  return Object.entries(retired)
    .filter(([setting]) => env[setting]?.trim())
    .map(([setting, reason]) => ({ setting, text: `${setting} ${reason}` }))
}

/** Warnings about settings that work, but let others read a secret. Names no secret. */
export function unencrypted(config: Config): Warning[] {
  const { api, telegram, discord, ipfs, rpcUrls, proxy } = config
  const sent: [setting: string, what: string, url: string | undefined][] = [
    ['API_BASE_URL', 'your API key', api.baseUrl],
    ['TELEGRAM_API_ROOT', 'the bot’s token', telegram?.apiRoot],
    ['DISCORD_API_ROOT', 'the bot’s token', discord?.apiRoot],
    ['IPFS_API_URL', 'its password', ipfs?.kind === 'kubo' ? withKey(ipfs.url) : undefined],
    [
      'PINATA_API_ROOT',
      'your token for Pinata',
      ipfs?.kind === 'pinata' ? ipfs.apiRoot : undefined,
    ],
    ['HTTPS_PROXY', 'its password', proxy?.https && withKey(proxy.https)],
    ['HTTP_PROXY', 'its password', proxy?.http && withKey(proxy.http)],
    ...Object.entries(rpcUrls).map(([chain, url]): [string, string, string | undefined] => [
      'RPC_URLS',
      `the key in the address of chain ${chain}’s node`,
      withKey(url),
    ]),
  ]
  return sent
    .filter(([, , url]) => url !== undefined && isReadOnTheWay(url))
    .map(([setting, what]) => ({
      setting,
      text: `${setting}: ${what} is sent over http://, and anybody on the way can read it. Use https://.`,
    }))
}

/** The URL, if it may hold a key: a user, a query, or more of a path than a word. */
function withKey(text: string): string | undefined {
  const { username, password, search, pathname } = new URL(text)
  const hasKey = username + password + search !== '' || /[\w-]{16,}/u.test(pathname)
  return hasKey ? text : undefined
}

/** Ends of names that public name servers don't have. */
const privateNames = /^[^.]+$|\.(?:localhost|local|internal|lan|home\.arpa|svc)$/u
const privateRanges = [
  'unspecified',
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
]

/** Whether a request leaves this machine and its own network without encryption. */
function isReadOnTheWay(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  if (protocol !== 'http:') return false
  const host = hostname.replace(/^\[|\]$/gu, '')
  if (!ipaddr.isValid(host)) return !privateNames.test(host)
  return !privateRanges.includes(ipaddr.process(host).range())
}

/**
 * Which of these files other users of this machine can read, each with the command that ends it: the SQLite file, and those
 * that Node.js read the settings from.
 * @param args Node.js's own, which name those
 */
export function readableByOthers(database: string, args: readonly string[]): Warning[] {
  // Windows has no such modes.
  if (process.platform === 'win32') return []
  const env = args.flatMap((arg) => /^--env-file(?:-if-exists)?=(.+)$/u.exec(arg)?.[1] ?? [])
  return [database, ...env].filter(isReadableByOthers).map((file) => ({
    text: `other users of this machine can read ${file}: chmod o-rwx ${file}`,
  }))
}

/** A folder that nobody else may enter protects all that is in it. */
function isReadableByOthers(file: string): boolean {
  return (modeOf(file) & 0o004) !== 0 && isOpen(dirname(resolve(file)))
}

function isOpen(folder: string): boolean {
  const above = dirname(folder)
  return (modeOf(folder) & 0o001) !== 0 && (above === folder || isOpen(above))
}

/** 0 for what is not there, such as the URL of a database. */
function modeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? 0
}
