import type { ReadAssets } from '../api/answers.ts'
import { matchesTerm } from '../api/client.ts'
import { baseToken, baseTokens, unixTime } from '../api/figures.ts'
import type { QueryMeaning } from '../api/query-names.ts'
import { categories } from '../api/requests.ts'
import { type Asset, differ } from '../api/schema.ts'
import { type Inquiry, isAskable, isBaseMeaning, ordinary, type Part } from './inquiry.ts'
import { type Answer, isRefused, type NoAnswer } from './probe.ts'
import { saidIn } from './refusals.ts'

/** An id that no chain has: the largest that fits a signed 32-bit column. */
const unusedChain = 2_147_483_647
const unusedAddress = '0x00000000000000000000000000000000000f00d5'
const statuses = ['graduated', 'live', 'incoming'] as const

/** Judges query names by the difference that they make to the answers. */
export class Judge {
  readonly #inquiry: Inquiry
  readonly #otherChain: number | undefined

  constructor(inquiry: Inquiry, otherChain: number | undefined) {
    this.#inquiry = inquiry
    this.#otherChain = otherChain
  }

  /** Judges the names of a parameter; several are sent at once, to see whether any has an effect. */
  async judge(
    meaning: QueryMeaning,
    names: readonly string[],
    isCandidate: boolean,
  ): Promise<Judgement> {
    if (meaning === 'term') return this.#term(names)
    const control = await this.#inquiry.list(meaning, [])
    if ('value' in control) {
      return this.#effect(this.#asked({ meaning, names, isCandidate }, control.value, false))
    }
    if (!isRefused(control) || !isAskable(meaning)) return ofError(control, 'the question')
    const withDefault = await this.#list(meaning, names, ordinary(meaning, this.#inquiry.chain))
    if ('error' in withDefault) return ofError(withDefault)
    const test = { meaning, names, isCandidate }
    const judgement = await this.#effect(this.#asked(test, withDefault.value, true))
    const isProof = meaning === 'chain' || meaning === 'status' || judgement.effect === undefined
    return judgement.effect || !isProof
      ? judgement
      : { effect: true, how: 'required, and known by this name' }
  }

