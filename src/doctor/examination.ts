import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { z } from 'zod'
import { wrongSettings } from '../api/access.ts'
import { Api } from '../api/client.ts'
import { type Config, ownSecrets, readIncomplete, secretsOf } from '../config.ts'
import type { PlatformName } from '../core/command.ts'
import { nearest } from '../core/command.ts'
import { otherBot } from '../db/bot-identity.ts'
import { sizeText } from '../db/disk.ts'
import { existingFolder, probeDatabase } from '../db/probe.ts'
import { type ApiErrorKind, messageOf, StoreError } from '../errors.ts'
import { templatesProblem } from '../launch/settings.ts'
import { createLogger, type Logger } from '../log.ts'
import { type SettingName, settingNames } from '../settings.ts'
import { readableByOthers, retiredSettings, unencrypted } from '../warnings.ts'
import { identityOf } from '../web/identity.ts'
import { adviceByKind } from './advice.ts'
import { namesWithout } from './api-page.ts'
import { type ApiReport, examineApi, type SampleFigures } from './api-report.ts'
import {
  listedTemplates,
  type TriedPlatform,
  tryAddress,
  tryDiscord,
  tryIpfs,
  tryNodes,
  tryTelegram,
  tryTemplates,
} from './connections.ts'
import { type Finding, off, ok, others, sorted, unknown, wrong } from './finding.ts'
import { chainFindings } from './key-chains.ts'
import { clipped } from './text.ts'

/** The findings, and the secrets in the settings: nothing printed may hold one. */
export interface Examination {
  findings: Finding[]
  secrets: readonly string[]
}

/** Tries each setting of the environment as the bot would use it, whatever is missing or wrong among the others. */
export async function examineSettings(env: NodeJS.ProcessEnv): Promise<Examination> {
  const { config, given, problems: read } = await readIncomplete(env)
  const pinned = templatesProblem(config.launch.templates)
  const problems = new Map([...read, ...(pinned ? [['TEMPLATES', pinned] as const] : [])])
  const secrets = secretsOf(config)
  const parts: Parts = { config, log: createLogger('silent', secrets), isRight }
  const clock = new ClockCheck()
  try {
    const tried = await Promise.all([
      tryPlatforms(parts),
      tryApi(parts),
      attempt('PORT', () => tryPort(parts)),
      attempt('BACKUP_DIR', async () => (isRight('BACKUP_DIR') ? tryBackups(config) : [])),
      attempt('RPC_URLS', async () => (isRight('RPC_URLS') ? tryNodes(config) : [])),
      attempt('IPFS_API_URL', async () => (isRight(...ipfsSettings) ? tryIpfs(config) : [])),
    ])
    const findings = [
      ok('Node.js', process.versions.node),
      clock.finding(),
      ...[...problems].map(([name, what]) => wrong(name, what)),
      ...tried.flat(),
      ...warnings(parts),
    ]
    const old = retiredSettings(env).map(({ setting, text }) => unknown(setting, text))
    const all = [...findings, ...untried(findings, given), ...misspelt(env, given), ...old]
    return { findings: sorted(all), secrets }
  } finally {
    clock.stop()
  }

  /** Whether nothing is wrong with these settings. */
  function isRight(...names: SettingName[]): boolean {
    const all = [...problems.keys()].flatMap((name) => name.split(' or '))
    return !names.some((name) => all.includes(name))
  }
}

/** Settings that work, but let others read a secret. */
function warnings({ config, isRight }: Parts): Finding[] {
  const sent = isRight('API_BASE_URL') ? unencrypted(config) : []
  const read = readableByOthers(config.database, process.execArgv)
  return [...sent, ...read].map(({ setting = 'files', text }) => ({
    setting,
    verdict: 'unsafe',
    detail: text,
  }))
}

interface Parts {
  config: Config
  log: Logger
  isRight: (...names: SettingName[]) => boolean
}

const ipfsSettings = ['IPFS_API_URL', 'PINATA_JWT', 'PINATA_API_ROOT', 'IPFS_GATEWAY'] as const

/** An unexpected error is only a line, too. */
async function attempt(setting: SettingName, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work()
  } catch (error) {
    return [unknown(setting, `could not be tried: ${messageOf(error)}`)]
  }
}

/** Settings that were given and read, and about which nothing else is said. */
function untried(findings: readonly Finding[], given: ReadonlySet<string>): Finding[] {
  const told = new Set(findings.flatMap(({ setting }) => setting.split(' or ')))
  const rest = [...given].filter((name) => !told.has(name))
  return rest.length === 0
    ? []
    : [ok(others, `in the right form, and not tried: ${rest.join(', ')}`)]
}

