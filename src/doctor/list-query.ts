import type { ReadAssets } from '../api/asset.ts'
import type { QueryMeaning, QueryNames } from '../api/schema.ts'
import {
  type Answer,
  type BaseMeaning,
  baseMeanings,
  isBaseMeaning,
  isOptionalMeaning,
  isRefused,
  isRequirable,
  type LimitedApi,
  type NoAnswer,
  neutralParameter,
  neutralValue,
  type Parameter,
  parametersOf,
  queryOf,
  type RequirableMeaning,
  without,
} from './limited-api.ts'
import { commonNames, type Hint, type SuggestedNames } from './suggested-names.ts'

/** A list question with all required parameters, and its answer. */
interface Base {
  parameters: readonly Parameter[]
  answer: ReadAssets
}

/** The parameter names that the API is asked with: the operator's names, and those that refusals suggest. */
interface ListQueryParts {
  api: LimitedApi
  names: QueryNames
  chain: number
  suggested: SuggestedNames
}

/** A list request that the API answers; tests single parameters of the API, together with those that it requires. */
export class ListQuery {
  readonly api: LimitedApi
  readonly suggested: SuggestedNames
  readonly chain: number
  readonly #names: QueryNames
  #base: Base
  #refusesUnknownNames: boolean | undefined
  #searchExtras: readonly Parameter[] = []

  private constructor({ api, names, chain, suggested }: ListQueryParts, base: Base) {
    this.api = api
    this.suggested = suggested
    this.chain = chain
    this.#names = names
    this.#base = base
  }

  /** Finds a list question that is answered, if possible with assets; returns the failure if there is none. */
  static async begin(listQueryParts: ListQueryParts): Promise<ListQuery | NoAnswer> {
    const base = await findBase(listQueryParts)
    return 'error' in base ? base : new ListQuery(listQueryParts, base)
  }

  get base(): Base {
    return this.#base
  }

  /** Makes the list query of another chain; returns the failure if it can't be listed. */
  async on(chain: number): Promise<ListQuery | NoAnswer> {
    const parameters = this.#base.parameters.map((parameter) =>
      parameter.meaning === 'chain' ? { ...parameter, value: chain } : parameter,
    )
    const answer = await this.api.list(queryOf(parameters))
    if ('error' in answer) return answer
    const { api, suggested } = this
    const listQueryParts = { api, suggested, chain, names: this.#names }
    return new ListQuery(listQueryParts, { parameters, answer: answer.value })
  }

