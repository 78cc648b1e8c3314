import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { calldataDigest, shortDigest } from '../../../src/chain/airlock/calldata.ts'
import type { View } from '../../../src/core/view.ts'
import { HandOff } from '../../../src/launch/handoff.ts'
import { createLogger } from '../../../src/log.ts'
import { walletOn } from '../chain/on-chain.ts'
import { controls, shown } from '../views/shown.ts'
import { ada, answers, bob, chainId, LaunchHarness, launcher, stranger } from './harness.ts'
import { localChain } from './local-chain.ts'
import { payloadBody } from './payload-body.ts'
import { lineOf, linkToken, textOf } from './view-reading.ts'

const chain = await localChain()
let harness: LaunchHarness
beforeEach(async () => {
  harness = await LaunchHarness.start({ chain })
})

function fileOf(view: View, end: string): unknown {
  const file = view.files?.find(({ name }) => name.endsWith(end))
  return JSON.parse(Buffer.from(file?.bytes ?? []).toString())
}

describe('a handed-out payload', () => {
  test('says what is created, who gets what with the creator first, and the signing page’s domain', async () => {
    const { view, payload } = await harness.handed({
      answers: {
        ...answers,
        vesting: [{ address: stranger, percentage: '10' }],
        beneficiaries: [{ beneficiary: stranger, shares: '350000000000000000' }],
      },
    })
    const text = textOf(view)
    const lines = text.split('\n')
    for (const [label, words] of [
      ['Supply', /1,000,000,000 tokens/u],
      ['For sale', /600,000,000 tokens.*60%/u],
      ['Vesting', /100,000,000 tokens.*10%.*0x7099…79C8/iu],
      ['Rest of the supply', /300,000,000 tokens.*30%.*nobody/u],
      ['Trading fees go', /60% to you, 35% to 0x7099…79C8 and 5% to the protocol/iu],
      ['Network fee (gas)', /ETH.*, paid/u],
    ] as const) {
      const line = lines.find((each) => each.startsWith(`${label}: `))
      expect(line, label).toMatch(words)
    }
    expect(text).toContain(`Calldata digest: ${shortDigest(payload.digest)}`)
    expect(text).toContain('Sign on bot.example and nowhere else')
    expect(text).toContain('never asks for a private key')
    expect(text).toContain('This bot takes nothing')
  })

  test('a new link replaces the old one', async () => {
    const { bot, view, payload } = await harness.handed()
    const old = linkToken(view)
    const renewed = await bot.presses(view, 'New link')
    expect(textOf(renewed)).toContain('The previous one no longer works')
    const fresh = linkToken(renewed)
    expect(await bot.signingService.open(old)).toBeUndefined()
    expect(await bot.signingService.open(fresh)).toMatchObject({
      state: 'open',
      digest: payload.digest,
    })
  })

  test('the raw payload is the transaction with its digest and its effects, and a file for a Safe', async () => {
    const { bot, view, payload } = await harness.handed()
    const raw = await bot.presses(view, 'Transaction data')
    expect(raw.files?.map(({ name }) => name)).toEqual(['OTTER-payload.json', 'OTTER-safe.json'])
    expect(fileOf(raw, 'payload.json')).toMatchObject({
      chainId,
      to: launcher.to,
      value: '0',
      data: payload.calldata,
      digest: calldataDigest(payload.calldata),
      name: 'Moon Otter',
      symbol: 'OTTER',
      token: payload.token,
      decoded: {
        call: { params: { initialSupply: '1000000000000000000000000000' } },
        token: { name: 'Moon Otter' },
      },
      doubts: [],
      table: expect.arrayContaining([
        { label: 'Supply', does: '1,000,000,000 tokens', state: 'unasked' },
        expect.objectContaining({ label: 'Trading fees go', state: 'same' }),
      ]),
    })
    const safe = z.object({ transactions: z.array(z.unknown()) }).parse(fileOf(raw, 'safe.json'))
    expect(fileOf(raw, 'safe.json')).toMatchObject({ version: '1.0', chainId: String(chainId) })
    expect(safe.transactions).toEqual([{ to: launcher.to, value: '0', data: payload.calldata }])
  })

  test('what was revoked at the same moment is not handed out, where there are only files', async () => {
    const { bot, payload } = await harness.handed()
    const draft = await bot.drafts.find(payload.draft)
    if (!draft) throw new Error('the draft is gone')
    const handOff = new HandOff({
      payloads: bot.payloads,
      signingPage: undefined,
      card: async () => undefined,
      fees: async () => undefined,
      refresh: async (each) => each,
      log: createLogger('info', [], harness.log),
      now: () => payload.createdAt,
    })
    expect((await handOff.hand(payload, draft)).files).toHaveLength(2)
    await bot.payloads.change(payload.id, (each) => ({ ...each, state: 'revoked' }))
    const view = await handOff.hand(payload, draft)
    expect(view.files).toBeUndefined()
    expect(textOf(view)).not.toContain('Ready to sign')
    expect(controls(view).join()).toContain('Build again')
  })

  test('a payload that lost its check is not verified', async () => {
    const { bot, payload } = await harness.handed()
    await bot.payloads.change(payload.id, ({ check: _, ...unchecked }) => unchecked)
    for (const action of ['show', 'link', 'raw']) {
      const view = await bot.press(`${action} ${payload.id}`)
      expect(view.tone, action).toBe('warn')
      expect(textOf(view), action).not.toContain('Ready to sign')
      expect(textOf(view), action).toMatch(/Not verified: it was not checked/u)
    }
    const link = await bot.press(`link ${payload.id}`)
    expect(await bot.signingService.open(linkToken(link))).toMatchObject({
      state: 'open',
      verified: false,
    })
  })

  test('revoking asks first, says what it can’t undo, and invalidates the link', async () => {
    const { bot, view, payload } = await harness.handed()
    const asked = await bot.presses(view, 'Cancel this launch…')
    expect(textOf(asked)).toContain('can still sign it')
    expect((await bot.payloads.find(payload.id))?.state).toBe('active')
    const revoked = await bot.presses(asked, 'Cancel this launch')
    expect(textOf(revoked)).toContain('Cancelled')
    expect(await bot.signingService.open(linkToken(view))).toEqual({ state: 'revoked' })
    expect(textOf(await bot.presses(view, 'New link'))).toContain('Cancelled')
    expect(textOf(await bot.presses(view, 'Transaction data'))).not.toContain('Calldata digest')
  })

  test('can’t be cancelled once it is on the chain: whatever is pressed then says that it is launched', async () => {
    const { bot, view, payload } = await harness.handed()
    const asked = await bot.presses(view, 'Cancel this launch…')
    await walletOn(chain).send(payload.to, payload.calldata)
    // Nothing has polled the chain since.
    const answered = await bot.presses(asked, 'Cancel this launch')
    expect(textOf(answered)).toContain('Launched: Moon Otter')
    expect((await bot.payloads.find(payload.id))?.state).toBe('launched')
    for (const label of ['Cancel this launch…', 'New link', 'Transaction data']) {
      const late = await bot.presses(view, label)
      expect(textOf(late), label).toContain('Launched: Moon Otter')
      expect(controls(late).join(), label).not.toContain('Cancel this launch…')
    }
  })

  test('is its creator’s own: for all others it does not exist', async () => {
    const { bot, draft, payload } = await harness.handed()
    for (const action of ['show', 'link', 'raw', 'revoke', 'revoked', 'signer', 'nonsense']) {
      await expect(bot.press(`${action} ${payload.id}`, bob)).rejects.toThrow('no such launch')
      await expect(bot.press(`${action} ${'0'.repeat(12)}`)).rejects.toThrow('no such launch')
    }
    for (const action of ['continue', 'rebuild', 'uploaded']) {
      await expect(bot.press(`${action} ${draft.id}`, bob)).rejects.toThrow('no such launch')
    }
    expect((await bot.payloads.find(payload.id))?.state).toBe('active')
  })

  test('the operator’s own page gets the token, the chain, the target and the digest', async () => {
    const signingUrlTemplate = 'https://sign.example/?t={token}&c={chain}&to={to}&d={digest}'
    const other = await LaunchHarness.start({ chain, settings: { signingUrlTemplate } })
    const { view, payload } = await other.handed()
    const url = new URL(
      (view.buttons ?? []).flat().flatMap((each) => ('url' in each ? [each.url] : []))[0] ?? '',
    )
    expect(url.host).toBe('sign.example')
    expect(url.searchParams.get('c')).toBe(String(chainId))
    expect(url.searchParams.get('to')).toBe(launcher.to)
    expect(url.searchParams.get('d')).toBe(payload.digest)
    expect(textOf(view)).toContain('Sign on sign.example')
  })

  test('without a signing page it is handed out as files, as the review says, with what to do with them', async () => {
    const other = await LaunchHarness.start({ chain, settings: { publicUrl: undefined } })
    const { view, bot, draft } = await other.handed()
    expect(textOf(bot.conversation.review(draft))).toContain(
      'line by line, and get the transaction as a file.',
    )
    expect(view.files?.map(({ name }) => name)).toEqual(['OTTER-payload.json', 'OTTER-safe.json'])
    expect(textOf(view)).toContain(
      'Load OTTER-safe.json in Safe → Transaction Builder, or paste the calldata from OTTER-payload.json into a wallet that takes it.',
    )
    expect(textOf(view)).not.toContain('New link')
  })
})

