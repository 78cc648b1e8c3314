import { whole } from '../markdown.ts'

/** Formats seconds for people. */
export function span(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'never'
  if (seconds < 0.0995) return `${(seconds * 1000).toFixed(0)} ms`
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${seconds.toFixed(0)} s`
  if (seconds < 7_200) return `${(seconds / 60).toFixed(0)} min`
  if (seconds < 172_800) return `${(seconds / 3_600).toFixed(1)} h`
  return `${(seconds / 86_400).toFixed(1)} days`
}

/** Formats a share as percent; small ones with one decimal. */
export function percent(share: number): string {
  const hundredths = share * 100
  const text = Math.abs(hundredths) < 10 ? hundredths.toFixed(1) : whole(hundredths)
  return `${text.replace('-', '−')} %`
}

export function bytes(count: number): string {
  if (count < 1e6) return `${whole(count / 1e3)} kB`
  return count < 1e9 ? `${whole(count / 1e6)} MB` : `${(count / 1e9).toFixed(1)} GB`
}

/** Formats a rate per second. */
export function times(rate: number): string {
  return rate < 10 ? rate.toFixed(2) : whole(rate)
}
