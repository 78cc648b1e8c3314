import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiServer } from './api/server.ts'
import { addressOf } from './api/token.ts'
import { announceFirst } from './api/world.ts'
import { type BotLog, Supervisor, startBot } from './bot.ts'
import { NoChainError } from './chain/anvil.ts'
import { type LocalChain, startChain } from './chain/chain.ts'
import { moduleEntries } from './chain/modules.ts'
import { ConsoleServer } from './console/server.ts'
import { ada as adaOnDiscord, news as newsOnDiscord } from './discord/cast.ts'
import { discordConsole } from './discord/console.ts'
import { DiscordServer } from './discord/server.ts'
import { KuboServer } from './ipfs/kubo.ts'
import { ada, news } from './telegram/cast.ts'
import { telegramConsole } from './telegram/console.ts'
import { TelegramServer } from './telegram/server.ts'
import { robinhoodTemplate, sandboxTemplates } from './templates-setting.ts'
import { walletRoutes } from './wallet/server.ts'

export interface SandboxOptions {
  /** The console's port, or the next free one; any free one without it. */
  port?: number
  /** Warnings and errors of the bot, and what else it says before it is ready. */
  onLog?: (line: BotLog) => void
  /**
   * The bot gets a key, tokens and chains alone, as from an operator who begins: beside them only where the stand-ins are.
   */
  isMinimal?: boolean
  /** Starts the local chain, where another way is wanted. */
  startChain?: typeof startChain
  /** Hears, in words for a person, what this machine can't do. */
  onLack?: (words: string) => void
}

export interface Sandbox {
  consoleUrl: string
  bot: Supervisor
  api: ApiServer
  ipfs: KuboServer
  /** The path of the bot's database. */
  database: string
  /** Absent where this machine has no anvil. */
  chain: LocalChain | undefined
  stop(): Promise<void>
}

// Valid in form and worth nothing: only the stand-ins of this process know them.
const credentials = {
  key: 'sandbox-key',
  telegram: '7000000001:AAsandboxsandboxsandboxsandboxsandb',
  discord: 'MTMwMDAwMDAwMDAwMDAwMDAwMQ.sandbox.sandboxsandboxsandboxsandbox',
} as const

