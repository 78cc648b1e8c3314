import type { IncomingMessage } from 'node:http'

/** Reads a request's raw body; undefined, without reading on, if it has more than `maxBytes`. */
export function bodyOf(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve(undefined)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let size = 0
  const onData = (chunk: Buffer) => {
    size += chunk.byteLength
    chunks.push(chunk)
    if (size <= maxBytes) return
    // The answer can still be sent.
    request.off('data', onData).pause()
    resolve(undefined)
  }
  // `for await` over the request would take as long as all the rest of its handling.
  request.on('data', onData)
  request.once('end', () => resolve(Buffer.concat(chunks)))
  request.once('error', reject)
  return promise
}

/** Concatenates chunks; undefined if they have more than `maxBytes`, and then the stream they are from is closed. */
export async function readUpTo(
  maxBytes: number,
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Max nesting of long JSON; answers of the API and of nodes have some ten levels. */
const maxDepth = 64
/** Characters below which JSON is parsed without this check: it takes milliseconds at most, whatever its nesting. */
const maxUncheckedLength = 256 * 1024

/** Whether parsing this JSON would hold the process: for four megabytes of brackets it takes two seconds. */
export function isNestedTooDeeply(text: string): boolean {
  if (text.length <= maxUncheckedLength) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}

/** Returns the index of the closing quote, or of the text's end. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
