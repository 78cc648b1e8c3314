import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { locales, plainView } from '../../../src/core/catalogue.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { shown } from '../views/shown.ts'
import { type CommandHarness, dispatch, startCommands } from './bot.ts'

let harness: CommandHarness
beforeAll(async () => {
  harness = await startCommands()
})
afterAll(() => harness.stop())

const context = {
  platform: telegram,
  user: 'ada',
  chat: 'ada',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
} as const
const otter = showcaseAddresses.moonOtter

function complete(command: string, option: string, typed: string) {
  return harness.bot.complete({ command, option, typed }, context)
}

describe('a wrong line is answered with what to type, without a call of the API', () => {
  const refused: [line: string, words: string][] = [
    ['search limit:5', '/search needs: Name, ticker or address. For example: /search otter'],
    ['auction', '/auction needs: Name, ticker or address of a token, or its pool.'],
    ['asset 0x1234abcd', 'An address has 40 characters after 0x; this one has 8.'],
    [`asset ${otter.replace('E', 'e')}`, 'don’t match its checksum'],
    [`search ${otter.slice(0, -1)}`, 'this one has 39'],
    ['assets limit:0', '“0” is not a whole number from 1 to 50.'],
    ['assets limit:51', '“51” is not a whole number from 1 to 50.'],
    ['search otter limit:51', '“51” is not a whole number from 1 to 50.'],
    ['assets page:0', '“0” is not a whole number from 1 to 1,000.'],
    ['assets status:alive', '“alive” is unknown. Use all, upcoming, live or graduated.'],
    ['assets category:cats', '“cats” is unknown. Use builder-coin or product-coin.'],
    ['assets order:best', '“best” is unknown. Use market_cap_desc, market_cap_asc,'],
    ['assets numeraire:0x12', 'this one has 2'],
    ['assets numeraire:DOGE', 'I know ETH, WETH and USDC. For any other, give its address'],
    ['alerts add live numeraire:DOGE', 'don’t know a quote token “DOGE” on Base.'],
    ['assets creator:0x12', 'this one has 2'],
    ['assets chain:solana', '“solana” isn’t a chain this bot supports. Use base or base-sepolia.'],
    ['assets chain:1', '“1” isn’t a chain this bot supports.'],
    ['assets stauts:live', '/assets has no option “stauts”. Did you mean status:?'],
    ['help stonks', 'There is no command /stonks.'],
    ['help assts', 'There is no command /assts. Did you mean /assets?'],
    [`search ${'x'.repeat(101)}`, 'That’s too long: 101 characters, at most 100.'],
  ]
  test.each(refused)('/%s', async (line, words) => {
    const before = harness.apiServer.requests.length
    const { view, outcome } = await harness.bot.answer(harness.bot.parse(line), context)
    expect(plainView(view)).toContain(words)
    expect(outcome).toBe('refused')
    expect(harness.apiServer.requests.length).toBe(before)
  })
})

test.each(['builder-coin', 'Builder-Coin', '"builder coin"', 'BUILDER'])(
  'a category may be typed as %s',
  async (typed) => {
    const { view, outcome } = await harness.bot.answer(
      harness.bot.parse(`assets category:${typed}`),
      context,
    )
    expect([outcome, shown(view).join()]).toEqual(['answered', expect.anything()])
    expect(harness.apiServer.requests.at(-1)?.query).toMatchObject({ category: 'builder-coin' })
  },
)

test('what is to be typed instead stands out in a refusal', async () => {
  const spansOf = async (line: string) => {
    const { view } = await harness.bot.answer(harness.bot.parse(line), context)
    return view.blocks.flatMap((block) => (block.kind === 'text' ? block.spans : []))
  }
  expect(await spansOf('auction')).toContainEqual({ code: '/auction OTTER' })
  expect(await spansOf('help assts')).toContainEqual({ code: '/assets' })
  expect(await spansOf('alerts show 99')).toContainEqual({ code: '/alerts' })
  expect(await spansOf('alerts mute 5')).toContainEqual({ code: '8h' })
})

describe('a chain', () => {
  test.each(['84532', 'base-sepolia', 'BASE-SEPOLIA', '"Base Sepolia"'])(
    'may be typed as %s',
    async (typed) => {
      const { view } = await harness.bot.answer(harness.bot.parse(`assets chain:${typed}`), context)
      expect(shown(view)[0]).toBe('Tokens on Base Sepolia (TESTNET)')
    },
  )
})

