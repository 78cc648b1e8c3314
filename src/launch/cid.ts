import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'

const dagPb = 0x70
const identity = 0x00
/** Longer than any link to a picture that a person would paste. */
const maxCharacters = 1_000

const plain = /^(?:ipfs:\/\/(?:ipfs\/)?|\/ipfs\/)?(?<cid>[A-Za-z0-9]+)(?<path>\/.*)?$/isu
const gatewayPath = /^\/ipfs\/(?<cid>[A-Za-z0-9]+)(?<path>\/.*)?$/su
const gatewayHost = /^(?<cid>[a-z0-9]+)\.ipfs\.[a-z0-9-]/u
// What stands in a file's name and means nothing to a URL, a shell or a chat; a space only as a link writes it.
const safePath = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~-]|%20)+)+$/u

/** The CID of bytes that are one block (256 KiB at most): version 1, raw, sha2-256, in base32. */
export async function rawCid(bytes: Uint8Array): Promise<string> {
  return CID.createV1(raw.code, await sha256.digest(bytes)).toString()
}

/**
 * What a CID, an `ipfs://` address or a gateway's link points to: the CID in its canonical text (version 1 in base32),
 * for a folder with the path into it. Undefined for all else; nothing is fetched.
 */
export function parseCid(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxCharacters) return undefined
  const found = plain.exec(trimmed)?.groups ?? inGatewayLink(trimmed)
  const cid = readCid(found?.cid ?? '')
  const path = (found?.path ?? '').replace(/\/+$/u, '')
  if (cid === undefined || path === '') return cid?.toString()
  // A raw block is the file itself: there is nothing inside it that a path could name.
  return cid.code === dagPb && safePath.test(path) ? `${cid}${path}` : undefined
}

function inGatewayLink(text: string): Record<string, string | undefined> | undefined {
  if (!/^https?:\/\//iu.test(text) || !URL.canParse(text)) return undefined
  const { hostname, pathname } = new URL(text)
  const inHost = gatewayHost.exec(hostname)?.groups?.cid
  return inHost === undefined ? gatewayPath.exec(pathname)?.groups : { cid: inHost, path: pathname }
}

/** A CID that can stand for a file; keys of names, other data and bytes that are their own digest can't. */
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
