import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { type ChatUser, DiscordUser, TelegramUser } from '../e2e/users.ts'

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
    await ada.sees('Alert added', 'Any auction goes live · builder-coin')
    await ada.presses('Add more')
    await ada.sees('Which alerts do you want?')
    await ada.presses('⏳ Ending')
    await ada.sees('How many minutes before the end')
    await ada.presses('15 min')
    await ada.sees('Alert added')
    await ada.presses('◀ All alerts')
    await ada.sees('goes live · builder-coin', '15 min before any auction ends')
    await ada.opens(2)
    await ada.sees('🔔 Alert', '15 min before any auction ends')
    await ada.presses('Change')
    await ada.sees('15 min before any auction ends', 'How many minutes')
    await ada.presses('3 h')
    await ada.sees('Updated', '3 h before any auction ends')
    await ada.presses('◀ All alerts')
    await ada.sees('3 h before any auction ends')
    await ada.presses('Mute')
    await ada.sees('Mute for how long?')
    await ada.presses('8 h')
    await ada.sees('Muted until')
    await ada.presses('Unmute')
    await ada.sees('3 h before any auction ends')
    await ada.presses('Remove all')
    await ada.sees('Remove 2 alerts?')
    await ada.presses('Remove all')
    await ada.sees('2 alerts removed')
    await ada.says('/alerts')
    const left = await ada.sees('No alerts yet')
    expect(left).not.toContain('3 h before any auction ends')
    expect(left).not.toContain('builder-coin')
  })

  test('the Follow button of a card shows and toggles its alerts', async () => {
    const ada = makeUser()
    await ada.says(`/asset ${showcaseAddresses.moonOtter}`)
    await ada.sees('Moon Otter')
    await ada.presses('🔔 Alerts')
    await ada.sees('No alerts for this token yet')
    await ada.presses('🎓 Graduated')
    await ada.sees('Moon Otter graduates')
    await ada.presses('Unfollow')
    expect(await ada.sees('No alerts for this token yet')).not.toContain('Moon Otter graduates')
  })
})

test('on Telegram the value of an alert is typed as the next message', async () => {
  const ada = new TelegramUser(harness)
  await ada.says(`/alerts choose price asset:${showcaseAddresses.moonOtter} chain:base`)
  await ada.sees('Which price?')
  await ada.says('1..5')
  await ada.sees('isn’t an amount', 'Which price?')
  await ada.says('900')
  await ada.sees('Alert added', 'rises above $900')
})

test('on Discord it is typed into a form', async () => {
  const ada = new DiscordUser(harness)
  await ada.says('/alerts add')
  await ada.presses('💲 Price')
  await ada.sees('This alert is for one token')
  await ada.presses('Mossy Bridge $BRIDGE')
  await ada.sees('Which price?')
  await ada.fills({ value: '900' })
  await ada.sees('Alert added', 'rises above $900')
})
