import { shortDigest } from '../../../chain/airlock/calldata.ts'
import { isDeparture, type Row as TableRow, type Words } from '../../../launch/table.ts'
import { addressNode } from './address.ts'
import { element } from './dom.ts'
import type { Inspection } from './inspect.ts'
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

/** As the calldata have them, if they can be read. */
function namesOf(request: OpenRequest, { told }: Inspection): { name: string; symbol: string } {
  const { name = request.name, symbol = request.symbol } = told?.effects ?? {}
  return { name, symbol }
}

/** So many reasons are named above the table, which has all. */
const mostDoubts = 5

function warnings(request: OpenRequest, inspection: Inspection): Node[] {
  const { name, symbol } = namesOf(request, inspection)
  const unseen = [name, symbol].some((each) => clean(each, 10_000) !== each)
  const doubts = inspection.told?.doubts ?? []
  const why =
    doubts.length > 0
      ? doubts.slice(0, mostDoubts).join('; ')
      : 'this page can’t read all of the transaction, and name and symbol are only what was typed in the chat'
  const said = [
    inspection.verified ? undefined : `Not verified: ${why}. Sign only if you know what it does.`,
    unseen
      ? 'Name or symbol hold characters that are not seen; they are left out here.'
      : undefined,
  ]
  return said
    .filter((text) => text !== undefined)
    .map((text) => element('p', { class: 'warning' }, text))
}

type Row = [label: string, ...values: (Node | string | undefined)[]]

function facts(request: OpenRequest, { told, digest }: Inspection): HTMLElement {
  const { chain, wallet, to, token } = request
  const rows: Row[] = [
    ['Wallet', addressNode(wallet, chain.explorer)],
    ['Chain', `${chain.name} (chain id ${chain.id})`],
    ['Contract', addressNode(to, chain.explorer)],
    ['Token address', token ? addressNode(token) : 'known after the launch'],
    ...(told?.rows ?? []).map((row) => tableRow(row, request)),
    ['Rehearsal', simulated(request, told?.rows ?? [])],
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

function tableRow(row: TableRow, request: OpenRequest): Row {
  const does = line(row.does ?? [], request)
  if (!isDeparture(row)) {
    const mark = row.rehearsed ? '✓✓' : row.state === 'same' ? '✓' : undefined
    if (mark) does.append(element('span', { class: 'mark', title: markWords(row) }, ` ${mark}`))
    return [row.label, does]
  }
  const asked = row.asked && line(['Asked: ', ...row.asked], request)
  const why = row.why === undefined ? undefined : element('span', { class: 'line' }, row.why)
  return [`⚠️ ${row.label}`, does, asked, why]
}

function markWords({ rehearsed }: TableRow): string {
  return rehearsed ? 'as asked, and shown by a rehearsal on the chain' : 'as asked'
}

function line(words: Words, { chain }: OpenRequest): HTMLElement {
  const nodes = words.map((word) => {
    if (typeof word === 'string') return word
    return 'account' in word ? addressNode(word.account, chain.explorer) : time(word.time)
  })
  return element('span', { class: 'line' }, ...nodes)
}

/** Unix seconds in the words of the place where the page is read. */
function time(seconds: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return format.format(new Date(seconds * 1000))
}

function simulated({ simulation }: OpenRequest, rows: readonly TableRow[]): string {
  if (simulation.kind === 'failed') return `failed: ${clean(simulation.reason, 200)}`
  if (simulation.kind === 'none') return 'not rehearsed: the bot has no node of this chain'
  return rows.some(({ rehearsed }) => rehearsed)
    ? 'passed; ✓✓ marks what it showed'
    : 'the chain would take it now'
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
