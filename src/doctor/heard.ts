import { isQueryName, type QueryMeaning } from '../api/query-names.ts'
import { meaningOf, otherNames } from './other-names.ts'
import type { NoAnswer } from './probe.ts'
import type { Part } from './question.ts'
import { namedIn } from './refusal.ts'

/** The names in a refusal, by what it says about them. */
export interface Hint {
  /** Parameters of the question that it speaks of. */
  blamed: string[]
  /** Names that the question did not have, by what they seem to mean. */
  wanted: { meaning: QueryMeaning; name: string }[]
  /** Names that the question did not have, and that say nothing of what they mean. */
  strangers: string[]
}

const maxLoose = 12

/** Remembers the names that refusals spoke of, as far as API_QUERY_NAMES could hold them: they are a stranger's words. */
export class Heard {
  readonly #byMeaning = new Map<QueryMeaning, Set<string>>()
  readonly #loose = new Set<string>()

  hear(parts: readonly Part[], { refusal }: NoAnswer): Hint {
    const sent = new Set(parts.map(({ name }) => name))
    const { named, offered, others } = namedIn(refusal)
    const unsent = [...named, ...offered].filter((name) => !sent.has(name) && isQueryName(name))
    const wanted = unsent.flatMap((name) => withMeaning(name, meaningOf(name)))
    for (const { meaning, name } of wanted) this.#names(meaning).add(name)
    const strangers = unsent.filter((name) => meaningOf(name) === undefined)
    for (const name of strangers) this.#loose.add(name)
    const blamed = named.filter((name) => sent.has(name) && !offered.includes(name))
    if (blamed.length > 0 || wanted.length > 0) return { blamed, wanted, strangers }
    // Any word may be meant, if it is a name that some interface has.
    return {
      blamed: others.filter((name) => sent.has(name)),
      wanted: others
        .filter((name) => !sent.has(name))
        .flatMap((name) => withMeaning(name, exactMeaning(name))),
      strangers,
    }
  }

  /** Names to try for this: what was heard, then what interfaces are known to say. */
  candidates(meaning: QueryMeaning): string[] {
    return [...new Set([...this.#names(meaning), ...otherNames[meaning]])]
  }

  /** Names that say nothing of what they mean, at most so many. */
  loose(): string[] {
    return [...this.#loose].slice(0, maxLoose)
  }

  #names(meaning: QueryMeaning): Set<string> {
    const names = this.#byMeaning.get(meaning) ?? new Set()
    this.#byMeaning.set(meaning, names)
    return names
  }
}

function withMeaning(name: string, meaning: QueryMeaning | undefined) {
  return meaning === undefined ? [] : [{ meaning, name }]
}

function exactMeaning(name: string): QueryMeaning | undefined {
  const meaning = meaningOf(name)
  return meaning && otherNames[meaning].includes(name) ? meaning : undefined
}
