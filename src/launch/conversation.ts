import type { Read } from '../api/cache.ts'
import type { Api } from '../api/client.ts'
import type { Asset } from '../api/schema.ts'
import { type Chain, chainById } from '../chain/chains.ts'
import { type Context, parseLine } from '../core/command.ts'
import type { Form, FormField, Input } from '../core/conversation.ts'
import type { Attachment, Block, View } from '../core/view.ts'
import { UserError } from '../errors.ts'
import {
  checkName,
  checkSymbol,
  cleared,
  type Given,
  heldAnswer,
  type Labelled,
  labelledAnswers,
  type Reader,
  refuse,
  type Taken,
  takeAnswers,
  takePicture,
  untouched,
} from './answers.ts'
import { askedView, note, reviewOf, type Said, saidOf, saidOfKnown } from './conversation-view.ts'
import { answeredAlready, type Draft, type Drafts, OwnDraft, StaleDraftError } from './draft.ts'
import type { Pictures } from './images.ts'
import { applicable, currentQuestion, openQuestions, questions, settled } from './questions/list.ts'
import { picture } from './questions/picture.ts'
import type { Question, Scope } from './questions/question.ts'
import { refuseSecret } from './questions/secrets.ts'
import type { LaunchSettings } from './settings.ts'
import { droppedView, dropQuestion, otherOpenView } from './views/review.ts'

/** What a launch conversation works with. */
interface ConversationParts {
  drafts: Drafts
  settings: LaunchSettings
  pictures: Pictures
  /** Whether pictures can be published; where they can't, only a CID is taken. */
  publishes: boolean
  api: Pick<Api, 'search'>
  /** The card of an asset that has a symbol already. */
  card: (read: Read<Asset>, chain: Chain) => View
  /** Whether a launch that was handed out can still be signed. */
  waits: (draft: string) => Promise<boolean>
}

/** Asks the questions of a launch, takes the answers, and shows them for review. All state is in the draft. */
export class LaunchConversation {
  readonly #parts: ConversationParts
  readonly #reader: Reader
  readonly #own: OwnDraft

