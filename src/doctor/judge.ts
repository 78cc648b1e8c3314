import type { ReadAssets } from '../api/answers.ts'
import { matchesTerm } from '../api/client.ts'
import { baseToken, baseTokens, unixTime } from '../api/figures.ts'
import type { QueryMeaning } from '../api/query-names.ts'
import { categories } from '../api/requests.ts'
import { type Asset, differ } from '../api/schema.ts'
import { type Inquiry, isAskable, isBaseMeaning, ordinary, type Part } from './inquiry.ts'
import { type Answer, isRefused, type NoAnswer } from './probe.ts'
import { saidIn } from './refusals.ts'

/** No chain has this id, the largest that fits a signed 32-bit column. */
const noChain = 2_147_483_647
const nobody = '0x00000000000000000000000000000000000f00d5'
const statuses = ['graduated', 'live', 'incoming'] as const

/** Judges a query name by the difference that it makes. */
export class Judge {
  readonly #inquiry: Inquiry
  readonly #otherChain: number | undefined

  constructor(inquiry: Inquiry, otherChain: number | undefined) {
    this.#inquiry = inquiry
    this.#otherChain = otherChain
  }

  /** Several names are asked with at once: then it is said whether any of them makes a difference. */
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
    const usual = await this.#list(meaning, names, ordinary(meaning, this.#inquiry.chain))
    if ('error' in usual) return ofError(usual)
    const asked = { meaning, names, isCandidate }
    const judgement = await this.#effect(this.#asked(asked, usual.value, true))
    const isProof = meaning === 'chain' || meaning === 'status' || judgement.effect === undefined
    return judgement.effect || !isProof
      ? judgement
      : { effect: true, how: 'required, and known by this name' }
  }

  #asked(what: What, reference: ReadAssets, isRequired: boolean): Asked {
    return {
      ...what,
      reference,
      isRequired,
      put: (value) => this.#list(what.meaning, what.names, value),
      ofRefusal: (answer, value) => this.#ofRefusal(what, answer, value),
    }
  }

  #effect(asked: Asked): Promise<Judgement> {
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

  // An interface that falls back to a known chain for an unknown one still minds the known ones.
  async #chain(asked: Asked): Promise<Judgement> {
    const { reference, isCandidate, isRequired } = asked
    const { chain } = this.#inquiry
    const usual = await asked.put(chain)
    if ('error' in usual) return ofError(usual, `chain ${chain}`)
    if (usual.value.received === 0 && reference.received === 0) return nothingListed
    if (isCandidate && usual.value.received === 0) return { effect: false, how: 'none' }
    const isDoubtful = usual.value.received === 0
    const odd = await asked.put(noChain)
    if (isRefused(odd)) return { effect: true, how: 'an unused chain: refused', isDoubtful }
    if ('error' in odd) return ofError(odd, 'an unused chain')
    const isSame = isUnchanged(usual.value, odd.value)
    const how = `an unused chain: ${isSame ? 'the same assets' : counted(odd.value.received)}`
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

  // An effect is that answers differ, whatever their words mean there; the words only save questions where they agree.
  async #status(asked: Asked): Promise<Judgement> {
    const { reference, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    const seen: string[] = []
    const answers: ReadAssets[] = []
    const telling = statuses.toSorted(
      (left, right) =>
        contradictions(reference, 'status', right) - contradictions(reference, 'status', left),
    )
    const hasAssets = () => answers.some(({ received }) => received > 0)
    const differs = () => answers.some((answer) => !isUnchanged(reference, answer))
    for (const status of telling) {
      const answer = await asked.put(status)
      if ('error' in answer) return asked.ofRefusal(answer, status)
      const wrong = contradictions(answer.value, 'status', status)
      seen.push(`${status}: ${wrong} of ${answer.value.received} are not`)
      answers.push(answer.value)
      if (wrong === 0 && differs() && hasAssets()) {
        return { effect: true, how: seen.join(', ') }
      }
    }
    const how = seen.join(', ')
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

  async #category(asked: Asked): Promise<Judgement> {
    const { reference, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    for (const category of categories) {
      const answer = await asked.put(category)
      if ('error' in answer) return asked.ofRefusal(answer, category)
      const wrong = contradictions(answer.value, 'category', category)
      const how = `${category}: ${wrong} of ${answer.value.received} are not`
      const expected = reference.assets.length - contradictions(reference, 'category', category)
      const lacks = expected > 0 && answer.value.received === 0
      const isSame = isUnchanged(reference, answer.value)
      if (wrong > 0 || (lacks && isCandidate)) return { effect: false, how, isIgnored: isSame }
      if (!isSame) return { effect: true, how, isDoubtful: lacks }
    }
    const isTold = reference.assets.some((asset) => asset.asset_categories?.length === 1)
    return isTold
      ? { effect: false, how: 'the same assets for each category', isIgnored: true }
      : { effect: undefined, how: 'no asset is of one category alone' }
  }

  async #address(asked: Asked, of: (asset: Asset) => string | undefined): Promise<Judgement> {
    const { reference, meaning, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    const odd = await asked.put(nobody)
    if ('error' in odd && !isRefused(odd)) return ofError(odd, meaning)
    const real = reference.assets.map(of).find((each) => each !== undefined)
    if ('value' in odd) {
      const isIgnored = isUnchanged(reference, odd.value)
      const how = `an unused ${meaning}: ${isIgnored ? 'the same assets' : counted(odd.value.received)}`
      if (isIgnored || real === undefined) return { effect: !isIgnored, how, isIgnored }
    }
    if (real === undefined) return asked.ofRefusal(odd, `an unused ${meaning}`)
    const answer = await asked.put(real)
    if ('error' in answer) return asked.ofRefusal(answer, `its own ${meaning}`)
    const wrong = answer.value.assets.filter((asset) => differ(of(asset), real)).length
    const isRight = answer.value.received > 0 && wrong === 0
    const how = `its own ${meaning}: ${counted(answer.value.received)}, ${wrong} others`
    return { effect: isRight || !isCandidate, how, isDoubtful: !isRight }
  }

  async #ordering(asked: Asked): Promise<Judgement> {
    if (asked.reference.received < 2) return tooFew
    let isIgnored = true
    for (const by of ['market_cap', 'volume_usd']) {
      const up = await asked.put(`${by}_asc`)
      if ('error' in up) return asked.ofRefusal(up, `${by}_asc`)
      const down = await asked.put(`${by}_desc`)
      if ('error' in down) return asked.ofRefusal(down, `${by}_desc`)
      if (!isSameOrder(up.value, down.value)) return { effect: true, how: 'up and down: different' }
      isIgnored &&= isSameOrder(asked.reference, up.value)
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
      // Unlike a filter, a search without its term may well be refused.
      if (isRefused(answer)) {
        const how = `refused as if without a term: ${saidIn(answer.refusal)}`
        return { effect: false, how, isIgnored: true, refused: answer }
      }
      if ('error' in answer) return ofError(answer, 'a term')
      const { assets, received } = answer.value
      const wrong = assets.filter((asset) => !matchesTerm(asset, term)).length
      const what = term === sample.asset_address ? 'an address' : 'a name'
      how = `${what}: ${counted(received)}, ${wrong} others`
      if (received > 0)
        return { effect: assets.length > 0 && wrong === 0, how, isIgnored: wrong > 0 }
    }
    return { effect: false, how }
  }

  /** Judges a refused value: if the usual one is served, the name is known, and only the value is refused. */
  async #ofRefusal(
    { meaning, names, isCandidate }: What,
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
  /** Undefined where nothing that is listed can tell. */
  effect: boolean | undefined
  how: string
  /** Set if all answers were the same with it as without it. */
  isIgnored?: boolean
  /** The interface's refusal of the name. */
  refused?: NoAnswer
  /** There was neither an answer nor a refusal, and there will be none to the next question. */
  isUnanswered?: boolean
  /** It does something, but not plainly what it should: another name that does is the right one. */
  isDoubtful?: boolean
  /** It counts pages instead of assets. */
  countsPages?: boolean
}

