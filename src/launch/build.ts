import type { Address } from 'viem'
import type { Api } from '../api/client.ts'
import type { TokenMetadata } from '../api/schema.ts'
import type { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/rpc.ts'
import type { Context, ShowProgress } from '../core/command.ts'
import {
  type Block,
  type Button,
  type Message,
  type Span,
  t,
  text,
  type View,
} from '../core/view.ts'
import { ApiError, isRefused, UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import {
  confirmedDigest,
  hashOf,
  type LaunchInputs,
  launchInputs,
  metadataInputs,
  publishedPicture,
  supplyOf,
  termsDigest,
  unanswered,
} from './build-inputs.ts'
import { type CheckResult, type CheckSources, checkBuilt } from './check-built.ts'
import type { LaunchConversation } from './conversation.ts'
import {
  answeredAlready,
  type Draft,
  type Drafts,
  isRepeated,
  type QuestionId,
  StaleDraftError,
} from './draft.ts'
import type { HandOff } from './handoff.ts'
import { spelledCid } from './image.ts'
import type { Publisher } from './ipfs.ts'
import { launchLine } from './line.ts'
import {
  ActivePayloadError,
  mayArriveUntil,
  type Payload,
  type Payloads,
  type UnseenReport,
} from './payload.ts'
import type { Pictures } from './pictures.ts'
import { applicableQuestions, openQuestions } from './questions/list.ts'
import type { Scope } from './questions/question.ts'
import type { LaunchSettings, Template } from './settings.ts'
import { logStep } from './step-log.ts'
import type { TemplateList } from './templates.ts'
import type { Check } from './verdict.ts'
import {
  type Blocked,
  blockedShown,
  changeAnAnswer,
  changeQuestion,
  failureAdvice,
  type Step,
  stepsView,
  uploadedView,
} from './views/build.ts'
import { unseenView } from './views/handoff.ts'
import type { PollResult, Watch } from './watch.ts'

interface BuilderParts extends RunParts {
  api: RunParts['api'] & Pick<Api, 'asset'>
  payloads: Payloads
  watch: Watch
  templates: Pick<TemplateList, 'ready' | 'learnTerms' | 'forget' | 'offer'>
  conversation: Pick<LaunchConversation, 'review'>
  handOff: HandOff
}

/** Builds a draft in steps. Runs at most one build per draft at a time, and skips steps whose result is stored. */
export class Builder {
  readonly #parts: BuilderParts
  /** Ids of the drafts being built. */
  readonly #underWay = new Set<string>()

  constructor(parts: BuilderParts) {
    this.#parts = parts
  }

  /**
   * Builds everything after the person confirmed the review; `show` gets the steps as they finish.
   * @param review what was confirmed: a rev of the draft, and the digest of what the template sets
   */
  confirm(
    draft: Draft,
    { rev, terms }: { rev: string; terms: string | undefined },
    context: Context,
    show: ShowProgress,
  ): Promise<View> {
    return this.#exclusively(draft, async () => {
      // The process that got the press was killed: the steps that it stored are not repeated.
      if (isRepeated(draft, context)) return this.#goOn(draft, show)
      await this.#ready(draft)
      if (draft.state !== 'open') throw noLongerBuilt(draft)
      if (String(draft.rev) !== rev) throw answeredAlready(draft)
      this.#requireAnswers(draft)
      if (draft.goal === 'launch') launchInputs(draft, this.#parts.templates.offer)
      const shown = { ...draft, shownTerms: terms }
      const confirmed = await this.#save(
        { ...shown, confirmed: confirmedDigest(shown) },
        context.update,
      )
      logStep(this.#parts.log, { draft: draft.id, step: 'confirm', outcome: 'confirmed' })
      return this.#run(confirmed, show, false)
    })
  }

  /** Goes on after the person accepted a payload that could not be verified. */
  unverified(draft: Draft, rev: string, context: Context, show: ShowProgress): Promise<View> {
    return this.#exclusively(draft, async () => {
      if (draft.state === 'handed' && isRepeated(draft, context)) return this.#goOn(draft, show)
      if (draft.state !== 'open') throw noLongerBuilt(draft)
      if (String(draft.rev) !== rev && !isRepeated(draft, context)) throw answeredAlready(draft)
      await this.#ready(draft)
      this.#requireConfirmed(draft)
      const accepted = await this.#save(draft, context.update)
      logStep(this.#parts.log, {
        draft: draft.id,
        step: 'confirm',
        outcome: 'handed out unverified on request',
      })
      return this.#run(accepted, show, true)
    })
  }

  /** Goes on after a failed step or a restart, even if only the hand-off is missing. */
  continue(draft: Draft, show: ShowProgress): Promise<View> {
    return this.#exclusively(draft, () => this.#goOn(draft, show))
  }

  async #goOn(draft: Draft, show: ShowProgress): Promise<View> {
    const { payloads, handOff } = this.#parts
    if (draft.state === 'done') return uploadedView(draft)
    const active = draft.state === 'handed' ? await payloads.active(draft.id) : undefined
    // Somebody may be signing by the link that it has.
    if (active?.handedAt !== undefined) return handOff.press('show', active, draft, [])
    if (active) return handOff.hand(active, draft)
    await this.#ready(draft)
    this.#requireConfirmed(draft)
    return this.#run(draft, show, false)
  }

  /**
   * Reopens a draft whose payload is of no use. Nothing is built before the next Confirm. Warns first if a reported
   * transaction can't be seen, unless the person was warned of that payload's: `accepted` is its id.
   * @throws UserError if a payload of the draft still waits for its signature or may be launching, or another draft is
   *   open
   */
  async rebuild(draft: Draft, context: Context, accepted: string | undefined): Promise<View> {
    const { payloads, drafts, conversation } = this.#parts
    await this.#ready(draft)
    if (draft.state !== 'open' && draft.state !== 'handed') throw noLongerBuilt(draft)
    const active = await payloads.active(draft.id)
    if (active?.handedAt !== undefined) {
      throw new UserError(t('launch-rebuild-waits'))
    }
    const { launched, unseen } = await checkEarlierPayloads(this.#parts, draft.id).catch(
      rethrowAsAdvice,
    )
    if (launched) return this.#parts.handOff.launched(launched)
    if (unseen && unseen.payload.id !== accepted) return unseenView(unseen)
    if (unseen) await this.#acceptUnseen(draft)
    const open = await drafts.current(context)
    if (open && open.id !== draft.id) {
      throw new UserError(t('launch-rebuild-other-open'))
    }
    const { picture, metadata } = draft.stepResults
    const reusable = { ...(picture && { picture }), ...(metadata && { metadata }) }
    const reopened = {
      ...draft,
      state: 'open',
      confirmed: undefined,
      stepResults: reusable,
    } as const
    const saved = await this.#save(reopened)
    logStep(this.#parts.log, { draft: draft.id, step: 'draft', outcome: 'reopened' })
    return conversation.review(saved, { context })
  }

  /**
   * Remembers the acceptance in every payload: anybody with the link could otherwise trigger the warning again and
   * again with made-up reports.
   */
  async #acceptUnseen({ id }: Draft): Promise<void> {
    const { payloads } = this.#parts
    for (const { id: payload } of await payloads.ofDraft(id)) {
      await payloads.change(payload, (each) => ({ ...each, unseenAccepted: true }))
    }
  }

  /** @throws UserError if the templates are not known */
  async #ready({ goal }: Draft): Promise<void> {
    if (goal === 'launch') await this.#parts.templates.ready()
  }

  async #exclusively(draft: Draft, build: () => Promise<View>): Promise<View> {
    if (this.#underWay.has(draft.id)) {
      throw new UserError(t('launch-being-built'))
    }
    this.#underWay.add(draft.id)
    try {
      return await build()
    } finally {
      this.#underWay.delete(draft.id)
    }
  }

  async #run(draft: Draft, show: ShowProgress, acceptUnverified: boolean): Promise<View> {
    const active = await this.#parts.payloads.active(draft.id)
    if (active) {
      const reused = await this.#reuseActive(active, draft)
      if (reused) return reused
    }
    const earlier = await this.#parts.payloads.ofDraft(draft.id)
    const run = new BuildRun(this.#parts, draft, earlier.length > 0, show)
    try {
      if (earlier.length > 0) {
        const { launched, unseen } = await run.earlier(() =>
          checkEarlierPayloads(this.#parts, draft.id),
        )
        if (launched) return this.#parts.handOff.launched(launched)
        if (unseen) return unseenView(unseen)
      }
      return await this.#steps(run, acceptUnverified)
    } catch (error) {
      return await this.#failed(run, error)
    }
  }

  async #steps(run: BuildRun, acceptUnverified: boolean): Promise<View> {
    const { conversation, templates } = this.#parts
    const isLaunch = run.draft.goal === 'launch'
    const inputs = isLaunch ? await this.#confirmedInputs(run.draft) : undefined
    if (isLaunch && !inputs) {
      return conversation.review(run.draft, { note: t('launch-template-other') })
    }
    const uri = await run.upload(inputs?.template)
    if (!inputs) {
      const uploaded = await this.#save({ ...run.draft, state: 'done' })
      logStep(this.#parts.log, { draft: uploaded.id, step: 'draft', outcome: 'done' })
      return uploadedView(uploaded)
    }
    const answer = await run.build(inputs, uri)
    const checked = await run.check(inputs, uri, answer)
    const isFine = checked.kind === 'ready' || (checked.kind === 'unverified' && acceptUnverified)
    if (!isFine) return run.blocked(checked, templates.offer)
    const reason = await this.#listedReason(checked.payload)
    if (reason !== undefined) {
      const { id } = run.draft
      logStep(this.#parts.log, { draft: id, step: 'check', outcome: 'its token is listed already' })
      const blocked = { kind: 'refused', reason, blame: 'launched' } as const
      return run.blocked(blocked, templates.offer)
    }
    // Where files are messages of their own, the steps stay above them: they must not stay half done.
    await run.show()
    const { draft } = run
    const payload = await this.#parts.payloads.create(draft.id, {
      ...checked.payload,
      reports: 0,
      signers: [],
      announced: [],
      of: confirmedDigest(draft),
      ...(draft.answers.picture?.stored && { picture: draft.answers.picture.cid }),
    })
    return this.#handOut(payload, draft)
  }

  /**
   * Collects the inputs of a launch; undefined if its review did not show what the template sets: another process may have learned that,
   * or the template changed.
   */
  async #confirmedInputs(draft: Draft): Promise<LaunchInputs | undefined> {
    const { templates } = this.#parts
    const shown = async () => {
      await templates.learnTerms(draft.answers)
      const inputs = launchInputs(draft, templates.offer)
      return termsDigest(inputs.template) === draft.shownTerms ? inputs : undefined
    }
    const inputs = await shown()
    if (inputs) return inputs
    // This process's knowledge of the template may be older than the review.
    templates.forget(draft.answers)
    return shown()
  }

  /**
   * Hands out a payload that was built just before the process was killed, if its answers are still the same. A payload
   * that was handed out already is shown again and stays the only one.
   */
  async #reuseActive(active: Payload, draft: Draft): Promise<View | undefined> {
    if (active.handedAt !== undefined || active.of === confirmedDigest(draft)) {
      return this.#handOut(active, draft)
    }
    await this.#parts.payloads.change(active.id, (each) => ({ ...each, state: 'revoked' }))
    return undefined
  }

  async #handOut(payload: Payload, draft: Draft): Promise<View> {
    const { watch, handOff } = this.#parts
    await watch.begin(payload)
    return handOff.hand(payload, await this.#save({ ...draft, state: 'handed' }))
  }

  /**
   * Returns why a payload can't be handed out because its token exists already. Checked only without a node: then the
   * launch is detected by the API's listing, and this token would be taken for it.
   */
  async #listedReason({
    chain,
    token,
  }: Pick<Payload, 'chain' | 'token'>): Promise<Message | undefined> {
    const { nodes, api } = this.#parts
    if (token === undefined || nodes.has(chain)) return undefined
    try {
      await api.asset(token, chain)
      return t('launch-refused-listed', { token: { code: token } })
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'not-found') return undefined
      throw error
    }
  }

  async #failed(run: BuildRun, error: unknown): Promise<View> {
    const { draft } = run
    if (error instanceof StaleDraftError || error instanceof ActivePayloadError) {
      throw await this.#overtaken(draft, error)
    }
    const advice = failureAdvice(error)
    const words = error instanceof ApiError ? error.words : undefined
    const changes = words === undefined ? [] : this.#changesFor(words, draft)
    // The template may have changed.
    if (isRefused(error)) this.#parts.templates.forget(draft.answers)
    const step = run.current ?? 'confirm'
    const failed = { draft: draft.id, step, outcome: 'failed', err: error } as const
    logStep(this.#parts.log, failed, advice === undefined ? 'error' : 'warn')
    const again: Button = { label: t('error-try-again'), line: launchLine('continue', draft.id) }
    return run.failed(advice ?? [t('launch-failed-bot')], [
      ...(changes.length > 0 ? [changes] : []),
      [changes.length > 0 ? again : { ...again, look: 'main' }, changeAnAnswer(draft)],
    ])
  }

  /** Makes buttons for the questions whose answers a refusal names. */
  #changesFor(words: string, draft: Draft): Button[] {
    const named = refusedFields.filter(([field]) => field.test(words)).map(([, id]) => id)
    return applicableQuestions(this.#scope(draft))
      .filter(({ id }) => named.includes(id))
      .map(({ id, label }) => changeQuestion(draft, t('launch-change', { label }), id))
  }

  #scope({ goal, answers }: Draft): Scope {
    const { templates, publisher } = this.#parts
    const canPublish = publisher.isAvailable
    return { goal, answers, settings: templates.offer, canPublish }
  }

  #requireAnswers(draft: Draft): void {
    if (openQuestions(this.#scope(draft)).length === 0 && draft.pendingPicture === undefined) return
    throw unanswered()
  }

  #requireConfirmed(draft: Draft): void {
    if (draft.state !== 'open') throw noLongerBuilt(draft)
    if (draft.confirmed === confirmedDigest(draft)) return
    throw new UserError(t('launch-changed-since'))
  }

  async #save(draft: Draft, update?: string): Promise<Draft> {
    try {
      return await this.#parts.drafts.save(draft, update)
    } catch (error) {
      if (error instanceof StaleDraftError) throw await this.#overtaken(draft, error)
      throw error
    }
  }

  /** The error for a draft that was changed meanwhile, or built by another process. */
  async #overtaken(draft: Draft, cause: unknown): Promise<UserError> {
    const now = await this.#parts.drafts.find(draft.id)
    return now && now.state !== 'open' ? noLongerBuilt(now) : answeredAlready(draft, cause)
  }
}

