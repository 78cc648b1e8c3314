import type { Address } from 'viem'
import { z } from 'zod'
import { chainById } from '../chain/chains.ts'
import { type Adapter, type ChatAddress, SendError, type Sent } from '../core/adapter.ts'
import type { Platform, PlatformName } from '../core/command.ts'
import { t, type View } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { JobOutcome, Queue } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import type { Draft, Drafts } from './draft.ts'
import type { LaunchedCard } from './handoff.ts'
import type { Payload, Payloads } from './payload.ts'
import { logStep } from './step-log.ts'
import {
  draftExpiredView,
  endedView,
  revertedView,
  signerView,
  silenceView,
} from './views/handoff.ts'
import { announcementView, launchedView } from './views/launched.ts'

/** The adapters that send notifications; a platform that is not set up is undefined. */
export type NoticeAdapters = Readonly<
  Record<
    PlatformName,
    Pick<Adapter, 'platform' | 'chatUrl' | 'localeOf' | 'send' | 'edit' | 'isMember'> | undefined
  >
>

interface NoticeParts {
  queue: Queue
  drafts: Drafts
  payloads: Payloads
  adapters: NoticeAdapters
  card: LaunchedCard
  /** Whether there is a signing page. */
  hasPage: boolean
  log: Logger
  /** Unix seconds. */
  now: () => number
}

const events = z.discriminatedUnion('event', [
  z.object({ event: z.literal('launched'), payload: z.string() }),
  /** `message`: the notification, which gets the card. */
  z.object({ event: z.literal('card'), payload: z.string(), message: z.string() }),
  z.object({ event: z.literal('announced'), payload: z.string() }),
  z.object({ event: z.literal('reverted'), payload: z.string(), detail: z.string() }),
  z.object({ event: z.literal('expired'), payload: z.string() }),
  z.object({ event: z.literal('silence'), payload: z.string(), detail: z.string() }),
  /** `asks`: how many times the creator was asked about this account; absent the first time. */
  z.object({
    event: z.literal('signer'),
    payload: z.string(),
    detail: z.string(),
    asks: z.number().optional(),
  }),
  z.object({ event: z.literal('draft expired'), draft: z.string() }),
])
type Event = z.output<typeof events>

/** `since`: the unix second of the event. */
const notice = z.intersection(z.object({ since: z.number() }), events)
type Notice = z.output<typeof notice>
type NoticeOf<Name extends Event['event']> = Extract<Notice, { event: Name }>

const kind = 'launch-notice'
/** Seconds between attempts to get a card that the API doesn't have yet. */
const cardPause = 10
/** Seconds after which the card is given up; the first message has a button for it. */
const maxCardWait = 1_800
/** Seconds that a group's announcement waits for the card. */
const maxGroupWait = 120
/** Seconds for which an unreachable platform is retried; after that the notification is outdated. */
const maxOutage = 3 * 86_400
const maxPause = 600
/** Chats that are remembered as those in which a launch was announced. */
const maxAnnounced = 100
/** Reports older than this many seconds cause no notification: the queue may have forgotten that it was sent. */
const maxReportAge = 30 * 86_400

/**
 * Sends unsolicited messages about launches. Each is a job with a key that is used once ever, so neither a restart nor
 * another poll of the chain sends it twice.
 */
export class Notices {
  readonly #parts: NoticeParts

