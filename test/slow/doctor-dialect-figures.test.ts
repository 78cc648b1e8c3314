import { expect, onTestFinished, test } from 'vitest'
import { type DialectName, dialects } from '../../sandbox/api/dialects.ts'
import { isHostile } from '../../sandbox/api/invent.ts'
import { ApiServer } from '../../sandbox/api/server.ts'
import { type TokenTruth, truthOf } from '../../sandbox/api/token.ts'
import { eventView } from '../../src/alerts/views/notification.ts'
import { Api } from '../../src/api/client.ts'
import type { Asset } from '../../src/api/schema.ts'
import { type Units, unitsSchema } from '../../src/api/units.ts'
import { chainById } from '../../src/chain/chains.ts'
import { tokenDecimals } from '../../src/chain/node.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { localise } from '../../src/core/catalogue.ts'
import type { View } from '../../src/core/view.ts'
import { renderDiscord } from '../../src/discord/render.ts'
import { doctor } from '../../src/doctor/doctor.ts'
import { type Report, unprovedUnits } from '../../src/doctor/report.ts'
import { renderTelegram } from '../../src/telegram/render.ts'
import { assetView } from '../../src/views/asset.ts'
import { auctionView } from '../../src/views/auction.ts'
import { listView } from '../../src/views/list.ts'
import { silent } from '../unit/api/server.ts'
import { memoryCallbacks } from '../unit/core/memory-callbacks.ts'
import { type Figure, falsehood, figureNames, figuresIn } from '../unit/doctor/shown-figures.ts'

const key = 'a-key-for-dialects'
const chains = '8453,84532'

/** What an operator does: the doctor with the usual settings, its lines pasted, and started again. */
async function settled(server: ApiServer): Promise<{ config: Config; report: Report }> {
  const env = {
    API_BASE_URL: server.baseUrl,
    API_KEY: key,
    TELEGRAM_TOKEN: '4242:telegram-token',
    CHAINS: chains,
  }
  const report = await doctor(doctorSettings(await readConfig(env)), silent)
  const lines = report.settings.map((line) => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  })
  return { config: await readConfig({ ...env, ...Object.fromEntries(lines) }), report }
}

function doctorSettings({ api, chains: ids, launch }: Config) {
  return { ...api, chains: ids, launches: { settings: launch, rpcUrls: {} } }
}

/** The units with the commented line pasted that hides what is not proved. */
function hidingIn({ hiding: [line] }: Report, units: Units): Units {
  return line === undefined ? units : unitsSchema.parse(JSON.parse(line.replace('#API_UNITS=', '')))
}

/** A view as people read it on either platform, without marks and unseen signs. */
async function textsOf(view: View): Promise<string[]> {
  const lines = memoryCallbacks()
  const telegram = (await renderTelegram(localise(view, 'en'), lines)).text
    .replaceAll(/<[^>]+>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
  const contents: string[] = []
  JSON.stringify(await renderDiscord(localise(view, 'en'), lines), (name, value: unknown) => {
    if (name === 'content' && typeof value === 'string') contents.push(value)
    return value
  })
  const discord = contents.join('\n').replaceAll(/\*\*|\\/gu, '')
  return [telegram, discord].map((text) => text.replaceAll('\u2060', ''))
}

interface Place {
  asset: Asset
  chain: number
  config: Config
  now: number
}

/** Everywhere that figures of one asset are read. */
function viewsOf({ asset, chain: id, config, now }: Place): Record<string, View> {
  const { units } = config.api
  const chain = chainById(id)
  const freshness = { fetchedAt: now, stale: false, now }
  const pool = asset.auction_pool?.pool_id ?? asset.asset_address
  return {
    card: assetView({ asset, chain, units, freshness }),
    list: listView({ title: ['Assets'], assets: [asset], chain, units, freshness }),
    auction: auctionView({ auction: {}, pool, chain, freshness, units, asset }),
    'live alert': eventView({ body: { kind: 'live', asset }, chain: id, units, now }),
    'graduation alert': eventView({ body: { kind: 'graduated', asset }, chain: id, units, now }),
  }
}

/** What can't be told, and so is not: it is not there, or nothing says in which of two units it is. */
const leftOut: Partial<Record<DialectName, readonly Figure[]>> = {
  // Six or eight decimals: a hundred times is still of one size.
  usd6: ['marketCap', 'liquidity', 'volume', 'raised', 'min', 'max'],
  usd8: ['price', 'change', 'marketCap', 'liquidity', 'volume', 'raised', 'min', 'max'],
  'tokens-6': ['min'],
  'decimals-unsaid': ['sold', 'toSell'],
  sparse: ['price', 'change', 'volume', 'min'],
  nulls: ['price', 'change', 'volume', 'min'],
  'no-sale-figures': ['sold', 'toSell'],
}

/** The assets of which something can be compared, with what is true of them. */
async function comparable(server: ApiServer, config: Config, name: DialectName) {
  const api = new Api({
    ...config.api,
    chains: config.chains,
    log: silent,
    decimals: tokenDecimals({ nodes: new Map() }),
  })
  try {
    const pages = await Promise.all(
      [8453, 84532].flatMap((chain) =>
        [0, 50].map(async (offset) =>
          (await api.assets({ chain, offset })).value.items.map((asset) => ({ chain, asset })),
        ),
      ),
    )
    return pages.flat().flatMap(({ chain, asset }) => {
      const address = asset.asset_address.toLowerCase()
      const token = server.world.tokens.find((each) => each.address.toLowerCase() === address)
      const isJoke = name === 'hostile' && isHostile(asset.asset_address)
      return token && !isJoke ? [{ chain, asset, token, truth: truthOf(token) }] : []
    })
  } finally {
    await api.close()
  }
}

/** What is read wrongly in a text, and which figures stand there at all. */
function readOf(text: string, truth: TokenTruth): { wrong: string[]; told: Figure[] } {
  const found = figuresIn(text)
  const told = figureNames.filter((figure) => found[figure] !== undefined)
  return {
    told,
    wrong: told.flatMap((figure) => falsehood(figure, found[figure] ?? '', truth) ?? []),
  }
}

test.each(Object.keys(dialects).filter((name): name is DialectName => name in dialects))(
  'of an API with the dialect %s, every shown figure is right',
  async (name) => {
    const server = await ApiServer.start({ key, dialect: dialects[name] })
    onTestFinished(() => server.stop())
    const { config, report } = await settled(server)
    const unproved = unprovedUnits(report).map(({ field }) => field)
    expect(hidingIn(report, config.api.units)).toEqual({
      ...config.api.units,
      ...Object.fromEntries(unproved.map((field) => [field, 'unknown'])),
    })
    const told = new Set<Figure>()
    const wrong: string[] = []
    const now = server.world.now / 1000
    for (const { chain, asset, token, truth } of await comparable(server, config, name)) {
      for (const [place, view] of Object.entries(viewsOf({ asset, chain, config, now }))) {
        for (const text of await textsOf(view)) {
          const read = readOf(text, truth)
          for (const figure of read.told) told.add(figure)
          wrong.push(...read.wrong.map((fault) => `${place} of ${token.symbol}: ${fault}`))
        }
      }
    }
    expect(wrong.slice(0, 5), `${wrong.length} are wrong`).toEqual([])
    expect(figureNames.filter((figure) => !told.has(figure))).toEqual(leftOut[name] ?? [])
  },
)
