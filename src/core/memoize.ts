/**
 * `make`, but called once for an object for as long as the object lives: for what depends on nothing else and costs
 * more than looking it up. What rejects is made anew the next time.
 */
export function memoize<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, { made: Made }>()
  return (key) => {
    const before = known.get(key)
    if (before) return before.made
    const made = make(key)
    known.set(key, { made })
    if (made instanceof Promise) made.catch(() => known.delete(key))
    return made
  }
}
