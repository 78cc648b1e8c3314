import type { Api, Read } from '../api/client.ts'
import type { Asset } from '../api/schema.ts'
import { type Chain, chainById } from '../chain/chains.ts'
import type { PlatformName } from '../core/command.ts'
import { type Context, parseLine } from '../core/command.ts'
import type { Form, Input } from '../core/conversation.ts'
import { withTimeout } from '../core/task.ts'
import { type Attachment, type Block, type Message, t, text, type View } from '../core/view.ts'
import { ApiError, UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import {
  type AnswerOutcome,
  type AnswerParts,
  applyAnswers,
  applyPicture,
  checkName,
  checkSymbol,
  cleared,
  type Labelled,
  labelledAnswers,
  labelledMessage,
  reject,
  unconfirmedAnswer,
  untouched,
  withoutOpenOptions,
} from './answers.ts'
import {
  answeredAlready,
  type Draft,
  type Drafts,
  discarded,
  isRepeated,
  OwnDraft,
  reusedAnswersSchema,
  StaleDraftError,
} from './draft.ts'
import { formAnswers, formOf } from './forms.ts'
import { pictureName } from './image.ts'
import type { Publisher } from './ipfs.ts'
import type { Pictures } from './pictures.ts'
import { beneficiaries, type LookUpName, vesting } from './questions/accounts.ts'
import {
  applicableQuestions,
  askedQuestions,
  currentQuestion,
  openQuestions,
  reconciled,
} from './questions/list.ts'
import {
  type Question,
  rejectSecret,
  rejectSecretOrHash,
  type Scope,
} from './questions/question.ts'
import { picture } from './questions/token.ts'
import { logStep } from './step-log.ts'
import type { TemplateList } from './templates.ts'
import type { Tickers } from './tickers.ts'
import {
  currentQuestionView,
  draftReview,
  knownSymbolNotes,
  type Notes,
  outcomeNotes,
  templateBlocks,
  withMissingTemplate,
  withTakenSymbol,
} from './views/question.ts'
import { droppedView, dropQuestion, otherOpenView } from './views/review.ts'

/** Dependencies of a launch conversation. */
interface ConversationParts {
  drafts: Drafts
  /** Reads the templates, and learns what they do. */
  templates: Pick<TemplateList, 'ready' | 'learnTerms' | 'offer'>
  pictures: Pictures
  /** Publishes pictures; if it is not available, only a CID is accepted. */
  publisher: Pick<Publisher, 'format' | 'isAvailable'>
  api: Pick<Api, 'search'>
  /** Asks whether a symbol is taken, where launch contracts reserve symbols. */
  tickers: Tickers
  /** Looks up an account that is given by name. */
  lookUpName: LookUpName
  /** A name such as those that can be looked up; undefined if none can. */
  nameExample: string | undefined
  /** `Platform.namedOptions` of the platform on which a draft began. */
  hasNamedOptions: (platform: PlatformName) => boolean
  /** Makes the card of the asset that has the symbol already. */
  card: (read: Read<Asset>, chain: Chain) => View
  /** Whether the draft has a payload that can still be signed. */
  hasActivePayload: (draft: string) => Promise<boolean>
  log: Logger
}

/** Milliseconds that a question waits for what is learned of the template meanwhile. */
const patienceMs = 1_000
/** Earlier drafts that are searched for the wallet of last time. */
const maxEarlier = 5

/** Asks a launch's questions, applies the answers, and shows the review. All state is in the draft. */
export class LaunchConversation {
  readonly #parts: ConversationParts
  readonly #answerParts: AnswerParts
  readonly #ownDraft: OwnDraft

  constructor(parts: ConversationParts) {
    this.#parts = parts
    this.#ownDraft = new OwnDraft(parts.drafts, async (draft) => {
      if (draft.goal === 'launch') await parts.templates.ready()
      return reconciled(draft, parts.templates.offer)
    })
    this.#answerParts = {
      scope: (draft) => this.#scope(draft),
      reconcile: (draft) => reconciled(draft, parts.templates.offer),
      checkSymbol: (symbol, chain) => checkSymbol(parts.api, symbol, chain),
      checkName: (name, chain) => checkName(parts.api, name, chain),
      lookUpName: parts.lookUpName,
    }
  }

  /**
   * Continues the person's open draft, or begins a new one.
   * @param beginning.input the token in one message; optional questions that it doesn't answer are skipped
   * @throws UserError if the input could hold a secret
   */
  async begin(
    context: Context,
    { origin, goal, input }: { origin?: string | undefined; goal: Draft['goal']; input?: Input },
  ): Promise<View> {
    const { drafts, templates } = this.#parts
    if (input) rejectSecret(input.text)
    if (goal === 'launch') await templates.ready()
    const open = await this.#ownDraft.open(context)
    if (open && isRepeated(open, context)) return this.#show(open, context)
    if (open && (open.goal !== goal || (input && open.answers.name !== undefined))) {
      return otherOpenView(open)
    }
    if (open && input) return this.#applyAtOnce(open, input, context)
    if (open) return this.#resumed(open, origin, context)
    const notes = [
      ...(goal === 'metadata' ? [text(t('launch-metadata-about'))] : []),
      ...(await notesBefore(this.#parts, context)),
      ...(goal === 'launch' ? this.#onlyTemplate() : []),
    ]
    const lastWallet = (await drafts.list(context, maxEarlier)).find(
      ({ answers }) => answers.wallet,
    )?.answers.wallet
    const draft = await this.#ownDraft.reconciled(
      await drafts.begin(context, { origin, goal, lastWallet }),
    )
    this.#begun(draft)
    return input ? this.#applyAtOnce(draft, input, context) : this.#show(draft, context, { notes })
  }

  /** Begins a launch with the settings of another: what is its token's own is asked for. */
  async again({ answers }: Draft, context: Context): Promise<View> {
    await this.#parts.templates.ready()
    const open = await this.#ownDraft.open(context)
    if (open && isRepeated(open, context)) return this.#show(open, context)
    if (open) return otherOpenView(open)
    const draft = await this.#parts.drafts.begin(context, {
      goal: 'launch',
      answers: reusedAnswersSchema.parse(answers),
      update: context.update,
    })
    this.#begun(draft)
    return this.#show(await this.#ownDraft.reconciled(draft), context, {
      notes: [text(t('launch-again-about'))],
    })
  }

  /** Returns whether an action of a button is one of the conversation's. */
  has(action: string): boolean {
    return action === 'resume' || action === 'cancel' || actions.has(action)
  }

  /**
   * Runs a button's action.
   * @param at the draft's id and the rev that the button was made for, as in `k3f9a2bc.12`
   * @throws UserError if the draft changed since, is closed, or belongs to somebody else
   */
  async step(
    action: string,
    at: string,
    words: readonly string[],
    context: Context,
  ): Promise<View> {
    const { draft, isStale } = await this.#ownDraft.at(at, context)
    if (action === 'resume' || isRepeated(draft, context)) return this.#show(draft, context)
    if (isStale) throw answeredAlready(draft)
    if (action === 'cancel') return dropQuestion(draft)
    const { pictures, drafts } = this.#parts
    const outcome = await actions.get(action)?.({
      draft,
      words,
      answerParts: this.#answerParts,
      pictures,
    })
    if (outcome === undefined) throw answeredAlready(draft)
    try {
      const saved = await drafts.save(outcome.draft, context.update)
      this.#answered(saved)
      return await this.#show(saved, context, this.#notesOf({ ...outcome, draft: saved }, false))
    } catch (error) {
      throw error instanceof StaleDraftError ? answeredAlready(draft) : error
    }
  }

  /** Whether this update has answered a question of the person's open draft: its process died before it was confirmed. */
  async isAnswered(context: Context): Promise<boolean> {
    const draft = await this.#parts.drafts.current(context)
    return draft !== undefined && isRepeated(draft, context)
  }

  /** Applies a message or a submitted form; undefined if the person has no open draft. */
  async receive(input: Input, context: Context): Promise<View | undefined> {
    const draft =
      input.form === undefined
        ? await this.#ownDraft.open(context)
        : (await this.#ownDraft.at(input.form, context)).draft
    if (draft === undefined) return undefined
    if (isRepeated(draft, context)) return this.#show(draft, context)
    try {
      return await this.#apply(draft, input, context)
    } catch (error) {
      if (!(error instanceof StaleDraftError)) throw error
      return this.#applyAgain(draft, input, context)
    }
  }

  /**
   * Makes the form behind a view's `form` line.
   * @throws UserError if the draft changed since
   */
  async form(line: string, context: Context): Promise<Form> {
    const [, at = ''] = parseLine(line).bare.split(' ')
    const { draft, isStale } = await this.#ownDraft.at(at, context)
    const scope = this.#scope(draft)
    const form = isStale ? undefined : formOf(draft, currentQuestion(draft, scope), scope)
    if (form === undefined) throw answeredAlready(draft)
    return form
  }

  /** Shows all answers of a draft, to confirm or change, with a note above. */
  review(draft: Draft, { note, context }: { note?: Message; context?: Context } = {}): View {
    const notes = note && { notes: [text(note)], tone: 'warn' as const }
    return draftReview({ draft, scope: this.#scope(draft), notes, context })
  }

  /**
   * Asks whether to discard the person's open draft.
   * @throws UserError if there is none
   */
  async cancel(context: Context): Promise<View> {
    const draft = await this.#ownDraft.open(context)
    if (draft) return dropQuestion(draft)
    throw new UserError(t('launch-nothing-to-cancel'))
  }

  #begun({ id, goal }: Draft): void {
    const outcome = goal === 'launch' ? 'begun' : 'begun for its metadata alone'
    logStep(this.#parts.log, { draft: id, step: 'draft', outcome })
  }

  #answered(draft: Draft): void {
    const { log } = this.#parts
    if (draft.state === 'cancelled') {
      logStep(log, { draft: draft.id, step: 'draft', outcome: 'discarded' })
      return
    }
    const asked = currentQuestion(draft, this.#scope(draft))
    const outcome = asked === undefined ? 'complete' : 'waiting'
    logStep(log, { draft: draft.id, step: 'answers', about: asked?.id, outcome })
  }

  get #canPublish(): boolean {
    return this.#parts.publisher.isAvailable
  }

  /** Explains the template if there is no other to choose. */
  #onlyTemplate(): Block[] {
    const settings = this.#parts.templates.offer
    const [only, ...others] = settings.templates
    if (only?.expects === undefined || others.length > 0) return []
    const canPublish = this.#canPublish
    return templateBlocks(only, { answers: {}, goal: 'launch', settings, canPublish })
  }

  #scope({ answers, goal, platform, lastWallet }: Draft): Scope {
    const { templates, nameExample } = this.#parts
    const settings = templates.offer
    const canPublish = this.#canPublish
    const namedOptions = this.#parts.hasNamedOptions(platform)
    return { answers, goal, settings, namedOptions, canPublish, lastWallet, nameExample }
  }

  async #resumed(open: Draft, origin: string | undefined, context: Context): Promise<View> {
    const moved = origin !== undefined && origin !== open.origin
    // The announcement was turned on for the group in which the draft began, not for this one.
    const draft = moved
      ? await this.#ownDraft.saved(open, { ...open, origin, announce: false })
      : open
    const since = { time: open.createdAt, as: 'relative' } as const
    const isLaunch = open.goal === 'launch'
    return this.#show(draft, context, {
      notes: [
        text(isLaunch ? t('launch-resumed', { since }) : t('launch-resumed-metadata', { since })),
      ],
    })
  }

  #applyAtOnce(draft: Draft, input: Input, context: Context): Promise<View> {
    const labelled = { ...input, text: labelledMessage(input.text) }
    return this.#apply(draft, labelled, context, withoutOpenOptions)
  }

  async #apply(
    draft: Draft,
    input: Input,
    context: Context,
    complete: typeof withoutOpenOptions = (outcome) => outcome,
  ): Promise<View> {
    const scope = this.#scope(draft)
    const [file, ...otherFiles] = input.files
    const { given: answers, mistyped, isLabelled } = this.#answersIn(draft, input)
    // A text that answers nothing may hold a secret, too; answers are checked one by one.
    if (answers.length === 0) rejectSecretOrHash(input.text)
    const applied = await applyAnswers(
      { ...untouched(draft), mistyped },
      answers,
      this.#answerParts,
    )
    let outcome = complete(applied, this.#answerParts)
    if (file) outcome = await applyPicture(outcome, picture, file, this.#parts)
    if (answers.length === 0 && file === undefined) {
      const isOpen = currentQuestion(draft, scope) !== undefined
      return this.#show(draft, context, {
        notes: isOpen ? [] : [text(t('launch-all-answered'))],
      })
    }
    const saved = await this.#parts.drafts.save(outcome.draft, context.update)
    this.#answered(saved)
    const said = this.#notesOf({ ...outcome, draft: saved }, isLabelled)
    if (otherFiles.length > 0) said.notes.push(text(t('launch-first-file-only')))
    if (file && input.text !== '' && !isLabelled) {
      said.notes.push(text(t('launch-caption-unused')))
    }
    return this.#show(saved, context, said)
  }

  /**
   * Splits the input into answers. A text without labels answers the current question; beside a file it is a caption.
   */
  #answersIn(draft: Draft, input: Input): Labelled & { isLabelled: boolean } {
    const scope = this.#scope(draft)
    if (input.form !== undefined) return { ...formAnswers(input, draft, scope), isLabelled: true }
    const several = labelledAnswers(input.text)
    if (several) return { ...several, isLabelled: true }
    const question = currentQuestion(draft, scope)
    const isAnswer = question && input.files.length === 0 && input.text.trim() !== ''
    const given = isAnswer ? [{ question, text: input.text }] : []
    return { given, mistyped: [], isLabelled: false }
  }

  /**
   * Applies the input to the draft that was saved in the meantime, if the same question is still asked or the answers
   * are labelled.
   */
  async #applyAgain(before: Draft, input: Input, context: Context): Promise<View> {
    const draft = await this.#ownDraft.open(context)
    if (draft?.id !== before.id) throw answeredAlready(before)
    const questionBefore = currentQuestion(before, this.#scope(before))
    const isSame = currentQuestion(draft, this.#scope(draft)) === questionBefore
    try {
      if (isSame || this.#answersIn(before, input).isLabelled) {
        return await this.#apply(draft, input, context)
      }
    } catch (error) {
      if (!(error instanceof StaleDraftError)) throw error
    }
    return this.#show((await this.#ownDraft.open(context)) ?? draft, context, {
      tone: 'warn',
      notes: [text(t('launch-concurrent-answer'))],
    })
  }

  #notesOf(outcome: AnswerOutcome, isLabelled: boolean): Notes {
    const said = outcomeNotes(outcome, isLabelled)
    const { existing, draft } = outcome
    if (existing === undefined || draft.answers.chain === undefined) return said
    const chain = chainById(draft.answers.chain)
    const more = knownSymbolNotes(draft, {
      read: existing,
      chain,
      card: this.#parts.card(existing, chain),
    })
    return {
      ...more,
      notes: [...said.notes, ...more.notes],
      rows: [...(said.rows ?? []), ...(more.rows ?? [])],
    }
  }

  async #show(answered: Draft, context: Context, given?: Notes): Promise<View> {
    if (answered.state === 'cancelled') return droppedView(answered)
    await this.#learnTerms(answered)
    const draft = await this.#ownDraft.reconciled(answered)
    const said = withMissingTemplate(answered, draft, given)
    const scope = this.#scope(draft)
    const question = currentQuestion(draft, scope)
    // The contract is asked while the person answers the next question, and only a review waits for it.
    const isTaken =
      draft.goal === 'launch' &&
      (await this.#parts.tickers.isTaken(draft.answers, { wait: question === undefined }))
    const notes = isTaken && question?.id !== 'symbol' ? withTakenSymbol(draft, said) : said
    if (question === undefined) return draftReview({ draft, scope, notes, context })
    return currentQuestionView(
      { draft, scope, notes },
      question,
      await this.#offered(draft, question),
    )
  }

  /**
   * Learns what the template does, before the questions that depend on it are asked. Others wait a moment: if the API turns out not to
   * have the template, another has to be chosen first.
   * @throws UserError if the review can't be shown without
   */
  async #learnTerms(draft: Draft): Promise<void> {
    if (draft.goal !== 'launch') return
    const learning = this.#parts.templates.learnTerms(draft.answers).catch((error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    })
    const asked = currentQuestion(draft, this.#scope(draft))
    if (asked && asked !== vesting && asked !== beneficiaries) {
      await withTimeout(learning, patienceMs)
      return
    }
    const failed = await learning
    if (failed && !asked) throw new UserError(t('launch-templates-unavailable'), { cause: failed })
  }

  async #offered({ pendingPicture }: Draft, question: Question): Promise<Attachment | undefined> {
    if (pendingPicture === undefined || question !== picture) return undefined
    const found = await this.#parts.pictures.find(pendingPicture)
    return found && { name: pictureName(found), type: found.type, bytes: found.bytes }
  }
}

