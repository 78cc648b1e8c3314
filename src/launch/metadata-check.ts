import type { TokenMetadata } from '../api/requests.ts'
import { plain } from '../chain/airlock/plain.ts'
import { parseCid } from './cid.ts'
import { IpfsReadError } from './ipfs-block.ts'
import type { IpfsReader } from './ipfs-read.ts'
import { type Difference, differences } from './metadata-fields.ts'
import { readJsonObject } from './strict-json.ts'

/** Whether what stands under the token URI, for everybody and for ever, is what was typed. Its texts are for people. */
export type MetadataCheck =
  | { kind: 'same' }
  /** What stands there is another document: each field in which it differs, at least one. */
  | { kind: 'different'; fields: readonly Difference[] }
  /** Nobody knows what stands there. `why` goes on from "not checked: ". */
  | { kind: 'not checked'; why: string }

/** More than all answers together can be. */
const maxBytes = 64 * 1024
const defaultDeadlineMs = 10_000

const reasons: Record<IpfsReadError['kind'], (name: string) => string> = {
  unavailable: (name) => `the ${name} did not give it in time`,
  'too large': (name) => `what the ${name} gave is larger than ${maxBytes / 1024} KiB`,
  refused: (name) => `the ${name} can’t or won’t give it`,
  'other bytes': (name) => `the ${name} gave other bytes than the CID names`,
  'no file': () => 'the CID does not name a file',
}

/**
 * Reads what a token URI names and compares it with what was uploaded. What goes wrong outside is a result, no error.
 * @param reader undefined where the operator set up nothing to read from
 * @param uri with or without `ipfs://`
 */
export async function checkMetadata(
  reader: IpfsReader | undefined,
  uri: string,
  typed: TokenMetadata,
  { deadlineMs = defaultDeadlineMs } = {},
): Promise<MetadataCheck> {
  if (!reader) return notChecked('this bot has nothing to read IPFS with')
  const link = parseCid(uri)
  if (link === undefined) return notChecked(`${plain(uri)} names no file on IPFS`)
  try {
    return compared(await reader.read(link, { maxBytes, deadlineMs }), typed)
  } catch (error) {
    if (!(error instanceof IpfsReadError)) throw error
    return notChecked(reasons[error.kind](reader.name))
  }
}

function compared(bytes: Uint8Array, typed: TokenMetadata): MetadataCheck {
  const read = readJsonObject(bytes)
  const fields =
    read.kind === 'object'
      ? differences(typed, read.members)
      : [{ name: 'all of it', typed: 'the token’s metadata', found: read.why }]
  return fields.length === 0 ? { kind: 'same' } : { kind: 'different', fields }
}

function notChecked(why: string): MetadataCheck {
  return { kind: 'not checked', why }
}
