/** Formats the remaining time as minutes and seconds, or hours and minutes. */
function left(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
  return `${minutes}:${two(seconds % 60)}`
}

/** Shows the link's remaining time every second, and calls back once when it is over. */
export function countDown(
  shown: HTMLElement,
  secondsLeft: () => number,
  onEnd: () => void,
): () => void {
  const stop = () => {
    clearInterval(timer)
    shown.textContent = ''
  }
  const tick = () => {
    const seconds = secondsLeft()
    shown.textContent = `Link expires in ${left(seconds)}`
    shown.dataset.soon = String(seconds < 300)
    if (seconds > 0) return
    stop()
    onEnd()
  }
  const timer = setInterval(tick, 1_000)
  tick()
  return stop
}
