// Records the database that a release leaves behind: npm run record-release
//
// Run it before the release is tagged. People use the bot of this checkout, and it is stopped in the middle of everything;
// `test/slow/one-version-back.test.ts` lets later versions go on from there.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { z } from 'zod'
import { openStore } from '../../src/db/database.ts'
import { migrations } from '../../src/db/migrations.ts'
import { allTables } from '../../src/db/move.ts'
import type { Store } from '../../src/db/schema.ts'
import { type LaunchHarness, startLaunchHarness } from '../e2e/launch-harness.ts'
import { reviewed } from '../e2e/launch-steps.ts'
import { TelegramUser } from '../e2e/users.ts'
import type { Release } from './release.ts'

const packageSchema = z.object({ version: z.string() })
const { version } = packageSchema.parse(JSON.parse(await readFile('package.json', 'utf8')))

/** One launch is to be signed, another is half answered, an alert waits for the morning, and a value was asked for. */
async function use(harness: LaunchHarness): Promise<void> {
  const ada = new TelegramUser(harness)
  await ada.says('/watch LANTERN')
  await ada.sees('watchlist')
  await reviewed(ada, harness, 'SIGNME', undefined, plainPicture)
  await ada.presses('Confirm')
  await ada.sees('Ready to sign', 'SIGNME')
  await ada.says('/launch name: Half Otter\nsymbol: HALF')
  await ada.sees('Template')
  await ada.says('/alerts add live')
  await ada.sees('Alert added')
  const hour = new Date().getUTCHours()
  await ada.says(`/settings zone:UTC quiet:${hour}-${(hour + 23) % 24}`)
  await ada.sees('Quiet hours')
  harness.apiServer.world.announce(8453, { name: 'Waiting Otter' })
  await delay(8_000)
  await ada.says('/alerts choose price asset:LANTERN')
  await ada.sees('price')
}

/** Its few bytes don't swell the recording. */
async function plainPicture() {
  const create = { width: 64, height: 64, channels: 3, background: 'teal' } as const
  const bytes = await sharp({ create }).png().toBuffer()
  return { name: 'teal.png', type: 'image/png', bytes }
}

/** What is stored, without the snapshot of tokens that nobody is told of. */
async function rowsOf(store: Store): Promise<Release['tables']> {
  const tables: Release['tables'] = {}
  for (const table of allTables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
      store,
    )
    const few = table === 'watched_assets' ? rows.slice(0, 1) : rows
    tables[table] = few.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, stored(value)])),
    )
  }
  return tables
}

function stored(value: unknown) {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString('hex') }
  return z.union([z.string(), z.number(), z.null()]).parse(value)
}

const folder = await mkdtemp(join(tmpdir(), 'gavel-release-'))
const file = join(folder, 'gavel.db')
const harness = await startLaunchHarness({ DATABASE_URL: `file:${file}`, WATCH_INTERVAL: '1' })
try {
  await use(harness)
  await harness.bot.stop()
  const store = await openStore(file)
  const release: Release = {
    version,
    recordedAt: Math.floor(Date.now() / 1000),
    migrations: Object.keys(migrations),
    tables: await rowsOf(store),
  }
  await store.destroy()
  const target = join(import.meta.dirname, `${version}.json`)
  await writeFile(target, `${JSON.stringify(release, undefined, 1)}\n`)
} finally {
  await harness.stopAll()
  await rm(folder, { recursive: true, force: true })
}
