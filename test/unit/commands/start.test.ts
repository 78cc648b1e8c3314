import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../../src/core/command.ts'
import { discord } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, Talk } from './talk.ts'

const onDiscord = {
  platform: discord,
  user: '7',
  chat: '70',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
} as const
const over = 'You had blocked me, so nothing was sent. Alerts are back on from now.'

let harness: CommandHarness
beforeEach(async () => {
  harness = await startCommands({
    messenger: {
      manages: async () => true,
      send: async () => ({ message: '1' }),
      title: async () => 'Otters',
    },
  })
})
afterEach(() => harness.stop())

/** Somebody who follows something where nothing can be sent any more. */
async function lost(context: Context): Promise<Talk> {
  const talk = new Talk(harness, context)
  await talk.says('alerts add live')
  await harness.store.updateTable('chats').set({ paused: 'blocked' }).execute()
  return talk
}

async function paused(): Promise<(string | null)[]> {
  const rows = await harness.store.selectFrom('chats').select('paused').execute()
  return rows.map((row) => row.paused)
}

describe.each<Context>([ada, onDiscord])('in the private chat on $platform.name', (context) => {
  test('a person who had blocked the bot reads why nothing came, and alerts go on', async () => {
    const talk = await lost(context)
    expect(shown(await talk.says('start'))).toContain(over)
    expect(await paused()).toEqual([null])
    expect(shown(await talk.says('start'))).not.toContain(over)
  })

  test('alerts are not mentioned if none were paused', async () => {
    const talk = new Talk(harness, context)
    expect(shown(await talk.says('start')).join()).not.toContain('nothing was sent')
  })
})

test('buttons add the bot to chats of the person', async () => {
  const links = async (invitations: Context['invitations']) => {
    const context = { ...ada, ...(invitations && { invitations }) }
    const { view } = await harness.bot.answer(harness.bot.parse('start'), context)
    const buttons = (view.buttons ?? []).flat()
    return buttons.flatMap((button) => ('url' in button ? [`${button.label} ${button.url}`] : []))
  }
  expect(await links({ group: 'https://a', channel: 'https://b' })).toEqual([
    '➕ Add to a group https://a',
    '📣 Add to a channel https://b',
  ])
  expect(await links({ server: 'https://c' })).toEqual(['➕ Add to a server https://c'])
  expect(await links(undefined)).toEqual([])
})

test.each<Context>([
  { platform: telegram, user: '7', chat: '-100', ephemeral: false, isPrivate: false, locale: 'en' },
  { ...onDiscord, isPrivate: false },
])('in another chat on $platform.name nothing changes', async (context) => {
  const talk = await lost(context)
  expect(shown(await talk.says('start'))).not.toContain(over)
  expect(await paused()).toEqual(['blocked'])
})

test('it says that a name alone is enough only if the bot receives such messages', async () => {
  const words = 'Send a name, $ticker or contract address'
  const context = onDiscord
  expect(shown(await new Talk(harness, context).says('start')).join()).toContain(words)
  for (const where of [{ platform: { ...discord, textInput: false } }, { isPrivate: false }]) {
    const unheard = shown(await new Talk(harness, { ...context, ...where }).says('start')).join()
    expect(unheard).not.toContain(words)
    expect(unheard).toContain('/search – find a token')
  }
})