/** Turns an error of the node or the API into advice to try again; rethrows any other. */
function rethrowAsAdvice(error: unknown): never {
  const advice = failureAdvice(error)
  if (advice === undefined || !(error instanceof NodeError || error instanceof ApiError))
    throw error
  throw new UserError([t('launch-earlier-unseen'), ' ', ...advice], { cause: error })
}

function noLongerBuilt({ state }: Draft): UserError {
  const isBuilt = state === 'handed' || state === 'launched'
  return new UserError(isBuilt ? t('launch-closed-built') : t('launch-no-longer-built'))
}

/** The fields of a request, as a refusal names them, and the questions that they answer. */
const refusedFields: readonly (readonly [RegExp, QuestionId])[] = [
  [/\b(?:token[._])?name: /u, 'name'],
  [/\b(?:token[._])?symbol: /u, 'symbol'],
  [/\bdescription: /u, 'description'],
  [/\bimage_hash\b/u, 'picture'],
  [/\bsocial_links\b/u, 'links'],
  [/\bcategories\b/u, 'categories'],
  [/\buser_address\b/u, 'wallet'],
  [/\bfee_receiver\b/u, 'feeReceiver'],
  [/\bvesting_recipients\b/u, 'vesting'],
  [/\bbeneficiaries\b/u, 'beneficiaries'],
]

