import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileNames } from '../../sandbox/api/invent.ts'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import * as discordCast from '../../sandbox/discord/cast.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { chainById } from '../../src/chain/chains.ts'
import { discordText } from './discord-message.ts'
import { type Harness, startHarness } from './harness.ts'
import { type ChatUser, DiscordUser, TelegramUser } from './users.ts'

/** Writes past the log, as a library might. */
const loud = `
  process.once('SIGUSR2', () => {
    process.emitWarning('many otters, and ' + process.env.DISCORD_TOKEN)
    console.error('no otters:', new Error('no ' + process.env.API_KEY))
  })
`

let harness: Harness
beforeAll(async () => {
  const program = `data:text/javascript,${encodeURIComponent(loud)}`
  // Everything is asked by a few people in a few seconds.
  const limits = { COMMANDS_PER_PERSON: '9999', COMMANDS_PER_CHAT: '9999' }
  harness = await startHarness({ env: { ...limits, NODE_OPTIONS: `--import ${program}` } })
})
afterAll(() => harness.stop())

const otter = showcaseAddresses.moonOtter
const lantern = 'Paper Lantern'

describe.each([
  ['Telegram', () => new TelegramUser(harness)],
  ['Discord', () => new DiscordUser(harness)],
])('on %s', (_, makeUser: () => ChatUser) => {
  test('a card shows an asset by its address, refreshes in place, and leads to its auction', async () => {
    const ada = makeUser()
    await ada.says(`/asset ${otter}`)
    await ada.sees('Moon Otter', '$OTTER', 'Base', 'Live', '42% sold', 'Raised', otter)
    expect(ada.controls()).toEqual([
      ...(ada.platform === 'telegram' ? ['📋 Copy address'] : []),
      'Refresh',
      ...(ada.platform === 'discord' ? ['Details'] : []),
      '🔔 Alerts',
      '⭐ Watch',
      '👤 Creator',
      '📤 Share',
      'Auction',
      `Explorer https://basescan.org/token/${otter}`,
      expect.stringMatching(/^Pool https:\/\/basescan\.org\/address\/0x/u),
    ])
    await ada.presses('Refresh')
    await ada.sees('Moon Otter')
    await ada.presses('Auction')
    await ada.sees('Auction of Moon Otter', '$OTTER', 'WETH', '42% sold')
    await ada.presses('Token')
    await ada.sees('Moon Otter', 'Raised')
    if (ada.platform === 'discord') await ada.presses('Details')
    await ada.sees('Moon Otter', 'Creator')
  })

  test('a symbol opens the card of the one asset that has it, or shows all to choose from', async () => {
    const ada = makeUser()
    await ada.says('/asset lantern')
    await ada.sees(lantern, '$LANTERN', 'Graduated')
    await ada.says('/asset OTTER')
    await ada.sees('Which OTTER?', 'Moon Otter', 'Otter Space')
    await ada.opens(1)
    await ada.sees('Moon Otter', otter)
  })

  test('a search lists hits ten a page, and an exact address opens the card at once', async () => {
    const ada = makeUser()
    await ada.says('/search a limit:15')
    await ada.sees('Search: a', '1.', '10.')
    await ada.presses('Next ▶')
    await ada.sees('11.', '15.', 'Page 2')
    await ada.presses('◀ Previous')
    await ada.sees('Page 1')
    await ada.says(`/search ${otter}`)
    await ada.sees('42% sold', otter)
  })

  test('a ranking changes in place, and opens the cards of its tokens', async () => {
    const ada = makeUser()
    await ada.says('/top new')
    await ada.sees('New on Base in the last 7 days', '1.', 'MC $')
    await ada.presses('📈 Moved')
    await ada.sees('Moved most on Base in 24 h', '(24h)', 'Volume $')
    await ada.presses('💰 Raised')
    await ada.sees('Raised most on Base, launched in the last 7 days', 'Raised')
    await ada.opens(1)
    await ada.sees('Base', 'MC')
  })

  test('a token is watched, shared and its creator followed from its card', async () => {
    const ada = makeUser()
    await ada.says(`/asset ${otter}`)
    await ada.sees('Moon Otter', otter)
    await ada.presses('⭐ Watch')
    await ada.sees('⭐ Moon Otter $OTTER is on your watchlist')
    await ada.presses('⭐ My watchlist')
    await ada.sees('⭐ Your watchlist', 'Moon Otter', 'since added')
    await ada.presses('Remove…')
    await ada.opens(1)
    await ada.sees('Nothing here yet')
    await ada.says(`/asset ${otter}`)
    await ada.sees('Moon Otter', otter)
    await ada.presses('📤 Share')
    await ada.sees('Share Moon Otter $OTTER', otter)
    expect(ada.controls()).toEqual([
      // On Telegram it sends the card by inline mode.
      expect.stringMatching(/^Telegram(?: https:\/\/t\.me\/share\/url\?url=https.*)?$/u),
      expect.stringMatching(/^X https:\/\/x\.com\/intent\/post\?text=Moon%20Otter/u),
      expect.stringMatching(/^Farcaster https:\/\/farcaster\.xyz\/~\/compose\?text=/u),
    ])
    await ada.says(`/asset ${otter}`)
    await ada.sees('Moon Otter', otter)
    await ada.presses('👤 Creator')
    await ada.sees('Tokens created by', 'Moon Otter')
    await ada.presses('🔔 Alerts: everything they launch')
    await ada.sees('Alert added')
  })

  test('a list turns pages and changes its status in place', async () => {
    const ada = makeUser()
    await ada.says('/assets')
    await ada.sees('Tokens on Base', '10.')
    expect(ada.controls()).toEqual([
      '• All',
      'Upcoming',
      'Live',
      'Graduated',
      '• Newest',
      'MC',
      'Volume',
      'Next ▶',
    ])
    await ada.presses('Graduated')
    await ada.sees('Graduated tokens on Base')
    await ada.presses('Live')
    await ada.sees('Live auctions on Base')
    await ada.presses('Next ▶')
    await ada.sees('Live auctions on Base', 'Page 2', '11.')
    await ada.opens(12)
    await ada.sees('Live', 'Raised')
  })

  test('options are given by name', async () => {
    const ada = makeUser()
    await ada.says(
      `/assets status:live order:market_cap_desc category:builder-coin creator:${otter} chain:base-sepolia limit:3`,
    )
    await ada.sees('Nothing on Base Sepolia (TESTNET) matches')
    const { query } = harness.apiServer.requests.find(({ query }) => query.creator === otter) ?? {}
    expect(query).toMatchObject({
      status: 'live',
      ordering: 'market_cap_desc',
      category: 'builder-coin',
      creator: otter,
      chainId: '84532',
    })
  })

  test('a quote token goes by its symbol, and an address that auctions share by no name', async () => {
    const ada = makeUser()
    await ada.says('/assets numeraire:usdc')
    await ada.sees('Tokens on Base', 'in USDC')
    await ada.says('/assets numeraire:doge')
    await ada.sees('don’t know a quote token “doge” on Base', 'WETH and USDC')
    await ada.says('/auction 0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544')
    await ada.sees('is a contract that all auctions on its chain share')
  })

  test('help lists the commands, explains one, and start leads on', async () => {
    const ada = makeUser()
    await ada.says('/help')
    await ada.sees('/search', '/asset', '/assets', '/auction')
    await ada.says('/help assets')
    await ada.sees('order:', 'market_cap_desc', 'numeraire:')
    await ada.presses('◀ All commands')
    await ada.sees('Commands')
    await ada.presses('/search')
    await ada.sees('term:', 'Example: ')
    await ada.says('/start')
    await ada.sees('Gavel', 'never ask for your seed phrase')
    await ada.presses('🟢 Live auctions')
    await ada.sees('Live auctions on Base')
  })

  test('a person chooses the language, and takes that back', async () => {
    const ada = makeUser()
    await ada.says('/settings language:es')
    await ada.sees('Idioma', 'Español')
    await ada.says('/start')
    await ada.sees('Busca, sigue y lanza tokens')
    await ada.says('/settings language:auto')
    await ada.sees('Language', 'Automatic')
  })

  test('in a private chat an address, a ticker or a name is enough, also a misspelt one', async () => {
    const ada = makeUser()
    await ada.says(otter)
    await ada.sees('Moon Otter', '$OTTER')
    await ada.says('$LANTERN')
    await ada.sees(lantern, '$LANTERN')
    await ada.says('moon oter')
    await ada.sees('No token called', 'Did you mean', 'Moon Otter')
    await ada.says('hello there')
    await ada.sees('No token called “hello there” on Base')
  })
})

