import { type Kind, kindsWhere } from '../src/alerts/kinds/list.ts'
import { isSameRule, parseKind, rulesOf } from '../src/alerts/rule.ts'
import { lineWriter } from '../src/alerts/views/list.ts'
import { assetFollowsView, withChatName } from '../src/alerts/views/menu.ts'
import { optional, type Param } from '../src/core/command.ts'
import { type Text, t } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { phaseNow, presentAsset } from './alert-menus.ts'
import { ownerOf, ruleTextParts } from './alert-options.ts'
import { resolveAsset } from './lookup.ts'
import { assetTerm, chain, otherChat } from './params.ts'
import { command, type Services } from './services.ts'

function kindOrAll(about: Text): Param<Kind | 'all', Services> {
  return {
    about,
    example: 'progress',
    required: true,
    parse: (raw) => (raw.toLowerCase() === 'all' ? 'all' : parseKind(raw)),
  }
}

/** `all`, or one subscription by its id (`#57`). */
function alertOrAll(about: Text): Param<number | 'all', Services> {
  return {
    about,
    example: 'all',
    required: true,
    parse: (raw) => {
      if (raw.toLowerCase() === 'all') return 'all'
      const { id } = /^#(?<id>\d{1,15})$/u.exec(raw)?.groups ?? {}
      if (id !== undefined) return Number(id)
      throw new UserError(t('alerts-follow-unreadable', { typed: raw }))
    },
  }
}

/** Behind the Follow button of a card: a chat's subscriptions about one asset, and toggles for them. */
export const follow = command({
  name: 'follow',
  about: t('alerts-follow-about'),
  forAsker: true,
  unlisted: true,
  params: {
    asset: assetTerm(t('alerts-param-token'), 'OTTER'),
    chain: optional(chain()),
    on: optional(kindOrAll(t('alerts-follow-on'))),
    off: optional(alertOrAll(t('alerts-follow-off'))),
    in: optional(otherChat()),
  },
  mutates: ({ named }) => named.has('on') || named.has('off'),
  run: async ({ asset: term, chain, on, off, in: targetChat }, services, context) => {
    const { alerts, questions } = services
    await questions.close(context)
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
    const present = presentAsset(asset, found.chain, services)
    const defaultKinds = kindsWhere(
      (kind) => kind.inFollowButton && !kind.isOver(phase) && kind.never?.(present) === undefined,
    )
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