interface RunParts {
  log: Logger
  drafts: Drafts
  settings: Pick<LaunchSettings, 'integrator' | 'modules'>
  api: Pick<Api, 'uploadMetadata' | 'buildAuction'>
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  pictures: Pictures
  publisher: Pick<Publisher, 'publish' | 'isAvailable'>
  /** Reads what a token URI names and compares it with the upload. */
  checkMetadata: (uri: string, typed: TokenMetadata, supply: bigint) => Promise<Check['metadata']>
  /** Looks up a token that was launched over the API; undefined if the API has none, or fails. */
  launched: CheckSources['launched']
  /** Returns a quote token's price in dollars as a decimal text; undefined if unknown. */
  usd: (chain: number, quote: Address) => Promise<string | undefined>
  /** Unix seconds. */
  now: () => number
}

type StepId = 'earlier' | 'picture' | 'metadata' | 'built' | 'check'

const labels: Record<StepId, Message> = {
  earlier: t('launch-step-earlier'),
  picture: t('launch-logo'),
  metadata: t('launch-step-metadata'),
  built: t('launch-step-built'),
  check: t('launch-step-check'),
}

/**
 * Runs the steps of one build in order. Each result is stored in the draft with a digest of its inputs before the next
 * step begins: a second run repeats only steps that are missing or whose inputs changed.
 */