  constructor(parts: NoticeParts) {
    this.#parts = parts
    parts.queue.handle(kind, async (body) => this.#deliver(notice.parse(body)))
  }

  /** Notifies the creator, and announces the launch in the group where the draft began if that was turned on. */
  async launched(payload: Payload, draft: Draft): Promise<void> {
    await this.#add({ event: 'launched', payload: payload.id })
    if (draft.announce && draft.origin !== undefined) {
      await this.#add({ event: 'announced', payload: payload.id })
    }
  }

  /**
   * Announces a launch in a chat, once: what was announced there is not announced again. If the process dies before that is
   * stored, a second press sends it once more.
   * @param chat the platform's id; the caller has checked the person's rights there
   * @throws UserError if it can't be sent
   */
  async announceIn(payload: Payload, chat: string, { name, texts }: Platform): Promise<void> {
    const { adapters, card } = this.#parts
    const adapter = adapters[name]
    if (!adapter || payload.announced.includes(chat)) return
    const to: ChatAddress = { kind: 'chat', id: chat }
    const shown = await card(payload, undefined, to)
    const view = announcementView(payload, chainById(payload.chain), shown)
    try {
      const key = `launch-announced:${payload.id}:${chat}`
      await sendFollowingMove(adapter, to, view, key)
    } catch (error) {
      if (!(error instanceof SendError)) throw error
      if (error.uncertain) throw new UserError(t('launch-announce-uncertain'), { cause: error })
      throw new UserError(error.final ? texts.cantPost : t('alerts-cant-post-now'), {
        cause: error,
      })
    }
    await this.#noteAnnounced(payload.id, chat)
  }

  async #noteAnnounced(payload: string, chat: string): Promise<void> {
    await this.#parts.payloads.change(payload, (each) =>
      each.announced.includes(chat)
        ? undefined
        : { ...each, announced: [...each.announced, chat].slice(-maxAnnounced) },
    )
  }

  /** Notifies that a reported transaction was mined and failed. */
  async reverted(payload: Payload, hash: string): Promise<void> {
    const { reported } = payload
    if (reported && this.#parts.now() >= reported.at + maxReportAge) return
    await this.#add({ event: 'reverted', payload: payload.id, detail: hash })
  }

  /** Notifies that the payload expired. */
  expired(payload: Payload): Promise<void> {
    return this.#add({ event: 'expired', payload: payload.id })
  }

  /** Notifies, once per link, that a link expired unused. */
  silence(payload: Payload): Promise<void> {
    const detail = String(payload.linkExpiresAt)
    return this.#add({ event: 'silence', payload: payload.id, detail })
  }

  /** Asks the creator whether another account may sign; `asks` counts how often. */
  signer(payload: Payload, account: Address, asks: number): Promise<void> {
    const again = asks > 1 && { asks }
    return this.#add({ event: 'signer', payload: payload.id, detail: account, ...again })
  }

  /** Notifies that a draft expired because it was left alone. */
  async draftExpired(draft: Draft): Promise<void> {
    const platform = this.#parts.adapters[draft.platform]?.platform
    // The owner saw it in that group only, and never opened a private chat for it; /launch tells them there.
    if (platform?.ephemeralAnswers && draft.origin !== undefined) return
    await this.#add({ event: 'draft expired', draft: draft.id })
  }

  #add(event: Event, wait = 0): Promise<void> {
    const since = this.#parts.now()
    const body: Notice = { ...event, since }
    return this.#parts.queue.add({ key: jobKey(event), kind, body, runAt: since + wait })
  }

  async #deliver(event: Notice): Promise<JobOutcome> {
    const { drafts, payloads } = this.#parts
    if (event.event === 'draft expired') {
      const draft = await drafts.find(event.draft)
      const { name, symbol } = draft?.answers ?? {}
      return draft
        ? this.#send(draft, privateChat(draft), draftExpiredView(name, symbol), event)
        : 'done'
    }
    const payload = await payloads.find(event.payload)
    const draft = payload && (await drafts.find(payload.draft))
    return payload && draft ? this.#sendEvent(event, payload, draft) : 'done'
  }

  async #sendEvent(
    event: Exclude<Notice, { event: 'draft expired' }>,
    payload: Payload,
    draft: Draft,
  ): Promise<JobOutcome> {
    const { hasPage, now } = this.#parts
    const chain = chainById(payload.chain)
    switch (event.event) {
      case 'launched':
        return this.#sendLaunched(event, payload, draft)
      case 'card':
        return this.#sendCard(event, payload, draft)
      case 'announced':
        return this.#announce(event, payload, draft)
      case 'reverted':
        return this.#send(draft, privateChat(draft), revertedView(payload, chain, hasPage), event)
      case 'expired':
        return this.#send(draft, privateChat(draft), endedView(payload), event)
      case 'silence': {
        const still = payload.state === 'active' && (payload.linkExpiresAt ?? 0) <= now()
        return still ? this.#send(draft, privateChat(draft), silenceView(payload), event) : 'done'
      }
      case 'signer':
        return this.#send(
          draft,
          privateChat(draft),
          signerView(payload, event.detail, chain),
          event,
        )
    }
  }

  async #sendLaunched(
    event: NoticeOf<'launched'>,
    payload: Payload,
    draft: Draft,
  ): Promise<JobOutcome> {
    const card = await this.#parts.card(payload)
    const view = launchedView(payload, chainById(payload.chain), card)
    return this.#send(draft, privateChat(draft), view, event, async ({ message }) => {
      if (card || payload.token === undefined) return
      await this.#add({ event: 'card', payload: payload.id, message }, cardPause)
    })
  }

  async #sendCard(event: NoticeOf<'card'>, payload: Payload, draft: Draft): Promise<JobOutcome> {
    const { now, log } = this.#parts
    const card = await this.#parts.card(payload)
    if (card) return this.#showCard(event, payload, draft, card)
    if (now() < event.since + maxCardWait) return { runAt: now() + cardPause }
    logNotice(log, draft, event, 'given up: the API does not list the token', { level: 'warn' })
    return 'done'
  }

  /** Puts the card into the notification; sends it if that can't be changed any more. */
  async #showCard(
    event: NoticeOf<'card'>,
    payload: Payload,
    draft: Draft,
    card: View,
  ): Promise<JobOutcome> {
    const to = privateChat(draft)
    const view = launchedView(payload, chainById(payload.chain), card)
    const { message } = event
    const adapter = this.#parts.adapters[draft.platform]
    if (!adapter) return this.#send(draft, to, card, event)
    try {
      await adapter.edit(to, message, view)
      logNotice(this.#parts.log, draft, event, 'sent')
      return 'done'
    } catch (error) {
      if (!(error instanceof SendError)) throw error
      return error.final
        ? this.#send(draft, to, card, event)
        : this.#retryLater(draft, event, error)
    }
  }

  async #announce(
    event: NoticeOf<'announced'>,
    payload: Payload,
    draft: Draft,
  ): Promise<JobOutcome> {
    const { adapters, now } = this.#parts
    const { origin } = draft
    if (origin === undefined) return 'done'
    if (payload.announced.includes(origin)) return 'done'
    const to: ChatAddress = { kind: 'chat', id: origin }
    const card = await this.#parts.card(payload, undefined, to)
    if (!card && now() < event.since + maxGroupWait) return { runAt: now() + cardPause }
    const adapter = adapters[draft.platform]
    if (adapter && !(await adapter.isMember(origin, draft.person))) {
      // `isMember` is false also if the platform is unreachable, so retry.
      const reason = 'the creator is not in that group, or the platform does not say'
      return this.#retryLater(draft, event, new SendError(reason, { final: false }))
    }
    const view = announcementView(payload, chainById(payload.chain), card)
    return this.#send(draft, to, view, event, () => this.#noteAnnounced(payload.id, origin))
  }

  async #send(
    draft: Draft,
    to: ChatAddress,
    view: View,
    event: Notice,
    onSent: (sent: Sent) => Promise<void> = async () => undefined,
  ): Promise<JobOutcome> {
    const { adapters, log } = this.#parts
    const key = jobKey(event)
    const adapter = adapters[draft.platform]
    if (!adapter) {
      const outcome = 'given up: its platform is no longer set up'
      logNotice(log, draft, event, outcome, { level: 'warn' })
      return 'done'
    }
    try {
      await onSent(await sendFollowingMove(adapter, to, view, key))
      logNotice(log, draft, event, 'sent')
      return 'done'
    } catch (error) {
      if (!(error instanceof SendError)) throw error
      if (error.final) {
        const refused = 'given up: the platform refuses it for good'
        logNotice(log, draft, event, refused, { err: error, level: 'warn' })
        return 'done'
      }
      return this.#retryLater(draft, event, error)
    }
  }

  /** Retries after the platform's delay, or with exponential backoff; gives up after `maxOutage`. */
  #retryLater(draft: Draft, event: Notice, error: SendError): JobOutcome {
    const { now, log } = this.#parts
    const waited = now() - event.since
    if (waited >= maxOutage) {
      const outcome = 'given up: it could not be sent for days'
      logNotice(log, draft, event, outcome, { err: error, level: 'error' })
      return 'done'
    }
    const pause = error.retryAfter ?? Math.min(waited, maxPause)
    logNotice(log, draft, event, 'not sent: it will be tried again', { err: error })
    return { runAt: now() + Math.max(1, Math.ceil(Math.min(pause, maxOutage))) }
  }
}

