import * as dagPb from '@ipld/dag-pb'
import { UnixFS } from 'ipfs-unixfs'
import { equals } from 'multiformats/bytes'
import type { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256, sha512 } from 'multiformats/hashes/sha2'

/**
 * `unavailable`: nobody has it, or not in time; it may work later. `too large`: longer than was allowed, or in several
 * blocks. `refused`: it can't be had this way. `other bytes`: what came does not hash to the CID. `no file`: the CID
 * names something else than a file.
 */
export type IpfsReadErrorKind = 'unavailable' | 'too large' | 'refused' | 'other bytes' | 'no file'

/** Why something was not read from IPFS. Its message is for the log, and holds neither address nor key. */
export class IpfsReadError extends Error {
  override readonly name = 'IpfsReadError'
  readonly kind: IpfsReadErrorKind

  constructor(kind: IpfsReadErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** How many bytes a block may have beside those of the file in it. */
export const maxWrapping = 1024

/** Whether a block hashes to the CID; undefined for a hash that can't be computed here. */
export async function isBlockOf(cid: CID, block: Uint8Array): Promise<boolean | undefined> {
  const { code, digest } = cid.multihash
  const hasher = [sha256, sha512].find((each) => each.code === code)
  const computed = (await hasher?.digest(block))?.digest
  return computed?.length === digest.length ? equals(computed, digest) : undefined
}

/**
 * The file that a block holds as a whole.
 * @throws IpfsReadError `too large` where the file goes on in other blocks, `no file` where there is none
 */
export function fileInBlock(cid: CID, block: Uint8Array): Uint8Array {
  if (cid.code === raw.code) return block
  const { node, file } = decode(block)
  if (file.type !== 'file' && file.type !== 'raw') {
    throw new IpfsReadError('no file', `the CID names a ${file.type}`)
  }
  if (node.Links.length > 0 || file.blockSizes.length > 0) {
    throw new IpfsReadError('too large', 'the file is in several blocks')
  }
  return file.data ?? new Uint8Array()
}

function decode(block: Uint8Array): { node: dagPb.PBNode; file: UnixFS } {
  try {
    const node = dagPb.decode(block)
    if (!node.Data) throw new TypeError('a node without data')
    return { node, file: UnixFS.unmarshal(node.Data) }
  } catch (cause) {
    throw new IpfsReadError('no file', 'the block is no part of a file', { cause })
  }
}
