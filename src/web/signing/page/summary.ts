import { shortDigest } from '../../../chain/airlock/calldata.ts'
import { addressNode } from './address.ts'
import { element } from './dom.ts'
import type { Inspection } from './inspect.ts'
import { termsNodes } from './terms.ts'
import { clean, grouped } from './text.ts'
import type { OpenRequest } from './wire.ts'

/** Shows what will be created, for whom and by which contract; nothing of it comes from the wallet or the URL. */
export function summaryNodes(
  request: OpenRequest,
  inspection: Inspection,
  picture: string,
): Node[] {
  const rows = inspection.result?.rows ?? []
  return [
    heading(request, inspection, picture),
    ...warnings(request, inspection),
    ...(rows.length > 0 ? termsNodes(rows, request) : []),
    transaction(request, inspection),
    calldataDetails(request, inspection),
  ]
}

function heading(request: OpenRequest, inspection: Inspection, picture: string): HTMLElement {
  const { name, symbol } = namesOf(request, inspection)
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

/** Returns name and symbol from the calldata if they can be decoded, else as the bot said. */
function namesOf(request: OpenRequest, { result }: Inspection): { name: string; symbol: string } {
  const { name = request.name, symbol = request.symbol } = result?.effects ?? {}
  return { name, symbol }
}

/** Max reasons above the table, which has all of them. */
const maxDoubts = 5

function warnings(request: OpenRequest, inspection: Inspection): Node[] {
  const { name, symbol } = namesOf(request, inspection)
  const hasInvisible = [name, symbol].some((each) => clean(each, 10_000) !== each)
  const words = 'Name or symbol hold characters that are not seen; they are left out here.'
  return [
    ...(inspection.verified ? [] : [notVerified(inspection)]),
    ...(hasInvisible ? [element('p', { class: 'warning' }, words)] : []),
  ]
}

function notVerified({ result, doubts }: Inspection): HTMLElement {
  const more = doubts.length - maxDoubts
  const all = [...doubts.slice(0, maxDoubts), ...(more > 0 ? [`${more} more`] : [])]
  return element(
    'div',
    { class: 'warning' },
    element('p', {}, element('strong', {}, 'Not verified:')),
    element('ul', {}, ...all.map((each) => element('li', {}, each))),
    element(
      'p',
      {},
      result?.effects
        ? 'Sign only if you know what it does.'
        : 'Sign only if you know what it does: name and symbol are only what was typed in the chat.',
    ),
  )
}

type Row = [label: string, ...values: (Node | string | undefined)[]]

function transaction(request: OpenRequest, { digest, result }: Inspection): HTMLElement {
  const { chain, wallet, to, token, simulation } = request
  const failed: Row[] =
    simulation.kind === 'failed' ? [['Rehearsal', `failed: ${clean(simulation.reason, 200)}`]] : []
  const rows: Row[] = [
    ['Wallet', addressNode(wallet, chain.explorer), result?.effects && hint('“you” in this table')],
    ['Chain', `${chain.name} (chain id ${chain.id})`],
    ['Token address', token ? addressNode(token) : 'not known before the launch'],
    ['Contract', addressNode(to, chain.explorer)],
    ...failed,
    ['Calldata digest', element('code', { class: 'digest' }, shortDigest(digest))],
  ]
  return element(
    'section',
    { class: 'terms' },
    element('h2', {}, 'Who and where'),
    element(
      'dl',
      { class: 'facts' },
      ...rows.flatMap(([label, ...values]) => [
        element('dt', {}, label),
        element('dd', {}, ...values),
      ]),
    ),
  )
}

function hint(words: string): HTMLElement {
  return element('span', { class: 'quiet' }, words)
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
