import type { LocalChain } from '../../../sandbox/chain/chain.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { View } from '../../../src/core/view.ts'
import type { Payload } from '../../../src/launch/payload.ts'
import { walletOn } from '../chain/on-chain.ts'
import { controls, shown } from '../views/shown.ts'

/** All that is to be read of a view, in one text. */
export function textOf(view: View): string {
  return [...shown(view), ...controls(view).flat()].join('\n')
}

/** The path's token of the signing link in a view. */
export function linkToken(view: View): string {
  const urls = (view.buttons ?? []).flat().flatMap((each) => ('url' in each ? [each.url] : []))
  const token = urls.map((url) => /\/s\/([\w-]+)$/u.exec(url)?.[1]).find((each) => each)
  if (token === undefined) throw new Error(`no signing link in: ${textOf(view)}`)
  return token
}

/** What the button with this label does, as in `confirm k3f9a2bc.12`. */
export function lineOf(view: View, label: string): string {
  const button = (view.buttons ?? []).flat().find((each) => plainText(each.label) === label)
  if (!button || !('line' in button)) throw new Error(`no button ${label} in: ${textOf(view)}`)
  return button.line.replace(/^launching /u, '')
}

/** What the button below a review does that builds it, as in `confirm k3f9a2bc.12 9c01…`. */
export function confirmLineOf(view: View): string {
  const lines = (view.buttons ?? []).flat().flatMap((each) => ('line' in each ? [each.line] : []))
  const confirm = lines.find((line) => line.startsWith('launching confirm '))
  if (confirm === undefined) throw new Error(`no Confirm in: ${textOf(view)}`)
  return confirm.replace(/^launching /u, '')
}

/** Sends a payload with too little gas, so that it fails. */
export async function failing(chain: LocalChain, { to, calldata }: Payload) {
  const { wallet, client } = walletOn(chain)
  const hash = await wallet.sendTransaction({ to, data: calldata, gas: 200_000n })
  return client.waitForTransactionReceipt({ hash })
}

/** Keeps every view that is shown on the way. */
export function watchful() {
  const views: View[] = []
  return { views, show: async (view: View) => void views.push(view) }
}
