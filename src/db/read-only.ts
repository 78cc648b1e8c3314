import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { isPostgres } from './database.ts'

/** Milliseconds for connecting and for the query each. */
const patience = 3000

/**
 * The rows of one query, read beside a bot that may be running: nothing is made, migrated or locked.
 * @throws whatever the database says, also where it is not there
 */
export async function readOnly(database: string, query: string): Promise<unknown> {
  return isPostgres(database) ? readPostgres(database, query) : readSqlite(database, query)
}

async function readSqlite(file: string, query: string): Promise<unknown> {
  // With no bot at work SQLite would leave files beside this one, which the bot may not be allowed to open.
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
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: patience })
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

async function readPostgres(url: string, query: string): Promise<unknown> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: patience,
    statement_timeout: patience,
    options: '-c default_transaction_read_only=on',
  })
  try {
    await client.connect()
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
