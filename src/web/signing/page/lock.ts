/** Lifetime of a stored lock in milliseconds: hidden tabs may run timers only once a minute. */
const lifetimeMs = 90_000
const renewMs = 20_000
/** Milliseconds after which concurrent writes of two tabs are visible to both. */
const settleMs = 100

/**
 * Runs `act` unless another tab of this browser holds the same lock. The lock ends with the action or the tab.
 * @returns whether it ran
 */
export async function withTabLock(name: string, act: () => Promise<void>): Promise<boolean> {
  // Not available over plain http and in old browsers.
  const { locks }: { locks?: LockManager } = navigator
  if (!locks) return withStorageLock(name, act)
  return locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await act()
    return lock !== null
  })
}

async function withStorageLock(name: string, act: () => Promise<void>): Promise<boolean> {
  const id = String(Math.random())
  const hold = () => localStorage.setItem(name, `${id} ${Date.now() + lifetimeMs}`)
  const release = () => {
    if (holderOf(name) === id) localStorage.removeItem(name)
  }
  try {
    if (holderOf(name) !== undefined) return false
    hold()
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    // Two tabs may have seen it free: the one that wrote last holds it.
    if (holderOf(name) !== id) return false
  } catch {
    // Storage is disabled or full, so other tabs can't be detected.
    await act()
    return true
  }
  const timer = setInterval(hold, renewMs)
  window.addEventListener('pagehide', release)
  try {
    await act()
    return true
  } finally {
    clearInterval(timer)
    window.removeEventListener('pagehide', release)
    release()
  }
}

function holderOf(name: string): string | undefined {
  const [id, until] = (localStorage.getItem(name) ?? '').split(' ')
  return Number(until) > Date.now() ? id : undefined
}
