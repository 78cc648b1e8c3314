import type { ReadAssets } from '../api/answers.ts'
import type { QueryNames } from '../api/query-names.ts'
import type { Heard, Hint } from './heard.ts'
import { otherNames } from './other-names.ts'
import { isRefused, type NoAnswer, type Probe } from './probe.ts'
import {
  type AskableMeaning,
  type BaseMeaning,
  baseMeanings,
  isAskable,
  isBaseMeaning,
  isOptionalMeaning,
  ordinary,
  type Part,
  partsOf,
  queryOf,
  without,
} from './question.ts'

/** A question for all assets that the interface answers, whatever it requires, and its answer. */
export interface Base {
  parts: readonly Part[]
  answer: ReadAssets
}

interface Search {
  probe: Probe
  names: QueryNames
  chain: number
  heard: Heard
}

/** Questions that follow what refusals say, as long as they say something, and single other names after that. */
const maxGuided = 60
const maxStrangers = 40
/** Questions of all kinds, after which no single other names are tried any more. */
const maxQuestions = 66

const fewer: readonly (readonly BaseMeaning[])[] = [
  ['chain', 'status'],
  ['limit', 'offset'],
  ['chain', 'limit', 'offset'],
  ['chain', 'status', 'limit'],
  ['status', 'limit', 'offset'],
  ['status'],
]

/**
 * Looks for a question that is answered with assets: with the operator's names, with fewer of them, with every name that
 * interfaces are known to have, and then with what the refusals say. Some 60 questions where all are refused without a word.
 */
export async function findBase(search: Search): Promise<Base | NoAnswer> {
  const found = await findAnswered(search)
  return 'error' in found ? found : withoutNeedless(found, search)
}

/** The same without what the document leaves optional, as far as it is answered without. */
async function withoutNeedless(base: Base, { probe }: Search): Promise<Base> {
  let least = base
  for (const { meaning } of base.parts.filter((part) => isOptionalMeaning(part.meaning))) {
    const parts = without(least.parts, meaning)
    const answer = await probe.list(queryOf(parts))
    if ('value' in answer && answer.value.received > 0) least = { parts, answer: answer.value }
  }
  return least
}

async function findAnswered(search: Search): Promise<Base | NoAnswer> {
  const attempts = new Attempts(search)
  const { names, chain } = search
  const simple = [
    partsOf(names, chain),
    partsOf(names, chain, ['chain', 'limit']),
    partsOf(names, chain, ['chain']),
    [],
    everyName(chain),
  ]
  for (const parts of simple) if (await attempts.isOver(parts)) return attempts.outcome()
  if (attempts.isAnswered) await askExchanged(attempts, search)
  if (attempts.isAnswered || attempts.isMissing) return attempts.outcome()
  await followRefusals(attempts, search)
  if (!attempts.isAnswered) await askWithOptional(attempts, search)
  for (const parts of singles(search)) {
    if (attempts.isAnswered || attempts.count >= maxQuestions) break
    if (await attempts.isOver(parts)) break
  }
  return attempts.outcome()
}

/** Nothing is listed at an offset of 8453, or fifty assets on, at most none: names that are numbers may be exchanged. */
async function askExchanged(attempts: Attempts, { names, chain }: Search): Promise<void> {
  for (const other of ['limit', 'chain'] as const) {
    const exchanged = { ...names, [other]: names.offset, offset: names[other] }
    if (await attempts.isOver(partsOf(exchanged, chain))) return
  }
}

/** Asks what refusals lead to from the operator's names, from there with strangers, and from all names. */
async function followRefusals(attempts: Attempts, search: Search): Promise<void> {
  const { names, chain, heard } = search
  if (await attempts.follow(partsOf(names, chain), maxGuided)) return
  const strangers = new Strangers(attempts, search)
  for (const name of heard.loose()) if (await strangers.isFound(attempts.stuckAt, name)) return
  if (attempts.isAnswered) return
  await attempts.follow(everyName(chain), maxGuided)
}

