import type { Read } from '../api/cache.ts'
import type { Api } from '../api/client.ts'
import type { Asset } from '../api/schema.ts'
import { type Chain, chainById } from '../chain/chains.ts'
import type { Turn } from '../chat/command.ts'
import type { Form, Heard } from '../chat/conversation.ts'
import { parseLine } from '../chat/line.ts'
import type { Attachment, Block, View } from '../chat/view.ts'
import { UserError } from '../errors.ts'
import { droppedView, dropQuestion, otherOpenView } from '../views/launch/review.ts'
import { type Labelled, labelledAnswers } from './answers.ts'
import {
  type Reader,
  type Taken,
  takeAnswers,
  takePicture,
  untouched,
} from './conversation-answers.ts'
import { formAnswers, formOf } from './conversation-form.ts'
import { note, type Said, saidOf, saidOfKnown } from './conversation-notes.ts'
import { takeStep } from './conversation-steps.ts'
import { askedView, reviewOf } from './conversation-views.ts'
import type { Draft } from './draft.ts'
import { type Drafts, StaleDraftError } from './drafts.ts'
import { checkName, checkSymbol } from './known-symbol.ts'
import { answeredAlready, OwnDraft } from './own-draft.ts'
import type { Pictures } from './pictures.ts'
import { currentQuestion, questions, settled } from './questions/list.ts'
import { picture } from './questions/picture.ts'
import type { Question, Scope } from './questions/question.ts'
import { refuseSecret } from './questions/secrets.ts'
import type { LaunchSettings } from './settings.ts'

/** What a launch conversation works with. */
export interface ConversationParts {
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
    turn: Turn,
    { origin, goal }: { origin?: string | undefined; goal: Draft['goal'] },
  ): Promise<View> {
    const { drafts } = this.#parts
    const open = await this.#own.open(turn)
    if (open && open.goal !== goal) return otherOpenView(open)
    if (open) return this.#resumed(open, origin)
    const notes = [
      ...(goal === 'metadata' ? [note(aboutMetadata)] : []),
      ...(await notesBefore(this.#parts, turn)),
    ]
    const draft = await drafts.begin(turn, { origin, goal })
    return this.#show(await this.#own.settled(draft), { notes })
  }

  /**
   * What a button does; `at` names the draft and the rev that the button was made for.
   * @throws UserError where the draft moved on since, is closed, or is another person's
   */
  async step(action: string, at: string, words: readonly string[], turn: Turn): Promise<View> {
    const { draft, isStale } = await this.#own.at(at, turn)
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
  async hear(heard: Heard, turn: Turn): Promise<View | undefined> {
    const draft =
      heard.form === undefined
        ? await this.#own.open(turn)
        : (await this.#own.at(heard.form, turn)).draft
    if (draft === undefined) return undefined
    try {
      return await this.#heard(draft, heard)
    } catch (error) {
      if (!(error instanceof StaleDraftError)) throw error
      return this.#heardAgain(draft, heard, turn)
    }
  }

  /** The form behind a view's `form` line. @throws UserError where the draft moved on since. */
  async form(line: string, turn: Turn): Promise<Form> {
    const [, at = ''] = parseLine(line).bare.split(' ')
    const { draft, isStale } = await this.#own.at(at, turn)
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
  async cancel(turn: Turn): Promise<View> {
    const draft = await this.#own.open(turn)
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

  async #heard(draft: Draft, heard: Heard): Promise<View> {
    const scope = this.#scope(draft)
    const [file, ...others] = heard.files
    const { given, slips, isNamed } = this.#given(draft, heard)
    // Words that answer nothing are as secret as an answer, which is looked at on its own.
    if (given.length === 0) refuseSecret(heard.words)
    let taken = await takeAnswers({ ...untouched(draft), slips }, given, this.#reader)
    if (file) taken = await takePicture(taken, picture, file, this.#parts)
    if (given.length === 0 && file === undefined) {
      const isOpen = currentQuestion(draft, scope) !== undefined
      return this.#show(draft, { notes: isOpen ? [] : [note(allAnswered)] })
    }
    const saved = await this.#parts.drafts.save(taken.draft)
    const said = this.#said({ ...taken, draft: saved }, isNamed)
    if (others.length > 0) said.notes.push(note('Only the first of the files was taken.'))
    if (file && heard.words !== '' && !isNamed) {
      said.notes.push(note('The words beside the picture are no answer; send them on their own.'))
    }
    return this.#show(saved, said)
  }

  /** Words without a label answer the question that is asked; beside a file they are its caption. */
  #given(draft: Draft, heard: Heard): Labelled & { isNamed: boolean } {
    const scope = this.#scope(draft)
    if (heard.form !== undefined) return { ...formAnswers(heard, draft, scope), isNamed: true }
    const several = labelledAnswers(heard.words, questions)
    if (several) return { ...several, isNamed: true }
    const question = currentQuestion(draft, scope)
    const isAnswer = question && heard.files.length === 0 && heard.words.trim() !== ''
    const given = isAnswer ? [{ question, text: heard.words }] : []
    return { given, slips: [], isNamed: false }
  }

  /** The draft changed while this was read: what is still meant for the question that is asked is taken after all. */
  async #heardAgain(before: Draft, heard: Heard, turn: Turn): Promise<View> {
    const draft = await this.#own.open(turn)
    if (draft?.id !== before.id) throw answeredAlready(before)
    const asked = currentQuestion(before, this.#scope(before))
    const isSame = currentQuestion(draft, this.#scope(draft)) === asked
    try {
      if (isSame || this.#given(before, heard).isNamed) return await this.#heard(draft, heard)
    } catch (error) {
      if (!(error instanceof StaleDraftError)) throw error
    }
    return this.#show((await this.#own.open(turn)) ?? draft, {
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
async function notesBefore({ drafts, waits }: ConversationParts, turn: Turn): Promise<Block[]> {
  const since = await drafts.expiredSince(turn)
  const handed = (await drafts.list(turn, 5)).filter(({ state }) => state === 'handed')
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
