import { isAddressEqual } from 'viem'
import { isAddress } from '../chain/address.ts'
import { shortDigest } from '../chain/airlock/calldata.ts'
import { chainById } from '../chain/chains.ts'
import type { Context, ShowProgress } from '../core/command.ts'
import type { View } from '../core/view.ts'
import { UserError } from '../errors.ts'
import { Builder, type BuilderParts } from './build.ts'
import type { Draft } from './draft.ts'
import { linkWorks, type Payload, payloadFiles } from './payload.ts'
import type { LaunchSettings } from './settings.ts'
import { endedView, handOffView, rawView, revokeView } from './views/handoff.ts'
import { launchesView } from './views/list.ts'
import { launchedView, signerAnswerView } from './views/notice.ts'
import { uploadedView } from './views/steps.ts'
import { termsBlocks } from './views/terms.ts'

interface HandOffParts extends Omit<BuilderParts, 'hand' | 'terms'> {
  /** Unix seconds. */
  now: () => number
}

const maxListed = 10

/** Runs the buttons from Confirm on: building, the hand-off, and what follows. */
export class HandOff {
  readonly #parts: HandOffParts
  readonly #builder: Builder
  readonly #signingPage

  constructor(parts: HandOffParts) {
    this.#parts = parts
    this.#signingPage = signingPlace(parts.settings)
    this.#builder = new Builder({
      ...parts,
      hand: (payload, draft) => this.#hand(payload, draft),
      terms: termsBlocks,
    })
  }

  /**
   * Runs one action. The first word names a draft (with `.rev` for confirm and unverified) or a payload.
   * @throws UserError if this person has no such draft or payload, or it is too late for the action
   */
  async act(
    action: string,
    [at = '', ...words]: readonly string[],
    context: Context,
    show: ShowProgress,
  ): Promise<View> {
    const [id = '', rev = ''] = at.split('.')
    switch (action) {
      case 'confirm':
        return this.#builder.confirm(await this.#draft(id, context), rev, show)
      case 'unverified':
        return this.#builder.unverified(await this.#draft(id, context), rev, show)
      case 'continue':
        return this.#builder.goOn(await this.#draft(id, context), show)
      case 'rebuild':
        return this.#builder.rebuild(
          await this.#draft(id, context),
          context,
          words.includes('anyway'),
        )
      case 'uploaded':
        return uploadedView(await this.#draft(id, context))
      default:
        return this.#ofPayload(action, id, words, context)
    }
  }

  /** Lists a person's last launches, each with its next step. */
  async list(context: Context): Promise<View> {
    const { drafts, payloads } = this.#parts
    const mine = await drafts.list(context, maxListed)
    const listed = mine.map(async (draft) => {
      const built = await payloads.ofDraft(draft.id)
      return { draft, payload: built.find(({ state }) => state === 'launched') ?? built[0] }
    })
    return launchesView(await Promise.all(listed))
  }

  async #ofPayload(
    action: string,
    id: string,
    words: readonly string[],
    context: Context,
  ): Promise<View> {
    const payload = await this.#parts.payloads.find(id)
    const draft = payload && (await this.#draft(payload.draft, context))
    if (!payload || !draft) throw unknown()
    if (payload.state !== 'active') return this.#ended(payload)
    switch (action) {
      case 'signer':
        return this.#answerSigner(payload, words)
      case 'show':
        return this.#view(payload, draft)
      case 'link':
        return this.#newLink(payload, draft)
      case 'raw':
        return this.#raw(payload)
      case 'revoke':
        return revokeView(payload)
      case 'revoked':
        return this.#revoked(payload)
      default:
        throw unknown()
    }
  }

  async #newLink(payload: Payload, draft: Draft): Promise<View> {
    const view = await this.#hand(payload, draft)
    const words = 'This link is new: the one before no longer works.'
    const isSecond = payload.linkExpiresAt !== undefined
    return isSecond
      ? { ...view, blocks: [{ kind: 'text', spans: [{ bold: words }] }, ...view.blocks] }
      : view
  }

  /** Hands a payload out: with a new link, or as files if there is no signing page. */
  async #hand(payload: Payload, draft: Draft): Promise<View> {
    const signingPage = this.#signingPage
    if (!signingPage) {
      const raw = await this.#raw(payload)
      const view = this.#view((await this.#parts.payloads.find(payload.id)) ?? payload, draft)
      return raw.files ? { ...view, files: raw.files } : view
    }
    const linked = await this.#parts.payloads.newLink(payload.id)
    if (!linked) return this.#ended((await this.#parts.payloads.find(payload.id)) ?? payload)
    return this.#view(linked.payload, draft, signingPage.url(linked.token, linked.payload))
  }

  #view(payload: Payload, draft: Draft, url?: string): View {
    return handOffView({
      payload,
      chain: chainById(payload.chain),
      terms: termsBlocks(payload),
      host: this.#signingPage?.host,
      now: this.#parts.now(),
      isToldElsewhere: draft.origin !== undefined,
      ...(url !== undefined && { url }),
    })
  }

  async #raw(payload: Payload): Promise<View> {
    const { payloads, now } = this.#parts
    const handed = await payloads.change(payload.id, (each) =>
      each.state === 'active' ? { ...each, handedAt: now() } : undefined,
    )
    if (!handed) return this.#ended((await payloads.find(payload.id)) ?? payload)
    const view = rawView(handed, chainById(handed.chain), shortDigest(handed.digest))
    return { ...view, files: payloadFiles(handed) }
  }

  async #revoked({ id }: Payload): Promise<View> {
    const { payloads } = this.#parts
    const revoked = await payloads.change(id, (each) =>
      each.state === 'active' ? { ...each, state: 'revoked' } : undefined,
    )
    const payload = revoked ?? (await payloads.find(id))
    if (!payload) throw unknown()
    return this.#ended(payload)
  }

  #ended(payload: Payload): View {
    if (payload.state === 'launched') return launchedView(payload, chainById(payload.chain))
    return endedView(payload)
  }

  async #answerSigner({ id }: Payload, [answer, account = '']: readonly string[]): Promise<View> {
    const allowed = answer === 'yes'
    const { payloads, now } = this.#parts
    const answered = await payloads.change(id, (each) => {
      if (each.state !== 'active') return undefined
      const isListed = each.signers.some((signer) => isSigner(signer, account))
      const signers = each.signers.map((signer) =>
        isSigner(signer, account) ? { ...signer, allowed } : signer,
      )
      return isListed ? { ...each, signers } : undefined
    })
    if (answered) {
      return signerAnswerView(answered, account, { allowed, isOpen: linkWorks(answered, now()) })
    }
    const ended = await payloads.find(id)
    if (ended && ended.state !== 'active') return this.#ended(ended)
    throw unknown()
  }

  async #draft(id: string, { platform, user }: Context): Promise<Draft> {
    const draft = await this.#parts.drafts.find(id)
    // Somebody else's draft is treated as one that doesn't exist.
    if (draft?.platform === platform.name && draft.person === user) return draft
    throw unknown()
  }
}

