import { formatUnits } from 'viem/utils'
import { isNobody, shortAddress } from '../../chain/address.ts'
import { addressUrl, type Chain, numeraireSymbol } from '../../chain/chains.ts'
import type { Beneficiary } from '../../chain/launch/pool-data.ts'
import type { LaunchTerms } from '../../chain/launch/terms.ts'
import type { Vesting } from '../../chain/launch/token-data.ts'
import type { Block, Span } from '../../chat/view.ts'
import type { Payload } from '../../launch/payload.ts'

export interface TermsParts {
  payload: Pick<Payload, 'to' | 'airlock' | 'token' | 'simulation' | 'unchecked'>
  /** Undefined where the calldata can't be read. */
  said: LaunchTerms | undefined
  chain: Chain
  /** The accounts of the person: the wallet, and who they named as the fee receiver. */
  own: readonly string[]
  /** Who was to get something by the answers. */
  asked: { vesting: readonly string[]; fees: readonly string[] }
  /** The integrator that the operator set. */
  integrator: string | undefined
  /** Of the calldata, in short. */
  digest: string
}

const decimals = 18
const one = 10n ** 18n
const day = 86_400n
/** So many rows each; a longer list says how many more there are, and the raw payload has them all. */
const mostRows = 6

const exact = new Intl.NumberFormat('en', { maximumFractionDigits: decimals })

/** What is created, who gets what, by which contract, and what it costs: all of it read from the calldata. */
export function termsBlocks(parts: TermsParts): Block[] {
  const { payload, said } = parts
  const blocks: Block[] = [
    { kind: 'fields', fields: [...(said ? tokenFields(said, parts) : []), ...contract(parts)] },
  ]
  if (said) blocks.push({ kind: 'fields', fields: peopleFields(said, parts) })
  blocks.push(...leftOut(parts))
  blocks.push({ kind: 'fields', fields: [...simulated(payload)] })
  blocks.push(...uncheckedNote(payload), { kind: 'text', quiet: true, spans: [cost(said)] })
  return blocks
}

function uncheckedNote({ unchecked = [] }: TermsParts['payload']): Block[] {
  if (unchecked.length === 0) return []
  const words = 'Not compared, because the data source did not repeat them: '
  return [{ kind: 'text', spans: [`${words}${unchecked.join(', ')}.`] }]
}

/** What it costs, in words. */
function cost(said: LaunchTerms | undefined): string {
  const fee = said?.pool?.beneficiaries.find(({ beneficiary }) =>
    same(beneficiary, said.integrator),
  )
  const ofIntegrator =
    fee === undefined ? '' : ` The integrator gets ${percent(fee.shares)} of the fees, as above.`
  return `Your wallet pays the gas. The bot takes nothing.${ofIntegrator}`
}

/** The template decides who gets what: where that is not as it was asked for, it has to be said. */
function leftOut({ asked, said }: TermsParts): Block[] {
  if (!said) return []
  const vested = said.token?.vesting.map(({ recipient }) => recipient)
  const shared = said.pool?.beneficiaries.map(({ beneficiary }) => beneficiary)
  const missing = [
    ...missingRows('Vesting', asked.vesting, vested),
    ...missingRows('Fees', asked.fees, shared),
  ]
  if (missing.length === 0) return []
  const words: Span[] = [{ bold: 'You asked for it, but the payload does not give it:' }]
  return [
    { kind: 'text', spans: words },
    { kind: 'fields', fields: missing },
  ]
}

function missingRows(
  label: string,
  asked: readonly string[],
  given: readonly string[] = asked,
): Fields {
  return asked
    .filter((address) => !isOwn(given, address))
    .map((address) => [`${label} to`, [{ code: shortAddress(address) }]])
}

type Fields = [label: string, value: Span[]][]

function tokenFields(
  { supply, numTokensToSell, numeraire, token }: LaunchTerms,
  { chain }: TermsParts,
): Fields {
  const sold = supply > 0n ? ` (${percent((numTokensToSell * one) / supply)})` : ''
  const coin = numeraireSymbol(chain, numeraire)
  return [
    ['Supply', [`${tokens(supply)} tokens`]],
    ['For sale', [`${tokens(numTokensToSell)}${sold}`]],
    ['Paid in', coin === undefined ? [account(chain, numeraire)] : [coin]],
    ...(token ? [] : unknownData('Token')),
  ]
}

