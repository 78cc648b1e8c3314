import { showcaseAddresses } from './showcase.ts'

/** Texts in place of a figure: no number, or one that can't be true. */
const hostileFigures: readonly unknown[] = [
  '1e400',
  'NaN',
  '-5',
  '',
  [],
  {},
  'Infinity',
  '1e70',
  ' ',
  '0x10',
  '1,234.5',
  '٣',
  true,
  null,
  ['1', '2'],
  { value: '5' },
  '9'.repeat(200),
  '-1e-400',
]

const showcase = new Set<string>(
  Object.values(showcaseAddresses).map((address) => address.toLowerCase()),
)

/** Whether an asset of the hostile dialect has hostile figures: about every third, and none of the showcase. */
export function isHostile(address: string): boolean {
  return !showcase.has(address.toLowerCase()) && Number(BigInt(address) % 3n) === 0
}

/** Picks a text in place of a figure of a hostile asset; one asset always gets the same. */
export function hostileFigure(address: string, field: string): unknown {
  const place = [...field].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  return hostileFigures[(Number(BigInt(address) % 1009n) + place) % hostileFigures.length]
}
