import { html, type TemplateResult } from 'lit-html'
import { formatUnits } from 'viem/utils'
import { shortDigest } from '../../../chain/airlock/calldata.ts'
import type { SigningRequest } from '../../../launch/signing-wire.ts'
import { addressView, button, type Content, clean, labelled, outLink } from './elements.ts'
import type { Flow } from './flow.ts'
import { type EndedLink, type Sent, type State, type Step, signerOf } from './state.ts'
import type { Wallet } from './wallet.ts'
import { walletLinks } from './wallet-links.ts'

/** The part of the page with the next action and its alternatives, or the outcome. */
export interface Panel {
  title: string
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
    title: 'Do not sign this',
    tone: 'warn',
    body: html`<p>What this page reads in the transaction is not what the bot said:</p>
      <ul>${state.inspection.faults.map((fault) => html`<li>${fault}</li>`)}</ul>
      <p>Signing is blocked. Go back to the chat, send /launches and revoke this link.</p>`,
  }),
  expired: () => endedPanel({ state: 'expired' }),
  revoked: () => endedPanel({ state: 'revoked' }),
  replaced: ({ state }) => endedPanel({ state: 'replaced' }, undefined, state.sent),
  launched: ({ state: { request, ended, sent } }) => {
    const launched = ended?.state === 'launched' ? ended : {}
    const { token, chain } = request
    return endedPanel({ ...(token && { token }), ...launched, state: 'launched' }, chain, sent)
  },
  failing: (flow) => {
    const label = flow.state.busy === 'checking' ? 'Checking…' : 'Check again'
    return {
      title: 'It would fail now',
      tone: 'warn',
      body: html`<p>The rehearsal failed: <bdi>${reasonOf(flow.state.request)}</bdi></p>
        <p>Signing is blocked, since your wallet would pay gas for nothing.</p>
        ${flowButton(flow, 'check', 'main', label, () => flow.checkAgain())}
        <p class="quiet">If it goes on failing, go back to the chat, send /launches and build it anew.</p>`,
    }
  },
  'no wallet': (flow) => ({
    title: 'No wallet in this browser',
    body: html`<p>Open this page where your wallet is. The link stays the same, and nothing is lost.</p>
      ${otherWays(flow)}`,
  }),
  wallets: (flow) => ({
    title: 'Connect your wallet',
    body: html`<p>Connecting shows this page your account, and allows nothing else.</p>
      <ul class="choices">${flow.state.wallets.map((wallet, index) => walletChoice(flow, wallet, index))}</ul>
      <details class="more"><summary>Sign somewhere else</summary>${otherWays(flow)}</details>`,
  }),
  disconnected: (flow) => {
    const isConnecting = flow.state.busy === 'connecting'
    const wallet = flow.state.connection?.wallet
    const label = isConnecting ? inWallet : 'Connect'
    return {
      title: isConnecting ? 'Look into your wallet' : 'The wallet is not connected',
      body: html`<p>The wallet asks whether this page may see your account. That allows nothing else.</p>
        ${wallet && flowButton(flow, 'connect', 'main', label, () => flow.connect(wallet))}
        ${
          isConnecting
            ? html`<p class="quiet">Did no window open? Open the wallet yourself. To choose another wallet, reload this page.</p>`
            : backToWallets(flow)
        }`,
    }
  },
  'other account': (flow) => ({
    title: 'This is another account',
    tone: 'warn',
    body: html`<p>The draft was made for one account, and the wallet has another one. Token and terms stay the same.</p>
      ${bothAccounts(flow)}
      ${askButton(flow, 'Ask for permission')}
      <p class="quiet">The launcher is then asked in the private chat with the bot whether it may sign.</p>
      ${backToWallets(flow)}`,
  }),
  asked: (flow) => ({
    title: 'Waiting for the launcher’s answer',
    body: html`<p>${
      signer(flow)?.state === 'waiting'
        ? 'Too many accounts asked already, so the bot sends no message about this one. Tell the launcher to send /launches in the private chat with the bot: this account can be allowed there.'
        : 'The launcher was asked in the private chat with the bot whether this account may sign.'
    }</p>
      <p class="quiet">This page goes on by itself.</p>
      <p class="waiting"><span class="dots" aria-hidden="true"></span>Looking for the answer…</p>
      ${bothAccounts(flow)}
      ${backToWallets(flow)}`,
  }),
  'not allowed': (flow) => {
    const canAskAgain = signer(flow)?.askAgainAt !== undefined
    return {
      title: 'The launcher said no',
      tone: 'warn',
      body: html`<p>This account can’t sign. Switch to the account of the draft.</p>
        ${bothAccounts(flow)}
        ${canAskAgain ? askButton(flow, 'Ask again') : undefined}
        <p class="quiet">${
          canAskAgain
            ? 'If that was a mistake, the launcher can be asked once more.'
            : 'The launcher was asked often enough about this account, and is not asked again.'
        }</p>
        ${backToWallets(flow)}`,
    }
  },
  'other chain': (flow) => {
    const { name } = flow.state.request.chain
    const label = flow.state.busy === 'switching' ? inWallet : `Switch to ${name}`
    return {
      title: `Switch to ${name}`,
      body: html`<p>The wallet is on another chain; this launch is for ${name}.</p>
        ${flowButton(flow, 'switch-chain', 'main', label, () => flow.switchChain())}
        ${backToWallets(flow)}`,
    }
  },
  ready: readyPanel,
  pending: ({ state }) => ({
    title: 'Sent: waiting until it is mined',
    body: html`<p>You can leave this page. The bot tells you in the chat when the token is launched.</p>
      ${sentView(state.sent, state.request.chain)}`,
  }),
  missing: (flow) => ({
    title: 'The transaction is not to be found',
    tone: 'warn',
    body: html`<p>It may have been dropped, or replaced by another one in the wallet (sped up or cancelled). A wallet of several signers, such as Safe, may still collect signatures.</p>
      ${sentView(flow.state.sent, flow.state.request.chain)}
      ${flowButton(flow, 'look', 'quiet', 'Look again', () => flow.lookAgain())}
      ${flowButton(flow, 'anew', 'quiet', 'Send again', () => flow.sendAgain())}
      <p class="quiet">${
        flow.state.inspection.verified
          ? 'Sending again can’t launch the token twice: the second transaction would fail.'
          : 'This is not verified: sending again may do twice what it does. Look in the wallet first.'
      }</p>`,
  }),
  reverted: (flow) =>
    failedPanel(
      flow,
      'The chain refused it',
      'The transaction failed; it cost gas and launched nothing. The payload may be out of date: go back to the chat, send /launches and build it anew.',
    ),
  empty: (flow) =>
    failedPanel(
      flow,
      'It launched nothing',
      'The transaction went through, but this token was not created in it. Look at it in the wallet, and ask in the chat with /launches.',
    ),
}

