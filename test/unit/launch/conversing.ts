import { alerts } from '../../../commands/alerts.ts'
import { conversation } from '../../../commands/conversation.ts'
import { cancel, launch, launching, metadata } from '../../../commands/launch.ts'
import type { Services } from '../../../commands/services.ts'
import type { LocalChain } from '../../../sandbox/chain/chain.ts'
import { ChatAlerts, ManagedChats } from '../../../src/alerts/chat-alerts.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { AssetCards, ShownCards } from '../../../src/cards/asset-card.ts'
import { Authenticity } from '../../../src/cards/authenticity.ts'
import { chainById } from '../../../src/chain/chains.ts'
import type { Context } from '../../../src/core/command.ts'
import type { Form, IncomingFile } from '../../../src/core/conversation.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { CommandRunner } from '../../../src/core/runner.ts'
import type { LocalisedView } from '../../../src/core/view.ts'
import { ChatSettings } from '../../../src/db/chat-settings.ts'
import { PendingQuestions } from '../../../src/db/pending-questions.ts'
import { Watchlists } from '../../../src/db/watchlists.ts'
import type { Draft, Drafts } from '../../../src/launch/draft.ts'
import type { Payloads } from '../../../src/launch/payload.ts'
import type { Pictures } from '../../../src/launch/pictures.ts'
import type { LaunchSettings, Template } from '../../../src/launch/settings.ts'
import { createLogger } from '../../../src/log.ts'
import { errorView } from '../../../src/views/error.ts'
import { commandSettings, noJobs } from '../../settings.ts'
import { AskedBot } from '../core/asked.ts'
import { shown } from '../views/shown.ts'
import { ada, LaunchHarness } from './harness.ts'

export const standard: Template = {
  id: 'standard',
  label: 'Standard',
  chain: 8453,
  openShare: '95',
}
export const fast: Template = {
  id: 'fast one',
  label: 'Fast',
  chain: 8453,
  openShare: '95',
  about: 'Ends in a day.',
}
export const trial: Template = { id: 'trial', label: 'Trial', chain: 84532, openShare: '95' }

export function settingsOf(templates: readonly Template[]): LaunchSettings {
  return {
    templates,
    launchers: {},
    modules: {},
    symbol: { pattern: /^[A-Za-z0-9]{1,15}$/u },
    integrator: undefined,
    publicUrl: undefined,
    signingUrlTemplate: undefined,
  }
}

interface HarnessOptions {
  templates?: readonly Template[]
  canPublish?: boolean
  /** Without it there is no node. */
  chain?: LocalChain | undefined
}

/** Launches, reached as platforms reach them. */
export class ConversationHarness {
  readonly #launches: LaunchHarness
  readonly #options: Required<Omit<HarnessOptions, 'chain'>>

  private constructor(launches: LaunchHarness, options: Required<Omit<HarnessOptions, 'chain'>>) {
    this.#launches = launches
    this.#options = options
  }

  /** Starts a harness that is stopped after the test. */
  static async start({ chain, ...options }: HarnessOptions = {}): Promise<ConversationHarness> {
    const launches = await LaunchHarness.start(chain && { chain })
    // The 14th of November 2023, 22:13.
    launches.ahead += 1_700_000_000 - launches.now()
    return new ConversationHarness(launches, {
      templates: [standard],
      canPublish: true,
      ...options,
    })
  }

  get apiServer(): LaunchHarness['apiServer'] {
    return this.#launches.apiServer
  }

  /** Lets so many seconds pass. */
  passes(seconds: number): void {
    this.#launches.ahead += seconds
  }

