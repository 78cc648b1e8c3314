import { expect, test } from 'vitest'
import { kindIds, kindWord } from '../../../src/alerts/kinds/list.ts'
import type { Context } from '../../../src/core/command.ts'
import { discord, discordWithoutMessages } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { shown } from '../views/shown.ts'
import { menu, startCommands } from './bot.ts'

const context = {
  platform: discord,
  user: 'ada',
  chat: 'ada',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
} as const

async function help(line: string, by: Context = context): Promise<string[]> {
  const harness = await startCommands()
  try {
    const { view, outcome } = await harness.bot.answer(harness.bot.parse(line), by)
    expect(outcome).toBe('answered')
    expect(harness.apiServer.requests).toEqual([])
    return shown(view)
  } finally {
    await harness.stop()
  }
}

test('help names each other command and what it is for', async () => {
  const lines = await help('help')
  for (const { name, about } of menu.filter((entry) => entry.name !== 'help')) {
    expect(lines).toContain(`/${name} – ${about}`)
  }
  expect(lines.join()).toContain('never ask for your seed phrase')
})

test.each(menu.filter(({ name }) => name !== 'help'))(
  'help explains /$name with each of its options',
  async ({ name, about, options: all }) => {
    const options = all.filter(({ chat }) => !chat)
    const lines = await help(`help ${name}`)
    expect(lines[0]).toBe(`/${name}`)
    expect(lines[1]).toBe(about)
    expect(lines[2]).toContain(`Example: /${name}`)
    for (const { name: option, about: use } of options) {
      expect(lines).toContainEqual(expect.stringContaining(`${option}: ${use}`))
    }
    for (const { name: option, choices = [], required } of options) {
      const line = lines.find((each) => each.startsWith(`${option}:`))
      for (const { value, word = value } of choices) expect(line).toContain(word)
      expect(line?.includes('(required)')).toBe(required)
    }
  },
)

test('the title of a command’s help can be copied as it is typed', async () => {
  const harness = await startCommands()
  try {
    const { view } = await harness.bot.answer(harness.bot.parse('help assets'), context)
    expect((await renderTelegram(view, memoryCallbacks())).text).toContain('<b>/assets</b>')
  } finally {
    await harness.stop()
  }
})

test('help on alerts shows an example in the form of the platform, every kind and every option', async () => {
  const lines = await help('help alerts')
  expect(lines[2]).toContain('/alerts do:add live graduated category:builder-coin chain:base')
  const onTelegram = await help('help alerts', { ...context, platform: telegram })
  expect(onTelegram[2]).toContain('/alerts add live graduated category:builder-coin')
  for (const kind of kindIds) {
    for (const shown of [lines, onTelegram])
      expect(shown.join('\n')).toContain(`add ${kindWord(kind)}: `)
  }
  for (const word of ['change', 'remove', 'channel']) expect(onTelegram.join()).toContain(word)
  expect(onTelegram.join('\n')).not.toMatch(/^role:/mu)
  for (const option of ['do', 'role', 'in', 'category', 'percent'])
    expect(lines.join('\n')).toMatch(new RegExp(`^${option}: `, 'mu'))
  expect(lines.join('\n')).not.toContain('channel:')
  expect(lines.join('\n')).toMatch(/^chain:.*: base/mu)
})

test('help says that an address alone is enough only if the bot receives such messages', async () => {
  const words = 'Or just send me a name'
  expect((await help('help')).join()).toContain(words)
  expect(
    (await help('help', { ...context, platform: discordWithoutMessages })).join(),
  ).not.toContain('just send me')
})

test('a slash before the name, or capitals, change nothing', async () => {
  expect(await help('help /ASSETS')).toEqual(await help('help assets'))
})

test('help on help is the overview', async () => {
  expect(await help('help help')).toEqual(await help('help'))
})
