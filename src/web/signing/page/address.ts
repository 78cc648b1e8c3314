import { shortAddress } from '../../../chain/address.ts'
import { element, outLink } from './dom.ts'

/** An address in its short form, which leads to its page in the explorer, and whole in groups that the eye can compare. */
export function addressNode(address: string, explorer?: string): HTMLElement {
  const brief = shortAddress(address)
  const fours = address.slice(2).match(/.{1,4}/gu) ?? []
  return element(
    'span',
    { class: 'address' },
    explorer === undefined
      ? element('b', {}, brief)
      : outLink(`${explorer}/address/${address}`, brief),
    element('code', { class: 'whole' }, '0x', ...fours.map((four) => element('span', {}, four))),
  )
}
