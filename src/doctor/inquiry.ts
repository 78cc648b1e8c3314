import type { ReadAssets } from '../api/client.ts'
import type { QueryMeaning, QueryNames } from '../api/requests.ts'
import {
  type Answer,
  type AskableMeaning,
  type BaseMeaning,
  baseMeanings,
  isAskable,
  isBaseMeaning,
  isOptionalMeaning,
  isRefused,
  type NoAnswer,
  ordinary,
  ordinaryPart,
  type Part,
  type Probe,
  partsOf,
  queryOf,
  without,
} from './probe.ts'
import { commonNames, type Hint, type SuggestedNames } from './refusals.ts'

/** A list question with all required parameters, and its answer. */
interface Base {
  parts: readonly Part[]
  answer: ReadAssets
}

/** The parameter names that the API is asked with: the operator's names, and those that refusals suggest. */
interface Circumstances {
  probe: Probe
  names: QueryNames
  chain: number
  suggested: SuggestedNames
}

/** Tests single parameters of the API, together with those that it requires. */
export class Inquiry {
  readonly probe: Probe
  readonly suggested: SuggestedNames
  readonly chain: number
  readonly #names: QueryNames
  #base: Base
  #refusesUnknownNames: boolean | undefined
  #alongSearch: readonly Part[] = []

  private constructor({ probe, names, chain, suggested }: Circumstances, base: Base) {
    this.probe = probe
    this.suggested = suggested
    this.chain = chain
    this.#names = names
    this.#base = base
  }

  /** Finds a list question that is answered, if possible with assets; returns the failure if there is none. */
  static async begin(circumstances: Circumstances): Promise<Inquiry | NoAnswer> {
    const base = await findBase(circumstances)
    return 'error' in base ? base : new Inquiry(circumstances, base)
  }

  get base(): Base {
    return this.#base
  }

  /** Makes an inquiry for another chain; returns the failure if it can't be listed. */
  async on(chain: number): Promise<Inquiry | NoAnswer> {
    const parts = this.#base.parts.map((part) =>
      part.meaning === 'chain' ? { ...part, value: chain } : part,
    )
    const answer = await this.probe.list(queryOf(parts))
    if ('error' in answer) return answer
    const { probe, suggested } = this
    const circumstances = { probe, suggested, chain, names: this.#names }
    return new Inquiry(circumstances, { parts, answer: answer.value })
  }

