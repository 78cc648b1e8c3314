import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'

const dagPb = 0x70
const identity = 0x00
/** Longer than any picture link that a person would paste. */
const maxCharacters = 1_000

const plain = /^(?:ipfs:\/\/(?:ipfs\/)?|\/ipfs\/)?(?<cid>[A-Za-z0-9]+)(?<path>\/.*)?$/isu
const gatewayPath = /^\/ipfs\/(?<cid>[A-Za-z0-9]+)(?<path>\/.*)?$/su
const gatewayHost = /^(?<cid>[a-z0-9]+)\.ipfs\.[a-z0-9-]/u
// Characters of file names that are safe in URLs, shells and chats; a space only as `%20`.
const safePath = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~-]|%20)+)+$/u

/** Computes the CID of one block (256 KiB max): version 1, raw, sha2-256, base32. */
export async function rawCid(bytes: Uint8Array): Promise<string> {
  return CID.createV1(raw.code, await sha256.digest(bytes)).toString()
}

/**
 * Normalizes a CID, an `ipfs://` address or a gateway link to a version 1 base32 CID, with the path if it names a file
 * in a folder. Fetches nothing.
 * @returns undefined for anything else
 * @example
 * parseCid('https://ipfs.io/ipfs/bafybei…/otter.png') // 'bafybei…/otter.png'
 */
export function parseCid(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxCharacters) return undefined
  const found = plain.exec(trimmed)?.groups ?? inGatewayLink(trimmed)
  const cid = readCid(found?.cid ?? '')
  const path = (found?.path ?? '').replace(/\/+$/u, '')
  if (cid === undefined || path === '') return cid?.toString()
  // A raw block is a file and has no paths.
  return cid.code === dagPb && safePath.test(path) ? `${cid}${path}` : undefined
}

function inGatewayLink(text: string): Record<string, string | undefined> | undefined {
  if (!/^https?:\/\//iu.test(text) || !URL.canParse(text)) return undefined
  const { hostname, pathname } = new URL(text)
  const inHost = gatewayHost.exec(hostname)?.groups?.cid
  return inHost === undefined ? gatewayPath.exec(pathname)?.groups : { cid: inHost, path: pathname }
}

/** Reads a CID that can name a file, so not names' keys, other codecs or identity hashes. */
function readCid(text: string): CID | undefined {
  try {
    const cid = CID.parse(text)
    const { code, digest } = cid.multihash
    const isFile = cid.code === raw.code || cid.code === dagPb
    const isDigest = code !== identity && digest.length >= 20 && digest.length <= 64
    return isFile && isDigest ? cid : undefined
  } catch {
    return undefined
  }
}
