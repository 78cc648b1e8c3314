import type { Migration, MigrationProvider } from 'kysely/migration'

const lines: Migration = {
  up: async (db) => {
    await db.schema
      .createTable('lines')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('line', 'text', (column) => column.notNull())
      .addColumn('shown_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('lines_shown_at').on('lines').column('shown_at').execute()
  },
}

/** In order of their names. A migration that has been released is never changed; a change is a new one. */
export const migrations: MigrationProvider = {
  getMigrations: async () => ({ '0001_lines': lines }),
}
