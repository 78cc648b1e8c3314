import type { Units } from '../../api/units.ts'
import type { Block, Picture, View } from '../../core/view.ts'
import type { EventBody } from '../event.ts'
import type { AlertKind, ShownEvent } from '../kinds/kind.ts'
import { kindNamed, kinds } from '../kinds/list.ts'
import { counted } from './rule.ts'

/** Maximum events in one message. */
const maxEvents = 10

/** An event among several for one chat. */
interface EventItem {
  body: EventBody
  chain: number
}

/** @throws if this version has no such kind; its body could not be parsed either */
function kindOf({ kind: name }: EventBody): AlertKind {
  const kind = kindNamed(name)
  if (kind === undefined) throw new Error(`there is no kind of alerts called ${name}`)
  return kinds[kind]
}

/** An event as a message of its own; `picture` is the card of its asset. */
export function eventView(event: ShownEvent & { picture?: Picture | undefined }): View {
  const view = kindOf(event.body).view(event)
  return event.picture ? { ...view, picture: event.picture } : view
}

/** Whether the event may share a message with others; long ones go in a message of their own. */
export function isCombinable({ body }: Pick<EventItem, 'body'>): boolean {
  return kindOf(body).line !== undefined
}

/** Several events for one chat as one message, with a line each. */
export function combinedView(
  items: readonly EventItem[],
  { units, now }: { units: Units; now: number },
): View {
  const relevant = withoutSuperseded(items)
  const [only] = relevant
  if (only && relevant.length === 1) return eventView({ ...only, units, now })
  const lines = relevant
    .slice(0, maxEvents)
    .flatMap(({ body, chain }) => kindOf(body).line?.({ body, chain, units, now }) ?? [])
  const more = relevant.length - lines.length
  const rest: Block[] =
    more > 0 ? [{ kind: 'text', quiet: true, spans: [`${counted(more, 'more alert')}.`] }] : []
  return {
    title: [`🔔 ${counted(relevant.length, 'alert')}`],
    tone: lines.some(({ tone }) => tone === 'good') ? 'good' : 'neutral',
    blocks: [{ kind: 'list', first: 1, items: lines.map(({ item }) => item) }, ...rest],
    buttons: [[{ label: '🔔 Alerts', run: 'alerts', opens: true }]],
  }
}

/**
 * Removes events that another one of the same asset's sale supersedes: once it has sold out or graduated, earlier
 * progress is of no interest. Events that belong to no sale always stay.
 * @param items oldest first
 */
export function withoutSuperseded<Each extends EventItem>(items: readonly Each[]): Each[] {
  const best = new Map<string, Each>()
  for (const item of items) {
    const key = saleKey(item)
    if (key === undefined) continue
    const previous = best.get(key)
    best.set(key, previous ? moreImportant(previous, item) : item)
  }
  return items.flatMap((item) => {
    const key = saleKey(item)
    if (key === undefined) return [item]
    const chosen = best.get(key)
    best.delete(key)
    return chosen ? [chosen] : []
  })
}

function saleKey({ body, chain }: EventItem): string | undefined {
  if (body.asset === undefined || rankOf(body) === undefined) return undefined
  return `${chain}:${body.asset.asset_address.toLowerCase()}`
}

/** The more important of two events, with the asset as the later one found it. */
function moreImportant<Each extends EventItem>(earlier: Each, later: Each): Each {
  const isEarlier = (rankOf(earlier.body) ?? 0) < (rankOf(later.body) ?? 0)
  return isEarlier ? { ...earlier, body: { ...earlier.body, asset: later.body.asset } } : later
}

function rankOf(body: EventBody): number | undefined {
  return kindOf(body).rank?.(body)
}
