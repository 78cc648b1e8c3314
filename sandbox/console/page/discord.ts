import type { APIApplicationCommandOptionChoice, APIAttachment } from 'discord-api-types/v10'
import type { ConsoleView, Outcome } from '../../discord/console-view.ts'
import { CommandForm } from './command.ts'
import { needsMore, readLine, type Usable, usables } from './command-line.ts'
import { readMarkdown } from './discord-markdown.ts'
import { type DiscordWorld, discordMessage, selectOf } from './discord-message.ts'
import { openModal } from './modal.ts'
import type { Chat, Choice, Message, Place, View } from './model.ts'
import { Pane } from './pane.ts'
import { fetchJson, fileText } from './request.ts'

/** From when on Discord's ids count milliseconds. */
const epoch = 1_420_070_400_000
const people = [
  { id: '1300000000000000101', key: 'ada', name: 'Ada', isBot: false },
  { id: '1300000000000000102', key: 'ben', name: 'Ben', isBot: false },
] as const
const places = [
  { id: 'private', sign: 'bot', name: 'Gavel', about: 'Private chat with Gavel' },
  { id: 'club', sign: '', name: 'otter-club', about: 'Otter Club: everyone may use commands' },
  { id: 'news', sign: '', name: 'otter-news', about: 'Otter Club: only Ada may write' },
] as const

/** Discord's half of the console: draws the panel into `root` and talks to the routes below `base`. */
export function mountDiscord(root: HTMLElement, base: string): void {
  new DiscordChat(root, base).goTo(people[0].id, 'club')
}

class DiscordChat implements Chat {
  readonly #pane: Pane
  readonly #base: string
  #where: { person: string; place: string } = { person: people[0].key, place: 'club' }
  #events: EventSource | undefined
  #view: ConsoleView | undefined
  #commands: Usable[] = []
  /** The newest message that somebody looked at, by person and place. */
  readonly #seen = new Map<string, string>()
  readonly #pending = new Set<{ words: string }>()

  constructor(root: HTMLElement, base: string) {
    this.#base = base
    this.#pane = new Pane(root, 'discord', this)
  }