  #asked(what: Question, reference: ReadAssets, isRequired: boolean): Test {
    return {
      ...what,
      reference,
      isRequired,
      put: (value) => this.#list(what.meaning, what.names, value),
      ofRefusal: (answer, value) => this.#ofRefusal(what, answer, value),
    }
  }

  #effect(asked: Test): Promise<Judgement> {
    switch (asked.meaning) {
      case 'chain':
        return this.#chain(asked)
      case 'status':
        return this.#status(asked)
      case 'category':
        return this.#category(asked)
      case 'numeraire':
        return this.#address(asked, (asset) => asset.asset_numeraire_address)
      case 'creator':
        return this.#address(asked, creatorOf)
      case 'offset':
        return offsetEffect(asked)
      case 'limit':
        return limitEffect(asked)
      default:
        return this.#ordering(asked)
    }
  }

  #list(
    meaning: QueryMeaning,
    names: readonly string[],
    value: Value,
  ): Promise<Answer<ReadAssets>> {
    return this.#inquiry.list(meaning, partsWith(meaning, names, value))
  }

  // An interface may fall back to a default for an unknown chain, but still use the parameter for known ones.
  async #chain(asked: Test): Promise<Judgement> {
    const { reference, isCandidate, isRequired } = asked
    const { chain } = this.#inquiry
    const usual = await asked.put(chain)
    if ('error' in usual) return ofError(usual, `chain ${chain}`)
    if (usual.value.received === 0 && reference.received === 0) return nothingListed
    if (isCandidate && usual.value.received === 0) return { effect: false, how: 'none' }
    const isDoubtful = usual.value.received === 0
    const unused = await asked.put(unusedChain)
    if (isRefused(unused)) return { effect: true, how: 'an unused chain: refused', isDoubtful }
    if ('error' in unused) return ofError(unused, 'an unused chain')
    const isSame = isUnchanged(usual.value, unused.value)
    const how = `an unused chain: ${isSame ? 'the same assets' : countText(unused.value.received)}`
    if (!isSame) return { effect: true, how, isDoubtful }
    if (!isRequired && !isUnchanged(reference, usual.value)) {
      return { effect: true, how: `chain ${chain}: other assets than without`, isDoubtful }
    }
    const other = this.#otherChain
    const second = other === undefined ? undefined : await asked.put(other)
    const ignored = { effect: false, how, isIgnored: true }
    if (!second || 'error' in second || second.value.received === 0) return ignored
    if (isUnchanged(usual.value, second.value)) return ignored
    return { effect: true, how: `chain ${other}: other assets` }
  }

  // Different answers prove an effect, whatever the statuses mean there; if the statuses match, fewer questions are
  // needed.
  async #status(asked: Test): Promise<Judgement> {
    const { reference, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    const descriptions: string[] = []
    const answers: ReadAssets[] = []
    const orderedStatuses = statuses.toSorted(
      (left, right) =>
        contradictions(reference, 'status', right) - contradictions(reference, 'status', left),
    )
    const hasAssets = () => answers.some(({ received }) => received > 0)
    const differs = () => answers.some((answer) => !isUnchanged(reference, answer))
    for (const status of orderedStatuses) {
      const answer = await asked.put(status)
      if ('error' in answer) return asked.ofRefusal(answer, status)
      const wrong = contradictions(answer.value, 'status', status)
      descriptions.push(`${status}: ${wrong} of ${answer.value.received} are not`)
      answers.push(answer.value)
      if (wrong === 0 && differs() && hasAssets()) {
        return { effect: true, how: descriptions.join(', ') }
      }
    }
    const how = descriptions.join(', ')
    const [first, ...others] = answers
    if (first && hasAssets() && others.some((answer) => !isUnchanged(first, answer))) {
      return { effect: true, how: `other assets for each status (${how})` }
    }
    if (hasAssets() && differs()) return { effect: false, how }
    if (differs()) {
      return { effect: !isCandidate, how: 'nothing is listed under any status', isDoubtful: true }
    }
    return { effect: false, how: 'the same assets for each status', isIgnored: true }
  }

  async #category(asked: Test): Promise<Judgement> {
    const { reference, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    for (const category of categories) {
      const answer = await asked.put(category)
      if ('error' in answer) return asked.ofRefusal(answer, category)
      const wrong = contradictions(answer.value, 'category', category)
      const how = `${category}: ${wrong} of ${answer.value.received} are not`
      const expected = reference.assets.length - contradictions(reference, 'category', category)
      const isMissing = expected > 0 && answer.value.received === 0
      const isSame = isUnchanged(reference, answer.value)
      if (wrong > 0 || (isMissing && isCandidate)) return { effect: false, how, isIgnored: isSame }
      if (!isSame) return { effect: true, how, isDoubtful: isMissing }
    }
    const isDecidable = reference.assets.some((asset) => asset.asset_categories?.length === 1)
    return isDecidable
      ? { effect: false, how: 'the same assets for each category', isIgnored: true }
      : { effect: undefined, how: 'no asset is of one category alone' }
  }

  async #address(asked: Test, of: (asset: Asset) => string | undefined): Promise<Judgement> {
    const { reference, meaning, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    const odd = await asked.put(unusedAddress)
    if ('error' in odd && !isRefused(odd)) return ofError(odd, meaning)
    const actual = reference.assets.map(of).find((each) => each !== undefined)
    if ('value' in odd) {
      const isIgnored = isUnchanged(reference, odd.value)
      const how = `an unused ${meaning}: ${isIgnored ? 'the same assets' : countText(odd.value.received)}`
      if (isIgnored || actual === undefined) return { effect: !isIgnored, how, isIgnored }
    }
    if (actual === undefined) return asked.ofRefusal(odd, `an unused ${meaning}`)
    const answer = await asked.put(actual)
    if ('error' in answer) return asked.ofRefusal(answer, `its own ${meaning}`)
    const wrong = answer.value.assets.filter((asset) => differ(of(asset), actual)).length
    const isCorrect = answer.value.received > 0 && wrong === 0
    const how = `its own ${meaning}: ${countText(answer.value.received)}, ${wrong} others`
    return { effect: isCorrect || !isCandidate, how, isDoubtful: !isCorrect }
  }

  async #ordering(asked: Test): Promise<Judgement> {
    if (asked.reference.received < 2) return tooFew
    let isIgnored = true
    for (const by of ['market_cap', 'volume_usd']) {
      const ascending = await asked.put(`${by}_asc`)
      if ('error' in ascending) return asked.ofRefusal(ascending, `${by}_asc`)
      const descending = await asked.put(`${by}_desc`)
      if ('error' in descending) return asked.ofRefusal(descending, `${by}_desc`)
      if (!isSameOrder(ascending.value, descending.value))
        return { effect: true, how: 'up and down: different' }
      isIgnored &&= isSameOrder(asked.reference, ascending.value)
    }
    return { effect: false, how: 'up and down: the same', isIgnored }
  }

  async #term(names: readonly string[]): Promise<Judgement> {
    const [sample] = this.#inquiry.base.answer.assets
    if (!sample) return nothingListed
    let how = ''
    const { token_symbol: symbol, token_name: name } = baseToken(sample) ?? {}
    for (const term of [sample.asset_address, symbol, name]) {
      if (!term) continue
      const answer = await this.#inquiry.search(partsWith('term', names, term))
      // Unlike a list without a filter, a search without a term may be refused.
      if (isRefused(answer)) {
        const how = `refused as if without a term: ${saidIn(answer.refusal)}`
        return { effect: false, how, isIgnored: true, refused: answer }
      }
      if ('error' in answer) return ofError(answer, 'a term')
      const { assets, received } = answer.value
      const wrong = assets.filter((asset) => !matchesTerm(asset, term)).length
      const what = term === sample.asset_address ? 'an address' : 'a name'
      how = `${what}: ${countText(received)}, ${wrong} others`
      if (received > 0)
        return { effect: assets.length > 0 && wrong === 0, how, isIgnored: wrong > 0 }
    }
    return { effect: false, how }
  }

  /** Judges a refused value: if the default value is served, the name is known, and only the value is refused. */
  async #ofRefusal(
    { meaning, names, isCandidate }: Question,
    answer: Answer<unknown>,
    value: string,
  ): Promise<Judgement> {
    const judgement = ofError(answer, value)
    if (isCandidate || !isRefused(answer)) return judgement
    const isKnown = isBaseMeaning(meaning)
      ? 'value' in (await this.#list(meaning, names, ordinary(meaning, this.#inquiry.chain)))
      : !(await this.#inquiry.isStrict())
    return isKnown
      ? { ...judgement, effect: undefined, isDoubtful: true }
      : { ...judgement, effect: false }
  }
}

function partsWith(meaning: QueryMeaning, names: readonly string[], value: Value): Part[] {
  return names.map((name) => ({ meaning, name, value }))
}

function contradictions(
  { assets }: ReadAssets,
  what: 'status' | 'category',
  asked: string,
): number {
  return assets.filter((asset) => contradicts(asset, what, asked)).length
}

function contradicts(asset: Asset, what: 'status' | 'category', asked: string): boolean {
  if (what === 'status') {
    const status = asset.asset_status?.toLowerCase()
    return statuses.some((each) => each === status) && status !== asked
  }
  const own = asset.asset_categories ?? []
  return own.length > 0 && !own.some((each) => each.toLowerCase() === asked)
}

function creatorOf(asset: Asset): string | undefined {
  return baseTokens(asset).find((token) => token.token_creator_address)?.token_creator_address
}

/** The effect that a name was seen to have. */
export interface Judgement {
  /** Undefined if the listed assets can't decide it. */
  effect: boolean | undefined
  how: string
  /** Set if all answers were the same with it as without it. */
  isIgnored?: boolean
  /** The interface's refusal of the name. */
  refused?: NoAnswer
  /** There was neither an answer nor a refusal, so further questions are useless. */
  isUnanswered?: boolean
  /** It has an effect, but maybe not the right one: prefer another name that has. */
  isDoubtful?: boolean
  /** Set if it counts pages instead of assets. */
  countsPages?: boolean
}

type Value = string | number

/** A parameter to judge: its meaning, and the names to try. */
interface Question {
  meaning: QueryMeaning
  names: readonly string[]
  /** Whether the right effect must be proved, not only any effect. */
  isCandidate: boolean
}

/** The way to ask, and the answer to compare with. */
interface Test extends Question {
  /** The list without the parameter; if it is required, with its default. */
  reference: ReadAssets
  isRequired: boolean
  put: (value: Value) => Promise<Answer<ReadAssets>>
  /** Judges a refused value: if the default value is served, the name is known, and only the value is refused. */
  ofRefusal: (answer: Answer<unknown>, value: string) => Promise<Judgement>
}

const nothingListed: Judgement = { effect: undefined, how: 'nothing is listed' }
const tooFew: Judgement = { effect: undefined, how: 'too few are listed' }

/** Makes the judgement of a question without an answer. */
function ofError(answer: Answer<unknown>, what = ''): Judgement {
  if ('value' in answer) return { effect: undefined, how: what }
  if (!isRefused(answer)) {
    return { effect: undefined, how: answer.error.message, isUnanswered: true }
  }
  const how = [what, refusalOf(answer)].filter((part) => part !== '').join(': ')
  return { effect: false, how, refused: answer }
}

/** Describes a failure briefly. */
export function refusalOf({ error, refusal }: NoAnswer): string {
  const text = saidIn(refusal)
  const status = error.status === undefined ? error.kind : `refused with ${error.status}`
  return text === '' ? status : `${status}: ${text}`
}

const farOffset = 1_000_000

/**
 * Asks with an offset of 1. (A large offset is ambiguous: some interfaces repeat their last page, and others count
 * pages.)
 */
async function offsetEffect(asked: Test): Promise<Judgement> {
  const { reference } = asked
  if (reference.received < 2) return tooFew
  const nextAnswer = await asked.put(1)
  if ('error' in nextAnswer) return asked.ofRefusal(nextAnswer, '1 further on')
  const [, second] = reference.assets.map(identity)
  const [first] = nextAnswer.value.assets.map(identity)
  if (first !== undefined && first === second) {
    return { effect: true, how: '1 further on: begins with the second' }
  }
  const secondAnswer = await asked.put(2)
  if ('error' in secondAnswer) return asked.ofRefusal(secondAnswer, '2 further on')
  const isSame = isUnchanged(reference, nextAnswer.value)
  // An empty list suggests a filter, not an offset.
  const isNext = nextAnswer.value.received > 0 && isDisjoint(reference, nextAnswer.value)
  const isNextPage = (isSame || isNext) && !isUnchanged(reference, secondAnswer.value)
  if (isNextPage && isDisjoint(reference, secondAnswer.value)) {
    return { effect: false, how: 'counts pages, not assets', countsPages: true }
  }
  if (!isSame) return { effect: false, how: '1 further on: other assets' }
  return farOffsetEffect(asked)
}

// Offsets may be rounded down to whole pages, so also try a large one.
async function farOffsetEffect(asked: Test): Promise<Judgement> {
  const { reference } = asked
  const farAnswer = await asked.put(farOffset)
  if ('error' in farAnswer) return asked.ofRefusal(farAnswer, 'past the end')
  const isIgnored = isUnchanged(reference, farAnswer.value)
  const how = `past the end: ${isIgnored ? 'the same assets' : countText(farAnswer.value.received)}`
  return { effect: !isIgnored, how, isIgnored }
}

/** Judges the limit by asking for a single asset. */
async function limitEffect(asked: Test): Promise<Judgement> {
  const { reference } = asked
  if (reference.received < 2) return tooFew
  const answer = await asked.put(1)
  if ('error' in answer) return asked.ofRefusal(answer, 'a limit of 1')
  const [, second] = reference.assets.map(identity)
  const [first] = answer.value.assets.map(identity)
  const { received } = answer.value
  return {
    effect: received === 1 && first !== second,
    how: `at most 1: ${countText(received)}`,
    isIgnored: isUnchanged(reference, answer.value),
  }
}

/** Max assets that may arrive between two questions if their creation times are unknown. */
const maxArrivals = 3

/** Returns an asset's identity; the creation time distinguishes assets with the same address on two chains. */
export function identity(asset: Asset): string {
  return `${asset.asset_address.toLowerCase()} ${asset.asset_creation_timestamp ?? ''}`
}

/**
 * Whether both list the same in the same order, except for new assets: a few, or up to half of the list if all are
 * newer than the rest, since a slow interface can take minutes.
 */
export function isSameOrder(before: ReadAssets, after: ReadAssets): boolean {
  const previous = before.assets.map(identity)
  const now = after.assets.map(identity)
  if (previous.length === 0 || now.length < previous.length) return previous.length === now.length
  const arrivals = now.indexOf(previous[0] ?? '')
  if (arrivals < 0 || arrivals > maxArrived(before, after.assets.slice(0, arrivals))) return false
  const remaining = now.slice(arrivals)
  const isPrefix = remaining.every((id, index) => id === previous[index])
  const areArrivals = now.slice(0, arrivals).every((id) => !previous.includes(id))
  // New assets push others off the page.
  const dropped = previous.length - remaining.length
  return isPrefix && areArrivals && dropped >= 0 && dropped <= arrivals
}

function maxArrived({ assets }: ReadAssets, arrived: readonly Asset[]): number {
  const newest = Math.max(...assets.map(createdAt))
  const areNewer = arrived.every((asset) => createdAt(asset) > newest)
  return areNewer ? Math.max(maxArrivals, Math.floor(assets.length / 2)) : maxArrivals
}

/** Returns the creation time; NaN if unknown, so that comparisons are false. */
function createdAt({ asset_creation_timestamp: text = '' }: Asset): number {
  return unixTime(text) ?? Number.NaN
}

/** Whether both list the same in any order, except for a few new assets. */
export function isUnchanged(before: ReadAssets, after: ReadAssets): boolean {
  const old = new Set(before.assets.map(identity))
  const isSameSet =
    before.assets.length === after.assets.length &&
    after.assets.every((asset) => old.has(identity(asset)))
  return isSameSet || isSameOrder(before, after)
}

/** Whether no asset is in both. */
export function isDisjoint(left: ReadAssets, right: ReadAssets): boolean {
  const leftIds = new Set(left.assets.map(identity))
  return !right.assets.some((asset) => leftIds.has(identity(asset)))
}

function countText(count: number): string {
  return count === 0 ? 'none' : `${count} listed`
}