/** Names in the environment that look like a setting that was not given: nothing reads them. */
function misspelt(env: NodeJS.ProcessEnv, given: ReadonlySet<string>): Finding[] {
  const free = settingNames.filter((name) => !given.has(name))
  // Names of one word are those of other programs, too: of these only a plural is missed.
  const meant = (name: string) =>
    name.includes('_') ? nearest(name, free) : free.find((each) => `${name}S` === each)
  return Object.keys(env)
    .filter((name) => /^[A-Z][A-Z0-9_]{3,}$/u.test(name) && !settingNames.includes(name))
    .flatMap((name) => {
      const setting = meant(name)
      return setting === undefined
        ? []
        : [unknown(name, `is not a setting; did you mean ${setting}?`)]
    })
}

/** Both platforms and the database, which says whose bot it is. */
async function tryPlatforms({ config, isRight }: Parts): Promise<Finding[]> {
  const { telegram, discord } = config
  const database = isRight('DATABASE_URL') ? await tryDatabase(config.database) : undefined
  const isInUse = database?.isInUse ?? false
  const ids = new Map<PlatformName, string>()
  const run = async (
    name: PlatformName,
    token: SettingName,
    work: (() => Promise<TriedPlatform>) | undefined,
  ): Promise<Finding[]> => {
    if (!isRight(token)) return []
    if (!work) return [off(token)]
    return attempt(token, async () => {
      const { id, findings } = await work()
      if (id !== undefined) ids.set(name, id)
      return findings
    })
  }
  const tried = await Promise.all([
    run('telegram', 'TELEGRAM_TOKEN', telegram && (() => tryTelegram(telegram, isInUse))),
    run('discord', 'DISCORD_TOKEN', discord && (() => tryDiscord(discord))),
  ])
  const foreign = [...ids].flatMap(([platform, id]) => {
    const owner = database?.owners.get(platform) ?? id
    return owner === id ? [] : [wrong('DATABASE_URL', otherBot(platform, owner, id).message)]
  })
  const own = foreign.length > 0 ? foreign : (database?.findings ?? [])
  return [...tried.flat(), ...own]
}

async function tryDatabase(database: string): Promise<{
  findings: Finding[]
  isInUse: boolean
  owners: ReadonlyMap<string, string>
}> {
  try {
    const facts = await probeDatabase(database)
    const { engine, isNew, size, free, pending } = facts
    const notes = [
      isNew ? 'empty: the start creates its tables' : sizeText(size),
      ...(free === undefined ? [] : [`${sizeText(free)} free`]),
      ...(!isNew && pending > 0 ? ['the start brings it up to date'] : []),
      ...(facts.isInUse ? ['a bot runs on it'] : []),
    ]
    return { ...facts, findings: [ok('DATABASE_URL', engine, notes)] }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return {
      findings: [wrong('DATABASE_URL', error.message)],
      isInUse: false,
      owners: new Map(),
    }
  }
}

/** Whether the folder of the backups, or the one in which it is made, can be written to. */
async function tryBackups({ backups }: Config): Promise<Finding[]> {
  if (!backups) return []
  const { folder } = backups
  return access(existingFolder(folder), constants.W_OK | constants.X_OK).then(
    () => [ok('BACKUP_DIR', `${folder} can be written to`)],
    (error: unknown) => [wrong('BACKUP_DIR', messageOf(error))],
  )
}

async function tryPort({ config, log, isRight }: Parts): Promise<Finding[]> {
  if (!isRight('PORT', 'HOST')) return []
  const findings = await tryAddress(config, identityOf(ownSecrets(config)), log)
  return isRight('PUBLIC_URL') ? findings : findings.filter(({ setting }) => setting === 'PORT')
}

/** The address or the key alone can't be tried. */
function notAsked(isRight: Parts['isRight']): Finding[] {
  if (isRight('API_BASE_URL')) return [unknown('API_BASE_URL', 'can’t be asked without API_KEY')]
  return isRight('API_KEY') ? [unknown('API_KEY', 'can’t be tried without API_BASE_URL')] : []
}

