import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import type { Webhook } from '../../../src/core/adapter.ts'
import type { DiscordParts } from '../../../src/discord/adapter.ts'
import { WebServer } from '../../../src/web/server.ts'
import { webParts } from '../web/parts.ts'
import { type Connection, connection, token } from './discord-chat.ts'

export interface CalledBot extends Connection {
  /** Where Discord calls it. */
  url: string
  /** Whether what spreads calls lets them through to it; yes, unless a test says otherwise. */
  isReachable: boolean
  stop(): Promise<void>
}

/** A bot without a gateway, whose server Discord calls; not started yet. */
export async function calledBot(
  server: DiscordServer,
  parts: Partial<DiscordParts> = {},
): Promise<CalledBot> {
  const called: Webhook = async (request) =>
    (all.isReachable && (await all.platform.webhook?.(request))) || { status: 502 }
  const platforms = [{ name: 'discord' as const, webhook: called }]
  const web = new WebServer(webParts({ platforms }))
  const publicUrl = `http://127.0.0.1:${await web.start(0)}`
  const bot = connection(server.root, token, { interactions: 'http', publicUrl, ...parts })
  const stop = async () => {
    await bot.platform.stop()
    await web.stop()
  }
  const all = { ...bot, url: `${publicUrl}/discord`, isReachable: true, stop }
  return all
}
