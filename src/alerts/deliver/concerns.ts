import { decimal } from '../../api/number.ts'
import type { Follow } from '../follow/follow.ts'
import type { NewsBody } from '../news.ts'

/**
 * Whether the followers of a filter want to hear of this, by its kind and setting; which assets it is about is looked
 * up before. A jump of progress concerns who named a percentage in it, its end included; an end that draws near, who
 * named a minute that passed, the present one included: nobody where it was not looked at before.
 */
export function concerns({ id, rule }: Follow, body: NewsBody): boolean {
  switch (body.kind) {
    case 'progress':
      return rule.kind === 'progress' && passed(rule.setting.percents, body.from, body.to)
    case 'ending': {
      if (rule.kind !== 'ending' || body.fromMinutes === undefined) return false
      return rule.setting.minutes >= body.minutes && rule.setting.minutes < body.fromMinutes
    }
    case 'price':
    case 'mcap':
    case 'digest':
      return rule.kind === body.kind && body.filter === id
    default:
      return rule.kind === body.kind
  }
}

function passed(percents: readonly number[], fromText: string, toText: string): boolean {
  const from = decimal(fromText)?.times(100)
  const to = decimal(toText)?.times(100)
  if (from === undefined || to === undefined) return false
  return percents.some((percent) => from.lt(percent) && to.gte(percent))
}