/** Reports earlier launches that need attention when a new one begins. */
async function notesBefore(
  { drafts, hasActivePayload }: ConversationParts,
  context: Context,
): Promise<Block[]> {
  const since = await drafts.expiredSince(context)
  const handed = (await drafts.list(context, 5)).filter(({ state }) => state === 'handed')
  const isWaiting = (await Promise.all(handed.map(({ id }) => hasActivePayload(id)))).includes(true)
  const expired =
    since !== undefined && text(t('launch-last-expired', { since: { time: since, as: 'date' } }))
  const waiting = isWaiting && text(t('launch-other-waits'))
  return [expired, waiting].filter((each) => each !== false)
}

/** Max confirmed oddities stored per question. */
const maxConfirmed = 60

interface Step {
  draft: Draft
  words: readonly string[]
  answerParts: AnswerParts
  pictures: Pictures
}

type Action = (step: Step) => AnswerOutcome | undefined | Promise<AnswerOutcome | undefined>

/** Actions by name; undefined means that the action doesn't fit the draft. */
const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['set', set],
  ['skip', skip],
  ['keep', keep],
  ['back', back],
  ['change', change],
  ['review', ({ draft }) => untouched(askingFor(draft, undefined))],
  ['accept', accept],
  ['known', confirmHeld],
  ['announce', announce],
  ['drop', ({ draft }) => untouched(discarded(draft))],
])

