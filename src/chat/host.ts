import { PlatformError } from './platform.ts'

/** Whose address it is, without its path, which may be secret. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'another address'
}

/** Why a replica does not start that would take a platform's calls away from those that run on its database. */
export function calledElsewhere(platform: string, known: string, ours: string): PlatformError {
  return new PlatformError(
    `${platform} calls ${hostOf(known)}, and replicas on this database have it so; PUBLIC_URL of this one is ${hostOf(ours)}. Set the same PUBLIC_URL on all, or stop all replicas before it is changed; after a kill, wait ten seconds. If none has that address, stop what else uses the token.`,
  )
}
