import { html, type TemplateResult } from 'lit-html'
import { formatUnits } from 'viem/utils'
import { shortAddress } from '../../../chain/address.ts'
import { shortDigest } from '../../../chain/airlock/calldata.ts'
import { exactly } from '../../../core/number.ts'
import { type Message, type Text, t } from '../../../core/view.ts'
import type { ChatLink, SigningRequest } from '../../../launch/signing-wire.ts'
import { addressView, button, type Content, clean, labelled, outLink } from './elements.ts'
import type { Flow } from './flow.ts'
import { type EndedLink, type Sent, type State, type Step, signerOf } from './state.ts'
import { say } from './texts.ts'
import type { Wallet } from './wallet.ts'
import { walletLinks } from './wallet-links.ts'

/** The part of the page with the next action and its alternatives, or the outcome. */
export interface Panel {
  title: Message
  tone?: 'good' | 'warn'
  body: TemplateResult
}

type Chain = SigningRequest['chain']

/** Returns the panel of an open link. */
export function panelOf(flow: Flow): Panel {
  return panels[flow.step](flow)
}

const panels: Readonly<Record<Step, (flow: Flow) => Panel>> = {
  blocked: ({ state }) => ({
    title: t('sign-blocked'),
    tone: 'warn',
    body: html`${paragraph(t('sign-blocked-why'))}
      <ul>${state.inspection.faults.map((fault) => html`<li>${say(fault)}</li>`)}</ul>
      ${paragraph(t('sign-blocked-next'))}
      ${toChat(state.request.chat)}`,
  }),
  expired: ({ state }) => endedPanel({ state: 'expired', ...chatOf(state) }),
  revoked: ({ state }) => endedPanel({ state: 'revoked', ...chatOf(state) }),
  replaced: ({ state }) =>
    endedPanel({ state: 'replaced', ...chatOf(state) }, undefined, state.sent),
  launched: ({ state: { request, ended, sent } }) => {
    const launched = ended?.state === 'launched' ? ended : {}
    const { token, chain } = request
    return endedPanel(
      { ...(token && { token }), ...chatOf({ request }), ...launched, state: 'launched' },
      chain,
      sent,
    )
  },
  failing: (flow) => {
    const { busy, request } = flow.state
    const label = busy === 'checking' ? t('sign-checking') : t('sign-check')
    return {
      title: t('sign-failing'),
      tone: 'warn',
      body: html`<p><bdi>${say(t('sign-failing-why', { why: sentenceOf(request.simulation) }))}</bdi></p>
        ${paragraph(t('sign-failing-blocked'))}
        ${flowButton(flow, 'check', 'main', label, () => flow.checkAgain())}
        ${quiet(t('sign-failing-next'))}`,
    }
  },
  'no wallet': (flow) => ({
    title: t('sign-nowhere'),
    body: html`${paragraph(t('sign-nowhere-next'))}
      ${otherWays(flow)}`,
  }),
  wallets: (flow) => ({
    title: t('sign-connect-title'),
    body: html`${paragraph(t('sign-connect-safe'))}
      <ul class="choices">${flow.state.wallets.map((wallet, index) => walletChoice(flow, wallet, index))}</ul>
      <details class="more"><summary>${say(t('sign-elsewhere'))}</summary>${otherWays(flow)}</details>`,
  }),
  disconnected: (flow) => {
    const isConnecting = flow.state.busy === 'connecting'
    const wallet = flow.state.connection?.wallet
    const label = isConnecting ? inWallet : t('sign-connect')
    return {
      title: isConnecting ? t('sign-in-wallet') : t('sign-disconnected'),
      body: html`${paragraph(t('sign-disconnected-why'))}
        ${wallet && flowButton(flow, 'connect', 'main', label, () => flow.connect(wallet))}
        ${isConnecting ? quiet(t('sign-no-window')) : backToWallets(flow)}`,
    }
  },
  'other account': (flow) => ({
    title: t('sign-wrong-account'),
    tone: 'warn',
    body: html`${paragraph(
      t('sign-wrong-account-why', {
        expected: shortAddress(flow.state.request.wallet),
        connected: shortAddress(flow.state.connection?.account ?? ''),
      }),
    )}
      ${bothAccounts(flow)}
      ${askButton(flow, t('sign-ask'))}
      ${quiet(t('sign-ask-about'))}
      ${backToWallets(flow)}`,
  }),
  asked: (flow) => ({
    title: t('sign-asked-title'),
    body: html`${paragraph(
      signer(flow)?.state === 'waiting' ? t('sign-asked-quietly') : t('sign-asked-about'),
    )}
      ${quiet(t('sign-asked-by-itself'))}
      <p class="waiting"><span class="dots" aria-hidden="true"></span>${say(t('sign-asked-looking'))}</p>
      ${bothAccounts(flow)}
      ${backToWallets(flow)}`,
  }),
  'not allowed': (flow) => {
    const canAskAgain = signer(flow)?.askAgainAt !== undefined
    return {
      title: t('sign-refused'),
      tone: 'warn',
      body: html`${paragraph(t('sign-refused-about'))}
        ${bothAccounts(flow)}
        ${canAskAgain ? askButton(flow, t('sign-ask-again')) : undefined}
        ${quiet(canAskAgain ? t('sign-ask-again-about') : t('sign-ask-no-more'))}
        ${backToWallets(flow)}`,
    }
  },
  'other chain': (flow) => {
    const { name: chain } = flow.state.request.chain
    const title = t('sign-switch-chain', { chain })
    const label = flow.state.busy === 'switching' ? inWallet : title
    return {
      title,
      body: html`${paragraph(t('sign-switch-chain-about', { chain }))}
        ${flowButton(flow, 'switch-chain', 'main', label, () => flow.switchChain())}
        ${backToWallets(flow)}`,
    }
  },
  ready: readyPanel,
  pending: ({ state }) => ({
    title: t('sign-pending'),
    body: html`${paragraph(t('sign-pending-about'))}
      ${toChat(state.request.chat)}
      ${sentView(state.sent, state.request.chain)}`,
  }),
  missing: (flow) => ({
    title: t('sign-missing'),
    tone: 'warn',
    body: html`${paragraph(t('sign-missing-about'))}
      ${sentView(flow.state.sent, flow.state.request.chain)}
      ${flowButton(flow, 'look', 'quiet', t('sign-look'), () => flow.lookAgain())}
      ${flowButton(flow, 'anew', 'quiet', t('sign-send-again'), () => flow.sendAgain())}
      ${quiet(
        flow.state.inspection.verified ? t('sign-send-again-safe') : t('sign-send-again-unsafe'),
      )}`,
  }),
  reverted: (flow) => failedPanel(flow, t('sign-reverted'), t('sign-reverted-about')),
  empty: (flow) => failedPanel(flow, t('sign-empty'), t('sign-empty-about')),
}

