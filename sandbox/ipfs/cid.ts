import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'

/** What Kubo cuts a file into unless told otherwise. */
const chunkBytes = 262_144
const linksPerNode = 174

const codes = { raw: 0x55, dagPb: 0x70, sha256: 0x12 } as const

export interface AddOptions {
  cidVersion: 0 | 1
  rawLeaves: boolean
}

/** Bytes under their own CID. */
interface Block {
  cid: CID
  block: Uint8Array
}

interface Piece extends Block {
  /** Bytes of the file below it. */
  fileSize: number
  /** Bytes of its block and of all below it. */
  treeSize: number
}

function cidOf(block: Uint8Array, codec: number, version: 0 | 1): CID {
  const digest = create(codes.sha256, createHash('sha256').update(block).digest())
  return version === 0 ? CID.createV0(digest) : CID.createV1(codec, digest)
}

/** The CID of one raw block: version 1, sha2-256, base32. */
export function rawBlockCid(block: Uint8Array): string {
  return cidOf(block, codes.raw, 1).toString()
}

/** The CID that `ipfs add` gives a file. */
export function fileCid(bytes: Uint8Array, options: AddOptions): { cid: string; size: number } {
  const { top } = layOut(bytes, options)
  return { cid: top.cid.toString(), size: top.treeSize }
}

/** The blocks that a file consists of, the one that names it first. */
function fileBlocks(bytes: Uint8Array, options: AddOptions): readonly Block[] {
  const { top, chunks } = layOut(bytes, options)
  return [top, ...chunks.filter((each) => each !== top)]
}

/**
 * A file as UnixFS lays it out: one of a single chunk with raw leaves is one raw block, a longer one a dag-pb node
 * above its chunks.
 */
function layOut(bytes: Uint8Array, options: AddOptions): { top: Piece; chunks: readonly Piece[] } {
  const count = Math.max(1, Math.ceil(bytes.length / chunkBytes))
  if (count > linksPerNode) throw new RangeError('a file of more than 43.5 MiB is not stood in for')
  const chunks = Array.from({ length: count }, (_, index) =>
    leaf(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes), options),
  )
  const [only] = chunks
  const top = only && chunks.length === 1 ? only : parent(chunks, options)
  return { top, chunks }
}

function leaf(chunk: Uint8Array, { cidVersion, rawLeaves }: AddOptions): Piece {
  const block = rawLeaves ? chunk : node([], fileData(chunk, chunk.length, []))
  const cid = cidOf(block, rawLeaves ? codes.raw : codes.dagPb, rawLeaves ? 1 : cidVersion)
  return { cid, block, fileSize: chunk.length, treeSize: block.length }
}

function parent(children: readonly Piece[], { cidVersion }: AddOptions): Piece {
  const fileSize = children.reduce((sum, child) => sum + child.fileSize, 0)
  const sizes = children.map((child) => child.fileSize)
  const block = node(children, fileData(undefined, fileSize, sizes))
  const below = children.reduce((sum, child) => sum + child.treeSize, 0)
  const cid = cidOf(block, codes.dagPb, cidVersion)
  return { cid, block, fileSize, treeSize: block.length + below }
}

/** UnixFS's Data message of a file. */
function fileData(content: Uint8Array | undefined, size: number, sizes: readonly number[]): Buffer {
  return Buffer.concat([
    number(1, 2),
    ...(content === undefined || content.length === 0 ? [] : [field(2, content)]),
    number(3, size),
    ...sizes.map((each) => number(4, each)),
  ])
}

/** A dag-pb node; its links come before its data, whatever their field numbers say. */
function node(links: readonly Piece[], data: Uint8Array): Buffer {
  const encoded = links.map(({ cid, treeSize }) =>
    field(2, Buffer.concat([field(1, cid.bytes), field(2, Buffer.alloc(0)), number(3, treeSize)])),
  )
  return Buffer.concat([...encoded, field(1, data)])
}

function number(id: number, value: number): Buffer {
  return Buffer.concat([varint(id << 3), varint(value)])
}

function field(id: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) | 128)
  }
}

const rawCodec = 0x55

/** Blocks and the files in them, by CID whatever its version; the oldest go once there are many. */
export class Blocks {
  readonly #blocks = new Map<string, Uint8Array>()
  readonly #files = new Map<string, Uint8Array>()
  readonly #added = new EventEmitter()
  readonly #most = 2000

  constructor() {
    // Any number of callers may wait for one file.
    this.#added.setMaxListeners(0)
  }

  /** Keeps a file; its CID. */
  add(bytes: Uint8Array, options: AddOptions): string {
    const [top, ...rest] = fileBlocks(bytes, options)
    if (!top) throw new Error('every file has a block')
    for (const { cid, block } of [top, ...rest]) put(this.#blocks, keyOf(cid), block, this.#most)
    put(this.#files, keyOf(top.cid), bytes, this.#most)
    this.#added.emit(keyOf(top.cid))
    return top.cid.toString()
  }

  /** One block, as it is. */
  block(cid: CID): Uint8Array | undefined {
    return this.#blocks.get(keyOf(cid))
  }

  /** All bytes of a file. */
  file(cid: CID): Uint8Array | undefined {
    return this.#files.get(keyOf(cid)) ?? (cid.code === rawCodec ? this.block(cid) : undefined)
  }

  /** Waits for a file that is not there yet. Rejects when the signal ends the waiting. */
  async arrival(cid: CID, signal: AbortSignal): Promise<void> {
    await once(this.#added, keyOf(cid), { signal })
  }
}

function put(into: Map<string, Uint8Array>, key: string, bytes: Uint8Array, most: number): void {
  into.set(key, bytes)
  const [oldest] = into.keys()
  if (into.size > most && oldest !== undefined) into.delete(oldest)
}

function keyOf(cid: CID): string {
  return cid.toV1().toString()
}
