import { speeds } from '../speeds.ts'

interface SpeedParts {
  /** Where the present speed stands beside the slider. */
  label: HTMLElement
  /** A person let go of the slider, or pressed a key on it. */
  chosen(speed: number): void
}

/** Brings the time slider to life; returns what shows a speed that was set elsewhere. */
export function mountSpeed(
  slider: HTMLInputElement,
  { label, chosen }: SpeedParts,
): (speed: number) => void {
  slider.max = String(speeds.length - 1)
  const show = (speed: number) => {
    const index = speeds.indexOf(speed)
    slider.value = String(index)
    label.textContent = `×${speed}`
    slider.dataset.speed = String(speed)
    slider.setAttribute(
      'aria-valuetext',
      speed === 1 ? 'as fast as the clock' : `${speed} times as fast as the clock`,
    )
  }
  const atSlider = () => speeds[Number(slider.value)] ?? 1
  slider.addEventListener('input', () => show(atSlider()))
  slider.addEventListener('change', () => chosen(atSlider()))
  return show
}