function askingFor(draft: Draft, question: Question | undefined): Draft {
  const { askedQuestion: _, ...rest } = draft
  return question === undefined ? rest : { ...rest, askedQuestion: question.id }
}

function questionNamed({ draft, words: [id], answerParts }: Step): Question | undefined {
  return applicableQuestions(answerParts.scope(draft)).find((question) => question.id === id)
}

function set(step: Step) {
  const question = questionNamed(step)
  const text = step.words.slice(1).join(' ')
  return question && applyAnswers(untouched(step.draft), [{ question, text }], step.answerParts)
}

function skip(step: Step): AnswerOutcome | undefined {
  const { draft, answerParts } = step
  const question = questionNamed(step)
  const answer = question?.skipped(answerParts.scope(draft))
  if (question === undefined || answer === undefined) return undefined
  const changed = cleared(draft, question.id)
  return untouched({ ...changed, answers: { ...changed.answers, ...answer } })
}

function keep({ draft, answerParts }: Step): AnswerOutcome | undefined {
  const scope = answerParts.scope(draft)
  const question = currentQuestion(draft, scope)
  const isAnswered = question?.text(scope) !== undefined
  return question && isAnswered ? untouched(cleared(draft, question.id)) : undefined
}

function back({ draft, answerParts }: Step): AnswerOutcome | undefined {
  const scope = answerParts.scope(draft)
  const all = askedQuestions(scope)
  const question = currentQuestion(draft, scope)
  // The question was opened from the review.
  const isExtra = question?.isPreset || openQuestions(scope).length === 0
  if (question && isExtra) return untouched(cleared(draft, question.id))
  const before = all[(question ? all.indexOf(question) : all.length) - 1]
  return before && untouched(askingFor(draft, before))
}

