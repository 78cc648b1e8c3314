import type {
  APIButtonComponent,
  APIContainerComponent,
  APIFileComponent,
  APIMediaGalleryComponent,
  APIMessageComponent,
  APISectionComponent,
  APIThumbnailComponent,
} from 'discord-api-types/v10'
import { button, el, icon, icons } from './discord-dom.ts'
import { type Roster, renderSelect } from './discord-select.ts'
import { type Names, renderMarkdown } from './discord-text.ts'

/** What drawing a message's components needs of the panel. */
export interface Drawing {
  names: Names
  roster: Roster
  address: (url: string) => string
  press: (control: string, element: HTMLElement) => void
  choose: (control: string, values: string[], element: HTMLElement) => void
}

/** One component of a message, with all that is in it. */
export function renderComponent(component: APIMessageComponent, d: Drawing): HTMLElement {
  switch (component.type) {
    case 1:
      return el(
        'div',
        { class: 'dc-row' },
        ...component.components.map((c) => renderComponent(c, d)),
      )
    case 2:
      return renderButton(component, d)
    case 3:
    case 5:
    case 6:
    case 7:
    case 8: {
      const box = renderSelect(component, d.roster, d.names, (values) =>
        d.choose(component.custom_id, values, box),
      )
      return box
    }
    case 9:
      return renderSection(component, d)
    case 10:
      return renderMarkdown(component.content, d.names)
    case 11:
      return renderThumbnail(component, d)
    case 12:
      return renderGallery(component, d)
    case 13:
      return renderFile(component, d)
    case 14: {
      const large = component.spacing === 2 ? ' large' : ''
      const line = component.divider === false ? '' : ' line'
      return el('div', { class: `dc-separator${large}${line}` })
    }
    case 17:
      return renderContainer(component, d)
    default:
      return el('div', { class: 'dc-subtext' }, 'This component is not shown here.')
  }
}

const styles = ['', 'primary', 'secondary', 'success', 'danger', 'link', 'premium']

function renderButton(component: APIButtonComponent, d: Drawing): HTMLElement {
  const style = styles[component.style] ?? 'secondary'
  const named = 'label' in component || 'emoji' in component
  const emoji = named && component.emoji?.name ? component.emoji.name : undefined
  const label = named ? component.label : 'Premium'
  const inside = [
    emoji === undefined ? undefined : el('span', { class: 'dc-button-emoji' }, emoji),
    label ? el('span', {}, label) : undefined,
  ]
  if ('url' in component) {
    const link = { class: 'dc-button link', href: component.url, title: component.url }
    const safe = { target: '_blank', rel: 'noopener noreferrer' }
    const off = component.disabled ? { 'aria-disabled': 'true', tabindex: '-1' } : {}
    return el(
      'a',
      { ...link, ...safe, ...off },
      ...inside,
      icon(icons.outward, 'dc-icon dc-outward'),
    )
  }
  const control = 'custom_id' in component ? component.custom_id : ''
  const element = button(
    {
      class: `dc-button ${style}`,
      disabled: component.disabled === true,
      'data-control': control,
    },
    () => d.press(control, element),
    ...inside,
  )
  return element
}

function renderSection(section: APISectionComponent, d: Drawing): HTMLElement {
  return el(
    'div',
    { class: 'dc-section' },
    el(
      'div',
      { class: 'dc-section-text' },
      ...section.components.map((c) => renderComponent(c, d)),
    ),
    el('div', { class: 'dc-section-side' }, renderComponent(section.accessory, d)),
  )
}

function picture(url: string, alt: string | null | undefined, d: Drawing): HTMLImageElement {
  return el('img', {
    src: d.address(url),
    alt: alt ?? '',
    referrerpolicy: 'no-referrer',
    loading: 'lazy',
  })
}

function veil(element: HTMLElement, spoiler: boolean | undefined): HTMLElement {
  if (!spoiler) return element
  const cover = el('div', { class: 'dc-veil', role: 'button', tabindex: '0' }, element)
  cover.addEventListener('click', () => cover.classList.add('shown'))
  return cover
}

function renderThumbnail(thumbnail: APIThumbnailComponent, d: Drawing): HTMLElement {
  const image = picture(thumbnail.media.url, thumbnail.description, d)
  image.className = 'dc-thumbnail'
  return veil(image, thumbnail.spoiler)
}

function renderGallery(gallery: APIMediaGalleryComponent, d: Drawing): HTMLElement {
  const items = gallery.items.map((item) =>
    veil(picture(item.media.url, item.description, d), item.spoiler),
  )
  const several = items.length > 1 ? ' several' : ''
  return el('div', { class: `dc-gallery${several}` }, ...items)
}

function renderFile(file: APIFileComponent, d: Drawing): HTMLElement {
  return renderAttachment(file.name ?? 'file', file.size ?? 0, d.address(file.file.url))
}

/** A file to download, with its name and size. */
export function renderAttachment(name: string, size: number, url: string): HTMLElement {
  const shown = size < 1024 ? `${size} bytes` : `${(size / 1024).toFixed(2)} KB`
  return el(
    'div',
    { class: 'dc-file' },
    icon(icons.file, 'dc-icon dc-file-icon'),
    el(
      'div',
      { class: 'dc-file-text' },
      el('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, name),
      el('span', { class: 'dc-file-size' }, shown),
    ),
  )
}

/** The colour of an accent bar, from Discord's number. */
export function accent(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`
}

function renderContainer(container: APIContainerComponent, d: Drawing): HTMLElement {
  const box = el(
    'div',
    { class: 'dc-container' },
    ...container.components.map((component) => renderComponent(component, d)),
  )
  const color = container.accent_color
  if (color !== undefined && color !== null) {
    box.classList.add('accented')
    box.style.setProperty('--accent', accent(color))
  }
  return veil(box, container.spoiler)
}