const inWallet = 'Look into your wallet…'

function readyPanel(flow: Flow): Panel {
  const { inspection, request, connection, busy } = flow.state
  const isSigning = busy === 'signing'
  const address = addressView(connection?.account ?? '', request.chain.explorer)
  const title = inspection.verified ? 'Ready to sign' : 'Not verified'
  return {
    title: isSigning ? 'Look into your wallet' : title,
    ...(!inspection.verified && { tone: 'warn' }),
    body: html`<p>Compare the digest with the one in the chat. Then sign; the wallet shows the transaction once more.</p>
      ${labelled('Calldata digest', html`<code class="digest">${shortDigest(inspection.digest)}</code>`)}
      ${labelled(`Signs with ${connection?.wallet.name ?? 'the wallet'}`, address)}
      ${flowButton(flow, 'sign', 'main', isSigning ? inWallet : 'Sign and launch', () => flow.sign())}
      <p class="quiet">${
        isSigning
          ? 'Did no window open? Open the wallet yourself; it waits there. To begin again, reload this page.'
          : costWords(flow.state)
      }</p>
      ${backToWallets(flow)}`,
  }
}

/** Only a fully decoded launch is known to approve nothing. */
function costWords({ inspection, request: { chain, value } }: State): string {
  const sent = value === '0' ? 'sends no coins' : `sends ${coins(value, chain)} along`
  const approves = inspection.verified ? ' and approves nothing' : ''
  return `Your wallet pays the gas. The transaction ${sent}${approves}.`
}

/** Formats wei in the chain's coin, such as `0.1 ETH`. */
export function coins(wei: string, { coin }: Chain): string {
  return `${formatUnits(BigInt(wei), 18)} ${coin}`
}

function reasonOf({ simulation }: SigningRequest): string {
  const reason = simulation.kind === 'failed' ? clean(simulation.reason, 200) : ''
  if (reason === '') return 'no reason was given.'
  return /[.!?]$/u.test(reason) ? reason : `${reason}.`
}

const goBack =
  'Go back to the chat and send /launches: it shows what became of the launch and gives you a new link.'

const endings = {
  replaced: [
    'This link was replaced or revoked',
    'Nothing can be signed with it any more. Go back to the chat: the last message there has the new link, and /launches shows it too.',
  ],
  expired: ['This link has expired', `Links last for a short time. ${goBack}`],
  revoked: ['This link was revoked', `Nothing can be signed with it any more. ${goBack}`],
} as const

