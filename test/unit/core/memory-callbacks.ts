import type { CallbackStore } from '../../../src/core/callback-data.ts'

/** Keeps lines for a test, under ids as long as the real ones. */
export function memoryCallbacks(): CallbackStore & { count(): number; forget(): void } {
  let lines: (string | undefined)[] = []
  const named = new Map<string, string>()
  return {
    store: async (line, id) => {
      if (id !== undefined) {
        named.set(id, line)
        return id
      }
      const at = lines.indexOf(line)
      const index = at < 0 ? lines.push(line) - 1 : at
      return String(index).padStart(16, '0')
    },
    find: async (id) => named.get(id) ?? (/^\d{16}$/u.test(id) ? lines[Number(id)] : undefined),
    count: () => lines.length,
    forget: () => {
      named.clear()
      lines = lines.map(() => undefined)
    },
  }
}
