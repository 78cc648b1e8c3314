import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LocalisedView } from '../../../src/core/view.ts'
import { discord } from '../../../src/discord/platform.ts'
import { handled } from '../core/asked.ts'
import { shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, otter, Talk } from './talk.ts'

const invitation = 'https://discord.test/add'
const inPrivate = { ...ada, platform: discord, invitations: { server: invitation } }
/** Where she brought the bot along, which is no member there. */
const asGuest = { ...inPrivate, chat: '99', isPrivate: false, ephemeral: false, isGuest: true }

let harness: CommandHarness
beforeAll(async () => {
  const nobodyIsAsked = async () =>
    expect.fail('the platform was asked about a chat without the bot')
  harness = await startCommands({
    messenger: {
      manages: nobodyIsAsked,
      send: nobodyIsAsked,
      title: nobodyIsAsked,
      mention: nobodyIsAsked,
    },
  })
})
afterAll(() => harness.stop())

/** The links that a text contains. */
function linksOf({ blocks }: LocalisedView): string[] {
  const spans = blocks.flatMap((block) => (block.kind === 'text' ? block.spans : []))
  return spans.flatMap((span) => (typeof span === 'object' && 'link' in span ? [span.url] : []))
}

const refused = [
  'alerts',
  'alerts list',
  'alerts show 1',
  'alerts show #1',
  'alerts add',
  'alerts add live',
  'alerts add live role:5',
  'alerts choose live creator',
  'alerts change #1',
  'alerts remove #1',
  'alerts remove all sure',
  'alerts mute',
  'alerts mute 8h',
  'alerts unmute',
  'alerts page:2',
  `follow ${otter}`,
  `follow ${otter} on:all`,
  `creators ${otter}`,
  'settings',
  'settings es',
]

test.each(refused)('%s is refused with a link that adds the bot', async (line) => {
  const typed = await new Talk(harness, asGuest).refusal(line)
  const pressed = await harness.bot.presses(line, asGuest)
  expect(pressed.outcome).toBe('refused')
  for (const view of [typed, pressed.view]) {
    expect(shown(view).join()).toContain('I’m not a member here, so I can only answer.')
    expect(linksOf(view)).toEqual([invitation])
  }
})

test('a value that was typed into a form of /alerts is refused, too', async () => {
  const input = { text: '', files: [], fields: { value: '8h' } }
  const form = { kind: 'form', form: 'alerts mute', input, inPlace: true } as const
  const { answers } = await handled(harness.bot, asGuest, form)
  expect(answers.map(({ view }) => linksOf(view))).toEqual([[invitation]])
})

test('nothing that a guest said is kept of the chat, or of the person’s own', async () => {
  expect(harness.services.chatSettings.of('discord', asGuest.chat).language).toBeUndefined()
  expect(await new Talk(harness, inPrivate).followed()).toEqual([])
})

test('what is the person’s own works everywhere', async () => {
  const guest = new Talk(harness, asGuest)
  expect(shown(await guest.says(`watchlist ${otter}`)).join()).toContain('on your watchlist')
  const direct = new Talk(harness, inPrivate)
  expect(shown(await direct.says('watchlist')).join()).toContain('Moon Otter')
  await direct.says(`follow ${otter} on:graduated`)
  expect(await direct.followed()).toEqual(['Moon Otter graduates · Base'])
  await direct.says('settings es')
  expect(harness.services.chatSettings.of('discord', inPrivate.user).language).toBe('es')
})
