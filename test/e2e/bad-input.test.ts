import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as discordCast from '../../sandbox/discord/cast.ts'
import { showcaseAddresses } from '../../sandbox/interface/showcase.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { discordText } from './discord-message.ts'
import { startTown, type Town } from './town.ts'
import { DiscordVisitor, TelegramVisitor } from './visitor.ts'

let town: Town
beforeAll(async () => {
  town = await startTown()
})
afterAll(() => town.stop())

const otter = showcaseAddresses.moonOtter

// What is typed, and words that the answer must have: they say what to type instead.
const refusals: [typed: string, ...answer: string[]][] = [
  ['/asser OTTER', 'no command /asser', 'Did you mean /asset?', '/help'],
  ['/quite-unknown', 'no command /quite-unknown', '/help'],
  ['/', '/help'],
  ['/asset', '/asset needs', '/asset OTTER'],
  ['/search', '/search needs', '/search otter'],
  ['/auction', '/auction needs', '/auction 0x'],
  ['/asset 0x1234abcd', '40 characters after 0x', 'has 8'],
  [`/asset ${otter.slice(0, -1)}g`, 'only the digits 0–9 and the letters a–f'],
  [`/asset ${otter.replace('E', 'e')}`, 'checksum', 'lower case'],
  ['/asset 0x00000000000000000000000000000000000000ff', 'no asset with the address', 'Base'],
  ['/asset NOSUCHTHING', 'Nothing on Base or Base Sepolia is called "NOSUCHTHING"'],
  ['/auction 0x00000000000000000000000000000000000000ff', 'no auction pool', '/assets live'],
  ['/assets limit:0', 'whole number from 1 to 50'],
  ['/assets limit:51', 'whole number from 1 to 50'],
  ['/assets limit:many', '"many"', 'whole number from 1 to 50'],
  ['/assets page:0', 'whole number from 1 to'],
  ['/assets status:alive', '"alive"', 'live', 'graduated'],
  ['/assets stauts:live', 'no option "stauts"', 'Did you mean status:?'],
  ['/assets colour:red', 'no option "colour"', 'status:', 'order:', 'quotes'],
  ['/assets order:best', '"best"', 'market_cap_desc'],
  ['/assets category:cats', '"cats"', 'builder-coin'],
  ['/assets creator:0x12', '40 characters after 0x'],
  ['/assets chain:solana', '"solana" is not a chain of this bot', 'base'],
  ['/assets status:live status:all', 'status: is there twice'],
  ['/assets status:', 'status: needs a value'],
  [`/search ${'x'.repeat(500)}`, 'too long', 'at most 100'],
  [`/search ${'x'.repeat(1500)}`, 'too long', 'at most 1000'],
  ['/help stonks', 'no command /stonks'],
]

describe('on Telegram', () => {
  test.each(refusals)('%s', async (typed, ...answer) => {
    const ben = new TelegramVisitor(town, telegramCast.ben.id)
    await ben.says(typed)
    await ben.sees(...answer)
  })

  test('a term in quotes may look like an option', async () => {
    const ada = new TelegramVisitor(town)
    await ada.says('/search "colour:red"')
    await ada.sees('Search: colour:red')
  })

  test('in a group, commands that are not ours stay unanswered, and ours are answered', async () => {
    const { people } = town.telegram
    const club = telegramCast.club.id
    const before = people.messages(club).length
    people.text(telegramCast.ben.id, club, '/weather')
    people.text(telegramCast.ben.id, club, '/asset@another_bot OTTER')
    people.text(telegramCast.ben.id, club, otter)
    const ada = new TelegramVisitor(town, telegramCast.ada.id, club)
    await ada.says('/asset@gavel_bot LANTERN')
    await ada.sees('Paper Lantern')
    const answers = people
      .messages(club)
      .slice(before)
      .filter(({ sender }) => sender.isBot)
    expect(answers.map(({ text }) => text)).toEqual([expect.stringContaining('Paper Lantern')])
    expect(answers[0]?.replyTo).toBeDefined()
  })

  test('in a channel, a command posted by an administrator is answered', async () => {
    const ada = new TelegramVisitor(town, telegramCast.ada.id, telegramCast.news.id)
    await ada.says('/asset LANTERN')
    await ada.sees('Paper Lantern')
  })

  test('an answer to a command in a topic stays in the topic', async () => {
    const { people } = town.telegram
    const { id } = telegramCast.lodge
    const [thread = 0] = telegramCast.topics.keys()
    people.text(telegramCast.ada.id, id, '/asset LANTERN', { thread })
    const answer = await people.waitFor(id, ({ text }) => text.includes('Paper Lantern'))
    expect(answer.thread).toBe(thread)
  })

  test('a forged button does nothing but say so', async () => {
    const { people } = town.telegram
    const ada = new TelegramVisitor(town)
    await ada.says('/asset LANTERN')
    await ada.sees('Paper Lantern')
    const message = people.messages(telegramCast.ada.id).at(-1)
    for (const data of ['', '=', 'x', '=#AAAAAAAAAAAAAAAA', '+#__proto__', '=drop tables']) {
      const press = people.press(telegramCast.ada.id, telegramCast.ada.id, message?.id ?? 0, {
        data: data || '?',
      })
      expect(await press).toMatchObject({ kind: 'answer', text: expect.stringMatching(/\w/u) })
    }
    expect(people.messages(telegramCast.ada.id).at(-1)?.text).toContain('Paper Lantern')
  })
})

describe('on Discord', () => {
  test.each(refusals)('%s', async (typed, ...answer) => {
    const ben = new DiscordVisitor(town, discordCast.ben.id)
    // Discord's own form refuses most of these before they are sent; typed as text they reach the bot.
    await ben.writes(typed)
    await ben.sees(...answer)
  })

  test('what is refused is shown to the asker alone', async () => {
    const { people } = town.discord
    const asked = people.slash(discordCast.ben.id, discordCast.club.id, 'asset', {
      asset: '0x12345678',
    })
    expect(discordText(await asked.message())).toContain('40 characters')
    const { id } = await asked.message()
    const seenBy = (viewer: string) =>
      people.messages(discordCast.club.id, viewer).some((message) => message.id === id)
    expect([seenBy(discordCast.ben.id), seenBy(discordCast.ada.id)]).toEqual([true, false])
  })

  test('a refused press leaves the message that others read as it is', async () => {
    const { people } = town.discord
    const ada = new DiscordVisitor(town)
    await ada.says('/assets live category:product-coin')
    const before = await ada.sees('Live assets')
    const card = people.messages(discordCast.club.id, discordCast.ada.id).at(-1)
    town.upstream.faults.set({ match: '/assets', kind: 'status', status: 400, times: 1 })
    await ada.presses('Graduated')
    await ada.sees('not accepted')
    const after = people
      .messages(discordCast.club.id, discordCast.ben.id)
      .find(({ id }) => id === card?.id)
    expect(after && discordText(after)).toBe(before)
  })
})
