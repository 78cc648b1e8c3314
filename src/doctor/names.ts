import type { ReadAssets } from '../api/answers.ts'
import { type Asked, contradiction, sameListing } from '../api/guard.ts'
import { type QueryMeaning, type QueryNames, queryMeanings } from '../api/query-names.ts'
import { categories, maxLimit } from '../api/requests.ts'
import type { Asset } from '../api/schema.ts'
import type { Query } from '../api/transport.ts'
import type { Answer, Probe } from './probe.ts'
import type { NameFinding } from './report.ts'

interface Judgement {
  effect: boolean | undefined
  how: string
}

/** What the judging of query names rests on. */
export interface Ground {
  probe: Probe
  names: QueryNames
  /** The chains of the operator; all but one judgement use the first. */
  chains: readonly [number, ...number[]]
  /** The listing without any filter. */
  base: ReadAssets
}

/** No chain has this id, the largest that fits a signed 32-bit column. */
const noChain = 2_147_483_647
const nobody = '0x00000000000000000000000000000000000f00d5'
const farOffset = 1_000_000

/** Other names under which interfaces are known to take the same parameter, likeliest first. */
export const otherNames: Record<QueryMeaning, readonly string[]> = {
  chain: ['chainId', 'chain_id', 'chain', 'chainID', 'network'],
  status: ['status', 'asset_status', 'assetStatus', 'state'],
  limit: ['limit', 'page_size', 'pageSize', 'per_page', 'take', 'first'],
  offset: ['offset', 'skip', 'start', 'from'],
  ordering: ['ordering', 'order', 'orderBy', 'order_by', 'sort', 'sortBy', 'sort_by'],
  numeraire: ['numeraire', 'numeraireAddress', 'numeraire_address', 'quoteToken', 'quote_token'],
  category: ['category', 'categories', 'asset_category'],
  creator: ['creator', 'creatorAddress', 'creator_address', 'userAddress', 'user_address'],
  term: ['term', 'q', 'query', 'search', 'searchTerm', 'search_term', 'keyword'],
}

/** Judges every query name by the difference that it makes, and looks for another where it makes none. */
export async function judgeNames(ground: Ground): Promise<NameFinding[]> {
  const findings: NameFinding[] = []
  const strict = await refusesUnknownNames(ground)
  const judge = new Judge(ground, strict)
  for (const meaning of queryMeanings) {
    findings.push(await judgeName(judge, meaning, ground.names))
  }
  return findings
}

async function judgeName(
  judge: Judge,
  meaning: QueryMeaning,
  names: QueryNames,
): Promise<NameFinding> {
  const name = names[meaning]
  const { effect, how } = await judge.judge(meaning, name)
  if (effect === undefined) return { meaning, name, verdict: 'unknown', detail: how }
  if (effect) return { meaning, name, verdict: 'well', detail: how }
  const better = await firstThatWorks(judge, meaning, names)
  return { meaning, name, verdict: 'wrong', detail: how, ...(better !== undefined && { better }) }
}

async function firstThatWorks(
  judge: Judge,
  meaning: QueryMeaning,
  names: QueryNames,
): Promise<string | undefined> {
  const taken = new Set(Object.values(names))
  for (const candidate of otherNames[meaning]) {
    if (taken.has(candidate)) continue
    if ((await judge.judge(meaning, candidate)).effect) return candidate
  }
  return undefined
}

// Where any unknown name is refused, a refusal says nothing about the value.
async function refusesUnknownNames({ probe, names, chains }: Ground): Promise<boolean> {
  return isRefused(await probe.list({ [names.chain]: chains[0], gavelDoctor: 'x' }))
}

class Judge {
  readonly #ground: Ground
  readonly #strict: boolean

  constructor(ground: Ground, strict: boolean) {
    this.#ground = ground
    this.#strict = strict
  }

  judge(meaning: QueryMeaning, name: string): Promise<Judgement> {
    switch (meaning) {
      case 'chain':
        return this.#chain(name)
      case 'status':
        return this.#filter(name, 'status', ['graduated', 'live', 'incoming'])
      case 'category':
        return this.#filter(name, 'category', categories)
      case 'numeraire':
      case 'creator':
        return this.#impossible(name, nobody, `an unused ${meaning}`)
      case 'offset':
        return this.#impossible(name, farOffset, 'past the end')
      case 'limit':
        return this.#limit(name)
      case 'ordering':
        return this.#ordering(name)
      case 'term':
        return this.#term(name)
    }
  }

