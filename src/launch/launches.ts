import type { Api, Read } from '../api/client.ts'
import { figuresOf } from '../api/figures.ts'
import type { Asset, TokenMetadata } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import type { Chain } from '../chain/chains.ts'
import { nameExample, resolveName } from '../chain/names.ts'
import type { ChainNode } from '../chain/node.ts'
import { defaultLocale, type Locale } from '../core/catalogue.ts'
import type { Context, ShowProgress } from '../core/command.ts'
import { withTimeout } from '../core/task.ts'
import type { Span, View } from '../core/view.ts'
import type { Store } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { saleSpans } from '../views/facts.ts'
import { Builder } from './build.ts'
import { launchedToken, quoteUsd } from './check-built.ts'
import { LaunchConversation } from './conversation.ts'
import { type Draft, Drafts, type DraftsKept } from './draft.ts'
import { feesReader } from './fees.ts'
import { HandOff, type LaunchedCard, noSuchLaunch, signingPageOf } from './handoff.ts'
import { parseCid } from './image.ts'
import type { Publisher } from './ipfs.ts'
import { type NoticeAdapters, Notices } from './notices.ts'
import { type Payload, Payloads } from './payload.ts'
import { Pictures } from './pictures.ts'
import type { LaunchSettings } from './settings.ts'
import { SigningService } from './signing.ts'
import { logStep } from './step-log.ts'
import { TemplateList } from './templates.ts'
import { Tickers } from './tickers.ts'
import type { Check } from './verdict.ts'
import { uploadedView } from './views/build.ts'
import { type ListedLaunch, launchesView } from './views/list.ts'
import { Watch } from './watch.ts'

/** The dependencies of launches. */
export interface LaunchParts {
  settings: LaunchSettings
  chains: readonly Chain[]
  store: Store
  queue: Queue
  api: Api
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  publisher: Publisher
  /** Units of the API's figures. */
  units: Units
  /** Reads what a token URI names and compares it with the upload. */
  checkMetadata: (uri: string, typed: TokenMetadata, supply: bigint) => Promise<Check['metadata']>
  /** Makes the card of an asset. */
  card: (read: Read<Asset>, chain: Chain) => View
  /** Makes the card with its picture in a language, for a token that was launched. */
  pictured: (read: Read<Asset>, chain: Chain, locale: Locale, show?: ShowProgress) => Promise<View>
  adapters: NoticeAdapters
  log: Logger
  /** Unix seconds. */
  now: () => number
}

const maxListed = 10
/** Milliseconds to wait for how an auction stands, which a list can do without. */
const saleTimeoutMs = 2_000

/** Everything about launches: what commands and the signing page call, and what they are made of. */
export class Launches {
  readonly drafts: Drafts
  readonly payloads: Payloads
  readonly pictures: Pictures
  readonly conversation: LaunchConversation
  readonly notices: Notices
  readonly watch: Watch
  readonly signingService: SigningService
  readonly #builder: Builder
  readonly #handOff: HandOff
  readonly #log: Logger
  readonly #saleOf: (payload: Payload) => Promise<Span[] | undefined>