  /** A bot of its own over the same file, as after a restart or as another replica. */
  async bot(changed: HarnessOptions = {}) {
    const { templates, canPublish } = { ...this.#options, ...changed }
    const { now } = this.#launches
    const bot = await this.#launches.bot({ settings: settingsOf(templates), canPublish })
    const subscriptions = new Subscriptions({ store: bot.store, now, perChat: 1 })
    const services: Services = {
      api: bot.api,
      fakes: new Authenticity({ api: bot.api }),
      ...commandSettings,
      chains: [chainById(8453), chainById(84532)],
      cards: new AssetCards({ ...commandSettings, pictures: undefined, now }),
      chatSettings: new ChatSettings(bot.store),
      shownCards: new ShownCards(),
      watchlists: new Watchlists(bot.store),
      admin: { context: { store: bot.store, now, jobs: noJobs }, admins: [] },
      questions: new PendingQuestions(bot.store, now),
      alerts: new ChatAlerts({
        subscriptions,
        managed: new ManagedChats(bot.store, now),
        adapters: { telegram: undefined, discord: undefined },
        now,
      }),
      now,
      launches: templates.length === 0 ? undefined : bot.launches,
    }
    const dispatcher = new AskedBot({
      runner: new CommandRunner({
        commands: [alerts, launch, launching, cancel, metadata],
        conversation,
        services,
      }),
      explain: errorView,
      log: createLogger('silent', []),
      floodLimits: { person: 100_000, chat: 100_000 },
    })
    return { ...bot, dispatcher }
  }

  /** A person at a bot of their own. */
  async person(context = ada, changed: HarnessOptions = {}): Promise<Person> {
    return this.at(await this.bot(changed), context)
  }

  /** A person at this bot. */
  at(bot: Awaited<ReturnType<ConversationHarness['bot']>>, context: Context): Person {
    return new Person(bot, context)
  }
}

/** Somebody who answers questions; `view` is what they see now. */
export class Person {
  readonly #bot: AskedBot
  readonly drafts: Drafts
  readonly pictures: Pictures
  readonly payloads: Payloads
  readonly context: Context
  view: LocalisedView = { title: [], blocks: [] }
  outcome: Answer['outcome'] = 'answered'

  constructor(parts: Awaited<ReturnType<ConversationHarness['bot']>>, context: Context) {
    this.#bot = parts.dispatcher
    this.drafts = parts.drafts
    this.pictures = parts.pictures
    this.payloads = parts.payloads
    this.context = context
  }

  /** Runs a line, as a button or a link of ours does. */
  async sends(line: string): Promise<string[]> {
    return this.#sees(await this.#bot.presses(line, this.context))
  }

  /** Writes into the private chat, with files beside it. */
  async says(words: string, ...files: IncomingFile[]): Promise<string[]> {
    const heard = { text: words, fields: {}, files }
    return this.#sees(await this.#bot.receive(heard, this.context))
  }

  async presses(label: string): Promise<string[]> {
    return this.sends(this.line(label))
  }

  /** Begins, and answers everything that has to be answered. */
  async answersAll(wallet: string): Promise<void> {
    await this.sends('launch')
    await this.says('Tidal Wren')
    await this.says('$WREN')
    for (let left = 4; left > 0; left -= 1) await this.presses('Skip')
    await this.says(wallet)
    await this.presses('Skip')
    await this.presses('Skip')
  }

  /** Opens the form of what is shown. */
  async opens(): Promise<Form<string>> {
    const form = await this.#bot.form(this.view.form?.line ?? '', this.context)
    if ('fields' in form) return form
    throw new Error(shown(form.view).join('\n'))
  }

  /** Sends a form, whose other fields stay as they were. */
  async fills(form: Form<string>, values: Record<string, string>, ...files: IncomingFile[]) {
    const texts = form.fields.filter(({ kind }) => kind !== 'file')
    const fields = Object.fromEntries(texts.map(({ id, value = '' }) => [id, values[id] ?? value]))
    const heard = { text: '', fields, files, form: form.id }
    return this.#sees(await this.#bot.receive(heard, this.context))
  }

  /** The line behind a button of what is shown. */
  line(label: string): string {
    const found = (this.view.buttons ?? []).flat().find((button) => button.label === label)
    if (found && 'line' in found) return found.line
    throw new Error(`no button ${label} among: ${this.labels().join(', ')}`)
  }

  labels(): string[] {
    return (this.view.buttons ?? []).flat().map(({ label }) => label)
  }

  async draft(): Promise<Draft> {
    const draft = await this.drafts.current(this.context)
    if (draft) return draft
    throw new Error('there is no open draft')
  }

  #sees({ view, outcome }: Answer): string[] {
    this.view = view
    this.outcome = outcome
    return shown(view)
  }
}

/** A file as a platform hands it over. */
export function fileOf(bytes: Uint8Array, size: number | undefined = bytes.length): IncomingFile {
  return {
    name: 'picture.png',
    ...(size !== undefined && { size }),
    read: async () => bytes,
  }
}
