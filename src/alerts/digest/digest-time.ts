import { LRUCache } from 'lru-cache'
import type { RuleOf } from '../rule.ts'

type Setting = RuleOf<'digest'>['setting']

/** A digest that is due. */
export interface Due {
  /** Local date, as in 2026-11-21. */
  date: string
  /** Unix seconds at which it became due. */
  at: number
}

interface Local {
  date: string
  hour: number
}

const day = 86_400
/** Every clock's hours begin at one of these, whatever its offset. */
const step = 900
const mostZones = 1000

/** When digests are due by the clocks of their time zones. */
export class DigestTimes {
  readonly #formats = new LRUCache<string, Intl.DateTimeFormat>({ max: mostZones })

  /**
   * The local date whose digest was the last to become due by `now` (unix seconds): today's from its hour on, else
   * yesterday's. Undefined where the zone is not known.
   */
  lastDate({ hour, zone }: Setting, now: number): string | undefined {
    const local = this.#local(zone, now)
    return local && (local.hour >= hour ? local.date : dayBefore(local.date))
  }

  /**
   * The moment at which a date's digest became due: the first at which that hour or a later one of the date was there.
   * So an hour that the clocks leave out is told at the next, and one that they repeat at its first.
   */
  dueAt({ hour, zone }: Setting, date: string, now: number): number {
    const isDue = (at: number) => {
      const local = this.#local(zone, at)
      return local?.date === date && local.hour >= hour
    }
    const earliest = now - 3 * day
    let at = Math.floor(now / step) * step
    while (!isDue(at) && at > earliest) at -= step
    while (isDue(at - step)) at -= step
    return at
  }

  #local(zone: string, now: number): Local | undefined {
    const format = this.#format(zone)
    if (!format) return undefined
    const parts = new Map(format.formatToParts(now * 1000).map(({ type, value }) => [type, value]))
    const date = [parts.get('year'), parts.get('month'), parts.get('day')].join('-')
    return { date, hour: Number(parts.get('hour')) }
  }

  #format(zone: string): Intl.DateTimeFormat | undefined {
    const known = this.#formats.get(zone)
    if (known) return known
    try {
      const format = new Intl.DateTimeFormat('en-GB', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
      })
      this.#formats.set(zone, format)
      return format
    } catch {
      return undefined
    }
  }
}

/** How many days one date is after another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / (day * 1000))
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - day * 1000).toISOString().slice(0, 10)
}