  /** The queue's handlers are registered when this returns. */
  constructor(parts: LaunchParts) {
    const { chains, store, api, publisher, now } = parts
    this.#log = parts.log
    const served = chains.map(({ id }) => id)
    const templates = new TemplateList({ ...parts, chains: served })
    this.drafts = new Drafts(store, now)
    this.payloads = new Payloads(store, now)
    this.pictures = new Pictures(store, now)
    const { drafts, payloads, pictures } = this
    this.conversation = new LaunchConversation({
      drafts,
      templates,
      pictures,
      publisher,
      api,
      tickers: new Tickers(parts),
      lookUpName: (name, chain) => resolveName(name, { nodes: parts.nodes, chain }),
      nameExample: nameExample(parts.nodes),
      hasNamedOptions: (platform) => parts.adapters[platform]?.platform.namedOptions ?? false,
      card: parts.card,
      hasActivePayload: async (draft) => (await payloads.active(draft)) !== undefined,
      log: parts.log,
    })
    const signingPage = signingPageOf(parts.settings)
    const card = cardOf(parts, drafts)
    this.notices = new Notices({
      ...parts,
      drafts,
      payloads,
      card,
      hasPage: signingPage !== undefined,
    })
    this.#saleOf = saleReader(parts)
    const { conversation, notices } = this
    this.watch = new Watch({ ...parts, drafts, payloads, notices })
    const fees = feesReader({ ...parts, drafts })
    this.#handOff = new HandOff({
      payloads,
      signingPage,
      card,
      fees,
      refresh: (payload) => this.watch.refresh(payload),
      log: parts.log,
      now,
    })
    this.#builder = new Builder({
      ...parts,
      templates,
      drafts,
      payloads,
      pictures,
      conversation,
      watch: this.watch,
      handOff: this.#handOff,
      launched: (chain, token) => launchedToken(api, chain, token),
      usd: (chain, quote) => quoteUsd({ api, units: parts.units }, chain, quote),
    })
    const publicRpcUrls = new Map(
      chains.flatMap(({ id, publicRpcUrl }) => (publicRpcUrl ? [[id, publicRpcUrl] as const] : [])),
    )
    const { watch } = this
    this.signingService = new SigningService({
      ...parts,
      drafts,
      payloads,
      pictures,
      notices,
      watch,
      publicRpcUrls,
    })
  }

  /**
   * Runs a button's line: the action, the draft (with `.rev` if it is for one state of it only) or payload, and
   * arguments, as in `confirm k3f9a2bc.12`.
   * @throws UserError if this person has no such draft or payload, or it is too late for the action
   */
  async press(line: string, context: Context, show: ShowProgress): Promise<View> {
    const [action = '', at = '', ...words] = line.split(' ')
    if (this.conversation.has(action)) return this.conversation.step(action, at, words, context)
    const [id = '', rev = ''] = at.split('.')
    const builder = this.#builder
    switch (action) {
      case 'confirm':
        return builder.confirm(
          await this.#draft(id, context),
          { rev, terms: words[0] },
          context,
          show,
        )
      case 'unverified':
        return builder.unverified(await this.#draft(id, context), rev, context, show)
      case 'continue':
        return builder.continue(await this.#draft(id, context), show)
      case 'rebuild':
        return builder.rebuild(await this.#draft(id, context), context, words[0])
      case 'again':
        return this.conversation.again(await this.#draft(id, context), context)
      case 'uploaded':
        return uploadedView(await this.#draft(id, context))
    }
    const payload = await this.payloads.find(id)
    if (!payload) throw noSuchLaunch()
    const draft = await this.#draft(payload.draft, context)
    return this.#handOff.press(action, payload, draft, words, show)
  }

  /**
   * Finds a person's launched payload, and the group where its draft began.
   * @throws UserError if they have no such launch
   */
  async launched(
    id: string,
    context: Context,
  ): Promise<{ payload: Payload; origin: string | undefined }> {
    const payload = await this.payloads.find(id)
    if (payload?.state !== 'launched') throw noSuchLaunch()
    const { origin } = await this.#draft(payload.draft, context)
    return { payload, origin }
  }

  /** Lists a person's last launches, each with its next step; shows the only one at once. */
  async list(context: Context, show?: ShowProgress): Promise<View> {
    const mine = await this.drafts.list(context, maxListed)
    const listed = mine.map(async (draft) => {
      const built = await this.payloads.ofDraft(draft.id)
      return { draft, payload: built.find(({ state }) => state === 'launched') ?? built[0] }
    })
    const all = await Promise.all(listed)
    const [only] = all
    const view = only && all.length === 1 ? await this.#opened(only, context, show) : undefined
    if (view) return view
    return launchesView(
      await Promise.all(all.map(async (each) => ({ ...each, sale: await this.#sale(each) }))),
    )
  }

  /** How the auction of a launched token stands; undefined if the API doesn't say so soon. */
  #sale({ payload }: Pick<ListedLaunch, 'payload'>): Promise<Span[] | undefined> {
    return payload?.state === 'launched' ? this.#saleOf(payload) : Promise.resolve(undefined)
  }

  /** The view behind the button of a listed launch; undefined if the button does more than show something. */
  async #opened(
    { draft, payload }: ListedLaunch,
    context: Context,
    show: ShowProgress | undefined,
  ): Promise<View | undefined> {
    if (draft.state === 'open') return this.conversation.begin(context, { goal: draft.goal })
    if (draft.state === 'done') return uploadedView(draft)
    if (payload?.state !== 'active' && payload?.state !== 'launched') return undefined
    return this.#handOff.press('show', payload, draft, [], show)
  }

  /**
   * Expires drafts that were untouched for a week, notifying their owners, and deletes old drafts with their payloads
   * and unused pictures.
   * @returns how many drafts ended and how many pictures went
   */
  async prune(days: DraftsKept): Promise<{ drafts: number; pictures: number }> {
    const expired = await this.drafts.expireOld()
    for (const draft of expired) {
      logStep(this.#log, { draft: draft.id, step: 'draft', outcome: 'expired' })
      await this.notices.draftExpired(draft)
    }
    const deleted = await this.drafts.prune(days)
    await this.payloads.prune()
    return { drafts: expired.length + deleted, pictures: await this.pictures.prune() }
  }

  /** The bytes of a picture that was published from here, by a link to it on IPFS; undefined for another. */
  async storedPicture(url: string): Promise<Uint8Array | undefined> {
    const cid = parseCid(url)
    return cid === undefined ? undefined : (await this.pictures.find(cid))?.bytes
  }

  async #draft(id: string, { platform, user }: Context): Promise<Draft> {
    const draft = await this.drafts.find(id)
    // Somebody else's draft is treated as one that doesn't exist.
    if (draft?.platform === platform.name && draft.person === user) return draft
    throw noSuchLaunch()
  }
}

/** A launch is reported without its card if there is none. */
function cardOf(
  { api, chains, pictured, adapters, log }: LaunchParts,
  drafts: Drafts,
): LaunchedCard {
  return async ({ token, chain: id, draft: draftId }, show, to) => {
    const chain = chains.find((each) => each.id === id)
    if (token === undefined || !chain) return undefined
    try {
      const [read, draft] = await Promise.all([api.asset(token, id), drafts.find(draftId)])
      const locale =
        draft && adapters[draft.platform]?.localeOf(to ?? { kind: 'person', id: draft.person })
      return await pictured(read, chain, locale ?? defaultLocale, show)
    } catch (error) {
      log.debug({ err: error }, 'no card of a launched token')
      return undefined
    }
  }
}

/** Reads how an auction stands. Lists don't wait long for it. */
function saleReader({ api, chains, units, now }: LaunchParts) {
  return async ({ token, chain: id }: Payload): Promise<Span[] | undefined> => {
    const chain = chains.find((each) => each.id === id)
    if (token === undefined || !chain) return undefined
    try {
      const read = await withTimeout(api.asset(token, id), saleTimeoutMs)
      return read && saleSpans(read.value, figuresOf(read.value, units), chain, now())
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }
}
