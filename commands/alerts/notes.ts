import Big from 'big.js'
import { phaseOf } from '../../src/alerts/detect.ts'
import { type Kind, kinds, type Rule } from '../../src/alerts/rule.ts'
import type { Phase } from '../../src/alerts/snapshot.ts'
import { isOver } from '../../src/alerts/subscription.ts'
import {
  type AlertsLine,
  type LineOptions,
  listed,
  minutesText,
} from '../../src/alerts/views/rule.ts'
import { type Figures, figures } from '../../src/api/figures.ts'
import type { Asset } from '../../src/api/schema.ts'
import { chainById } from '../../src/chain/chains.ts'
import type { Span } from '../../src/core/view.ts'
import { tokenLabel } from '../../src/views/token.ts'
import type { Services } from '../services.ts'
import { ifSoon, presentValue } from './values.ts'

/** Remarks on rules that were just added, each a sentence without its full stop. */
export async function notesOn(
  rules: readonly Rule[],
  services: Services,
  line: AlertsLine,
): Promise<Span[][]> {
  const notes = rules.map((rule) => alreadyPast(rule, services))
  return [...(await Promise.all(notes)).flat(), ...(await alreadyOver(rules, services, line))]
}

/** The phase of an asset by its own status. */
export function phaseNow(asset: Asset, { units, now }: Services): Phase {
  return phaseOf({ by: 'itself', asset }, undefined, { units, now: now() })
}

/** Remarks if a value is past the rule's mark already: it must go back before it can cross. */
async function alreadyPast(rule: Rule, services: Services): Promise<Span[][]> {
  const { setting } = rule
  if (!('above' in setting) && !('below' in setting)) return []
  const now = await presentValue(rule, services)
  if (now === undefined) return []
  const { amount } = now.value
  if ('above' in setting && Big(amount).gte(setting.above)) {
    return [
      [
        `It is ${now.text} now, above that already: you hear of it when it has fallen below and rises again`,
      ],
    ]
  }
  if ('below' in setting && Big(amount).lte(setting.below)) {
    return [
      [
        `It is ${now.text} now, below that already: you hear of it when it has risen above and falls again`,
      ],
    ]
  }
  return []
}

const pastPhases: Readonly<Record<Phase, string>> = {
  incoming: 'is announced already',
  live: 'is live already',
  graduated: 'has graduated already',
  ended: 'is over',
  gone: 'is no longer listed',
}

/**
 * Remarks if a rule's events lie in the past, and suggests kinds that can still happen. The rules stay: a gone asset
 * may return.
 */
async function alreadyOver(
  rules: readonly Rule[],
  services: Services,
  line: AlertsLine,
): Promise<Span[][]> {
  const { asset: address, chain: id } = rules[0]?.scope ?? {}
  const [only, ...others] = services.chains
  const chain = id === undefined ? only : chainById(id)
  // Without a chain the asset may be several, in different phases.
  if (address === undefined || (id === undefined && others.length > 0)) return []
  const read = await ifSoon(services.api.asset(address, chain.id))
  if (read === undefined) return []
  const phase = phaseNow(read.value, services)
  const over = rules.filter(({ kind }) => isOver(kind, phase)).map(({ kind }) => kind)
  const name = tokenLabel(read.value)
  const overNote = {
    remark: `${name} ${pastPhases[phase]}: ${listed(over)} can tell nothing more of it`,
    next: nextKinds(phase).filter((kind) => !rules.some((rule) => rule.kind === kind)),
  }
  const facts = figures(read.value, services.units)
  const lateNotes = rules.flatMap((rule) =>
    isOver(rule.kind, phase) ? [] : tooLate(rule, facts, services.now()),
  )
  return [...(over.length > 0 ? [overNote] : []), ...lateNotes].map(
    ({ remark, next, setting }: Note) => {
      if (next.length === 0) return [remark]
      const about = { asset: address, chain: chain.slug }
      const send = line.typed(`add ${next.join(' ')}`, { ...about, ...setting })
      return [`${remark}. To hear what comes, send: `, { code: send }]
    },
  )
}

/** A remark, and the kinds and settings to suggest. */
interface Note {
  remark: string
  next: readonly Kind[]
  setting?: LineOptions
}

/** A percentage or a time before the end that has passed already produces no event. */
function tooLate({ kind, setting }: Rule, { progress, endsAt }: Figures, now: number): Note[] {
  if (kind === 'progress' && progress !== undefined) {
    const sold = Big(progress).times(100)
    if (setting.percents.some((percent) => sold.lt(percent))) return []
    const larger = defaultPercents.filter((percent) => sold.lt(percent))
    const remark = `${sold.round(0, Big.roundDown)} % of it is sold already, so this can tell nothing`
    return [
      { remark, next: larger.length > 0 ? [kind] : [], setting: { percent: larger.join(',') } },
    ]
  }
  if (kind === 'ending' && endsAt !== undefined) {
    const left = (endsAt - now) / 60
    if (left >= setting.minutes) return []
    const minutes = defaultMinutes.find((each) => each < left)
    const remark = `It ends in less than ${minutesText(setting.minutes)}, so this can tell nothing`
    return [{ remark, next: minutes === undefined ? [] : [kind], setting: { minutes } }]
  }
  return []
}

const defaultPercents = [50, 75, 90, 100]
const defaultMinutes = [720, 180, 60, 30, 15, 5]

/** The kinds that can still happen to an asset; price and market cap only if nothing else can. */
function nextKinds(phase: Phase): readonly Kind[] {
  const open = kinds.filter((kind) => kind !== 'digest' && !isOver(kind, phase))
  const sale = open.filter((kind) => kind !== 'price' && kind !== 'mcap')
  return sale.length > 0 ? sale : open
}
