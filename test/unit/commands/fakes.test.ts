import { afterEach, beforeEach, expect, test } from 'vitest'
import { shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { otter, Talk } from './talk.ts'

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
  harness.apiServer.fakes.set(otter.toLowerCase(), [{ id: 'quote', message: 'Not the real OTTER' }])
})
afterEach(() => harness.stop())

const verdicts = () =>
  harness.apiServer.requests.filter(({ path }) => path === '/assets/authenticity')

test.each([`auction ${otter}`, `share ${otter}`])('%s says that it is a fake', async (line) => {
  const view = await talk.says(line)
  expect(view.tone).toBe('bad')
  expect(shown(view)[1]).toBe('🔴 Fake: Not the real OTTER')
  expect(shown(view)).not.toContain('Base · 🟢 Live')
})

test('an authentic token has no red line, nor has one of which the API does not say', async () => {
  for (const isKnown of [true, false]) {
    harness.apiServer.fakes.clear()
    if (!isKnown) harness.apiServer.faults.set({ match: '/assets/authenticity', kind: 'status' })
    const view = await talk.says(`auction ${otter}`)
    expect(shown(view).join()).not.toContain('Fake')
    expect(view.tone).toBe('good')
  }
})

const lists = [
  'search "moon otter"',
  'asset otter',
  'assets creator:CREATOR',
  'by CREATOR',
  'watchlist',
  'alerts add price asset:otter',
]

test.each(lists)('%s marks a fake that is known, and asks nothing for it', async (line) => {
  if (line === 'watchlist') await talk.says(`watch ${otter}`)
  const row = async () => {
    const creator = harness.apiServer.world.tokens.find(({ address }) => address === otter)?.creator
    const view = await talk.says(line.replace('CREATOR', String(creator)))
    return shown(view).find((each) => each.includes('Moon Otter')) ?? ''
  }
  expect(await row()).toContain('🟢 Moon Otter')
  expect(verdicts()).toEqual([])
  await harness.services.fakes.verdict(otter, 8453)
  expect(await row()).toContain('🔴 Moon Otter')
  expect(verdicts()).toHaveLength(1)
})

test('a list with a fake says what its sign means', async () => {
  await harness.services.fakes.verdict(otter, 8453)
  expect(shown(await talk.says('search "moon otter"'))).toContain('🔴 Fake')
})
