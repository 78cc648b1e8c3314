import { formatUnits } from 'viem/utils'
import { button, element } from './dom.ts'
import type { Flow } from './flow.ts'
import type { Chain } from './wire.ts'

export function text(words: string): HTMLElement {
  return element('p', {}, words)
}

export function hint(words: string): HTMLElement {
  return element('p', { class: 'quiet' }, words)
}

/** Creates a button that returns to the list of wallets. */
export function backToWallets(flow: Flow): HTMLElement {
  return button(
    { action: 'leave', kind: 'quiet', busy: flow.busy !== undefined },
    'Use another wallet',
    () => flow.leave(),
  )
}

/** Formats wei in the chain's coin, such as `0.1 ETH`. */
export function coins(wei: string, { coin }: Chain): string {
  return `${formatUnits(BigInt(wei), 18)} ${coin}`
}