describe('an address', () => {
  test.each([
    ['with its checksum', otter],
    ['in lower case', otter.toLowerCase()],
    ['in upper case', `0x${otter.slice(2).toUpperCase()}`],
  ])('is taken %s', async (_, typed) => {
    const { view } = await harness.bot.answer(harness.bot.parse(`asset ${typed}`), context)
    expect(shown(view)[0]).toBe('Moon Otter $OTTER')
  })
})

describe('a symbol', () => {
  test.each(['OTTER', 'otter', '$OTTER'])('%s that several have shows them all', async (typed) => {
    const { view } = await harness.bot.answer(harness.bot.parse(`asset ${typed}`), context)
    expect(shown(view).join('\n')).toMatch(/^Which otter\?\n1\. .*Otter.*\n2\. .*Otter/iu)
  })

  test('or a name that only one has opens its card', async () => {
    for (const typed of ['lantern', 'Paper Lantern', '"paper lantern"']) {
      const { view } = await harness.bot.answer(harness.bot.parse(`asset ${typed}`), context)
      expect(shown(view)[0]).toBe('Paper Lantern $LANTERN')
    }
  })

  test('that only a testnet has is found there if one asks for it, and marked', async () => {
    const line = 'asset HARBOR chain:base-sepolia'
    const { view } = await harness.bot.answer(harness.bot.parse(line), context)
    expect(shown(view).slice(0, 2)).toEqual([
      'Quiet Harbor $HARBOR',
      expect.stringMatching(/^Base Sepolia \(TESTNET\)/u),
    ])
    for (const each of ['asset HARBOR', 'search harbor']) {
      const elsewhere = await harness.bot.answer(harness.bot.parse(each), context)
      const text = shown(elsewhere.view).join()
      expect(text).toContain('on Base. Try part of its name')
      expect(text).toContain('For a testnet, add chain:base-sepolia.')
    }
  })

  test.each([
    ['oter', 'Moon Otter'],
    ['lantrn', 'Paper Lantern'],
    ['paper lantren', 'Paper Lantern'],
  ])('that is misspelt as %s finds what it probably means', async (typed, name) => {
    for (const each of [`asset ${typed}`, `search ${typed}`]) {
      const { view } = await harness.bot.answer(harness.bot.parse(each), context)
      const lines = shown(view)
      expect(lines[0]).toBe(`No token called “${typed}” on Base. Did you mean one of these?`)
      expect(lines.join()).toContain(name)
    }
  })

  test('that no asset has is refused with where else to look', async () => {
    const { view, outcome } = await harness.bot.answer(harness.bot.parse('asset zzzzzz'), context)
    expect(plainView(view)).toBe(
      'No token called “zzzzzz” on Base. Try part of its name or its ticker. For a testnet, add chain:base-sepolia.',
    )
    expect(outcome).toBe('refused')
  })
})

describe('while a term is typed', () => {
  test('what matches is offered by name, and stands for its address', async () => {
    const choices = await complete('asset', 'asset', 'moon ott')
    const label = expect.stringMatching(
      /^Moon Otter \$OTTER · 0x[\dA-Fa-f]{4}…[\dA-Fa-f]{4} · Live · Raised [\d.,]+ WETH$/u,
    )
    expect(choices).toEqual([{ value: otter, label }])
  })

  test('twins can be told apart by address and market cap', async () => {
    const labels = (await complete('asset', 'asset', '$otter')).map(({ label }) => label)
    expect(labels).toHaveLength(2)
    const [one, other] = labels.map((label) => label.split(' · ').slice(1))
    expect(one).not.toEqual(other)
    expect(labels.join()).toMatch(/ · MC \$[\d.,]+[KMB]?/u)
  })

  test('a token of a testnet says so first', async () => {
    const [, testnet] = harness.services.chains
    const onTestnet = dispatch({ ...harness.services, chains: [testnet ?? expect.fail()] })
    const choices = await onTestnet.complete(
      { command: 'asset', option: 'asset', typed: 'harbor' },
      context,
    )
    expect(choices[0]?.label).toMatch(/^TESTNET · .*\$HARBOR · 0x/u)
  })

  test.each(locales)('the address fits into what Discord shows in %s', async (locale) => {
    const asked = { command: 'search', option: 'term', typed: 'e' }
    for (const { label, value } of await harness.bot.complete(asked, { ...context, locale })) {
      const at = label.indexOf(`${value.slice(-4)} · `)
      expect(at).toBeGreaterThan(0)
      expect(at).toBeLessThan(80)
    }
  })

  test('at most as many are offered as Discord shows', async () => {
    const choices = await complete('search', 'term', 'e')
    expect(choices).toHaveLength(25)
  })

  test.each(['', '   ', 'x'.repeat(101)])('nothing is asked for %j', async (typed) => {
    const before = harness.apiServer.requests.length
    expect(await complete('search', 'term', typed)).toEqual([])
    expect(harness.apiServer.requests.length).toBe(before)
  })
})

