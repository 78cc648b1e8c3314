import { expect, onTestFinished, test } from 'vitest'
import { telegram } from '../../../src/telegram/platform.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, menu, startCommands } from './bot.ts'

async function harness(): Promise<CommandHarness> {
  const started = await startCommands({ admins: ['telegram:7'] })
  onTestFinished(() => started.stop())
  return started
}

function says(
  { bot }: CommandHarness,
  line: string,
  user = '7',
  isPrivate = true,
  isQuoted = false,
) {
  const chat = isPrivate ? user : '-100'
  const context = {
    platform: telegram,
    user,
    chat,
    ephemeral: isPrivate,
    isPrivate,
    isQuoted,
    locale: 'en' as const,
  }
  return bot.answer(bot.parse(line), context)
}

test('for all but administrators in their private chats there is no /admin', async () => {
  const started = await harness()
  const unknown = shown((await says(started, 'nimda launches', '8')).view)
  for (const answer of [
    await says(started, 'admin launches', '8'),
    await says(started, 'admin launches', '7', false),
    await says(started, 'admin yes announce hello: world: "', '8'),
    await says(started, 'admin launches', '7', true, true),
  ]) {
    expect(answer.outcome).toBe('refused')
    expect(shown(answer.view).map((line) => line.replaceAll('admin', 'nimda'))).toEqual(unknown)
  }
  expect(menu.map(({ name }) => name)).not.toContain('admin')
})

test('an administrator is answered, and told what else there is', async () => {
  const started = await harness()
  expect(shown((await says(started, 'admin launches')).view)).toEqual([
    'Administration',
    'There is no such launch. “launches all” lists those of every state.',
  ])
  expect(shown((await says(started, 'admin')).view).join('\n')).toContain('launches DRAFT')
  expect(shown((await says(started, 'admin wipe all')).view).join('\n')).toContain('no action wipe')
})

test('a long answer has pages', async () => {
  const started = await harness()
  const at = Math.floor(Date.now() / 1000)
  const ended = {
    platform: 'telegram',
    person: '8',
    origin: null,
    rev: 1,
    state: 'cancelled',
  } as const
  const times = { created_at_s: at, updated_at_s: at }
  for (let count = 10; count < 60; count += 1) {
    const values = { id: `draft0${count}`, ...ended, body: '{"answers":{}}', ...times }
    await started.store.insertInto('drafts').values(values).execute()
  }
  const first = (await says(started, 'admin launches all')).view
  expect(shown(first)[1]).toContain('draft010')
  expect(controls(first)).toEqual([['Next admin page:2 launches all']])
  const [title] = shown(first)
  const last = Number(title?.split(' ').at(-1))
  const view = (await says(started, `admin page:${last} launches all`)).view
  expect(shown(view).at(-1)).toContain('draft059')
  expect(controls(view)).toEqual([[`Back admin page:${last - 1} launches all`]])
})