  get view(): View {
    const { person, place } = this.#where
    const name = places.find(({ id }) => id === place)?.name ?? ''
    const mayWrite = this.#view?.mayWrite !== false
    return {
      people,
      person: people.find(({ key }) => key === person)?.id ?? '',
      places: places.map((each): Place => ({ ...each, isUnread: this.#isUnread(each.id) })),
      place,
      topics: [],
      topic: '',
      messages: this.#messages(),
      isGroup: true,
      intro: this.#view && introOf(this.#view),
      pending: [...this.#pending].map(({ words }) => words),
      placeholder: mayWrite
        ? `Message ${place === 'private' ? '@' : '#'}${name}`
        : 'You do not have permission to send messages in this channel.',
      isReadOnly: !mayWrite,
      maxLength: 2000,
      hasCommands: false,
    }
  }

  /** Follows another person or place from now on. */
  goTo(id: string, place: string): void {
    const person = people.find((each) => each.id === id)?.key ?? ''
    this.#where = { person, place }
    this.#view = undefined
    this.#events?.close()
    this.#pane.element.querySelector('dialog')?.remove()
    this.#events = new EventSource(`${this.#base}/events?${new URLSearchParams(this.#where)}`)
    this.#events.addEventListener('message', ({ data }) => {
      const view: ConsoleView = JSON.parse(data)
      this.#view = view
      this.#commands = usables(view.commands)
      this.#seen.set(
        `${person} ${place}`,
        Object.entries(view.latest).find(([key]) => key === place)?.[1] ?? '',
      )
      this.#pane.update()
    })
    this.#pane.update()
  }

  press({ id }: Message, control: string): Promise<unknown> {
    return this.#act('press', { message: id, control })
  }

  choose({ id }: Message, control: string, values: string[]): Promise<unknown> {
    return this.#act('choose', { message: id, control, values })
  }

  tap(): void {}

  dismiss(id: string): void {
    void this.#act('dismiss', { id })
  }

  typed(text: string): void {
    const exact = /^\/(.+) $/.exec(text)?.[1]
    const command = this.#commands.find(({ name }) => name === exact)
    if (command && command.options.length > 0) this.#choose(command)
    else this.#offerCommands(/^\/([^\n]*)$/.exec(text)?.[1])
  }

  isWhole(text: string): boolean {
    const line = text.startsWith('/') ? readLine(text, this.#commands) : undefined
    return line !== undefined && !needsMore(line.command, line.values)
  }

  submit(text: string): void {
    const line = text.startsWith('/') ? readLine(text, this.#commands) : undefined
    void this.#submit(text, line)
  }

  follow(url: string): boolean {
    const view = this.#view
    const link = URL.canParse(url) ? new URL(url) : undefined
    if (!view || `${link?.host}${link?.pathname}` !== 'discord.com/oauth2/authorize') return false
    if (link?.searchParams.get('client_id') !== view.bot.id) return false
    void this.#add(view)
    return true
  }

  attach(): void {}

  listCommands(): void {}

  #isUnread(place: 'private' | 'club' | 'news'): boolean {
    const newest = this.#view?.latest[place] ?? ''
    return newest !== '' && newest !== this.#seen.get(`${this.#where.person} ${place}`)
  }

  get #world(): DiscordWorld | undefined {
    const view = this.#view
    return (
      view && {
        view,
        names: (kind, id) => view.names[kind][id],
        // Uploads come through the console's own origin.
        address: (url) =>
          url.replace(/^https?:\/\/127\.0\.0\.1:\d+\/attachments\//, `${this.#base}/attachments/`),
      }
    )
  }

  #messages(): Message[] {
    const world = this.#world
    if (!world) return []
    const messages = world.view.messages.map((message) => discordMessage(message, world))
    // Ids grow with time; a note stands where its command was used.
    return [...messages, ...silences(world.view)].sort((a, b) =>
      BigInt(a.id) < BigInt(b.id) ? -1 : 1,
    )
  }

  #offerCommands(typed: string | undefined): void {
    const fitting = this.#commands.filter(
      ({ name }) => typed !== undefined && name.startsWith(typed),
    )
    const entries = fitting.map((command) => ({
      label: `/${command.name}`,
      about: command.about,
      thumbnail: 'bot',
      pick: () => this.#choose(command),
    }))
    const offer = { heading: 'Gavel', entries, isFirstPicked: true }
    this.#pane.composer.offer(entries.length > 0 ? offer : undefined)
  }

  #choose(command: Usable): void {
    const { composer } = this.#pane
    composer.clear()
    if (command.options.length === 0) {
      void this.#run(command, {})
      return
    }
    const form = new CommandForm(command, composer, {
      complete: async (options, focused) => {
        const body = { ...this.#where, command: command.name, options, focused }
        const answer = await fetchJson<{ choices?: APIApplicationCommandOptionChoice[] }>(
          `${this.#base}/complete`,
          body,
        )
        return answer.choices
      },
      roles: () => (this.#view ? rolesIn(this.#view) : []),
      run: async (values) => {
        const refused = await this.#run(command, values)
        if (composer.form !== form) return
        if (refused === undefined) composer.leave()
        else form.blame(refused)
      },
    })
    composer.fillIn(form)
  }

  async #submit(text: string, line: ReturnType<typeof readLine>): Promise<void> {
    const refused = line
      ? await this.#run(line.command, line.values)
      : refusalOf(await this.#act('say', { text }))
    if (refused === undefined) return
    this.#pane.composer.fill(text)
    this.#pane.composer.complain(refused)
  }

  /** Uses a command, and shows that it is on its way; resolves with why it was refused. */
  async #run({ name }: Usable, options: Record<string, string>): Promise<string | undefined> {
    const pending = { words: `Sending /${name}…` }
    this.#pending.add(pending)
    const outcome = this.#act('slash', { command: name, options })
    this.#pane.update()
    const refused = refusalOf(await outcome)
    this.#pending.delete(pending)
    this.#pane.composer.complain(refused ?? '')
    return refused
  }

  async #act(path: string, body: object): Promise<Outcome> {
    const outcome = await fetchJson<Outcome>(`${this.#base}/${path}`, {
      ...this.#where,
      ...body,
    }).catch((): Outcome => ({ kind: 'refused', message: 'The sandbox does not answer.' }))
    if (outcome.kind === 'modal') this.#openModal(outcome)
    return outcome
  }

  #openModal({ id, modal }: Extract<Outcome, { kind: 'modal' }>): void {
    const world = this.#world
    if (!world) return
    openModal(this.#pane.element, modal, {
      bot: { ...world.view.bot, isBot: true },
      markdown: (source) => readMarkdown(source, world.names),
      select: selectOf,
      upload: (file) => this.#upload(file),
      submit: async (values) => {
        const outcome = await this.#act('submit', { modal: id, values })
        return outcome.kind === 'silent' ? 'Something went wrong. Try again.' : refusalOf(outcome)
      },
    })
  }

  async #add({ servers, bot }: ConsoleView): Promise<void> {
    const words = {
      title: `Add ${bot.name} to a server`,
      about: 'It is in this one: it leaves first, and comes as to a new one.',
      empty: 'You manage no server here.',
    }
    const choices = servers.map((server) => ({ ...server, sign: '' }))
    const server = await this.#pane.pick(words, choices)
    if (!server) return
    await this.#act('add', { server: server.id })
    this.goTo(this.view.person, 'club')
  }

  async #upload(file: File): Promise<string> {
    const { name, type } = file
    const body = { ...this.#where, name, type, base64: await fileText(file) }
    return (await fetchJson<APIAttachment>(`${this.#base}/upload`, body)).id
  }
}

const refusalOf = (outcome: Outcome): string | undefined =>
  outcome.kind === 'refused' ? outcome.message : undefined

const rolesIn = ({ names }: ConsoleView): Choice[] =>
  Object.entries(names.role).map(([value, label]) => ({ value, label }))

/** The commands that the bot left unanswered. */
function silences({ notices, names, bot }: ConsoleView): Message[] {
  return notices.flatMap(({ id, about, viewer }) => {
    if (about.kind !== 'command') return []
    const by = { id: viewer, name: names.user[viewer] ?? '', isBot: false }
    const silence: Message = {
      id,
      author: { ...bot, isBot: true },
      at: Number(BigInt(id) >> 22n) + epoch,
      isOwn: false,
      isEdited: false,
      used: { by, command: about.name },
      body: [],
      isPrivate: true,
      failure: 'The application did not respond',
    }
    return [silence]
  })
}

function introOf({ channel, commands, mayWrite }: ConsoleView): View['intro'] {
  const hint = commands.length > 0 && mayWrite ? 'Type / to see what Gavel can do.' : undefined
  if (channel.kind === 'private') {
    const about = `This is the beginning of your direct message history with ${channel.name}.`
    return { title: channel.name, about, hint }
  }
  const about = `This is the start of the #${channel.name} channel of ${channel.server}.`
  return { title: `Welcome to #${channel.name}!`, about, hint }
}
