import Database from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import { showcaseAddresses } from './api/showcase.ts'
import type { TokenChange } from './api/world.ts'
import type { Sandbox } from './sandbox.ts'

/** Keeps a picture of what is seen under a name. */
export type Keep = (seen: Page | Locator, name: string) => Promise<void>

const token = 'name: River Heron\nsymbol: HERONRY\ndescription: Stands in rivers.'

/** A person in the console's Telegram panel. */
class Visitor {
  readonly panel: Locator
  readonly #box: Locator

  constructor(page: Page) {
    this.panel = page.locator('[data-panel=telegram]')
    this.#box = this.panel.getByLabel('Message', { exact: true })
  }

  /** The bot's newest message. */
  get last(): Locator {
    return this.panel.locator('.other').last()
  }

  async says(words: string): Promise<void> {
    await this.#box.fill(words)
    await this.#box.press('Enter')
  }

  /** The newest of the bot's messages that has these words. */
  async sees(words: string | RegExp): Promise<Locator> {
    const message = this.panel.locator('.other').filter({ hasText: words }).last()
    await message.waitFor({ timeout: 60_000 })
    return message
  }

  /** Waits for a question and presses its answer. */
  async answers(question: number, label: string): Promise<void> {
    await this.sees(`Question ${question}`)
    await this.presses(label)
  }

  async presses(label: string): Promise<void> {
    await this.last.locator('.button').filter({ hasText: label }).first().click()
  }
}

/**
 * Launches a token from the console, from /launch to the token on the local chain, and keeps pictures of the review,
 * of what is to be signed, of the signing page and of the end.
 */
export async function pictureLaunch(page: Page, sandbox: Sandbox, keep: Keep): Promise<void> {
  const [wallet] = sandbox.chain?.accounts ?? []
  if (!wallet) return
  const visitor = new Visitor(page)
  await visitor.says('/launch')
  await visitor.answers(1, 'Base')
  await visitor.answers(2, 'Standard')
  await visitor.sees('Question 3')
  await visitor.says(token)
  await visitor.sees('Question 6')
  const sample = await fetch(`${sandbox.consoleUrl}/sample.png`)
  const buffer = Buffer.from(await sample.arrayBuffer())
  const file = { name: 'heron.png', mimeType: 'image/png', buffer }
  await visitor.panel.getByLabel('Attach a file').setInputFiles(file)
  await visitor.sees('This is how your logo will look')
  await keep(visitor.panel, 'launch-picture.png')
  await visitor.presses('Use it')
  await visitor.answers(7, 'Skip')
  await visitor.answers(8, 'Skip')
  await visitor.sees('Question 9')
  await visitor.says(wallet.address)
  await visitor.answers(10, 'Skip')
  await visitor.answers(11, 'Skip')
  await visitor.sees('Review: River Heron')
  // The whole table is to be seen.
  const usual = page.viewportSize()
  await page.setViewportSize({ width: 600, height: 1480 })
  await keep(visitor.panel, 'launch-review.png')
  await visitor.presses('Confirm')
  await visitor.sees('Ready to sign')
  await page.setViewportSize({ width: 600, height: 1360 })
  await keep(visitor.panel, 'launch-ready.png')
  if (usual) await page.setViewportSize(usual)
  const opened = page.context().waitForEvent('page')
  await visitor.presses('Sign with your wallet')
  await sign(await opened, keep)
  await visitor.sees('Launched: River Heron')
  // The whole card is to be seen.
  await page.setViewportSize({ width: 600, height: 1020 })
  await keep(visitor.panel, 'launch-done.png')
}

async function sign(page: Page, keep: Keep): Promise<void> {
  await page.setViewportSize({ width: 1100, height: 1560 })
  const approve = page.getByRole('dialog').getByRole('button', { name: 'Approve' })
  await page.getByRole('button', { name: /Sandbox wallet/ }).click()
  await approve.click()
  const send = page.getByRole('button', { name: /^(?:Sign|Launch|Send)/ }).first()
  await send.waitFor()
  await keep(page, 'launch-signing.png')
  await send.click()
  await approve.click()
  await page.getByText('Your token is live').waitFor()
}

const chain = 8453
const creator = '0x00000000000000000000000000000000000c0ffe'
const day = 86_400_000
/** Milliseconds in which the bot has surely looked once more. */
const lookPause = 6_000