// What is typed, and words that the answer must have; test/unit/commands/input.test.ts has many more.
const refusals: [typed: string, ...answer: string[]][] = [
  ['/asser OTTER', 'no command /asser', 'Did you mean /asset?', '/help'],
  ['/', '/help'],
  ['/auction', '/auction needs', '/auction OTTER'],
  ['/asset NOSUCHTHING', 'No token called “NOSUCHTHING” on Base'],
  ['/assets colour:red', 'no option “colour”', 'status:', 'order:'],
  [`/search ${'x'.repeat(1500)}`, 'too long', 'at most 1,000'],
]
test.each(refusals)('%s is refused with what to type', async (typed, ...answer) => {
  const telegram = new TelegramUser(harness, telegramCast.ben.id)
  await telegram.says(typed)
  await telegram.sees(...answer)
  const discord = new DiscordUser(harness, discordCast.ben.id)
  // Discord's own form refuses most of these before they are sent; typed as text they reach the bot.
  await discord.writes(typed)
  await discord.sees(...answer)
})

test('a bare /asset asks which token, and takes what is typed next', async () => {
  const telegram = new TelegramUser(harness, telegramCast.ben.id)
  await telegram.says('/asset')
  await telegram.sees('Which token?')
  await telegram.says('Paper Lantern')
  await telegram.sees('$LANTERN')
  const discord = new DiscordUser(harness, discordCast.ben.id)
  await discord.writes('/asset')
  await discord.sees('Which token?')
  await discord.writes('Paper Lantern')
  await discord.sees('LANTERN')
})

