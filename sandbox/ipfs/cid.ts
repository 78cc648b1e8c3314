import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import * as dagPb from '@ipld/dag-pb'
import { UnixFS } from 'ipfs-unixfs'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { create } from 'multiformats/hashes/digest'

/** What Kubo cuts a file into unless told otherwise. */
const chunkBytes = 262_144
const linksPerNode = 174
const sha256 = 0x12

export interface AddOptions {
  cidVersion: 0 | 1
  rawLeaves: boolean
}

/** A block with the size of all that it names. */
interface Node {
  cid: CID
  block: Uint8Array
  /** Bytes of the file below it. */
  fileSize: number
  /** Bytes of its block and of all below it. */
  treeSize: number
}

function cidOf(block: Uint8Array, codec: number, version: 0 | 1): CID {
  const digest = create(sha256, createHash('sha256').update(block).digest())
  return version === 0 ? CID.createV0(digest) : CID.createV1(codec, digest)
}

/** The CID of one raw block: version 1, sha2-256, base32. */
export function rawBlockCid(block: Uint8Array): string {
  return cidOf(block, raw.code, 1).toString()
}

/** The CID that `ipfs add` gives a file. */
export function fileCid(bytes: Uint8Array, options: AddOptions): { cid: string; size: number } {
  const [top] = nodesOf(bytes, options)
  return { cid: top.cid.toString(), size: top.treeSize }
}

/**
 * A file as UnixFS lays it out, the node that names it first: a file of a single chunk with raw leaves is one raw
 * block, a longer one a dag-pb node above its chunks.
 */
function nodesOf(bytes: Uint8Array, options: AddOptions): [top: Node, ...below: Node[]] {
  const count = Math.max(1, Math.ceil(bytes.length / chunkBytes))
  if (count > linksPerNode) throw new RangeError('a file of more than 43.5 MiB is not stood in for')
  const chunks = Array.from({ length: count }, (_, index) =>
    leaf(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes), options),
  )
  const [only] = chunks
  return only && count === 1 ? [only] : [parent(chunks, options), ...chunks]
}

function leaf(chunk: Uint8Array, { cidVersion, rawLeaves }: AddOptions): Node {
  const size = { fileSize: chunk.length, treeSize: chunk.length }
  if (rawLeaves) return { cid: cidOf(chunk, raw.code, 1), block: chunk, ...size }
  return dagNode(new UnixFS({ type: 'file', data: chunk }), [], cidVersion)
}

function parent(children: readonly Node[], { cidVersion }: AddOptions): Node {
  const blockSizes = children.map(({ fileSize }) => BigInt(fileSize))
  return dagNode(new UnixFS({ type: 'file', blockSizes }), children, cidVersion)
}

function dagNode(file: UnixFS, children: readonly Node[], version: 0 | 1): Node {
  const links = children.map(({ cid, treeSize }) => ({ Hash: cid, Name: '', Tsize: treeSize }))
  const block = dagPb.encode({ Data: file.marshal(), Links: links })
  const below = children.reduce((sum, { treeSize }) => sum + treeSize, 0)
  const cid = cidOf(block, dagPb.code, version)
  return { cid, block, fileSize: Number(file.fileSize()), treeSize: block.length + below }
}

/** Blocks and the files in them, by CID whatever its version; the oldest go once there are many. */
export class Blocks {
  readonly #blocks = new Map<string, Uint8Array>()
  readonly #files = new Map<string, Uint8Array>()
  readonly #added = new EventEmitter()

  constructor() {
    // Any number of callers may wait for one file.
    this.#added.setMaxListeners(0)
  }

  /** Keeps a file; its CID. */
  add(bytes: Uint8Array, options: AddOptions): string {
    const nodes = nodesOf(bytes, options)
    for (const { cid, block } of nodes) put(this.#blocks, keyOf(cid), block)
    const [top] = nodes
    put(this.#files, keyOf(top.cid), bytes)
    this.#added.emit(keyOf(top.cid))
    return top.cid.toString()
  }

  /** One block, as it is. */
  block(cid: CID): Uint8Array | undefined {
    return this.#blocks.get(keyOf(cid))
  }

  /** All bytes of a file. */
  file(cid: CID): Uint8Array | undefined {
    return this.#files.get(keyOf(cid)) ?? (cid.code === raw.code ? this.block(cid) : undefined)
  }

  /** Waits for a file that is not there yet. Rejects when the signal ends the waiting. */
  async arrival(cid: CID, signal: AbortSignal): Promise<void> {
    await once(this.#added, keyOf(cid), { signal })
  }
}

const maxKept = 2000

function put(into: Map<string, Uint8Array>, key: string, bytes: Uint8Array): void {
  into.set(key, bytes)
  const [oldest] = into.keys()
  if (into.size > maxKept && oldest !== undefined) into.delete(oldest)
}

function keyOf(cid: CID): string {
  return cid.toV1().toString()
}

/** A CID as text says it; undefined if it is none. */
export function readCid(text: string): CID | undefined {
  try {
    return CID.parse(text)
  } catch {
    return undefined
  }
}
