import type { ReadAssets } from '../api/answers.ts'
import type { QueryNames } from '../api/query-names.ts'
import type { Heard } from './heard.ts'
import { otherNames } from './other-names.ts'
import { isRefused, type NoAnswer, type Probe } from './probe.ts'
import {
  type BaseMeaning,
  baseMeanings,
  isBaseMeaning,
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
const maxSteps = 3
const maxStrangers = 20
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
  if (attempts.isAnswered || attempts.isMissing) return attempts.outcome()
  await followRefusals(attempts, search)
  for (const parts of singles(search)) {
    if (attempts.isAnswered || attempts.count >= maxQuestions) break
    if (await attempts.isOver(parts)) break
  }
  return attempts.outcome()
}

/** Asks what refusals lead to from the operator's names, from there with strangers, and from all names. */
async function followRefusals(attempts: Attempts, search: Search): Promise<void> {
  const { names, chain } = search
  if (await attempts.follow(partsOf(names, chain), maxGuided)) return
  for (const parts of strangers(search, attempts.stuckAt).slice(0, maxStrangers)) {
    if (await attempts.follow(parts, maxSteps)) return
  }
  await attempts.follow(everyName(chain), maxGuided)
}

/** All names at once that interfaces are known to have for these. */
export function everyName(chain: number, meanings: readonly BaseMeaning[] = baseMeanings): Part[] {
  return meanings.flatMap((meaning) =>
    otherNames[meaning].map((name) => ({ meaning, name, value: ordinary(meaning, chain) })),
  )
}

/** Names that say nothing of what they mean, each for whatever the question has not. */
function strangers({ chain, heard }: Search, parts: readonly Part[]): Part[][] {
  return heard
    .loose()
    .flatMap((name) =>
      baseMeanings
        .filter((meaning) => !parts.some((part) => part.meaning === meaning))
        .map((meaning) => [...parts, { meaning, name, value: ordinary(meaning, chain) }]),
    )
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
    const { probe, heard } = this.#search
    this.#count += 1
    const answer = await probe.list(queryOf(parts))
    if ('value' in answer) {
      this.#base ??= { parts, answer: answer.value }
      if (answer.value.received === 0) return false
      this.#base = { parts, answer: answer.value }
      return true
    }
    if (!this.#base && !(answer.isUnasked && this.#failure)) this.#failure = answer
    if (!isRefused(answer)) return true
    heard.hear(parts, answer)
    return false
  }

  /** Adds what refusals miss and leaves out what they blame, until one is answered or nothing is new. */
  async follow(from: readonly Part[], most: number): Promise<boolean> {
    let parts = from
    for (let count = 0; count < most; count += 1) {
      const key = parts.map(({ name, value }) => `${name}=${value}`).join()
      if (this.#tried.has(key)) return false
      this.#stuckAt = parts
      this.#tried.add(key)
      if ((await this.isOver(parts)) || this.isAnswered) return true
      parts = this.#mended(parts)
    }
    return false
  }

  #mended(parts: readonly Part[]): readonly Part[] {
    const { chain, heard } = this.#search
    if (!this.#failure) return parts
    const { blamed, wanted } = heard.hear(parts, this.#failure)
    const added = wanted.flatMap(({ meaning, name }) =>
      isBaseMeaning(meaning) ? [{ meaning, name, value: ordinary(meaning, chain) }] : [],
    )
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
