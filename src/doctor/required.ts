import type { Inquiry } from './inquiry.ts'
import { isRefused, type Probe } from './probe.ts'
import { baseMeanings, type Part, queryOf, without } from './question.ts'
import type { CallFinding } from './report.ts'

/** The parameters that each endpoint requires, by their names there. The bot sends all of them. */
export async function requirements(
  inquiry: Inquiry,
  termName: string,
  address: string | undefined,
): Promise<CallFinding[]> {
  const { probe } = inquiry
  const findings: CallFinding[] = []
  const list = inquiry.around(baseMeanings)
  const ofList = await requiredOf(list, async (parts) =>
    isRefused(await probe.list(queryOf(parts))),
  )
  findings.push(...finding('GET /assets/ wants', ofList))
  if (address === undefined) return findings
  const around = without(list, 'status', 'offset')
  const term: Part = { meaning: 'term', name: termName, value: address }
  const ofSearch = await requiredOf(around, async (parts) =>
    isRefused(await probe.search(queryOf([...parts, term]))),
  )
  findings.push(...finding('GET /assets/search wants', ofSearch))
  const ofAsset = await requiredOf(without(around, 'limit'), (parts) =>
    refusesAsset(probe, address, parts),
  )
  return [...findings, ...finding('GET /assets/{address} wants', ofAsset)]
}

// "Not found" may only mean that the asset is on another chain than the one that it takes without a word.
async function refusesAsset(
  probe: Probe,
  address: string,
  parts: readonly Part[],
): Promise<boolean> {
  const answer = await probe.asset(address, queryOf(parts))
  return 'error' in answer && answer.error.kind === 'invalid'
}

async function requiredOf(
  parts: readonly Part[],
  refuses: (parts: readonly Part[]) => Promise<boolean>,
): Promise<string[]> {
  // A refusal with all of them says nothing, and an endpoint that is served with none requires none.
  if ((await refuses(parts)) || !(await refuses([]))) return []
  const required: string[] = []
  for (const part of parts) {
    if (await refuses(parts.filter((each) => each !== part))) required.push(part.name)
  }
  return required
}

function finding(endpoint: string, names: readonly string[]): CallFinding[] {
  if (names.length === 0) return []
  const last = names.slice(-2).join(' and ')
  const detail = [...names.slice(0, -2), last].join(', ')
  return [{ endpoint, verdict: 'well', detail }]
}
