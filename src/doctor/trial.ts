import {
  assetKey,
  baseToken,
  contradiction,
  creatorOf,
  type Filters,
  matchesTerm,
  type ReadAssets,
  unixTime,
} from '../api/asset.ts'
import { type Asset, categories, differ, type QueryMeaning } from '../api/schema.ts'
import {
  type Answer,
  isBaseMeaning,
  isRefused,
  isRequirable,
  type NoAnswer,
  neutralValue,
} from './limited-api.ts'
import type { ListQuery } from './list-query.ts'
import { refusalText } from './suggested-names.ts'

/** An id that no chain has: the largest that fits a signed 32-bit column. */
const unusedChain = 2_147_483_647
const unusedAddress = '0x00000000000000000000000000000000000f00d5'
const statuses = ['graduated', 'live', 'incoming'] as const

/** The effect that a name was seen to have. */
export interface TrialResult {
  /** Undefined if the listed assets can't decide it. */
  effect: boolean | undefined
  /** Describes the comparison and its result, for people. */
  detail: string
  /** Set if all answers were the same with it as without it. */
  isIgnored?: boolean
  /** The API's refusal of the name. */
  refused?: NoAnswer
  /** There was neither an answer nor a refusal, so further questions are useless. */
  isUnanswered?: boolean
  /** It has an effect, but maybe not the right one: prefer another name that has. */
  isDoubtful?: boolean
  /** Set if it counts pages instead of assets. */
  countsPages?: boolean
}

/** A parameter to try: its meaning, and the names. */
interface Candidates {
  meaning: QueryMeaning
  /** Several are sent at once, to see whether any has an effect. */
  names: readonly string[]
  /** Whether the right effect must be proved, not only any effect. */
  isCandidate: boolean
}

/** A parameter to try, the way to send it, and the list to compare with. */
interface Trial extends Candidates {
  listQuery: ListQuery
  /** Another chain of the operator's. */
  otherChain: number | undefined
  /** The list without the parameter; if it is required, with its default. */
  reference: ReadAssets
  isRequired: boolean
  put: (value: string | number) => Promise<Answer<ReadAssets>>
  /** Lists with a value. @throws Unlisted if there is no answer; `what` is what was asked for. */
  ask: (value: string | number, what?: string) => Promise<ReadAssets>
}

/** Ends a trial whose question was not answered. */
class Unlisted extends Error {
  readonly answer: NoAnswer
  readonly what: string

  constructor(answer: NoAnswer, what: string) {
    super(what)
    this.answer = answer
    this.what = what
  }
}

const nothingListed: TrialResult = { effect: undefined, detail: 'nothing is listed' }
const tooFew: TrialResult = { effect: undefined, detail: 'too few are listed' }

/** Judges query names by the difference that they make to the answers. */
export async function tryNames(
  listQuery: ListQuery,
  candidates: Candidates,
  otherChain?: number,
): Promise<TrialResult> {
  const { meaning, names } = candidates
  const put = (value: string | number) => listQuery.list(meaning, names, value)
  const ask = async (value: string | number, what = String(value)) => {
    const answer = await put(value)
    if ('error' in answer) throw new Unlisted(answer, what)
    return answer.value
  }
  const trial = { ...candidates, listQuery, otherChain, put, ask }
  if (meaning === 'term') return tryTerm(listQuery, names)
  const control = await listQuery.list(meaning)
  if ('value' in control) {
    return tryEffect({ ...trial, reference: control.value, isRequired: false })
  }
  if (!isRefused(control) || !isRequirable(meaning)) return resultOfError(control, 'the question')
  const withDefault = await put(neutralValue(meaning, listQuery.chain))
  if ('error' in withDefault) return resultOfError(withDefault)
  const result = await tryEffect({
    ...trial,
    reference: withDefault.value,
    isRequired: true,
  })
  const isProof = meaning === 'chain' || meaning === 'status' || result.effect === undefined
  return result.effect || !isProof
    ? result
    : { effect: true, detail: 'required, and known by this name' }
}

