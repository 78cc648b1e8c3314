import Database from 'better-sqlite3'

// The program of the process that copies a SQLite file while a bot writes to it, and checks the copy: both take too long for
// the bot's own thread. Ends with code 1 and the reason on standard error.
//
//   node src/db/copy-file.ts data/gavel.db data/backups/gavel-20261123T220411Z.db.part

/** The compared facts: all tables and indexes, and the migrations that made them. */
const shape = [
  'select type, name, tbl_name, sql from sqlite_schema order by type, name',
  'select name from kysely_migration order by name',
]

function copy(from: string, to: string): void {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: 5000 })
  // One moment of the file, however long copying takes.
  source.prepare('vacuum into ?').run(to)
  const copied = new Database(to, { readonly: true, fileMustExist: true })
  const found = copied.pragma('integrity_check', { simple: true })
  if (found !== 'ok') throw new Error(`the copy is damaged: ${found}`)
  for (const query of shape) {
    const [there, here] = [source, copied].map((each) => JSON.stringify(each.prepare(query).all()))
    if (there !== here) throw new Error('the copy has not the same tables')
  }
}

// Signals to the process group are for the bot, which ends this process when it stops.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
const [from = '', to = ''] = process.argv.slice(2)
try {
  copy(from, to)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