const inWallet = t('sign-in-wallet-busy')

function paragraph(text: Text): TemplateResult {
  return html`<p>${say(text)}</p>`
}

function quiet(text: Text): TemplateResult {
  return html`<p class="quiet">${say(text)}</p>`
}

function readyPanel(flow: Flow): Panel {
  const { inspection, request, connection, busy } = flow.state
  const isSigning = busy === 'signing'
  const address = addressView(connection?.account ?? '', request.chain.explorer)
  const title = inspection.verified ? t('sign-ready') : t('sign-not-verified')
  const wallet = connection?.wallet.name ?? t('sign-a-wallet')
  const label = isSigning ? inWallet : t('sign-and-launch')
  return {
    title: isSigning ? t('sign-in-wallet') : title,
    ...(!inspection.verified && { tone: 'warn' }),
    body: html`${paragraph(t('sign-ready-about'))}
      ${labelled(say(t('terms-digest')), html`<code class="digest">${shortDigest(inspection.digest)}</code>`)}
      ${labelled(say(t('sign-signs-with', { wallet })), address)}
      ${flowButton(flow, 'sign', 'main', label, () => flow.sign())}
      ${quiet(isSigning ? t('sign-no-window-signing') : costWords(flow.state))}
      ${backToWallets(flow)}`,
  }
}

