import type { Api, Read } from '../api/client.ts'
import type { Asset, TokenMetadata } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { type Chain, chainById } from '../chain/chains.ts'
import { nameExample, resolveName } from '../chain/names.ts'
import type { ChainNode } from '../chain/node.ts'
import type { Context, ShowProgress } from '../core/command.ts'
import { type Block, type Button, type Message, type Span, t, type View } from '../core/view.ts'
import type { Store } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { tokenName, tokenSymbol } from '../views/token.ts'
import { Builder } from './build.ts'
import { LaunchConversation } from './conversation.ts'
import { type Draft, Drafts } from './draft.ts'
import { HandOff, type LaunchedCard, noSuchLaunch, signingPageOf } from './handoff.ts'
import type { Publisher } from './ipfs.ts'
import type { MetadataCheck } from './metadata.ts'
import { type NoticeAdapters, Notices } from './notices.ts'
import { type Payload, Payloads } from './payload.ts'
import { Pictures } from './pictures.ts'
import type { LaunchSettings } from './settings.ts'
import { SigningService } from './signing.ts'
import { quoteUsd } from './verify.ts'
import { boldTitle } from './views/question.ts'
import { launchLine, quiet, text, tokenTitle, uploadedView } from './views/terms.ts'
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
  publisher: Publisher | undefined
  /** Units of the API's figures. */
  units: Units
  /** Reads what a token URI names and compares it with the upload. */
  checkMetadata: (uri: string, typed: TokenMetadata) => Promise<MetadataCheck>
  /** Makes the card of an asset. */
  card: (read: Read<Asset>, chain: Chain) => View
  /** Makes the card with its picture, for a token that was launched. */
  pictured: (read: Read<Asset>, chain: Chain, show: ShowProgress) => Promise<View>
  adapters: NoticeAdapters
  log: Logger
  /** Unix seconds. */
  now: () => number
}

