import { sql } from 'kysely'
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

const launches: Migration = {
  up: async (db) => {
    await db.schema
      .createTable('drafts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('platform', 'text', (column) => column.notNull())
      .addColumn('person', 'text', (column) => column.notNull())
      .addColumn('origin', 'text')
      .addColumn('rev', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('drafts_person')
      .on('drafts')
      .columns(['person', 'platform', 'updated_at'])
      .execute()
    // Two presses of /launch at once must not open two drafts.
    await db.schema
      .createIndex('drafts_one_open')
      .unique()
      .on('drafts')
      .columns(['platform', 'person'])
      .where(sql.ref('state'), '=', sql.lit('open'))
      .execute()
    await db.schema
      .createTable('payloads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('draft', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('link', 'text')
      .addColumn('link_expires_at', 'integer')
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('rev', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('payloads_link').unique().on('payloads').column('link').execute()
    await db.schema.createIndex('payloads_draft').on('payloads').column('draft').execute()
    // The one rule that keeps a draft from being launched twice; it holds whatever the code does.
    await db.schema
      .createIndex('payloads_one_active')
      .unique()
      .on('payloads')
      .column('draft')
      .where(sql.ref('state'), '=', sql.lit('active'))
      .execute()
    await db.schema
      .createTable('pictures')
      .addColumn('cid', 'text', (column) => column.primaryKey())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('bytes', 'blob', (column) => column.notNull())
      .addColumn('used_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('jobs')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('run_at', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('leased_until', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('jobs_due').on('jobs').columns(['state', 'run_at']).execute()
  },
}

/** In order of their names. A migration that has been released is never changed; a change is a new one. */
export const migrations: MigrationProvider = {
  getMigrations: async () => ({ '0001_lines': lines, '0002_launches': launches }),
}
