import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tokenLabel } from '../../../src/views/token.ts'
import { shown } from '../views/shown.ts'
import { ada, lineOf, Talk, typable } from './alerts-talk.ts'
import { type CommandTown, startCommands } from './bot.ts'

let town: CommandTown
beforeEach(async () => {
  town = await startCommands()
})
afterEach(() => town.stop())

const platforms = [
  ['telegram', 'Telegram', '/alerts '],
  ['discord', 'Discord', '/alerts what:'],
] as const

describe.each(platforms)('on %s', (platform, _, begins) => {
  const talk = () => new Talk(town, { ...ada, platform, isPrivate: true })

  test('who follows the hint at the time zone has one summary', async () => {
    await talk().says('alerts add live')
    const added = await talk().says('alerts add digest hour:4')
    expect(typable(added)).toEqual([`${begins}change 2 zone:Berlin`])
    await talk().copies(typable(added)[0] ?? '')
    const summary = 'Daily summary at 04:00, Europe/Berlin'
    expect(await talk().followed()).toEqual(['Every auction that goes live', summary])
    const back = await talk().says('alerts change 2 zone:UTC')
    await talk().copies(typable(back)[0] ?? '')
    expect(await talk().followed()).toEqual(['Every auction that goes live', summary])
  })

  test.each([
    ['ending 30', 'ending minutes:30'],
    ['ending 2h', 'ending minutes:120'],
    ['ending 3', 'ending minutes:30'],
    ['live ending 45', 'live ending minutes:45'],
    ['progress 50', 'progress percent:50'],
    ['progress 25 50%', 'progress percent:25,50'],
    ['progress percent:25, 50', 'progress percent:25,50'],
    [
      'progress 50 ending 15 category:builder-coin',
      'progress ending category:builder-coin percent:50 minutes:15',
    ],
    ['digest 9', 'digest hour:9'],
    ['digest 9pm', 'digest hour:21'],
    ['digest 7:00 zone:berlin', 'digest hour:7 zone:Europe/Berlin'],
    ['live 5', 'live'],
    ['30', 'ending minutes:30'],
    ['live builder-coin', 'live category:builder-coin'],
    ['live Base', 'live chain:base'],
    ['all', 'live incoming progress ending graduated'],
    ['everything chain:base', 'live incoming progress ending graduated chain:base'],
  ])('what was meant by add %s can be copied', async (typed, meant) => {
    const refusal = await talk().refusal(`alerts add ${typed}`)
    expect(typable(refusal)).toEqual([`${begins}add ${meant}`])
    await talk().copies(typable(refusal)[0] ?? '')
    expect(await talk().followed()).not.toEqual([])
  })

  test('a value without its name may be above or below', async () => {
    const refusal = await talk().refusal('alerts add price 1,000 asset:"Moon Otter"')
    const asset = platform === 'discord' ? 'asset:Moon Otter' : 'asset:"Moon Otter"'
    expect(typable(refusal)).toEqual([
      `${begins}add price ${asset} above:1000`,
      `${begins}add price ${asset} below:1000`,
    ])
    for (const line of typable(refusal)) await talk().copies(line)
    expect(await talk().followed()).toEqual([
      'Moon Otter’s price rises above $1,000 on Base',
      'Moon Otter’s price falls below $1,000 on Base',
    ])
  })

  test.each([
    ['price 0.5', 'price asset:OTTER above:0.5'],
    ['price 10%', 'price asset:OTTER move:10'],
    ['mcap 2.5m', 'mcap asset:OTTER above:2500000'],
  ])('add %s names an asset for example', async (typed, meant) => {
    const refusal = await talk().refusal(`alerts add ${typed}`)
    expect(typable(refusal)[0]).toBe(`${begins}add ${meant}`)
    expect(shown(refusal).join()).toContain('your asset in the place of OTTER')
  })

  test.each([
    ['price LANTERN', 'price asset:LANTERN'],
    ['price LANTERN 10%', 'price asset:LANTERN move:10'],
    ['live graduated lantern', 'live graduated asset:lantern'],
    ['graduated chain:base Lantern', 'graduated asset:Lantern chain:base'],
  ])('add %s is about an asset', async (typed, meant) => {
    const refusal = await talk().refusal(`alerts add ${typed}`)
    expect(typable(refusal)).toEqual([`${begins}add ${meant}`])
    await talk().copies(typable(refusal)[0] ?? '')
    for (const rule of await talk().followed()) expect(rule).toContain('Paper Lantern')
  })

  test('a name of several words is one asset', async () => {
    const refusal = await talk().refusal('alerts add price Paper Lantern')
    await talk().copies(typable(refusal)[0] ?? '')
    expect(await talk().followed()).toEqual(['Paper Lantern’s price moves by 10 % on Base'])
  })

  test.each([
    ['price prise', 'Did you mean price?'],
    ['digest OTTER', 'There are: live'],
    ['OTTER', 'There are: live'],
  ])('add %s is about none', async (typed, answer) => {
    const refusal = await talk().refusal(`alerts add ${typed}`)
    expect(shown(refusal).join()).toContain(answer)
    expect(typable(refusal)).toEqual([])
  })

  test.each([
    ['stop', ['mute on', 'remove all']],
    ['off', ['mute on', 'remove all']],
    ['quit', ['mute on', 'remove all']],
    ['pause', ['mute on', 'remove all']],
    ['on', ['unmute', 'add live']],
    ['resume', ['unmute', 'add live']],
    ['delete 1', ['remove 1', 'remove all']],
    ['unfollow', ['remove 1', 'remove all']],
    ['unfollow OTTER', ['remove 1', 'remove all']],
    ['edit 1', ['change 1']],
    ['subscribe', ['add live graduated']],
    ['graduated', ['add graduated']],
  ])('%s changes nothing, and says what does', async (typed, lines) => {
    await talk().says('alerts add incoming')
    const refusal = await talk().refusal(`alerts ${typed}`)
    expect(typable(refusal)).toEqual(lines.map((line) => begins + line))
    expect(await talk().followed()).toEqual(['Every auction that is announced'])
    for (const line of typable(refusal)) await talk().copies(line)
  })
})

