import { randomBytes } from 'node:crypto'
import type { Api } from '../api/client.ts'
import { ConnectionFault } from '../api/http.ts'
import { type Chain, chainById } from '../chain/chains.ts'
import { ChainNode } from '../chain/node.ts'
import { NodeError, type RpcOptions } from '../chain/rpc.ts'
import type { Config } from '../config.ts'
import { hostOf, PlatformError, webhookPathOf } from '../core/adapter.ts'
import { notToGateway } from '../discord/endpoint.ts'
import type { DiscordFacts } from '../discord/probe.ts'
import { UserError } from '../errors.ts'
import { rawCid } from '../launch/image.ts'
import { IpfsError, publisherOf, readerOf } from '../launch/ipfs.ts'
import type { Template } from '../launch/settings.ts'
import { TemplateList } from '../launch/templates.ts'
import { createLogger, type Logger } from '../log.ts'
import { polledElsewhere } from '../telegram/polling.ts'
import type { TelegramFacts } from '../telegram/probe.ts'
import { type Identity, identityHeader, identityPath } from '../web/identity.ts'
import { PortError, WebServer } from '../web/server.ts'
import { type Finding, off, ok, unknown, wrong } from './finding.ts'
import { examineTemplate } from './launch-template.ts'
import { clipped } from './text.ts'

/** The doctor's findings about a platform, and the id of its bot if the platform answered. */
export interface TriedPlatform {
  findings: Finding[]
  id?: string
}

/** Tries Telegram's settings. `isInUse`: a bot runs on the same database, which may be the one that polls. */
export async function tryTelegram(
  { token, apiRoot, publicUrl, proxy }: NonNullable<Config['telegram']>,
  isInUse: boolean,
): Promise<TriedPlatform> {
  const { probeTelegram } = await import('../telegram/probe.ts')
  const seeksPoller = publicUrl === undefined && !isInUse
  const facts = await probeTelegram({ token, apiRoot, proxy, seeksPoller }).catch(refused)
  if (facts instanceof PlatformError) return { findings: [refusal('TELEGRAM', facts)] }
  const notes = [
    ...(facts.joinsGroups ? [] : ['no groups: /setjoingroups at @BotFather']),
    ...(facts.hasInline ? [] : ['no cards in any chat: /setinline at @BotFather']),
  ]
  const updates = publicUrl === undefined ? pollingFinding(facts) : webhookFinding(facts, publicUrl)
  return {
    id: facts.id,
    findings: [ok('TELEGRAM_TOKEN', `@${facts.username}`, notes), updates],
  }
}

function pollingFinding({ webhook: { url }, isPolled }: TelegramFacts): Finding {
  if (isPolled) return wrong('TELEGRAM_UPDATES', polledElsewhere)
  if (url === '') {
    const how =
      isPolled === undefined ? 'polling, by the bot that runs' : 'polling; nobody else does'
    return ok('TELEGRAM_UPDATES', how)
  }
  return wrong(
    'TELEGRAM_UPDATES',
    `is polling, but Telegram calls ${hostOf(url)}: stop whatever has this token there, or set this to webhook; a start removes that webhook`,
  )
}

/** Ports that Telegram calls: https://core.telegram.org/bots/api#setwebhook */
const calledPorts = ['', '443', '80', '88', '8443']

function webhookFinding({ webhook }: TelegramFacts, publicUrl: string): Finding {
  const { url, waiting, lastError } = webhook
  const { port, protocol } = new URL(publicUrl)
  // Plain http is for tests on this machine.
  if (protocol === 'https:' && !calledPorts.includes(port)) {
    return wrong('PUBLIC_URL', `Telegram only calls ports 443, 80, 88 and 8443, not ${port}`)
  }
  if (url === '') return ok('TELEGRAM_UPDATES', 'webhook; the start sets it')
  if (url !== `${publicUrl}${webhookPathOf('telegram')}`) {
    return wrong(
      'TELEGRAM_UPDATES',
      `Telegram calls ${hostOf(url)}, not PUBLIC_URL: stop whatever has this token there; a start removes that webhook`,
    )
  }
  if (lastError !== undefined && waiting > 0) {
    return wrong('PUBLIC_URL', `Telegram can’t deliver ${waiting} updates there: ${lastError}`)
  }
  return ok('TELEGRAM_UPDATES', 'webhook; Telegram calls PUBLIC_URL')
}