const maxListed = 10
/** Buttons in a row of /launches. */

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

  /** The queue's handlers are registered when this returns. */
  constructor(parts: LaunchParts) {
    const { settings, chains, store, api, publisher, now } = parts
    this.drafts = new Drafts(store, now)
    this.payloads = new Payloads(store, now)
    this.pictures = new Pictures(store, now)
    const { drafts, payloads, pictures } = this
    this.conversation = new LaunchConversation({
      drafts,
      settings,
      pictures,
      canPublish: publisher !== undefined,
      api,
      lookUpName: (name, chain) => resolveName(name, { nodes: parts.nodes, chain }),
      nameExample: nameExample(parts.nodes),
      card: parts.card,
      hasActivePayload: async (draft) => (await payloads.active(draft)) !== undefined,
    })
    const signingPage = signingPageOf(settings)
    const card = cardOf(parts)
    this.notices = new Notices({
      ...parts,
      drafts,
      payloads,
      card,
      hasPage: signingPage !== undefined,
    })
    const { conversation, notices } = this
    this.watch = new Watch({ ...parts, drafts, payloads, notices })
    this.#handOff = new HandOff({ payloads, signingPage, card, now })
    this.#builder = new Builder({
      ...parts,
      drafts,
      payloads,
      pictures,
      conversation,
      watch: this.watch,
      handOff: this.#handOff,
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
        return builder.confirm(await this.#draft(id, context), rev, show)
      case 'unverified':
        return builder.unverified(await this.#draft(id, context), rev, show)
      case 'continue':
        return builder.continue(await this.#draft(id, context), show)
      case 'rebuild':
        return builder.rebuild(await this.#draft(id, context), context, words.includes('anyway'))
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

  /** Lists a person's last launches, each with its next step. */
  async list(context: Context): Promise<View> {
    const mine = await this.drafts.list(context, maxListed)
    const listed = mine.map(async (draft) => {
      const built = await this.payloads.ofDraft(draft.id)
      return { draft, payload: built.find(({ state }) => state === 'launched') ?? built[0] }
    })
    const all = await Promise.all(listed)
    const [only] = all
    const view = only && all.length === 1 ? await this.#opened(only, context) : undefined
    return view ?? launchesView(all)
  }

  /** What the button of a listed launch shows; undefined if it does more than show something. */
  async #opened({ draft, payload }: ListedLaunch, context: Context): Promise<View | undefined> {
    if (draft.state === 'open') return this.conversation.begin(context, { goal: draft.goal })
    if (draft.state === 'done') return uploadedView(draft)
    if (payload?.state !== 'active' && payload?.state !== 'launched') return undefined
    return this.#handOff.press('show', payload, draft, [])
  }

  /**
   * Expires drafts that were untouched for a week, notifying their owners, and deletes old drafts with their payloads
   * and unused pictures.
   * @returns how many drafts ended and how many pictures went
   */
  async prune(): Promise<{ drafts: number; pictures: number }> {
    const expired = await this.drafts.expireOld()
    for (const draft of expired) await this.notices.draftExpired(draft)
    const deleted = await this.drafts.prune()
    await this.payloads.prune()
    return { drafts: expired.length + deleted, pictures: await this.pictures.prune() }
  }

  async #draft(id: string, { platform, user }: Context): Promise<Draft> {
    const draft = await this.drafts.find(id)
    // Somebody else's draft is treated as one that doesn't exist.
    if (draft?.platform === platform.name && draft.person === user) return draft
    throw noSuchLaunch()
  }
}

/** A launch is reported without its card if there is none. */
function cardOf({ api, chains, pictured, log }: LaunchParts): LaunchedCard {
  return async ({ token, chain: id }, show = async () => undefined) => {
    const chain = chains.find((each) => each.id === id)
    if (token === undefined || !chain) return undefined
    try {
      return await pictured(await api.asset(token, id), chain, show)
    } catch (error) {
      log.debug({ err: error }, 'no card of a launched token')
      return undefined
    }
  }
}

/** A launch with its latest payload. */
interface ListedLaunch {
  draft: Draft
  payload: Payload | undefined
}

/** Lists a person's launches, newest first, each with its next step. */
function launchesView(launches: readonly ListedLaunch[]): View {
  if (launches.length === 0) {
    return {
      title: [t('launch-list')],
      blocks: [text(t('launch-list-empty'))],
    }
  }
  return {
    title: [t('launch-list')],
    blocks: [...launches.map(launchLines), quiet(t('launch-list-next'))],
    buttons: [launches.map(nextButton)],
  }
}

function launchLines({ draft, payload }: ListedLaunch): Block {
  const { answers, goal } = draft
  const title = tokenTitle(answers.name, answers.symbol)
  const where =
    goal === 'launch' && answers.chain !== undefined ? ` · ${chainById(answers.chain).name}` : ''
  const { words } = nextStep(draft, payload)
  return text(...[...boldTitle(title), where, ' · ', words].filter((span) => span !== ''))
}

function nextButton({ draft, payload }: ListedLaunch): Button {
  const { name, symbol } = draft.answers
  const { label, line } = nextStep(draft, payload)
  const token = tokenSymbol(symbol) ?? tokenName(name)
  return { label: t('launch-list-open', { step: label, token }), line }
}

/** Describes a launch's state, and the command line of its next step. */
function nextStep(
  { id, state, goal, updatedAt }: Draft,
  payload: Payload | undefined,
): { words: Message; label: Message; line: string } {
  const since: Span = { time: updatedAt, as: 'relative' }
  const begin = goal === 'metadata' ? 'metadata' : 'launch'
  switch (state) {
    case 'open':
      return {
        words: t('launch-list-draft', { since }),
        label: t('launch-list-resume'),
        line: begin,
      }
    case 'launched':
      return {
        words: t('launch-list-launched'),
        label: t('launch-list-show'),
        line: launchLine('show', payload?.id ?? id),
      }
    case 'done':
      return {
        words: t('launch-list-uploaded'),
        label: t('launch-list-show'),
        line: launchLine('uploaded', id),
      }
    case 'cancelled':
    case 'expired':
      return {
        words: t('launch-list-ended', { since }),
        label: t('launch-list-begin'),
        line: begin,
      }
    case 'handed':
      return handedOutStep(id, payload)
  }
}

function handedOutStep(
  draft: string,
  payload: Payload | undefined,
): { words: Message; label: Message; line: string } {
  if (payload?.state === 'active') {
    return {
      words: waitingText(payload),
      label: t('launch-list-sign'),
      line: launchLine('show', payload.id),
    }
  }
  return {
    words: endedText(payload),
    label: t('launch-build-again'),
    line: launchLine('rebuild', draft),
  }
}

function waitingText({ reported, linkExpiresAt }: Payload): Message {
  if (linkExpiresAt === undefined) {
    return reported ? t('launch-list-reported') : t('launch-list-waits')
  }
  const end = { time: linkExpiresAt, as: 'relative' } as const
  return reported ? t('launch-list-reported-link', { end }) : t('launch-list-waits-link', { end })
}

function endedText(payload: Payload | undefined): Message {
  if (payload?.state === 'revoked') {
    return payload.reported ? t('launch-list-revoked-reported') : t('launch-list-revoked')
  }
  return payload?.reported ? t('launch-list-expired-reported') : t('launch-list-expired')
}
