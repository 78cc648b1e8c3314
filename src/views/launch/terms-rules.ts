import { isNobody } from '../../chain/address.ts'
import type { LaunchTerms } from '../../chain/launch/terms.ts'
import type { TokenData } from '../../chain/launch/token-data.ts'
import type { Span } from '../../chat/view.ts'
import {
  account,
  type Fields,
  grouped,
  percent,
  tokens,
  type Viewpoint,
  whose,
} from './terms-words.ts'

const mostExcluded = 3
/** Unix seconds of the year 10000; later than that is for ever. */
const endless = 253_402_300_800

/** What can thin out, hold up or redirect what people have afterwards; only what there is. */
export function rulesFields({ token, pool, unread }: LaunchTerms, parts: Viewpoint): Fields {
  const { yearlyMintRate = 0n, controller, balanceLimit } = token ?? {}
  return [
    ...field(yearlyMintRate > 0n, 'Minted later', () => [
      `up to ${percent(yearlyMintRate)} of the supply a year`,
    ]),
    ...field(controller !== undefined && !isNobody(controller), 'Controller of the token', () =>
      whose(controller ?? '', parts),
    ),
    ...(balanceLimit ? limitFields(balanceLimit, parts) : []),
    ...field(pool?.hook !== undefined, 'Hook in each trade', () => [
      account(parts.chain, pool?.hook?.address ?? ''),
      ...(pool?.hook?.size ? [`, with ${unreadData(pool.hook.size)}`] : []),
    ]),
    ...field(unread.liquidityMigrator > 0, 'Migrator', () => [
      `has ${unreadData(unread.liquidityMigrator)}`,
    ]),
    ...field(unread.governanceFactory > 0, 'Governance', () => [
      `has ${unreadData(unread.governanceFactory)}`,
    ]),
  ]
}

function field(is: boolean, label: string, value: () => Span[]): Fields {
  return is ? [[label, value()]] : []
}

function unreadData(size: number): string {
  return `data of its own, which are not read here (${grouped(size)} bytes)`
}

function limitFields(
  { most, until, excluded }: NonNullable<TokenData['balanceLimit']>,
  parts: Viewpoint,
): Fields {
  if (most === 0n && excluded.length === 0) return []
  const end: Span[] =
    until === 0 || until >= endless ? [''] : [', until ', { time: until, as: 'date' }]
  const shown = excluded.slice(0, mostExcluded)
  const more = excluded.length - shown.length
  const named = shown.flatMap((each, index) => [index > 0 ? ', ' : '', ...whose(each, parts)])
  return [
    ...field(most > 0n, 'Most in one account', () => [`${tokens(most)} tokens`, ...end]),
    ...field(excluded.length > 0, 'Free of that limit', () => [
      ...named,
      more > 0 ? ` and ${more} more` : '',
    ]),
  ]
}