/** Tries Discord's settings. */
export async function tryDiscord(settings: NonNullable<Config['discord']>): Promise<TriedPlatform> {
  const { probeDiscord } = await import('../discord/probe.ts')
  const facts = await probeDiscord(settings).catch(refused)
  if (facts instanceof PlatformError) return { findings: [refusal('DISCORD', facts)] }
  const notes = facts.isPrivate ? ['only its owner can add it: page Bot, Public Bot'] : []
  const account = facts.needsCodeGrant
    ? wrong(
        'DISCORD_TOKEN',
        'no link can add the bot: turn off Requires OAuth2 Code Grant on page Bot',
      )
    : ok('DISCORD_TOKEN', facts.name, notes)
  return {
    id: facts.id,
    findings: [account, interactionsFinding(settings, facts), ...shardsFinding(settings, facts)],
  }
}

/** Whether the gateway gets the interactions. */
function interactionsFinding(
  { publicUrl }: NonNullable<Config['discord']>,
  { endpoint, startsLeft }: DiscordFacts,
): Finding {
  const setting = 'DISCORD_TOKEN'
  const isOurs = endpoint === `${publicUrl}${webhookPathOf('discord')}`
  if (endpoint !== '' && !isOurs) return wrong(setting, notToGateway(endpoint).message)
  return startsLeft > 0
    ? ok(setting, 'interactions come over the gateway; no privileged intent is needed')
    : wrong(
        setting,
        'Discord lets the bot start no more connections today: something keeps restarting it',
      )
}

function shardsFinding({ shards }: NonNullable<Config['discord']>, facts: DiscordFacts): Finding[] {
  if (shards === undefined) return []
  const notes = shards.count < facts.shards ? [`Discord advises ${facts.shards}`] : []
  return [ok('DISCORD_SHARDS', `${shards.ids.length} of ${shards.count}`, notes)]
}

function refused(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error
  throw error
}

/** The line of an error that a start would end with; its message names the setting. */
function refusal(prefix: string, { message }: PlatformError): Finding {
  const [setting = `${prefix}_TOKEN`] = /[A-Z]+_(?:TOKEN|API_ROOT)/u.exec(message) ?? []
  return wrong(setting, message)
}

/** Tries each node: whether it answers, for its chain, and whether the launch contracts are there. */
export async function tryNodes({ rpcUrls, chains, launch, proxy }: Config): Promise<Finding[]> {
  if (Object.keys(rpcUrls).length === 0) return [off('RPC_URLS')]
  const tried = Object.entries(rpcUrls).map(([id, rpcUrl]) => {
    const chain = chainById(Number(id))
    return tryNode(chain, { rpcUrl, chainId: chain.id, proxy }, launch.launchers[chain.id])
  })
  const wanted = new Set([...chains, ...launch.templates.map(({ chain }) => chain)])
  const missing = [...wanted].filter((id) => rpcUrls[id] === undefined)
  const without = missing.map((id): Finding => {
    const detail = `none for ${nameOf(chainById(id))}: launches there are not simulated`
    return { setting: 'RPC_URLS', verdict: 'off', detail }
  })
  return [...(await Promise.all(tried)).flat(), ...without]
}

async function tryNode(
  chain: Chain,
  options: RpcOptions,
  launcher: Config['launch']['launchers'][number] | undefined,
): Promise<Finding[]> {
  try {
    const node = new ChainNode(options)
    const answers = ok('RPC_URLS', `${nameOf(chain)}: block ${await node.block()}`)
    if (!launcher) return [answers]
    const stand = await Promise.all([node.hasCode(launcher.to), node.hasCode(launcher.airlock)])
    const contract = stand.every(Boolean)
      ? ok('LAUNCHERS', `${nameOf(chain)}: the launch contract is there`)
      : wrong('LAUNCHERS', `${nameOf(chain)}: there is no contract at ${launcher.to}`)
    return [answers, contract]
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return [wrong('RPC_URLS', `${nameOf(chain)}: ${error.message}`)]
  }
}

function nameOf({ id, name }: Chain): string {
  return name.includes(String(id)) ? name : `${name} (${id})`
}

/** The templates of TEMPLATES or, if it names none, those that the API lists; empty if it can't list them. */
export async function offeredTemplates(
  { launch, chains }: Pick<Config, 'launch' | 'chains'>,
  api: Api,
): Promise<readonly Template[]> {
  const list = new TemplateList({
    ...{ settings: launch, chains, api, now: () => Math.floor(Date.now() / 1_000) },
    log: createLogger('silent', []),
  })
  await list.ready().catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
  })
  return list.current
}

/** Max characters of the names of listed templates. */
const maxListed = 60

/** Names the templates that the API lists: people are offered these while TEMPLATES is not set. */
export async function listedTemplates(config: Config, api: Api): Promise<Finding[]> {
  const listed = await offeredTemplates(config, api)
  if (listed.length === 0) return [off('TEMPLATES')]
  const labels = [...new Set(listed.map(({ label }) => label))]
  const advice = 'not pinned: npm run doctor -- template NAME shows what one does'
  return [
    ok('TEMPLATES', `not set; the API lists ${clipped(labels.join(', '), maxListed)}`),
    { setting: 'TEMPLATES', verdict: 'off', detail: advice },
  ]
}

