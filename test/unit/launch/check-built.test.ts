import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { moduleAt, moduleEntries, protocol } from '../../../sandbox/chain/modules.ts'
import { sandboxTemplates } from '../../../sandbox/templates-setting.ts'
import { modulesSchema } from '../../../src/chain/airlock/modules-setting.ts'
import type { Launcher } from '../../../src/chain/chains.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { View } from '../../../src/core/view.ts'
import { t } from '../../../src/core/view.ts'
import type { Answers, Draft } from '../../../src/launch/draft.ts'
import { templates as templatesSetting } from '../../../src/setting-forms.ts'
import {
  ada,
  answers,
  type Bot,
  bob,
  chainId,
  LaunchHarness,
  launcher,
  stranger,
  wallet,
} from './harness.ts'
import { localChain } from './local-chain.ts'
import * as tampering from './tampering.ts'
import {
  builds,
  calls,
  hides,
  type Params,
  pool,
  shared,
  type TokenTerms,
  token,
} from './tampering.ts'
import { alarmOf, expectUnverified, expectVerified, lineAfter, rowOf } from './unverified.ts'
import { lineOf, linkToken, textOf } from './view-reading.ts'

const chain = await localChain()
let harness: LaunchHarness
let bot: Bot
beforeEach(async () => {
  harness = await LaunchHarness.start({ chain })
  bot = await harness.bot()
})

/** Confirms a draft whose payload nobody gets, not even after a second word. */
async function refusal(changes: Parameters<LaunchHarness['draft']>[1] = {}): Promise<View> {
  const draft = await harness.draft(bot, changes)
  const view = await bot.confirm(draft)
  const text = textOf(view)
  expect(text).toContain('❌ Check')
  expect(text).not.toContain('Hand it out')
  expect(() => linkToken(view)).toThrow()
  expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  return view
}

function scheduled(start: number) {
  return (params: Params) => ({
    poolInitializer: moduleAt('UniswapV4ScheduledMulticurveInitializer'),
    poolInitializerData: tampering.scheduled(params, start),
  })
}

describe('a payload that does not say what it should', () => {
  const address = `0x${'ee'.repeat(20)}` as const
  const changes: [what: string, change: Partial<Params>][] = [
    ['total supply', { initialSupply: 1n }],
    ['pool initializer data', { poolInitializerData: '0x1234' }],
    ['integrator', { integrator: address }],
    ['salt', { salt: `0x${'01'.repeat(32)}` }],
  ]

  test.each(changes)('%s: is not handed out, and both values are named', async (what, change) => {
    const draft = await harness.draft(bot)
    hides(harness, () => change)
    const view = await bot.confirm(draft)
    const lines = textOf(view).split('\n')
    expect(lines.some((line) => line.startsWith(`${what}: expected `))).toBe(true)
    await expectNothingHanded(bot, draft, view)
  })

  const typed: [what: string, change: Partial<TokenTerms>][] = [
    ['name', { name: 'Sun Otter' }],
    ['symbol', { symbol: 'SUN' }],
    ['token URI', { uri: 'ipfs://bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi' }],
  ]

  test.each(typed)('%s, in calldata and params alike: is not handed out', async (what, change) => {
    const draft = await harness.draft(bot)
    builds(harness, (params) => ({ tokenFactoryData: token(params, change) }))
    const view = await bot.confirm(draft)
    const value = Object.values(change).join()
    expect(textOf(view)).toContain(`${what}: expected `)
    expect(textOf(view)).toContain(`found ${value}`)
    await expectNothingHanded(bot, draft, view)
  })

  test('what the answer does not repeat is told', async () => {
    harness.apiServer.launches.tamper = ({ params: { salt: _, ...params }, ...result }) => ({
      ...result,
      params,
    })
    expect((await expectVerified(harness)).text).toContain(
      'Not compared, because the data provider did not repeat them: salt.',
    )
  })

  test('a token address that the chain disagrees with is not handed out', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.launches.tamper = (result) => ({ ...result, token_address: address })
    const view = await bot.confirm(draft)
    expect(textOf(view)).toMatch(/it would create the token 0x\w{40}, not 0x[Ee]{40}/u)
    await expectNothingHanded(bot, draft, view)
  })

  test('a token that is there already is not handed out', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.launches.tamper = (result) => ({ ...result, token_address: launcher.to })
    const view = await bot.confirm(draft)
    expect(textOf(view)).toContain(`there is already a contract at ${launcher.to}`)
    await expectNothingHanded(bot, draft, view)
  })

  test('a payload with a module that the launch contract does not know is not handed out', async () => {
    const draft = await harness.draft(bot)
    builds(harness, () => ({ tokenFactory: address }))
    const view = await bot.confirm(draft)
    expect(textOf(view)).toContain('the launch contract does not know')
    await expectNothingHanded(bot, draft, view)
  })

  const pinned = { id: 'sandbox-standard', label: 'Standard', chain: chainId, openShare: '95' }

  test.each([
    ['the operator set', { integrator: address }],
    ['the template pins', { templates: [{ ...pinned, expects: { integrator: address } }] }],
  ] as const)('another integrator than %s is not handed out', async (_, settings) => {
    const other = await LaunchHarness.start({ chain, settings })
    const bot = await other.bot()
    const draft = await other.draft(bot)
    const view = await bot.confirm(draft)
    expect(textOf(view)).toContain(`integrator that the operator set: expected ${address}`)
    await expectNothingHanded(bot, draft, view)
  })

  test('“Build again” shows the review, and another Confirm builds anew without a second upload', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.launches.tamper = (result) => ({ ...result, token_address: address })
    const blocked = await bot.confirm(draft)
    harness.apiServer.launches.tamper = undefined
    expect(textOf(await bot.presses(blocked, 'Build again'))).toContain('Review: Moon Otter')
    const open = await bot.stored(draft)
    linkToken(await bot.confirm(open))
    expect(harness.calls).toEqual({ uploads: 1, builds: 2 })
  })
})

