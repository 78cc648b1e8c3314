import type { ChainNode } from '../chain/node.ts'
import { UserError } from '../errors.ts'
import type { Payload } from './payload.ts'
import type { Payloads } from './payloads.ts'
import { travelsUntil, type Unseen } from './reports.ts'
import type { Look, Watch } from './watch.ts'

export interface AgainParts {
  payloads: Payloads
  watch: Watch
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  /** Unix seconds. */
  now: () => number
}

/** What became of the payloads that a draft had before. */
export interface Earlier {
  launched?: Payload
  /** A transaction was reported that can't be seen from here, and the launcher has not been warned of it. */
  unseen?: Unseen
}

/**
 * Looks at every payload that was built for a draft, before another one is. What was reported holds nothing up longer
 * than a node needs to hear of it, and never against the launcher's will.
 * @throws UserError where one may be launched any moment; NodeError or ApiError where that can't be seen
 */
export async function lookBack(
  { payloads, watch, nodes, now }: AgainParts,
  draft: string,
): Promise<Earlier> {
  const looks: Look[] = []
  for (const payload of await payloads.ofDraft(draft)) {
    const look = await watch.see(payload)
    if (look.payload.state === 'launched') return { launched: look.payload }
    looks.push(look)
  }
  for (const { seen } of looks) refuseUnderWay(seen)
  for (const look of looks) {
    const { chain, token } = look.payload
    const unseen = unseenOf(look, token !== undefined && nodes.has(chain), now())
    if (unseen) return { unseen }
  }
  return {}
}

/** The last report that may be true, where the launcher does not go on regardless. */
function unseenOf(
  { payload, seen: { unseen } }: Look,
  isVisible: boolean,
  now: number,
): Unseen | undefined {
  if (payload.unseenAccepted) return undefined
  if (!isVisible) {
    const [report] = unseen
    return report && { payload, report }
  }
  const report = unseen.find((each) => now < travelsUntil(each))
  return report && { payload, report, until: travelsUntil(report) }
}

function refuseUnderWay({ found }: Look['seen']): void {
  if (found.kind === 'stands') {
    throw new UserError(
      'A contract stands where its token should, but the log of its launch was not found yet. Nothing else is built ' +
        'meanwhile, or you could launch twice. Look at /launches in a few minutes.',
    )
  }
  if (found.kind !== 'pending') return
  throw new UserError(
    `A transaction for it is on its way: ${found.hash}. Wait for it, then look at /launches.`,
  )
}