/** Returns the panel of a link's final state; the chain is known only if the link was open before. */
export function endedPanel(ended: EndedLink, chain?: Chain, sent?: Pick<Sent, 'hash'>): Panel {
  if (ended.state !== 'launched') {
    const [title, words] = endings[ended.state]
    const watched = 'What you sent before stays sent; the bot watches it and tells you in the chat.'
    const before = sent && html`<p>${watched}</p>${sentView(sent)}`
    return { title, tone: 'warn', body: html`<p>${words}</p>${before}` }
  }
  const { token, explorer } = ended
  const href = explorer ?? (chain?.explorer && token && `${chain.explorer}/token/${token}`)
  return {
    title: 'Launched',
    tone: 'good',
    body: html`<p>The token is on the chain. Go back to the chat: the bot shows its card there.</p>
      ${token && labelled('Token address', addressView(token))}
      ${href && html`<p>${outLink(href, 'See the token in the explorer')}</p>`}
      ${sentView(sent, chain)}`,
  }
}

function failedPanel(flow: Flow, title: string, words: string): Panel {
  return {
    title,
    tone: 'warn',
    body: html`<p>${words}</p>
      ${sentView(flow.state.sent, flow.state.request.chain)}
      ${flowButton(flow, 'anew', 'quiet', 'Try again', () => flow.sendAgain())}`,
  }
}

/** Shows the transaction and its link to the explorer. */
function sentView(sent: Pick<Sent, 'hash'> | undefined, chain?: Chain): Content {
  if (!sent) return undefined
  const href = chain?.explorer && `${chain.explorer}/tx/${sent.hash}`
  return html`${labelled('Transaction', html`<code class="hex">${sent.hash}</code>`)}
    ${href && html`<p>${outLink(href, 'See it in the explorer')}</p>`}`
}

function flowButton(
  { state }: Flow,
  action: string,
  kind: 'main' | 'quiet',
  label: string,
  press: () => unknown,
): TemplateResult {
  return button({ action, kind, busy: state.busy !== undefined }, label, press)
}

function backToWallets(flow: Flow): TemplateResult {
  return flowButton(flow, 'leave', 'quiet', 'Use another wallet', () => flow.leave())
}

function askButton(flow: Flow, label: string): TemplateResult {
  const shown = flow.state.busy === 'asking' ? 'Asking…' : label
  return flowButton(flow, 'ask', 'quiet', shown, () => flow.askPermission())
}

/** Shows the draft's account beside the wallet's, with the button to switch. */
function bothAccounts(flow: Flow): TemplateResult {
  const { request, connection, busy } = flow.state
  const { explorer } = request.chain
  const label = busy === 'connecting' ? inWallet : 'Switch account'
  return html`${labelled('Account of the draft', addressView(request.wallet, explorer))}
    ${labelled('Account in the wallet', addressView(connection?.account ?? '', explorer))}
    ${flowButton(flow, 'switch-account', 'main', label, () => flow.switchAccount())}`
}

function signer({ state: { connection, progress } }: Flow) {
  return connection?.account && signerOf(connection.account, progress)
}

/** Makes a wallet's button. Names are self-chosen and prove nothing, so the wallets' ids are shown, too. */
function walletChoice(flow: Flow, wallet: Wallet, index: number): TemplateResult {
  const { id, name, icon } = wallet
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
    ({ name, href }) => html`<li><a href=${href} class="choice">Open in ${name}</a></li>`,
  )
  const onPhone = html`<h3>With a wallet on your phone</h3>
    <p>On the phone, these open this page in the wallet’s own browser.</p>
    <ul class="choices">${links}</ul>`
  const onOtherDevice = html`<h3>On another device</h3>
    <p>Scan this code there, or copy the link into the browser that has your wallet.</p>
    <img src=${link.qr} alt="QR code of the link of this page" class="qr" width="200" height="200">
    <div class="copying">
      ${button({ action: 'copy', kind: 'quiet' }, 'Copy link', () => copy(link.page))}
      <p role="status" class="copied" id="copied"></p>
      <input type="text" readonly .value=${link.page} class="link" id="link"
        aria-label="The link of this page" hidden>
    </div>`
  const isPhone = matchMedia('(pointer: coarse)').matches
  return html`${isPhone ? [onPhone, onOtherDevice] : [onOtherDevice, onPhone]}
    <h3>Without this page</h3>
    <p>Go back to the chat and press Raw payload: it gives you a file with the transaction, and one for Safe.</p>`
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
  status.textContent = done
    ? 'Copied. Whoever has this link sees what is in it; send it to nobody.'
    : 'The browser did not let this page copy. Copy the link from here:'
  field.hidden = done
  if (!done) field.select()
}
