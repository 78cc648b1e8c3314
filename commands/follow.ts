import { isDirect } from '../src/alerts/follow/alerts.ts'
import { parseKind, rulesOf } from '../src/alerts/follow/rules.ts'
import type { Kind } from '../src/alerts/rule.ts'
import { statusOf } from '../src/api/figures.ts'
import type { Asset } from '../src/api/schema.ts'
import type { Param } from '../src/chat/command.ts'
import { optional } from '../src/chat/params.ts'
import { assetFollowsView } from '../src/views/alerts/asset.ts'
import { inPlace } from '../src/views/alerts/in-place.ts'
import { alertsLine } from '../src/views/alerts/line.ts'
import { tokenLabel } from '../src/views/token.ts'
import { meantAsset } from './alerts-asset.ts'
import { otherChat } from './alerts-params.ts'
import { wordsFor } from './alerts-words.ts'
import { assetTerm, chain } from './params.ts'
import { command, type Services } from './services.ts'

type Switch = Kind | 'all'

function kindOrAll(about: string): Param<Switch, Services> {
  return {
    about,
    example: 'progress',
    required: true,
    parse: (raw) => (raw.toLowerCase() === 'all' ? 'all' : parseKind(raw)),
  }
}

/** Behind the Follow button of a card: what the chat follows of one asset, and the switches of that. */
export const follow = command({
  name: 'follow',
  about: 'What is followed of one asset',
  hidden: true,
  params: {
    asset: assetTerm('Address, symbol or name', 'OTTER'),
    chain: optional(chain()),
    on: optional(kindOrAll('What to follow')),
    off: optional(kindOrAll('What to follow no longer')),
    in: optional(otherChat()),
  },
  changes: ({ named }) => named.has('on') || named.has('off'),
  run: async ({ asset: term, chain, on, off, in: elsewhere }, services, turn) => {
    const { alerts } = services
    const where = { turn, elsewhere }
    const place = await alerts.placeName(where)
    const parts = { platform: turn.platform, elsewhere }
    const line = alertsLine(parts, 'follow')
    const found = await meantAsset(term, chain, (asset, on) => line(asset, { chain: on }), services)
    if ('title' in found) return inPlace(found, place)
    const { asset } = found
    const scope = { asset: asset.asset_address.toLowerCase(), chain: found.chain.id }
    const offered = offeredFor(asset)
    if (on !== undefined) await alerts.follow(where, rulesOf(on === 'all' ? offered : [on], scope))
    if (off !== undefined) {
      await alerts.unfollow(
        where,
        ({ rule }) => isAbout(rule.scope, scope) && (off === 'all' || off === rule.kind),
      )
    }
    const { follows } = await alerts.of(where)
    const rules = follows.map(({ rule }) => rule).filter((rule) => isAbout(rule.scope, scope))
    const view = assetFollowsView({
      name: tokenLabel(asset),
      asset: asset.asset_address,
      chain: scope.chain,
      rules,
      offered,
      own: elsewhere === undefined && isDirect(turn),
      words: await wordsFor(rules, services),
      line,
      alerts: alertsLine(parts),
    })
    return inPlace(view, place)
  },
})

interface OneAsset {
  asset?: string | undefined
  chain?: number | undefined
}

/** A rule without a chain is about the asset wherever it is. */
function isAbout(scope: OneAsset, one: OneAsset): boolean {
  return scope.asset === one.asset && (scope.chain === undefined || scope.chain === one.chain)
}

/** What can still happen to the asset. */
function offeredFor(asset: Asset): Kind[] {
  const status = statusOf(asset)
  if (status === 'graduated') return ['price']
  const sale: Kind[] = ['progress', 'ending', 'graduated', 'price']
  return status === 'incoming' ? ['live', ...sale] : sale
}