// The first is the local one, on which launches really happen; the other is LONG's busiest.
const chainId = 8453
const chains = [chainId, 4663] as const
// Where the launch contract stands on this chain.
const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const launcher = { to: airlock, airlock } as const
// The first two accounts of the wallet.
const names = [
  { name: 'ada.base.eth', addresses: { 60: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } },
  { name: 'bob.base.eth', addresses: { 60: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
] as const

async function localChain(
  start: typeof startChain,
  onLack: (words: string) => void,
): Promise<LocalChain | undefined> {
  try {
    return await start({ chainId, launcher, names })
  } catch (error) {
    if (!(error instanceof NoChainError)) throw error
    onLack(`${error.message} Launches end at the signing page; everything else works.`)
    return undefined
  }
}

async function walletOf({ rpcUrl, accounts: all }: LocalChain) {
  const accounts = all.map(({ address }) => address)
  return { accounts, routes: await walletRoutes({ rpcUrl, chain: chainId, accounts }) }
}

/** Starts the stand-ins, the local chain, the console and the real bot behind them; all on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const part of stops.splice(0).reverse()) await part()
  }
  const owned = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>) => {
    const part = await starting
    stops.push(() => part.stop())
    return part
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'gavel-sandbox-'))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const database = join(folder, 'gavel.db')
    const { onLog = () => undefined, onLack = () => undefined } = options
    const chain = await localChain(options.startChain ?? startChain, onLack)
    if (chain) stops.push(() => chain.stop())
    const local = chain ? [{ ...chain, launcher }] : []
    const ipfs = await owned(KuboServer.start())
    const api = await owned(
      ApiServer.start({ key: credentials.key, chains, tick: true, local, ipfs }),
    )
    markFake(api)
    const telegram = await owned(TelegramServer.start({ token: credentials.telegram }))
    const discord = await owned(DiscordServer.start({ token: credentials.discord }))
    const minimal = {
      API_BASE_URL: api.baseUrl,
      API_KEY: credentials.key,
      CHAINS: chains.join(','),
      TELEGRAM_TOKEN: credentials.telegram,
      TELEGRAM_API_ROOT: telegram.root,
      DISCORD_TOKEN: credentials.discord,
      DISCORD_API_ROOT: discord.root,
      DATABASE_URL: `file:${database}`,
      PORT: '0',
      HOST: '127.0.0.1',
    }
    const all = (publicUrl: string) => ({
      ...minimal,
      ADMINS: `telegram:${ada.id},discord:${adaOnDiscord.id}`,
      PUBLIC_URL: publicUrl,
      IPFS_API_URL: ipfs.url,
      TEMPLATES: JSON.stringify([...sandboxTemplates, robinhoodTemplate]),
      MODULES: JSON.stringify(Object.fromEntries(chains.map((id) => [id, moduleEntries]))),
      RPC_URLS: JSON.stringify(chain ? { [chainId]: chain.rpcUrl } : {}),
      WATCH_INTERVAL: '2',
      LOG_LEVEL: 'info',
    })
    // The bot has to know the console's port, so its life begins last.
    const env = () => (options.isMinimal ? minimal : all(page.url))
    const bot = new Supervisor((signal) => startBot({ env: env(), signal, onLog }))
    stops.push(() => bot.stop())
    const page = await owned(
      ConsoleServer.start({
        ...(options.port === undefined ? {} : { port: options.port }),
        panels: { telegram: telegramConsole(telegram), discord: discordConsole(discord) },
        faults: api.faults,
        world: api.world,
        bot,
        wallet: chain && (await walletOf(chain)),
        pictures: (cid) => ipfs.find(cid),
      }),
    )
    const opening = new AbortController()
    const opened = readyOnce(bot, opening.signal).then(async () => {
      if (opening.signal.aborted) return
      await followNews(telegram, discord, opening.signal)
      announceFirst(api.world, chainId)
    })
    stops.push(async () => {
      opening.abort()
      await opened
    })
    bot.run()
    return { consoleUrl: page.url, bot, api, ipfs, database, chain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Has one of the newest live tokens be a fake, as the API says of those in a lookalike's quote token. */
function markFake({ world, fakes }: ApiServer): void {
  const fake = world.tokens.find(
    ({ chain, status, numeraire }) =>
      chain === chainId && status === 'live' && numeraire.symbol === 'USDC',
  )
  if (!fake) return
  const address = addressOf('an imitation of USDC')
  world.change(fake, { numeraire: { ...fake.numeraire, address } })
  const message = 'Its quote token only pretends to be USDC'
  fakes.set(fake.address.toLowerCase(), [{ id: 'quote-token', message }])
}

/** Resolves when the bot is ready for the first time, or the signal is aborted. */
async function readyOnce(bot: Supervisor, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unsubscribe = bot.subscribe(({ state }) => {
    if (state === 'ready') resolve()
  })
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  unsubscribe()
}

const followed = ['live', 'upcoming', 'graduated', 'progress']
const followPatienceMs = 10_000

/** Subscribes both news channels, by the commands that an administrator would send, so that alerts arrive by themselves. */
async function followNews(
  telegram: TelegramServer,
  discord: DiscordServer,
  signal: AbortSignal,
): Promise<void> {
  telegram.people.text(ada.id, news.id, `/alerts add ${followed.join(' ')}`)
  const until = performance.now() + followPatienceMs
  while (performance.now() < until && !signal.aborted) {
    if (await followOnDiscord(discord)) return
    await delay(50, undefined, { signal }).catch(() => undefined)
  }
}

/** False if the bot has not registered its commands yet, or did not answer in time. */
async function followOnDiscord({ people }: DiscordServer): Promise<boolean> {
  const at = [adaOnDiscord.id, newsOnDiscord.id] as const
  if (!people.commands(...at).some(({ name }) => name === 'alerts')) return false
  return people.slash(...at, 'alerts', { do: `add ${followed.join(' ')}` }).taken.then(
    () => true,
    () => false,
  )
}
