import Database from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import type { TokenChange } from './interface/world.ts'
import type { Sandbox } from './sandbox.ts'
import type { Keep } from './screenshot-launch.ts'

const chain = 8453
const creator = '0x00000000000000000000000000000000000c0ffe'
const day = 86_400_000
/** Milliseconds in which the bot has surely looked once more. */
const lookPause = 6_000

/** A person in the console's Telegram panel who is told of one auction, from its announcement to its end. */
class Follower {
  readonly #panel: Locator
  readonly #keep: Keep

  constructor(page: Page, keep: Keep) {
    this.#panel = page.locator('[data-panel=telegram]')
    this.#keep = keep
  }

  async says(words: string, answer: RegExp): Promise<Locator> {
    const box = this.#panel.getByLabel('Message', { exact: true })
    await box.fill(words)
    await box.press('Enter')
    return this.sees(answer)
  }

  async sees(words: RegExp): Promise<Locator> {
    const message = this.#panel.locator('.other').filter({ hasText: words }).last()
    await message.waitFor({ timeout: 60_000 })
    return message
  }

  async pictures(words: RegExp, name: string): Promise<void> {
    await this.#keep(await this.sees(words), `alerts-${name}.png`)
  }
}

/** Follows an auction that the sandbox leads through its life, and keeps a picture of each kind of alert. */
export async function pictureAlerts(page: Page, sandbox: Sandbox, keep: Keep): Promise<void> {
  const { world } = sandbox.api
  const follower = new Follower(page, keep)
  const seconds = () => Math.floor(Date.now() / 1000)
  await follower.says(
    `/alerts add live incoming progress ending graduated creator:${creator}`,
    /Every auction|auctions/u,
  )
  const token = world.announce(chain, {
    name: 'Kestrel Cove',
    symbol: 'KESTREL',
    description: 'A harbour for small boats, and a wind that is always from the west.',
    creator: creator,
    startsAt: seconds() + 12,
    endsAt: seconds() + 7_200,
    startPrice: 0.000_012,
    price: 0.000_012,
    priceBefore: 0.000_012,
    supply: 1e9,
    toSell: 5e8,
    pace: 0,
  } satisfies TokenChange)
  await follower.pictures(/Coming up: Kestrel/u, 'incoming')
  await follower.pictures(/Live now: Kestrel/u, 'live')
  world.change(token, { sold: 0.26 })
  await follower.pictures(/% sold: Kestrel/u, 'progress')
  await follower.says(`/alerts add price move:10 asset:${token.address}`, /10 %/u)
  await page.waitForTimeout(lookPause)
  world.change(token, { sold: 0.35 })
  await follower.pictures(/Price up .*Kestrel/u, 'price')
  await follower.says(`/alerts add mcap above:26k asset:${token.address}`, /26,000/u)
  await page.waitForTimeout(lookPause)
  world.change(token, { sold: 0.45 })
  await follower.pictures(/Market cap above.*Kestrel/u, 'mcap')
  world.change(token, { endsAt: seconds() + 1_790 })
  await follower.pictures(/Ending soon.*Kestrel/u, 'ending')
  world.end(token, 'graduated')
  await follower.pictures(/Graduated: Kestrel/u, 'graduated')
  const hour = new Date().getUTCHours()
  await follower.says(`/alerts add digest hour:${hour}`, /summary/u)
  yesterday(sandbox.database)
  await follower.pictures(/Moved most/u, 'digest')
  await follower.says('/alerts', /follow/iu)
  await follower.pictures(/follow/iu, 'list')
}

/** As if the bot had last summed up a day ago. */
function yesterday(database: string): void {
  const file = new Database(database)
  try {
    const memory = JSON.stringify({ date: new Date(Date.now() - day).toISOString().slice(0, 10) })
    file.prepare("update filters set memory = ? where kind = 'digest'").run(memory)
  } finally {
    file.close()
  }
}
