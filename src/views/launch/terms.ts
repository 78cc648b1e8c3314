import { numeraireSymbol } from '../../chain/chains.ts'
import type { LaunchTerms } from '../../chain/launch/terms.ts'
import type { Block } from '../../chat/view.ts'
import type { Departure } from '../../launch/departures.ts'
import type { Payload } from '../../launch/payload.ts'
import { departureBlocks } from './terms-departures.ts'
import { peopleFields, unknownData } from './terms-people.ts'
import { rulesFields } from './terms-rules.ts'
import {
  account,
  type Fields,
  grouped,
  percent,
  same,
  tokens,
  type Viewpoint,
} from './terms-words.ts'

export interface TermsParts extends Viewpoint {
  payload: Pick<Payload, 'to' | 'airlock' | 'token' | 'simulation' | 'unchecked'>
  /** Undefined where the calldata can't be read. */
  said: LaunchTerms | undefined
  /** Where it gives otherwise than was confirmed. */
  departures: readonly Departure[]
  /** The integrator that the operator set. */
  integrator: string | undefined
  /** Of the calldata, in short. */
  digest: string
}

const one = 10n ** 18n

/** What is created, who gets what, by which contract, and what it costs: all of it read from the calldata. */
export function termsBlocks(parts: TermsParts): Block[] {
  const { payload, said, departures } = parts
  const token = said ? tokenFields(said, parts) : []
  const people = said ? [...peopleFields(said, parts), ...rulesFields(said, parts)] : []
  return [
    ...departureBlocks(departures),
    { kind: 'fields', fields: [...token, ...contract(parts)] },
    ...(people.length > 0 ? [{ kind: 'fields', fields: people } as const] : []),
    { kind: 'fields', fields: simulated(payload) },
    ...uncheckedNote(payload),
    { kind: 'text', quiet: true, spans: [cost(said)] },
  ]
}

function uncheckedNote({ unchecked = [] }: TermsParts['payload']): Block[] {
  if (unchecked.length === 0) return []
  const words = 'Not compared, because the data source did not repeat them: '
  return [{ kind: 'text', spans: [`${words}${unchecked.join(', ')}.`] }]
}

/** What it costs, in words. */
function cost(said: LaunchTerms | undefined): string {
  const fee = said?.pool?.beneficiaries?.find(({ beneficiary }) =>
    same(beneficiary, said.integrator),
  )
  const ofIntegrator =
    fee === undefined ? '' : ` The integrator gets ${percent(fee.shares)} of the fees.`
  return `Your wallet pays the gas. The bot takes nothing.${ofIntegrator}`
}

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
    ...(same(to, airlock) ? [] : ([['Forwards to', [account(chain, airlock)]]] satisfies Fields)),
    ['Calldata digest', [{ code: digest }]],
  ]
}

function simulated({ simulation }: TermsParts['payload']): Fields {
  if (simulation.kind === 'none') return [['Not simulated', [simulation.reason]]]
  return [['Simulation', [`passed, about ${grouped(BigInt(simulation.gas))} gas`]]]
}
