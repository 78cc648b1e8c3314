/** Milliseconds for which a stored lock lasts: hidden tabs may renew theirs once a minute only. */
const lasts = 90_000
const renewed = 20_000
/** Milliseconds after which what two tabs stored at once has settled. */
const settles = 100

/**
 * Acts unless another tab of this browser acts under the same name; says whether it did. The lock ends with the act, or
 * with the tab.
 */
export async function alone(name: string, act: () => Promise<void>): Promise<boolean> {
  // Absent on plain http, and in old browsers.
  const { locks }: { locks?: LockManager } = navigator
  if (!locks) return aloneByStorage(name, act)
  return locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await act()
    return lock !== null
  })
}

async function aloneByStorage(name: string, act: () => Promise<void>): Promise<boolean> {
  const id = String(Math.random())
  const hold = () => localStorage.setItem(name, `${id} ${Date.now() + lasts}`)
  const release = () => {
    if (holderOf(name) === id) localStorage.removeItem(name)
  }
  try {
    if (holderOf(name) !== undefined) return false
    hold()
    await new Promise((resolve) => setTimeout(resolve, settles))
    // Two tabs may have found it free: the one that stored last has it.
    if (holderOf(name) !== id) return false
  } catch {
    // Storage is off or full: no other tab can be seen.
    await act()
    return true
  }
  const timer = setInterval(hold, renewed)
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
