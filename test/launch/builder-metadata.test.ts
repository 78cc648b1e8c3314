import { afterEach, beforeEach, expect, test } from 'vitest'
import { textOf } from './seen.ts'
import { confirm, Works } from './works.ts'

let works: Works
beforeEach(async () => {
  works = await Works.start()
})
afterEach(() => works.stop())

async function built(): Promise<string> {
  const bot = await works.bot()
  return textOf(await confirm(bot, await works.draft(bot)))
}

test('metadata on IPFS that is not what was typed is not verified, and the field is named', async () => {
  works.upstream.launches.tamperUpload = (asked) =>
    Buffer.from(JSON.stringify({ ...asked, description: 'Buy this one.' }))
  const text = await built()
  expect(text).toMatch(/Not verified: what stands on IPFS is not what you typed: description/u)
  expect(text).toContain('Hand it out unverified')
})

test('metadata that nobody could read is handed out, and said not to be checked', async () => {
  works.upstream.launches.tamperUpload = () => Buffer.alloc(70_000, ' ')
  const text = await built()
  expect(text).toContain('Ready to sign')
  expect(text).toMatch(/Metadata on IPFS: not checked: .*larger than 64 KiB/u)
})
