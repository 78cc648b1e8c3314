import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isSqlite } from './sql.ts'

/** Everything the first release needs. */
const initial: Migration = {
  up: async (db) => {
    await createCallbackTables(db)
    await createLaunchTables(db)
    await createAlertTables(db)
    await createChatTables(db)
    await createBotTable(db)
    await createAdminTables(db)
  },
}

async function createCallbackTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('callback_lines')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('line', 'text', (column) => column.notNull())
    .addColumn('shown_at_s', integer(db), (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('callback_lines_shown')
    .on('callback_lines')
    .column('shown_at_s')
    .execute()
}

async function createLaunchTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('drafts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('origin', 'text')
    .addColumn('rev', integer(db), (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at_s', integer(db), (column) => column.notNull())
    .addColumn('updated_at_s', integer(db), (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('drafts_person')
    .on('drafts')
    .columns(['person', 'platform', 'updated_at_s'])
    .execute()
  // Two /launch commands at once must not open two drafts.
  await db.schema
    .createIndex('drafts_one_open')
    .unique()
    .on('drafts')
    .columns(['platform', 'person'])
    .where(sql.ref('state'), '=', sql.lit('open'))
    .execute()
  // The metrics count drafts by state.
  await db.schema
    .createIndex('drafts_state')
    .on('drafts')
    .columns(['state', 'updated_at_s'])
    .execute()
  await db.schema
    .createTable('payloads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('draft', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('link', 'text')
    .addColumn('link_expires_at_s', integer(db))
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('rev', integer(db), (column) => column.notNull())
    .addColumn('created_at_s', integer(db), (column) => column.notNull())
    .addColumn('updated_at_s', integer(db), (column) => column.notNull())
    .execute()
  await db.schema.createIndex('payloads_link').unique().on('payloads').column('link').execute()
  await db.schema.createIndex('payloads_draft').on('payloads').column('draft').execute()
  // Keeps a draft from being launched twice, whatever the code does.
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
    .addColumn('bytes', bytes(db), (column) => column.notNull())
    .addColumn('used_at_s', integer(db), (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('jobs')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('run_at_s', integer(db), (column) => column.notNull())
    .addColumn('attempts', integer(db), (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('updated_at_s', integer(db), (column) => column.notNull())
    .addColumn('failing_since_s', integer(db))
    .execute()
  await db.schema.createIndex('jobs_due').on('jobs').columns(['state', 'run_at_s']).execute()
}

async function createAlertTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rules')
    .addColumn('id', integer(db), generatedId(db))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('chain', integer(db), (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('numeraire', 'text', (column) => column.notNull())
    .addColumn('creator', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('setting', 'text', (column) => column.notNull())
    .addColumn('memory', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('rules_once')
    .unique()
    .on('rules')
    .columns(['kind', 'asset', 'creator', 'numeraire', 'category', 'chain', 'setting'])
    .execute()
  await db.schema
    .createTable('chats')
    .addColumn('id', integer(db), generatedId(db))
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('thread', 'text', (column) => column.notNull())
    .addColumn('paused', 'text')
    .addColumn('muted_until_s', integer(db), (column) => column.notNull())
    .addColumn('next_at_ms', integer(db), (column) => column.notNull())
    .addColumn('due_at_ms', integer(db))
    .addColumn('created_at_s', integer(db), (column) => column.notNull())
    .addColumn('changed_by', 'text')
    .execute()
  await db.schema
    .createIndex('chats_once')
    .unique()
    .on('chats')
    .columns(['chat', 'platform', 'thread'])
    .execute()
  // A claim reads the first few rows of this index, however many deliveries wait.
  await db.schema
    .createIndex('chats_due')
    .on('chats')
    .columns(['platform', 'due_at_ms'])
    .where(sql.ref('due_at_ms'), 'is not', null)
    .execute()
  // The metrics count the paused.
  await db.schema
    .createIndex('chats_paused')
    .on('chats')
    .columns(['platform', 'paused'])
    .where(sql.ref('paused'), 'is not', null)
    .execute()
  await db.schema
    .createTable('subscriptions')
    .addColumn('rule_id', integer(db), (column) => column.notNull())
    .addColumn('chat_id', integer(db), (column) => column.notNull())
    .addColumn('created_at_s', integer(db), (column) => column.notNull())
    .addColumn('role', 'text')
    .addColumn('role_name', 'text')
    .addPrimaryKeyConstraint('subscriptions_once', ['rule_id', 'chat_id'])
    .modifyEnd(withoutRowId(db))
    .execute()
  await db.schema.createIndex('subscriptions_chat').on('subscriptions').column('chat_id').execute()
  await db.schema
    .createTable('watched_chains')
    .addColumn('chain', integer(db), (column) => column.primaryKey())
    .addColumn('begun_at_s', integer(db), (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('watched_assets')
    .addColumn('chain', integer(db), (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('phase', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('history', 'text', (column) => column.notNull())
    .addColumn('updated_at_s', integer(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('watched_assets_once', ['chain', 'asset'])
    .execute()
  await db.schema
    .createIndex('watched_assets_phase')
    .on('watched_assets')
    .columns(['chain', 'phase', 'updated_at_s'])
    .execute()
  await db.schema
    .createTable('events')
    .addColumn('id', integer(db), generatedId(db))
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('chain', integer(db), (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('happened_at_s', integer(db), (column) => column.notNull())
    .addColumn('found_at_s', integer(db), (column) => column.notNull())
    .addColumn('useful_until_s', integer(db), (column) => column.notNull())
    .addColumn('slices_after', integer(db))
    .execute()
  await db.schema.createIndex('events_happened').on('events').column('happened_at_s').execute()
  await db.schema
    .createIndex('events_kept')
    .on('events')
    .column('useful_until_s')
    .where(sql.ref('body'), '<>', sql.lit(''))
    .execute()
  // Each poll looks for them.
  await db.schema
    .createIndex('events_unfinished')
    .on('events')
    .column('id')
    .where(sql.ref('slices_after'), 'is not', null)
    .execute()
  // An operator asks for the events of an asset.
  await db.schema.createIndex('events_asset').on('events').column('asset').execute()
  await db.schema
    .createTable('deliveries')
    .addColumn('event_id', integer(db), (column) => column.notNull())
    .addColumn('chat_id', integer(db), (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('run_at_s', integer(db), (column) => column.notNull())
    .addColumn('attempts', integer(db), (column) => column.notNull())
    .addColumn('claim', integer(db), (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('updated_at_s', integer(db), (column) => column.notNull())
    .addColumn('role', 'text')
    .addPrimaryKeyConstraint('deliveries_once', ['event_id', 'chat_id'])
    .modifyEnd(withoutRowId(db))
    .execute()
  await db.schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .columns(['chat_id', 'run_at_s'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute()
  await db.schema
    .createTable('live_messages')
    .addColumn('chat_id', integer(db), (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('chain', integer(db), (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('shown', 'text', (column) => column.notNull())
    .addColumn('due_at_s', integer(db), (column) => column.notNull())
    .addColumn('over_at_s', integer(db))
    .addColumn('created_at_s', integer(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('live_messages_once', ['chat_id', 'message'])
    .execute()
  await db.schema.createIndex('live_messages_due').on('live_messages').column('due_at_s').execute()
  // Each poll looks up the messages of ended auctions, however many messages there are.
  await db.schema
    .createIndex('live_messages_open')
    .on('live_messages')
    .columns(['chain', 'asset'])
    .where(sql.ref('over_at_s'), 'is', null)
    .execute()
}

async function createChatTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chat_settings')
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('language', 'text')
    .addColumn('seen_language', 'text')
    .addColumn('cards', integer(db), (column) => column.notNull().defaultTo(0))
    .addColumn('quiet_from', 'integer')
    .addColumn('quiet_to', 'integer')
    .addColumn('zone', 'text')
    .addColumn('changed_at_ms', integer(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('chat_settings_key', ['platform', 'chat'])
    .execute()
  // Each replica reads what others changed.
  await db.schema
    .createIndex('chat_settings_changed')
    .on('chat_settings')
    .column('changed_at_ms')
    .execute()
  await db.schema
    .createTable('pending_questions')
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('line', 'text', (column) => column.notNull())
    .addColumn('asked_at_s', integer(db), (column) => column.notNull())
    .addColumn('answered_by', 'text')
    .addPrimaryKeyConstraint('pending_questions_key', ['platform', 'person', 'chat'])
    .execute()
  await db.schema
    .createIndex('pending_questions_asked')
    .on('pending_questions')
    .column('asked_at_s')
    .execute()
  await db.schema
    .createTable('managed_chats')
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('seen_at_s', integer(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('managed_chats_key', ['platform', 'person', 'chat'])
    .modifyEnd(withoutRowId(db))
    .execute()
  await db.schema
    .createIndex('managed_chats_seen')
    .on('managed_chats')
    .column('seen_at_s')
    .execute()
  await db.schema
    .createTable('watchlist')
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('chain', integer(db), (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('price', 'text')
    .addColumn('currency', 'text')
    .addColumn('added_at_s', integer(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('watchlist_key', ['platform', 'person', 'chain', 'asset'])
    .modifyEnd(withoutRowId(db))
    .execute()
}

async function createBotTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bots')
    .addColumn('platform', 'text', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull())
    .execute()
}

async function createAdminTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('admin_log')
    .addColumn('id', integer(db), generatedId(db))
    .addColumn('who', 'text', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('done_at_s', integer(db), (column) => column.notNull())
    .execute()
  await db.schema.createIndex('admin_log_done').on('admin_log').column('done_at_s').execute()
  await db.schema
    .createTable('blocked_people')
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('blocked_at_s', integer(db), (column) => column.notNull())
    .addColumn('noticed', integer(db), (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('blocked_people_key', ['platform', 'person'])
    .execute()
}

/**
 * Applied in the order of their names. A released migration is never changed. A new one only adds to the schema, because
 * replicas of the previous version are still running while it is applied.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_initial': initial,
}

/** Column type of whole numbers up to 2^53. PostgreSQL's `integer` has 32 bits, too few for times after 2038. */
function integer(db: Kysely<unknown>) {
  return isSqlite(db) ? 'integer' : 'bigint'
}

/** Column type of binary data. */
function bytes(db: Kysely<unknown>) {
  return isSqlite(db) ? 'blob' : 'bytea'
}

/** Makes a primary key of generated ids that are never reused. */
function generatedId(db: Kysely<unknown>) {
  return (column: ColumnDefinitionBuilder) =>
    isSqlite(db)
      ? column.primaryKey().autoIncrement()
      : column.primaryKey().generatedByDefaultAsIdentity()
}

/** Stores a table in its primary key's index, on SQLite. */
function withoutRowId(db: Kysely<unknown>) {
  return isSqlite(db) ? sql`without rowid` : sql``
}
