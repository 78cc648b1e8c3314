import { InterfaceServer } from '../../sandbox/interface/server.ts'
import { showcaseAddresses } from '../../sandbox/interface/showcase.ts'
import { serve } from '../remote.ts'
import { type Audience, commanding, telling } from './audience.ts'
import { openDiscord, openTelegram } from './audiences.ts'
import {
  type Delivered,
  type Idled,
  type Opened,
  type Request,
  request,
  type Told,
} from './protocol.ts'

// The process of the stand-ins. It takes the times itself, so that messages between processes don't add to them.

const key = 'alerts-interface-key'
const chain = 8453
const watchSeconds = 1
const asset = showcaseAddresses.moonOtter

interface StandIns {
  api: InterfaceServer
  telegram: Audience
  discord: Audience
}

let town: StandIns | undefined

async function open(chats: number): Promise<Opened> {
  const api = await InterfaceServer.start({ key, chains: [chain] })
  const [telegram, discord] = [await openTelegram(chats), await openDiscord(chats)]
  town = { api, telegram, discord }
  return {
    env: {
      ...telegram.env,
      ...discord.env,
      API_BASE_URL: api.baseUrl,
      API_KEY: key,
      CHAINS: String(chain),
      WATCH_INTERVAL: String(watchSeconds),
      PORT: '0',
      LOG_LEVEL: 'info',
    },
    followers: { telegram: [...telegram.followers], discord: [...discord.followers] },
  }
}

async function idle(
  { telegram, discord }: StandIns,
  seconds: number,
  everyMs: number,
): Promise<Idled> {
  const signal = AbortSignal.timeout(seconds * 1000)
  const [onTelegram, onDiscord] = await Promise.all(
    [telegram, discord].map((audience) => commanding(audience, asset, { everyMs, signal })),
  )
  return { telegram: onTelegram ?? [], discord: onDiscord ?? [] }
}

/** A run ends for each platform separately; commands go on there until then. */
async function deliver(
  { api, telegram, discord }: StandIns,
  { everyMs, patienceSeconds }: { everyMs: number; patienceSeconds: number },
): Promise<Delivered> {
  const shown = performance.now()
  api.world.announce(chain)
  const tell = async (audience: Audience): Promise<Told> => {
    const over = new AbortController()
    const asking = commanding(audience, asset, { everyMs, signal: over.signal })
    const told = await telling(audience, { patienceSeconds, shown })
    over.abort()
    const latencies = await asking
    const { chats } = told
    if (chats < audience.followers.length) {
      throw new Error(`only ${chats} chats on ${audience.platform} were told`)
    }
    return { ...told, latencies }
  }
  const [onTelegram, onDiscord] = await Promise.all([tell(telegram), tell(discord)])
  return { telegram: onTelegram, discord: onDiscord }
}

async function handle(message: Request): Promise<unknown> {
  if (message.do === 'open') return open(message.chats)
  if (!town) throw new Error('nothing is open')
  if (message.do === 'idle') return idle(town, message.seconds, message.everyMs)
  return deliver(town, message)
}

serve(async (asked) => handle(request.parse(asked)))
