import { el } from './telegram-dom.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

export const clockTime = (unix: number): string => clock.format(unix * 1000)

/** "Today", "Yesterday" or a date: the line between two days of a chat. */
export function dayName(unix: number): string {
  const date = new Date(unix * 1000)
  const midnight = new Date().setHours(0, 0, 0, 0)
  if (date.getTime() >= midnight) return 'Today'
  return date.getTime() >= midnight - 86_400_000 ? 'Yesterday' : day.format(date)
}

function relativeTime(unix: number): string {
  const seconds = Math.round(unix - Date.now() / 1000)
  const step = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / step[1]), step[0])
}

/** A time as the format of a date_time entity asks, in the reader's own zone and language. */
function formatted(unix: number, format: string): string {
  if (format === 'r') return relativeTime(unix)
  const options: Intl.DateTimeFormatOptions = {
    ...(format.includes('w') ? { weekday: 'long' as const } : {}),
    ...(format.includes('d')
      ? ({ year: '2-digit', month: '2-digit', day: '2-digit' } as const)
      : {}),
    ...(format.includes('D') ? ({ year: 'numeric', month: 'long', day: 'numeric' } as const) : {}),
    ...(/t/iu.test(format) ? ({ hour: '2-digit', minute: '2-digit' } as const) : {}),
    ...(format.includes('T') ? { second: '2-digit' as const } : {}),
  }
  return new Intl.DateTimeFormat(undefined, options).format(unix * 1000)
}

/** The element of a date_time entity; without a format it keeps the message's own words. */
export function timeElement(unix: number, format: string, words: string): HTMLElement {
  const text = format === '' ? words : formatted(unix, format)
  return el(
    'time',
    {
      class: 'tg-time',
      datetime: new Date(unix * 1000).toISOString(),
      title: full.format(unix * 1000),
      'data-unix': String(unix),
      'data-format': format,
    },
    text,
  )
}

/** Brings all relative times under the root up to date. */
export function refreshTimes(root: HTMLElement): void {
  for (const time of root.querySelectorAll<HTMLElement>('time[data-format="r"]')) {
    const text = relativeTime(Number(time.dataset.unix))
    if (time.textContent !== text) time.textContent = text
  }
}
