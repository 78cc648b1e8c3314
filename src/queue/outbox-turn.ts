import type { Store } from '../store/database.ts'
import { isSqlite } from '../store/dialect.ts'
import { lockInTransaction } from '../store/lock.ts'

/**
 * Waits until nobody else adds deliveries, or makes one of two chats, and keeps others from it until the transaction ends:
 * who adds goes by what is followed at one moment, and writes to many chats, in no order. Asked before anything is
 * written: who waits here holds nothing that another needs.
 */
export async function takeTurn(tx: Store): Promise<void> {
  // On SQLite one transaction writes at a time anyway.
  if (!isSqlite(tx)) await lockInTransaction(tx, 'deliveries')
}
