type Child = Node | string | undefined

/** Creates an element. Strings become text nodes, never markup; undefined attributes are left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, value)
  }
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/**
 * Returns the element of the page's HTML with this id.
 * @throws Error if there is none
 */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}

/** Creates a link that opens in a new tab and sends no referrer. */
export function outLink(href: string, label: Child): HTMLAnchorElement {
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, label)
}

/** Creates a button that ignores presses while busy but keeps the focus. */
export function button(
  { action, kind, busy }: { action: string; kind?: 'main' | 'quiet'; busy?: boolean },
  label: string | readonly Child[],
  press: () => void,
): HTMLButtonElement {
  const made = element(
    'button',
    {
      type: 'button',
      'data-action': action,
      class: kind,
      'aria-disabled': busy ? 'true' : undefined,
    },
    ...(typeof label === 'string' ? [label] : label),
  )
  made.addEventListener('click', () => {
    if (!busy) press()
  })
  return made
}
