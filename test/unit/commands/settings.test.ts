import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { languageNames, locales } from '../../../src/core/catalogue.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, Talk } from './talk.ts'

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

describe('quiet hours', () => {
  const quiet = () => harness.services.chatSettings.of('telegram', ada.user)

  test('are tapped, typed with a zone, and turned off', async () => {
    const tapped = await talk.presses(await talk.says('settings'), '🌙 23–8')
    expect(shown(tapped)).toContain('Quiet hours: 23:00–08:00 (UTC)')
    const typed = await talk.says('settings quiet:22:00–7 zone:berlin')
    expect(shown(typed)).toContain('Quiet hours: 22:00–07:00 (Europe/Berlin)')
    expect(quiet()).toMatchObject({ quiet: { from: 22, to: 7 }, zone: 'Europe/Berlin' })
    await talk.presses(typed, '🌙 Off')
    expect(quiet()).toMatchObject({ quiet: undefined, zone: 'Europe/Berlin' })
  })

  test.each(['7', '7-7', '0-24', '25-3', 'night'])('%s is refused', async (hours) => {
    expect(await talk.isRefused(`settings quiet:${hours}`)).toContain('isn’t a range of hours')
    expect(quiet().quiet).toBeUndefined()
  })
})

describe('/settings', () => {
  test('shows the language, and changes it by a press; automatic is that of the person', async () => {
    const view = await talk.says('settings')
    expect(shown(view)).toContain('Language: Automatic')
    expect(controls(view)).toEqual([
      ['• Automatic settings auto'],
      locales.map((locale) => `${languageNames[locale]} settings ${locale}`),
      [
        '• 🌙 Off settings quiet:off',
        '🌙 22–7 settings quiet:22-7',
        '🌙 23–8 settings quiet:23-8',
        '🌙 0–9 settings quiet:0-9',
      ],
    ])
    const chosen = await talk.presses(view, 'Español')
    expect(shown(chosen).join('\n')).toContain('Español')
    expect(controls(chosen).flat()).toContain('• Español settings es')
    expect(harness.services.chatSettings.of('telegram', ada.user).language).toBe('es')
    await talk.says('settings auto')
    expect(harness.services.chatSettings.of('telegram', ada.user).language).toBeUndefined()
  })

  test('takes the language by name, too, and refuses others', async () => {
    await talk.says('settings language:zh-cn')
    expect(harness.services.chatSettings.of('telegram', ada.user).language).toBe('zh-CN')
    expect(await talk.isRefused('settings klingon')).toContain('klingon')
  })

  test('in a group anybody sees it, and only its administrators change it', async () => {
    const inGroup = { ...ada, chat: '-5', isPrivate: false, ephemeral: false }
    const member = new Talk(harness, inGroup)
    expect(shown(await member.says('settings'))[0]).toBe('Settings here')
    expect(await member.isRefused('settings ru')).not.toBe('')
    expect(harness.services.chatSettings.of('telegram', '-5').language).toBeUndefined()
  })
})