/** Asks with what the document leaves optional, as some interfaces answer nothing without. */
async function askWithOptional(attempts: Attempts, { names, chain }: Search): Promise<void> {
  const sets = [['ordering'], ['category'], ['ordering', 'category']] as const
  for (const set of sets) {
    if (await attempts.isOver(partsOf(names, chain, [...baseMeanings, ...set]))) return
    if (attempts.isAnswered) return
  }
  await attempts.isOver(everyName(chain, [...baseMeanings, 'ordering', 'category']))
}

/** All names at once that interfaces are known to have for these. */
export function everyName(
  chain: number,
  meanings: readonly AskableMeaning[] = baseMeanings,
): Part[] {
  return meanings.flatMap((meaning) =>
    otherNames[meaning].map((name) => ({ meaning, name, value: ordinary(meaning, chain) })),
  )
}

/**
 * Tries names that say nothing of what they mean: each for what the question lacks, then in the place of each name that
 * it has, together with those that the refusal of that speaks of.
 */
class Strangers {
  readonly #attempts: Attempts
  readonly #chain: number
  /** Names with meanings that a refusal found fault with. */
  readonly #wrong = new Set<string>()
  #left = maxStrangers

  constructor(attempts: Attempts, { chain }: Search) {
    this.#attempts = attempts
    this.#chain = chain
  }

  /** Whether a question with this name was answered with assets, or none ever will be. */
  async isFound(from: readonly Part[], stranger: string): Promise<boolean> {
    let around = from
    let names = [stranger]
    const asked = new Set<string>()
    for (;;) {
      const chosen = this.#assignments(names, meaningsFor(around)).find(
        (parts) => !asked.has(parts.map(keyOf).join()),
      )
      if (!chosen || this.#left === 0) return false
      this.#left -= 1
      asked.add(chosen.map(keyOf).join())
      const parts = [...without(around, ...chosen.map(({ meaning }) => meaning)), ...chosen]
      const hint = await this.#attempts.hintOf(parts)
      if (hint === 'over') return true
      if (hint === 'answered') continue
      const blamed = chosen.filter(({ name }) => hint.blamed.includes(name))
      for (const part of blamed) this.#wrong.add(keyOf(part))
      names = [...new Set([...names, ...hint.strangers])].slice(0, baseMeanings.length)
      // What the refusal says of the others is minded, too.
      const rest = { ...hint, blamed: hint.blamed.filter((name) => !names.includes(name)) }
      const mended = this.#attempts.mended(parts, rest).filter(({ name }) => !names.includes(name))
      const replaced = around.filter(
        ({ meaning }) =>
          chosen.some((part) => part.meaning === meaning) &&
          !mended.some((part) => part.meaning === meaning),
      )
      around = [...replaced, ...mended]
    }
  }