/** The API, and the templates that it builds. */
async function tryApi({ config, log, isRight }: Parts): Promise<Finding[]> {
  const found = isRight('API_BASE_URL', 'API_KEY')
    ? await attempt('API_BASE_URL', async () => apiFindings(await examineApi(config, log)))
    : notAsked(isRight)
  if (!isRight('TEMPLATES')) return found
  const isSet = config.launch.templates.length > 0
  const isReached = found.some(({ setting, verdict }) => setting === 'API_KEY' && verdict === 'ok')
  if (!isReached && !isSet) return [...found, off('TEMPLATES')]
  if (!isReached) return [...found, unknown('TEMPLATES', 'nothing can be built without the API')]
  const client = new Api({ ...config.api, chains: config.chains, log })
  const tried = isSet ? tryTemplates : listedTemplates
  const built = await attempt('TEMPLATES', () => tried(config, client))
  await client.close()
  return [...found, ...built]
}

/** Seconds by which a server's clock, and a proxy's cache, may differ from the right time. */
const tolerance = 30

const answerSchema = z.object({
  request: z.object({ origin: z.coerce.string() }),
  response: z.object({ headers: z.array(z.union([z.string(), z.instanceof(Uint8Array)])) }),
})

/** Compares this machine's clock with the Date of every server that is asked meanwhile, by whichever client. */
class ClockCheck {
  /** Seconds by which this machine is ahead of each server. */
  readonly #ahead = new Map<string, number>()
  readonly #onAnswer = (message: unknown) => this.#note(message)

  constructor() {
    // Undici, Node.js's own too, says here what answers begin with.
    subscribe('undici:request:headers', this.#onAnswer)
  }

  stop(): void {
    unsubscribe('undici:request:headers', this.#onAnswer)
  }

  finding(): Finding {
    const differences = [...this.#ahead].sort(([, one], [, other]) => one - other)
    // One server may be wrong by itself.
    const [host, ahead] = differences[Math.floor((differences.length - 1) / 2)] ?? []
    if (host === undefined || ahead === undefined) {
      return unknown('clock', 'no server that was asked gives the time')
    }
    const count = differences.length === 1 ? host : `${differences.length} servers`
    if (Math.abs(ahead) <= tolerance) return ok('clock', `as that of ${count}`)
    const how = `${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} ${count}`
    return wrong('clock', `${how}: set it, and run chrony or systemd-timesyncd`)
  }

  #note(message: unknown): void {
    const read = answerSchema.safeParse(message)
    if (!read.success) return
    const { request, response } = read.data
    const headers = response.headers.map((each) => Buffer.from(each).toString('latin1'))
    const place = headers.findIndex((each, index) => index % 2 === 0 && /^date$/iu.test(each))
    const date = place < 0 ? Number.NaN : Date.parse(headers[place + 1] ?? '')
    if (Number.isNaN(date)) return
    // A Date has no fraction of a second.
    this.#ahead.set(new URL(request.origin).host, Math.trunc((Date.now() - date) / 1_000))
  }
}

const page = 'npm run doctor -- api shows more'

const settingOf: Record<ApiErrorKind, string> = {
  ...wrongSettings,
  blocked: 'API_BASE_URL',
  invalid: 'API_QUERY_NAMES',
  'rate-limited': 'API_KEY',
  unavailable: 'API_BASE_URL',
}

/** Judges the settings of the API: whether it accepts the key, has assets, and figures fit. */
function apiFindings(report: ApiReport): Finding[] {
  const { failure, lists, lines, statuses, figures, unasked } = report
  if (failure !== undefined) {
    const finding = failure.kind === 'rate-limited' ? unknown : wrong
    return [finding(settingOf[failure.kind], adviceByKind[failure.kind])]
  }
  const words = statuses.filter(({ isKnown, meaning }) => !isKnown && !meaning)
  const all = words.map(({ word }) => word).join(', ')
  const without = namesWithout(report).join(', ')
  return [
    unasked
      ? unknown('API_BASE_URL', `answers, but not all could be asked: ${unasked.message}`)
      : ok('API_BASE_URL', `answers; ${page}`),
    ok('API_KEY', 'accepted'),
    ...chainFindings(lists),
    ...lines.map((line) => wrong(line.slice(0, line.indexOf('=')), `set ${line}`)),
    ...(without === ''
      ? []
      : [unknown('API_QUERY_NAMES', `no usual name has an effect for ${without}; ${page}`)]),
    ...(all === '' ? [] : [unknown('API_STATUS', `what does ${clipped(all, 60)} mean?`)]),
    ...(figures ? [unitFinding(figures)] : []),
  ]
}

function unitFinding({ count, odd, areOdd }: SampleFigures): Finding {
  return areOdd
    ? unknown('API_UNITS', `${odd} of ${count} assets have figures that contradict others; ${page}`)
    : ok('API_UNITS', `figures of ${count - odd} of ${count} assets fit`)
}
