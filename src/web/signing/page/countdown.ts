/** Formats the remaining time as minutes and seconds, or hours and minutes. */
function formatRemaining(seconds: number): string {
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
  return `${minutes}:${twoDigits(seconds % 60)}`
}

/** Shows the link's remaining time every second, and calls back once when it is over. */
export function countDown(
  output: HTMLElement,
  secondsLeft: () => number,
  onEnd: () => void,
): () => void {
  const stop = () => {
    clearInterval(timer)
    output.textContent = ''
  }
  const tick = () => {
    const seconds = secondsLeft()
    output.textContent = `Link expires in ${formatRemaining(seconds)}`
    output.dataset.soon = String(seconds < 300)
    if (seconds > 0) return
    stop()
    onEnd()
  }
  const timer = setInterval(tick, 1_000)
  tick()
  return stop
}