/** Follows an auction that the sandbox leads through its life, and keeps a picture of each kind of alert. */
export async function pictureAlerts(page: Page, sandbox: Sandbox, keep: Keep): Promise<void> {
  const { world } = sandbox.api
  const visitor = new Visitor(page)
  const pictures = async (words: RegExp, name: string) =>
    keep(await visitor.sees(words), `alerts-${name}.png`)
  const asks = async (line: string, answer: RegExp) => {
    await visitor.says(line)
    await visitor.sees(answer)
  }
  const seconds = () => Math.floor(Date.now() / 1000)
  await asks(
    `/alerts add live upcoming progress ending graduated creator:${creator}`,
    /alerts added/u,
  )
  const token = world.announce(chain, {
    name: 'Kestrel Cove',
    symbol: 'KESTREL',
    description: 'A harbour for small boats, and a wind that is always from the west.',
    creator: creator,
    startsAt: seconds() + 25,
    endsAt: seconds() + 7_200,
    startPrice: 0.000_012,
    price: 0.000_012,
    priceBefore: 0.000_012,
    supply: 1e9,
    toSell: 5e8,
    pace: 0,
  } satisfies TokenChange)
  await pictures(/Upcoming: Kestrel/u, 'incoming')
  await pictures(/Live now: Kestrel/u, 'live')
  world.change(token, { sold: 0.26 })
  await pictures(/% sold: Kestrel/u, 'progress')
  await asks(`/alerts add price move:10 asset:${token.address}`, /10%/u)
  await page.waitForTimeout(lookPause)
  world.change(token, { sold: 0.35 })
  await pictures(/Price ▲ .*Kestrel/u, 'price')
  await asks(`/alerts add mcap above:26k asset:${token.address}`, /26,000/u)
  await page.waitForTimeout(lookPause)
  world.change(token, { sold: 0.45 })
  await pictures(/Market cap above.*Kestrel/u, 'mcap')
  world.change(token, { endsAt: seconds() + 1_790 })
  await pictures(/Ending soon.*Kestrel/u, 'ending')
  world.end(token, 'graduated')
  await pictures(/Graduated: Kestrel/u, 'graduated')
  const hour = new Date().getUTCHours()
  await asks(`/alerts add digest hour:${hour}`, /summary/u)
  // As if the bot had last summed up a day ago.
  const memory = JSON.stringify({ date: new Date(Date.now() - day).toISOString().slice(0, 10) })
  await inDatabase(sandbox.database, (file) =>
    file.prepare("update rules set memory = ? where kind = 'digest'").run(memory),
  )
  await pictures(/Top movers/u, 'digest')
  await asks('/alerts', /Your alerts/u)
  await pictures(/Your alerts/u, 'list')
}

async function inDatabase(
  path: string,
  change: (file: Database.Database) => unknown,
): Promise<void> {
  const file = new Database(path)
  try {
    await change(file)
  } finally {
    file.close()
  }
}

const hour = 3_600
const points = 48
const maxTurns = 5
/** Milliseconds in which a card has surely come. */
const answerPause = 5_000

/** Follows one asset from its card, and keeps pictures of the card, of its switches, and of an alert on Discord. */
export async function pictureFollow(page: Page, sandbox: Sandbox, keep: Keep): Promise<void> {
  await recorded(page, sandbox)
  const visitor = new Visitor(page)
  const pictured = () => visitor.last.locator('.pictures img')
  // A card that has to wait long for its picture comes without; the next one has it.
  for (let asked = 0; asked < maxTurns && !(await pictured().isVisible()); asked += 1) {
    await visitor.says(`/asset ${showcaseAddresses.moonOtter}`)
    await page.waitForTimeout(answerPause)
  }
  await pictured().waitFor()
  await keep(visitor.last, 'alerts-card.png')
  await visitor.presses('Alerts')
  await visitor.sees('No alerts for this token yet')
  await visitor.presses('Ending')
  await visitor.sees('before')
  await visitor.presses('Graduated')
  await visitor.sees('Moon Otter graduates')
  await keep(visitor.last, 'alerts-follow.png')
  const discord = page.locator('[data-panel=discord]')
  await discord.getByRole('button', { name: 'otter-news' }).click()
  const alert = discord.locator('.card').filter({ hasText: 'Live now' }).last()
  await alert.waitFor({ timeout: 60_000 })
  await keep(alert, 'alerts-discord.png')
}

/** As if the bot had looked on for two days. */
async function recorded(page: Page, { api, database }: Sandbox): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const asset = showcaseAddresses.moonOtter
  const price = api.world.tokens.find(({ address }) => address === asset)?.price ?? 1
  const history = Array.from({ length: points }, (_, index) => ({
    at: now - (points - index) * hour,
    price: (price * (0.5 + index / 96 + Math.sin(index / 4) / 20)).toFixed(9),
  }))
  await inDatabase(database, async (file) => {
    const update = file.prepare('update watched_assets set history = ? where lower(asset) = ?')
    const row = [JSON.stringify(history), asset.toLowerCase()]
    while (update.run(...row).changes === 0) await page.waitForTimeout(500)
  })
}