type Value = string | number

/** A parameter to be judged: its meaning, and the name or names that it is asked under. */
interface What {
  meaning: QueryMeaning
  names: readonly string[]
  /** Whether it has to be seen that it does what it should, not only that it does something. */
  isCandidate: boolean
}

/** The way to ask, and the answer to compare with. */
interface Asked extends What {
  /** The listing without the parameter; with it, as usual, where it is required. */
  reference: ReadAssets
  isRequired: boolean
  put: (value: Value) => Promise<Answer<ReadAssets>>
  /** Judges a refused value: if the usual one is served, the name is known, and only the value is refused. */
  ofRefusal: (answer: Answer<unknown>, value: string) => Promise<Judgement>
}

const nothingListed: Judgement = { effect: undefined, how: 'nothing is listed' }
const tooFew: Judgement = { effect: undefined, how: 'too few are listed' }

/** The judgement of a question that got no answer. */
function ofError(answer: Answer<unknown>, what = ''): Judgement {
  if ('value' in answer) return { effect: undefined, how: what }
  if (!isRefused(answer)) {
    return { effect: undefined, how: answer.error.message, isUnanswered: true }
  }
  const how = [what, refusalOf(answer)].filter((part) => part !== '').join(': ')
  return { effect: false, how, refused: answer }
}

/** A failure in a few words. */
export function refusalOf({ error, refusal }: NoAnswer): string {
  const said = saidIn(refusal)
  const status = error.status === undefined ? error.kind : `refused with ${error.status}`
  return said === '' ? status : `${status}: ${said}`
}

