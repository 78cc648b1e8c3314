import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PlatformName } from '../core/command.ts'
import type { Store } from './schema.ts'
import { databaseNow, isSqlite, lockInTransaction } from './sql.ts'

/**
 * Called first in each transaction of a leader's work: throws if another process leads by now, and keeps others from
 * taking over until the transaction ends.
 */
export type Fence = (tx: Store) => Promise<void>

/** The fence of a process that is alone on its database. */
export const unfenced: Fence = async () => undefined

/**
 * Takes or renews the leases of roles for `ms` milliseconds, by the database's clock. Returns, by name, the fencing numbers
 * of those that the holder has now; a number grows whenever its role changes hands.
 */
export async function takeLeases(
  store: Store,
  names: readonly string[],
  holder: string,
  ms: number,
): Promise<ReadonlyMap<string, number>> {
  const now = databaseNow(store)
  const held_until_ms = sql<number>`${now} + ${ms}`
  const rows = await store
    .insertInto('roles')
    // Sorted: replicas that locked rows in different orders could wait for each other.
    .values(names.toSorted().map((name) => ({ name, holder, held_until_ms, number: 1 })))
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((row) => ({
          holder,
          held_until_ms,
          number: row
            .case()
            .when('roles.holder', '=', holder)
            .then(row.ref('roles.number'))
            .else(row('roles.number', '+', 1))
            .end(),
        }))
        .where((row) =>
          row.or([
            row('roles.holder', '=', holder),
            row.and([row('roles.held_until_ms', '<', now), isUnlocked(store)]),
          ]),
        ),
    )
    .returning(['name', 'number'])
    .execute()
  return new Map(rows.map(({ name, number }) => [name, number]))
}

const lockPrefix = 'lease of '

/** Makes the fence of a lease. On PostgreSQL it is a lock that a takeover needs, too. */
export function fenceOf(lease: { name: string; holder: string; number: number }): Fence {
  const { name, holder, number } = lease
  return async (tx) => {
    await lockInTransaction(tx, lockPrefix + name)
    const row = await tx
      .selectFrom('roles')
      .select('number')
      .where('name', '=', name)
      .where('holder', '=', holder)
      .where('number', '=', number)
      .executeTakeFirst()
    if (row === undefined) throw new Error(`another replica has the role ${name} by now`)
  }
}

/** Whether no leader of the role `roles.name` is in a transaction; if so, none can begin one before this statement ends. */
function isUnlocked(store: Store): RawBuilder<SqlBool> {
  if (isSqlite(store)) return sql<SqlBool>`true`
  const lock = sql`hashtextextended(${lockPrefix} || roles.name, 0)`
  return sql<SqlBool>`pg_try_advisory_xact_lock(${lock})`
}

/** The names of the roles whose lease has not ended, by the database's clock. */
export async function heldLeases(store: Store): Promise<string[]> {
  const now = databaseNow(store)
  const rows = await store
    .selectFrom('roles')
    .select('name')
    .where('held_until_ms', '>=', now)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Ends the lease of a role; false if the holder did not have it. The row stays, for its number. */
export async function releaseLease(store: Store, name: string, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await store
    .updateTable('roles')
    .set({ holder: '', held_until_ms: 0 })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const replicaLease = 'replica '

/**
 * Renews, for `ms` milliseconds, the lease by which the others see that a replica is alive, and takes or renews those of
 * roles. Returns the fencing numbers of the roles that it has now, by name.
 */
export function renewLeases(
  store: Store,
  id: string,
  roles: readonly string[],
  ms: number,
): Promise<ReadonlyMap<string, number>> {
  return takeLeases(store, [...roles, replicaLease + id], id, ms)
}

/** The ids of the replicas that are alive. */
export async function aliveReplicas(store: Store): Promise<string[]> {
  const held = await heldLeases(store)
  return held.flatMap((name) =>
    name.startsWith(replicaLease) ? [name.slice(replicaLease.length)] : [],
  )
}

/** Ends the lease of a replica. */
export async function releaseReplica(store: Store, id: string): Promise<void> {
  await store
    .deleteFrom('roles')
    .where('name', '=', replicaLease + id)
    .execute()
}

/** Deletes the leases of replicas that died more than a day ago; returns how many. */
export async function pruneReplicas(store: Store): Promise<number> {
  const { numDeletedRows } = await store
    .deleteFrom('roles')
    .where('name', 'like', `${replicaLease}%`)
    .where('held_until_ms', '<', sql<number>`${databaseNow(store)} - ${86_400_000}`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Milliseconds by which slots may be reserved ahead; a time beyond is of a clock that was wrong. */
const maxAhead = 60_000

/**
 * Reserves so many milliseconds of the part of a platform's limit that replicas share, and returns those until they begin.
 * The row holds when the next slot begins, by the database's clock.
 */
export async function reserveSlots(
  store: Store,
  platform: PlatformName,
  length: number,
): Promise<number> {
  const now = databaseNow(store)
  const row = await store
    .insertInto('send_slots')
    .values({ platform, next_at_ms: sql<number>`${now} + ${length}` })
    .onConflict((conflict) =>
      conflict.column('platform').doUpdateSet({
        next_at_ms: sql<number>`case when send_slots.next_at_ms between ${now} and ${now} + ${maxAhead} then send_slots.next_at_ms else ${now} end + ${length}`,
      }),
    )
    .returning(sql<number>`next_at_ms - ${length} - ${now}`.as('wait'))
    .executeTakeFirstOrThrow()
  return row.wait
}