describe('a payload that can’t be read', () => {
  const strange = '0xdeadbeef00'

  test('is handed out as “not verified” after a second confirmation alone', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.launches.tamper = (result) => ({ ...result, encoded_payload: strange })
    const view = await bot.confirm(draft)
    expect(textOf(view)).toContain('not verified')
    expect(textOf(view)).toContain('it calls 0xdeadbeef')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
    const handed = await bot.presses(view, 'Continue unverified')
    expect(textOf(handed)).toContain('Not verified: Moon Otter')
    const request = await bot.signingService.open(linkToken(handed))
    expect(request).toMatchObject({ state: 'open', verified: false, data: strange })
    expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('is not handed out by going on, by somebody else, or from before a change', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.launches.tamper = (result) => ({ ...result, encoded_payload: strange })
    const view = await bot.confirm(draft)
    const again = await bot.press(`continue ${draft.id}`)
    expect(textOf(again)).toContain('not verified')
    await expect(bot.presses(view, 'Continue unverified', bob)).rejects.toThrow('no such launch')
    const now = await bot.stored(draft)
    await bot.drafts.save({ ...now, answers: { ...answers, name: 'Sun Otter' } })
    await expect(bot.presses(view, 'Continue unverified')).rejects.toThrow('Already answered')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })

  test('is shown again if the press comes again after a crash; another press is told that it is built', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.launches.tamper = (result) => ({ ...result, encoded_payload: strange })
    const view = await bot.confirm(draft)
    const press = { ...ada, update: '77' }
    linkToken(await bot.presses(view, 'Continue unverified', press))
    const restarted = await harness.bot()
    const again = await restarted.presses(view, 'Continue unverified', press)
    linkToken(await restarted.presses(again, 'New link'))
    await expect(restarted.presses(view, 'Continue unverified')).rejects.toThrow('already built')
    expect(await bot.payloads.ofDraft(draft.id)).toHaveLength(1)
  })
})

describe('a payload that can’t be read is not handed out at all', () => {
  test.each([
    [
      'where something stands at its token’s address',
      launcher.to,
      'there is already a contract at',
    ],
    ['where that is no address', '0x12', 'token address: expected an address, found 0x12'],
  ])('%s', async (_, token_address, words) => {
    const tampered = { encoded_payload: '0xdeadbeef00', token_address }
    harness.apiServer.launches.tamper = (result) => ({ ...result, ...tampered })
    expect(textOf(await refusal())).toContain(words)
  })
})

