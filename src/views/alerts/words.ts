/** A span of time in its two largest units, rounded up to whole minutes: `45 min`, `2 h`, `1 h 30 min`, `2 d 3 h`. */
export function timeLeft(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return two([hours, 'h'], [minutes % 60, 'min'])
  return two([Math.floor(hours / 24), 'd'], [hours % 24, 'h'])
}

function two([one, unit]: [number, string], [other, smaller]: [number, string]): string {
  return other === 0 ? `${one} ${unit}` : `${one} ${unit} ${other} ${smaller}`
}

/** `one, two and three` */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** `1 alert`, `2 alerts` */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}
