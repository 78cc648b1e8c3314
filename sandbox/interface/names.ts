import type { Random } from './random.ts'

const firsts =
  'Amber Arctic Autumn Basalt Brass Bright Clever Cloud Cobalt Copper Coral Cosmic Crystal Dawn Deep Desert Distant Drifting Dusty Electric Ember Feral First Folded Frosty Garden Gentle Gilded Glass Golden Grand Granite Hidden Honest Indigo Ivory Jade Kind Little Loud Lucky Lunar Maple Midnight Misty Mossy Nimble Northern Open Opal Paper Patient Pocket Polar Proper Quiet Rapid River Rusty Saffron Salty Scarlet Second Silent Silver Sleepy Slow Solar Spare Stone Sunday Tidal Tiny Velvet Violet Wandering Wild Winter Wooden'.split(
    ' ',
  )
const seconds =
  'Abacus Acorn Almanac Anchor Atlas Badger Banjo Beacon Bicycle Biscuit Bramble Bridge Cactus Canyon Castle Cedar Chess Cipher Clover Comet Cricket Dolphin Engine Falcon Fern Ferry Fiddle Finch Fjord Forge Fox Gecko Glacier Heron Hedgehog Island Juniper Kettle Kiln Kite Ledger Lemur Library Lichen Loom Magpie Mango Marble Meadow Mirror Moth Narwhal Nebula Oak Orchard Owl Oyster Parrot Pebble Pelican Piano Pigeon Pixel Plum Pretzel Puffin Quartz Rabbit Radish Raven Reef Robot Rocket Sailor Salmon Scooter Signal Sparrow Spruce Sundial Swallow Tandem Teapot Thistle Tugboat Turnip Umbrella Violin Walrus Wharf Willow Wombat Yarn Zeppelin'.split(
    ' ',
  )
const endings = ['', '', '', '', ' Club', ' Labs', ' Protocol', ' Society', ' Works']

/** An invented name and its ticker; tickers are nouns, so some are shared by several tokens. */
export function inventName(random: Random): { name: string; symbol: string } {
  const first = random.pick(firsts)
  const second = random.pick(seconds)
  const symbol = random.chance(0.7) ? second : `${first.slice(0, 1)}${second.slice(0, 4)}`
  return { name: `${first} ${second}${random.pick(endings)}`, symbol: symbol.toUpperCase() }
}

const sentences = [
  'A small coin with a long memory.',
  'Holders vote on what gets built next, every second Tuesday.',
  'Fees go to the people who answer the support mail.',
  'Started as a joke in a group chat and got out of hand in the friendliest way.',
  'The team ships in the open: the road map is a public list and so is the budget.',
  'Each holder gets a postcard, for as long as the stamps last.',
  'Half of the proceeds buys trees; the other half buys time to look after them.',
  'No promises, no road map, one very good drawing.',
  'An experiment in paying open-source maintainers by the week.',
  'Made for players of a game that is not finished yet.',
]

/** A description of no, few or many sentences; long ones show how cards shorten. */
export function inventDescription(random: Random): string {
  const length = random.pick([0, 1, 1, 2, 2, 3, 12])
  return Array.from({ length }, () => random.pick(sentences)).join(' ')
}

/** Names written by people who test what a chat does with them: each must show as harmless text. */
export const hostileNames: readonly { name: string; symbol: string }[] = [
  { name: '@everyone', symbol: '@here' },
  { name: '<b>Bold</b><script>alert(1)</script>', symbol: '<i>X</i>' },
  { name: '[click](https://evil.example)', symbol: 'CLICK' },
  { name: 'Safe \u202Egnp.exe\u202C', symbol: '\u202ERTL' },
  { name: 'Zero\u200B\u200C\u200DWidth\uFEFF', symbol: 'Z\u200BW' },
  { name: 'Long '.repeat(60).trim(), symbol: 'LONGLONG'.repeat(8) },
  { name: 'Two\nLines\r\n\r\nand more', symbol: 'NEW\nLINE' },
  { name: '', symbol: '' },
  { name: 'https://evil.example', symbol: 'evil.example' },
  { name: '*_~|`> # -', symbol: '*_~|`' },
  { name: 'Z̸̡̛͔̗̒͌a̶̢̧̛͈̓l̷̨̛̲̄g̵̛̖̈́o̸̧̱͊̌', symbol: 'Z̸̡A̶̢L̷̨' },
  { name: '👨‍👩‍👧‍👦 Family 🏳️‍🌈', symbol: '👩🏽‍🚀' },
  { name: 'قمر الثعلب', symbol: 'قمر' },
  { name: '月のカワウソ 달 수달', symbol: '月獺' },
  { name: '<@&123456789012345678> <#1>', symbol: 'tg://user?id=1' },
]

/** Links of which a card should show the https ones alone. */
export const hostileLinks = [
  { label: 'Website', url: 'http://plain.example/' },
  { label: 'Prize', url: 'javascript:alert(document.cookie)' },
  { label: 'Broken', url: 'ht!tp:/not a url' },
  { label: '', url: '' },
  { label: '](https://evil.example)', url: 'https://links.example/)](evil)?q=<b>&"' },
  { label: 'Lookalike', url: 'https://gavel.example@evil.example/' },
] as const