/** Has each template built as a launch would, with debug, for a made-up token; nothing is stored or uploaded. */
export async function tryTemplates(config: Config, api: Api): Promise<Finding[]> {
  const { launch: settings, rpcUrls, proxy } = config
  const findings: Finding[] = []
  // One after the other: to build one costs the API a lot.
  for (const template of settings.templates) {
    const rpcUrl = rpcUrls[template.chain]
    const report = await examineTemplate(
      {
        settings,
        api,
        units: config.api.units,
        node:
          rpcUrl === undefined
            ? undefined
            : new ChainNode({ rpcUrl, chainId: template.chain, proxy }),
        now: () => Math.floor(Date.now() / 1_000),
      },
      template,
      { vesting: false },
    )
    const isOnly = settings.templates.filter(({ label }) => label === template.label).length === 1
    // As `npm run doctor -- template` takes it.
    const called = isOnly ? template.label : `${template.chain} ${template.id}`
    findings.push(templateFinding(template, called, report))
  }
  return findings
}

function templateFinding(
  { label, chain }: Template,
  called: string,
  report: Awaited<ReturnType<typeof examineTemplate>>,
): Finding {
  const name = `${label} on ${nameOf(chainById(chain))}`
  if (report.kind === 'unread') {
    const say = report.lacksNode ? unknown : wrong
    return say('TEMPLATES', `${name}: ${report.problems.join(' ')}`)
  }
  const changed = report.rows.filter(({ state }) => state === 'different').length
  if (changed > 0) {
    const rows = changed === 1 ? '1 row' : `${changed} rows`
    const held = report.pinned.length > 0 ? 'changed from what is pinned' : 'not as is usual'
    return wrong(
      'TEMPLATES',
      `${name}: ${rows} ${held}; npm run doctor -- template ${called} shows them`,
    )
  }
  const [doubt] = report.doubts
  const notes = [
    ...(doubt === undefined ? [] : [`not verified: ${doubt}`]),
    report.pinned.length > 0
      ? `${report.pinned.length} rows pinned`
      : `not pinned: npm run doctor -- template ${called}`,
  ]
  return ok('TEMPLATES', `${name} builds`, notes)
}

const sampleText = 'The doctor of Gavel was here.\n'
/** Milliseconds: a gateway may have to find what was added a moment ago. */
const readDeadlineMs = 10_000

/** Adds a few bytes to IPFS, the same ones each time, and reads them back. */
export async function tryIpfs(config: Pick<Config, 'ipfs' | 'ipfsGateway'>): Promise<Finding[]> {
  const { ipfs, ipfsGateway } = config
  const adding = ipfs?.kind === 'pinata' ? 'PINATA_JWT' : 'IPFS_API_URL'
  const bytes = new TextEncoder().encode(sampleText)
  const cid = await rawCid(bytes)
  const publisher = publisherOf(config)
  const reader = readerOf(config)
  try {
    const added = publisher
      ? await publisher.publish({ cid, type: 'image/webp', bytes }).then(
          () => ok(adding, 'a few bytes were added'),
          (error: unknown) => ipfsFinding(adding, error),
        )
      : off(adding)
    if (added.verdict === 'wrong') return [added]
    if (!reader) return [added, off('IPFS_GATEWAY')]
    const reading = ipfsGateway === undefined ? adding : 'IPFS_GATEWAY'
    const read = await reader.read(cid, readDeadlineMs).then(
      () => ok(reading, 'a few bytes were added and read back'),
      (error: unknown) => notReadFinding(reading, error, publisher !== undefined),
    )
    return reading === adding ? [read] : [added, read]
  } finally {
    await publisher?.close()
    await reader?.close()
  }
}

function ipfsFinding(setting: string, error: unknown): Finding {
  if (!(error instanceof IpfsError)) throw error
  if (error.cause instanceof ConnectionFault) {
    return wrong(setting, `nothing answers there (${error.cause.code})`)
  }
  const isKey = error.kind === 'refused'
  return wrong(
    setting,
    isKey ? `it refuses the key, or to add files: ${error.message}` : error.message,
  )
}

/** A gateway may not find yet what was just added, or at all what nobody has added. */
function notReadFinding(setting: string, error: unknown, isAdded: boolean): Finding {
  if (!(error instanceof IpfsError)) throw error
  if (error.cause instanceof ConnectionFault || setting !== 'IPFS_GATEWAY') {
    return ipfsFinding(setting, error)
  }
  if (error.kind === 'unavailable') {
    const what = isAdded ? 'does not find what was added yet' : 'has none of the doctor’s files'
    return unknown(setting, `it answers, and ${what}: ${error.message}`)
  }
  return wrong(setting, `it serves no single blocks (?format=raw): ${error.message}`)
}

