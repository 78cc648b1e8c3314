import type { Config } from '../config.ts'
import { hostOf, PlatformError, webhookPathOf } from '../core/adapter.ts'
import type { DiscordFacts } from '../discord/probe.ts'
import { notToGateway } from '../discord/receive.ts'
import type { TelegramFacts } from '../telegram/probe.ts'
import { polledElsewhere } from '../telegram/updates.ts'
import { type Finding, ok, wrong } from './finding.ts'

/** What a platform's lines say, and the id of its bot if it could be asked. */
export interface TriedPlatform {
  findings: Finding[]
  id?: string
}

/** Tries Telegram's settings. `isInUse`: a bot runs on the same database, which may be the one that polls. */
export async function tryTelegram(
  { token, apiRoot, publicUrl }: NonNullable<Config['telegram']>,
  isInUse: boolean,
): Promise<TriedPlatform> {
  const { probeTelegram } = await import('../telegram/probe.ts')
  const seeksPoller = publicUrl === undefined && !isInUse
  const facts = await probeTelegram({ token, apiRoot, seeksPoller }).catch(refused)
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
    `is polling, and Telegram calls ${hostOf(url)}: stop what has this token there, or set it to webhook; a start takes that webhook away`,
  )
}

/** Ports that Telegram calls: https://core.telegram.org/bots/api#setwebhook */
const calledPorts = ['', '443', '80', '88', '8443']

function webhookFinding({ webhook }: TelegramFacts, publicUrl: string): Finding {
  const { url, waiting, lastError } = webhook
  const { port, protocol } = new URL(publicUrl)
  // Plain http is for tests on this machine.
  if (protocol === 'https:' && !calledPorts.includes(port)) {
    return wrong('PUBLIC_URL', `Telegram calls ports 443, 80, 88 and 8443 alone, not ${port}`)
  }
  if (url === '') return ok('TELEGRAM_UPDATES', 'webhook; the start sets it')
  if (url !== `${publicUrl}${webhookPathOf('telegram')}`) {
    return wrong(
      'TELEGRAM_UPDATES',
      `Telegram calls ${hostOf(url)}, not PUBLIC_URL: stop what has this token there; a start takes that webhook away`,
    )
  }
  if (lastError !== undefined && waiting > 0) {
    return wrong('PUBLIC_URL', `Telegram can’t bring ${waiting} updates there: ${lastError}`)
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

function interactionsFinding(
  { interactions, publicUrl }: NonNullable<Config['discord']>,
  { endpoint, startsLeft }: DiscordFacts,
): Finding {
  const setting = 'DISCORD_INTERACTIONS'
  const isOurs = endpoint === '' || endpoint === `${publicUrl}${webhookPathOf('discord')}`
  if (interactions === 'gateway') {
    if (!isOurs) return wrong(setting, notToGateway(endpoint).message)
    return startsLeft > 0
      ? ok(setting, 'gateway; no privileged intent is needed')
      : wrong(
          setting,
          'Discord lets the bot begin no more connections today: something restarts it',
        )
  }
  if (isOurs) return ok(setting, endpoint === '' ? 'http; the start sets the address' : 'http')
  return wrong(
    setting,
    `Discord calls ${hostOf(endpoint)}, not PUBLIC_URL: stop what has this token there; a start takes that address away`,
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