function contract({ payload, chain, digest }: TermsParts): Fields {
  const { to, airlock, token } = payload
  return [
    ['Chain', [`${chain.name} (${chain.id})`]],
    [
      'Token address',
      token === undefined ? ['not known before the launch'] : [account(chain, token)],
    ],
    ['Contract', [account(chain, to)]],
    ...(to.toLowerCase() === airlock.toLowerCase()
      ? []
      : ([['Forwards to', [account(chain, airlock)]]] satisfies Fields)),
    ['Calldata digest', [{ code: digest }]],
  ]
}

function peopleFields({ integrator, token, pool }: LaunchTerms, parts: TermsParts): Fields {
  const vesting = (token?.vesting ?? []).toSorted(byOwn(parts, (row) => row.recipient))
  const shares = (pool?.beneficiaries ?? []).toSorted(byOwn(parts, (row) => row.beneficiary))
  return [
    ...(token
      ? rows('Vesting', vesting, (row) => vestingSpans(row, parts), 'nobody')
      : unknownData('Vesting')),
    ...(pool
      ? rows('Fees', shares, (row) => feeSpans(row, integrator, parts), 'no beneficiaries are set')
      : unknownData('Fees')),
    ['Integrator', integratorSpans(integrator, parts)],
  ]
}

function unknownData(label: string): Fields {
  return [[label, ['not recognised: these data have a layout that this bot does not know']]]
}

/** The person's own first; the rest stay in the order of the calldata. */
function byOwn<Row>({ own }: TermsParts, who: (row: Row) => string) {
  const rank = (row: Row) => (isOwn(own, who(row)) ? 0 : 1)
  return (left: Row, right: Row) => rank(left) - rank(right)
}

function rows<Row>(
  label: string,
  all: readonly Row[],
  spans: (row: Row) => Span[],
  nobody: string,
): Fields {
  const [first] = all
  if (first === undefined) return [[label, [nobody]]]
  const shown: Fields = all
    .slice(0, mostRows)
    .map((row, index) => [all.length === 1 ? label : `${label} ${index + 1}`, spans(row)])
  const more = all.length - shown.length
  return more > 0 ? [...shown, [label, [`${more} more, in the raw payload`]]] : shown
}

function vestingSpans({ recipient, amount, cliff, duration }: Vesting, parts: TermsParts): Span[] {
  const over =
    duration === undefined ? '' : duration === 0n ? ', at once' : `, over ${span(duration)}`
  const after = cliff === undefined || cliff === 0n ? '' : `, none before ${span(cliff)}`
  return [`${tokens(amount)} to `, ...whose(recipient, parts), `${over}${after}`]
}

function feeSpans(
  { beneficiary, shares }: Beneficiary,
  integrator: string,
  parts: TermsParts,
): Span[] {
  const role = same(beneficiary, integrator) ? ' (the integrator)' : ''
  return [`${percent(shares)} to `, ...whose(beneficiary, parts), role].filter(
    (each) => each !== '',
  )
}

function integratorSpans(integrator: string, { integrator: set, chain }: TermsParts): Span[] {
  if (isNobody(integrator)) return ['nobody']
  const known = set !== undefined && same(set, integrator)
  return [account(chain, integrator), known ? ' (the one that is set for this bot)' : '']
}

function whose(address: string, { own, chain }: TermsParts): Span[] {
  return isOwn(own, address)
    ? [{ bold: 'you' }, ' (', account(chain, address), ')']
    : [account(chain, address)]
}

function simulated({ simulation }: TermsParts['payload']): Fields {
  if (simulation.kind === 'none') return [['Not simulated', [simulation.reason]]]
  return [['Simulation', [`passed, about ${exact.format(BigInt(simulation.gas))} gas`]]]
}

function account(chain: Chain, address: string): Span {
  const url = addressUrl(chain, address)
  return url === undefined ? { code: shortAddress(address) } : { link: shortAddress(address), url }
}

function isOwn(own: readonly string[], address: string): boolean {
  return own.some((each) => same(each, address))
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Base units as whole tokens, to the last digit. */
function tokens(amount: bigint): string {
  return decimal(formatUnits(amount, decimals))
}

/** An 18-decimal fraction of one as per cent, to the last digit. */
function percent(fraction: bigint): string {
  return `${decimal(formatUnits(fraction, decimals - 2))} %`
}

// Intl formats decimal texts exactly; its types want to see that it is one.
function decimal(text: string): string {
  return /^\d+(?:\.\d+)?$/u.test(text) ? exact.format(text as `${number}`) : text
}

function span(seconds: bigint): string {
  if (seconds % day === 0n) return seconds === day ? '1 day' : `${seconds / day} days`
  return seconds > 2n * day ? `about ${seconds / day} days` : `${seconds} s`
}
