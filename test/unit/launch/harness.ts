import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { addressOf } from '../../../sandbox/api/token.ts'
import type { LocalChain } from '../../../sandbox/chain/chain.ts'
import { moduleEntries } from '../../../sandbox/chain/modules.ts'
import { KuboServer } from '../../../sandbox/ipfs/kubo.ts'
import { Api } from '../../../src/api/client.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { modulesSchema } from '../../../src/chain/airlock/modules-setting.ts'
import { chainById, type Launcher } from '../../../src/chain/chains.ts'
import { ChainNode } from '../../../src/chain/node.ts'
import type { ChatAddress, SendError } from '../../../src/core/adapter.ts'
import type { Context, Platform } from '../../../src/core/command.ts'
import type { View } from '../../../src/core/view.ts'
import type { Store } from '../../../src/db/schema.ts'
import { discord } from '../../../src/discord/platform.ts'
import { EmbeddedQueue } from '../../../src/jobs/embedded.ts'
import type { Answers, Draft, Drafts } from '../../../src/launch/draft.ts'
import { type Picture, readPicture } from '../../../src/launch/image.ts'
import { apiPublisher, kuboPublisher, kuboReader } from '../../../src/launch/ipfs.ts'
import { Launches, type LaunchParts } from '../../../src/launch/launches.ts'
import { checkMetadata } from '../../../src/launch/metadata.ts'
import type { Pictures } from '../../../src/launch/pictures.ts'
import type { LaunchSettings } from '../../../src/launch/settings.ts'
import { createLogger } from '../../../src/log.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { assetView } from '../../../src/views/asset.ts'
import { freshness } from '../../../src/views/facts.ts'
import { TestDatabase } from '../../database.ts'
import { defaultTables } from '../api/server.ts'
import { LogBook } from '../core/log-book.ts'
import { confirmLineOf, lineOf, linkToken, textOf } from './view-reading.ts'

const key = 'an-api-key-for-tests'

export const chainId = 8453
export const launcher: Launcher = {
  to: '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12',
  airlock: '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12',
}

/** The first account of the local chain, which is who signs here. */
export const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** For how many days drafts are kept after their end, by default. */
export const kept = { drafts: 90, launches: 365 }

export const ada: Context = {
  platform: telegram,
  user: '7',
  chat: '7',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
}
export const bob: Context = { ...ada, user: '8', chat: '8' }

export const answers: Answers = {
  chain: chainId,
  template: 'sandbox-standard',
  name: 'Moon Otter',
  symbol: 'OTTER',
  description: 'Night patrols on three rivers.',
  picture: null,
  links: [],
  categories: [],
  wallet,
  feeReceiver: null,
  vesting: [],
  beneficiaries: [],
}

interface LaunchHarnessOptions {
  chain?: LocalChain
  /** Without it there is no node. */
  rpcUrl?: string
  settings?: Partial<LaunchSettings>
}

interface BotOptions {
  settings?: Partial<LaunchSettings>
  canPublish?: boolean
  /** Whether the API publishes pictures, and nothing reads them back; else the Kubo node does. */
  publishesByApi?: boolean
  /** Whether the operator set up Telegram. */
  hasTelegram?: boolean
}

/** A message that was sent without being asked for. */
interface Sent {
  to: ChatAddress
  view: View
  key: string
}

interface Running {
  queue: EmbeddedQueue
  store: Store
  api: Api
  close(): Promise<void>
}

/** Launches with all that they need: a database file, the stand-ins, and a chain where one is given. */
export class LaunchHarness {
  readonly apiServer: ApiServer
  readonly kubo: KuboServer
  readonly sent: Sent[] = []
  /** Messages that were changed; each key is the message's id. */
  readonly edited: Sent[] = []
  readonly log = new LogBook()
  /** Whether the group knows the person. */
  member = true
  /** How often it was asked who is in a group. */
  membersAsked = 0
  /** What the next sends come to. */
  readonly refusals: SendError[] = []
  /** Seconds by which the clock is ahead. */
  ahead = 0
  readonly #database: TestDatabase
  readonly #options: LaunchHarnessOptions
  readonly #bots: Running[] = []

