import { createHash } from 'node:crypto'
import type { Tone } from '../chat/view.ts'

export const ink = '#f8fafc'
export const quiet = '#94a3b8'
export const track = '#26324a'
export const rising = '#34d399'
export const falling = '#f87171'

export const tones: Record<Tone, string> = {
  neutral: '#93b4ff',
  good: rising,
  warn: '#fbbf24',
  bad: falling,
}

/** An asset's own pair of colours, the same for ever. */
export function colours(asset: string): readonly [from: string, to: string] {
  const [first = 0, second = 0, third = 0] = createHash('sha256')
    .update(asset.toLowerCase())
    .digest()
  const hue = Math.round(((first * 256 + second) / 65_536) * 360)
  const other = (hue + 40 + Math.round((third / 256) * 60)) % 360
  return [`hsl(${hue}, 75%, 58%)`, `hsl(${other}, 70%, 42%)`]
}