describe('another payload for a draft', () => {
  test('needs the old one to be revoked or expired', async () => {
    const { bot, draft, view } = await harness.handed()
    await expect(bot.press(`rebuild ${draft.id}`)).rejects.toThrow('Cancel that launch first')
    const revoked = await bot.revoke(view)
    expect(textOf(await bot.presses(revoked, 'Build again'))).toContain('Review: Moon Otter')
    const open = await bot.stored(draft)
    linkToken(await bot.confirm(open))
    expect((await bot.payloads.ofDraft(draft.id)).map(({ state }) => state).sort()).toEqual([
      'active',
      'revoked',
    ])
    expect(harness.calls).toEqual({ uploads: 1, builds: 2 })
  })

  test('is built only after a check whether the old one was launched after all', async () => {
    const { bot, draft, view, payload } = await harness.handed()
    const revoked = await bot.revoke(view)
    await bot.presses(revoked, 'Build again')
    const open = await bot.stored(draft)
    await walletOn(chain).send(payload.to, payload.calldata)
    const launched = await bot.confirm(open)
    expect(textOf(launched)).toContain('Launched: Moon Otter')
    expect(harness.calls.builds).toBe(1)
    expect((await bot.drafts.find(draft.id))?.state).toBe('launched')
  })

  test('is not begun beside another open draft', async () => {
    const { bot, view } = await harness.handed()
    const revoked = await bot.revoke(view)
    await bot.drafts.begin(ada, { goal: 'launch' })
    await expect(bot.presses(revoked, 'Build again')).rejects.toThrow('another draft open')
  })
})

