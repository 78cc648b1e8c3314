import { button, element } from './dom.ts'
import type { Flow } from './flow.ts'
import type { Wallet } from './wallets.ts'

/** Lists a button for each wallet. Names are self-chosen and prove nothing, so the wallets' ids are shown, too. */
export function walletNodes(flow: Flow): Node[] {
  const buttons = flow.wallets.map((wallet, index) =>
    element('li', {}, choice(flow, wallet, index)),
  )
  return [
    element('p', {}, 'Connecting shows this page your account, and allows nothing else.'),
    element('ul', { class: 'choices' }, ...buttons),
  ]
}

function choice(flow: Flow, wallet: Wallet, index: number): HTMLElement {
  const label = [
    iconOf(wallet),
    element(
      'span',
      { class: 'wallet' },
      element('bdi', {}, wallet.name),
      element('small', {}, wallet.id),
    ),
  ]
  return button(
    { action: `wallet-${index}`, busy: flow.busy !== undefined },
    label,
    () => void flow.connect(wallet),
  )
}

/** Shows the wallet's icon, or its initial if there is none or it doesn't load. */
function iconOf({ name, icon }: Wallet): HTMLElement {
  const initial = element('span', { class: 'icon', 'aria-hidden': 'true' }, name.slice(0, 1))
  if (icon === undefined) return initial
  const attributes = { src: icon, alt: '', class: 'icon', width: '32', height: '32' }
  const picture = element('img', attributes)
  picture.addEventListener('error', () => picture.replaceWith(initial), { once: true })
  return picture
}