  /** Whether the API refuses unknown names, so that a refusal says nothing about a value. */
  async refusesUnknownNames(): Promise<boolean> {
    const query = { ...queryOf(this.#base.parameters), gavelDoctor: 'x' }
    this.#refusesUnknownNames ??= isRefused(await this.api.list(query))
    return this.#refusesUnknownNames
  }

  /** Lists with this value under each of these names, in place of the base question's for the same meaning. */
  list(
    meaning: QueryMeaning,
    names: readonly string[] = [],
    value: string | number = '',
  ): Promise<Answer<ReadAssets>> {
    const own = names.map((name) => ({ meaning, name, value }))
    const ask = (parameters: readonly Parameter[]) => this.api.list(queryOf(parameters))
    return this.#ask(meaning, [...without(this.#base.parameters, meaning), ...own], ask)
  }

  /** Parameters sent with a search beyond the bot's own: a category, if nothing is found without. */
  get searchExtras(): readonly Parameter[] {
    return this.#searchExtras
  }

  /** Makes later searches include the first asset's category under these names; none if empty. */
  searchInCategory(names: readonly string[]): void {
    const own = this.#base.answer.assets[0]?.asset_categories?.[0]
    const value = own ?? neutralValue('category', this.chain)
    this.#searchExtras = names.map((name) => ({ meaning: 'category', name, value }))
  }

  /** Whether the base question has this parameter: it is required, or the operator configured it. */
  has(meaning: QueryMeaning): boolean {
    return this.#base.parameters.some((parameter) => parameter.meaning === meaning)
  }

  /** Searches for a term under each of these names, with chain and limit, as the bot does. */
  async search(names: readonly string[], term: string): Promise<Answer<ReadAssets>> {
    const own = [
      ...names.map((name): Parameter => ({ meaning: 'term', name, value: term })),
      ...this.#searchExtras,
    ]
    const ask = (parameters: readonly Parameter[]) => this.api.search(queryOf(parameters))
    let latest: Answer<ReadAssets> | undefined
    for (const otherParameters of [this.otherParameters(), this.otherParameters(['chain']), []]) {
      latest = await this.#ask('term', [...otherParameters, ...own], ask, ['chain', 'limit'])
      if (!isRefused(latest)) return latest
    }
    return latest ?? ask(own)
  }

  /** The parameters sent along, under the names that are known to work, or else the operator's. */
  otherParameters(meanings: readonly RequirableMeaning[] = ['chain', 'limit']): Parameter[] {
    return meanings.flatMap((meaning) => {
      const known = this.#base.parameters.filter((parameter) => parameter.meaning === meaning)
      return known.length > 0 ? known : parametersOf(this.#names, this.chain, [meaning])
    })
  }

  /**
   * Makes later questions use only these parameters for their meanings, or none, if the API answers that with
   * assets. Returns whether it does.
   */
  async adopt(
    meanings: readonly RequirableMeaning[],
    parameters: readonly Parameter[],
  ): Promise<boolean> {
    const all = [...without(this.#base.parameters, ...meanings), ...parameters]
    const answer = await this.api.list(queryOf(all))
    if ('error' in answer) return false
    if (answer.value.received === 0 && this.#base.answer.received > 0) return false
    this.#base = { parameters: all, answer: answer.value }
    return true
  }

  // Adds names that refusals ask for. If unknown names are accepted, adds all that could be missing.
  async #ask(
    meaning: QueryMeaning,
    from: readonly Parameter[],
    ask: (parameters: readonly Parameter[]) => Promise<Answer<ReadAssets>>,
    mayAdd: readonly BaseMeaning[] = baseMeanings,
  ): Promise<Answer<ReadAssets>> {
    const first = await ask(from)
    let parameters = from
    let answer = first
    // Terminates: each round adds a parameter that was absent.
    while (isRefused(answer)) {
      const lacks = absentIn(parameters)
      const { wanted } = this.suggested.learn(parameters, answer)
      const added = wanted.flatMap((each) =>
        lacks(each.meaning) ? [neutralParameter(each.meaning, each.name, this.chain)] : [],
      )
      if (added.length === 0) break
      parameters = [...parameters, ...added]
      answer = await ask(parameters)
    }
    if (!isRefused(answer)) return answer
    const absent = mayAdd.filter(absentIn(from))
    if (absent.length === 0 || (await this.refusesUnknownNames())) return first
    const last = await ask([...everyName(this.chain, absent), ...from])
    return isRefused(last) ? first : last

    function absentIn(all: readonly Parameter[]) {
      return (each: QueryMeaning): each is BaseMeaning =>
        each !== meaning &&
        mayAdd.some((allowed) => allowed === each) &&
        !all.some((parameter) => parameter.meaning === each)
    }
  }
}

/**
 * Finds a question that is answered with assets: with the configured names, with fewer of them, with every common name,
 * and then following the refusals. Takes about 60 questions if all refusals are empty.
 */
async function findBase(listQueryParts: ListQueryParts): Promise<Base | NoAnswer> {
  const { api } = listQueryParts
  const plan = questions(listQueryParts)
  let base: Base | undefined
  let failure: NoAnswer | undefined
  let next = plan.next()
  let isOver = false
  while (!next.done && !isOver) {
    const parameters = next.value
    const answer = await api.list(queryOf(parameters))
    if ('value' in answer) {
      isOver = answer.value.received > 0
      if (isOver || !base) base = { parameters, answer: answer.value }
    } else {
      isOver = !isRefused(answer)
      if (!(answer.isUnsent && failure)) failure = answer
    }
    next = plan.next(answer)
  }
  if (base) return withoutOptional(base, api)
  if (failure) return failure
  throw new Error('nothing was asked')
}

/** Drops the parameters that are optional in the document, as long as assets are listed. */
async function withoutOptional(base: Base, api: LimitedApi): Promise<Base> {
  let smallest = base
  for (const { meaning } of base.parameters.filter((parameter) =>
    isOptionalMeaning(parameter.meaning),
  )) {
    const parameters = without(smallest.parameters, meaning)
    const answer = await api.list(queryOf(parameters))
    if ('value' in answer && answer.value.received > 0)
      smallest = { parameters, answer: answer.value }
  }
  return smallest
}

/** Max questions that follow hints in refusals, and max questions that try single names of unknown meaning. */
const maxGuided = 60
const maxTries = 40
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
const optionalSets: readonly (readonly RequirableMeaning[])[] = [
  ['ordering'],
  ['category'],
  ['ordering', 'category'],
]

type Questions<Result = void> = Generator<readonly Parameter[], Result, Answer<ReadAssets>>

/** Yields list questions to ask, depending on the answers: refusals and empty lists. */
function* questions({ names, chain, suggested }: ListQueryParts): Questions {
  let count = 0
  let isEmpty = false
  let isMissing = false
  let stuckAt: readonly Parameter[] = []
  let triesLeft = maxTries
  const followed = new Set<string>()
  /** Names with a meaning that a refusal blamed. */
  const wrong = new Set<string>()
  const usual = parametersOf(names, chain)

  for (const parameters of [
    usual,
    parametersOf(names, chain, ['chain', 'limit']),
    parametersOf(names, chain, ['chain']),
    [],
    everyName(chain),
  ]) {
    yield* ask(parameters)
  }
  if (isEmpty) {
    // A chain id as offset, or a limit as offset, gives an empty list.
    for (const other of ['limit', 'chain'] as const) {
      yield* ask(parametersOf({ ...names, [other]: names.offset, offset: names[other] }, chain))
    }
  }
  if (isEmpty || isMissing) return
  yield* follow(usual)
  if (isEmpty) return
  for (const name of suggested.ofUnknownMeaning()) yield* place(name, stuckAt)
  if (isEmpty) return
  yield* follow(everyName(chain))
  const withOptional = optionalSets.map((set) =>
    parametersOf(names, chain, [...baseMeanings, ...set]),
  )
  const single = [
    ...withOptional,
    everyName(chain, [...baseMeanings, 'ordering', 'category']),
    ...reducedMeanings.map((meanings) => parametersOf(names, chain, meanings)),
    ...singleReplacements(usual, suggested),
  ]
  for (const [index, parameters] of single.entries()) {
    if (isEmpty || (index > withOptional.length && count >= maxQuestions)) return
    yield* ask(parameters)
  }

  /** Asks, and returns what a refusal says; undefined if the answer is an empty list. */
  function* ask(parameters: readonly Parameter[]): Questions<Hint | undefined> {
    count += 1
    const answer = yield parameters
    isEmpty ||= 'value' in answer
    if ('value' in answer) return undefined
    isMissing = answer.error.kind === 'not-found'
    return suggested.learn(parameters, answer)
  }

  /** Repeatedly adds what refusals ask for and drops what they blame, until nothing new comes. */
  function* follow(from: readonly Parameter[]): Questions {
    stuckAt = from
    for (let guided = 0; guided < maxGuided && !followed.has(keyOf(stuckAt)); guided += 1) {
      followed.add(keyOf(stuckAt))
      const hint = yield* ask(stuckAt)
      if (!hint) return
      const next = corrected(stuckAt, hint, chain)
      if (followed.has(keyOf(next))) return
      stuckAt = next
    }
  }

  /**
   * Tries a name of unknown meaning: for the meanings that the question lacks, then in place of its other names,
   * together with further such names from the refusals.
   */
  function* place(name: string, from: readonly Parameter[]): Questions {
    let otherParameters = from
    let ofUnknownMeaning = [name]
    const tried = new Set<string>()
    while (triesLeft > 0) {
      const chosen = assignments(ofUnknownMeaning, lackingFirst(otherParameters)).find(
        (parameters) => !tried.has(keyOf(parameters)),
      )
      if (!chosen) return
      triesLeft -= 1
      tried.add(keyOf(chosen))
      const parameters = [
        ...without(otherParameters, ...chosen.map(({ meaning }) => meaning)),
        ...chosen,
      ]
      const hint = yield* ask(parameters)
      if (!hint) continue
      for (const parameter of chosen)
        if (hint.blamed.includes(parameter.name)) wrong.add(keyOf([parameter]))
      ofUnknownMeaning = [...new Set([...ofUnknownMeaning, ...hint.ofUnknownMeaning])].slice(
        0,
        baseMeanings.length,
      )
      otherParameters = aroundChosen(otherParameters, chosen, ofUnknownMeaning, hint)
    }
  }

  /** Lists the ways to give each name its own meaning, without those that a refusal blamed. */
  function assignments(
    [name, ...others]: readonly string[],
    meanings: readonly BaseMeaning[],
  ): Parameter[][] {
    if (name === undefined) return [[]]
    return meanings.flatMap((meaning) => {
      const parameter = neutralParameter(meaning, name, chain)
      if (wrong.has(keyOf([parameter]))) return []
      const left = meanings.filter((each) => each !== meaning)
      return assignments(others, left).map((rest) => [parameter, ...rest])
    })
  }

  /** Applies what a refusal says about the names of known meaning. */
  function aroundChosen(
    otherParameters: readonly Parameter[],
    chosen: readonly Parameter[],
    ofUnknownMeaning: readonly string[],
    hint: Hint,
  ): Parameter[] {
    const meanings = chosen.map(({ meaning }) => meaning)
    const blamed = hint.blamed.filter((each) => !ofUnknownMeaning.includes(each))
    const parameters = [...without(otherParameters, ...meanings), ...chosen]
    const others = corrected(parameters, { ...hint, blamed }, chain).filter(
      ({ name }) => !ofUnknownMeaning.includes(name),
    )
    const replaced = otherParameters.filter(({ meaning }) => meanings.includes(meaning))
    return [...without(replaced, ...others.map(({ meaning }) => meaning)), ...others]
  }
}

/** Returns the question with what a refusal asks for, and without what it blames. */
function corrected(
  parameters: readonly Parameter[],
  { blamed, wanted }: Hint,
  chain: number,
): readonly Parameter[] {
  const askable = wanted.flatMap(({ meaning, name }) =>
    isRequirable(meaning) ? [neutralParameter(meaning, name, chain)] : [],
  )
  // Parameters that are optional in the document come last: a refusal may only offer them.
  const usual = askable.filter(({ meaning }) => isBaseMeaning(meaning))
  const added = usual.length > 0 || blamed.length > 0 ? usual : askable
  const good = parameters.filter(({ name }) => !blamed.includes(name))
  if (added.length === 0) return good
  const first = added.filter(
    ({ meaning }, index) => added.findIndex((each) => each.meaning === meaning) === index,
  )
  const rest = parameters.length > baseMeanings.length ? good : parameters
  return [...without(rest, ...first.map(({ meaning }) => meaning)), ...first]
}

/** Returns parameters with all common names of these meanings at once. */
function everyName(
  chain: number,
  meanings: readonly RequirableMeaning[] = baseMeanings,
): Parameter[] {
  return meanings.flatMap((meaning) =>
    commonNames[meaning].map((name) => neutralParameter(meaning, name, chain)),
  )
}

/** Returns the meanings to try, those that the question lacks first. */
function lackingFirst(parameters: readonly Parameter[]): BaseMeaning[] {
  const isThere = (meaning: BaseMeaning) =>
    parameters.some((parameter) => parameter.meaning === meaning)
  return baseMeanings.toSorted((left, right) => Number(isThere(left)) - Number(isThere(right)))
}

/** Returns the usual question with one other name each, the likeliest name of each meaning first. */
function singleReplacements(usual: readonly Parameter[], suggested: SuggestedNames): Parameter[][] {
  return usual
    .flatMap((parameter) =>
      suggested
        .candidates(parameter.meaning)
        .filter((name) => name !== parameter.name)
        .map((name, rank) => ({ rank, parameter: { ...parameter, name } })),
    )
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ parameter }) => [...without(usual, parameter.meaning), parameter])
}

function keyOf(parameters: readonly Parameter[]): string {
  return parameters.map(({ meaning, name }) => `${meaning} ${name}`).join()
}