describe('metadata on IPFS', () => {
  const uploads = (change: object) => {
    harness.apiServer.launches.tamperUpload = (asked) =>
      Buffer.from(JSON.stringify({ ...asked, ...change }))
  }

  test.each([
    ['description', { description: 'Send coins to 0xee.' }, 'Send coins to 0xee.'],
    ['links', { social_links: [{ label: 'Web', url: 'https://evil.example' }] }, 'evil.example'],
  ])('with another %s than was typed are a reason not to sign', async (name, change, found) => {
    uploads(change)
    const read = await expectUnverified(harness)
    expect(lineAfter(read.text, 'Not verified: ')).toContain(
      `the metadata on IPFS is not what you typed: ${name}`,
    )
    expect(alarmOf(read, 'metadata')).toContain(found)
  })

  test('that are no document are a reason not to sign', async () => {
    harness.apiServer.launches.tamperUpload = () => Buffer.from('<html>soon</html>')
    expect(lineAfter((await expectUnverified(harness)).text, 'Not verified: ')).toContain('IPFS')
  })

  test('that nobody can read leave it verified, and it says that they were not checked', async () => {
    harness.kubo.fault = { kind: 'status', status: 403 }
    const read = await expectVerified(harness)
    const words = plainText([rowOf(read, 'metadata').does ?? ''])
    expect(words).toMatch(/^not checked: IPFS didn’t return it$/u)
    expect(read.text).toContain(words)
  })
})

describe('the operator’s modules', () => {
  // The sandbox's own, which stands on no real chain.
  const factory = moduleAt('TokenFactory')

  async function reasonsWith(modules: object): Promise<string> {
    const other = await LaunchHarness.start({
      chain,
      settings: { modules: modulesSchema.parse(modules) },
    })
    builds(other, () => ({ tokenFactory: factory }))
    return lineAfter((await expectUnverified(other)).text, 'Not verified: ')
  }

  test('are all that is verified, though the data of others can be read', async () => {
    const known = moduleEntries.filter(({ address }) => address !== factory)
    expect(await reasonsWith({ [chainId]: known })).toContain(`the token factory ${factory}`)
  })

  test('count on their own chain alone', async () => {
    expect(await reasonsWith({ 84532: moduleEntries })).toContain(factory)
  })
})

describe('without a node', () => {
  test('the offline checks run, and it says that it was not rehearsed', async () => {
    const other = await LaunchHarness.start()
    const bot = await other.bot()
    const view = await bot.confirm(await other.draft(bot))
    expect(textOf(view)).toContain('Not simulated: no node is set up for this chain')
    linkToken(view)
    const next = await other.draft(bot)
    other.apiServer.launches.tamper = (result) => ({
      ...result,
      params: { ...result.params, salt: `0x${'02'.repeat(32)}` },
    })
    await expectNothingHanded(bot, next, await bot.confirm(next))
  })

  test('a sale that starts before anybody can sign it is refused, too', async () => {
    harness = await LaunchHarness.start()
    bot = await harness.bot()
    builds(harness, scheduled(harness.now() + 60))
    expect(textOf(await refusal())).toContain('starts before anybody can sign it')
  })
})

async function expectNothingHanded(bot: Bot, draft: Draft, view: View): Promise<void> {
  expect(textOf(view)).toContain('❌ Check')
  expect(() => linkToken(view)).toThrow()
  expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  expect((await bot.drafts.find(draft.id))?.state).toBe('open')
}