const farOffset = 1_000_000

/** Asks for one asset further on: past the end some interfaces repeat their last page, and others count pages. */
async function offsetEffect(asked: Asked): Promise<Judgement> {
  const { reference } = asked
  if (reference.received < 2) return tooFew
  const one = await asked.put(1)
  if ('error' in one) return asked.ofRefusal(one, '1 further on')
  const [, second] = reference.assets.map(identity)
  const [first] = one.value.assets.map(identity)
  if (first !== undefined && first === second) {
    return { effect: true, how: '1 further on: begins with the second' }
  }
  const two = await asked.put(2)
  if ('error' in two) return asked.ofRefusal(two, '2 further on')
  const isSame = isUnchanged(reference, one.value)
  // What lists nothing is rather a filter.
  const isNext = one.value.received > 0 && isDisjoint(reference, one.value)
  const isNextPage = (isSame || isNext) && !isUnchanged(reference, two.value)
  if (isNextPage && isDisjoint(reference, two.value)) {
    return { effect: false, how: 'counts pages, not assets', countsPages: true }
  }
  if (!isSame) return { effect: false, how: '1 further on: other assets' }
  return farOffsetEffect(asked)
}

// If offsets are rounded down to whole pages, a small one changes nothing.
async function farOffsetEffect(asked: Asked): Promise<Judgement> {
  const { reference } = asked
  const far = await asked.put(farOffset)
  if ('error' in far) return asked.ofRefusal(far, 'past the end')
  const isIgnored = isUnchanged(reference, far.value)
  const how = `past the end: ${isIgnored ? 'the same assets' : counted(far.value.received)}`
  return { effect: !isIgnored, how, isIgnored }
}

/** Asks for a single asset. */
async function limitEffect(asked: Asked): Promise<Judgement> {
  const { reference } = asked
  if (reference.received < 2) return tooFew
  const answer = await asked.put(1)
  if ('error' in answer) return asked.ofRefusal(answer, 'a limit of 1')
  const [, second] = reference.assets.map(identity)
  const [first] = answer.value.assets.map(identity)
  const { received } = answer.value
  return {
    effect: received === 1 && first !== second,
    how: `at most 1: ${counted(received)}`,
    isIgnored: isUnchanged(reference, answer.value),
  }
}

/** Assets that may come between two questions where nothing tells when they were created. */
const maxArrivals = 3

/** The time of creation tells apart assets that share an address on two chains. */
export function identity(asset: Asset): string {
  return `${asset.asset_address.toLowerCase()} ${asset.asset_creation_timestamp ?? ''}`
}

/**
 * Whether both list the same in the same order, but for assets that arrived between them: a few, or up to half of the
 * list if all of those are newer than the rest, since a slow interface is asked for minutes.
 */
export function isSameOrder(before: ReadAssets, after: ReadAssets): boolean {
  const old = before.assets.map(identity)
  const now = after.assets.map(identity)
  if (old.length === 0 || now.length < old.length) return old.length === now.length
  const arrived = now.indexOf(old[0] ?? '')
  if (arrived < 0 || arrived > maxArrived(before, after.assets.slice(0, arrived))) return false
  const rest = now.slice(arrived)
  const isPrefix = rest.every((id, index) => id === old[index])
  const areNew = now.slice(0, arrived).every((id) => !old.includes(id))
  // New assets push others off a page.
  const gone = old.length - rest.length
  return isPrefix && areNew && gone >= 0 && gone <= arrived
}

function maxArrived({ assets }: ReadAssets, arrived: readonly Asset[]): number {
  const newest = Math.max(...assets.map(createdAt))
  const areNewer = arrived.every((asset) => createdAt(asset) > newest)
  return areNewer ? Math.max(maxArrivals, Math.floor(assets.length / 2)) : maxArrivals
}

/** Not a number where nothing says it, which is newer than nothing. */
function createdAt({ asset_creation_timestamp: text = '' }: Asset): number {
  return unixTime(text) ?? Number.NaN
}

/** Whether both list the same in any order, but for a few assets that arrived between them. */
export function isUnchanged(before: ReadAssets, after: ReadAssets): boolean {
  const old = new Set(before.assets.map(identity))
  const isSameSet =
    before.assets.length === after.assets.length &&
    after.assets.every((asset) => old.has(identity(asset)))
  return isSameSet || isSameOrder(before, after)
}

/** Whether no asset stands in both. */
export function isDisjoint(left: ReadAssets, right: ReadAssets): boolean {
  const known = new Set(left.assets.map(identity))
  return !right.assets.some((asset) => known.has(identity(asset)))
}

function counted(count: number): string {
  return count === 0 ? 'none' : `${count} listed`
}