async function tryEffect(trial: Trial): Promise<TrialResult> {
  try {
    return await effects[trial.meaning](trial)
  } catch (error) {
    if (error instanceof Unlisted) return resultOfUnlisted(trial, error)
    throw error
  }
}

const effects: Record<QueryMeaning, (trial: Trial) => Promise<TrialResult>> = {
  chain: chainEffect,
  status: statusEffect,
  limit: limitEffect,
  offset: offsetEffect,
  ordering: orderingEffect,
  numeraire: (trial) => addressEffect(trial, (asset) => asset.asset_numeraire_address),
  category: categoryEffect,
  creator: (trial) => addressEffect(trial, creatorOf),
  term: ({ listQuery, names }) => tryTerm(listQuery, names),
}

// An API may fall back to a default for an unknown chain, but still use the parameter for known ones.
async function chainEffect(trial: Trial): Promise<TrialResult> {
  const { reference, isCandidate, isRequired, listQuery, otherChain } = trial
  const { chain } = listQuery
  const usual = await trial.put(chain)
  if ('error' in usual) return resultOfError(usual, `chain ${chain}`)
  if (usual.value.received === 0 && reference.received === 0) return nothingListed
  if (isCandidate && usual.value.received === 0) return { effect: false, detail: 'none' }
  const isDoubtful = usual.value.received === 0
  const unused = await trial.put(unusedChain)
  if (isRefused(unused)) return { effect: true, detail: 'an unused chain: refused', isDoubtful }
  if ('error' in unused) return resultOfError(unused, 'an unused chain')
  const isSame = isUnchanged(usual.value, unused.value)
  const detail = `an unused chain: ${isSame ? 'the same assets' : countText(unused.value.received)}`
  if (!isSame) return { effect: true, detail, isDoubtful }
  if (!isRequired && !isUnchanged(reference, usual.value)) {
    return { effect: true, detail: `chain ${chain}: other assets than without`, isDoubtful }
  }
  const other = otherChain === undefined ? undefined : await trial.put(otherChain)
  return other &&
    'value' in other &&
    other.value.received > 0 &&
    !isUnchanged(usual.value, other.value)
    ? { effect: true, detail: `chain ${otherChain}: other assets` }
    : { effect: false, detail, isIgnored: true }
}

// Different answers prove an effect, whatever the statuses mean there; if the statuses match, fewer questions are
// needed.
async function statusEffect({ reference, isCandidate, ask }: Trial): Promise<TrialResult> {
  if (reference.received === 0) return nothingListed
  const descriptions: string[] = []
  const answers: ReadAssets[] = []
  const likeliestFirst = statuses.toSorted(
    (left, right) =>
      contradicting(reference, { status: right }) - contradicting(reference, { status: left }),
  )
  const hasAssets = () => answers.some(({ received }) => received > 0)
  const differs = () => answers.some((answer) => !isUnchanged(reference, answer))
  for (const status of likeliestFirst) {
    const answer = await ask(status)
    const wrong = contradicting(answer, { status })
    descriptions.push(`${status}: ${wrong} of ${answer.received} are not`)
    answers.push(answer)
    if (wrong === 0 && differs() && hasAssets()) {
      return { effect: true, detail: descriptions.join(', ') }
    }
  }
  const detail = descriptions.join(', ')
  const [first, ...others] = answers
  if (first && hasAssets() && others.some((answer) => !isUnchanged(first, answer))) {
    return { effect: true, detail: `other assets for each status (${detail})` }
  }
  if (hasAssets() && differs()) return { effect: false, detail }
  return differs()
    ? { effect: !isCandidate, detail: 'nothing is listed under any status', isDoubtful: true }
    : { effect: false, detail: 'the same assets for each status', isIgnored: true }
}