describe('other functions that launch', () => {
  const other: Launcher = {
    ...launcher,
    launch: `0x${'11'.repeat(20)}`,
    bundle: `0x${'22'.repeat(20)}`,
  }
  const structs = [
    'struct CreateParams { uint256 initialSupply; uint256 numTokensToSell; address numeraire; address tokenFactory; bytes tokenFactoryData; address governanceFactory; bytes governanceFactoryData; address poolInitializer; bytes poolInitializerData; address liquidityMigrator; bytes liquidityMigratorData; address integrator; bytes32 salt; }',
    'struct Binding { address launcher; bytes32 paramsHash; address expectedAsset; uint256 deadline; }',
  ] as const
  const abi = parseAbi([
    ...structs,
    'function launch(CreateParams params, Binding binding, bytes signature)',
    'function bundle(CreateParams params, bytes commands, bytes[] inputs)',
  ])

  function launch(params: Params, binding: { launcher: Address; expectedAsset: Address }): Hex {
    const bound = {
      ...binding,
      paramsHash: `0x${'ab'.repeat(32)}`,
      deadline: BigInt(deadline),
    } as const
    return encodeFunctionData({ abi, functionName: 'launch', args: [params, bound, '0x1234'] })
  }
  let deadline = 0

  beforeEach(async () => {
    harness = await LaunchHarness.start({ settings: { launchers: { [chainId]: other } } })
    bot = await harness.bot()
    deadline = harness.now() + 600
  })

  test('one that is bound to the wallet goes to its own contract, and its link ends in time', async () => {
    calls(harness, (params, { token }) =>
      launch(params, { launcher: wallet, expectedAsset: token }),
    )
    const read = await expectVerified(harness)
    expect(read.payload).toMatchObject({ to: other.launch, airlock: launcher.airlock })
    expect(read.payload.linkExpiresAt).toBe(deadline)
    expect(read.text).not.toContain('the sale begins')
    expect(rowOf(read, 'binding').does).toMatchObject({
      args: { account: t('terms-you'), end: { time: deadline } },
    })
  })

  test('one that its launcher takes for a minute alone is refused', async () => {
    deadline = harness.now() + 60
    calls(harness, (params, { token }) =>
      launch(params, { launcher: wallet, expectedAsset: token }),
    )
    const view = await bot.confirm(await harness.draft(bot))
    expect(textOf(view)).toContain('for too short a time')
    expect(textOf(view)).not.toContain('Hand it out')
  })

  test('one that is bound to another token is not verified', async () => {
    const expectedAsset: Address = `0x${'ee'.repeat(20)}`
    calls(harness, (params) => launch(params, { launcher: wallet, expectedAsset }))
    const { text } = await expectUnverified(harness)
    expect(lineAfter(text, 'Not verified: ')).toContain('a token other than')
  })

  test('one whose contract nobody knows is not verified', async () => {
    const unknown = await LaunchHarness.start()
    calls(unknown, (params, { token }) =>
      launch(params, { launcher: wallet, expectedAsset: token }),
    )
    const { text } = await expectUnverified(unknown)
    expect(lineAfter(text, 'Not verified: ')).toMatch(/no known contract on Base has .*launch/u)
  })

  test('one that also buys tokens is not verified, whatever it pays, and sends no coins', async () => {
    calls(harness, (params) =>
      encodeFunctionData({ abi, functionName: 'bundle', args: [params, '0x0b00', ['0x12']] }),
    )
    const read = await expectUnverified(harness, { answers })
    expect(lineAfter(read.text, 'Not verified: ')).toMatch(/also buys tokens.*no coins are sent/u)
    expect(plainText([rowOf(read, 'opening').does ?? ''])).toContain('WETH')
    expect(read.payload).toMatchObject({ to: other.bundle, value: '0' })
    const raw = await read.bot.press(`raw ${read.payload.id}`)
    expect(textOf(raw)).toContain('Value: 0')
    const files = raw.files?.map(({ bytes }) => Buffer.from(bytes).toString()) ?? []
    expect(files).toHaveLength(2)
    for (const file of files) expect(file).toContain('"value": "0"')
  })
})

describe('a sale that starts before anybody can sign it', () => {
  const auctionOf = (start: number) => (params: Params) => ({
    poolInitializerData: tampering.auction(params, start),
  })
  const dynamic = { answers: { ...answers, template: 'sandbox-dynamic' } }

  test.each([
    ['a curve in a minute', 60, scheduled, {}],
    ['a curve in two minutes but a moment', 119, scheduled, {}],
    ['an auction in a minute', 60, auctionOf, dynamic],
    ['an auction that began', -60, auctionOf, dynamic],
  ] as const)('%s is refused, and it says what the operator should do', async (...each) => {
    const [, seconds, change, changes] = each
    builds(harness, change(harness.now() + seconds))
    const text = textOf(await refusal(changes))
    expect(text).toContain('starts before anybody can sign it')
    expect(text).toContain('the operator should ask for a later start')
  })

  test('is fine where there are two minutes and some for it', async () => {
    const start = harness.now() + 150
    builds(harness, scheduled(start))
    const { does } = rowOf(await expectVerified(harness), 'trading')
    expect(does).toMatchObject({ args: { start: { time: start } } })
  })

  test('a curve whose start has passed trades at once', async () => {
    builds(harness, scheduled(harness.now() - 60))
    expect(plainText([rowOf(await expectVerified(harness), 'trading').does ?? ''])).toContain(
      'at launch',
    )
  })
})

