import { shortAddress } from '../../chain/address.ts'
import type { Block } from '../../chat/view.ts'
import type { Departure } from '../../launch/departures.ts'
import { type Fields, percent, tokens } from './terms-words.ts'

const mostRows = 10

/** What a payload gives otherwise than it was confirmed, if anything. */
export function departureBlocks(departures: readonly Departure[]): Block[] {
  if (departures.length === 0) return []
  const rows: Fields = departures.slice(0, mostRows).map((each) => [label(each), [words(each)]])
  const more = departures.length - rows.length
  const left: Fields = more > 0 ? [['And', [`${more} more that get other than was asked`]]] : []
  return [
    { kind: 'text', spans: [{ bold: 'It does not give what you confirmed:' }] },
    { kind: 'fields', fields: [...rows, ...left] },
  ]
}

function label({ of, who }: Departure): string {
  const what = of === 'fees' ? 'Fees' : 'Vesting'
  switch (who) {
    case 'you':
      return `${what} to you`
    case 'others':
      return `${what} to others`
    case 'all':
      return `${what}, all together`
    default:
      return `${what} to ${shortAddress(who)}`
  }
}

function words({ of, who, asked, gets }: Departure): string {
  const part = (units: bigint) => {
    if (units === 0n) return 'nothing'
    return of === 'fees' ? percent(units) : `${tokens(units)} tokens`
  }
  const most = who === 'others' && asked > 0n ? 'at most ' : ''
  const given =
    gets === undefined
      ? 'what it gets is not told in these data'
      : `${who === 'others' ? 'get' : 'gets'} ${part(gets)}`
  return `asked ${most}${part(asked)}, ${given}`
}
