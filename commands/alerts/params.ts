import { parseAmount } from '../../src/alerts/amount.ts'
import { kinds } from '../../src/alerts/rule.ts'
import { anyCategory } from '../../src/alerts/rules.ts'
import { kindFields } from '../../src/alerts/views/menu.ts'
import { parseZone, zonesLike } from '../../src/alerts/zone.ts'
import type { Chain } from '../../src/chain/chains.ts'
import {
  type Choice,
  type Guide,
  optional,
  type Param,
  text,
  whole,
} from '../../src/core/command.ts'
import { UserError } from '../../src/errors.ts'
import { address, assetTerm, chain } from '../params.ts'
import type { Services } from '../services.ts'
import { watchedCategory } from './category.ts'

/** Choices of autocomplete; Discord's limit. */
const maxCompletions = 25
const maxPercents = 20

/** Subcommands to suggest in autocomplete. */
const suggestions = [
  ...kinds.map((kind) => `add ${kind}`),
  'add live progress graduated',
  'mute 8h',
  'unmute',
  'remove all',
]

function subcommand(): Param<string, Services> {
  return {
    ...text<Services>('add KINDS, mute 8h, unmute, remove all; without it what is followed', 'add'),
    complete: async (typed) => containing(typed, suggestions),
  }
}

function percents(): Param<number[], Services> {
  return {
    about: 'progress: per cent sold, as in 25,50,100',
    example: '25,50,100',
    required: true,
    parse: (raw) => {
      const values = raw
        .split(/[\s,;]+/u)
        .filter(Boolean)
        .map((each) => (/^\d{1,3}%?$/u.test(each) ? Number.parseInt(each, 10) : 0))
      if (values.length === 0 || values.some((value) => value < 1 || value > 100)) {
        throw new UserError(`"${raw}" does not fit: give whole numbers from 1 to 100, as in 25,50.`)
      }
      const unique = [...new Set(values)].sort((one, other) => one - other)
      if (unique.length <= maxPercents) return unique
      throw new UserError(`Those are ${unique.length}; give ${maxPercents} at most.`)
    },
  }
}

function amount(about: string): Param<string, Services> {
  return { about, example: '0.5', required: true, parse: parseAmount }
}

function zone(): Param<string, Services> {
  return {
    about: 'digest: the time zone or its city; UTC without it',
    example: 'Europe/Berlin',
    required: true,
    parse: parseZone,
    complete: async (typed) =>
      zonesLike(typed, maxCompletions).map((value) => ({ value, label: value })),
  }
}

/** Percent, with or without the sign. */
function percentMove(): Param<number, Services> {
  const number = whole<Services>('price, mcap: moves by so many per cent', 1, 1000)
  return {
    ...number,
    example: '10',
    parse: (raw, services) => number.parse(raw.replace(/\s*%$/u, ''), services),
  }
}

function anyOr<T>(param: Param<T, Services>): Param<T | 'any', Services> {
  return {
    ...param,
    parse: (raw, services) =>
      raw.toLowerCase() === anyCategory ? 'any' : param.parse(raw, services),
  }
}

/** Another chat by its id. A name would have to be looked up, which would reveal chats to anybody. */
export function otherChat(): Param<string, Services> {
  return {
    about: 'Another chat that you manage, by its id; in our private chat only',
    example: '-1001234567890',
    required: true,
    otherChat: true,
    parse: (raw) => {
      if (/^-?\d{1,25}$/u.test(raw)) return raw
      throw new UserError(
        `"${raw}" is no id of a chat, which is a number. "Set up a channel" finds it.`,
      )
    },
  }
}

function containing(typed: string, all: readonly string[]): Choice[] {
  const term = typed.trim().toLowerCase()
  return all.filter((each) => each.includes(term)).map((value) => ({ value, label: value }))
}

export const alertsParams = {
  what: optional(subcommand()),
  category: optional(watchedCategory()),
  numeraire: optional(address('Only with this quote token')),
  creator: optional(address('Only by this creator')),
  asset: optional(assetTerm('One asset: address, symbol or name', 'OTTER')),
  chain: optional(anyOr<Chain>(chain())),
  percent: optional(percents()),
  minutes: optional(whole<Services>('ending: minutes before the end, 5 to 1440', 5, 1440)),
  above: optional(amount('price, mcap: rises above this')),
  below: optional(amount('price, mcap: falls below this')),
  move: optional(percentMove()),
  hour: optional(whole<Services>('digest: the hour, 0 to 23', 0, 23)),
  zone: optional(zone()),
  page: optional(whole<Services>('Page, from 1', 1, 100)),
  in: optional(otherChat()),
}

export const alertsGuide: Guide = {
  example: ['add live graduated', 'category:builder-coin chain:base'],
  values: [
    ...kindFields.map(([kind, about]) => [`add ${kind}`, about] as const),
    ['show, change, remove', 'one alert by its number in the list; remove all'],
    ['mute, unmute', '30m, 8h, 7d, or on'],
    ['channel', 'sets up a channel or group from our private chat, on Telegram'],
  ],
}