/** Logs what became of a notice, without its job's key: that may have somebody's account in it. */
function logNotice(
  log: Logger,
  { id: draft }: Draft,
  event: Event,
  outcome: string,
  { err, level }: { err?: unknown; level?: 'warn' | 'error' } = {},
): void {
  const payload = 'payload' in event && { payload: event.payload }
  logStep(log, { draft, ...payload, step: 'notice', about: event.event, outcome, err }, level)
}

function jobKey(event: Event): string {
  if (event.event === 'draft expired') return `draft-notified:${event.draft}:expired`
  const detail = 'detail' in event ? `-${event.detail}` : ''
  const again = 'asks' in event && event.asks !== undefined ? `-${event.asks}` : ''
  return `launch-notified:${event.payload}:${event.event}${detail}${again}`
}

/** Sends a message, following a group's migration to another chat id. */
async function sendFollowingMove(
  adapter: Pick<Adapter, 'send'>,
  to: ChatAddress,
  view: View,
  key: string,
): Promise<Sent> {
  try {
    return await adapter.send(to, view, key)
  } catch (error) {
    if (!(error instanceof SendError) || error.movedTo === undefined) throw error
    return adapter.send({ kind: 'chat', id: error.movedTo }, view, key)
  }
}

function privateChat(draft: Draft): ChatAddress {
  return { kind: 'person', id: draft.person }
}
