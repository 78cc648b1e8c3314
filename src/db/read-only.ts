import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { isPostgres } from './database.ts'

/** Milliseconds for connecting, and again for the query. */
const timeoutMs = 3000

/**
 * Runs one query while a bot may be running: nothing is created, migrated or locked. Returns the rows, unparsed.
 * @throws the database's error, also if there is no such database
 */
export async function readOnly(database: string, query: string): Promise<unknown> {
  return isPostgres(database) ? readPostgres(database, query) : readSqlite(database, query)
}

async function readSqlite(file: string, query: string): Promise<unknown> {
  // If no bot is running, SQLite would create files beside this one that the bot may not be allowed to open.
  if (existsSync(`${file}-wal`)) return rowsOf(file, query)
  const folder = await mkdtemp(join(tmpdir(), 'gavel-read-'))
  try {
    const copy = join(folder, 'copy.db')
    await copyFile(file, copy)
    return rowsOf(copy, query)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rowsOf(file: string, query: string): unknown {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: timeoutMs })
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

async function readPostgres(url: string, query: string): Promise<unknown> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    options: '-c default_transaction_read_only=on',
  })
  try {
    await client.connect()
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
