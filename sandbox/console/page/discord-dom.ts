type Child = Node | string | undefined

type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** Makes an element; text is always set as text, never as markup. `class` and others are attributes. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '')
    else if (typeof value === 'string') element.setAttribute(name, value)
  }
  for (const child of children) if (child !== undefined) element.append(child)
  return element
}

/** A button that does something; never sends a form. */
export function button(
  attributes: Attributes,
  onClick: (event: MouseEvent) => void,
  ...children: Child[]
): HTMLButtonElement {
  const element = el('button', { type: 'button', ...attributes }, ...children)
  element.addEventListener('click', onClick)
  return element
}

/** A small drawing, by the data of its path in a square of 24. */
export function icon(path: string, className = 'dc-icon'): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', className)
  svg.setAttribute('aria-hidden', 'true')
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  shape.setAttribute('d', path)
  svg.append(shape)
  return svg
}

export const icons = {
  outward: 'M14 3h7v7h-2V6.4l-9.3 9.3-1.4-1.4L17.6 5H14V3ZM5 5h5v2H5v12h12v-5h2v7H3V5h2Z',
  chevron: 'M7.4 8.6 12 13.2l4.6-4.6L18 10l-6 6-6-6 1.4-1.4Z',
  eye: 'M12 5c5 0 9 4.5 10 7-1 2.5-5 7-10 7S3 14.500 2 12c1-2.500 5-7 10-7Zm0 3.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7Z',
  file: 'M6 2h8l6 6v14H6V2Zm7 1.500V9h5.500L13 3.500Z',
  check: 'M9 16.200 4.800 12l-1.400 1.400L9 19 21 7l-1.400-1.400L9 16.200Z',
  slash: 'M15.500 3h2.200L8.500 21H6.300L15.500 3Z',
} as const
