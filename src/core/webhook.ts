import { PlatformError } from './adapter.ts'

/** The host of a URL, without its path, which may be secret. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'another address'
}

/** Refuses the start of a replica that would redirect the webhook of replicas running on the same database. */
export function webhookConflict(platform: string, current: string, ours: string): PlatformError {
  return new PlatformError(
    `${platform} calls ${hostOf(current)}, and replicas on this database have it so; PUBLIC_URL of this one is ${hostOf(ours)}. Set the same PUBLIC_URL on all, or stop all replicas before it is changed; after a kill, wait ten seconds. If none has that address, stop what else uses the token.`,
  )
}

/** Reads a request's raw body; undefined, without reading on, if it has more than `maxBytes`. */
export async function bodyOf(request: Request, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
