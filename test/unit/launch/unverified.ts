import { expect } from 'vitest'
import { shortAddress } from '../../../src/chain/address.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { Span } from '../../../src/core/view.ts'
import type { Payload } from '../../../src/launch/payload.ts'
import { mapSpan } from '../../../src/launch/table/value.ts'
import { isDeviation, type Row } from '../../../src/launch/table.ts'
import { verdictOf } from '../../../src/launch/verdict.ts'
import type { Bot, LaunchHarness } from './harness.ts'
import { linkToken, textOf } from './view-reading.ts'

/** What was read of a payload, and what of it stands in the store. */
export interface Read {
  bot: Bot
  text: string
  payload: Payload
}

/**
 * Confirms a draft whose payload is not verified: nobody has it until they said so a second time, and it stays marked.
 * @returns what is read before that second time
 */
export async function expectUnverified(
  harness: LaunchHarness,
  changes: Parameters<LaunchHarness['draft']>[1] = {},
): Promise<Read> {
  const bot = await harness.bot()
  const draft = await harness.draft(bot, changes)
  const view = await bot.confirm(draft)
  const text = textOf(view)
  const reasons = lineAfter(text, 'Not verified: ')
  expect(text).not.toContain('Ready to sign')
  expect(view.tone).not.toBe('good')
  expect(() => linkToken(view)).toThrow()
  expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  expect((await bot.drafts.find(draft.id))?.state).toBe('open')
  const handed = await bot.presses(view, 'Continue unverified')
  expect(handed.tone).toBe('warn')
  expect(textOf(handed)).toContain('Not verified: Moon Otter')
  // Who did not read the reasons the first time reads them now.
  expect(textOf(handed)).toContain(reasons)
  const request = await bot.signingService.open(linkToken(handed))
  expect(request).toMatchObject({ state: 'open', verified: false })
  const payload = await bot.payloads.active(draft.id)
  if (!payload) throw new Error('nothing was handed out')
  expect(payload.verified).toBe(false)
  return { bot, text, payload }
}

/** Confirms a draft whose payload is verified: one confirmation is enough. */
export async function expectVerified(
  harness: LaunchHarness,
  changes: Parameters<LaunchHarness['draft']>[1] = {},
): Promise<Read> {
  const bot = await harness.bot()
  const draft = await harness.draft(bot, changes)
  const view = await bot.confirm(draft)
  const text = textOf(view)
  expect(text).toContain('Ready to sign')
  expect(text).not.toMatch(/⚠️|Not verified/u)
  expect(view.tone).toBe('good')
  expect(await bot.signingService.open(linkToken(view))).toMatchObject({
    state: 'open',
    verified: true,
  })
  const payload = await bot.payloads.active(draft.id)
  if (!payload) throw new Error('nothing was handed out')
  expect(payload.verified).toBe(true)
  return { bot, text, payload }
}

/** The payload's row of this key. */
export function rowOf({ payload }: Pick<Read, 'payload'>, key: Row['key']): Row {
  const row = rowsOf(payload).find((each) => each.key === key)
  if (!row) throw new Error(`no row ${key}`)
  return row
}

/** The keys of the rows that keep a payload from being verified. */
export function departing({ payload }: Pick<Read, 'payload'>): Row['key'][] {
  return rowsOf(payload)
    .filter(isDeviation)
    .map(({ key }) => key)
}

/** What a row says, with what was asked and why it is unusual; the chat says it above all that is fine. */
export function alarmOf(read: Read, key: Row['key']): string {
  const row = rowOf(read, key)
  expect(isDeviation(row), `${key} departs`).toBe(true)
  const asked = row.asked ? `. You asked for: ${wordsOf(row.asked)}` : ''
  const why = row.why === undefined ? '' : ` (${wordsOf(row.why)})`
  const told = `⚠️ ${wordsOf(row.label)}: ${wordsOf(row.does)}${asked}${why}`
  expect(read.text).toContain(told)
  const calm = rowsOf(read.payload).filter((each) => !isDeviation(each) && !each.first)
  for (const { label } of calm) {
    expect(read.text.indexOf(told)).toBeLessThan(read.text.indexOf(`\n${wordsOf(label)}: `))
  }
  return told
}

function rowsOf({ calldata, wallet, check, chain }: Payload): readonly Row[] {
  return check ? verdictOf(calldata, wallet, check, chainById(chain).coin).rows : []
}

function wordsOf(words: Span = ''): string {
  const short = (span: Span) =>
    typeof span === 'object' && 'code' in span ? shortAddress(span.code) : span
  return plainText([mapSpan(words, short)])
}

/** The line that begins so. */
export function lineAfter(text: string, start: string): string {
  const line = text.split('\n').find((each) => each.startsWith(start))
  if (line === undefined) throw new Error(`nothing begins with ${start} in: ${text}`)
  return line
}
