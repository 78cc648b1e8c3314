import { differ } from '../api/address.ts'
import type { ReadAssets } from '../api/answers.ts'
import { baseToken, baseTokens } from '../api/figures.ts'
import { matchesTerm } from '../api/guard.ts'
import type { QueryMeaning } from '../api/query-names.ts'
import { categories } from '../api/requests.ts'
import type { Asset } from '../api/schema.ts'
import type { Inquiry } from './inquiry.ts'
import { counted, identity, isDisjoint, isSameOrder, isUnchanged } from './listings.ts'
import { type Answer, isRefused, type NoAnswer } from './probe.ts'
import { isBaseMeaning, ordinary, type Part } from './question.ts'
import { saidIn } from './refusal.ts'

/** What a name was seen to do. */
export interface Judgement {
  /** Undefined where nothing that is listed can tell. */
  effect: boolean | undefined
  how: string
  /** Whatever was asked with it, the answers were as without it. */
  isIgnored?: boolean
  /** What the interface said where it refused the name. */
  refused?: NoAnswer
  /** It counts pages instead of assets. */
  countsPages?: boolean
}

/** No chain has this id, the largest that fits a signed 32-bit column. */
const noChain = 2_147_483_647
const nobody = '0x00000000000000000000000000000000000f00d5'
const farOffset = 1_000_000
const statuses = ['graduated', 'live', 'incoming'] as const

type Value = string | number