  constructor(parts: ConversationParts) {
    this.#parts = parts
    this.#own = new OwnDraft(parts.drafts, (draft) => settled(draft, parts.settings))
    this.#reader = {
      scope: (draft) => this.#scope(draft),
      settle: (draft) => settled(draft, parts.settings),
      check: (symbol, chain) => checkSymbol(parts.api, symbol, chain),
      checkName: (name, chain) => checkName(parts.api, name, chain),
    }
  }

  /** Goes on with the person's open draft, or begins one. */
  async begin(
    context: Context,
    { origin, goal }: { origin?: string | undefined; goal: Draft['goal'] },
  ): Promise<View> {
    const { drafts } = this.#parts
    const open = await this.#own.open(context)
    if (open && open.goal !== goal) return otherOpenView(open)
    if (open) return this.#resumed(open, origin)
    const notes = [
      ...(goal === 'metadata' ? [note(aboutMetadata)] : []),
      ...(await notesBefore(this.#parts, context)),
    ]
    const draft = await drafts.begin(context, { origin, goal })
    return this.#show(await this.#own.settled(draft), { notes })
  }

  /**
   * What a button does; `at` names the draft and the rev that the button was made for.
   * @throws UserError where the draft moved on since, is closed, or is another person's
   */
  async step(
    action: string,
    at: string,
    words: readonly string[],
    context: Context,
  ): Promise<View> {
    const { draft, isStale } = await this.#own.at(at, context)
    if (action === 'resume') return this.#show(draft)
    if (isStale) throw answeredAlready(draft)
    if (action === 'cancel') return dropQuestion(draft)
    const { pictures, drafts } = this.#parts
    const taken = await takeStep(draft, action, words, { reader: this.#reader, pictures })
    if (taken === undefined) throw answeredAlready(draft)
    try {
      const saved = await drafts.save(taken.draft)
      return await this.#show(saved, this.#said({ ...taken, draft: saved }, false))
    } catch (error) {
      throw error instanceof StaleDraftError ? answeredAlready(draft) : error
    }
  }

  /** Takes what was said or sent in a form; undefined where the person has no open draft. */
  async hear(heard: Input, context: Context): Promise<View | undefined> {
    const draft =
      heard.form === undefined
        ? await this.#own.open(context)
        : (await this.#own.at(heard.form, context)).draft
    if (draft === undefined) return undefined
    try {
      return await this.#heard(draft, heard)
    } catch (error) {
      if (!(error instanceof StaleDraftError)) throw error
      return this.#heardAgain(draft, heard, context)
    }
  }

  /** The form behind a view's `form` line. @throws UserError where the draft moved on since. */
  async form(line: string, context: Context): Promise<Form> {
    const [, at = ''] = parseLine(line).bare.split(' ')
    const { draft, isStale } = await this.#own.at(at, context)
    const scope = this.#scope(draft)
    const form = isStale ? undefined : formOf(draft, currentQuestion(draft, scope), scope)
    if (form === undefined) throw answeredAlready(draft)
    return form
  }

  /** All answers of a draft, to be confirmed or changed. */
  review(draft: Draft): View {
    return reviewOf({ draft, scope: this.#scope(draft) })
  }

  /** Asks whether the person's open draft is to be dropped. @throws UserError where there is none. */
  async cancel(context: Context): Promise<View> {
    const draft = await this.#own.open(context)
    if (draft) return dropQuestion(draft)
    throw new UserError(
      'There is nothing to cancel. /launches shows what was built already; /launch begins something new.',
    )
  }

  #scope({ answers, goal }: Draft): Scope {
    const { settings, publishes } = this.#parts
    return { answers, goal, settings, publishes }
  }

  async #resumed(open: Draft, origin: string | undefined): Promise<View> {
    const moved = origin !== undefined && origin !== open.origin
    // Who turned the announcement on meant the group that it was begun in.
    const draft = moved ? await this.#own.saved(open, { ...open, origin, announce: false }) : open
    const what = open.goal === 'launch' ? 'launch' : 'metadata'
    return this.#show(draft, {
      notes: [
        note(`Going on with your ${what} from `, { time: open.createdAt, as: 'relative' }, '.'),
      ],
    })
  }

  async #heard(draft: Draft, heard: Input): Promise<View> {
    const scope = this.#scope(draft)
    const [file, ...others] = heard.files
    const { given, slips, isNamed } = this.#given(draft, heard)
    // Words that answer nothing are as secret as an answer, which is looked at on its own.
    if (given.length === 0) refuseSecret(heard.text)
    let taken = await takeAnswers({ ...untouched(draft), slips }, given, this.#reader)
    if (file) taken = await takePicture(taken, picture, file, this.#parts)
    if (given.length === 0 && file === undefined) {
      const isOpen = currentQuestion(draft, scope) !== undefined
      return this.#show(draft, { notes: isOpen ? [] : [note(allAnswered)] })
    }
    const saved = await this.#parts.drafts.save(taken.draft)
    const said = this.#said({ ...taken, draft: saved }, isNamed)
    if (others.length > 0) said.notes.push(note('Only the first of the files was taken.'))
    if (file && heard.text !== '' && !isNamed) {
      said.notes.push(note('The words beside the picture are no answer; send them on their own.'))
    }
    return this.#show(saved, said)
  }

  /** Words without a label answer the question that is asked; beside a file they are its caption. */
  #given(draft: Draft, heard: Input): Labelled & { isNamed: boolean } {
    const scope = this.#scope(draft)
    if (heard.form !== undefined) return { ...formAnswers(heard, draft, scope), isNamed: true }
    const several = labelledAnswers(heard.text, questions)
    if (several) return { ...several, isNamed: true }
    const question = currentQuestion(draft, scope)
    const isAnswer = question && heard.files.length === 0 && heard.text.trim() !== ''
    const given = isAnswer ? [{ question, text: heard.text }] : []
    return { given, slips: [], isNamed: false }
  }

  /** The draft changed while this was read: what is still meant for the question that is asked is taken after all. */
  async #heardAgain(before: Draft, heard: Input, context: Context): Promise<View> {
    const draft = await this.#own.open(context)
    if (draft?.id !== before.id) throw answeredAlready(before)
    const asked = currentQuestion(before, this.#scope(before))
    const isSame = currentQuestion(draft, this.#scope(draft)) === asked
    try {
      if (isSame || this.#given(before, heard).isNamed) return await this.#heard(draft, heard)
    } catch (error) {
      if (!(error instanceof StaleDraftError)) throw error
    }
    return this.#show((await this.#own.open(context)) ?? draft, {
      tone: 'warn',
      notes: [note(cameSecond)],
    })
  }

  #said(taken: Taken, isNamed: boolean): Said {
    const said = saidOf(taken, isNamed)
    const { known, draft } = taken
    if (known === undefined || draft.answers.chain === undefined) return said
    const chain = chainById(draft.answers.chain)
    const more = saidOfKnown(draft, { read: known, chain, card: this.#parts.card(known, chain) })
    return {
      ...more,
      notes: [...said.notes, ...more.notes],
      rows: [...(said.rows ?? []), ...(more.rows ?? [])],
    }
  }

  async #show(draft: Draft, said?: Said): Promise<View> {
    if (draft.state === 'cancelled') return droppedView(draft)
    const scope = this.#scope(draft)
    const question = currentQuestion(draft, scope)
    if (question === undefined) return reviewOf({ draft, scope, said })
    return askedView({ draft, scope, said }, question, await this.#offered(draft, question))
  }

  async #offered({ offered }: Draft, question: Question): Promise<Attachment | undefined> {
    if (offered === undefined || question !== picture) return undefined
    const found = await this.#parts.pictures.find(offered)
    return found && { name: 'picture.webp', type: found.type, bytes: found.bytes }
  }
}

const aboutMetadata =
  'This uploads picture and metadata and gives you their address; no token is made.'
const allAnswered = 'Everything is answered. Confirm below, or change an answer.'
const cameSecond =
  'Another answer came in at the same moment, so this one was not taken. Here is where you are; send it again if it still fits.'

/** What a person has to know of their earlier launches as they begin another. */
async function notesBefore(
  { drafts, waits }: ConversationParts,
  context: Context,
): Promise<Block[]> {
  const since = await drafts.expiredSince(context)
  const handed = (await drafts.list(context, 5)).filter(({ state }) => state === 'handed')
  const isWaiting = (await Promise.all(handed.map(({ id }) => waits(id)))).includes(true)
  const expired =
    since !== undefined &&
    note(
      'Your last draft expired: it was left alone for a week, since ',
      { time: since, as: 'date' },
      '. This is a new one.',
    )
  const waiting =
    isWaiting && note('You have another launch that waits for a signature. /launches shows it.')
  return [expired, waiting].filter((each) => each !== false)
}

/** So much that is odd about one question's answers is remembered as meant. */
const maxKept = 60

interface Step {
  draft: Draft
  words: readonly string[]
  reader: Reader
  pictures: Pictures
}

type Does = (step: Step) => Taken | undefined | Promise<Taken | undefined>

/** Actions by name; what gives undefined can't be done with the draft as it is. */
const steps: ReadonlyMap<string, Does> = new Map<string, Does>([
  ['set', set],
  ['skip', skip],
  ['keep', keep],
  ['back', back],
  ['change', change],
  ['review', ({ draft }) => untouched(asked(draft, undefined))],
  ['accept', accept],
  ['known', known],
  ['announce', announce],
  ['drop', ({ draft }) => untouched({ ...draft, state: 'cancelled' })],
])

/** The draft after a press; undefined where there is no such action, or it does not fit the draft. */
async function takeStep(
  draft: Draft,
  action: string,
  words: readonly string[],
  parts: Pick<Step, 'reader' | 'pictures'>,
): Promise<Taken | undefined> {
  return steps.get(action)?.({ draft, words, ...parts })
}

function asked(draft: Draft, question: Question | undefined): Draft {
  const { asking: _, ...rest } = draft
  return question === undefined ? rest : { ...rest, asking: question.id }
}

function named({ draft, words: [id], reader }: Step): Question | undefined {
  return applicable(reader.scope(draft)).find((question) => question.id === id)
}

function set(step: Step) {
  const question = named(step)
  const text = step.words.slice(1).join(' ')
  return question && takeAnswers(untouched(step.draft), [{ question, text }], step.reader)
}

function skip(step: Step): Taken | undefined {
  const { draft, reader } = step
  const question = named(step)
  const answer = question?.skipped(reader.scope(draft))
  if (question === undefined || answer === undefined) return undefined
  const changed = cleared(draft, question.id)
  return untouched({ ...changed, answers: { ...changed.answers, ...answer } })
}

function keep({ draft, reader }: Step): Taken | undefined {
  const scope = reader.scope(draft)
  const question = currentQuestion(draft, scope)
  const isAnswered = question?.text(scope) !== undefined
  return question && isAnswered ? untouched(cleared(draft, question.id)) : undefined
}

function back({ draft, reader }: Step): Taken | undefined {
  const scope = reader.scope(draft)
  const all = applicable(scope)
  const question = currentQuestion(draft, scope)
  // It was reached from the review.
  if (question && openQuestions(scope).length === 0) return untouched(cleared(draft, question.id))
  const before = all[(question ? all.indexOf(question) : all.length) - 1]
  return before && untouched(asked(draft, before))
}

function change(step: Step): Taken | undefined {
  const question = named(step)
  return question && untouched(asked(step.draft, question))
}

async function accept({ draft, pictures }: Step): Promise<Taken | undefined> {
  const cid = draft.offered
  if (cid === undefined) return undefined
  const changed = cleared(draft, 'picture')
  if (await pictures.find(cid)) {
    return untouched({
      ...changed,
      answers: { ...changed.answers, picture: { cid, stored: true } },
    })
  }
  return refuse(untouched(changed), picture, '', 'This picture is no longer here. Send it again.')
}

/** An answer that was held back was meant; of a symbol that another asset has, on just this chain. */
function known(step: Step): Taken | Promise<Taken> | undefined {
  const { draft, reader, words } = step
  // Buttons without a question are those of a symbol.
  const question = named({ ...step, words: words.length === 0 ? ['symbol'] : words })
  if (question === undefined) return undefined
  const text = draft.typed[question.id]
  const held = heldAnswer(draft, question, reader.scope(draft))
  const { chain } = draft.answers
  if (text === undefined || held === undefined) return undefined
  if (question.id === 'symbol' && chain === undefined) return undefined
  const before = draft.kept[question.id] ?? []
  const abouts = held.doubts.map(({ about }) => about)
  const meant = [...new Set([...before, ...abouts, held.answer])]
  const accepted = {
    ...draft,
    kept: { ...draft.kept, [question.id]: meant.slice(-maxKept) },
    ...(question.id === 'symbol' && { knownSymbolAccepted: `${chain} ${text}` }),
  }
  return takeAnswers(untouched(accepted), [{ question, text }], reader)
}

function announce({ draft, words: [wanted] }: Step): Taken | undefined {
  if (draft.origin === undefined) return undefined
  return untouched({ ...draft, announce: wanted === 'on' })
}

/** Discord shows no more. */
const maxFields = 5
const maxAbout = 100
const pictureFile = 'pictureFile'
const optional = '; optional'

/**
 * The current question and the open ones after it that are answered in writing, as many as fit; none where it is
 * pressed. A refused answer is corrected on its own: what was never asked would be left out as empty.
 */
function formOf(draft: Draft, current: Question | undefined, scope: Scope): Form | undefined {
  if (current?.field === undefined) return undefined
  const after = questions.indexOf(current)
  const isCorrected = draft.typed[current.id] !== undefined
  const later = isCorrected
    ? []
    : openQuestions(scope).filter((each) => questions.indexOf(each) > after)
  const fields: FormField[] = []
  for (const question of [current, ...later]) {
    const next = fieldsOf(draft, question, scope, question === current)
    if (fields.length + next.length > maxFields) break
    fields.push(...next)
  }
  const title = draft.goal === 'launch' ? 'Your token' : 'Your metadata'
  return { id: `${draft.id}.${draft.rev}`, title, fields }
}

function fieldsOf(draft: Draft, question: Question, scope: Scope, isCurrent: boolean): FormField[] {
  const { field, id } = question
  if (field === undefined) return []
  const canSkip = question.skipped(scope) !== undefined
  const empty = canSkip ? optional : field.empty ? `; ${field.empty.about}` : ''
  const { example } = question.ask(scope)
  const value = shownIn(question, draft, scope)
  const takesFile = id === 'picture' && scope.publishes
  const text: FormField = {
    id,
    label: takesFile ? 'Or where the picture is on IPFS' : question.label,
    about: `${field.about}${empty}`.slice(0, maxAbout),
    kind: field.kind,
    // Only what is asked now must be there: the rest can be answered later.
    required: isCurrent && !canSkip && field.empty === undefined,
    most: field.most,
    ...(example !== undefined && { example: example.slice(0, maxAbout) }),
    ...(value !== '' && { value: value.slice(0, field.most) }),
  }
  if (!takesFile) return [text]
  const file: FormField = {
    id: pictureFile,
    label: question.label,
    about: `PNG, JPEG, WebP or GIF up to 10 MB${optional}`,
    kind: 'file',
    required: false,
  }
  return [file, text]
}

/**
 * The answers of a form that was sent; what was left empty is left out where it may be, and stays open elsewhere.
 * Several answers pasted into one field are read as such, and what a person wrote into a field of its own comes first.
 */
function formAnswers(heard: Input, draft: Draft, scope: Scope): Labelled {
  const own = questions.flatMap((question) => ownAnswer(question, heard, draft, scope))
  const pastes = own.map(({ text }) => labelledAnswers(text, questions))
  const pasted = new Map(
    pastes.flatMap((paste) => paste?.given ?? []).map((each) => [each.question, each]),
  )
  const kept = own.filter(({ question, text }, index) => {
    if (pastes[index] !== undefined) return false
    const isChanged = text !== '' && text !== shownIn(question, draft, scope)
    return isChanged || !pasted.has(question)
  })
  return {
    given: [
      ...new Map([...pasted.values(), ...kept].map((each) => [each.question, each])).values(),
    ],
    slips: pastes.flatMap((paste) => paste?.slips ?? []),
  }
}

/** What a field holds as it is opened. */
function shownIn(question: Question, draft: Draft, scope: Scope): string {
  return draft.typed[question.id] ?? question.text(scope) ?? ''
}

function ownAnswer(
  question: Question,
  { named, files }: Input,
  draft: Draft,
  scope: Scope,
): Given[] {
  const text = Object.hasOwn(named, question.id) ? named[question.id]?.trim() : undefined
  if (text === undefined) return []
  // A file stands for the picture, whatever is written beside it; one that was offered still waits for its answer.
  const hasFile = files.length > 0 || (text === '' && draft.offered !== undefined)
  if (question.id === 'picture' && hasFile) return []
  if (text !== '' || question.skipped(scope) !== undefined) return [{ question, text }]
  const stands = question.field?.empty?.text
  return stands === undefined ? [] : [{ question, text: stands }]
}