test('a launch begins with the settings of another, and asks for what is the token’s own', async () => {
  const { bot, draft } = await harness.handed()
  const asked = textOf(await bot.press(`again ${draft.id}`))
  expect(asked).toContain('Name\nThis launch reuses the settings of your last one')
  const begun = await bot.drafts.current(ada)
  expect(begun?.answers).toMatchObject({ wallet: answers.wallet, template: answers.template })
  expect(begun?.answers.name).toBeUndefined()
  expect(begun?.answers.picture).toBeUndefined()
  expect(textOf(await bot.press(`again ${draft.id}`))).toContain('You have an open launch draft')
  await expect(bot.press(`again ${draft.id}`, bob)).rejects.toThrow('no such launch')
})

describe('/launches', () => {
  test('lists a person’s own, newest first, each with what comes next', async () => {
    const { bot, view } = await harness.handed()
    await bot.revoke(view)
    await harness.draft(bot, { answers: { name: 'Sun Otter' } })
    const listed = await bot.launches.list(ada)
    const [, newest, oldest] = shown(listed)
    expect(newest).toMatch(/^Sun Otter.*draft/u)
    expect(oldest).toMatch(/^Moon Otter.*cancelled/u)
    expect(controls(listed).flat()).toEqual([
      'Continue: Sun Otter launch',
      expect.stringMatching(/^Build again: \$OTTER launching rebuild /u),
    ])
    expect(textOf(await bot.launches.list(bob))).toContain('none yet')
  })

  test('says how the auctions of those that were launched stand', async () => {
    const bot = await harness.bot()
    const launched = async (asset: string | undefined) => {
      const draft = await harness.draft(bot)
      await bot.drafts.save({ ...draft, state: 'launched' })
      const token = `0x${asset?.slice(2)}` as const
      const { id } = await bot.payloads.create(draft.id, { ...payloadBody, token })
      return bot.payloads.change(id, (each) => ({ ...each, state: 'launched' }))
    }
    const asked = { chain: 8453, status: 'graduated', limit: 1, offset: 0 } as const
    const [graduated] = harness.apiServer.world.list(asked)
    await launched(graduated?.asset_address)
    // Live, with an end.
    await launched(showcaseAddresses.moonOtter)
    const lines = shown(await bot.launches.list(ada))
    expect(lines.find((line) => line.includes('🎓'))).toMatch(
      /^🎓 Graduated · raised [\d.,]+[KM]? \w+, minimum reached$/u,
    )
    expect(lines.join('\n')).toMatch(/🟢 Live · .*ends /u)
    // Without the API the list is still there.
    await harness.apiServer.stop()
    const another = await harness.bot()
    expect(shown(await another.launches.list(ada))).toEqual([
      'Your launches',
      expect.stringContaining('🚀 launched'),
      expect.stringContaining('🚀 launched'),
      'Tap one to continue.',
    ])
  })

  test('opens the only one at once', async () => {
    const { bot, view } = await harness.handed()
    expect(textOf(await bot.launches.list(ada))).toContain('Ready to sign: Moon Otter')
    await bot.revoke(view)
    expect(textOf(await bot.launches.list(ada))).toContain('⛔ cancelled')
  })

  test('opens an active payload with a button for another link, without making one', async () => {
    const { bot, view, payload } = await harness.handed()
    const opened = await bot.press(`show ${payload.id}`)
    expect(() => linkToken(opened)).toThrow('no signing link')
    expect(await bot.signingService.open(linkToken(view))).toMatchObject({ state: 'open' })
    expect(lineOf(opened, 'New link')).toMatch(/^link /u)
  })
})

