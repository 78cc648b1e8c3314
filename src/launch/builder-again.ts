import type { ChainNode } from '../chain/node.ts'
import { UserError } from '../errors.ts'
import type { Payload } from './payload.ts'
import type { Payloads } from './payloads.ts'
import { mayTravel } from './reports.ts'
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
  /** A transaction was reported of it long ago, and what became of that can't be seen from here. */
  unseen?: Payload
}

/**
 * Looks at every payload that was built for a draft, before another one is.
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
  for (const look of looks) refuseUnderWay(look, now())
  const unseen = looks.find(({ payload, seen }) => {
    const isBlind = payload.token === undefined || !nodes.has(payload.chain)
    return isBlind && seen.unseen.length > 0
  })
  return unseen ? { unseen: unseen.payload } : {}
}

function refuseUnderWay({ payload, seen: { found, unseen } }: Look, now: number): void {
  if (found.kind === 'stands') {
    throw new UserError(
      'A contract stands where its token should, but the log of its launch was not found yet. Nothing else is built ' +
        'meanwhile, or you could launch twice. Look at /launches in a few minutes.',
    )
  }
  const travelling = unseen.find((each) => mayTravel(each, payload, now))
  const hash = found.kind === 'pending' ? found.hash : travelling?.hash
  if (hash === undefined) return
  throw new UserError(
    `A transaction for it is on its way: ${hash}. Wait for it, then look at /launches.`,
  )
}
