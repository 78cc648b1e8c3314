import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Services } from '../../../commands/services.ts'
import { kindIds, kinds } from '../../../src/alerts/kinds/list.ts'
import { type OpenedAlerts, openAlerts } from '../../../src/alerts/open.ts'
import { AssetCards, ShownCards } from '../../../src/cards/asset-card.ts'
import { Authenticity } from '../../../src/cards/authenticity.ts'
import { chainById } from '../../../src/chain/chains.ts'
import type { Adapter } from '../../../src/core/adapter.ts'
import { localise } from '../../../src/core/catalogue.ts'
import { PlatformHealth } from '../../../src/core/platform-health.ts'
import type { View } from '../../../src/core/view.ts'
import { ChatSettings } from '../../../src/db/chat-settings.ts'
import { PendingQuestions } from '../../../src/db/pending-questions.ts'
import { Watchlists } from '../../../src/db/watchlists.ts'
import { renderDiscord } from '../../../src/discord/render.ts'
import { createLogger } from '../../../src/log.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { commandSettings, noJobs } from '../../settings.ts'
import { chain, key, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'
import { defaultTables } from '../../unit/api/server.ts'
import { dispatch } from '../../unit/commands/bot.ts'
import { Talk } from '../../unit/commands/talk.ts'
import { memoryCallbacks } from '../../unit/core/memory-callbacks.ts'
import { shown } from '../../unit/views/shown.ts'

const day = 86_400
const patience = { timeout: 20_000, interval: 20 }

/** Every message that was sent, with the id of the person that got it. */
const messages: { to: string; view: View }[] = []
const adapter: Adapter = {
  name: 'telegram',
  platform: telegram,
  localeOf: () => 'en',
  send: async ({ id }, view) => ({ message: String(messages.push({ to: id, view })) }),
  edit: async () => undefined,
  msUntilSlot: () => 0,
  waiting: () => ({ edit: 0, answer: 0, background: 0 }),
  gap: () => 0,
  startSpacing: 0,
  isMember: async () => true,
  manages: async () => true,
  title: async () => undefined,
  receivers: [],
  webhook: undefined,
  start: async () => undefined,
  stop: async () => undefined,
  state: () => 'connected',
  health: new PlatformHealth({
    platform: 'telegram',
    log: createLogger('silent', []),
    isAnswered: () => true,
  }),
}

let harness: WatcherHarness
let opened: OpenedAlerts
let tasks: { stop(): Promise<void> }[]
let services: Services
/** An asset that was there before anybody subscribed. */
let asset: string

/** Somebody in a private chat, called as the kind that they follow. */
function person(id: string): Talk {
  const chat = { user: id, chat: id, isPrivate: true, ephemeral: true, locale: 'en' } as const
  return new Talk({ bot: dispatch(services) }, { platform: telegram, ...chat })
}

function addLine(id: (typeof kindIds)[number], options = ''): string {
  const about = kinds[id].assets === 'one' ? ` asset:${asset} chain:base` : ''
  return `alerts add ${id}${about}${options}`
}

/** One poll, and time enough for what it found to be sent. */
async function polled(): Promise<void> {
  await harness.polled(opened)
  harness.ahead += 5
}

/** Subscribes a person to each kind with its default setting; then everything happens that can happen to an asset. */
beforeAll(async () => {
  harness = await WatcherHarness.start({ population: 20 })
  const { store, units, world, server } = harness
  opened = openAlerts({
    store,
    api: {
      baseUrl: server.baseUrl,
      key,
      ...defaultTables,
      chains: [chain],
    },
    units,
    settings: { interval: 0.05, perChat: 30 },
    links: [],
    pictures: undefined,
    adapters: { telegram: adapter, discord: undefined },
    log: createLogger('debug', [], harness.log),
    now: () => harness.now() * 1000,
  })
  services = {
    api: harness.api,
    fakes: new Authenticity({ api: harness.api }),
    ...commandSettings,
    chains: [chainById(chain)],
    cards: new AssetCards({ units, pictures: undefined, now: harness.now }),
    launches: undefined,
    chatSettings: new ChatSettings(harness.store),
    shownCards: new ShownCards(),
    watchlists: new Watchlists(harness.store),
    admin: { context: { store: harness.store, now: harness.now, jobs: noJobs }, admins: [] },
    questions: new PendingQuestions(harness.store, harness.now),
    alerts: opened.alerts,
    now: harness.now,
  }
  tasks = [opened.startWatcher(), opened.startDigest(), opened.startNotifier(adapter)]
  const traded = world.announce(chain, { price: 1, volume: 1000, liquidity: 1000 })
  asset = traded.address.toLowerCase()
  await polled()
  for (const id of kindIds) {
    expect(shown(await person(id).says(addLine(id)))[0]).toBe('✅ Alert added')
  }
  await vi.waitFor(async () => {
    const remembered = await store.selectFrom('rules').select('memory').execute()
    expect(remembered.filter(({ memory }) => memory !== '').length).toBeGreaterThan(0)
  }, patience)
  await polled()
  const token = world.announce(chain, { startsAt: harness.now() + 60 })
  await polled()
  world.change(token, { status: 'live' })
  await polled()
  for (const each of [token, traded]) {
    world.change(each, { sold: 0.6, price: 3, volume: 5_000_000, liquidity: 5_000_000 })
  }
  await polled()
  harness.ahead += token.endsAt - harness.now() - 1800
  await polled()
  world.end(token, 'graduated')
  await polled()
  // The time until nine may be a whole day: what is useful for a day must be sent before.
  await vi.waitFor(() => {
    harness.ahead += 1
    expect(messages.map(({ to }) => to)).toContain('graduated')
  }, patience)
  // The daily summary is due at nine.
  const nine = 9 * 3600
  harness.ahead += day - ((harness.now() - nine) % day) + 60
  await polled()
}, 60_000)

afterAll(async () => {
  await Promise.all(tasks.map((task) => task.stop()))
  await opened.close()
  await harness.stop()
})

describe.each(kindIds)('%s', (id) => {
  test('is accepted, stored, detected, matched and sent, and notifies of nothing else', async () => {
    const sent = () => messages.filter(({ to }) => to === id).map(({ view }) => view)
    await vi.waitFor(() => {
      harness.ahead += 1
      const cause = 'is no step of beforeAll its event, or does trimmedAssetSchema lack its field?'
      expect(sent(), `nobody was notified: ${cause}`).not.toEqual([])
    }, patience)
    const events = await harness.store
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.event_id')
      .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
      .select('events.kind')
      .where('chats.chat', '=', id)
      .execute()
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set([id]))
    for (const view of sent()) {
      const { text } = await renderTelegram(localise(view, 'en'), memoryCallbacks())
      const { components } = await renderDiscord(localise(view, 'en'), memoryCallbacks())
      expect(text + JSON.stringify(components)).not.toMatch(/undefined|NaN|\[object/u)
    }
  })

  test('is offered with presets and an example, all of which can be added, and changed to', async () => {
    const ada = person(`${id} presets`)
    const offer = await ada.says(addLine(id).replace('add', 'choose'))
    const add = (offer.buttons ?? [])
      .flat()
      .flatMap((button) => ('line' in button ? button.line : []))
    const lines = [
      ...add.filter((line) => line.startsWith(`alerts add ${id}`)),
      addLine(id, ` ${kinds[id].example()}`),
    ]
    for (const line of lines)
      expect(shown(await ada.says(line))[0]).toMatch(/Alert added|Nothing new/u)
    const changer = person(`${id} changes`)
    await changer.says(addLine(id))
    const change = await changer.says(`alerts change ${await changer.firstId()}`)
    const [presets = []] = change.buttons ?? []
    for (const button of presets) {
      if (!('line' in button) || !button.line.startsWith('alerts change')) continue
      const line = button.line.replace(/#\d+/u, await changer.firstId())
      expect(shown(await changer.says(line))[0]).toBe('✅ Updated')
    }
  })

  test('has a setting that its options make again', () => {
    const { settingFrom, optionsFrom, setting, id: name } = kinds[id]
    const made = settingFrom({})
    expect(setting.parse(JSON.parse(JSON.stringify(made)))).toEqual(made)
    expect(settingFrom(optionsFrom(made))).toEqual(made)
    expect(name).toBe(id)
  })
})
