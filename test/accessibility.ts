import type { Page } from 'playwright-core'

/** What a page has that not everybody can read or hit. */
interface Barriers {
  /** Texts with less contrast than WCAG 2.2 AA asks for (1.4.3), with their ratio. */
  contrast: string[]
  /** What can be pressed and is smaller than 24 by 24 pixels (2.5.8). */
  targets: string[]
  /** What can be pressed and has no name. */
  unnamed: string[]
}

// Runs in the page, of which the types of this folder know nothing.
const measure = `({ texts: decoration, targets: inSentence }) => {
  const colour = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\\d.]+/g).map(Number)
    return { rgb: [red, green, blue], alpha }
  }
  const over = (top, bottom) => top.rgb.map((part, index) => part * top.alpha + bottom[index] * (1 - top.alpha))
  const surface = (element) => {
    if (!element) return [255, 255, 255]
    const own = colour(getComputedStyle(element).backgroundColor)
    return own.alpha === 1 ? own.rgb : over(own, surface(element.parentElement))
  }
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((part) => {
      const value = part / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest('.unseen')
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const contrast = new Set()
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    const text = texts.currentNode.textContent.trim()
    if (text === '' || !isShown(element) || element.closest(decoration)) continue
    if (element.closest('noscript, script, style, [aria-disabled=true], :disabled')) continue
    const style = getComputedStyle(element)
    const back = surface(element)
    const [light, dark] = [luminance(over(colour(style.color), back)), luminance(back)].sort((one, other) => other - one)
    const ratio = (light + 0.05) / (dark + 0.05)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (ratio < (isLarge ? 3 : 4.5)) contrast.add(ratio.toFixed(2) + ' ' + text.slice(0, 40))
  }
  const pressable = [...document.querySelectorAll('a[href], button, summary, input, select, textarea, [role=button]')]
    .filter(isShown)
  const nameOf = (element) =>
    (element.getAttribute('aria-label') ?? '') + element.textContent.trim() +
    [...(element.labels ?? [])].map((label) => label.textContent).join('') +
    [...element.querySelectorAll('img')].map(({ alt }) => alt).join('')
  const small = pressable.filter((element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && (width < 24 || height < 24) && !element.matches(inSentence)
  })
  const described = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return element.tagName + ' ' + nameOf(element).slice(0, 40) + ' ' + Math.round(width) + 'x' + Math.round(height)
  }
  return {
    contrast: [...contrast],
    targets: small.map(described),
    unnamed: pressable.filter((element) => nameOf(element) === '').map(({ outerHTML }) => outerHTML.slice(0, 80)),
  }
}`

/** Selectors of what WCAG excepts: texts that only decorate, and targets within a sentence. */
interface Exceptions {
  texts: string
  targets: string
}

const none: Exceptions = { texts: ':not(*)', targets: ':not(*)' }

/** Measures contrasts and targets of a page as it is now. */
export async function barriersOn(page: Page, except = none): Promise<Barriers> {
  return page.evaluate(`(${measure})(${JSON.stringify(except)})`)
}

/** A desk and a phone, each light and dark. */
export const screens = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${width} pixels, ${colorScheme}`,
    viewport: { width, height: 800 },
    colorScheme,
  })),
)

export const noBarriers: Barriers = { contrast: [], targets: [], unnamed: [] }
