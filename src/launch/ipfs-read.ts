import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { Agent } from 'undici'
import { z } from 'zod'
import { ConnectionFault } from '../api/failure.ts'
import { fileInBlock, IpfsReadError, isBlockOf, maxWrapping } from './ipfs-block.ts'
import { kuboCommand } from './kubo.ts'
import { persistently } from './tries.ts'

/** Reads small files from IPFS, and gives only what the CID names. */
export interface IpfsReader {
  /** In a person's words. */
  readonly name: 'Kubo node' | 'gateway'
  /**
   * The whole file. What was just put on IPFS takes a while to be found: it is tried again until the deadline.
   * @param link as `parseCid` gives it
   * @throws IpfsReadError
   */
  read(link: string, limits: ReadLimits): Promise<Uint8Array>
  /** Ends what is under way. */
  close(): Promise<void>
}

export interface ReadLimits {
  maxBytes: number
  /** Milliseconds, with all tries. */
  deadlineMs: number
}

interface Question {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  maxBytes: number
  signal: AbortSignal
}

interface Answer {
  status: number
  location: string | undefined
  /** Undefined where there are more than were allowed. */
  bytes: Uint8Array | undefined
  /** It began to answer, and then said that it failed: Kubo's way, in a trailer. */
  broke: boolean
}

type Ask = (question: Question) => Promise<Answer>
type ReadOnce = (
  ask: Ask,
  link: string,
  limits: ReadLimits,
  signal: AbortSignal,
) => Promise<Uint8Array>

const maxRetries = 5

/**
 * Reads through the RPC of one's own Kubo node, whose word counts: it verifies what it gets from others.
 * @param options.url http or https, with or without `/api/v0`; a name and password in it go as Basic authentication
 */
export function kuboReader({ url }: { url: string }): IpfsReader {
  return reader('Kubo node', async (ask, link, { maxBytes, deadlineMs }, signal) => {
    const options = {
      arg: `/ipfs/${decodeURIComponent(link)}`,
      // One more shows that there is more.
      length: String(maxBytes + 1),
      // Without it the node looks for what nobody has until the caller goes.
      timeout: `${deadlineMs}ms`,
    }
    const target = kuboCommand(url, 'cat', options)
    const answer = await ask({ ...target, method: 'POST', maxBytes, signal })
    if (answer.broke) throw new IpfsReadError('unavailable', 'Kubo: failed while it answered')
    const bytes = bytesOf('Kubo', answer, kuboKind(answer))
    const cid = CID.parse(link.split('/', 1).join())
    if (cid.code === raw.code && (await isBlockOf(cid, bytes)) === false) throw otherBytes('Kubo')
    return bytes
  })
}

/**
 * Reads through an HTTP gateway, whose word does not count: it is asked for the block, which must hash to the CID.
 * @param options.url with a path where it has one, without a slash at the end
 */
export function gatewayReader({ url }: { url: string }): IpfsReader {
  const headers = { accept: 'application/vnd.ipld.raw' }
  return reader('gateway', async (ask, link, { maxBytes }, signal) => {
    // Each folder on the way to a file would be a block of its own.
    if (link.includes('/')) throw new IpfsReadError('refused', 'gateway: a file in a folder')
    const cid = CID.parse(link)
    const path = new URL(`${url}/ipfs/${cid}?format=raw`)
    const question = { method: 'GET', headers, maxBytes: maxBytes + maxWrapping, signal } as const
    const first = await ask({ ...question, url: path })
    const host = ownHost(first, path, cid)
    const answer = host ? await ask({ ...question, url: host }) : first
    const block = bytesOf('gateway', answer, gatewayKind(answer.status))
    const isRight = await isBlockOf(cid, block)
    if (isRight === undefined) throw new IpfsReadError('refused', 'gateway: a hash unknown here')
    if (!isRight) throw otherBytes('gateway')
    const file = fileInBlock(cid, block)
    if (file.length > maxBytes)
      throw new IpfsReadError('too large', 'gateway: the file is too large')
    return file
  })
}

function otherBytes(who: string): IpfsReadError {
  return new IpfsReadError('other bytes', `${who}: the bytes do not hash to the CID`)
}

/** The host of its own that gateways have for a CID, where they redirect to just that. */
function ownHost({ status, location }: Answer, asked: URL, cid: CID): URL | undefined {
  if (status < 300 || status >= 400 || location === undefined) return undefined
  // There is none below the number of a host.
  const own = URL.parse(`${asked.protocol}//${cid}.ipfs.${asked.host}/?format=raw`)
  return own && URL.parse(location, asked.href)?.origin === own.origin ? own : undefined
}

/** @throws IpfsReadError for any status but 200, and for too many bytes */
function bytesOf(who: string, { status, bytes }: Answer, kind: IpfsReadError['kind']): Uint8Array {
  if (status !== 200) throw new IpfsReadError(kind, `${who}: answered ${status}`)
  if (!bytes) throw new IpfsReadError('too large', `${who}: the answer is too large`)
  return bytes
}

const kuboRefusal = z.object({ Message: z.string() })

/** Kubo answers 500 to whatever it can't do. */
function kuboKind({ status, bytes }: Answer): IpfsReadError['kind'] {
  const told = kuboRefusal.safeParse(parseJson(bytes)).data?.Message ?? ''
  if (/is a directory/u.test(told)) return 'no file'
  return status >= 500 || status === 408 || status === 429 ? 'unavailable' : 'refused'
}

/** What is not found may be found in a moment. */
function gatewayKind(status: number): IpfsReadError['kind'] {
  return status >= 500 || [404, 408, 425, 429].includes(status) ? 'unavailable' : 'refused'
}

function reader(name: IpfsReader['name'], once: ReadOnce): IpfsReader {
  const agent = new Agent({ connections: 4, connect: { timeout: 5000, lookup: lookUp } })
  const ask: Ask = (question) => askOnce(agent, question)
  const mayPass = (error: unknown) =>
    error instanceof IpfsReadError && error.kind === 'unavailable' && !agent.destroyed
  return {
    name,
    read: (link, limits) =>
      persistently((signal) => once(ask, link, limits, signal), {
        deadlineMs: limits.deadlineMs,
        maxRetries,
        mayPass,
        late: () => new IpfsReadError('unavailable', `${name}: no answer before the deadline`),
      }),
    close: () => agent.destroy(),
  }
}

/** Follows no redirect. @throws IpfsReadError where no answer came */
async function askOnce(
  agent: Agent,
  { method, url, headers, maxBytes, signal }: Question,
): Promise<Answer> {
  try {
    const path = `${url.pathname}${url.search}`
    const answer = await agent.request({ origin: url.origin, path, method, headers, signal })
    const { location } = answer.headers
    const bytes = await upTo(maxBytes, answer.body)
    return {
      status: answer.statusCode,
      location: typeof location === 'string' ? location : undefined,
      bytes,
      broke: answer.trailers['x-stream-error'] !== undefined,
    }
  } catch (error) {
    const cause = new ConnectionFault(error)
    throw new IpfsReadError('unavailable', `no answer (${cause.code})`, { cause })
  }
}

/** All bytes; undefined, and no more is read, where there are too many. */
async function upTo(
  most: number,
  body: AsyncIterable<Uint8Array>,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let count = 0
  for await (const part of body) {
    count += part.length
    if (count > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

// A gateway on this machine has hosts below localhost, which few resolvers know.
const lookUp: LookupFunction = (host, options, done) =>
  lookup(host.endsWith('.localhost') ? 'localhost' : host, options, done)

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(bytes ?? []).toString())
  } catch {
    return undefined
  }
}
