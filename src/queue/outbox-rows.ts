import { setImmediate as others } from 'node:timers/promises'
import type { Loss } from '../chat/platform.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/database.ts'
import { waiting } from '../store/waiting.ts'
import { ClockWatch } from './clock-watch.ts'
import { pauseDestination } from './destinations.ts'
import type { Claim, Outbox, Settlement } from './outbox.ts'
import { holds, takeDestination, takeNews } from './outbox-claims.ts'
import { moveDestination } from './outbox-move.ts'
import { forgetOldNews } from './outbox-prune.ts'
import { endClaim } from './waiting.ts'

interface OutboxOptions {
  /** Milliseconds of a clock that nobody sets. */
  elapsed?: () => number
  /** Hears of a clock that jumped. */
  log?: Logger | undefined
  /** Hears what became of deliveries, once that is stored. */
  onSettled?: ((settled: Settled) => void) | undefined
}

/** What became of so many deliveries, for those who count. */
export interface Settled {
  platform: Name
  outcome: Settlement['kind']
  deliveries: number
}

type Name = Claim['destination']['platform']

const longestReason = 500

/**
 * Deliveries in the bot's own database, which several processes may share. A destination's row says when something is
 * due to it, so that a claim costs the same however much waits, and counts its claims: that tells a holder whose lease
 * ran out from who holds it now.
 */
export class StoredOutbox implements Outbox {
  readonly #store: Store
  readonly #now: () => number
  readonly #elapsed: () => number
  readonly #clock: ClockWatch
  readonly #onSettled: OutboxOptions['onSettled']
  /** By destination, until when by the clock that never jumps: what the process is at is not taken a second time. */
  readonly #own = new Map<number, { number: number; until: number }>()

  /** @param now the time in unix milliseconds */
  constructor(
    store: Store,
    now: () => number,
    { elapsed = () => performance.now(), log, onSettled }: OutboxOptions = {},
  ) {
    this.#store = store
    this.#now = now
    this.#elapsed = elapsed
    this.#onSettled = onSettled
    this.#clock = new ClockWatch({ store, now, elapsed, log })
  }

  async claim(
    platform: Name,
    { most, together, lease }: { most: number; together: number; lease: number },
  ): Promise<Claim[]> {
    await this.#clock.pullBack(lease)
    const now = this.#now()
    for (const [id, { until }] of this.#own) if (until < this.#elapsed()) this.#own.delete(id)
    const due = await this.#waiting(platform)
      .select('id')
      .where('due_at', '<=', now)
      .limit(most)
      .execute()
    if (due.length === 0) return []
    const claims: Claim[] = []
    for (const { id } of due) {
      try {
        const claim = await this.#take(id, together, lease)
        if (claim) claims.push(claim)
      } catch (error) {
        // What was taken is not to wait for its lease to end.
        if (claims.length === 0) throw error
        break
      }
      await others()
    }
    return claims
  }

  async nextAt(platform: Name): Promise<number | undefined> {
    const row = await this.#waiting(platform).select('due_at').limit(1).executeTakeFirst()
    return row?.due_at ?? undefined
  }

  /** One by one: who has several rows at once, and those who add to many, could wait for each other for ever. */
  async release(claims: readonly Claim[]): Promise<void> {
    for (const claim of claims) {
      await this.#store.transaction().execute((tx) => this.#release(tx, claim))
      this.#forget(claim)
    }
  }

  async #release(tx: Store, { destination, number }: Claim): Promise<void> {
    if (!(await holds(tx, destination.id, number))) return
    await tx
      .updateTable('deliveries')
      .set((row) => ({
        attempts: row('attempts', '-', 1),
        claim: row.case().when('attempts', '=', 1).then(0).else(-number).end(),
      }))
      .where('destination', '=', destination.id)
      .where('claim', '=', number)
      .where('state', '=', waiting)
      .execute()
    await endClaim(tx, destination.id, number, this.#now(), this.#seconds())
  }

  async settle(
    claim: Claim,
    news: readonly number[],
    settlement: Settlement,
    nextAt: number,
  ): Promise<void> {
    if (news.length === 0) return
    const { id, platform } = claim.destination
    const ended = await this.#store.transaction().execute(async (tx) => {
      const isHeld = await holds(tx, id, claim.number)
      // Of what somebody else holds by now one thing alone is worth storing: that it is there.
      if (!isHeld && settlement.kind !== 'sent') return undefined
      if (settlement.kind === 'later') await this.#putOff(tx, claim, news, settlement)
      else await this.#end(tx, claim, news, settlement)
      return isHeld ? endClaim(tx, id, claim.number, nextAt, this.#seconds()) : true
    })
    if (ended !== false) this.#forget(claim)
    if (ended === undefined) return
    this.#onSettled?.({ platform, outcome: settlement.kind, deliveries: news.length })
  }