const talkOf = () => new Talk(town)

test('the whole list is the list', async () => {
  await talkOf().says('alerts add incoming')
  expect(shown(await talkOf().says('alerts list all')).join()).toContain('that is announced')
})

describe('a price of no asset', () => {
  test('leads on by a press to the usual settings', async () => {
    const which = await talkOf().says('alerts add price')
    await talkOf().presses(which, await newestLive(8453), '25 %')
    expect((await talkOf().followed()).join()).toMatch(/^.*’s price moves by 25 % on Base$/u)
  })

  test('keeps what was said already', async () => {
    const live = await newestLive(8453)
    await talkOf().presses(await talkOf().says('alerts add price mcap move:5'), live)
    await talkOf().presses(await talkOf().says('alerts add mcap below:5'), live)
    expect(await talkOf().followed()).toEqual([
      expect.stringContaining('price moves by 5 % on Base'),
      expect.stringContaining('market cap moves by 5 % on Base'),
      expect.stringContaining('market cap falls below $5 on Base'),
    ])
  })

  test('offers assets of the chain that was named', async () => {
    const which = await talkOf().says('alerts add price chain:base-sepolia')
    expect(lineOf(which, await newestLive(84532))).toContain('chain:84532')
  })

  test('goes by itself', async () => {
    const refusal = await talkOf().refusal('alerts add live price graduated')
    expect(typable(refusal)).toEqual([
      '/alerts add price asset:OTTER',
      '/alerts add live graduated',
    ])
  })

  async function newestLive(chain: number): Promise<string> {
    const filter = { status: 'live', chain, limit: 1, offset: 0 } as const
    const [asset] = (await town.services.api.assets(filter)).value.items
    return asset ? tokenLabel(asset) : ''
  }
})
