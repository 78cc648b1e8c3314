import type { Address } from 'viem'
import { isPoolId } from '../../chain/address.ts'
import type { Question as ConversationQuestion } from '../../core/conversation.ts'
import { looksSecret } from '../../core/secret.ts'
import { type Message, type Span, type Text, t } from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import type { Answers, Draft, QuestionId } from '../draft.ts'
import type { LaunchSettings } from '../settings.ts'

/** The context in which answers are parsed. */
export interface Scope {
  answers: Answers
  goal: Draft['goal']
  settings: LaunchSettings
  /** The account that signed the person's launch before. */
  lastWallet?: Address | undefined
  /** A name such as those that can be looked up instead of an address; undefined if none can. */
  nameExample?: string | undefined
  /** Whether the person types a command's values behind the names of its options, so that no file goes with a command. */
  namedOptions?: boolean
  /** Whether the bot can publish pictures; if not, only a CID is accepted. */
  canPublish: boolean
}

/** The contents of a question. */
interface Prompt {
  words: Span[]
  example?: string
  /** Describes valid answers. */
  allowed?: Text
  /** Answers offered as buttons. */
  choices?: readonly { label: Text; value: string }[]
}

/** A reason why a valid answer may be a mistake. */
export interface Doubt {
  /** The part of the answer in question; if the person confirms it, it isn't asked about again. */
  part: string
  /** The reason, as a sentence. */
  reason: Text
}

/** One question of a launch. */
export interface Question extends ConversationQuestion<Scope> {
  id: QuestionId
  label: Message
  /** Lower-case labels that may precede the answer if several are given at once. */
  names: readonly string[]
  /** It has an answer from the start: it is asked only if the person wants to change that at the review. */
  isPreset?: true
  /** The field in a form; without it the question is answered by buttons only. */
  field?: {
    kind: 'line' | 'paragraph'
    maxLength: number
    about: Message | ((scope: Scope) => Message)
  }
  /** The answer that skips the question; undefined if it is required. */
  skipped(scope: Scope): Answers | undefined
  ask(scope: Scope): Prompt
  /** Its answer has accounts, which can be given by name; `parse` gets their addresses. */
  hasAccounts?: true
  /** Whether a rejected text may be stored for correction; by default any that holds no secret. */
  mayStore?(text: string): boolean
  /**
   * Parses an answer.
   * @throws UserError that says what to send instead
   */
  parse(text: string, scope: Scope): Answers
  /** Doubts that hold an answer back until the person confirms it. */
  doubts?: {
    /** Lists the doubts about the scope's answer. */
    find(scope: Scope): readonly Doubt[]
    /** Label of the button that confirms the answer. */
    confirmLabel: Message
  }
}

/** `applies` of questions that are always asked. */
export const always = (): true => true

/** `skipped` of required questions. */
export const never = (): undefined => undefined

/** `applies` of questions that only a launch asks. */
export const ofLaunches = ({ goal }: Scope): boolean => goal === 'launch'

interface ListRules {
  /** Commas that match part entries, as line breaks do. */
  comma: RegExp
  max: number
  /** The refusals of a list without an entry, of one with too many, and of a duplicate entry. */
  empty: Message
  tooMany: (count: number) => Message
  twice: Message
}

/**
 * Reads a list, entry by entry. `read` calls `refuseSecond` with what may stand in the list only once.
 * @throws UserError if it is empty or too long; for an entry it names which
 */
export function readList<Item>(
  text: string,
  { comma, max, empty, tooMany, twice }: ListRules,
  read: (entry: string, refuseSecond: (key: string) => void) => Item,
): Item[] {
  const entries = entriesOf(text, comma)
  if (entries.length === 0) throw new UserError(empty)
  if (entries.length > max) throw new UserError(tooMany(entries.length))
  const seen = new Set<string>()
  const refuseSecond = (key: string) => {
    if (seen.has(key)) throw new UserError(twice)
    seen.add(key)
  }
  return entries.map((entry, index) => {
    try {
      return read(entry, refuseSecond)
    } catch (error) {
      throw entryRefused(error, index)
    }
  })
}

/** Splits a list into its entries, by lines or by the commas that match. */
function entriesOf(text: string, comma: RegExp): string[] {
  return text
    .split(/[\r\n;\u0085\u2028\u2029]+/u)
    .flatMap((line) => line.split(comma))
    .map((entry) =>
      entry
        .trim()
        .replaceAll(/^(?:[•*–-]\s+)+|,$/gu, '')
        .trim(),
    )
    .filter((entry) => entry !== '')
}

/** Prefixes a UserError with the entry that it is about; returns any other error unchanged. */
function entryRefused(error: unknown, index: number): unknown {
  if (!(error instanceof UserError)) return error
  const said = t('launch-list-entry', { number: index + 1, problem: error.spans })
  return new UserError(said, { cause: error })
}

const accountPart =
  /^(?:0x[0-9a-z]{0,50}|(?:[a-z0-9-]{1,60}\.){1,4}eth|[\d.]{1,30}[%kmb]?|%|tokens?|thousand|million|billion|per|cent|percent|[•*–-])$/iu

/**
 * Rejects secrets.
 * @throws UserError if the text could hold a private key or a seed phrase
 */
export function rejectSecret(text: string): void {
  if (looksSecret(text)) throw new UserError(t('secret-sent'))
}

/**
 * Rejects secrets in a text that answers nothing. 64 hex digits after 0x are as often the hash of a transaction, and nobody can
 * tell: asking a node for it would show the node what may be a key.
 * @throws UserError if the text could hold a private key or a seed phrase
 */
export function rejectSecretOrHash(text: string): void {
  if (isPoolId(text.trim()) && looksSecret(text)) throw new UserError(t('secret-or-hash'))
  rejectSecret(text)
}

/**
 * Returns whether a rejected list of accounts may be stored for correction: only if it consists of addresses, even
 * wrong ones, names and amounts. Anything else could be a kind of secret that we don't recognise.
 */
export function isAboutAccounts(text: string): boolean {
  const parts = text.split(/[\s,;:=]+/u).filter((part) => part !== '')
  return parts.every((part) => accountPart.test(part)) && !looksSecret(text)
}