test('/metadata says of a picture that was not read back that nobody checked it', async () => {
  const bot = await harness.bot({ publishesByApi: true })
  const published = 'bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
  harness.apiServer.launches.uploadPicture = () => published
  const { cid } = await harness.picture(bot)
  const picture = { cid, stored: true }
  const draft = await harness.draft(bot, { goal: 'metadata', answers: { ...answers, picture } })
  expect(textOf(await bot.confirm(draft))).toContain('Logo on IPFS: uploaded; not read back')
  expect(textOf(await bot.press(`uploaded ${draft.id}`))).toContain('not read back')
})

test('/metadata uploads alone, gives the URI, and ends', async () => {
  const bot = await harness.bot()
  const draft = await harness.draft(bot, {
    goal: 'metadata',
    answers: {
      name: 'Moon Otter',
      description: 'Night patrols.',
      picture: null,
      links: [],
      categories: [],
      feeReceiver: null,
      vesting: [],
      wallet: answers.wallet,
      symbol: 'OTTER',
    },
  })
  const view = await bot.confirm(draft)
  const [uploaded] = harness.apiServer.launches.uploaded
  expect(textOf(view)).toContain(`ipfs://${uploaded?.cid}`)
  expect(harness.calls).toEqual({ uploads: 1, builds: 0 })
  expect((await bot.drafts.find(draft.id))?.state).toBe('done')
  expect(textOf(await bot.launches.list(ada))).toContain('Uploaded: Moon Otter')
  expect(textOf(await bot.press(`uploaded ${draft.id}`))).toContain('ipfs://')
})
