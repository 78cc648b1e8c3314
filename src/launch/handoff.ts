import { isAddressEqual } from 'viem'
import { isAddress } from '../chain/address.ts'
import { shortDigest } from '../chain/airlock/calldata.ts'
import { chainById } from '../chain/chains.ts'
import type { ChatAddress } from '../core/adapter.ts'
import type { ShowProgress } from '../core/command.ts'
import { withTimeout } from '../core/task.ts'
import { t, text, type View } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Draft } from './draft.ts'
import type { FeesReader } from './fees.ts'
import { linkWorks, type Payload, type Payloads, payloadFiles } from './payload.ts'
import type { LaunchSettings } from './settings.ts'
import { logStep } from './step-log.ts'
import { endedView, handOffView, rawView, revokeView, signerAnswerView } from './views/handoff.ts'
import { launchedView } from './views/launched.ts'
import { termsBlocks } from './views/terms.ts'

interface HandOffParts {
  payloads: Payloads
  /** Where links lead; undefined if payloads are handed out as files only. */
  signingPage: SigningPage | undefined
  card: LaunchedCard
  fees: FeesReader
  /** Looks whether a payload was launched meanwhile; returns it unchanged if that can't be checked. */
  refresh: (payload: Payload) => Promise<Payload>
  log: Logger
  /** Unix seconds. */
  now: () => number
}

/**
 * Makes the card of a launched token in the language of a chat, by default its creator's private one, after interim views if its
 * picture takes long; undefined if the API doesn't list the token (yet) or fails.
 */
export type LaunchedCard = (
  payload: Pick<Payload, 'token' | 'chain' | 'draft'>,
  show?: ShowProgress,
  to?: ChatAddress,
) => Promise<View | undefined>

/** Milliseconds that an answer waits for the look at the chain. */
const refreshTimeout = 3_000

/** Hands payloads to their creators, and runs the buttons under their messages. */
export class HandOff {
  readonly #parts: HandOffParts

  constructor(parts: HandOffParts) {
    this.#parts = parts
  }

  /** Hands a payload out: with a new link, or as files if there is no signing page. */
  async hand(payload: Payload, draft: Draft): Promise<View> {
    const { payloads, signingPage } = this.#parts
    if (!signingPage) {
      const handed = await this.#handFiles(payload)
      if (!handed) return this.#endedMeanwhile(payload)
      return { ...this.#view(handed, draft), files: payloadFiles(handed) }
    }
    const linked = await payloads.newLink(payload.id)
    if (!linked) return this.#endedMeanwhile(payload)
    this.#log(payload, 'a link was made')
    return this.#view(linked.payload, draft, signingPage.url(linked.token, linked.payload))
  }

  /**
   * Runs a button of a payload that belongs to this draft; shows how it ended if it is too late for that.
   * @throws UserError if there is no such action
   */
  async press(
    action: string,
    payload: Payload,
    draft: Draft,
    words: readonly string[],
    show?: ShowProgress,
  ): Promise<View> {
    const known = action.startsWith('revoke') ? await this.#refreshed(payload) : payload
    if (known.state !== 'active') return this.#ended(known, show)
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
        throw noSuchLaunch()
    }
  }

  /** Before a launch is cancelled: the next poll may not have seen yet that it is on the chain. */
  async #refreshed(payload: Payload): Promise<Payload> {
    if (payload.state !== 'active') return payload
    return (await withTimeout(this.#parts.refresh(payload), refreshTimeout)) ?? payload
  }

  async #newLink(payload: Payload, draft: Draft): Promise<View> {
    const view = await this.hand(payload, draft)
    const isSecond = payload.linkExpiresAt !== undefined
    return isSecond
      ? { ...view, blocks: [text({ bold: t('launch-link-is-new') }), ...view.blocks] }
      : view
  }

  #view(payload: Payload, draft: Draft, url?: string): View {
    return handOffView({
      payload,
      chain: chainById(payload.chain),
      terms: termsBlocks(payload, draft.accountNames),
      host: this.#parts.signingPage?.host,
      now: this.#parts.now(),
      isNotifiedPrivately: draft.origin !== undefined,
      ...(url !== undefined && { url }),
    })
  }

  async #raw(payload: Payload): Promise<View> {
    const handed = await this.#handFiles(payload)
    if (!handed) return this.#endedMeanwhile(payload)
    const view = rawView(handed, chainById(handed.chain), shortDigest(handed.digest))
    return { ...view, files: payloadFiles(handed) }
  }

  /** Notes that the files of a payload are handed out; undefined if it is no longer active. */
  async #handFiles(payload: Payload): Promise<Payload | undefined> {
    const { payloads, now } = this.#parts
    const handed = await payloads.change(payload.id, (each) =>
      each.state === 'active' ? { ...each, handedAt: now() } : undefined,
    )
    if (handed) this.#log(payload, 'its files were handed out')
    return handed
  }

  async #revoked({ id }: Payload): Promise<View> {
    const { payloads } = this.#parts
    const revoked = await payloads.change(id, (each) =>
      each.state === 'active' ? { ...each, state: 'revoked' } : undefined,
    )
    const payload = revoked ?? (await payloads.find(id))
    if (!payload) throw noSuchLaunch()
    if (revoked) this.#log(revoked, 'revoked')
    return this.#ended(payload)
  }

  #log({ id, draft }: Payload, outcome: string): void {
    logStep(this.#parts.log, { draft, payload: id, step: 'hand-off', outcome })
  }

  /** Shows a launched token to its creator. */
  async launched(payload: Payload, show?: ShowProgress): Promise<View> {
    const { card: cardOf, fees: feesOf } = this.#parts
    const chain = chainById(payload.chain)
    const [card, fees] = await Promise.all([
      cardOf(payload, show && ((early) => show(launchedView(payload, chain, early)))),
      feesOf(payload),
    ])
    return launchedView(payload, chain, card, fees)
  }

  async #endedMeanwhile(payload: Payload): Promise<View> {
    return this.#ended((await this.#parts.payloads.find(payload.id)) ?? payload)
  }

  async #ended(payload: Payload, show?: ShowProgress): Promise<View> {
    return payload.state === 'launched' ? this.launched(payload, show) : endedView(payload)
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
      const outcome = allowed ? 'allowed' : 'refused'
      logStep(this.#parts.log, { draft: answered.draft, payload: id, step: 'signer', outcome })
      return signerAnswerView(answered, account, { allowed, isOpen: linkWorks(answered, now()) })
    }
    const ended = await payloads.find(id)
    if (ended && ended.state !== 'active') return this.#ended(ended)
    throw noSuchLaunch()
  }
}

function isSigner(signer: { account: `0x${string}` }, account: string): boolean {
  return isAddress(account) && isAddressEqual(signer.account, `0x${account.slice(2)}`)
}

/** The error for somebody else's draft or payload, as for one that doesn't exist. */
export function noSuchLaunch(): UserError {
  return new UserError(t('launch-not-yours'))
}

/** The signing page that links lead to. */
interface SigningPage {
  /** The host of every link; every message names it. */
  host: string
  /** Returns the link with this token. */
  url(token: string, payload: Pick<Payload, 'chain' | 'to' | 'digest'>): string
}

/** Returns the operator's own signing page, else the bot's; undefined if there is neither. */
export function signingPageOf({
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
