/** How near the end, in pixels, still counts as reading the newest. */
const nearEnd = 80

interface Options {
  /** What grows in the list; what the list itself shows is watched anyway. */
  content?: HTMLElement
  /** Hears that somebody scrolled. */
  moved?: () => void
}

/**
 * Keeps a scrolling list at its end while the newest is read there: a picture that arrives late, or a keyboard that
 * opens, must not push that out of sight. Whoever scrolls up stays where they are.
 */
export class ListEnd {
  readonly #list: HTMLElement
  #isHeld = true
  #top = 0

  constructor(list: HTMLElement, { content, moved }: Options = {}) {
    this.#list = list
    const keep = () => this.#isHeld && this.hold()
    list.addEventListener('scroll', () => {
      this.#scrolled()
      moved?.()
    })
    list.addEventListener('load', keep, true)
    const observer = new ResizeObserver(keep)
    observer.observe(list)
    if (content) observer.observe(content)
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Goes to the end, and stays there. */
  hold(behavior: 'smooth' | 'instant' = 'instant'): void {
    this.#isHeld = true
    this.#list.scrollTo({ top: this.#list.scrollHeight, behavior })
    this.#top = this.#list.scrollTop
  }

  /** Only going up lets go: the news of a scroll may come when the list has grown since. */
  #scrolled(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#list
    const isUp = scrollTop < this.#top
    this.#top = scrollTop
    if (clientHeight === 0) return
    if (scrollHeight - scrollTop - clientHeight < nearEnd) this.#isHeld = true
    else if (isUp) this.#isHeld = false
  }
}
