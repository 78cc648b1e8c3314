import type { QueryNames } from '../api/query-names.ts'
import type { Inquiry } from './inquiry.ts'
import { type Answer, isRefused, type Probe } from './probe.ts'
import { baseMeanings, isOptionalMeaning, type Part, queryOf, without } from './question.ts'
import type { CallFinding } from './report.ts'

/** The parameters that the endpoints require, and in words what the bot can't be served with. */
export interface Requirements {
  calls: CallFinding[]
  advice: string[]
}

/** Undefined if that is not known. */
type Refuses = (parts: readonly Part[]) => Promise<boolean | undefined>

/**
 * Finds the parameters that each endpoint requires, by their names there. The bot sends all of them but those that the
 * document leaves optional and that have no neutral value.
 */
export async function requirements(
  inquiry: Inquiry,
  names: QueryNames,
  address: string | undefined,
): Promise<Requirements> {
  const { probe, base, alongSearch } = inquiry
  const usual = inquiry.around(baseMeanings)
  const optional = base.parts.filter(({ meaning }) => isOptionalMeaning(meaning))
  const ofList = await requiredOf([...usual, ...optional], async (parts) =>
    isRefusal(await probe.list(queryOf(parts))),
  )
  const list = told('/assets/', ofList)
  if (address === undefined) return list
  const around = without(usual, 'status', 'offset')
  const term: Part = { meaning: 'term', name: names.term, value: address }
  const ofSearch = await requiredOf([...around, ...alongSearch], async (parts) =>
    isRefusal(await probe.search(queryOf([...parts, term]))),
  )
  const ofAsset = await requiredOf(without(around, 'limit'), (parts) =>
    refusesAsset(probe, address, parts),
  )
  const all = [list, told('/assets/search', ofSearch), told('/assets/{address}', ofAsset)]
  return {
    calls: all.flatMap(({ calls }) => calls),
    advice: all.flatMap(({ advice }) => advice),
  }
}

function isRefusal(answer: Answer<unknown>): boolean | undefined {
  return 'error' in answer && !isRefused(answer) ? undefined : 'error' in answer
}

// "Not found" may only mean that the asset is on another chain than the one that it takes without a word.
async function refusesAsset(
  probe: Probe,
  address: string,
  parts: readonly Part[],
): Promise<boolean | undefined> {
  const answer = await probe.asset(address, queryOf(parts))
  if ('error' in answer && !isRefused(answer)) return undefined
  return 'error' in answer && answer.error.kind === 'invalid'
}

/** None if one of the answers that tell is not known. */
async function requiredOf(parts: readonly Part[], refuses: Refuses): Promise<Part[]> {
  // A refusal with all of them says nothing, and an endpoint that is served with none requires none.
  if ((await refuses(parts)) !== false || (await refuses([])) !== true) return []
  const required: Part[] = []
  for (const part of parts) {
    const isRequired = await refuses(parts.filter((each) => each !== part))
    if (isRequired === undefined) return []
    if (isRequired) required.push(part)
  }
  return required
}

function told(path: string, required: readonly Part[]): Requirements {
  if (required.length === 0) return { calls: [], advice: [] }
  const unsent = required.filter(({ meaning }) => isOptionalMeaning(meaning))
  const missing = listOf(unsent.map(({ name }) => name))
  const wanted = listOf(required.map(({ name }) => name))
  const detail = unsent.length === 0 ? wanted : `${wanted}; the bot can’t send ${missing}`
  const verdict = unsent.length === 0 ? 'well' : 'wrong'
  return {
    calls: [{ endpoint: `GET ${path} wants`, verdict, detail }],
    advice: unsent.length === 0 ? [] : [unserved(path, unsent, missing)],
  }
}

function unserved(path: string, unsent: readonly Part[], missing: string): string {
  const why = unsent.map(({ meaning }) =>
    meaning === 'ordering' ? 'no order means newest first' : 'no category means all of them',
  )
  const lost =
    path === '/assets/'
      ? 'lists and alerts of what is new do not work.'
      : 'nobody can search by name; an asset is still found by its address.'
  return (
    `GET ${path} refuses a question without ${missing}, which the document leaves optional. The bot can’t send it, as ` +
    `${listOf(why)}, and there is no setting for it. With this interface ${lost} Ask who runs it to make it optional.`
  )
}

function listOf(words: readonly string[]): string {
  return [...words.slice(0, -2), words.slice(-2).join(' and ')].join(', ')
}
