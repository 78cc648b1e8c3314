import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { conversation } from '../../../commands/conversation.ts'
import { commands } from '../../../commands/index.ts'
import type { Services } from '../../../commands/services.ts'
import { Dispatcher } from '../../../src/core/dispatch.ts'
import { createLogger } from '../../../src/log.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { errorView } from '../../../src/views/error.ts'
import { shown } from '../views/shown.ts'
import { startCommands } from './bot.ts'
import { creator } from './creator.ts'

const context = {
  platform: telegram,
  user: 'ada',
  chat: 'ada',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
} as const

/** The lines of a file; its imports apart and sorted, as they stand in the order of their paths. */
function linesOf(text = '') {
  const lines = text.split('\n')
  const isImport = (line: string) => line.startsWith('import ')
  return [lines.filter(isImport).sort(), lines.filter((line) => !isImport(line))]
}

test('the command that docs/contributing.md shows is the one that is tested here', async () => {
  const folder = new URL('../../../', import.meta.url)
  const page = await readFile(new URL('docs/contributing.md', folder), 'utf8')
  const [, example] = /```ts\n\/\/ commands\/creator\.ts\n(.*?)```/su.exec(page) ?? []
  const code = await readFile(new URL('creator.ts', import.meta.url), 'utf8')
  const moved = code
    .replaceAll("'../../../src/", "'../src/")
    .replaceAll("'../../../commands/", "'./")
  expect(linesOf(example)).toEqual(linesOf(moved))
})

test('it lists what an account created, page by page', async () => {
  const harness = await startCommands({ apiServer: { population: 64 } })
  onTestFinished(() => harness.stop())
  const bot = new Dispatcher<Services>({
    commands: [...commands, creator],
    conversation,
    services: harness.services,
    explain: errorView,
    log: createLogger('silent', []),
    floodLimits: { person: 1000, chat: 1000 },
  })
  const answer = async (line: string) => (await bot.answer(bot.parse(line), context)).view
  const account = harness.apiServer.world.tokens.find(({ chain }) => chain === 8453)?.creator
  const listed = await answer(`creator ${account}`)
  // Its texts are not in the catalogue, as the bot has no such command.
  expect(shown(listed)[0]).toBe('creator-title')
  expect(shown(listed).join()).toMatch(/asset 0x/u)
  const none = await answer(`creator 0x${'1'.repeat(40)} chain:base`)
  expect(shown(none).at(-1)).toBe('creator-none')
})
