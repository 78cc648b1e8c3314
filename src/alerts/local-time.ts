import { LRUCache } from 'lru-cache'
import type { QuietHours } from '../db/chat-settings.ts'

export interface LocalTime {
  /** Such as 2026-11-21. */
  date: string
  hour: number
}

/** Seconds. All UTC offsets are multiples of 15 minutes, so each local hour begins at one of these steps. */
export const step = 900
const maxZones = 1000
const stepsOfDay = 96

/** Tells the local time in zones, and how long it is quiet there. */
export class LocalClock {
  readonly #formats = new LRUCache<string, Intl.DateTimeFormat>({ max: maxZones })

  /** The local time at `now` (unix seconds); undefined if the zone is unknown. */
  at(zone: string, now: number): LocalTime | undefined {
    const format = this.#format(zone)
    if (!format) return undefined
    const parts = new Map(format.formatToParts(now * 1000).map(({ type, value }) => [type, value]))
    const date = [parts.get('year'), parts.get('month'), parts.get('day')].join('-')
    return { date, hour: Number(parts.get('hour')) }
  }

  /** Unix seconds at which the quiet hours end that `now` is in; undefined if it is in none, or the zone is unknown. */
  quietUntil({ from, to, zone }: QuietHours, now: number): number | undefined {
    const isQuiet = (at: number) => {
      const hour = this.at(zone, at)?.hour ?? to
      return from < to ? hour >= from && hour < to : hour >= from || hour < to
    }
    if (!isQuiet(now)) return undefined
    let at = Math.floor(now / step) * step + step
    for (let steps = 0; isQuiet(at) && steps < stepsOfDay; steps += 1) at += step
    return at
  }

  #format(zone: string): Intl.DateTimeFormat | undefined {
    const cached = this.#formats.get(zone)
    if (cached) return cached
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
