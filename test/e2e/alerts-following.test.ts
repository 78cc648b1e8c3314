import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { type Harness, startHarness } from './harness.ts'
import { type ChatUser, DiscordUser, TelegramUser } from './users.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

describe.each([
  ['Telegram', () => new TelegramUser(harness)],
  ['Discord', () => new DiscordUser(harness)],
])('on %s', (_, makeUser: () => ChatUser) => {
  test('a rule is added by words and by buttons, changed, muted and removed', async () => {
    const ada = makeUser()
    await ada.says('/alerts add live category:builder-coin')
    await ada.sees('Followed from now on', 'Every auction that goes live in builder-coin')
    await ada.presses('Add more')
    await ada.sees('What should be told?')
    await ada.presses('⏳ Ending')
    await ada.sees('15 minutes before the end of any auction')
    await ada.presses('15 minutes')
    await ada.sees('Followed from now on')
    await ada.presses('◀ All alerts')
    await ada.sees('goes live in builder-coin', '15 minutes before the end')
    await ada.opens(2)
    await ada.sees('What is told', '15 minutes before the end')
    await ada.presses('Change')
    await ada.sees('3 hours')
    await ada.presses('3 hours')
    await ada.sees('Changed', '3 hours before the end of any auction')
    await ada.presses('◀ All alerts')
    await ada.sees('3 hours before the end')
    await ada.presses('Mute')
    await ada.sees('Mute for how long?')
    await ada.presses('8 h')
    await ada.sees('Muted until')
    await ada.presses('Unmute')
    await ada.sees('3 hours before the end')
    await ada.presses('Remove all')
    await ada.sees('Remove 2 alerts?')
    await ada.presses('Remove all')
    await ada.sees('No longer followed')
    await ada.says('/alerts')
    const left = await ada.sees('Press Add to see what there is')
    expect(left).not.toContain('3 hours before the end')
    expect(left).not.toContain('builder-coin')
  })

  test('the Follow button of a card shows and toggles its alerts', async () => {
    const ada = makeUser()
    await ada.says(`/asset ${showcaseAddresses.moonOtter}`)
    await ada.sees('Moon Otter')
    await ada.presses('🔔 Follow')
    await ada.sees('nothing of this asset yet')
    await ada.presses('🎓 Graduated')
    await ada.sees('Moon Otter graduates')
    await ada.presses('Unfollow')
    expect(await ada.sees('nothing of this asset yet')).not.toContain('Moon Otter graduates')
  })
})