  async pause(destination: number, loss: Loss): Promise<void> {
    const dropped = await this.#store
      .transaction()
      .execute((tx) => pauseDestination(tx, destination, loss, this.#now()))
    this.#own.delete(destination)
    if (dropped) this.#onSettled?.({ ...dropped, outcome: 'dropped' })
  }

  async move(destination: number, chat: string): Promise<void> {
    await this.#store
      .transaction()
      .execute((tx) => moveDestination(tx, destination, chat, this.#now()))
  }

  prune(): Promise<number> {
    return forgetOldNews(this.#store, this.#seconds())
  }

  async #take(id: number, together: number, lease: number): Promise<Claim | undefined> {
    const now = this.#now()
    const claim = await this.#store.transaction().execute(async (tx) => {
      const held = await takeDestination(tx, id, now, now + lease * 1000)
      if (held === undefined) return undefined
      const taken = await takeNews(tx, held, together, Math.floor(now / 1000))
      if (taken === undefined) await endClaim(tx, id, held.number, now, Math.floor(now / 1000))
      return taken
    })
    const until = this.#elapsed() + lease * 1000
    if (claim) this.#own.set(id, { number: claim.number, until })
    return claim
  }

  /** Destinations to which something waits and nobody here is at, those to which it is due first before the others. */
  #waiting(platform: Name) {
    const own = [...this.#own.keys()]
    return this.#store
      .selectFrom('destinations')
      .where('platform', '=', platform)
      .where('due_at', 'is not', null)
      .where('muted_until', '<=', this.#seconds())
      .$if(own.length > 0, (rest) => rest.where('id', 'not in', own))
      .orderBy('due_at')
  }

  async #putOff(
    tx: Store,
    { destination, number, uncertain: before }: Claim,
    news: readonly number[],
    { runAt, reason, uncertain = false, untried = false }: Extract<Settlement, { kind: 'later' }>,
  ): Promise<void> {
    await tx
      .updateTable('deliveries')
      .set((row) => ({
        run_at: runAt,
        ...(untried && { attempts: row('attempts', '-', 1) }),
        reason: reason.slice(0, longestReason),
        // What may be there already goes as that message again, whatever became of the tries since.
        claim: uncertain || before ? -number : 0,
        ...(uncertain ? { uncertain: 1 } : {}),
        updated_at: this.#seconds(),
      }))
      .where('destination', '=', destination.id)
      .where('news', 'in', news)
      .where('claim', '=', number)
      .where('state', '=', waiting)
      .execute()
  }

  async #end(
    tx: Store,
    { destination }: Claim,
    news: readonly number[],
    settlement: Exclude<Settlement, { kind: 'later' }>,
  ): Promise<void> {
    await tx
      .updateTable('deliveries')
      .set({
        state: settlement.kind,
        reason: 'reason' in settlement ? settlement.reason.slice(0, longestReason) : null,
        updated_at: this.#seconds(),
      })
      .where('destination', '=', destination.id)
      .where('news', 'in', news)
      .where('state', '<>', 'sent')
      .execute()
  }

  #forget({ destination, number }: Claim): void {
    if (this.#own.get(destination.id)?.number === number) this.#own.delete(destination.id)
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}
