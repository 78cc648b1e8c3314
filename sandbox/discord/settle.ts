import type {
  APIAttachment,
  APIMessageTopLevelComponent,
  APISectionAccessoryComponent,
  APIUnfurledMediaItem,
} from 'discord-api-types/v10'

/** Uploaded files by the name that components refer to them by. */
export type Uploaded = ReadonlyMap<string, APIAttachment>

/**
 * Checked components as Discord stores them: each with an id, `attachment://` replaced by where the
 * file is served. The request's own objects stay as they are.
 */
export function settleComponents(
  components: readonly APIMessageTopLevelComponent[],
  uploaded: Uploaded,
): APIMessageTopLevelComponent[] {
  const settler = new Settler(uploaded)
  for (const component of components) settler.reserve(component)
  return components.map((component) => settler.top(component))
}

interface Node {
  id?: number | undefined
  components?: readonly Node[]
  accessory?: Node
}

class Settler {
  readonly #uploaded: Uploaded
  readonly #taken = new Set<number>()
  #last = 0

  constructor(uploaded: Uploaded) {
    this.#uploaded = uploaded
  }

  reserve(node: Node): void {
    if (node.id !== undefined && node.id !== 0) this.#taken.add(node.id)
    if (node.accessory !== undefined) this.reserve(node.accessory)
    for (const inner of node.components ?? []) this.reserve(inner)
  }

  top(component: APIMessageTopLevelComponent): APIMessageTopLevelComponent {
    const id = this.#id(component)
    switch (component.type) {
      case 1:
        return {
          ...component,
          id,
          components: component.components.map((each) => this.#leaf(each)),
        }
      case 9:
        return {
          ...component,
          id,
          components: component.components.map((each) => this.#leaf(each)),
          accessory: this.#accessory(component.accessory),
        }
      case 12:
        return {
          ...component,
          id,
          items: component.items.map((item) => ({ ...item, media: this.#media(item.media) })),
        }
      case 13: {
        const file = this.#media(component.file)
        const known = this.#attachment(component.file.url)
        return { ...component, id, file, ...(known && { name: known.filename, size: known.size }) }
      }
      case 17:
        return {
          ...component,
          id,
          components: component.components.map((each) => this.#inner(each)),
        }
      default:
        return { ...component, id }
    }
  }

  #inner<T extends APIMessageTopLevelComponent>(component: T): T {
    return { ...component, ...this.top(component) }
  }

  #accessory(accessory: APISectionAccessoryComponent): APISectionAccessoryComponent {
    const id = this.#id(accessory)
    return accessory.type === 11
      ? { ...accessory, id, media: this.#media(accessory.media) }
      : { ...accessory, id }
  }

  #leaf<T extends Node>(node: T): T {
    return { ...node, id: this.#id(node) }
  }

  #id(node: Node): number {
    if (node.id !== undefined && node.id !== 0) return node.id
    do this.#last++
    while (this.#taken.has(this.#last))
    return this.#last
  }

  #attachment(url: string): APIAttachment | undefined {
    const scheme = 'attachment://'
    return url.startsWith(scheme) ? this.#uploaded.get(url.slice(scheme.length)) : undefined
  }

  #media(media: APIUnfurledMediaItem): APIUnfurledMediaItem {
    const known = this.#attachment(media.url)
    if (known === undefined) return { ...media, proxy_url: media.url }
    return {
      ...media,
      url: known.url,
      proxy_url: known.proxy_url,
      attachment_id: known.id,
      ...(known.content_type === undefined ? {} : { content_type: known.content_type }),
    }
  }
}