function change(step: Step): AnswerOutcome | undefined {
  const question = questionNamed(step)
  return question && untouched(askingFor(step.draft, question))
}

async function accept({ draft, pictures }: Step): Promise<AnswerOutcome | undefined> {
  const cid = draft.pendingPicture
  if (cid === undefined) return undefined
  const changed = cleared(draft, 'picture')
  if (await pictures.find(cid)) {
    return untouched({
      ...changed,
      answers: { ...changed.answers, picture: { cid, stored: true } },
    })
  }
  return reject(untouched(changed), picture, '', [t('launch-logo-gone')])
}

/** Confirms an answer that was held back; a symbol is confirmed for the current chain only. */
function confirmHeld(step: Step): AnswerOutcome | Promise<AnswerOutcome> | undefined {
  const { draft, answerParts, words } = step
  // Buttons without a question id are about the symbol.
  const question = questionNamed({ ...step, words: words.length === 0 ? ['symbol'] : words })
  if (question === undefined) return undefined
  const text = draft.rejectedTexts[question.id]
  const held = unconfirmedAnswer(draft, question, answerParts.scope(draft))
  const { chain } = draft.answers
  if (text === undefined || held === undefined) return undefined
  if (question.id === 'symbol' && chain === undefined) return undefined
  const before = draft.acceptedDoubts[question.id] ?? []
  const doubted = held.doubts.map(({ part }) => part)
  const meant = [...new Set([...before, ...doubted, held.answer])]
  const accepted = {
    ...draft,
    acceptedDoubts: { ...draft.acceptedDoubts, [question.id]: meant.slice(-maxConfirmed) },
    ...(question.id === 'symbol' && { knownSymbolAccepted: `${chain} ${text}` }),
  }
  return applyAnswers(untouched(accepted), [{ question, text }], answerParts)
}

function announce({ draft, words: [setting] }: Step): AnswerOutcome | undefined {
  if (draft.origin === undefined) return undefined
  return untouched({ ...draft, announce: setting === 'on' })
}