async function categoryEffect({ reference, isCandidate, ask }: Trial): Promise<TrialResult> {
  if (reference.received === 0) return nothingListed
  for (const category of categories) {
    const answer = await ask(category)
    const wrong = contradicting(answer, { category })
    const detail = `${category}: ${wrong} of ${answer.received} are not`
    const expected = reference.assets.length - contradicting(reference, { category })
    const isMissing = expected > 0 && answer.received === 0
    const isIgnored = isUnchanged(reference, answer)
    if (wrong > 0 || (isMissing && isCandidate)) return { effect: false, detail, isIgnored }
    if (!isIgnored) return { effect: true, detail, isDoubtful: isMissing }
  }
  const isDecidable = reference.assets.some((asset) => asset.asset_categories?.length === 1)
  return isDecidable
    ? { effect: false, detail: 'the same assets for each category', isIgnored: true }
    : { effect: undefined, detail: 'no asset is of one category alone' }
}

async function addressEffect(
  { reference, meaning, isCandidate, put, ask }: Trial,
  valueIn: (asset: Asset) => string | undefined,
): Promise<TrialResult> {
  if (reference.received === 0) return nothingListed
  const what = `an unused ${meaning}`
  const odd = await put(unusedAddress)
  if ('error' in odd && !isRefused(odd)) return resultOfError(odd, meaning)
  const actual = reference.assets.map(valueIn).find((each) => each !== undefined)
  if ('value' in odd) {
    const isIgnored = isUnchanged(reference, odd.value)
    const detail = `${what}: ${isIgnored ? 'the same assets' : countText(odd.value.received)}`
    if (isIgnored || actual === undefined) return { effect: !isIgnored, detail, isIgnored }
  } else if (actual === undefined) throw new Unlisted(odd, what)
  const answer = await ask(actual, `its own ${meaning}`)
  const wrong = answer.assets.filter((asset) => differ(valueIn(asset), actual)).length
  const isCorrect = answer.received > 0 && wrong === 0
  const detail = `its own ${meaning}: ${countText(answer.received)}, ${wrong} others`
  return { effect: isCorrect || !isCandidate, detail, isDoubtful: !isCorrect }
}

async function orderingEffect({ reference, ask }: Trial): Promise<TrialResult> {
  if (reference.received < 2) return tooFew
  let isIgnored = true
  for (const by of ['market_cap', 'volume_usd']) {
    const ascending = await ask(`${by}_asc`)
    const descending = await ask(`${by}_desc`)
    if (!isSameOrder(ascending, descending))
      return { effect: true, detail: 'up and down: different' }
    isIgnored &&= isSameOrder(reference, ascending)
  }
  return { effect: false, detail: 'up and down: the same', isIgnored }
}

const farOffset = 1_000_000

/**
 * Asks with an offset of 1. (A large offset is ambiguous: some APIs repeat their last page, and others count
 * pages.)
 */
async function offsetEffect({ reference, ask }: Trial): Promise<TrialResult> {
  if (reference.received < 2) return tooFew
  const next = await ask(1, '1 further on')
  if (startsWithSecond(reference, next)) {
    return { effect: true, detail: '1 further on: begins with the second' }
  }
  const second = await ask(2, '2 further on')
  const isSame = isUnchanged(reference, next)
  // An empty list suggests a filter, not an offset.
  const isNext = next.received > 0 && isDisjoint(reference, next)
  const isNextPage = (isSame || isNext) && !isUnchanged(reference, second)
  if (isNextPage && isDisjoint(reference, second)) {
    return { effect: false, detail: 'counts pages, not assets', countsPages: true }
  }
  if (!isSame) return { effect: false, detail: '1 further on: other assets' }
  // Offsets may be rounded down to whole pages, so also try a large one.
  const far = await ask(farOffset, 'past the end')
  const isIgnored = isUnchanged(reference, far)
  const detail = `past the end: ${isIgnored ? 'the same assets' : countText(far.received)}`
  return { effect: !isIgnored, detail, isIgnored }
}

/** Judges the limit by asking for a single asset. */
async function limitEffect({ reference, ask }: Trial): Promise<TrialResult> {
  if (reference.received < 2) return tooFew
  const answer = await ask(1, 'a limit of 1')
  const { received } = answer
  return {
    effect: received === 1 && !startsWithSecond(reference, answer),
    detail: `at most 1: ${countText(received)}`,
    isIgnored: isUnchanged(reference, answer),
  }
}

