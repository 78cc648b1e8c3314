import type { APIApplicationCommandOptionChoice, APIAttachment } from 'discord-api-types/v10'
import type { ConsoleView, Outcome } from '../../discord/console-view.ts'

export type PersonKey = 'ada' | 'ben'
export type PlaceKey = 'private' | 'club' | 'news'

/** Who looks at what. */
export interface Where {
  person: PersonKey
  place: PlaceKey
}

/** The panel's line to the stand-in: acts by POST, the view by a stream that follows the person and place. */
export class DiscordClient {
  readonly #base: string
  readonly #onView: (view: ConsoleView) => void
  #where: Where
  #events: EventSource | undefined

  constructor(base: string, where: Where, onView: (view: ConsoleView) => void) {
    this.#base = base
    this.#where = where
    this.#onView = onView
  }

  get where(): Where {
    return this.#where
  }

  /** Follows another person or place from now on. */
  follow(where: Where): void {
    this.#where = where
    this.#events?.close()
    const query = new URLSearchParams({ person: where.person, place: where.place })
    this.#events = new EventSource(`${this.#base}/events?${query}`)
    this.#events.addEventListener('message', ({ data }) => {
      const view: ConsoleView = JSON.parse(data)
      this.#onView(view)
    })
  }

  say(text: string): Promise<Outcome> {
    return this.#act('say', { text })
  }

  slash(command: string, options: Record<string, string>): Promise<Outcome> {
    return this.#act('slash', { command, options })
  }

  press(message: string, control: string): Promise<Outcome> {
    return this.#act('press', { message, control })
  }

  choose(message: string, control: string, values: string[]): Promise<Outcome> {
    return this.#act('choose', { message, control, values })
  }

  submit(modal: string, values: Record<string, string | string[] | boolean>): Promise<Outcome> {
    return this.#act('submit', { modal, values })
  }

  dismiss(id: string): Promise<Outcome> {
    return this.#act('dismiss', { id })
  }

  async complete(
    command: string,
    options: Record<string, string>,
    focused: string,
  ): Promise<APIApplicationCommandOptionChoice[] | undefined> {
    const answer: { choices?: APIApplicationCommandOptionChoice[] } = await this.#post('complete', {
      command,
      options,
      focused,
    })
    return answer.choices
  }

  async upload(file: File): Promise<APIAttachment> {
    const bytes = new Uint8Array(await file.arrayBuffer())
    let binary = ''
    for (const byte of bytes) binary += String.fromCharCode(byte)
    return this.#post('upload', { name: file.name, type: file.type, base64: btoa(binary) })
  }

  /** Where a picture or file is shown from: uploads come through the console's own origin. */
  address(url: string): string {
    return url.replace(/^https?:\/\/127\.0\.0\.1:\d+\/attachments\//, `${this.#base}/attachments/`)
  }

  async #act(path: string, body: object): Promise<Outcome> {
    try {
      return await this.#post(path, body)
    } catch {
      return { kind: 'refused', message: 'The sandbox does not answer.' }
    }
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${this.#base}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...this.#where, ...body }),
    })
    return response.json()
  }
}
