import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { linkToken } from './seen.ts'
import { type Bot, chainId, confirm, launcher, presses, stranger, Works } from './works.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
let bot: Bot
let token: string
beforeEach(async () => {
  works = await Works.start({ chain })
  bot = await works.bot()
  bot.queue.start()
  token = linkToken(await confirm(bot, await works.draft(bot)))
})
afterEach(() => works.stop())

/** Waits for this message about an account, and answers it. */
async function answers(label: 'Allow' | 'Refuse', message: number): Promise<void> {
  await expect.poll(() => works.sent.length).toBeGreaterThanOrEqual(message)
  const notice = works.sent[message - 1]
  if (!notice) throw new Error('no message')
  await presses(bot, notice.view, label)
}

/** What the page is told of the stranger. */
async function told() {
  const progress = await bot.signingService.progress(token)
  const signers = progress && 'signers' in progress ? progress.signers : undefined
  return signers?.find(({ account }) => account === stranger)
}

test('an account that was refused can be asked about again after a minute, three times in all', async () => {
  await bot.signingService.claim(token, stranger)
  await answers('Refuse', 1)
  expect(await told()).toMatchObject({ state: 'refused', askAgainAt: expect.any(Number) })
  await bot.signingService.claim(token, stranger)
  expect(await told()).toMatchObject({ state: 'refused' })
  for (const message of [2, 3]) {
    works.ahead += 60
    await bot.signingService.claim(token, stranger)
    await bot.signingService.claim(token, stranger)
    expect(await told()).toEqual({ account: stranger, state: 'asked' })
    await answers('Refuse', message)
  }
  works.ahead += 600
  await bot.signingService.claim(token, stranger)
  expect(await told()).toEqual({ account: stranger, state: 'refused' })
  expect(works.sent).toHaveLength(3)
})

test('an account that was refused by mistake may sign once it is allowed', async () => {
  await bot.signingService.claim(token, stranger)
  await answers('Refuse', 1)
  works.ahead += 60
  await bot.signingService.claim(token, stranger)
  await answers('Allow', 2)
  expect(await told()).toEqual({ account: stranger, state: 'allowed' })
  works.ahead += 60
  await bot.signingService.claim(token, stranger)
  expect(await told()).toEqual({ account: stranger, state: 'allowed' })
  expect(works.sent).toHaveLength(2)
})

test('an account that was allowed stays so, however many claim after it', async () => {
  await bot.signingService.claim(token, stranger)
  await answers('Allow', 1)
  for (let each = 1; each <= 9; each += 1) {
    await bot.signingService.claim(token, `0x${String(each).repeat(40)}`)
    await bot.signingService.claim(token, `0x${'a'.repeat(39)}${each}`)
  }
  expect(await told()).toEqual({ account: stranger, state: 'allowed' })
  const progress = await bot.signingService.progress(token)
  const states =
    progress && 'signers' in progress ? progress.signers?.map(({ state }) => state) : []
  expect(states?.filter((state) => state === 'asked')).toHaveLength(4)
  expect(states?.filter((state) => state === 'waiting')).toHaveLength(5)
})