/** What is asked of one meaning, under one name or under several at once. */
interface Asked {
  meaning: QueryMeaning
  names: readonly string[]
  /** Whether it has to be seen that it does what it should, not only that it does something. */
  isCandidate: boolean
  /** The listing without the parameter; with it, as usual, where it is required. */
  reference: ReadAssets
  isRequired: boolean
}

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
      const reference = control.value
      return this.#effect({ meaning, names, isCandidate, reference, isRequired: false })
    }
    if (!isRefused(control) || !isBaseMeaning(meaning)) return ofError(control, 'the question')
    const usual = await this.#list(meaning, names, ordinary(meaning, this.#inquiry.chain))
    if ('error' in usual) return ofError(usual, 'required')
    const asked = { meaning, names, isCandidate, reference: usual.value, isRequired: true }
    const judgement = await this.#effect(asked)
    const isProof = meaning === 'chain' || meaning === 'status' || judgement.effect === undefined
    return judgement.effect || !isProof
      ? judgement
      : { effect: true, how: 'required, and known by this name' }
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
        return this.#offset(asked)
      case 'limit':
        return this.#limit(asked)
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

  #put({ meaning, names }: Asked, value: Value): Promise<Answer<ReadAssets>> {
    return this.#list(meaning, names, value)
  }

  // An interface that falls back to a known chain for an unknown one still minds the known ones.
  async #chain(asked: Asked): Promise<Judgement> {
    const { reference, isCandidate, isRequired } = asked
    const { chain } = this.#inquiry
    const usual = await this.#put(asked, chain)
    if ('error' in usual) return ofError(usual, `chain ${chain}`)
    if (usual.value.received === 0 && reference.received === 0) return nothingListed
    if (isCandidate && usual.value.received === 0) return { effect: false, how: 'none' }
    const odd = await this.#put(asked, noChain)
    if (isRefused(odd)) return { effect: true, how: 'an unused chain: refused' }
    if ('error' in odd) return ofError(odd, 'an unused chain')
    const isSame = isUnchanged(usual.value, odd.value)
    const how = `an unused chain: ${isSame ? 'the same assets' : counted(odd.value.received)}`
    if (!isSame) return { effect: true, how }
    if (!isRequired && !isUnchanged(reference, usual.value)) {
      return { effect: true, how: `chain ${chain}: other assets than without` }
    }
    const other = this.#otherChain
    const second = other === undefined ? undefined : await this.#put(asked, other)
    const ignored = { effect: false, how, isIgnored: true }
    if (!second || 'error' in second || second.value.received === 0) return ignored
    if (isUnchanged(usual.value, second.value)) return ignored
    return { effect: true, how: `chain ${other}: other assets` }
  }

  async #status(asked: Asked): Promise<Judgement> {
    const { reference, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    const seen: string[] = []
    let differs = false
    let hasAssets = false
    const telling = statuses.toSorted(
      (left, right) =>
        contradictions(reference, 'status', right) - contradictions(reference, 'status', left),
    )
    for (const status of telling) {
      const answer = await this.#put(asked, status)
      if ('error' in answer) return this.#ofRefusal(asked, answer, status)
      const { received } = answer.value
      const wrong = contradictions(answer.value, 'status', status)
      seen.push(`${status}: ${wrong} of ${received} are not`)
      differs ||= !isUnchanged(reference, answer.value)
      if (wrong > 0) return { effect: false, how: seen.at(-1) ?? '', isIgnored: !differs }
      hasAssets ||= received > 0
      if (differs && (hasAssets || !isCandidate)) return { effect: true, how: seen.join(', ') }
    }
    if (differs) return { effect: false, how: 'nothing is listed under any status' }
    return { effect: false, how: 'the same assets for each status', isIgnored: true }
  }

  async #category(asked: Asked): Promise<Judgement> {
    const { reference, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    for (const category of categories) {
      const answer = await this.#put(asked, category)
      if ('error' in answer) return this.#ofRefusal(asked, answer, category)
      const wrong = contradictions(answer.value, 'category', category)
      const how = `${category}: ${wrong} of ${answer.value.received} are not`
      const expected = reference.assets.length - contradictions(reference, 'category', category)
      const lacks = isCandidate && expected > 0 && answer.value.received === 0
      const isSame = isUnchanged(reference, answer.value)
      if (wrong > 0 || lacks) return { effect: false, how, isIgnored: isSame }
      if (!isSame) return { effect: true, how }
    }
    const isTold = reference.assets.some((asset) => asset.asset_categories?.length === 1)
    return isTold
      ? { effect: false, how: 'the same assets for each category', isIgnored: true }
      : { effect: undefined, how: 'no asset is of one category alone' }
  }

  async #address(asked: Asked, of: (asset: Asset) => string | undefined): Promise<Judgement> {
    const { reference, meaning, isCandidate } = asked
    if (reference.received === 0) return nothingListed
    const odd = await this.#put(asked, nobody)
    if ('error' in odd && !isRefused(odd)) return ofError(odd, meaning)
    const real = reference.assets.map(of).find((each) => each !== undefined)
    if ('value' in odd) {
      const isIgnored = isUnchanged(reference, odd.value)
      const how = `an unused ${meaning}: ${isIgnored ? 'the same assets' : counted(odd.value.received)}`
      if (isIgnored || !isCandidate || real === undefined) {
        return { effect: !isIgnored, how, isIgnored }
      }
    }
    if (real === undefined) return this.#ofRefusal(asked, odd, `an unused ${meaning}`)
    const answer = await this.#put(asked, real)
    if ('error' in answer) return this.#ofRefusal(asked, answer, `its own ${meaning}`)
    const wrong = answer.value.assets.filter((asset) => differ(of(asset), real)).length
    const isRight = answer.value.received > 0 && wrong === 0
    const how = `its own ${meaning}: ${counted(answer.value.received)}, ${wrong} others`
    return { effect: isRight || !isCandidate, how }
  }

  // One asset further on: past the end some interfaces repeat their last page, and others count pages.
  async #offset(asked: Asked): Promise<Judgement> {
    const { reference } = asked
    if (reference.received < 2) return tooFew
    const one = await this.#put(asked, 1)
    if ('error' in one) return this.#ofRefusal(asked, one, '1 further on')
    const [, second] = reference.assets.map(identity)
    const [first] = one.value.assets.map(identity)
    if (first !== undefined && first === second) {
      return { effect: true, how: '1 further on: begins with the second' }
    }
    const two = await this.#put(asked, 2)
    if ('error' in two) return this.#ofRefusal(asked, two, '2 further on')
    const isSame = isUnchanged(reference, one.value)
    const isNextPage =
      (isSame || isDisjoint(reference, one.value)) && !isUnchanged(reference, two.value)
    if (isNextPage && isDisjoint(reference, two.value)) {
      return { effect: false, how: 'counts pages, not assets', countsPages: true }
    }
    if (!isSame) return { effect: false, how: '1 further on: other assets' }
    return this.#farOffset(asked)
  }

  // Where offsets are rounded down to whole pages a small one changes nothing.
  async #farOffset(asked: Asked): Promise<Judgement> {
    const { reference } = asked
    const far = await this.#put(asked, farOffset)
    if ('error' in far) return this.#ofRefusal(asked, far, 'past the end')
    const isIgnored = isUnchanged(reference, far.value)
    const how = `past the end: ${isIgnored ? 'the same assets' : counted(far.value.received)}`
    return { effect: !isIgnored, how, isIgnored }
  }

  async #limit(asked: Asked): Promise<Judgement> {
    const { reference } = asked
    if (reference.received < 2) return tooFew
    const answer = await this.#put(asked, 1)
    if ('error' in answer) return this.#ofRefusal(asked, answer, 'a limit of 1')
    const [, second] = reference.assets.map(identity)
    const [first] = answer.value.assets.map(identity)
    const { received } = answer.value
    return {
      effect: received === 1 && first !== second,
      how: `at most 1: ${counted(received)}`,
      isIgnored: isUnchanged(reference, answer.value),
    }
  }

  async #ordering(asked: Asked): Promise<Judgement> {
    if (asked.reference.received < 2) return tooFew
    let isIgnored = true
    for (const by of ['market_cap', 'volume_usd']) {
      const up = await this.#put(asked, `${by}_asc`)
      if ('error' in up) return this.#ofRefusal(asked, up, `${by}_asc`)
      const down = await this.#put(asked, `${by}_desc`)
      if ('error' in down) return this.#ofRefusal(asked, down, `${by}_desc`)
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

  /** Where the usual value is served, the name is known, and what is refused is the value. */
  async #ofRefusal(asked: Asked, answer: Answer<unknown>, what: string): Promise<Judgement> {
    const judgement = ofError(answer, what)
    const { meaning, names, isCandidate } = asked
    if (isCandidate || !isRefused(answer)) return judgement
    const isKnown = isBaseMeaning(meaning)
      ? 'value' in (await this.#list(meaning, names, ordinary(meaning, this.#inquiry.chain)))
      : !(await this.#inquiry.isStrict())
    return { ...judgement, effect: isKnown ? undefined : false }
  }
}

const nothingListed: Judgement = { effect: undefined, how: 'nothing is listed' }
const tooFew: Judgement = { effect: undefined, how: 'too few are listed' }

function ofError(answer: Answer<unknown>, what: string): Judgement {
  if ('value' in answer) return { effect: undefined, how: what }
  if (!isRefused(answer)) return { effect: undefined, how: answer.error.message }
  return { effect: false, how: `${what}: ${refusalOf(answer)}`, refused: answer }
}

/** What came instead of an answer, in a few words. */
export function refusalOf({ error, refusal }: NoAnswer): string {
  const said = saidIn(refusal)
  const status = error.status === undefined ? error.kind : `refused with ${error.status}`
  return said === '' ? status : `${status}: ${said}`
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
