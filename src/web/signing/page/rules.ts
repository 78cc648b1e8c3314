import { isNobody } from '../../../chain/address.ts'
import type { LaunchTerms } from '../../../chain/launch/terms.ts'
import { amount, one, percent, type Term, time } from './figures.ts'
import { grouped } from './text.ts'

/** What can thin out, hold up or redirect what people have afterwards; only what there is. */
export function ruleLines({ token, pool, unread }: LaunchTerms): Term[] {
  const { yearlyMintRate = 0n, controller, balanceLimit } = token ?? {}
  const { most = 0n, until = 0, excluded = [] } = balanceLimit ?? {}
  const end = until === 0 ? '' : `, until ${time(BigInt(until))}`
  const lines: (Term | false | undefined)[] = [
    yearlyMintRate > 0n &&
      line('Minted later', `up to ${percent(yearlyMintRate, one)} of the supply a year`),
    controller !== undefined &&
      !isNobody(controller) &&
      line('Controller', 'has a say over the token', controller),
    most > 0n && line('Most in one account', `${amount(most)}${end}`),
    excluded.length > 0 && {
      label: 'Free of that limit',
      values: excluded.map((address) => ({ text: '', address })),
    },
    pool?.hook && line('Hook', hookWords(pool.hook.size), pool.hook.address),
    unread.liquidityMigrator > 0 && line('Migrator', unreadData(unread.liquidityMigrator)),
    unread.governanceFactory > 0 && line('Governance', unreadData(unread.governanceFactory)),
  ]
  return lines.filter((each) => each !== false && each !== undefined)
}

function line(label: string, text: string, address?: string): Term {
  return { label, values: [{ text, ...(address !== undefined && { address }) }] }
}

function hookWords(size: number): string {
  return size > 0 ? `takes part in each trade; ${unreadData(size)}` : 'takes part in each trade'
}

function unreadData(size: number): string {
  return `has data of its own, which are not read here (${grouped(String(size))} bytes)`
}
