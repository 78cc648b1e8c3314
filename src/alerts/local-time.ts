import { LRUCache } from 'lru-cache'
import { nearest } from '../core/command.ts'
import { t } from '../core/view.ts'
import type { QuietHours } from '../db/chat-settings.ts'
import { UserError } from '../errors.ts'

export interface LocalTime {
  /** Such as 2026-11-21. */
  date: string
  hour: number
}

/** Seconds. All UTC offsets are multiples of 15 minutes, so each local hour begins at one of these steps. */
export const step = 900
const maxZones = 1000
const stepsOfDay = 86_400 / step

/** Tells the local time in zones, and when quiet hours there end. */
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

/**
 * Parses a time zone: an IANA name in any case, or the name of its city.
 * @example
 * parseZone('berlin') // 'Europe/Berlin'
 * @throws UserError that suggests a similar one
 */
export function parseZone(raw: string): string {
  const typed = raw.trim().replaceAll(/\s+/gu, '_')
  const zone =
    canonicalZone(typed) ?? cities().get(typed.toLowerCase()) ?? zoneUnderOlderName(typed)
  if (zone !== undefined) return zone
  const near = nearZone(typed.toLowerCase())
  throw new UserError(
    near === undefined
      ? t('alerts-zone-unknown', { typed: raw })
      : t('alerts-zone-near', { typed: raw, near }),
  )
}

/** Time zones whose name contains what was typed, for autocomplete. */
export function zonesLike(typed: string, limit: number): string[] {
  const term = typed.trim().toLowerCase().replaceAll(/\s+/gu, '_')
  return allZones()
    .filter((zone) => zone.toLowerCase().includes(term))
    .slice(0, limit)
}

/** Undefined for plain offsets such as +02:00, which ignore daylight saving. */
function canonicalZone(typed: string): string | undefined {
  if (!/^[a-z][\w/+-]{1,63}$/iu.test(typed)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Finds cities that Node.js lists under an older name, such as Kolkata under Calcutta. */
function zoneUnderOlderName(city: string): string | undefined {
  const regions = new Set(allZones().map((zone) => zone.split('/', 1)[0] ?? zone))
  return [...regions].map((region) => canonicalZone(`${region}/${city}`)).find(Boolean)
}

function allZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

function cities(): Map<string, string> {
  return new Map(allZones().map((zone) => [cityOf(zone), zone]))
}

function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).toLowerCase()
}

function nearZone(typed: string): string | undefined {
  const byCity = cities()
  const city = nearest(cityOf(typed), [...byCity.keys()])
  return city === undefined ? undefined : byCity.get(city)
}