/** Only a fully decoded launch is known to approve nothing. */
function costWords({ inspection: { verified } }: State): Message {
  return verified ? t('sign-cost-verified') : t('sign-cost')
}

/** Formats wei in the chain's coin, such as `0.1 ETH`. */
export function coins(wei: string, { coin }: Chain): Message {
  return t('sign-coins', { amount: exactly(formatUnits(BigInt(wei), 18)), coin })
}

/** Why the simulation failed. The server sends finished words where the page lacks the text. */
export function reasonOf({ reason }: { reason: Text }): Text {
  return typeof reason === 'string' ? clean(reason, 200) : reason
}

function sentenceOf(simulation: SigningRequest['simulation']): Message {
  const reason = simulation.kind === 'failed' ? say(reasonOf(simulation)) : ''
  if (reason === '') return t('sign-no-reason')
  return t('sign-sentence', { text: reason.replace(/[.]$/u, '') })
}

const endings = {
  replaced: [t('sign-replaced'), t('sign-replaced-about')],
  expired: [t('sign-expired'), t('sign-expired-about')],
  revoked: [t('sign-revoked'), t('sign-revoked-about')],
} as const

/** Returns the panel of a link's final state; the chain is known only if the link was open before. */
export function endedPanel(ended: EndedLink, chain?: Chain, sent?: Pick<Sent, 'hash'>): Panel {
  if (ended.state !== 'launched') {
    const [title, words] = endings[ended.state]
    const before = sent && html`${paragraph(t('sign-sent-before'))}${sentView(sent)}`
    return { title, tone: 'warn', body: html`${paragraph(words)}${toChat(ended.chat)}${before}` }
  }
  const { token, explorer } = ended
  const href = explorer ?? (chain?.explorer && token && `${chain.explorer}/token/${token}`)
  return {
    title: t('sign-launched'),
    tone: 'good',
    body: html`${paragraph(t('sign-launched-about'))}
      ${toChat(ended.chat)}
      ${token && labelled(say(t('terms-token')), addressView(token))}
      ${href && html`<p>${outLink(href, say(t('sign-see-token')))}</p>`}
      ${sentView(sent, chain)}`,
  }
}

function chatOf({ request: { chat } }: Pick<State, 'request'>): { chat?: ChatLink } {
  return chat ? { chat } : {}
}

/** Makes the button back to the chat. */
function toChat(chat: ChatLink | undefined): Content {
  if (!chat) return undefined
  return html`<p><a href=${chat.url} class="choice" rel="noreferrer">${say(t('sign-to-chat', { platform: chat.platform }))}</a></p>`
}

function failedPanel(flow: Flow, title: Message, words: Message): Panel {
  return {
    title,
    tone: 'warn',
    body: html`${paragraph(words)}
      ${sentView(flow.state.sent, flow.state.request.chain)}
      ${flowButton(flow, 'anew', 'quiet', t('sign-again'), () => flow.sendAgain())}`,
  }
}

/** Shows the transaction and its link to the explorer. */
function sentView(sent: Pick<Sent, 'hash'> | undefined, chain?: Chain): Content {
  if (!sent) return undefined
  const href = chain?.explorer && `${chain.explorer}/tx/${sent.hash}`
  return html`${labelled(say(t('sign-transaction')), html`<code class="hex">${sent.hash}</code>`)}
    ${href && html`<p>${outLink(href, say(t('sign-see-transaction')))}</p>`}`
}

