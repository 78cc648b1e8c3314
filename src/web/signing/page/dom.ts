type Child = Node | string | undefined

/**
 * An element with these attributes and children. Strings become text, never markup; attributes that are undefined are
 * left out.
 */
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
 * The element of the page's own HTML with this id.
 * @throws Error where there is none.
 */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}

/** A link that opens beside this page and does not tell the other one where it came from. */
export function outLink(href: string, label: Child): HTMLAnchorElement {
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, label)
}

/** A button that does nothing while it is busy, but keeps the focus. */
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