  #list(name: string, value: string | number): Promise<Answer<ReadAssets>> {
    const { probe, names, chains } = this.#ground
    return probe.list({ [names.chain]: chains[0], [names.limit]: maxLimit, [name]: value })
  }

  async #impossible(name: string, value: string | number, what: string): Promise<Judgement> {
    const { assets } = this.#ground.base
    if (assets.length === 0) return { effect: undefined, how: 'nothing is listed' }
    const answer = await this.#list(name, value)
    if ('error' in answer) return this.#ofError(answer, what)
    const same = sameListing(assets, answer.value.assets)
    return {
      effect: !same,
      how: `${what}: ${same ? 'the same assets' : counted(answer.value.received)}`,
    }
  }

  // An interface that falls back to a known chain for an unknown one still minds the known ones.
  async #chain(name: string): Promise<Judgement> {
    const judgement = await this.#impossible(name, noChain, 'an unused chain')
    const [, other] = this.#ground.chains
    if (judgement.effect !== false || other === undefined) return judgement
    const answer = await this.#list(name, other)
    if ('error' in answer) return judgement
    const { assets } = this.#ground.base
    if (answer.value.received === 0 || sameListing(assets, answer.value.assets)) return judgement
    return { effect: true, how: `chain ${other}: other assets` }
  }

  async #filter(
    name: string,
    meaning: 'status' | 'category',
    values: readonly string[],
  ): Promise<Judgement> {
    const { assets } = this.#ground.base
    const value = values.find((candidate) => contradicting(assets, { [meaning]: candidate }) > 0)
    if (value === undefined) return { effect: undefined, how: `all alike in ${meaning}` }
    const answer = await this.#list(name, value)
    if ('error' in answer) return this.#ofError(answer, value)
    const wrong = contradicting(answer.value.assets, { [meaning]: value })
    return { effect: wrong === 0, how: `${value}: ${wrong} of ${answer.value.received} are not` }
  }

  async #limit(name: string): Promise<Judgement> {
    if (this.#ground.base.received < 2) return { effect: undefined, how: 'too few are listed' }
    const { probe, names, chains } = this.#ground
    const answer = await probe.list({ [names.chain]: chains[0], [name]: 1 })
    if ('error' in answer) return this.#ofError(answer, 'a limit of 1')
    return {
      effect: answer.value.received <= 1,
      how: `at most 1: ${counted(answer.value.received)}`,
    }
  }

  async #ordering(name: string): Promise<Judgement> {
    if (this.#ground.base.received < 2) return { effect: undefined, how: 'too few are listed' }
    const up = await this.#list(name, 'market_cap_asc')
    if ('error' in up) return this.#ofError(up, 'market_cap_asc')
    const down = await this.#list(name, 'market_cap_desc')
    if ('error' in down) return this.#ofError(down, 'market_cap_desc')
    const same = up.value.assets[0]?.asset_address === down.value.assets[0]?.asset_address
    return { effect: !same, how: `up and down: ${same ? 'the same' : 'different'}` }
  }

  async #term(name: string): Promise<Judgement> {
    const [sample] = this.#ground.base.assets
    if (!sample) return { effect: undefined, how: 'nothing is listed' }
    const { probe, names, chains } = this.#ground
    const query: Query = { [names.chain]: chains[0], [name]: sample.asset_address }
    const answer = await probe.search(query)
    // Unlike a filter, a search without its term may well be refused.
    if (isRefused(answer)) return { effect: false, how: 'refused, as if without a term' }
    if ('error' in answer) return this.#ofError(answer, 'a term')
    const { assets, received } = answer.value
    const wrong = contradicting(assets, { term: sample.asset_address })
    return {
      effect: assets.length > 0 && wrong === 0,
      how: `an address: ${counted(received)}, ${wrong} others`,
    }
  }

  #ofError(answer: Answer<unknown> & { error: Error }, what: string): Judgement {
    if (!isRefused(answer)) return { effect: undefined, how: answer.error.message }
    return { effect: !this.#strict, how: `${what}: refused` }
  }
}

function isRefused(answer: Answer<unknown>): boolean {
  return 'error' in answer && ['invalid', 'not-found'].includes(answer.error.kind)
}

function contradicting(assets: readonly Asset[], asked: Asked): number {
  return assets.filter((asset) => contradiction(asset, asked) !== undefined).length
}

function counted(count: number): string {
  return count === 0 ? 'none' : `${count} listed`
}