function flowButton(
  { state }: Flow,
  action: string,
  kind: 'main' | 'quiet',
  label: Message,
  press: () => unknown,
): TemplateResult {
  return button({ action, kind, busy: state.busy !== undefined }, say(label), press)
}

function backToWallets(flow: Flow): TemplateResult {
  return flowButton(flow, 'leave', 'quiet', t('sign-other-wallet'), () => flow.leave())
}

function askButton(flow: Flow, label: Message): TemplateResult {
  const shown = flow.state.busy === 'asking' ? t('sign-asking') : label
  return flowButton(flow, 'ask', 'quiet', shown, () => flow.askPermission())
}

/** Shows the draft's account beside the wallet's, with the button to switch. */
function bothAccounts(flow: Flow): TemplateResult {
  const { request, connection, busy } = flow.state
  const { explorer } = request.chain
  const label = busy === 'connecting' ? inWallet : t('sign-switch-account')
  return html`${labelled(say(t('sign-prepared-for')), addressView(request.wallet, explorer))}
    ${labelled(say(t('sign-connected')), addressView(connection?.account ?? '', explorer))}
    ${flowButton(flow, 'switch-account', 'main', label, () => flow.switchAccount())}`
}

function signer({ state: { connection, progress } }: Flow) {
  return connection?.account && signerOf(connection.account, progress)
}

/** Makes a wallet's button. Names are self-chosen and prove nothing, so the wallets' ids are shown, too. */
function walletChoice(flow: Flow, wallet: Wallet, index: number): TemplateResult {
  const { id, icon } = wallet
  const name = say(wallet.name)
  // The initial stands for an icon that there is not, or that doesn't load.
  const initial = html`<span class="icon" aria-hidden="true">${name.slice(0, 1)}</span>`
  const label = html`${icon && html`<img src=${icon} alt="" class="icon" width="32" height="32" @error=${hide}>`}${initial}
    <span class="wallet"><bdi>${name}</bdi><small>${id}</small></span>`
  const action = { action: `wallet-${index}`, busy: flow.state.busy !== undefined }
  return html`<li>${button(action, label, () => flow.connect(wallet))}</li>`
}

function hide({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLElement) currentTarget.hidden = true
}

/** Lists ways to sign without a wallet in this browser; those that fit this device first. */
function otherWays({ link }: Flow): TemplateResult {
  const links = walletLinks(link.page).map(
    ({ name, href }) =>
      html`<li><a href=${href} class="choice">${say(t('sign-open-in', { wallet: name }))}</a></li>`,
  )
  const onPhone = html`<h3>${say(t('sign-phone'))}</h3>
    ${paragraph(t('sign-phone-about'))}
    <ul class="choices">${links}</ul>`
  const onOtherDevice = html`<h3>${say(t('sign-device'))}</h3>
    ${paragraph(t('sign-device-about'))}
    <img src=${link.qr} alt=${say(t('sign-qr'))} class="qr" width="200" height="200">
    <div class="copying">
      ${button({ action: 'copy', kind: 'quiet' }, say(t('sign-copy')), () => copy(link.page))}
      <p role="status" class="copied" id="copied"></p>
      <input type="text" readonly .value=${link.page} class="link" id="link"
        aria-label=${say(t('sign-link'))} hidden>
    </div>`
  const isPhone = matchMedia('(pointer: coarse)').matches
  return html`${isPhone ? [onPhone, onOtherDevice] : [onOtherDevice, onPhone]}
    <h3>${say(t('sign-without'))}</h3>
    ${paragraph(t('sign-without-about'))}`
}

/** Copies the link; if the browser refuses, shows it instead. */
async function copy(link: string): Promise<void> {
  const done = await navigator.clipboard.writeText(link).then(
    () => true,
    () => false,
  )
  const status = document.getElementById('copied')
  const field = document.getElementById('link')
  if (!status || !(field instanceof HTMLInputElement)) return
  status.textContent = say(done ? t('sign-copied') : t('sign-not-copied'))
  field.hidden = done
  if (!done) field.select()
}