function isSigner(signer: { account: `0x${string}` }, account: string): boolean {
  return isAddress(account) && isAddressEqual(signer.account, `0x${account.slice(2)}`)
}

function unknown(): UserError {
  return new UserError('There is no such launch of yours. /launches shows those you have.')
}

/** The signing page that links lead to. */
interface SigningPage {
  /** The host of every link; every message names it. */
  host: string
  /** Returns the link with this token. */
  url(token: string, payload: Pick<Payload, 'chain' | 'to' | 'digest'>): string
}

/** Returns the operator's own signing page, else the bot's; undefined if there is neither. */
export function signingPlace({
  publicUrl,
  signingUrlTemplate: template,
}: Pick<LaunchSettings, 'publicUrl' | 'signingUrlTemplate'>): SigningPage | undefined {
  if (template !== undefined) {
    return {
      host: hostOf(template),
      url: (token, { chain, to, digest }) => {
        const values: Record<string, string> = { token, chain: String(chain), to, digest }
        return template.replaceAll(/\{(token|chain|to|digest)\}/gu, (whole, name: string) =>
          encodeURIComponent(values[name] ?? whole),
        )
      },
    }
  }
  if (publicUrl === undefined) return undefined
  return { host: hostOf(publicUrl), url: (token) => `${publicUrl}/s/${token}` }
}

function hostOf(url: string): string {
  return new URL(url.replaceAll(/[{}]/gu, '')).host
}
