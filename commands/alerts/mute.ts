import { UserError } from '../../src/errors.ts'

const units = { m: 60, h: 3600, d: 86_400 } as const
const maxSeconds = 365 * units.d

/**
 * Parses the duration of a mute, such as `8h`, into seconds; undefined for a mute without an end.
 * @throws Refusal that explains the format
 */
export function muteSeconds(typed: string): number | undefined {
  if (['on', 'forever', 'untilunmuted'].includes(typed)) return undefined
  const { count = '', unit } = /^(?<count>\d{1,4})(?<unit>[mhd])$/u.exec(typed)?.groups ?? {}
  const seconds = Number(count) * (unit === 'm' || unit === 'd' ? units[unit] : units.h)
  if (seconds > 0 && seconds <= maxSeconds) return seconds
  throw new UserError([
    'For how long? Say it with its unit as ',
    { code: '30m' },
    ', ',
    { code: '8h' },
    ' or ',
    { code: '7d' },
    ', a year at most; ',
    { code: 'mute on' },
    ' lasts until ',
    { code: 'unmute' },
    '.',
  ])
}
