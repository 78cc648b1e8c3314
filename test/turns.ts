/** Counts the turns that other work of the process has from now on; returns how many there were. */
export function countTurns(): () => number {
  let turns = 0
  let isCounting = true
  const count = () => {
    turns += 1
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  return () => {
    isCounting = false
    return turns
  }
}
