import { z } from 'zod'
import { ConnectionFault } from '../api/failure.ts'
import { parseCid } from './cid.ts'
import { kuboCommand } from './kubo.ts'
import type { Picture } from './picture.ts'
import { type UploadAnswer, Uploader, type UploadTarget } from './publish-upload.ts'
import { persistently } from './tries.ts'

/** A service that makes pictures public on IPFS, under the CID that they have already. */
export interface Publisher {
  readonly name: 'kubo' | 'pinata'
  /**
   * May be repeated: the same picture is published once.
   * @throws PublishError
   */
  publish(picture: Picture): Promise<void>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/**
 * `unavailable`: it may work later. `refused`: the operator has to put something right. `mismatch`: the service says
 * that it published something else.
 */
export type PublishErrorKind = 'unavailable' | 'refused' | 'mismatch'

/** Why a picture was not published. Its message is for the log, and holds neither address nor key. */
export class PublishError extends Error {
  override readonly name = 'PublishError'
  readonly kind: PublishErrorKind

  constructor(kind: PublishErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Milliseconds for a picture, with all tries. */
const usualDeadlineMs = 20_000
const maxRetries = 3

const addOptions = {
  'cid-version': '1',
  'raw-leaves': 'true',
  hash: 'sha2-256',
  // Named because a node may be set to cut files smaller than a picture, and that changes the CID.
  chunker: 'size-262144',
  pin: 'true',
}

/**
 * Publishes through the RPC of a Kubo node.
 * @param options.url http or https, with or without `/api/v0`; a name and password in it go as Basic authentication
 */
export function kuboPublisher(options: { url: string; deadlineMs?: number }): Publisher {
  const target = { ...kuboCommand(options.url, 'add', addOptions), fields: {} }
  return publisher('kubo', target, lastLineCid, options.deadlineMs)
}

/**
 * Publishes through Pinata's v3 files API; the key needs the right `org:files:write`.
 * @param options.apiRoot where uploads go, without `/v3`
 */
export function pinataPublisher(options: {
  jwt: string
  apiRoot?: string
  deadlineMs?: number
}): Publisher {
  const root = (options.apiRoot ?? 'https://uploads.pinata.cloud').replace(/\/+$/u, '')
  const target = {
    url: new URL(`${root}/v3/files`),
    headers: { authorization: `Bearer ${options.jwt}` },
    // Pinata keeps a file to its owner where nothing is said.
    fields: { network: 'public' },
  }
  return publisher('pinata', target, dataCid, options.deadlineMs)
}

function publisher(
  name: Publisher['name'],
  target: Omit<UploadTarget, 'patienceMs'>,
  readCid: (answer: string) => string | undefined,
  deadlineMs = usualDeadlineMs,
): Publisher {
  const uploader = new Uploader({ ...target, patienceMs: deadlineMs })
  return {
    name,
    async publish(picture) {
      // A second upload changes nothing.
      const answer = await persistently((signal) => once(name, uploader, picture, signal), {
        deadlineMs,
        maxRetries,
        mayPass: (error) =>
          error instanceof PublishError && error.kind === 'unavailable' && !uploader.closed,
        late: () => new PublishError('unavailable', `${name}: no answer before the deadline`),
      })
      const given = readCid(answer)
      if (given === undefined) {
        throw new PublishError('unavailable', `${name}: the answer names no CID`)
      }
      const published = parseCid(given)
      if (published !== picture.cid) {
        const other = published ?? 'something that is no CID'
        throw new PublishError('mismatch', `${name}: published ${picture.cid} as ${other}`)
      }
    },
    close: () => uploader.close(),
  }
}

async function once(
  name: string,
  uploader: Uploader,
  picture: Picture,
  signal: AbortSignal,
): Promise<string> {
  try {
    return acceptedText(name, await uploader.send(picture, signal))
  } catch (error) {
    if (!(error instanceof ConnectionFault)) throw error
    throw new PublishError('unavailable', `${name}: no answer (${error.code})`, { cause: error })
  }
}

function acceptedText(name: string, { status, text, broke }: UploadAnswer): string {
  if (broke) throw new PublishError('unavailable', `${name}: failed while it answered`)
  if (status >= 200 && status < 300) return text
  const mayPass = status >= 500 || status === 429 || status === 408
  throw new PublishError(mayPass ? 'unavailable' : 'refused', `${name}: answered ${status}`)
}

const kuboLine = z.object({ Hash: z.string() })

/** Kubo answers with a line of JSON for each thing added, the outermost last. */
function lastLineCid(answer: string): string | undefined {
  return kuboLine.safeParse(parseJson(answer.trim().split('\n').at(-1) ?? '')).data?.Hash
}

const pinataAnswer = z.object({ data: z.object({ cid: z.string() }) })

function dataCid(answer: string): string | undefined {
  return pinataAnswer.safeParse(parseJson(answer)).data?.data.cid
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
