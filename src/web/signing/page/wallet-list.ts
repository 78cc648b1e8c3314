import { button, element } from './dom.ts'
import type { Flow } from './flow.ts'
import type { Wallet } from './wallets.ts'

/** A button for each wallet. What they call themselves proves nothing, so their own ids stand below. */
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

/** Its picture; its initial where there is none, or it turns out not to be one. */
function iconOf({ name, icon }: Wallet): HTMLElement {
  const initial = element('span', { class: 'icon', 'aria-hidden': 'true' }, name.slice(0, 1))
  if (icon === undefined) return initial
  const attributes = { src: icon, alt: '', class: 'icon', width: '32', height: '32' }
  const picture = element('img', attributes)
  picture.addEventListener('error', () => picture.replaceWith(initial), { once: true })
  return picture
}
