import type { Api } from '../api/client.ts'
import { chainById } from '../chain/chains.ts'
import { NodeError } from '../chain/node-error.ts'
import type { Show, Turn } from '../chat/command.ts'
import type { View } from '../chat/view.ts'
import { ApiError, UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { unseenView } from '../views/launch/handover.ts'
import { launchLine } from '../views/launch/line.ts'
import { launchedView } from '../views/launch/notice.ts'
import { uploadedView } from '../views/launch/steps.ts'
import { lookBack } from './builder-again.ts'
import { blockedView, type TellTerms } from './builder-blocked.ts'
import { answersDigest, launchInputs } from './builder-inputs.ts'
import { BuildRun, type RunParts } from './builder-run.ts'
import { troubleText } from './builder-trouble.ts'
import type { Draft } from './draft.ts'
import { StaleDraftError } from './drafts.ts'
import type { Payload } from './payload.ts'
import type { Payloads } from './payloads.ts'
import { openQuestions } from './questions/list.ts'
import type { Watch } from './watch.ts'

export interface BuilderParts extends RunParts {
  api: RunParts['api'] & Pick<Api, 'asset'>
  payloads: Payloads
  watch: Watch
  /** All answers of a draft, to be confirmed or changed. */
  review: (draft: Draft) => View
  /** Gives a payload to the launcher: what it says, and a new link. */
  hand: (payload: Payload, draft: Draft) => Promise<View>
  terms: TellTerms
  log: Logger
}

/** Builds what a draft says, one step after the other, and never twice. */
export class Builder {
  readonly #parts: BuilderParts
  /** Drafts that are being built at this moment. */
  readonly #underWay = new Set<string>()

  constructor(parts: BuilderParts) {
    this.#parts = parts
  }

  /** The person confirms the review: everything is built. Shows the steps as they finish. */
  confirm(draft: Draft, rev: string, show: Show): Promise<View> {
    return this.#alone(draft, async () => {
      if (draft.state !== 'open') throw ended()
      if (String(draft.rev) !== rev) throw answeredAlready()
      this.#requireAnswers(draft)
      if (draft.goal === 'launch') launchInputs(draft, this.#parts.settings)
      const confirmed = await this.#save({ ...draft, confirmed: answersDigest(draft) })
      return this.#go(confirmed, show, false)
    })
  }

  /** The person wants what could not be verified nonetheless. */
  unverified(draft: Draft, rev: string, show: Show): Promise<View> {
    return this.#alone(draft, async () => {
      if (String(draft.rev) !== rev) throw answeredAlready()
      this.#requireConfirmed(draft)
      return this.#go(draft, show, true)
    })
  }

  /** Goes on after a step that failed, or after a restart: also where all that is missing is to give out the payload. */
  goOn(draft: Draft, show: Show): Promise<View> {
    return this.#alone(draft, async () => {
      const { payloads, hand } = this.#parts
      const active = draft.state === 'handed' ? await payloads.active(draft.id) : undefined
      if (active) return hand(active, draft)
      this.#requireConfirmed(draft)
      return this.#go(draft, show, false)
    })
  }

  /**
   * Opens a draft again whose payload is of no use, for another one; nothing is built before the next Confirm. Where
   * a transaction was reported of which nothing can be seen, it warns first, unless the person `insists`.
   * @throws UserError where a payload of it still waits for its signature or may just be launched, or another draft is
   *   open
   */
  async rebuild(draft: Draft, turn: Turn, insists: boolean): Promise<View> {
    const { payloads, drafts, review } = this.#parts
    if (draft.state !== 'open' && draft.state !== 'handed') throw ended()
    const active = await payloads.active(draft.id)
    if (active?.handedAt !== undefined) {
      throw new UserError(
        'Its payload still waits for a signature. Revoke it first, or you could launch twice: /launches shows it.',
      )
    }
    const { launched, unseen } = await lookBack(this.#parts, draft.id).catch(inWords)
    if (launched) return launchedView(launched, chainById(launched.chain))
    if (unseen && !insists) return unseenView(unseen)
    if (insists) await this.#acceptUnseen(draft)
    const open = await drafts.current(turn)
    if (open && open.id !== draft.id) {
      throw new UserError(
        'You have another draft open. Finish it with /launch, or discard it with /cancel, then build this one again.',
      )
    }
    const { picture, metadata } = draft.done
    const kept = { ...(picture && { picture }), ...(metadata && { metadata }) }
    return review(await this.#save({ ...draft, state: 'open', confirmed: undefined, done: kept }))
  }

  /** Whoever can report made-up transactions must not have the launcher warned again and again. */
  async #acceptUnseen({ id }: Draft): Promise<void> {
    const { payloads } = this.#parts
    for (const { id: payload } of await payloads.ofDraft(id)) {
      await payloads.change(payload, (each) => ({ ...each, unseenAccepted: true }))
    }
  }

  async #alone(draft: Draft, build: () => Promise<View>): Promise<View> {
    if (this.#underWay.has(draft.id)) {
      throw new UserError('This is being built already. The message above shows how far it is.')
    }
    this.#underWay.add(draft.id)
    try {
      return await build()
    } finally {
      this.#underWay.delete(draft.id)
    }
  }

  async #go(draft: Draft, show: Show, acceptUnverified: boolean): Promise<View> {
    const active = await this.#parts.payloads.active(draft.id)
    if (active) {
      const adopted = await this.#adopt(active, draft)
      if (adopted) return adopted
    }
    const earlier = await this.#parts.payloads.ofDraft(draft.id)
    const run = new BuildRun(this.#parts, draft, earlier.length > 0, show)
    try {
      if (earlier.length > 0) {
        const { launched, unseen } = await run.earlier(() => lookBack(this.#parts, draft.id))
        if (launched) return launchedView(launched, chainById(launched.chain))
        if (unseen) return unseenView(unseen)
      }
      return await this.#steps(run, acceptUnverified)
    } catch (error) {
      return this.#failed(run, error)
    }
  }

  async #steps(run: BuildRun, acceptUnverified: boolean): Promise<View> {
    const uri = await run.upload()
    if (run.draft.goal === 'metadata') {
      return uploadedView(await this.#save({ ...run.draft, state: 'done' }))
    }
    const inputs = launchInputs(run.draft, this.#parts.settings)
    const answer = await run.build(inputs, uri)
    const checked = await run.check(inputs, uri, answer)
    const isFine = checked.kind === 'ready' || (checked.kind === 'unverified' && acceptUnverified)
    if (!isFine) return blockedView(run, checked, this.#parts)
    const reason = await this.#listedReason(checked.payload)
    if (reason !== undefined) {
      return blockedView(run, { kind: 'refused', reason, blame: 'launched' }, this.#parts)
    }
    const { draft } = run
    const payload = await this.#parts.payloads.create(draft.id, {
      ...checked.payload,
      reports: 0,
      signers: [],
      of: answersDigest(draft),
      ...(draft.answers.picture?.stored && { picture: draft.answers.picture.cid }),
    })
    return this.#handOut(payload, draft)
  }

  /**
   * A payload that was made just before the process was killed is handed out now, if it is for these answers. One that
   * was handed out already is shown, and stays the only one.
   */
  async #adopt(active: Payload, draft: Draft): Promise<View | undefined> {
    if (active.handedAt !== undefined || active.of === answersDigest(draft)) {
      return this.#handOut(active, draft)
    }
    await this.#parts.payloads.change(active.id, (each) => ({ ...each, state: 'revoked' }))
    return undefined
  }

  async #handOut(payload: Payload, draft: Draft): Promise<View> {
    const { watch, hand } = this.#parts
    await watch.begin(payload)
    const done = { ...draft.done, payload: { of: answersDigest(draft), id: payload.id } }
    return hand(payload, await this.#save({ ...draft, state: 'handed', done }))
  }

  /**
   * Why a payload is not handed out whose token exists already. Without a node only the interface can tell, and it would
   * later be taken for the launch.
   */
  async #listedReason({
    chain,
    token,
  }: Pick<Payload, 'chain' | 'token'>): Promise<string | undefined> {
    const { nodes, api } = this.#parts
    if (token === undefined || nodes.has(chain)) return undefined
    try {
      await api.asset(token, chain)
      return `the data source lists a token at ${token} already`
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'not-found') return undefined
      throw error
    }
  }

  #failed(run: BuildRun, error: unknown): View {
    if (error instanceof StaleDraftError) throw answeredAlready()
    const { draft } = run
    const words = troubleText(error)
    if (words === undefined)
      this.#parts.log.error({ err: error, draft: draft.id }, 'building failed')
    else this.#parts.log.warn({ err: error, draft: draft.id }, 'a step of building failed')
    return run.failed(
      words ?? 'That is a fault of the bot, not yours. Go on in a moment, or tell the operator.',
      [
        [
          { label: 'Go on', run: launchLine('continue', draft.id), look: 'main' },
          { label: 'Change an answer', run: launchLine('review', `${draft.id}.${draft.rev}`) },
        ],
      ],
    )
  }

  #requireAnswers({ goal, answers, offered }: Draft): void {
    const { settings, publisher } = this.#parts
    const open = openQuestions({ goal, answers, settings, publishes: publisher !== undefined })
    if (open.length === 0 && offered === undefined) return
    throw new UserError('Not every question is answered yet. /launch goes on where you are.')
  }

  #requireConfirmed(draft: Draft): void {
    if (draft.state !== 'open') throw ended()
    if (draft.confirmed === answersDigest(draft)) return
    throw new UserError(
      'The answers were changed since. /launch shows them; confirm them once more.',
    )
  }

  async #save(draft: Draft): Promise<Draft> {
    try {
      return await this.#parts.drafts.save(draft)
    } catch (error) {
      if (error instanceof StaleDraftError) throw answeredAlready(error)
      throw error
    }
  }
}

/** What only a node or the interface can tell is a matter of trying again. */
function inWords(error: unknown): never {
  const words = troubleText(error)
  if (words === undefined || !(error instanceof NodeError || error instanceof ApiError)) throw error
  throw new UserError(`Whether the earlier payload was launched can’t be seen. ${words}`, {
    cause: error,
  })
}

function answeredAlready(cause?: unknown): UserError {
  return new UserError('This was already answered. /launch goes on where you are.', { cause })
}

function ended(): UserError {
  return new UserError(
    'This launch is no longer being built. /launches shows it; /launch begins another.',
  )
}
