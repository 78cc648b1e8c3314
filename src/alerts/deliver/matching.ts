import { baseToken } from '../../api/figures.ts'
import { tolerance } from '../../queue/waiting.ts'
import type { Store } from '../../store/database.ts'
import { ruleOf } from '../follow/rule-row.ts'
import { type News, type NewsBody, newsBodySchema } from '../news.ts'
import { concerns } from './concerns.ts'

/** News as it was stored. */
export interface StoredNews extends Omit<News, 'body'> {
  id: number
  /** Undefined once it is too old to be told, or where this version can't read it. */
  body: NewsBody | undefined
}

/** Seconds that alerts wait for others to the same chat, so that they go as one message. */
const gathering = 2
/** Filters whose followers one statement looks up. */
const together = 500

/**
 * Stores news, in the caller's transaction with what it was found by: what is not known yet by its key, and with it a
 * waiting delivery for each destination that follows it and is neither paused nor muted at `now` (unix seconds).
 * Returns how much of each was new.
 */
export async function enqueue(
  tx: Store,
  news: readonly News[],
  now: number,
): Promise<{ news: number; deliveries: number }> {
  const added = { news: 0, deliveries: 0 }
  for (const each of news) {
    const id = await store(tx, each)
    if (id === undefined) continue
    added.news += 1
    const filters = await concerned(tx, each)
    const deliveries = await deliver(tx, id, filters, now)
    if (deliveries > 0) await makeDue(tx, id, now)
    added.deliveries += deliveries
  }
  return added
}

/** These news, oldest first; those that are not there are left out. */
export async function readNews(store: Store, ids: readonly number[]): Promise<StoredNews[]> {
  if (ids.length === 0) return []
  const rows = await store
    .selectFrom('news')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ id, key, chain, asset, at, useful_until, body }) => ({
    id,
    key,
    chain,
    asset,
    at,
    usefulUntil: useful_until,
    body: bodyOf(body),
  }))
}

async function store(tx: Store, news: News): Promise<number | undefined> {
  const row = await tx
    .insertInto('news')
    .values({
      key: news.key,
      kind: news.body.kind,
      chain: news.chain,
      asset: news.asset.toLowerCase(),
      body: JSON.stringify(news.body),
      at: news.at,
      useful_until: news.usefulUntil,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** The filters whose followers want to hear of it. */
async function concerned(tx: Store, news: News): Promise<number[]> {
  const rows = await candidates(tx, news)
  const wanted = rows.filter((row) => {
    const rule = ruleOf(row)
    return rule !== undefined && concerns({ id: row.id, rule }, news.body)
  })
  return wanted.map(({ id }) => id)
}

/** Filters of the news' kind whose scope it is in. A seek in their index for each combination of "this" and "any". */
function candidates(tx: Store, { chain, asset, body }: News) {
  if ('filter' in body) {
    return tx.selectFrom('filters').selectAll().where('id', '=', body.filter).execute()
  }
  const about = body.asset
  return tx
    .selectFrom('filters')
    .selectAll()
    .where('kind', '=', body.kind)
    .where('asset', 'in', thisOrAny(asset))
    .where('creator', 'in', thisOrAny(baseToken(about)?.token_creator_address))
    .where('numeraire', 'in', thisOrAny(about.asset_numeraire_address))
    .where('category', 'in', ['', ...categoriesOf(about.asset_categories)])
    .where('chain', 'in', [0, chain])
    .execute()
}

function thisOrAny(address: string | undefined): string[] {
  return ['', (address ?? '').toWellFormed().toLowerCase()]
}

function categoriesOf(categories: readonly string[] | undefined): string[] {
  return (categories ?? []).map((category) => category.toWellFormed())
}

/** Returns how many deliveries there are of it now. */
async function deliver(
  tx: Store,
  news: number,
  filters: readonly number[],
  now: number,
): Promise<number> {
  let deliveries = 0
  for (let from = 0; from < filters.length; from += together) {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('deliveries')
      .columns([
        'news',
        'destination',
        'state',
        'run_at',
        'attempts',
        'claim',
        'uncertain',
        'reason',
        'updated_at',
      ])
      .expression((row) =>
        row
          .selectFrom('follows')
          .innerJoin('destinations', 'destinations.id', 'follows.destination')
          .select((each) => [
            each.val(news).as('news'),
            'follows.destination',
            each.val('waiting' as const).as('state'),
            each.val(now + gathering).as('run_at'),
            each.val(0).as('attempts'),
            each.val(0).as('claim'),
            each.val(0).as('uncertain'),
            each.val(null).as('reason'),
            each.val(now).as('updated_at'),
          ])
          .where('follows.filter', 'in', filters.slice(from, from + together))
          .where('destinations.paused', 'is', null)
          .where('destinations.muted_until', '<=', now),
      )
      .onConflict((conflict) => conflict.columns(['news', 'destination']).doNothing())
      .executeTakeFirst()
    deliveries += Number(numInsertedOrUpdatedRows)
  }
  return deliveries
}

/**
 * Tells the outbox of destinations to which something waits now: at the earliest when they may be sent to again. Where
 * a clock that ran ahead said when that is, the outbox puts it right.
 */
async function makeDue(tx: Store, news: number, now: number): Promise<void> {
  const due = (now + gathering) * 1000
  const latest = now + tolerance
  await tx
    .updateTable('destinations')
    .set((row) => ({
      due_at: row
        .case()
        .when(row.and([row('next_at', '>', due), row('updated_at', '<=', latest)]))
        .then(row.ref('next_at'))
        .else(due)
        .end(),
      updated_at: now,
    }))
    .where('id', 'in', (row) =>
      row.selectFrom('deliveries').select('destination').where('news', '=', news),
    )
    .where((row) =>
      row.or([
        row('due_at', 'is', null),
        row.and([row('due_at', '>', due), row('updated_at', '<=', latest)]),
      ]),
    )
    .execute()
}

function bodyOf(text: string): NewsBody | undefined {
  if (text === '') return undefined
  try {
    return newsBodySchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
