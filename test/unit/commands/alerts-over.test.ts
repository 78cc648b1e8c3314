import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { kindIds, kinds, kindsWhere } from '../../../src/alerts/kinds/list.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { discord } from '../../../src/discord/platform.ts'
import { shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, otter, Talk, typable } from './talk.ts'

const now = Math.floor(Date.now() / 1000)
const phases = {
  incoming: { status: 'incoming', sold: 0, startsAt: now + 3600 },
  live: { status: 'live' },
  graduated: { status: 'graduated', sold: 1, endsAt: now - 60, graduatedAt: now - 60 },
  ended: { status: 'stall', endsAt: now - 60 },
} as const
type Phase = keyof typeof phases

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

function is(phase: Phase): void {
  harness.apiServer.world.change({ chain: 8453, address: otter }, phases[phase])
}

/** The kinds about an asset's sale of which there may still be events in this phase. */
const ofSale = (phase: Phase) =>
  kindsWhere((kind) => kind.assets === 'either' && !kind.isOver(phase))

test.each<[Phase, string[]]>([
  ['incoming', ['live', 'progress', 'ending', 'graduated']],
  ['live', ['progress', 'ending', 'graduated']],
  ['graduated', []],
  ['ended', ['graduated']],
])('of a sale that is %s there may still come: %j', (phase, expected) => {
  const steps = ['incoming', 'live', 'progress', 'ending', 'graduated']
  expect(ofSale(phase).filter((kind) => steps.includes(kind))).toEqual(expected)
})

/** The kinds about a figure of one asset. */
const figureKinds = kindsWhere(({ figure }) => figure !== undefined)
const ofFigures = figureKinds.join(' ')

const here = `asset:${otter.toLowerCase()} chain:base`

describe('what an asset has behind it is said not to be told, and what is instead', () => {
  const afterLive = (...added: string[]) =>
    ofSale('live')
      .filter((kind) => !added.includes(kind))
      .join(' ')
  const afterEnd = ofSale('ended').join(' ')
  test.each<[Phase, string, string, string]>([
    ['incoming', 'incoming', 'has already been announced', ofSale('incoming').join(' ')],
    ['live', 'live', 'is already live, so there will be no more live alerts', afterLive()],
    ['live', 'incoming live', 'upcoming and live alerts', afterLive()],
    [
      'live',
      'live progress',
      'is already live, so there will be no more live alerts',
      afterLive('progress'),
    ],
    ['graduated', 'live', 'has graduated already', ofFigures],
    ['graduated', 'incoming', 'has graduated already', ofFigures],
    ['graduated', 'progress', 'has graduated already', ofFigures],
    ['graduated', 'ending', 'has graduated already', ofFigures],
    [
      'graduated',
      'graduated price',
      'has graduated already, so there will be no more graduated alerts',
      figureKinds.filter((kind) => kind !== 'price').join(' '),
    ],
    ['ended', 'live', 'is over', afterEnd],
    ['ended', 'progress', 'is over', afterEnd],
    ['ended', 'ending', 'is over', afterEnd],
    ...figureKinds.map((kind): [Phase, string, string, string] => [
      'ended',
      kind,
      'is over',
      afterEnd,
    ]),
  ])('%s: %s', async (phase, added, said, instead) => {
    is(phase)
    const view = await talk.says(`alerts add ${added} asset:${otter}`)
    expect(shown(view).at(-1)).toContain(said)
    expect(typable(view)).toEqual([`/alerts add ${instead} ${here}`])
    expect(shown(view).at(-1)).toMatch(/What can still come: \/.*base$/u)
    expect(await talk.followed()).toHaveLength(added.split(' ').length)
    const next = await talk.copies(typable(view)[0] ?? '')
    expect(typable(next)).toEqual([])
  })

  test('nothing is suggested that is in the same line', async () => {
    const view = await talk.says(`alerts add live ${afterLive()} asset:${otter}`)
    expect(shown(view).at(-1)).toBe(
      'Moon Otter $OTTER is already live, so there will be no more live alerts.',
    )
  })

  test('on Discord in its own form, and for another chat with that chat in it', async () => {
    const manages = { manages: async () => true, title: async () => 'Otters' }
    await harness.stop()
    harness = await startCommands({
      messenger: { ...manages, send: async () => ({ message: '1' }) },
    })
    const onDiscord = new Talk(harness, { ...ada, platform: discord, isPrivate: true })
    const [line] = typable(await onDiscord.says(`alerts add live asset:${otter}`))
    expect(line).toBe(`/alerts do:add ${afterLive()} ${here}`)
    const [there] = typable(await new Talk(harness).says(`alerts add live asset:${otter} in:-5`))
    expect(there).toBe(`/alerts add ${afterLive()} ${here} in:-5`)
  })

  test('also where an alert is changed', async () => {
    await harness.stop()
    // Else the asset is the one that was read before.
    harness = await startCommands({ cacheMs: 0 })
    talk = new Talk(harness)
    await talk.says(`alerts add progress asset:${otter}`)
    is('graduated')
    let percent = 1
    const changed = async () => {
      percent = 3 - percent
      return shown(await talk.says(`alerts change 1 percent:${percent}`)).join()
    }
    await expect.poll(changed).toContain('has graduated already')
  })

  test.each([
    ['progress percent:25,40', { sold: 0.6 }, '60% is already sold', 'percent:75,90,100'],
    ['ending minutes:60', { endsAt: now + 2400 }, 'in less than 1 h', 'minutes:30'],
  ])('%s of one that is past that', async (words, change, said, instead) => {
    harness.apiServer.world.change(
      { chain: 8453, address: otter },
      { ...change, showcase: undefined },
    )
    const view = await talk.says(`alerts add ${words} asset:${otter}`)
    expect(shown(view).at(-1)).toContain(said)
    const [kind] = words.split(' ')
    expect(typable(view)).toEqual([`/alerts add ${kind} ${here} ${instead}`])
    expect(typable(await talk.copies(typable(view)[0] ?? ''))).toEqual([])
  })

  test.each([
    ['progress percent:100', { sold: 1 }],
    ['ending minutes:60', { endsAt: now + 200 }],
  ])('%s of one that has nothing more to come of it', async (words, change) => {
    harness.apiServer.world.change(
      { chain: 8453, address: otter },
      { ...change, showcase: undefined },
    )
    const view = await talk.says(`alerts add ${words} asset:${otter}`)
    expect(shown(view).at(-1)).toMatch(/so this alert won’t come\.$/u)
  })
})

