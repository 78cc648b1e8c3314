import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ApiServer } from '../sandbox/api/server.ts'
import { ada } from '../sandbox/telegram/cast.ts'
import { TelegramServer } from '../sandbox/telegram/server.ts'
import { App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createLogger } from '../src/log.ts'

// Prints which files of src and commands run for one command and for one alert: `npx node bench/files-entered.ts`.

// Fake credentials: only the stand-ins accept them.
const key = 'files-entered-key'
const token = '4242:files-entered'
const chain = 8453
/** Repetitions of a walk. What runs in the background at times is not part of all of them. */
const walks = 4

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'gavel-files-'))
const api = await ApiServer.start({ key, chains: [chain] })
const telegram = await TelegramServer.start({ token, floodLimits: false })

/** Runs the bot while `act` runs. */
async function withApp(watchInterval: number, act: () => Promise<void>): Promise<void> {
  const config = await readConfig({
    API_BASE_URL: api.baseUrl,
    API_KEY: key,
    TELEGRAM_TOKEN: token,
    TELEGRAM_API_ROOT: telegram.root,
    CHAINS: String(chain),
    DATABASE_URL: `file:${join(folder, 'gavel.db')}`,
    WATCH_INTERVAL: String(watchInterval),
    PORT: '0',
    HOST: '127.0.0.1',
  })
  const app = await App.create(config, createLogger('fatal', []), (error) => {
    throw error
  })
  try {
    await app.start()
    await act()
  } finally {
    await app.stop()
  }
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Returns the files of src and commands with a function that was called since the last time. */
async function entered(): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ functions }) =>
      // A function without a name at the start is the module itself, which ran when it was loaded.
      functions.some(
        ({ functionName, ranges: [range] }) =>
          range && range.count > 0 && (functionName !== '' || range.startOffset > 0),
      ),
    )
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => fileURLToPath(url).slice(root.length))
    .filter((path) => /^(?:src|commands)\//u.test(path))
}

/** Waits until the bot has written more messages to Ada than before. */
async function answered(act: () => void): Promise<void> {
  const fromBot = () => telegram.people.messages(ada.id).filter(({ sender }) => sender.isBot)
  const before = fromBot().length
  act()
  while (fromBot().length === before) await delay(20)
  await delay(200)
}

/** Prints the files that every repetition of a walk entered. */
async function report(title: string, act: (walk: number) => Promise<void>): Promise<void> {
  const runs: string[][] = []
  for (let walk = 0; walk < walks; walk += 1) {
    await delay(500)
    await entered()
    await act(walk)
    runs.push(await entered())
  }
  const [first = [], ...others] = runs
  const files = first.filter((path) => others.every((run) => run.includes(path))).sort()
  process.stdout.write(
    `${title}: ${files.length} files\n${files.map((path) => `  ${path}\n`).join('')}`,
  )
}

const say = (text: string) => answered(() => telegram.people.text(ada.id, ada.id, text))
try {
  // Seldom enough that polls are not part of each walk.
  await withApp(10, async () => {
    const tokens = api.world.tokens.map(({ address }) => address)
    await say('/help')
    await report('/asset on Telegram', (walk) => say(`/asset ${tokens[walk]}`))
  })
  await withApp(1, async () => {
    await say('/alerts add live')
    await report('From poll to alert', () => answered(() => void api.world.announce(chain)))
  })
} finally {
  session.disconnect()
  await Promise.all([api.stop(), telegram.stop()])
  rmSync(folder, { recursive: true, force: true })
}