  /** Whether the API refuses unknown names, so that a refusal says nothing about a value. */
  async isStrict(): Promise<boolean> {
    const query = { ...queryOf(this.#base.parts), gavelDoctor: 'x' }
    this.#refusesUnknownNames ??= isRefused(await this.probe.list(query))
    return this.#refusesUnknownNames
  }

  /** Lists with this value under each of these names, in place of the base question's for the same meaning. */
  list(
    meaning: QueryMeaning,
    names: readonly string[] = [],
    value: string | number = '',
  ): Promise<Answer<ReadAssets>> {
    const own = names.map((name) => ({ meaning, name, value }))
    const ask = (parts: readonly Part[]) => this.probe.list(queryOf(parts))
    return this.#ask(meaning, [...without(this.#base.parts, meaning), ...own], ask)
  }

  /** Parameters sent with a search beyond the bot's own: a category, if nothing is found without. */
  get alongSearch(): readonly Part[] {
    return this.#alongSearch
  }

  /** Makes later searches include the first asset's category under these names; none if empty. */
  searchInCategory(names: readonly string[]): void {
    const own = this.#base.answer.assets[0]?.asset_categories?.[0]
    const value = own ?? ordinary('category', this.chain)
    this.#alongSearch = names.map((name) => ({ meaning: 'category', name, value }))
  }

  /** Whether the base question has this parameter: it is required, or the operator configured it. */
  has(meaning: QueryMeaning): boolean {
    return this.#base.parts.some((part) => part.meaning === meaning)
  }

  /** Searches for a term under each of these names, with chain and limit, as the bot does. */
  async search(names: readonly string[], term: string): Promise<Answer<ReadAssets>> {
    const own = [
      ...names.map((name): Part => ({ meaning: 'term', name, value: term })),
      ...this.#alongSearch,
    ]
    const ask = (parts: readonly Part[]) => this.probe.search(queryOf(parts))
    let latest: Answer<ReadAssets> | undefined
    for (const around of [this.around(), this.around(['chain']), []]) {
      latest = await this.#ask('term', [...around, ...own], ask, ['chain', 'limit'])
      if (!isRefused(latest)) return latest
    }
    return latest ?? ask(own)
  }

  /** The parameters sent along, under the names that are known to work, or else the operator's. */
  around(meanings: readonly AskableMeaning[] = ['chain', 'limit']): Part[] {
    return meanings.flatMap((meaning) => {
      const known = this.#base.parts.filter((part) => part.meaning === meaning)
      return known.length > 0 ? known : partsOf(this.#names, this.chain, [meaning])
    })
  }

  /**
   * Makes later questions use only these parameters for their meanings, or none, if the API answers that with
   * assets. Returns whether it does.
   */
  async settle(meanings: readonly AskableMeaning[], parts: readonly Part[]): Promise<boolean> {
    const all = [...without(this.#base.parts, ...meanings), ...parts]
    const answer = await this.probe.list(queryOf(all))
    if ('error' in answer) return false
    if (answer.value.received === 0 && this.#base.answer.received > 0) return false
    this.#base = { parts: all, answer: answer.value }
    return true
  }

  // Adds names that refusals ask for. If unknown names are accepted, adds all that could be missing.
  async #ask(
    meaning: QueryMeaning,
    from: readonly Part[],
    ask: (parts: readonly Part[]) => Promise<Answer<ReadAssets>>,
    mayAdd: readonly BaseMeaning[] = baseMeanings,
  ): Promise<Answer<ReadAssets>> {
    const first = await ask(from)
    let parts = from
    let answer = first
    // Terminates: each round adds a parameter that was absent.
    while (isRefused(answer)) {
      const lacks = absentIn(parts)
      const { wanted } = this.suggested.learn(parts, answer)
      const added = wanted.flatMap((each) =>
        lacks(each.meaning) ? [ordinaryPart(each.meaning, each.name, this.chain)] : [],
      )
      if (added.length === 0) break
      parts = [...parts, ...added]
      answer = await ask(parts)
    }
    if (!isRefused(answer)) return answer
    const absent = mayAdd.filter(absentIn(from))
    if (absent.length === 0 || (await this.isStrict())) return first
    const last = await ask([...everyName(this.chain, absent), ...from])
    return isRefused(last) ? first : last

    function absentIn(all: readonly Part[]) {
      return (each: QueryMeaning): each is BaseMeaning =>
        each !== meaning &&
        mayAdd.some((allowed) => allowed === each) &&
        !all.some((part) => part.meaning === each)
    }
  }
}

/**
 * Finds a question that is answered with assets: with the configured names, with fewer of them, with every common name,
 * and then following the refusals. Takes about 60 questions if all refusals are empty.
 */
async function findBase(circumstances: Circumstances): Promise<Base | NoAnswer> {
  const { probe } = circumstances
  const plan = questions(circumstances)
  let base: Base | undefined
  let failure: NoAnswer | undefined
  let next = plan.next()
  let isOver = false
  while (!next.done && !isOver) {
    const parts = next.value
    const answer = await probe.list(queryOf(parts))
    if ('value' in answer) {
      isOver = answer.value.received > 0
      if (isOver || !base) base = { parts, answer: answer.value }
    } else {
      isOver = !isRefused(answer)
      if (!(answer.isUnasked && failure)) failure = answer
    }
    next = plan.next(answer)
  }
  if (base) return withoutOptional(base, probe)
  if (failure) return failure
  throw new Error('nothing was asked')
}

/** Drops the parameters that are optional in the document, as long as assets are listed. */
async function withoutOptional(base: Base, probe: Probe): Promise<Base> {
  let smallest = base
  for (const { meaning } of base.parts.filter((part) => isOptionalMeaning(part.meaning))) {
    const parts = without(smallest.parts, meaning)
    const answer = await probe.list(queryOf(parts))
    if ('value' in answer && answer.value.received > 0) smallest = { parts, answer: answer.value }
  }
  return smallest
}

/** Max questions that follow hints in refusals, and max questions that try single names of unknown meaning. */
const maxGuided = 60
const maxUnplaced = 40
/** Max questions of all kinds, after which no more single names are tried. */
const maxQuestions = 66

const reducedMeanings: readonly (readonly BaseMeaning[])[] = [
  ['chain', 'status'],
  ['limit', 'offset'],
  ['chain', 'limit', 'offset'],
  ['chain', 'status', 'limit'],
  ['status', 'limit', 'offset'],
  ['status'],
]
const optionalSets: readonly (readonly AskableMeaning[])[] = [
  ['ordering'],
  ['category'],
  ['ordering', 'category'],
]

type Questions<Result = void> = Generator<readonly Part[], Result, Answer<ReadAssets>>

/** Yields list questions to ask, depending on the answers: refusals and empty lists. */
function* questions({ names, chain, suggested }: Circumstances): Questions {
  let count = 0
  let isEmpty = false
  let isMissing = false
  let stuckAt: readonly Part[] = []
  let unplacedLeft = maxUnplaced
  const followed = new Set<string>()
  /** Names with a meaning that a refusal blamed. */
  const wrong = new Set<string>()
  const usual = partsOf(names, chain)

  for (const parts of [
    usual,
    partsOf(names, chain, ['chain', 'limit']),
    partsOf(names, chain, ['chain']),
    [],
    everyName(chain),
  ]) {
    yield* ask(parts)
  }
  if (isEmpty) {
    // A chain id as offset, or a limit as offset, gives an empty list.
    for (const other of ['limit', 'chain'] as const) {
      yield* ask(partsOf({ ...names, [other]: names.offset, offset: names[other] }, chain))
    }
  }
  if (isEmpty || isMissing) return
  yield* follow(usual)
  if (isEmpty) return
  for (const name of suggested.unplaced()) yield* place(name, stuckAt)
  if (isEmpty) return
  yield* follow(everyName(chain))
  const withOptional = optionalSets.map((set) => partsOf(names, chain, [...baseMeanings, ...set]))
  const single = [
    ...withOptional,
    everyName(chain, [...baseMeanings, 'ordering', 'category']),
    ...reducedMeanings.map((meanings) => partsOf(names, chain, meanings)),
    ...singleReplacements(usual, suggested),
  ]
  for (const [index, parts] of single.entries()) {
    if (isEmpty || (index > withOptional.length && count >= maxQuestions)) return
    yield* ask(parts)
  }

  /** Asks, and returns what a refusal says; undefined if the answer is an empty list. */
  function* ask(parts: readonly Part[]): Questions<Hint | undefined> {
    count += 1
    const answer = yield parts
    isEmpty ||= 'value' in answer
    if ('value' in answer) return undefined
    isMissing = answer.error.kind === 'not-found'
    return suggested.learn(parts, answer)
  }

  /** Repeatedly adds what refusals ask for and drops what they blame, until nothing new comes. */
  function* follow(from: readonly Part[]): Questions {
    stuckAt = from
    for (let guided = 0; guided < maxGuided && !followed.has(keyOf(stuckAt)); guided += 1) {
      followed.add(keyOf(stuckAt))
      const hint = yield* ask(stuckAt)
      if (!hint) return
      const next = mended(stuckAt, hint, chain)
      if (followed.has(keyOf(next))) return
      stuckAt = next
    }
  }

  /**
   * Tries a name of unknown meaning: for the meanings that the question lacks, then in place of its other names,
   * together with further such names from the refusals.
   */
  function* place(name: string, from: readonly Part[]): Questions {
    let around = from
    let unplaced = [name]
    const tried = new Set<string>()
    while (unplacedLeft > 0) {
      const chosen = assignments(unplaced, lackingFirst(around)).find(
        (parts) => !tried.has(keyOf(parts)),
      )
      if (!chosen) return
      unplacedLeft -= 1
      tried.add(keyOf(chosen))
      const parts = [...without(around, ...chosen.map(({ meaning }) => meaning)), ...chosen]
      const hint = yield* ask(parts)
      if (!hint) continue
      for (const part of chosen) if (hint.blamed.includes(part.name)) wrong.add(keyOf([part]))
      unplaced = [...new Set([...unplaced, ...hint.unplaced])].slice(0, baseMeanings.length)
      around = aroundChosen(around, chosen, unplaced, hint)
    }
  }

  /** Lists the ways to give each name its own meaning, without those that a refusal blamed. */
  function assignments(
    [name, ...others]: readonly string[],
    meanings: readonly BaseMeaning[],
  ): Part[][] {
    if (name === undefined) return [[]]
    return meanings.flatMap((meaning) => {
      const part = ordinaryPart(meaning, name, chain)
      if (wrong.has(keyOf([part]))) return []
      const left = meanings.filter((each) => each !== meaning)
      return assignments(others, left).map((rest) => [part, ...rest])
    })
  }

  /** Applies what a refusal says about the names of known meaning. */
  function aroundChosen(
    around: readonly Part[],
    chosen: readonly Part[],
    unplaced: readonly string[],
    hint: Hint,
  ): Part[] {
    const meanings = chosen.map(({ meaning }) => meaning)
    const blamed = hint.blamed.filter((each) => !unplaced.includes(each))
    const parts = [...without(around, ...meanings), ...chosen]
    const others = mended(parts, { ...hint, blamed }, chain).filter(
      ({ name }) => !unplaced.includes(name),
    )
    const replaced = around.filter(({ meaning }) => meanings.includes(meaning))
    return [...without(replaced, ...others.map(({ meaning }) => meaning)), ...others]
  }
}

/** Returns the question with what a refusal asks for, and without what it blames. */
function mended(parts: readonly Part[], { blamed, wanted }: Hint, chain: number): readonly Part[] {
  const askable = wanted.flatMap(({ meaning, name }) =>
    isAskable(meaning) ? [ordinaryPart(meaning, name, chain)] : [],
  )
  // Parameters that are optional in the document come last: a refusal may only offer them.
  const usual = askable.filter(({ meaning }) => isBaseMeaning(meaning))
  const added = usual.length > 0 || blamed.length > 0 ? usual : askable
  const good = parts.filter(({ name }) => !blamed.includes(name))
  if (added.length === 0) return good
  const first = added.filter(
    ({ meaning }, index) => added.findIndex((each) => each.meaning === meaning) === index,
  )
  const rest = parts.length > baseMeanings.length ? good : parts
  return [...without(rest, ...first.map(({ meaning }) => meaning)), ...first]
}

/** Returns parameters with all common names of these meanings at once. */
function everyName(chain: number, meanings: readonly AskableMeaning[] = baseMeanings): Part[] {
  return meanings.flatMap((meaning) =>
    commonNames[meaning].map((name) => ordinaryPart(meaning, name, chain)),
  )
}

/** Returns the meanings to try, those that the question lacks first. */
function lackingFirst(parts: readonly Part[]): BaseMeaning[] {
  const isThere = (meaning: BaseMeaning) => parts.some((part) => part.meaning === meaning)
  return baseMeanings.toSorted((left, right) => Number(isThere(left)) - Number(isThere(right)))
}

/** Returns the usual question with one other name each, the likeliest name of each meaning first. */
function singleReplacements(usual: readonly Part[], suggested: SuggestedNames): Part[][] {
  return usual
    .flatMap((part) =>
      suggested
        .candidates(part.meaning)
        .filter((name) => name !== part.name)
        .map((name, rank) => ({ rank, part: { ...part, name } })),
    )
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ part }) => [...without(usual, part.meaning), part])
}

function keyOf(parts: readonly Part[]): string {
  return parts.map(({ meaning, name }) => `${meaning} ${name}`).join()
}
