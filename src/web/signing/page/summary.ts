import { shortDigest } from '../../../chain/launch/calldata.ts'
import { addressNode } from './address.ts'
import { element } from './dom.ts'
import type { Inspection } from './inspect.ts'
import { termLines } from './terms.ts'
import { clean, grouped } from './text.ts'
import type { OpenRequest } from './wire.ts'

/** What will be created, for whom, by what: nothing of it comes from the wallet or the page's address. */
export function summaryNodes(
  request: OpenRequest,
  inspection: Inspection,
  picture: string,
): Node[] {
  return [
    heading(request, inspection, picture),
    ...warnings(request, inspection),
    facts(request, inspection),
    calldataDetails(request, inspection),
  ]
}

function heading(request: OpenRequest, { terms }: Inspection, picture: string): HTMLElement {
  const { name, symbol } = terms?.token ?? request
  return element(
    'header',
    { class: 'token' },
    request.picture
      ? element('img', {
          src: picture,
          alt: 'The picture of the token',
          class: 'picture',
          width: '72',
          height: '72',
        })
      : undefined,
    element(
      'div',
      {},
      element('p', { class: 'quiet' }, `Token launch on ${request.chain.name}`),
      element('h1', { id: 'summary-title' }, element('bdi', {}, clean(name, 200))),
      element('p', { class: 'symbol' }, element('bdi', {}, clean(symbol, 60))),
    ),
  )
}

function warnings(request: OpenRequest, { terms }: Inspection): Node[] {
  const { verified } = request
  const { name, symbol } = terms?.token ?? request
  const unseen = [name, symbol].some((each) => clean(each, 10_000) !== each)
  const said = [
    verified ? undefined : `Not verified: ${doubt(terms)} Sign only if you know what it does.`,
    unseen
      ? 'Name or symbol hold characters that are not seen; they are left out here.'
      : undefined,
  ]
  return said
    .filter((text) => text !== undefined)
    .map((text) => element('p', { class: 'warning' }, text))
}

function doubt(terms: Inspection['terms']): string {
  if (!terms?.token) {
    return 'this page can’t read all of the transaction, and name and symbol are only what was typed in the chat.'
  }
  return terms.pool
    ? 'it does not give what was confirmed in the chat. Compare who gets what.'
    : 'this page can’t read who gets the fees.'
}

type Row = [label: string, ...values: (Node | string | undefined)[]]

function facts(request: OpenRequest, inspection: Inspection): HTMLElement {
  const { chain, wallet, to, token } = request
  const { terms, digest } = inspection
  const lines = terms ? termLines(request, terms) : []
  const decoded = lines.map(({ label, values }): Row => {
    const nodes = values.map(({ text, address }) =>
      element(
        'span',
        { class: 'line' },
        element('span', {}, text),
        address === undefined ? undefined : addressNode(address, chain.explorer),
      ),
    )
    return [label, ...nodes]
  })
  const rows: Row[] = [
    ['Wallet', addressNode(wallet, chain.explorer)],
    ['Chain', `${chain.name} (chain id ${chain.id})`],
    ['Contract', addressNode(to, chain.explorer)],
    ['Token address', token ? addressNode(token) : 'known after the launch'],
    ...decoded,
    ['Simulation', simulated(request)],
    ['Calldata digest', element('code', { class: 'digest' }, shortDigest(digest))],
  ]
  return element(
    'dl',
    { class: 'facts' },
    ...rows.flatMap(([label, ...values]) => [
      element('dt', {}, label),
      element('dd', {}, ...values),
    ]),
  )
}

function simulated({ simulation, chain }: OpenRequest): string {
  if (simulation.kind === 'passed') {
    return `passed; about ${grouped(simulation.gas)} gas, paid in ${chain.coin} by the wallet`
  }
  if (simulation.kind === 'none') return 'not simulated: the bot has no node of this chain'
  return `failed: ${clean(simulation.reason, 200)}`
}

function calldataDetails({ data, uri }: OpenRequest, { digest }: Inspection): HTMLElement {
  const size = (data.length - 2) / 2
  return element(
    'details',
    { class: 'more' },
    element('summary', {}, 'Whole digest and calldata'),
    element('p', {}, 'The chat shows the same characters of the digest; compare them.'),
    element('p', { class: 'label' }, 'Calldata digest'),
    element('code', { class: 'hex' }, digest),
    element('p', { class: 'label' }, 'Metadata'),
    element('code', { class: 'hex' }, clean(uri, 300)),
    element('p', { class: 'label' }, `Calldata, ${grouped(String(size))} bytes`),
    element('code', { class: 'hex tall', tabindex: '0' }, data),
  )
}
