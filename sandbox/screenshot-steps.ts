import Database from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import { showcaseAddresses } from './interface/showcase.ts'
import type { TokenChange } from './interface/world.ts'
import type { Sandbox } from './sandbox.ts'

/** Keeps a picture of what is seen under a name. */
export type Keep = (seen: Page | Locator, name: string) => Promise<void>

const token = 'name: River Heron\nsymbol: HERONRY\ndescription: Stands in rivers.'

/** A person in the console's Telegram panel. */
class Visitor {
  readonly panel: Locator

  constructor(page: Page) {
    this.panel = page.locator('[data-panel=telegram]')
  }

  async says(words: string): Promise<void> {
    const box = this.panel.getByLabel('Message', { exact: true })
    await box.fill(words)
    await box.press('Enter')
  }

  async sees(words: string): Promise<void> {
    await this.panel.locator('.other').last().getByText(words).first().waitFor()
  }

  async presses(label: string): Promise<void> {
    const keys = this.panel.locator('.other').last().locator('.button')
    await keys.filter({ hasText: label }).first().click()
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
  await visitor.sees('Question 1')
  await visitor.presses('Standard')
  await visitor.sees('Question 2')
  await visitor.says(token)
  await visitor.sees('Question 5')
  const sample = await fetch(`${sandbox.consoleUrl}/sample.png`)
  const buffer = Buffer.from(await sample.arrayBuffer())
  const file = { name: 'heron.png', mimeType: 'image/png', buffer }
  await visitor.panel.getByLabel('Attach a file').setInputFiles(file)
  await visitor.sees('This is how it will look')
  await keep(visitor.panel, 'launch-picture.png')
  await visitor.presses('Use it')
  await visitor.sees('Question 6')
  await visitor.presses('Skip')
  await visitor.sees('Question 7')
  await visitor.presses('Skip')
  await visitor.sees('Question 8')
  await visitor.says(wallet.address)
  await visitor.sees('Question 9')
  await visitor.presses('The same wallet')
  await visitor.sees('Question 10')
  await visitor.presses('Skip')
  await visitor.sees('Question 11')
  await visitor.presses('Skip')
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
  await page.getByText('The token is on the chain').waitFor()
}

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

const hour = 3_600
const points = 48
const maxTurns = 5
/** Milliseconds in which a card has surely come. */
const answerPause = 5_000

/** Follows one asset from its card, and keeps pictures of the card, of its switches, and of an alert on Discord. */
export async function pictureFollow(page: Page, sandbox: Sandbox, keep: Keep): Promise<void> {
  await recorded(page, sandbox)
  const telegram = page.locator('[data-panel=telegram]')
  const last = () => telegram.locator('.other').last()
  const presses = async (label: string) =>
    last().locator('.button').filter({ hasText: label }).first().click()
  const box = telegram.getByLabel('Message', { exact: true })
  const pictured = () => last().locator('.pictures img')
  // A card that has to wait long for its picture comes without; the next one has it.
  for (let context = 0; context < maxTurns && !(await pictured().isVisible()); context += 1) {
    await box.fill(`/asset ${showcaseAddresses.moonOtter}`)
    await box.press('Enter')
    await page.waitForTimeout(answerPause)
  }
  await pictured().waitFor()
  await keep(last(), 'alerts-card.png')
  await presses('Follow')
  await last().getByText('nothing of this asset yet').waitFor()
  await presses('Ending')
  await last().getByText('before the end').first().waitFor()
  await presses('Graduated')
  await last().getByText('Moon Otter graduates').first().waitFor()
  await keep(last(), 'alerts-follow.png')
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
  const file = new Database(database)
  try {
    const update = file.prepare('update watched_assets set history = ? where lower(asset) = ?')
    const row = [JSON.stringify(history), asset.toLowerCase()]
    while (update.run(...row).changes === 0) await page.waitForTimeout(500)
  } finally {
    file.close()
  }
}