test.each<[Phase, string]>([
  ['incoming', `live progress ending graduated ${ofFigures}`],
  ['live', `progress ending graduated ${ofFigures}`],
  ['graduated', ofFigures],
  ['ended', 'graduated'],
])('nothing is said of what may still come: %s', async (phase, added) => {
  is(phase)
  const view = await talk.says(`alerts add ${added} asset:${otter}`)
  expect(typable(view)).toEqual([])
})

test.each<[Phase, string[]]>([
  ['incoming', ['🟢 Live', '📈 Progress', '⏳ Ending', '🎓 Graduated', '💲 Price']],
  ['live', ['📈 Progress', '⏳ Ending', '🎓 Graduated', '💲 Price']],
  ['graduated', ['💲 Price']],
  ['ended', ['🎓 Graduated']],
])('Follow on a card has switches for what may still come alone: %s', async (phase, expected) => {
  is(phase)
  const panel = await talk.says(`follow ${otter}`)
  const labels = (panel.buttons ?? []).flat().map(({ label }) => label)
  const switches = labels
    .filter((label) => !label.startsWith('Set '))
    .flatMap((label) => kindIds.filter((id) => label.startsWith(plainText(kinds[id].label))))
  expect(switches).toEqual(kindsWhere((kind) => kind.inFollowButton && !kind.isOver(phase)))
  expect(switches.map((id) => plainText(kinds[id].label))).toEqual(expect.arrayContaining(expected))
  expect(switches.filter((id) => ['incoming', 'mcap'].includes(id))).toEqual([])
  const values = labels.filter((label) => label.startsWith('Set '))
  expect(values).toHaveLength(phase === 'ended' ? 0 : figureKinds.length)
  await talk.presses(panel, 'Follow')
  expect(await talk.followed()).toHaveLength(switches.length)
})
