import { nearest } from '../core/command.ts'
import { UserError } from '../errors.ts'

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
    `"${raw}" is no time zone.${near ? ` Did you mean ${near}?` : ''} ` +
      'Give a city or a name such as Europe/Berlin, America/New_York or UTC.',
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
