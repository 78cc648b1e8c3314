import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { discord } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { tokenLabel } from '../../../src/views/token.ts'
import { shown } from '../views/shown.ts'
import { ada, lineOf, Talk, typable } from './alerts-talk.ts'
import { type CommandHarness, startCommands } from './bot.ts'

let harness: CommandHarness
beforeEach(async () => {
  harness = await startCommands()
})
afterEach(() => harness.stop())

const platforms = [
  ['Telegram', telegram, '/alerts '],
  ['Discord', discord, '/alerts what:'],
] as const

describe.each(platforms)('on %s', (_, platform, begins) => {
  const talk = () => new Talk(harness, { ...ada, platform, isPrivate: true })

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
    ['live ending 45', 'live category:builder-coin chain:base'],
    ['progress 25 50%', 'progress percent:10,50,100'],
    ['digest 9pm', 'digest hour:7 zone:Berlin'],
    ['live builder-coin', 'live category:builder-coin chain:base'],
    ['price LANTERN', 'price asset:OTTER above:0.5'],
    ['mcap asset:OTTER 2.5m', 'mcap asset:OTTER below:2.5m'],
    ['graduated everything', 'graduated category:builder-coin'],
  ])('add %s follows nothing, and says how options are typed', async (typed, example) => {
    const refusal = await talk().refusal(`alerts add ${typed}`)
    expect(typable(refusal)).toEqual([`${begins}add ${example}`])
    expect(shown(refusal).join()).toContain('An option has its name before it')
    expect(await talk().followed()).toEqual([])
    if (example.includes('OTTER')) return
    await talk().copies(typable(refusal)[0] ?? '')
    expect(await talk().followed()).not.toEqual([])
  })

  test.each([
    ['price prise', 'Did you mean price?'],
    ['OTTER', 'There are: live'],
    ['30', 'There are: live'],
  ])('add %s says which alerts there are', async (typed, answer) => {
    const refusal = await talk().refusal(`alerts add ${typed}`)
    expect(shown(refusal).join()).toContain(answer)
    expect(typable(refusal)).toEqual([])
  })

  test.each(['stop', 'pause', 'delete 1', 'graduated'])(
    '%s changes nothing, and says what there is',
    async (typed) => {
      await talk().says('alerts add incoming')
      const refusal = await talk().refusal(`alerts ${typed}`)
      expect(shown(refusal).join()).toContain('show, change, remove, mute and unmute')
      expect(typable(refusal)).toContain(`${begins}add live`)
      expect(await talk().followed()).toEqual(['Every auction that is announced'])
    },
  )
})

const talkOf = () => new Talk(harness)

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
    const [asset] = (await harness.services.api.assets(filter)).value.items
    return asset ? tokenLabel(asset) : ''
  }
})
