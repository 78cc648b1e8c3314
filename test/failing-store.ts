import { SqliteAdapter, sql } from 'kysely'
import type { Store } from '../src/db/schema.ts'

/** Of a row, as both engines write it. */
type Writing = `${'insert' | `update of ${string}`} on ${string}`

/** Whatever is written so where the condition (about `new`, or what is stored) holds fails, until what this returns is called. */
export async function refuse(
  store: Store,
  writing: Writing,
  condition = 'true',
): Promise<() => Promise<void>> {
  if (isSqlite(store)) {
    await sql`create trigger refuses before ${sql.raw(writing)} when ${sql.raw(condition)}
      begin select raise(abort, 'refused'); end`.execute(store)
    return async () => {
      await sql`drop trigger refuses`.execute(store)
    }
  }
  // As a check that fails: SQLite says that of whatever a trigger refuses.
  return raise(store, writing, condition, sql`'refused' using errcode = '23514'`)
}

/** Nothing more fits on the disk, the first time that this is written and from then on, until what this returns is called. */
export function fillDisk(store: Store, writing: Writing): Promise<() => Promise<void>> {
  if (isSqlite(store)) return fillFile(store, writing)
  // A cluster of many tests has no disk of its own to fill: the database says that it is, by the same code.
  return raise(store, writing, 'true', sql`'no space left on device' using errcode = '53100'`)
}

/** What a log says of a full disk. */
export const diskIsFull = /SQLITE_FULL|no space left on device/u

function isSqlite(store: Store): boolean {
  return store.getExecutor().adapter instanceof SqliteAdapter
}

async function fillFile(store: Store, writing: Writing): Promise<() => Promise<void>> {
  await sql`create table ballast (bytes blob)`.execute(store)
  await sql`create trigger fills after ${sql.raw(writing)}
    begin insert into ballast values (randomblob(100000)); end`.execute(store)
  await sql`pragma max_page_count = 1`.execute(store)
  return async () => {
    await sql`pragma max_page_count = 1000000`.execute(store)
  }
}

/** A trigger's own condition may not ask what is stored: its function does. */
async function raise(
  store: Store,
  writing: Writing,
  condition: string,
  error: ReturnType<typeof sql>,
): Promise<() => Promise<void>> {
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    if ${sql.raw(condition)} then raise exception ${error}; end if;
    return new;
  end $$`.execute(store)
  await sql`create trigger refuses before ${sql.raw(writing)}
    for each row execute function refuse()`.execute(store)
  return async () => {
    await sql`drop function refuse() cascade`.execute(store)
  }
}
