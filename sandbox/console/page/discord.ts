import type { ConsoleView, Outcome } from '../../discord/console-view.ts'
import { DiscordClient, type PersonKey, type PlaceKey, type Where } from './discord-client.ts'
import { Composer } from './discord-composer.ts'
import { button, el } from './discord-dom.ts'
import { avatar } from './discord-message.ts'
import { openModal } from './discord-modal.ts'
import { type Names, refreshTimes } from './discord-text.ts'
import { Timeline } from './discord-timeline.ts'

const people: readonly { key: PersonKey; id: string; name: string; about: string }[] = [
  { key: 'ada', id: '1300000000000000101', name: 'Ada', about: 'administrator' },
  { key: 'ben', id: '1300000000000000102', name: 'Ben', about: 'member' },
]
const places: readonly { key: PlaceKey; sign: string; name: string; about: string }[] = [
  { key: 'private', sign: '@', name: 'Gavel', about: 'Private chat with Gavel' },
  { key: 'club', sign: '#', name: 'otter-club', about: 'Otter Club: everyone may use commands' },
  { key: 'news', sign: '#', name: 'otter-news', about: 'Otter Club: only Ada may write' },
]

/** Discord's half of the console: draws the panel into `root` and talks to the routes below `base`. */
export function mountDiscord(root: HTMLElement, base: string): void {
  root.dataset.panel = 'discord'
  root.classList.add('dc')
  new DiscordPanel(root, base).start()
}

class DiscordPanel {
  readonly #root: HTMLElement
  readonly #client: DiscordClient
  readonly #composer: Composer
  readonly #timeline: Timeline
  readonly #header = el('header', { class: 'dc-header' })
  /** The newest message that somebody looked at, by person and place. */
  readonly #seen = new Map<string, string>()
  #view: ConsoleView | undefined

  constructor(root: HTMLElement, base: string) {
    this.#root = root
    const where: Where = { person: 'ada', place: 'club' }
    this.#client = new DiscordClient(base, where, (view) => this.#show(view))
    this.#timeline = new Timeline((id) => void this.#client.dismiss(id))
    this.#composer = new Composer({
      client: this.#client,
      names: this.#names,
      roster: () => this.#roster(),
      follow: (command, act) => this.#follow(command, act),
    })
  }

  start(): void {
    this.#root.replaceChildren(this.#header, this.#timeline.element, this.#composer.element)
    this.#go(this.#client.where)
    setInterval(() => refreshTimes(this.#root), 1_000)
  }

  #go(where: Where): void {
    this.#view = undefined
    this.#composer.reset()
    this.#timeline.reset()
    this.#root.querySelector('.dc-cover')?.remove()
    this.#drawHeader(where)
    this.#client.follow(where)
  }

  #drawHeader(where: Where): void {
    const chooser = <K extends string>(
      label: string,
      items: readonly { key: K; name: string; about: string }[],
      chosen: K,
      draw: (item: { key: K; name: string; about: string }) => (Node | string)[],
      go: (key: K) => void,
    ) =>
      el(
        'div',
        { class: `dc-choice ${label.toLowerCase()}`, role: 'group', 'aria-label': label },
        ...items.map((item) =>
          button(
            {
              title: item.about,
              'aria-label': item.name,
              'aria-pressed': String(item.key === chosen),
              'data-key': item.key,
            },
            () => go(item.key),
            ...draw(item),
          ),
        ),
      )
    const sign = (key: PlaceKey) => places.find((place) => place.key === key)?.sign ?? ''
    const face = (key: PersonKey) => people.find((person) => person.key === key)?.id ?? ''
    this.#header.replaceChildren(
      chooser(
        'Place',
        places,
        where.place,
        ({ key, name }) => [el('span', { class: 'dc-sign' }, sign(key)), name],
        (place) => this.#go({ ...this.#client.where, place }),
      ),
      chooser(
        'Person',
        people,
        where.person,
        ({ key, name }) => [avatar(face(key), name, false), el('span', {}, name)],
        (person) => this.#go({ ...this.#client.where, person }),
      ),
    )
  }

  #show(view: ConsoleView): void {
    this.#view = view
    this.#markUnread(view)
    this.#composer.show(view)
    const drawing = {
      view,
      names: this.#names,
      roster: () => this.#roster(),
      address: (url: string) => this.#client.address(url),
      dismiss: (id: string) => void this.#client.dismiss(id),
    }
    this.#timeline.show(view, drawing, (message, control, values) =>
      this.#settle(
        values === undefined
          ? this.#client.press(message, control)
          : this.#client.choose(message, control, values),
      ),
    )
  }

  #markUnread({ self, latest }: ConsoleView): void {
    const { place } = this.#client.where
    this.#seen.set(`${self} ${place}`, latest[place])
    for (const { key } of places) {
      const isUnread = latest[key] !== '' && latest[key] !== this.#seen.get(`${self} ${key}`)
      this.#header.querySelector(`[data-key=${key}]`)?.classList.toggle('dc-unread', isUnread)
    }
  }

  readonly #names: Names = (kind, id) => this.#view?.names[kind][id]

  #roster() {
    const names = this.#view?.names
    return {
      users: Object.keys(names?.user ?? {}),
      roles: Object.keys(names?.role ?? {}),
      channels: Object.keys(names?.channel ?? {}),
    }
  }

  async #follow(command: string, act: Promise<Outcome>): Promise<Outcome> {
    const done = this.#timeline.sending(command)
    const outcome = await this.#settle(act)
    done()
    return outcome
  }

  async #settle(act: Promise<Outcome>): Promise<Outcome> {
    const outcome = await act
    if (outcome.kind === 'modal' && this.#view !== undefined) {
      const { bot } = this.#view
      const cover = openModal(outcome.modal, {
        client: this.#client,
        names: this.#names,
        roster: () => this.#roster(),
        bot,
        submit: (values) => this.#settle(this.#client.submit(outcome.id, values)),
      })
      this.#root.append(cover)
    }
    return outcome
  }
}
