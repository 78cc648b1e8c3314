import type { ReadAssets } from '../api/answers.ts'
import type { QueryMeaning, QueryNames } from '../api/query-names.ts'
import { type Base, everyName } from './base.ts'
import type { Heard } from './heard.ts'
import { type Answer, isRefused, type NoAnswer, type Probe } from './probe.ts'
import {
  type AskableMeaning,
  type BaseMeaning,
  baseMeanings,
  isBaseMeaning,
  ordinary,
  type Part,
  partsOf,
  queryOf,
  without,
} from './question.ts'

/** Puts single parameters to the interface, with all around them that it requires. */
export class Inquiry {
  readonly probe: Probe
  readonly heard: Heard
  readonly chain: number
  readonly #names: QueryNames
  #base: Base
  #strict: boolean | undefined
  #alongSearch: readonly Part[] = []

  constructor({
    probe,
    heard,
    chain,
    names,
    base,
  }: {
    probe: Probe
    heard: Heard
    chain: number
    names: QueryNames
    base: Base
  }) {
    this.probe = probe
    this.heard = heard
    this.chain = chain
    this.#names = names
    this.#base = base
  }

  get base(): Base {
    return this.#base
  }

  /** Asks about another chain in the same way; gives the failure if it can't be listed. */
  async on(chain: number): Promise<Inquiry | NoAnswer> {
    const parts = this.#base.parts.map((part) =>
      part.meaning === 'chain' ? { ...part, value: chain } : part,
    )
    const answer = await this.probe.list(queryOf(parts))
    if ('error' in answer) return answer
    const base = { parts, answer: answer.value }
    return new Inquiry({ probe: this.probe, heard: this.heard, chain, names: this.#names, base })
  }

  /** Whether any unknown name is refused, so that a refusal says nothing about a value. */
  async isStrict(): Promise<boolean> {
    const query = { ...queryOf(this.#base.parts), gavelDoctor: 'x' }
    this.#strict ??= isRefused(await this.probe.list(query))
    return this.#strict
  }

  /** Lists with these in place of whatever the base question has for the same; or without it. */
  async list(meaning: QueryMeaning, own: readonly Part[]): Promise<Answer<ReadAssets>> {
    const ask = (parts: readonly Part[]) => this.probe.list(queryOf(parts))
    return this.#ask(meaning, [...without(this.#base.parts, meaning), ...own], ask)
  }

  /** What a search is asked with beyond what the bot sends: a category, where nothing is found without one. */
  get alongSearch(): readonly Part[] {
    return this.#alongSearch
  }

  /** From here on searches with the category of the first asset, under these names; with none if there are none. */
  searchInCategory(names: readonly string[]): void {
    const own = this.#base.answer.assets[0]?.asset_categories?.[0]
    const value = own ?? ordinary('category', this.chain)
    this.#alongSearch = names.map((name) => ({ meaning: 'category', name, value }))
  }

  /** Whether the question for all assets has this: it is required, or the operator has it so. */
  has(meaning: QueryMeaning): boolean {
    return this.#base.parts.some((part) => part.meaning === meaning)
  }

  /** Searches with these, and with chain and limit, as the bot does. */
  async search(term: readonly Part[]): Promise<Answer<ReadAssets>> {
    const own = [...term, ...this.#alongSearch]
    const ask = (parts: readonly Part[]) => this.probe.search(queryOf(parts))
    let last: Answer<ReadAssets> | undefined
    for (const around of [this.around(), this.around(['chain']), []]) {
      last = await this.#ask('term', [...around, ...own], ask, ['chain', 'limit'])
      if (!isRefused(last)) return last
    }
    return last ?? ask(own)
  }

  /** The parameters sent along, under the names that are known to work, or else the operator's. */
  around(meanings: readonly AskableMeaning[] = ['chain', 'limit']): Part[] {
    return meanings.flatMap((meaning) => {
      const known = this.#base.parts.filter((part) => part.meaning === meaning)
      return known.length > 0 ? known : partsOf(this.#names, this.chain, [meaning])
    })
  }

  /** From here on asks with this one name for its meaning, or with none, if the interface answers that, too. */
  async settle(meaning: AskableMeaning, name: string | undefined): Promise<void> {
    const value = ordinary(meaning, this.chain)
    const own = name === undefined ? [] : [{ meaning, name, value }]
    const parts = [...without(this.#base.parts, meaning), ...own]
    const answer = await this.probe.list(queryOf(parts))
    if ('error' in answer) return
    if (answer.value.received > 0 || this.#base.answer.received === 0) {
      this.#base = { parts, answer: answer.value }
    }
  }

  /** Looks for two that are taken only together; from here on asks with both, if any two are. */
  async settlePair(pairs: readonly (readonly Part[])[]): Promise<void> {
    for (const pair of pairs) {
      const parts = [...without(this.#base.parts, ...pair.map(({ meaning }) => meaning)), ...pair]
      const answer = await this.probe.list(queryOf(parts))
      if ('error' in answer || answer.value.received === 0) continue
      this.#base = { parts, answer: answer.value }
      return
    }
  }

  // Names that refusals miss are added; if unknown names do no harm, all that could be missing are.
  async #ask(
    meaning: QueryMeaning,
    from: readonly Part[],
    ask: (parts: readonly Part[]) => Promise<Answer<ReadAssets>>,
    mayAdd: readonly BaseMeaning[] = baseMeanings,
  ): Promise<Answer<ReadAssets>> {
    const first = await ask(from)
    let parts = from
    let refused: Answer<ReadAssets> = first
    // It ends: each time a parameter comes that was not there.
    while (isRefused(refused)) {
      const added = this.#missing(parts, refused, meaning, mayAdd)
      if (added.length === 0) break
      parts = [...parts, ...added]
      refused = await ask(parts)
    }
    if (!isRefused(refused) || (await this.isStrict())) return isRefused(refused) ? first : refused
    const absent = mayAdd.filter(
      (each) => each !== meaning && !from.some((part) => part.meaning === each),
    )
    if (absent.length === 0) return first
    const last = await ask([...everyName(this.chain, absent), ...from])
    return isRefused(last) ? first : last
  }

  #missing(
    parts: readonly Part[],
    refused: NoAnswer,
    asked: QueryMeaning,
    mayAdd: readonly BaseMeaning[],
  ): Part[] {
    const { wanted } = this.heard.hear(parts, refused)
    return wanted.flatMap(({ meaning, name }) => {
      const isThere = meaning === asked || parts.some((part) => part.meaning === meaning)
      if (isThere || !isBaseMeaning(meaning) || !mayAdd.includes(meaning)) return []
      return [{ meaning, name, value: ordinary(meaning, this.chain) }]
    })
  }
}
