import { type Kind, kindsWhere } from '../src/alerts/kinds/list.ts'
import { isSameRule, parseKind, rulesOf } from '../src/alerts/rule.ts'
import { lineWriter } from '../src/alerts/views/list.ts'
import { assetFollowsView, withChatName } from '../src/alerts/views/menu.ts'
import { optional, type Param } from '../src/core/command.ts'
import { UserError } from '../src/errors.ts'
import { phaseNow } from './alert-menus.ts'
import { otherChat, ownerOf, resolveAsset, ruleTextParts } from './alert-options.ts'
import { assetTerm, chain } from './params.ts'
import { command, type Services } from './services.ts'

function kindOrAll(about: string): Param<Kind | 'all', Services> {
  return {
    about,
    example: 'progress',
    required: true,
    parse: (raw) => (raw.toLowerCase() === 'all' ? 'all' : parseKind(raw)),
  }
}

/** `all`, or one subscription by its id (`#57`). */
function alertOrAll(about: string): Param<number | 'all', Services> {
  return {
    about,
    example: 'all',
    required: true,
    parse: (raw) => {
      if (raw.toLowerCase() === 'all') return 'all'
      const { id } = /^#(?<id>\d{1,15})$/u.exec(raw)?.groups ?? {}
      if (id !== undefined) return Number(id)
      throw new UserError(
        `"${raw}" is no alert. Open the asset’s card, press Follow, and then the one that is to end.`,
      )
    },
  }
}

/** Behind the Follow button of a card: a chat's subscriptions about one asset, and toggles for them. */
export const follow = command({
  name: 'follow',
  about: 'What is followed of one asset',
  hidden: true,
  params: {
    asset: assetTerm('Address, symbol or name', 'OTTER'),
    chain: optional(chain()),
    on: optional(kindOrAll('What to follow')),
    off: optional(alertOrAll('What to follow no longer')),
    in: optional(otherChat()),
  },
  mutates: ({ named }) => named.has('on') || named.has('off'),
  run: async ({ asset: term, chain, on, off, in: targetChat }, services, context) => {
    const { alerts } = services
    const permissions = alerts.permissions({ context, targetChat })
    const chatName = await alerts.chatName(permissions)
    const parts = { platform: context.platform, targetChat }
    const line = lineWriter(parts, 'follow')
    const lineFor = (asset: string, on: number) => line(asset, { chain: on })
    const found = await resolveAsset(term, chain, lineFor, services)
    if ('title' in found) return withChatName(found, chatName)
    const { asset } = found
    const scope = { asset: asset.asset_address.toLowerCase(), chain: found.chain.id }
    const phase = phaseNow(asset, services)
    const defaultKinds = kindsWhere((kind) => kind.inFollowButton && !kind.isOver(phase))
    const defaults = rulesOf(defaultKinds, scope)
    const requested = on === undefined || on === 'all' ? defaults : rulesOf([on], scope)
    const followed = on === undefined ? undefined : await alerts.subscribe(permissions, requested)
    if (off !== undefined) {
      await alerts.unsubscribe(
        permissions,
        ({ id, rule }) => isAbout(rule.scope, scope) && (off === 'all' || off === id),
      )
    }
    const all = await alerts.of(permissions)
    const subscriptions = all.subscriptions.filter(({ rule }) => isAbout(rule.scope, scope))
    const view = assetFollowsView({
      asset,
      chain: scope.chain,
      subscriptions,
      refused: followed?.refused,
      switches: defaults.map((rule) => ({
        rule,
        id: subscriptions.find((each) => isSameRule(each.rule, rule))?.id,
      })),
      compared: kindsWhere(({ figure, isOver }) => figure !== undefined && !isOver(phase)),
      owner: ownerOf(permissions, chatName),
      textParts: await ruleTextParts(
        subscriptions.map(({ rule }) => rule),
        services,
      ),
      line,
      alerts: lineWriter(parts),
    })
    return withChatName(view, chatName)
  },
})

interface OneAsset {
  asset?: string | undefined
  chain?: number | undefined
}

/** Whether a rule is about the asset; one without a chain is about it on every chain. */
function isAbout(scope: OneAsset, one: OneAsset): boolean {
  return scope.asset === one.asset && (scope.chain === undefined || scope.chain === one.chain)
}