test.each(['otter', '$OTTER'])(
  'the inline query %s gives cards that can be told apart',
  async (term) => {
    const { hits, notice } = await harness.bot.inline(term, context)
    expect(notice).toBeUndefined()
    expect(hits.map(({ title }) => title)).toContain('Moon Otter $OTTER')
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length)
    for (const { id, about, view } of hits) {
      expect(Buffer.byteLength(id)).toBeLessThanOrEqual(64)
      expect(about).toMatch(/^\$[\d.₀-₉]+ · Market cap \$.* · Base · /u)
      expect(view.buttons).not.toEqual([])
    }
  },
)

test('an inline query without a term gives live auctions', async () => {
  const { hits } = await harness.bot.inline('', context)
  expect(hits.length).toBeGreaterThan(1)
  for (const { about } of hits) expect(about).toMatch(/(?:^| · )Base · 🟢 Live$/u)
})

test('in inline mode an address is looked for on testnets, too, as a card is shared by it', async () => {
  const { address } =
    harness.apiServer.world.tokens.find(({ symbol }) => symbol === 'HARBOR') ?? expect.unreachable()
  const { hits } = await harness.bot.inline(address, context)
  expect(hits.map(({ title }) => title)).toEqual(['Quiet Harbor $HARBOR'])
  const nobody = await harness.bot.inline(`0x${'12'.repeat(20)}`, context)
  expect(nobody).toMatchObject({ hits: [], notice: expect.stringContaining('0x1212') })
})

describe('an asset that only another chain has is found', () => {
  let both: CommandHarness
  beforeAll(async () => {
    both = await startCommands({ areMainnets: true })
  })
  afterAll(() => both.stop())
  const answer = async (line: string) => (await both.bot.answer(both.bot.parse(line), context)).view

  test('by a search without a chain, and not by one on the first chain', async () => {
    const lines = shown(await answer('search harbor')).join('\n')
    expect(lines).toMatch(/^Search: harbor on Base Sepolia\n1\. .*Quiet Harbor/u)
    const first = shown(await answer('search harbor chain:base')).join('\n')
    expect(first).toContain('No token called “harbor” on Base.')
  })

  test('by its symbol', async () => {
    expect(shown(await answer('asset HARBOR'))[0]).toBe('Quiet Harbor $HARBOR')
  })

  test('while its name is typed', async () => {
    const completion = { command: 'asset', option: 'asset', typed: 'harbor' }
    const labels = (await both.bot.complete(completion, context)).map(({ label }) => label)
    expect(labels).toEqual([expect.stringContaining('Quiet Harbor')])
    expect(await complete('asset', 'asset', 'harbor')).toEqual([])
  })

  test('in inline mode', async () => {
    const { hits } = await both.bot.inline('harbor', context)
    expect(hits.map(({ title }) => title)).toEqual(['Quiet Harbor $HARBOR'])
    expect((await harness.bot.inline('harbor', context)).hits).toEqual([])
  })

  test('if no chain has it, the answer names each', async () => {
    const { view, outcome } = await both.bot.answer(both.bot.parse('search zzzzzz'), context)
    expect(shown(view).join('\n')).toContain('on Base or Base Sepolia. Try part of its name')
    expect(outcome).toBe('answered')
  })
})

test('menus and help are for the asker, cards and lists for all', () => {
  const areForAsker = (lines: string[]) => lines.map((line) => harness.bot.parse(line).forAsker)
  const menus = [
    'help',
    'help alerts',
    'settings',
    'alerts',
    'alerts add live',
    'follow OTTER',
    'start',
  ]
  expect(areForAsker(menus)).toEqual(menus.map(() => true))
  const lists = [
    'asset OTTER',
    'search otter',
    'assets live',
    'top raised',
    'auction OTTER',
    'by 0x1',
  ]
  expect(areForAsker(lists)).toEqual(lists.map(() => false))
})
