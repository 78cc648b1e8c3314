/**
 * Caches the results of `make` by the identity of its argument, for as long as that object lives. A promise that rejects
 * is not cached.
 * @example
 *   const render = memoize((view: View) => renderTelegram(view, callbacks))
 */
export function memoize<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const cache = new WeakMap<Key, { made: Made }>()
  return (key) => {
    const cached = cache.get(key)
    if (cached) return cached.made
    const made = make(key)
    cache.set(key, { made })
    if (made instanceof Promise) made.catch(() => cache.delete(key))
    return made
  }
}