/** Milliseconds for an answer. */
const timeoutMs = 10_000
/** Characters of an answer that are looked at. */
const maxText = 100

/**
 * Tries PORT and PUBLIC_URL: takes the port as a start does, and asks through the public address for a path that is made up
 * for it and that only a bot with these settings can answer: the doctor, or the bot that has the port already.
 */
export async function tryAddress(
  { port, host, launch: { publicUrl } }: Pick<Config, 'port' | 'host' | 'launch'>,
  identity: Identity,
  log: Logger,
): Promise<Finding[]> {
  const server = new WebServer({
    health: () => ({}),
    ready: async () => ({ status: 'starting', parts: {} }),
    metrics: async () => ({ type: 'text/plain', text: '' }),
    identity,
    log,
  })
  const taken = await server.start(port, host).then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    const portFinding = await portFindingOf({ port, host, taken, identity })
    if (publicUrl === undefined) return [portFinding, off('PUBLIC_URL')]
    // If another program has the port, it would answer in place of the bot: that says nothing of PUBLIC_URL.
    if (portFinding.verdict === 'wrong') return [portFinding]
    return [portFinding, await publicFinding(publicUrl, port, identity)]
  } finally {
    if (taken === undefined) await server.stop()
  }
}

async function portFindingOf(parts: {
  port: number
  host: string | undefined
  /** Why the port can't be had; undefined if it can. */
  taken: unknown
  identity: Identity
}): Promise<Finding> {
  const { port, host = '127.0.0.1', taken, identity } = parts
  if (taken === undefined) {
    return ok('PORT', port === 0 ? 'the system chooses one at each start' : `${port} is free`)
  }
  if (!(taken instanceof PortError)) throw taken
  const answer = await ask(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (isFrom(answer, identity)) return ok('PORT', `${port}, which the running bot has`)
  return wrong('PORT', taken.message)
}

async function publicFinding(url: string, port: number, identity: Identity): Promise<Finding> {
  const answer = await ask(url)
  const setting = 'PUBLIC_URL'
  if ('fault' in answer) return wrong(setting, `${url} ${answer.fault}`)
  const { status, location, headers } = answer
  if (isFrom(answer, identity)) {
    const isChanged = !headers.get('cache-control')?.includes('no-store')
    return isChanged
      ? wrong(setting, `a proxy at ${url} changes headers: pass cache-control on as it is`)
      : ok(setting, `${url} leads here`)
  }
  if (answer.text === identity(answer.nonce, '')) {
    return wrong(setting, `a proxy at ${url} drops the header ${identityHeader}: pass all on`)
  }
  if (location !== undefined) {
    return wrong(setting, `${url} sends on to ${location}: set the address that answers itself`)
  }
  const where = port === 0 ? 'PORT' : `PORT ${port}`
  if (status >= 502 && status <= 504) {
    return wrong(setting, `the proxy at ${url} does not reach ${where} (status ${status})`)
  }
  return wrong(
    setting,
    `something else answers at ${url} (status ${status}): it must lead to ${where}, and pass on ${identityPath}`,
  )
}

/** The answer to a question of one path, made up for it. */
interface Answered {
  nonce: string
  /** The value of the header that has to come through. */
  passed: string
  status: number
  /** The origin that it redirects to. */
  location: string | undefined
  headers: Headers
  text: string
}

async function ask(origin: string): Promise<Answered | { fault: string }> {
  const nonce = randomBytes(32).toString('base64url')
  const passed = randomBytes(8).toString('hex')
  try {
    const response = await fetch(`${origin}${identityPath}/${nonce}`, {
      redirect: 'manual',
      headers: { [identityHeader]: passed },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status, headers } = response
    const location = headers.get('location')
    return {
      nonce,
      passed,
      status,
      location: location === null ? undefined : URL.parse(location, origin)?.origin,
      headers,
      text: await beginningOf(response),
    }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** The first characters of a body, which may be endless. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if (text.length >= maxText) break
  }
  return text.slice(0, maxText)
}

function isFrom(answer: Awaited<ReturnType<typeof ask>>, identity: Identity): boolean {
  return 'text' in answer && answer.text === identity(answer.nonce, answer.passed)
}

const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/u

function faultOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `gave no answer within ${timeoutMs / 1_000} seconds: is a firewall in front of it?`
  }
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `has no address in the DNS (${code})`
  if (certificateCode.test(code)) return `has a certificate that is not trusted (${code})`
  return `can’t be reached (${code})`
}
