import { EventEmitter, once } from 'node:events'
import type { CID } from 'multiformats/cid'
import { type AddOptions, fileBlocks } from './cid.ts'

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