async function tryTerm(listQuery: ListQuery, names: readonly string[]): Promise<TrialResult> {
  const [sample] = listQuery.base.answer.assets
  if (!sample) return nothingListed
  let detail = ''
  const { token_symbol: symbol, token_name: name } = baseToken(sample) ?? {}
  for (const term of [sample.asset_address, symbol, name]) {
    if (!term) continue
    const answer = await listQuery.search(names, term)
    // Unlike a list without a filter, a search without a term may be refused.
    if (isRefused(answer)) {
      const detail = `refused as if without a term: ${refusalText(answer.refusal)}`
      return { effect: false, detail, isIgnored: true, refused: answer }
    }
    if ('error' in answer) return resultOfError(answer, 'a term')
    const { assets, received } = answer.value
    const wrong = assets.filter((asset) => !matchesTerm(asset, term)).length
    const what = term === sample.asset_address ? 'an address' : 'a name'
    detail = `${what}: ${countText(received)}, ${wrong} others`
    if (received > 0)
      return { effect: assets.length > 0 && wrong === 0, detail, isIgnored: wrong > 0 }
  }
  return { effect: false, detail }
}

/** Judges a refused value: if the default value is served, the name is known, and only the value is refused. */
async function resultOfUnlisted(
  { meaning, put, isCandidate, listQuery }: Trial,
  { answer, what }: Unlisted,
): Promise<TrialResult> {
  const result = resultOfError(answer, what)
  if (isCandidate || !isRefused(answer)) return result
  const isKnown = isBaseMeaning(meaning)
    ? 'value' in (await put(neutralValue(meaning, listQuery.chain)))
    : !(await listQuery.refusesUnknownNames())
  return isKnown ? { ...result, effect: undefined, isDoubtful: true } : result
}

/** Makes the judgement of a question without an answer. */
function resultOfError(answer: NoAnswer, what = ''): TrialResult {
  if (!isRefused(answer)) {
    return { effect: undefined, detail: answer.error.message, isUnanswered: true }
  }
  const detail = [what, refusalOf(answer)].filter((parameter) => parameter !== '').join(': ')
  return { effect: false, detail, refused: answer }
}

/** Describes a failure briefly. */
export function refusalOf({ error, refusal }: NoAnswer): string {
  const text = refusalText(refusal)
  const status = error.status === undefined ? error.kind : `refused with ${error.status}`
  return text === '' ? status : `${status}: ${text}`
}

function contradicting({ assets }: ReadAssets, filters: Filters): number {
  return assets.filter((asset) => contradiction(asset, filters) !== undefined).length
}

function startsWithSecond(reference: ReadAssets, answer: ReadAssets): boolean {
  const [first, second] = [answer.assets[0], reference.assets[1]]
  return first !== undefined && second !== undefined && assetKey(first) === assetKey(second)
}

/** Max assets that may arrive between two questions if their creation times are unknown. */
const maxArrivals = 3

/**
 * Whether both list the same in the same order, except for new assets: a few, or up to half of the list if all are
 * newer than the rest, since a slow API can take minutes.
 */
export function isSameOrder(before: ReadAssets, after: ReadAssets): boolean {
  const previous = before.assets.map(assetKey)
  const now = after.assets.map(assetKey)
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
  const old = new Set(before.assets.map(assetKey))
  const isSameSet =
    before.assets.length === after.assets.length &&
    after.assets.every((asset) => old.has(assetKey(asset)))
  return isSameSet || isSameOrder(before, after)
}

/** Whether no asset is in both. */
export function isDisjoint(left: ReadAssets, right: ReadAssets): boolean {
  const keys = new Set(left.assets.map(assetKey))
  return !right.assets.some((asset) => keys.has(assetKey(asset)))
}

function countText(count: number): string {
  return count === 0 ? 'none' : `${count} listed`
}