/** Entities that the card itself makes; anything else would come from what a stranger wrote. */
const ownEntities = new Set([
  'bold',
  'italic',
  'code',
  'date_time',
  'text_link',
  'expandable_blockquote',
])

test.each(hostileNames)('$name shows as harmless text', async ({ name, symbol }) => {
  const token = harness.apiServer.world.tokens.find(
    (each) => each.name === name && each.symbol === symbol,
  )
  if (!token) throw new Error('the sandbox lost a hostile name')
  const [ada, { people }] = [telegramCast.ada.id, harness.telegram]
  for (const line of [`asset ${token.address} chain:${token.chain}`, 'assets']) {
    const { message_id } = people.text(ada, ada, `/${line}`)
    const seen = await people.waitFor(ada, () => true, { after: message_id })
    expect(seen.entities.filter(({ type }) => !ownEntities.has(type))).toEqual([])
    for (const entity of seen.entities) {
      if (entity.type === 'text_link') expect(entity.url).toMatch(/^https:\/\//u)
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a message must have no control characters
    expect(seen.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u0000-\u0009]/u)
  }
  const options = { asset: token.address, chain: chainById(token.chain).slug }
  const asked = harness.discord.people.slash(
    discordCast.ada.id,
    discordCast.club.id,
    'asset',
    options,
  )
  const nobody = { mention_everyone: false, mentions: [], mention_roles: [] }
  expect(await asked.message()).toMatchObject(nobody)
})

describe('Telegram', () => {
  const ada = telegramCast.ada.id
  const club = telegramCast.club.id

  test('in a group only the bot’s own commands are answered', async () => {
    const { people } = harness.telegram
    const before = people.messages(club).length
    people.text(telegramCast.ben.id, club, '/weather')
    people.text(telegramCast.ben.id, club, '/asset@another_bot OTTER')
    people.text(telegramCast.ben.id, club, otter)
    const user = new TelegramUser(harness, ada, club)
    await user.says('/asset@gavel_bot LANTERN')
    await user.sees(lantern)
    const answers = people
      .messages(club)
      .slice(before)
      .filter(({ sender }) => sender.isBot)
    expect(answers.map(({ text }) => text)).toEqual([expect.stringContaining(lantern)])
    expect(answers[0]?.replyTo).toBeDefined()
  })

  test('in a channel an administrator is answered, and in a topic the answer stays there', async () => {
    const user = new TelegramUser(harness, ada, telegramCast.news.id)
    await user.says('/asset LANTERN')
    await user.sees(lantern)
    const { people } = harness.telegram
    const { id } = telegramCast.lodge
    const [thread = 0] = telegramCast.topics.keys()
    people.text(ada, id, '/asset LANTERN', { thread })
    const answer = await people.waitFor(id, ({ text }) => text.includes(lantern))
    expect(answer.thread).toBe(thread)
  })

  test('a forged button is refused', async () => {
    const { people } = harness.telegram
    const user = new TelegramUser(harness)
    await user.says('/asset LANTERN')
    await user.sees(lantern)
    const message = people.messages(ada).at(-1)
    for (const data of ['?', '=', 'x', '=#AAAAAAAAAAAAAAAA', '+#__proto__', '=drop tables']) {
      const press = people.press(ada, ada, message?.id ?? 0, { data })
      expect(await press).toMatchObject({ kind: 'answer', text: expect.stringMatching(/\w/u) })
    }
    expect(people.messages(ada).at(-1)?.text).toContain(lantern)
  })

  test('inline mode offers cards, sends the chosen one into any chat, and it refreshes there', async () => {
    const { people } = harness.telegram
    const answer = await people.inline(ada, 'otter', '', { chatId: club })
    const titles = answer?.results.map(({ title }) => title)
    expect(titles).toEqual(['Moon Otter $OTTER', 'Otter Space $OTTER'])
    const [result] = answer?.results ?? []
    if (!result) throw new Error('no result')
    expect(result.description).toContain('Base')
    const { message_id } = people.choose(ada, club, { query: 'otter', result })
    const card = () => people.messages(club).find(({ id }) => id === message_id)
    expect(card()).toMatchObject({
      viaBot: 'gavel_bot',
      text: expect.stringContaining('42% sold'),
    })
    const before = people.messages(club).length
    await people.press(ada, club, message_id, { label: 'Refresh' })
    await people.press(ada, club, message_id, { label: 'Auction' })
    expect(card()?.text).toContain('Auction of Moon Otter')
    expect(people.messages(club)).toHaveLength(before)
  })

  test('inline mode without a term offers live auctions, and without a hit says so', async () => {
    const { people } = harness.telegram
    const live = await people.inline(ada, '')
    expect(live?.results).not.toEqual([])
    for (const { description } of live?.results ?? []) expect(description).toContain('Live')
    expect(await people.inline(ada, 'zzzzqqqq')).toMatchObject({
      results: [],
      button: { text: expect.stringMatching(/^Nothing/u) },
    })
  })
})

describe('Discord', () => {
  const ada = discordCast.ada.id
  const club = discordCast.club.id

  test('a refusal is shown to the asker alone', async () => {
    const { people } = harness.discord
    const asked = people.slash(discordCast.ben.id, club, 'asset', { asset: '0x12345678' })
    const { id, ...message } = await asked.message()
    expect(discordText({ id, ...message })).toContain('40 characters')
    const seenBy = (viewer: string) => people.messages(club, viewer).some((each) => each.id === id)
    expect([seenBy(discordCast.ben.id), seenBy(ada)]).toEqual([true, false])
  })

  test('a refused press leaves the message that others read as it is', async () => {
    const { people } = harness.discord
    const user = new DiscordUser(harness)
    await user.says('/assets live category:product-coin')
    const before = await user.sees('Live auctions')
    const list = people.messages(club, ada).at(-1)
    harness.apiServer.faults.set({ match: '/assets', kind: 'status', status: 400, times: 1 })
    await user.presses('Graduated')
    await user.sees('Request rejected')
    const after = people.messages(club, discordCast.ben.id).find(({ id }) => id === list?.id)
    expect(after && discordText(after)).toBe(before)
  })

  test('assets are suggested by name while typing, and nothing while the API is down', async () => {
    const { people } = harness.discord
    const suggest = (typed: string) =>
      people.complete(ada, club, 'asset', { asset: typed }, 'asset')
    expect(await suggest('otter')).toEqual([
      { name: expect.stringMatching(/^Moon Otter \$OTTER .* Live · Raised/u), value: otter },
      { name: expect.stringContaining('Otter Space'), value: showcaseAddresses.otterSpace },
    ])
    harness.apiServer.faults.set({ kind: 'hang' })
    const found = await people.complete(ada, club, 'search', { term: 'canyon' }, 'term')
    harness.apiServer.faults.clear()
    expect(found).toEqual([])
  })
})

test('what is printed to the console becomes lines of the log, without secrets', async () => {
  process.kill(harness.bot.pid, 'SIGUSR2')
  const written = () => harness.bot.logs.filter((line) => JSON.stringify(line).includes('otters'))
  await expect.poll(() => written().length, { timeout: 20_000 }).toBe(2)
  expect(written()).toMatchObject([
    { level: 'error', msg: 'no otters:', err: { message: 'no [redacted]' } },
    { level: 'warn', err: { message: 'many otters, and [redacted]' } },
  ])
  expect(harness.bot.logs.every(({ level }) => level !== undefined)).toBe(true)
})