class BuildRun {
  readonly #parts: RunParts
  readonly #show: ShowProgress
  readonly #steps: Map<StepId, Step>
  #draft: Draft

  constructor(parts: RunParts, draft: Draft, hasEarlier: boolean, show: ShowProgress) {
    this.#parts = parts
    this.#draft = draft
    this.#show = show
    const ids: StepId[] = [
      ...(hasEarlier ? (['earlier'] as const) : []),
      ...(draft.answers.picture ? (['picture'] as const) : []),
      'metadata',
      ...(draft.goal === 'launch' ? (['built', 'check'] as const) : []),
    ]
    this.#steps = new Map(ids.map((id) => [id, { label: labels[id], state: 'to come' }]))
  }

  /** The draft as the last step left it. */
  get draft(): Draft {
    return this.#draft
  }

  /** The step that is under way; the last one if all are done, undefined between others. */
  get current(): StepId | undefined {
    const steps = [...this.#steps]
    const running = steps.find(([, { state }]) => state === 'running')
    const last = steps.every(([, { state }]) => state === 'done') ? steps.at(-1) : undefined
    return (running ?? last)?.[0]
  }

  /** Runs the check of earlier payloads as the first step; its result says whether to go on. */
  async earlier<Result>(check: () => Promise<Result>): Promise<Result> {
    return this.#step('earlier', check, () => [t('launch-step-not-launched')])
  }

  /** Publishes the picture, uploads the metadata, and returns the token URI. */
  async upload(template: Template | undefined): Promise<string> {
    const { picture } = this.#draft.answers
    if (picture)
      await this.#step(
        'picture',
        () => this.#publish(picture),
        (note) => [note],
      )
    return this.#step(
      'metadata',
      () => this.#uploadMetadata(template),
      (uri) => [{ code: uri }],
    )
  }

  /** Has the API build the payload, and returns its answer as JSON. */
  async build(inputs: LaunchInputs, uri: string): Promise<string> {
    const request = inputs.requestFor(uri)
    const of = hashOf([inputs.chain, request])
    return this.#step(
      'built',
      async () => {
        const stored = this.#draft.stepResults.built
        if (stored?.of === of) return stored.answer
        const answer = JSON.stringify(await this.#parts.api.buildAuction(request, inputs.chain))
        await this.#store({ built: { of, answer } })
        return answer
      },
      () => [t('launch-step-is-built')],
    )
  }

  /** Checks the payload. A bad payload is a result, not a failure of the step. */
  async check(inputs: LaunchInputs, uri: string, answer: string): Promise<CheckResult> {
    const { settings, nodes, launched, usd, now, checkMetadata } = this.#parts
    const { integrator } = settings
    const modules = settings.modules[inputs.chain]
    const metadata = () =>
      checkMetadata(uri, metadataInputs(this.#draft, inputs.template), supplyOf(inputs.template))
    const sources = { node: nodes.get(inputs.chain), launched, usd, now, metadata }
    const isPictureUnread = publishedPicture(this.#draft)?.isChecked === false
    const given = { ...inputs, uri, answer, isPictureUnread, integrator, modules }
    return this.#step(
      'check',
      () => checkBuilt(given, sources),
      checkNote,
      (checked) => ({
        outcome: checked.kind,
        ...(checked.kind === 'refused' && { about: checked.blame }),
      }),
    )
  }

  /** Marks the current step as failed, if there is one, and shows what to do. */
  failed(advice: readonly Span[], buttons: Button[][]): View {
    if (this.current) this.#mark(this.current, 'failed', [t('launch-step-failed')])
    return this.view([text(...advice)], buttons)
  }

  /** Marks the check as failed, with the reasons. */
  blocked(checked: Blocked, settings: LaunchSettings): View {
    const { note, blocks, buttons } = blockedShown(checked, this.#draft, settings)
    this.#mark('check', 'failed', [note])
    return this.view(blocks, buttons)
  }

  /** Shows the steps as they are. */
  show(): Promise<void> {
    return this.#show(this.view())
  }

  view(failures: readonly Block[] = [], buttons?: Button[][]): View {
    const { name = '', symbol = '' } = this.#draft.answers
    const steps = [...this.#steps.values()]
    const command = this.#draft.goal === 'launch' ? '/launch' : '/metadata'
    return stepsView({ name, symbol, command, steps, failures, ...(buttons && { buttons }) })
  }

  async #step<Result>(
    id: StepId,
    work: () => Promise<Result>,
    note: (result: Result) => Span[],
    taken: (result: Result) => { outcome: string; about?: string | undefined } = () => ({
      outcome: 'done',
    }),
  ): Promise<Result> {
    this.#mark(id, 'running')
    await this.show()
    const result = await work()
    this.#mark(id, 'done', note(result))
    logStep(this.#parts.log, { draft: this.#draft.id, step: id, ...taken(result) })
    return result
  }

  #mark(id: StepId, state: Step['state'], note?: Span[]): void {
    this.#steps.set(id, { label: labels[id], state, ...(note && { note }) })
  }

  async #publish({ cid, stored }: { cid: string; stored: boolean }): Promise<Message> {
    const { pictures, publisher } = this.#parts
    if (!stored) return t('launch-step-on-ipfs')
    if (!publishedPicture(this.#draft)) {
      const picture = await pictures.find(cid)
      if (!picture) throw new UserError(t('launch-step-logo-gone'))
      await this.#store({ picture: { of: cid, ...(await publisher.publish(picture)) } })
    }
    const isChecked = publishedPicture(this.#draft)?.isChecked ?? true
    return isChecked ? t('launch-step-published') : t('launch-step-published-unchecked')
  }

  async #uploadMetadata(template: Template | undefined): Promise<string> {
    const { api } = this.#parts
    const body = metadataInputs(this.#draft, template)
    const of = hashOf(body)
    const stored = this.#draft.stepResults.metadata
    if (stored?.of === of) return stored.uri
    const uri = tokenUri(await api.uploadMetadata(body))
    await this.#store({ metadata: { of, uri } })
    return uri
  }

  async #store(results: Draft['stepResults']): Promise<void> {
    const { drafts } = this.#parts
    this.#draft = await drafts.save({
      ...this.#draft,
      stepResults: { ...this.#draft.stepResults, ...results },
    })
  }
}

function checkNote(checked: CheckResult): Span[] {
  if (checked.kind === 'unverified') return [t('launch-step-not-verified')]
  if (checked.kind !== 'ready') return [t('launch-step-not-passed')]
  const { simulation, check } = checked.payload
  if (simulation.kind === 'none') return [t('launch-step-read')]
  return [check?.rehearsal ? t('launch-step-rehearsed') : t('launch-step-called')]
}

/** Makes a token URI with the CID as the API spelled it: it finds the metadata by that spelling. */
export function tokenUri(result: string): string {
  const cid = spelledCid(result)
  if (cid === undefined) throw new ApiError('malformed', 'the upload gave no CID')
  return `ipfs://${cid}`
}

interface EarlierParts {
  payloads: Payloads
  watch: Watch
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  /** Unix seconds. */
  now: () => number
}

/** The outcome of the draft's earlier payloads. */
interface EarlierLaunch {
  launched?: Payload
  /** A reported transaction that can't be seen, and of which the creator wasn't warned yet. */
  unseen?: UnseenReport
}

/**
 * Checks every payload of a draft before another is built. A reported transaction delays the build no longer than it
 * may take to reach a node, and the creator can override it.
 * @throws UserError if a payload is being launched or its token exists already
 * @throws NodeError or ApiError if that can't be checked
 */
async function checkEarlierPayloads(
  { payloads, watch, nodes, now }: EarlierParts,
  draft: string,
): Promise<EarlierLaunch> {
  const polls: PollResult[] = []
  for (const payload of await payloads.ofDraft(draft)) {
    const poll = await watch.poll(payload)
    if (poll.payload.state === 'launched') return { launched: poll.payload }
    polls.push(poll)
  }
  for (const { observation } of polls) refuseUnderWay(observation)
  for (const poll of polls) {
    const { chain, token } = poll.payload
    const unseen = unseenOf(poll, token !== undefined && nodes.has(chain), now())
    if (unseen) return { unseen }
  }
  return {}
}

/** Returns the latest report that may be true, unless the creator accepted the risk. */
function unseenOf(
  { payload, observation: { unseen } }: PollResult,
  isVisible: boolean,
  now: number,
): UnseenReport | undefined {
  if (payload.unseenAccepted) return undefined
  if (!isVisible) {
    const [report] = unseen
    return report && { payload, report }
  }
  const report = unseen.find((each) => now < mayArriveUntil(each))
  return report && { payload, report, until: mayArriveUntil(report) }
}

function refuseUnderWay({ found }: PollResult['observation']): void {
  if (found.kind === 'stands') {
    throw new UserError(t('launch-earlier-stands'))
  }
  if (found.kind !== 'pending') return
  throw new UserError(t('launch-earlier-pending', { hash: { code: found.hash } }))
}
