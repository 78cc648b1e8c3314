import type { Browser } from 'playwright-core'
import { type Address, createPublicClient, http, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from '../../sandbox/browser.ts'
import { moduleAt } from '../../sandbox/chain/modules.ts'
import * as discordCast from '../../sandbox/discord/cast.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { account, builds } from '../unit/launch/tampering.ts'
import { discordText } from './discord-message.ts'
import { type LaunchHarness, startLaunchHarness } from './launch-harness.ts'
import { connects, opensLink, picture, reviewed, signs } from './launch-steps.ts'
import { DiscordUser, TelegramUser } from './users.ts'

let harness: LaunchHarness
let browser: Browser
beforeAll(async () => {
  ;[harness, browser] = await Promise.all([startLaunchHarness(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await harness?.stopAll()
})

function wallet(): `0x${string}` {
  const [first] = harness.chain.accounts
  if (!first) throw new Error('the chain has no accounts')
  return first.address
}

/** Answers everything on Telegram, one question after the other. */
async function answersByTyping(ada: TelegramUser, name: string, symbol: string) {
  await ada.says('/launch')
  await ada.sees('Question 1', 'Template')
  await ada.presses('Standard')
  await ada.sees('Name')
  await ada.says(`name: ${name}\nsymbol: ${symbol}`)
  await ada.sees('Description')
  await ada.says('A token that tests launch, again and again.')
  await ada.sees('Logo')
  await ada.sends(await picture())
  await ada.sees('This is how your logo will look')
  await ada.presses('Use it')
  await ada.sees('Links')
  await ada.says('https://otters.example.org')
  await ada.sees('Categories')
  await ada.presses('Builder coin')
  await ada.sees('Wallet')
  await ada.says(wallet())
  await ada.sees('Vesting')
  await ada.says('0x52908400098527886E0F7030069857D2E4169EE7 5%')
  await ada.sees('Fee split')
  await ada.presses('Skip')
}

/** Answers everything on Discord, in its forms. */
async function answersInForms(ada: DiscordUser, name: string, symbol: string) {
  await ada.says('/launch')
  await ada.sees('Question 1', 'Template')
  await ada.presses('Standard')
  await ada.sees('Name')
  const description = 'A token that tests launch, again and again.'
  await ada.fills({ name, symbol, description, pictureFile: await picture() })
  await ada.sees('This is how your logo will look')
  await ada.presses('Use it')
  await ada.sees('Links')
  await ada.fills({ links: 'https://otters.example.org' })
  await ada.sees('Categories')
  await ada.presses('Builder coin')
  await ada.sees('Wallet')
  await ada.fills({
    wallet: wallet(),
    vesting: '0x52908400098527886E0F7030069857D2E4169EE7 5%',
  })
}

async function onChain(token: string) {
  const client = createPublicClient({ transport: http(harness.chain.rpcUrl) })
  const abi = parseAbi([
    'function name() view returns (string)',
    'function symbol() view returns (string)',
  ])
  const contract = { address: token as `0x${string}`, abi } as const
  return {
    name: await client.readContract({ ...contract, functionName: 'name' }),
    symbol: await client.readContract({ ...contract, functionName: 'symbol' }),
  }
}

/** Steps of every launch, as the log tells them. */
const launchSteps = [
  'draft: begun',
  'answers: waiting',
  'answers: complete',
  'confirm: confirmed',
  'picture: done',
  'metadata: done',
  'built: done',
  'check: ready',
  'hand-off: a link was made',
  'page: opened: open',
  'chain: launched',
  'notice: sent',
] as const

const step = z.looseObject({ draft: z.string(), step: z.string(), outcome: z.string() })

function stepsLogged() {
  return harness
    .output()
    .split('\n')
    .filter((line) => line.includes('"a step of a launch"'))
    .map((line) => step.parse(JSON.parse(line)))
}

async function tokenOf(symbol: string): Promise<string> {
  return vi.waitFor(() => {
    const token = harness.apiServer.world.tokens.find((each) => each.symbol === symbol)
    if (!token) throw new Error(`no token ${symbol} was launched`)
    return token.address
  }, 10_000)
}

describe.each([
  [
    'Telegram',
    'Typed Otter',
    'TYPED',
    3,
    'otters.example.org',
    async (name: string, symbol: string) => {
      const ada = new TelegramUser(harness)
      await answersByTyping(ada, name, symbol)
      return ada
    },
  ],
  [
    'Discord',
    'Formed Otter',
    'FORMED',
    4,
    'otters.example.org',
    async (name: string, symbol: string) => {
      const ada = new DiscordUser(harness)
      await answersInForms(ada, name, symbol)
      return ada
    },
  ],
  [
    'Telegram, in one message',
    'River Heron',
    'RIVER',
    5,
    'Fishes at dawn.',
    async (name: string, symbol: string) => {
      const ada = new TelegramUser(harness)
      const caption = `/launch ${symbol} "${name}"\nFishes at dawn.\nwallet: ${wallet()}`
      await ada.sends({ ...(await picture()), type: 'image/png' }, caption)
      await ada.sees('This is how your logo will look')
      await ada.presses('Use it')
      await ada.sees('Template')
      await ada.presses('Standard')
      return ada
    },
  ],
  [
    'Discord, with its options',
    'Lake Heron',
    'LAKE',
    6,
    'Standard',
    async (name: string, symbol: string) => {
      const ada = new DiscordUser(harness)
      await ada.says(`/launch "${symbol} ${name}"`)
      await ada.sees('Template')
      await ada.presses('Standard')
      await ada.sees('Logo')
      await ada.fills({ pictureFile: await picture(), wallet: wallet() })
      await ada.sees('This is how your logo will look')
      await ada.presses('Use it')
      return ada
    },
  ],
])('on %s', (_, name, symbol, listed, more, answers) => {
  test('a launch goes from /launch to a token on the chain, and the chat is notified', async () => {
    const loggedBefore = stepsLogged().length
    const ada = await answers(name, symbol)
    const review = await ada.sees('Review', name, symbol, '95%', '5%')
    expect(review).toContain(wallet())
    expect(review).toContain(more)
    const builtBefore = harness.apiServer.launches.built.length
    await ada.presses('Confirm')
    const ready = await ada.sees('Ready to sign', name)
    const page = await opensLink(ada, harness, browser)
    await page.getByRole('heading', { name }).waitFor()
    const digest = /0x[0-9a-f]{4} [0-9a-f]{4} … [0-9a-f]{4} [0-9a-f]{4}/u.exec(ready)?.[0] ?? 'none'
    expect(await page.locator('main').innerText()).toContain(digest)
    await connects(page)
    await signs(page)
    await page.locator('#panel-title', { hasText: 'Launched' }).waitFor()
    await ada.hears('Launched', name, symbol)
    // The log tells the launch by its draft's id, and nothing by which anybody could know it.
    const taken = await vi.waitFor(() => {
      // Another launch of this file may still be noticed meanwhile.
      const drafts = Map.groupBy(stepsLogged().slice(loggedBefore), ({ draft }) => draft)
      const said = (all: readonly { step?: unknown; outcome?: unknown }[]) =>
        new Set(all.map(({ step, outcome }) => `${step}: ${outcome}`))
      const whole = [...drafts.values()].find((all) =>
        launchSteps.every((step) => said(all).has(step)),
      )
      if (!whole) throw new Error('no draft has all steps in the log')
      return whole
    }, 10_000)
    // Ids are random letters and digits, which can be any.
    const written = JSON.stringify(
      taken.map((each) => ({ ...each, draft: '', payload: '' })),
    ).toLowerCase()
    const address = await tokenOf(symbol)
    for (const secret of [name, `"${symbol}"`, wallet(), address, '/s/', 'otters', '0x']) {
      expect(written).not.toContain(secret.toLowerCase())
    }
    expect(harness.apiServer.launches.built).toHaveLength(builtBefore + 1)
    expect(await onChain(await tokenOf(symbol))).toEqual({ name, symbol })
    await ada.says(`/assets live limit:${listed}`)
    await ada.sees(name)
    expect(harness.ipfs.pinned).not.toHaveLength(0)
    await page.context().close()
  })
})

test('on Discord it can be announced afterwards in a channel that the launcher manages', async () => {
  const ada = new DiscordUser(harness)
  await answersInForms(ada, 'Late Otter', 'LATE')
  await ada.sees('Review')
  await ada.presses('Confirm')
  await ada.sees('Ready to sign')
  const page = await opensLink(ada, harness, browser)
  await connects(page)
  await signs(page)
  await ada.hears('Launched', 'Late Otter')
  await ada.presses('📣 Announce in…')
  await ada.sees('Announce Late Otter')
  const [channel = ''] = ada.controls()
  expect(channel).toMatch(/^#/u)
  await ada.presses(channel)
  await ada.sees('with its buttons')
  const { club, ben } = discordCast
  const posts = () =>
    harness.discord.people
      .messages(club.id, ben.id)
      .map(discordText)
      .filter((text) => text.includes('Late Otter'))
  expect(posts()).toEqual([])
  await ada.presses('📣 Announce')
  await ada.sees('Announced in', channel)
  expect(posts()).toEqual([expect.stringContaining('$LATE')])
  await page.context().close()
})

test('on Discord it is announced in the channel, if the launcher wants that', async () => {
  const ada = new DiscordUser(harness)
  await answersInForms(ada, 'Shared Otter', 'SHARED')
  await ada.sees('Review')
  await ada.presses('🔕 Announce it in this channel once it’s live: off')
  await ada.sees('Review')
  await ada.presses('Confirm')
  await ada.sees('Ready to sign', 'make sure your DMs are open')
  const page = await opensLink(ada, harness, browser)
  await connects(page)
  await signs(page)
  await ada.hears('Launched', 'Shared Otter')
  // All that led there was for the launcher alone.
  const { club, ben } = discordCast
  const seen = await harness.discord.people.until(
    club.id,
    ben.id,
    (messages) => {
      const told = messages.filter((each) => discordText(each).includes('Shared Otter'))
      return told.length > 0 ? told : undefined
    },
    25_000,
  )
  expect(seen.map(discordText)).toEqual([expect.stringContaining('$SHARED')])
  await page.context().close()
})

describe('if the API builds something else than was confirmed, and its answer agrees with the payload', () => {
  const thief: Address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  afterEach(() => {
    harness.apiServer.launches.tamper = undefined
  })

  function givesAway(): void {
    builds(harness, () => ({
      governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
      governanceFactoryData: account(thief),
    }))
  }

  test('a payload that gives the rest of the supply away is handed out only after a second confirmation, and marked in chat and page', async () => {
    const ada = new TelegramUser(harness)
    await reviewed(ada, harness, 'GIVEN')
    givesAway()
    await ada.presses('Confirm')
    const asked = await ada.sees('Not verified', 'Rest of the supply', '40%', '0x8617…070D')
    expect(asked).not.toContain('Ready to sign')
    expect(ada.controls().join()).not.toContain('Sign with your wallet')
    await ada.presses('Continue unverified')
    const handed = await ada.sees('Not verified: Crash GIVEN', 'Rest of the supply', '0x8617…070D')
    expect(handed).not.toContain('Ready to sign')
    const page = await opensLink(ada, harness, browser)
    const warning = page.locator('.warning', { hasText: 'Not verified' }).first()
    await warning.waitFor()
    expect(await page.locator('main').innerText()).toMatch(/0x8617E340.{0,40}070D|0x8617…070D/u)
    await connects(page)
    await signs(page)
    await ada.hears('Launched', 'GIVEN')
    await page.context().close()
  })

  test('the same draft is verified once the API builds what was confirmed', async () => {
    const ada = new TelegramUser(harness)
    await reviewed(ada, harness, 'MENDED')
    givesAway()
    await ada.presses('Confirm')
    await ada.sees('Not verified', '0x8617…070D')
    harness.apiServer.launches.tamper = undefined
    await ada.presses('Build again')
    await ada.sees('Review', 'MENDED')
    await ada.presses('Confirm')
    expect(await ada.sees('Ready to sign', 'MENDED')).not.toContain('0x8617')
  })
})

test('the log, to its last detail, knows neither the people nor their wallets', () => {
  const output = harness.output()
  expect(output).toContain('a step of a launch')
  const accounts = [
    ...harness.chain.accounts.map(({ address }) => address),
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  ].map((address) => address.slice(2).toLowerCase())
  const people = [telegramCast.ada, telegramCast.ben, discordCast.ada, discordCast.ben]
  const personal = [...accounts, ...people.flatMap(({ id }) => [`(?<!\\d)${id}(?!\\d)`])]
  const lines = output.split('\n').filter((line) => new RegExp(personal.join('|'), 'iu').test(line))
  expect(lines).toEqual([])
  expect(output).not.toMatch(/\b(?:Ada|Ben)\b|otters\.example/u)
})