  private constructor(
    apiServer: ApiServer,
    kubo: KuboServer,
    database: TestDatabase,
    options: LaunchHarnessOptions,
  ) {
    this.apiServer = apiServer
    this.kubo = kubo
    this.#database = database
    this.#options = options
  }

  /** Starts a harness that is stopped after the test. */
  static async start(options: LaunchHarnessOptions = {}): Promise<LaunchHarness> {
    const { chain } = options
    const local = chain ? [{ ...chain, launcher }] : []
    const kubo = await KuboServer.start()
    const apiServer = await ApiServer.start({ key, local, ipfs: kubo })
    const harness = new LaunchHarness(apiServer, kubo, await TestDatabase.onSqlite(), options)
    onTestFinished(() => harness.#stop())
    return harness
  }

  async #stop(): Promise<void> {
    for (const bot of this.#bots) await this.#close(bot)
    await this.apiServer.stop()
    await this.kubo.stop()
    await this.#database.remove()
  }

  now = () => Math.floor(Date.now() / 1000) + this.ahead

  /** A bot of its own over the same file, as after a restart. */
  async bot({
    settings = {},
    canPublish = true,
    publishesByApi = false,
    hasTelegram = true,
  }: BotOptions = {}) {
    const { now } = this
    const log = createLogger('info', [], this.log)
    const store = await this.#database.open()
    const api = new Api({
      baseUrl: this.apiServer.baseUrl,
      key,
      ...defaultTables,
      chains: [chainId, 84532],
      log,
      cacheMs: 0,
      deadlineMs: 3000,
      breakAfter: 100,
      retryPauseMs: 1,
    })
    const queue = new EmbeddedQueue({ store, log, now, pause: () => 0 })
    const publisher = publishesByApi
      ? apiPublisher(api, undefined)
      : kuboPublisher({ url: this.kubo.url, deadlineMs: 3000 })
    const reader = kuboReader({ url: this.kubo.url })
    const card: LaunchParts['card'] = (read, chain) =>
      assetView({
        asset: read.value,
        chain,
        units: defaultUnits,
        freshness: freshness(read, now()),
      })
    const launches = new Launches({
      settings: { ...this.#settings(), ...settings },
      chains: [chainById(chainId), chainById(84532)],
      store,
      queue,
      api,
      nodes: this.#nodes(),
      publisher: canPublish
        ? publisher
        : Object.create(publisher, { isAvailable: { value: false } }),
      units: defaultUnits,
      checkMetadata: (uri, typed, supply) => checkMetadata(reader, uri, typed, { supply }),
      card,
      pictured: async (read, chain) => card(read, chain),
      adapters: {
        telegram: hasTelegram ? this.#adapter(telegram) : undefined,
        discord: this.#adapter(discord),
      },
      log,
      now,
    })
    const { drafts, payloads, pictures, conversation, notices, watch, signingService } = launches
    const close = async () => {
      await publisher.close()
      await reader.close()
    }
    this.#bots.push({ queue, store, api, close })
    /** Runs a button's line. */
    const press = (line: string, context = ada) =>
      launches.press(line, context, async () => undefined)
    /** Presses the button of a view with this label. */
    const presses = (view: View, label: string, context = ada) =>
      press(lineOf(view, label), context)
    return {
      store,
      queue,
      api,
      launches,
      drafts,
      payloads,
      pictures,
      conversation,
      notices,
      watch,
      signingService,
      press,
      presses,
      /** Presses Confirm under the review of this draft. */
      confirm: (draft: Draft, context = ada) =>
        press(confirmLineOf(conversation.review(draft)), context),
      /** Revokes the payload of this view. */
      revoke: async (view: View) =>
        presses(await presses(view, 'Cancel this launch…'), 'Cancel this launch'),
      /** Returns the draft as it is stored now. */
      stored: async ({ id }: Pick<Draft, 'id'>): Promise<Draft> => {
        const draft = await drafts.find(id)
        if (!draft) throw new Error(`no draft ${id}`)
        return draft
      },
    }
  }

  /** Confirms a draft with these changes, whose payload is then handed out. */
  async handed(changes: Partial<Draft> = {}, to?: Bot) {
    const bot = to ?? (await this.bot())
    const draft = await this.draft(bot, changes)
    const view = await bot.confirm(draft)
    const payload = await bot.payloads.active(draft.id)
    if (!payload) throw new Error(textOf(view))
    return { bot, draft, view, payload }
  }

  /** Does the same, and returns the token of the signing link, too. */
  async linked(changes: Partial<Draft> = {}, to?: Bot) {
    const given = await this.handed(changes, to)
    return { ...given, token: linkToken(given.view) }
  }

  /** A draft with all its answers, as it stands at the review. */
  async draft(
    bot: { drafts: Drafts },
    changes: Partial<Draft> = {},
    context = ada,
  ): Promise<Draft> {
    const { drafts } = bot
    const begun = await drafts.begin(context, { origin: changes.origin, goal: 'launch' })
    return drafts.save({ ...begun, answers, ...changes })
  }

  /** A picture of one colour, as it is after re-encoding, kept in the store. */
  async picture(bot: { pictures: Pictures }): Promise<Picture> {
    const background = { r: 20, g: 120, b: 90 }
    const create = { width: 300, height: 300, channels: 3 as const, background }
    const picture = await readPicture(await sharp({ create }).png().toBuffer())
    await bot.pictures.keep(picture)
    return picture
  }

  /** How often the API was asked to upload and to build. */
  get calls(): { uploads: number; builds: number } {
    const count = (path: string) =>
      this.apiServer.requests.filter((each) => each.path === path).length
    return { uploads: count('/ipfs/upload-metadata'), builds: count('/auction-templates') }
  }

  #nodes(): ReadonlyMap<number, ChainNode> {
    const { chain, rpcUrl = chain?.rpcUrl } = this.#options
    if (rpcUrl === undefined) return new Map()
    const node = new ChainNode({ rpcUrl, chainId, timeoutMs: 3000, retryPauseMs: 1 })
    return new Map([[chainId, node]])
  }

  #settings(): LaunchSettings {
    return {
      templates: ['sandbox-standard', 'sandbox-hook', 'sandbox-dynamic'].map((id) => ({
        id,
        label: id,
        chain: chainId,
        openShare: id === 'sandbox-dynamic' ? '0' : '95',
        // Of an auction's fees the integrator gets most.
        ...(id === 'sandbox-dynamic' && {
          expects: { shares: [], integrator: addressOf('integrator of the sandbox') },
        }),
      })),
      modules: modulesSchema.parse({ [chainId]: moduleEntries }),
      launchers: { [chainId]: launcher },
      symbol: { pattern: /^[A-Za-z0-9]{1,15}$/u },
      integrator: undefined,
      publicUrl: 'https://bot.example',
      signingUrlTemplate: undefined,
      ...this.#options.settings,
    }
  }

  /** Where the private chat is. */
  chatUrl: string | undefined

  #adapter(platform: Platform) {
    const chatUrl = () => this.chatUrl
    return {
      platform,
      get chatUrl() {
        return chatUrl()
      },
      send: async (to: ChatAddress, view: View, name: string) => {
        const refusal = this.refusals.shift()
        if (refusal) throw refusal
        this.sent.push({ to, view, key: name })
        return { message: String(this.sent.length) }
      },
      edit: async (to: ChatAddress, message: string, view: View) => {
        const refusal = this.refusals.shift()
        if (refusal) throw refusal
        this.edited.push({ to, view, key: message })
      },
      localeOf: () => 'en' as const,
      isMember: async () => {
        this.membersAsked += 1
        return this.member
      },
    }
  }

  async #close(bot: Running): Promise<void> {
    await bot.queue.stop()
    await bot.close()
    await bot.api.close()
  }
}

/** What `LaunchHarness.bot` gives. */
export type Bot = Awaited<ReturnType<LaunchHarness['bot']>>
