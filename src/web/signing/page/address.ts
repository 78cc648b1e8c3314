import { element, outLink } from './dom.ts'

/**
 * Shows a full address that links to the explorer. Lines break between groups that are easy to compare; the characters
 * that the chat shows are highlighted.
 */
export function addressNode(address: string, explorer?: string): HTMLElement {
  const groups = address.slice(2).match(/.{1,4}/gu) ?? []
  const code = element('code', { class: 'address' })
  code.append('0x')
  for (const [index, group] of groups.entries()) {
    const outer = index === 0 || index === groups.length - 1
    if (index > 0) code.append(element('wbr', {}))
    code.append(element(outer ? 'b' : 'span', {}, group))
  }
  return explorer === undefined ? code : outLink(`${explorer}/address/${address}`, code)
}
