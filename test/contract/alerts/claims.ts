import type { Claim, Outbox } from '../../../src/alerts/outbox.ts'
import type { PlatformName } from '../../../src/core/command.ts'

/** Claims all that is due to any chat of a platform. */
export async function claimAll(outbox: Outbox, platform: PlatformName = 'telegram') {
  const claims: Claim[] = []
  for (let claim = await outbox.claim(platform, 10); claim; ) {
    claims.push(claim)
    claim = await outbox.claim(platform, 10)
  }
  return claims
}
