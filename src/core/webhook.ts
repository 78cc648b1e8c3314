import { PlatformError } from './adapter.ts'

/** Whose address it is, without its path, which may be secret. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'another address'
}

/** Why a replica does not start that would take a platform's calls away from those that run on its database. */
export function webhookConflict(platform: string, known: string, ours: string): PlatformError {
  return new PlatformError(
    `${platform} calls ${hostOf(known)}, and replicas on this database have it so; PUBLIC_URL of this one is ${hostOf(ours)}. Set the same PUBLIC_URL on all, or stop all replicas before it is changed; after a kill, wait ten seconds. If none has that address, stop what else uses the token.`,
  )
}

/** The bytes of a request, as they are; undefined where there are more than so many, of which no more are read then. */
export async function bodyOf(request: Request, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length')) > most) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
