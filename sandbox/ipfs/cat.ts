import { CID } from 'multiformats/cid'

export interface CatOptions {
  cid: CID
  offset: number
  length: number | undefined
  timeoutMs: number | undefined
}

/** What Kubo makes of the query of `cat`. */
export type CatRequest =
  | ({ kind: 'asked' } & CatOptions)
  /** Refused before the command is looked at: 400 with plain text. */
  | { kind: 'malformed'; message: string }
  /** Refused by the command: 500 with JSON. */
  | { kind: 'refused'; message: string }
  /** An empty answer with 200: what Kubo gives where it can't read the timeout. */
  | { kind: 'nothing' }

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function catOptions(query: URLSearchParams): CatRequest {
  const [path, ...others] = query.getAll('arg')
  if (path === undefined) return malformed('argument "ipfs-path" is required')
  if (others.length > 0) return malformed('sandbox: one path at a time, please')
  for (const name of ['offset', 'length']) {
    const given = query.get(name)
    if (given === null || /^[+-]?\d{1,15}$/u.test(given)) continue
    return malformed(`could not convert value "${given}" to type "int64" (for option "-${name}")`)
  }
  const timeout = query.get('timeout')
  const timeoutMs = timeout === null ? undefined : durationMs(timeout)
  if (timeout !== null && timeoutMs === undefined) return { kind: 'nothing' }
  const offset = Number(query.get('offset') ?? 0)
  if (offset < 0) return refused('cannot specify negative offset')
  const length = query.has('length') ? Number(query.get('length')) : undefined
  if (length !== undefined && length < 0) return refused('cannot specify negative length')
  const cid = cidIn(path)
  if (typeof cid === 'string') return refused(cid)
  return { kind: 'asked', cid, offset, length, timeoutMs }
}

/** What a path names, or what is wrong with it: here no folder has anything in it. */
function cidIn(path: string): CID | string {
  const [root = '', ...inside] = path.replace(/^\/ipfs\//u, '').split('/')
  const cid = read(root)
  if (!cid) return `invalid path ${JSON.stringify(path)}: invalid cid`
  return inside.length === 0 ? cid : `no link named ${JSON.stringify(inside[0])} under ${root}`
}

/** A duration as Go writes it, such as 1m30s. */
function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(?<count>\d+(?:\.\d+)?)(?<unit>ms|s|m|h)/gu)]
  if (text === '' || parts.map(([part]) => part).join('') !== text) return undefined
  return parts
    .map(({ groups }) => Number(groups?.count) * (milliseconds[groups?.unit ?? ''] ?? 0))
    .reduce((sum, each) => sum + each, 0)
}

const malformed = (message: string): CatRequest => ({ kind: 'malformed', message })
const refused = (message: string): CatRequest => ({ kind: 'refused', message })

function read(text: string): CID | undefined {
  try {
    return CID.parse(text)
  } catch {
    return undefined
  }
}