describe('what the contracts refuse is said in words, with a button for what can be changed', () => {
  test('vesting of more than they allow leads to the question about it, and another answer is taken', async () => {
    const vested = { ...answers, vesting: [{ address: stranger, percentage: '25' } as const] }
    builds(harness, () => ({ tokenFactory: moduleAt('TokenFactory') }))
    const view = await refusal({ answers: vested })
    expect(textOf(view)).toMatch(/vesting of 25% to one person is more than the 20%/u)
    const [action = '', at = '', ...words] = lineOf(view, 'Change vesting').split(' ')
    expect([action, ...words]).toEqual(['change', 'vesting'])
    const draft = await bot.drafts.current(ada)
    if (!draft) throw new Error('no draft')
    expect(at).toBe(`${draft.id}.${draft.rev}`)
    const question = await bot.conversation.step(action, at, words, ada)
    expect(textOf(question)).toContain('Vesting')
    await bot.conversation.receive({ text: `${stranger} 20%`, fields: {}, files: [] }, ada)
    const changed = await bot.drafts.current(ada)
    if (!changed) throw new Error('no draft')
    expect(changed.answers.vesting).toEqual([{ address: stranger, percentage: '20' }])
    const ready = await bot.confirm(changed)
    expect(textOf(ready)).toContain('Ready to sign')
    expect(harness.calls).toEqual({ uploads: 2, builds: 2 })
  })

  test('fees without the protocol’s share lead to the question about who gets fees', async () => {
    builds(harness, (params) => {
      const beneficiaries = shared([wallet, 97], [protocol, 3])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    })
    const view = await refusal()
    expect(textOf(view)).toMatch(/protocol’s share of the fees, 3%, is less than the 5%/u)
    const [action, , ...words] = lineOf(view, 'Change fee split').split(' ')
    expect([action, ...words]).toEqual(['change', 'beneficiaries'])
  })

  const minting = (params: Params) => ({
    tokenFactoryData: token(params, { yearlyMintRate: 10n ** 18n }),
  })

  test('what the template is to blame for leads to the question about it', async () => {
    builds(harness, minting)
    const view = await refusal()
    expect(textOf(view)).toMatch(/minting of 100% a year is more than the 2%/iu)
    expect(textOf(view)).toContain('choose another one, or tell the operator')
    const [action, , ...words] = lineOf(view, 'Change template').split(' ')
    expect([action, ...words]).toEqual(['change', 'template'])
  })

  test('where there is no other template the operator is to be told', async () => {
    const templates = [
      { id: 'sandbox-standard', label: 'Standard', chain: chainId, openShare: '95' },
    ]
    const alone = await LaunchHarness.start({ chain, settings: { templates } })
    builds(alone, minting)
    const one = await alone.bot()
    const text = textOf(await one.confirm(await alone.draft(one)))
    expect(text).toContain('The template is at fault: tell the operator.')
    expect(text).not.toMatch(/^Change (?!an answer)/mu)
    expect(text).toContain('Build again')
  })
})

describe('a template with pinned values', () => {
  beforeEach(async () => {
    const templates = templatesSetting.parse(sandboxTemplates)
    harness = await LaunchHarness.start({ chain, settings: { templates } })
  })

  async function built(changes: Partial<Answers> = {}): Promise<string> {
    const bot = await harness.bot()
    const draft = await harness.draft(bot, { answers: { ...answers, ...changes } })
    return textOf(await bot.confirm(draft))
  }

  describe.each(sandboxTemplates)('$label', ({ id: template }) => {
    test('is verified while it does what it is pinned with, also where people vest and share', async () => {
      expect(await built({ template })).toContain('Ready to sign')
      const vesting: Answers['vesting'] = [
        { address: stranger, amount: '20000000' },
        { address: stranger, percentage: '3' },
      ]
      const beneficiaries: Answers['beneficiaries'] = [
        { beneficiary: stranger, shares: '250000000000000000' },
      ]
      const isAuction = template === 'sandbox-dynamic'
      const text = await built({
        template,
        vesting,
        ...(!isAuction && { beneficiaries }),
      })
      expect(text).toContain('Ready to sign')
      expect(text).toMatch(/(?:350,000,000|35%).* to nobody/u)
      expect(text).not.toContain('⚠️')
    })

    test('that does something else is not verified, and each difference is named', async () => {
      harness.apiServer.launches.changes = { fee: 30_000, restTo: stranger, startsAfter: 7200 }
      const text = await built({ template })
      expect(text).toMatch(
        /Not verified: the template changed since the operator wrote down what it does: .*“Trading fee”/u,
      )
      expect(text).toMatch(
        /3% of each trade\. You asked for: 1% of each trade \(the template changed\)/u,
      )
      expect(text).toContain('Continue unverified')
    })
  })

  test('what differs from an answer is not blamed on the template', async () => {
    const build = harness.apiServer.launches.build.bind(harness.apiServer.launches)
    harness.apiServer.launches.build = (on, asked) => {
      const { user_address: beneficiary } = asked.metadata
      const beneficiaries = [{ beneficiary, shares: '950000000000000000' }]
      return build(on, { ...asked, metadata: { ...asked.metadata, beneficiaries } })
    }
    const text = await built({
      beneficiaries: [{ beneficiary: stranger, shares: '250000000000000000' }],
    })
    expect(text).toContain('“Trading fees go” is not what you asked for')
    expect(text).not.toContain('the template changed')
  })
})
