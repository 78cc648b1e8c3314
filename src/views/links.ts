import { z } from 'zod'
import { graduationPool, statusOf } from '../api/asset.ts'
import { type Asset, statuses } from '../api/schema.ts'
import { isAddress, isPoolId } from '../chain/address.ts'
import type { Chain } from '../chain/chains.ts'
import type { Button, View } from '../core/view.ts'
import { httpsUrl } from './facts.ts'

const names = ['address', 'pool', 'chain', 'chainId'] as const
const placeholder = /\{(?<name>[^{}]*)\}/gu

const template = z
  .string()
  .max(400)
  .refine((text) => httpsUrl(text.replaceAll(placeholder, '1')) !== undefined, {
    error: 'must begin with https:// and a host that has no _ in it',
  })
  .refine(
    (text) => [...text.matchAll(placeholder)].every(({ groups }) => isName(groups?.name)),
    `may have ${names.map((name) => `{${name}}`).join(', ')} in it, and no others`,
  )
  .refine((text) => !URL.parse(text)?.host.match(/[{}]|%7B/iu), 'must have a host without braces')

/**
 * The operator's links out, such as where to trade, with what may carry their referral:
 * `[{"label":"Trade","url":"https://dex.example/{chain}/{address}?ref=me","chains":[8453],"status":["graduated"]}]`.
 */
export const linksSchema = z
  .array(
    z.strictObject({
      label: z.string().trim().min(1).max(20),
      url: template,
      /** Only on these chains. */
      chains: z.array(z.int().positive()).min(1).optional(),
      /** Only while an asset has one of these statuses. */
      status: z.array(z.enum(statuses)).min(1).optional(),
    }),
  )
  .max(5, 'may be five at most')

export type Link = z.output<typeof linksSchema>[number]

function isName(name: string | undefined): boolean {
  return names.some((each) => each === name)
}

/** Adds a row with the operator's links below a view about an asset. One whose pool is unknown is left out. */
export function withLinks(view: View, asset: Asset, chain: Chain, links: readonly Link[]): View {
  const buttons = links.flatMap((link) => linkButton(link, asset, chain))
  return buttons.length === 0 ? view : { ...view, buttons: [...(view.buttons ?? []), buttons] }
}

function linkButton({ label, url, chains, status }: Link, asset: Asset, chain: Chain): Button[] {
  const current = statusOf(asset)
  if (chains && !chains.includes(chain.id)) return []
  if (status && !status.some((each) => each === current)) return []
  const pool = graduationPool(asset)?.pool_address ?? auctionPool(asset)
  const values: Record<string, string | undefined> = {
    address: isAddress(asset.asset_address) ? asset.asset_address : undefined,
    pool: pool !== undefined && (isAddress(pool) || isPoolId(pool)) ? pool : undefined,
    chain: chain.slug,
    chainId: String(chain.id),
  }
  let isWhole = true
  const filled = url.replaceAll(placeholder, (_, name: string) => {
    const value = values[name]
    isWhole &&= value !== undefined
    return encodeURIComponent(value ?? '')
  })
  const target = isWhole ? httpsUrl(filled) : undefined
  return target ? [{ label, url: target.href }] : []
}

function auctionPool(asset: Asset): string | undefined {
  return asset.auction_pool?.pool_address ?? asset.auction_pool?.pool_id
}
