import type { Api } from '../api/client.ts'
import { moduleBook } from '../chain/airlock/modules.ts'
import { harmless, shorten } from '../core/text.ts'
import { t } from '../core/view.ts'
import { ApiError, isRefused, UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Answers } from './draft.ts'
import type { LaunchSettings, Template } from './settings.ts'
import { learnTerms, type TemplateAnswer } from './template-terms.ts'

interface TemplateListParts {
  settings: LaunchSettings
  /** Ids of the served chains. */
  chains: readonly number[]
  api: Pick<Api, 'templates' | 'buildAuction'>
  log: Logger
  /** Unix seconds. */
  now: () => number
}

/** Seconds for which the API's list is not read again. */
const listLasts = 600
/** Max characters of a listed template's name and description, as those of TEMPLATES. */
const max = { label: 60, about: 200 }
/** Max templates that are offered on a chain: each is a button. */
const maxOffered = 25

/**
 * The templates that are offered: those of TEMPLATES or, if it names none, those that the API lists, on each chain with a known
 * launch contract. One that the API turns out not to have on a chain is left out there until the list is read anew. What TEMPLATES
 * does not say of a template's fees is learned by asking.
 */
export class TemplateList {
  readonly #parts: TemplateListParts
  #listed: { at: number; templates: readonly Template[] } | undefined
  #reading: Promise<void> | undefined
  /** By chain and id. */
  readonly #learning = new Map<string, Promise<TemplateAnswer>>()
  readonly #learnt = new Map<string, TemplateAnswer>()

  constructor(parts: TemplateListParts) {
    this.#parts = parts
  }

  /** The templates as far as they are known by now. */
  get current(): readonly Template[] {
    const { templates } = this.#parts.settings
    const listed = this.#listed?.templates ?? []
    const all = templates.length > 0 ? templates : listed.filter((each) => !this.#isMissing(each))
    return all.map((each) => this.#withTerms(each))
  }

  /** The current offer: the operator's settings with the templates known by now. */
  get offer(): LaunchSettings {
    return { ...this.#parts.settings, templates: this.current }
  }

  /**
   * Reads the list, unless it is known. If it can't be read again, the last one stays.
   * @throws UserError if there is none
   */
  async ready(): Promise<void> {
    const { settings, now } = this.#parts
    if (settings.templates.length > 0) return
    const isFresh = this.#listed !== undefined && now() - this.#listed.at < listLasts
    if (!isFresh) {
      this.#reading ??= this.#refresh().finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
    if (this.current.length === 0) throw new UserError(t('launch-not-set-up'))
  }

  /**
   * Learns what a template does about the fees, once.
   * @throws ApiError if the API can't be asked
   */
  async learnTerms(answers: Answers): Promise<void> {
    const template = this.#templateOf(answers)
    if (!template || !needsTerms(template)) return
    const key = keyOf(template)
    if (this.#learnt.has(key)) return
    const learning = this.#learning.get(key) ?? this.#learn(template)
    this.#learning.set(key, learning)
    try {
      this.#learnt.set(key, await learning)
    } finally {
      this.#learning.delete(key)
    }
  }

  /** Forgets what was learned of a template, which may have changed. */
  forget(answers: Answers): void {
    const template = this.#templateOf(answers)
    if (template) this.#learnt.delete(keyOf(template))
  }

  async #refresh(): Promise<void> {
    try {
      this.#listed = { at: this.#parts.now(), templates: await this.#read() }
      for (const each of this.#listed.templates) {
        if (this.#isMissing(each)) this.#learnt.delete(keyOf(each))
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#parts.log.warn({ err: error }, 'the API’s templates could not be listed')
      if (this.#listed) return
      const said = isRefused(error) ? t('launch-not-set-up') : t('launch-templates-unavailable')
      throw new UserError(said, { cause: error })
    }
  }

  async #read(): Promise<Template[]> {
    const { api, chains, settings, log } = this.#parts
    const all = await api.templates()
    const listed = all.slice(0, maxOffered)
    if (all.length > maxOffered) {
      const leftOut = all.slice(maxOffered).map(({ id }) => id)
      log.warn(
        { leftOut },
        'the API lists more templates than are offered: choose them with TEMPLATES',
      )
    }
    const offered = chains.filter((chain) => settings.launchers[chain] !== undefined)
    return offered.flatMap((chain) =>
      listed.map(({ id, name, description }): Template => {
        const about = shorten(harmless(description ?? '').trim(), max.about)
        const label = shorten(harmless(name ?? '').trim() || id, max.label)
          .slice(0, max.label)
          .trim()
        return { id, chain, label, ...(about && { about }) }
      }),
    )
  }

  /** Whether the API said that a template is not there on its chain. */
  #isMissing(template: Template): boolean {
    const answer = this.#learnt.get(keyOf(template))
    return answer !== undefined && 'refused' in answer && answer.refused.kind === 'not-found'
  }

  async #learn(template: Template): Promise<TemplateAnswer> {
    const { api, settings, log } = this.#parts
    const { id, chain } = template
    const answer = await learnTerms(api, template, moduleBook(chain, settings.modules[chain]))
    if ('refused' in answer) {
      const isMissing = answer.refused.kind === 'not-found'
      log.warn(
        { template: id, chain, err: answer.refused },
        isMissing
          ? 'the API has no such template on this chain'
          : 'the API builds this template with no share of the fees: npm run doctor -- template',
      )
    } else {
      const { openShare } = answer.terms
      log.info(
        { template: id, chain, openShare },
        'learned which share of the fees a template leaves',
      )
    }
    return answer
  }

  #templateOf({ chain, template }: Answers): Template | undefined {
    return this.current.find((each) => each.id === template && each.chain === chain)
  }

  #withTerms(template: Template): Template {
    const answer = this.#learnt.get(keyOf(template))
    if (!answer || 'refused' in answer) return template
    const { openShare, expects, integrator } = answer.terms
    return {
      ...template,
      openShare: template.openShare ?? openShare,
      expects: { ...expects, ...template.expects },
      integrator,
    }
  }
}

/** Whether TEMPLATES leaves open who gets the fees. With 95% open, the rest is the protocol's. */
function needsTerms({ openShare, expects }: Template): boolean {
  return openShare === undefined || (expects?.shares === undefined && openShare !== '95')
}

function keyOf({ chain, id }: Template): string {
  return `${chain} ${id}`
}
