import { expect } from 'vitest'
import { linkToken, textOf } from './seen.ts'
import { type Bot, confirm, presses, type Works } from './works.ts'

/**
 * Confirms a draft whose payload is not verified: nobody has it until they said so a second time, and it stays marked.
 * What is read before that second time.
 */
export async function expectUnverified(
  works: Works,
  changes: Parameters<Works['draft']>[1] = {},
  known?: Bot,
): Promise<string> {
  const bot = known ?? (await works.bot())
  const draft = await works.draft(bot, changes)
  const view = await confirm(bot, draft)
  const text = textOf(view)
  expect(text).toContain('Not verified: ')
  expect(text).not.toContain('Ready to sign')
  expect(view.tone).not.toBe('good')
  expect(() => linkToken(view)).toThrow()
  expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  expect((await bot.drafts.find(draft.id))?.state).toBe('open')
  const handed = await presses(bot, view, 'Hand it out unverified')
  expect(handed.tone).toBe('warn')
  expect(textOf(handed)).toContain('Not verified: Moon Otter')
  // The reasons stand there, too, for who did not read them the first time.
  expect(textOf(handed)).toContain(lineAfter(text, 'Not verified: '))
  const request = await bot.desk.open(linkToken(handed))
  expect(request).toMatchObject({ state: 'open', verified: false })
  expect((await bot.payloads.active(draft.id))?.verified).toBe(false)
  return text
}

/** Confirms a draft whose payload is verified: one confirmation is enough. What is read with the link. */
export async function expectVerified(
  works: Works,
  changes: Parameters<Works['draft']>[1] = {},
): Promise<string> {
  const bot = await works.bot()
  const draft = await works.draft(bot, changes)
  const view = await confirm(bot, draft)
  expect(textOf(view)).toContain('Ready to sign')
  expect(textOf(view)).not.toContain('⚠️')
  expect(view.tone).toBe('good')
  expect(await bot.desk.open(linkToken(view))).toMatchObject({ state: 'open', verified: true })
  expect((await bot.payloads.active(draft.id))?.verified).toBe(true)
  return textOf(view)
}

/** The line that begins so. */
export function lineAfter(text: string, start: string): string {
  const line = text.split('\n').find((each) => each.startsWith(start))
  if (line === undefined) throw new Error(`nothing begins with ${start} in: ${text}`)
  return line
}