  /** The ways to give each name a meaning of its own, without those that a refusal found fault with. */
  #assignments(names: readonly string[], meanings: readonly BaseMeaning[]): Part[][] {
    const [name, ...others] = names
    if (name === undefined) return [[]]
    return meanings.flatMap((meaning) => {
      const part = { meaning, name, value: ordinary(meaning, this.#chain) }
      if (this.#wrong.has(keyOf(part))) return []
      const left = meanings.filter((each) => each !== meaning)
      return this.#assignments(others, left).map((rest) => [part, ...rest])
    })
  }
}

/** What the question lacks comes first. */
function meaningsFor(parts: readonly Part[]): BaseMeaning[] {
  const isThere = (meaning: BaseMeaning) => parts.some((part) => part.meaning === meaning)
  return baseMeanings.toSorted((left, right) => Number(isThere(left)) - Number(isThere(right)))
}

function keyOf({ meaning, name }: Part): string {
  return `${meaning} ${name}`
}

function singles({ names, chain, heard }: Search): Part[][] {
  const whole = partsOf(names, chain)
  const replaced = baseMeanings
    .flatMap((meaning) =>
      heard
        .candidates(meaning)
        .filter((name) => name !== names[meaning])
        .map((name, place) => ({
          place,
          part: { meaning, name, value: ordinary(meaning, chain) },
        })),
    )
    // The likeliest of each before the others of any.
    .toSorted((left, right) => left.place - right.place)
    .map(({ part }) => [...without(whole, part.meaning), part])
  return [...fewer.map((meanings) => partsOf(names, chain, meanings)), ...replaced]
}

class Attempts {
  readonly #search: Search
  readonly #tried = new Set<string>()
  #base: Base | undefined
  #failure: NoAnswer | undefined
  #count = 0
  #stuckAt: readonly Part[] = []

  constructor(search: Search) {
    this.#search = search
  }

  /** Whether a question was answered, be it with an empty list. */
  get isAnswered(): boolean {
    return this.#base !== undefined
  }

  /** Whether there is no such endpoint, rather than that it refuses the question. */
  get isMissing(): boolean {
    return this.#failure?.error.kind === 'not-found'
  }

  get count(): number {
    return this.#count
  }

  /** The question that refusals led to when they led no further. */
  get stuckAt(): readonly Part[] {
    return this.#stuckAt
  }

  outcome(): Base | NoAnswer {
    if (this.#base) return this.#base
    if (this.#failure) return this.#failure
    throw new Error('nothing was asked')
  }

  /** Asks this and says whether no more has to be asked: there are assets, or nothing else would be answered either. */
  async isOver(parts: readonly Part[]): Promise<boolean> {
    return (await this.hintOf(parts)) === 'over'
  }

  /** The same, with what a refusal says, or whether it was answered without assets. */
  async hintOf(parts: readonly Part[]): Promise<Hint | 'over' | 'answered'> {
    const { probe, heard } = this.#search
    this.#count += 1
    const answer = await probe.list(queryOf(parts))
    if ('value' in answer) {
      this.#base ??= { parts, answer: answer.value }
      if (answer.value.received === 0) return 'answered'
      this.#base = { parts, answer: answer.value }
      return 'over'
    }
    if (!this.#base && !(answer.isUnasked && this.#failure)) this.#failure = answer
    return isRefused(answer) ? heard.hear(parts, answer) : 'over'
  }

  /** Adds what refusals miss and leaves out what they blame, until one is answered or nothing is new. */
  async follow(from: readonly Part[], most: number): Promise<boolean> {
    let parts = from
    for (let count = 0; count < most; count += 1) {
      const key = parts.map(({ name, value }) => `${name}=${value}`).join()
      if (this.#tried.has(key)) return false
      this.#stuckAt = parts
      this.#tried.add(key)
      const hint = await this.hintOf(parts)
      if (typeof hint === 'string') return true
      parts = this.mended(parts, hint)
    }
    return false
  }

  /** The question with what a refusal misses, and without what it blames. */
  mended(parts: readonly Part[], { blamed, wanted }: Hint): readonly Part[] {
    const { chain } = this.#search
    const askable = wanted.flatMap(({ meaning, name }) =>
      isAskable(meaning) ? [{ meaning, name, value: ordinary(meaning, chain) }] : [],
    )
    // What the document leaves optional comes last: it may only be offered.
    const usual = askable.filter(({ meaning }) => isBaseMeaning(meaning))
    const added = usual.length > 0 || blamed.length > 0 ? usual : askable
    const good = parts.filter(({ name }) => !blamed.includes(name))
    if (added.length === 0) return good
    const first = added.filter(
      ({ meaning }, index) => added.findIndex((each) => each.meaning === meaning) === index,
    )
    const rest = without(
      parts.length > baseMeanings.length ? good : parts,
      ...first.map(({ meaning }) => meaning),
    )
    return [...rest, ...first]
  }
}
