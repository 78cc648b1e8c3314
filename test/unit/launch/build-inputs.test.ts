import fc from 'fast-check'
import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { plainText } from '../../../src/core/catalogue.ts'
import { t } from '../../../src/core/view.ts'
import {
  askedOf,
  confirmedDigest,
  launchInputs,
  metadataInputs,
  ownShare,
  pinnedIntegrator,
  pinnedRows,
  reviewViewpoint,
  termsDigest,
} from '../../../src/launch/build-inputs.ts'
import type { Answers, Draft } from '../../../src/launch/draft.ts'
import type { LaunchSettings, Template } from '../../../src/launch/settings.ts'
import { askedRows, readAsked } from '../../../src/launch/table.ts'
import { bob, eve, integrator, viewpoint, you } from './effects-sample.ts'

const weth = '0x4200000000000000000000000000000000000006'
const percent = 10n ** 16n

function template(expects: Template['expects']): Template {
  return { id: 'standard', label: 'Standard', chain: 8453, expects }
}

function lines(...all: [to: string, percent: string][]) {
  return all.map(([to, percent]) => ({ to, percent }))
}

/** Shares for others, in percent. */
function gives(...all: [who: typeof bob, percent: number][]): Answers {
  const beneficiaries = all.map(([beneficiary, part]) => ({
    beneficiary,
    shares: String(BigInt(Math.round(part * 1e6)) * (percent / 1_000_000n)),
  }))
  return { wallet: you, beneficiaries }
}

/** The inputs that are read from a draft alone. */
function draftOf(answers: Answers, goal: Draft['goal'] = 'launch'): Draft {
  return {
    ...{
      goal,
      answers,
      acceptedDoubts: {},
      rejectedTexts: {},
      accountNames: {},
      changedBy: [],
      announce: false,
      stepResults: {},
    },
    ...{ id: 'k3f9a2bc', platform: 'telegram', person: '7', origin: undefined },
    ...{ rev: 1, state: 'open', createdAt: 0, updatedAt: 0 },
  }
}

describe('the metadata', () => {
  const upload = (answers: Answers, of?: Template) =>
    metadataInputs(draftOf({ name: 'Moon Otter', ...answers }), of)
  const bare = {
    name: 'Moon Otter',
    description: '',
    image_hash: '',
    social_links: [],
    vesting_recipients: [],
  }

  test('has both lists that the API requires, and no other field that was skipped', () => {
    expect(upload({})).toEqual(bare)
    const skipped = { description: '', picture: null, links: [], categories: [], vesting: [] }
    expect(upload({ ...skipped, feeReceiver: null })).toEqual(bare)
  })

  test('holds all that was answered, amounts as numbers of whole tokens', () => {
    const links = [{ label: 'Website', url: 'https://moonotter.example/' }]
    const vesting = [
      { address: bob, amount: '350000000' },
      { address: eve, percentage: '2.5' },
    ]
    const picture = {
      cid: 'bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
      stored: true,
    }
    const answers: Answers = { description: 'Night patrols.', picture, links, vesting }
    expect(
      upload({ ...answers, categories: ['builder-coin'], wallet: you, feeReceiver: bob }),
    ).toEqual({
      name: 'Moon Otter',
      description: 'Night patrols.',
      image_hash: picture.cid,
      social_links: links,
      vesting_recipients: [
        { address: bob, amount: 350_000_000 },
        { address: eve, amount: 25_000_000, percentage: 2.5 },
      ],
      fee_receiver: bob,
      categories: ['builder-coin'],
    })
  })

  test('counts a percentage of the template’s supply', () => {
    const vesting = [{ address: bob, percentage: '0.5' }]
    const supply = { supply: '21000000' }
    expect(upload({ vesting }, template(supply)).vesting_recipients).toEqual([
      { address: bob, amount: 105_000, percentage: 0.5 },
    ])
  })

  test.each([
    ['a part of a token', { amount: '1.5' }, 'Only whole tokens'],
    ['a share that comes to one', { percentage: '0.00000001' }, '0.00000001% of 1,000,000,000'],
    ['more than JSON holds', { amount: '9007199254740992' }, '9,007,199,254,740,991'],
  ])('is refused in words with %s of vesting', (_, amount, words) => {
    expect(() => upload({ vesting: [{ address: bob, ...amount }] })).toThrow(words)
  })

  test('has the largest number of tokens to the last one', () => {
    const vesting = [{ address: bob, amount: '9007199254740991' }]
    const [recipient] = upload({ vesting }).vesting_recipients
    expect(JSON.stringify(recipient)).toContain('"amount":9007199254740991}')
  })

  test('names a published picture as the publisher does', () => {
    const draft = draftOf({ name: 'Moon', picture: { cid: 'bafkrei', stored: true } })
    const done = { picture: { of: 'bafkrei', cid: 'QmPublished' } }
    expect(metadataInputs({ ...draft, stepResults: done }, undefined).image_hash).toBe(
      'QmPublished',
    )
    const former = { picture: { of: 'bafkother', cid: 'QmPublished' } }
    expect(metadataInputs({ ...draft, stepResults: former }, undefined).image_hash).toBe('bafkrei')
  })

  test('names the wallet as fee receiver unless another one is given', () => {
    expect(upload({ wallet: you, feeReceiver: null }).fee_receiver).toBe(you)
    expect(upload({ wallet: you, feeReceiver: bob }).fee_receiver).toBe(bob)
  })

  test('needs a name', () => {
    expect(() => metadataInputs(draftOf({}), undefined)).toThrow('Some questions are still open')
  })
})

describe('what the API is asked to build', () => {
  const settings: LaunchSettings = {
    templates: [
      { id: 'standard', label: 'Elsewhere', chain: 1, expects: { shares: [] } },
      template({}),
      { id: 'kept', label: 'Keeps the fees', chain: 8453, expects: { shares: [] } },
      { id: 'open', label: 'Leaves 35%', chain: 8453, openShare: '35' },
      { id: 'none', label: 'Leaves nothing', chain: 8453, openShare: '0' },
    ],
    launchers: { 8453: { to: bob, airlock: bob } },
    modules: {},
    symbol: { pattern: /^[A-Z]+$/u },
    integrator: undefined,
    publicUrl: undefined,
    signingUrlTemplate: undefined,
  }
  const complete: Answers = {
    ...gives([eve, 10], [bob, 20]),
    ...{ chain: 8453, template: 'standard', name: 'Moon Otter', symbol: 'OTTER' },
  }
  const request = (answers: Answers) => launchInputs({ answers }, settings).requestFor('ipfs://x')

  test('gives the beneficiaries in ascending order, as the contracts require', () => {
    for (const beneficiaries of [complete.beneficiaries, complete.beneficiaries?.toReversed()]) {
      const { metadata } = request({ ...complete, ...(beneficiaries && { beneficiaries }) })
      const given = metadata.beneficiaries.map(({ beneficiary }) => BigInt(beneficiary))
      expect(given).toHaveLength(2)
      expect(given[0]).toBeLessThan(given[1] ?? 0n)
    }
  })

  test('gives none if the template of this chain leaves no fees to share', () => {
    expect(request({ ...complete, template: 'kept' }).metadata.beneficiaries).toEqual([])
  })

  const sharesOf = (answers: Answers) =>
    request({ ...complete, ...answers }).metadata.beneficiaries.map(({ beneficiary, shares }) => [
      beneficiary,
      shares,
    ])

  test('gives the creator the rest of what is known to be open', () => {
    const open = { template: 'open', wallet: you }
    expect(sharesOf({ ...open, beneficiaries: [] })).toEqual([[you, '350000000000000000']])
    const given = sharesOf({ ...open, ...gives([bob, 10]) })
    expect(new Map(given.map(([who, shares]) => [who, shares]))).toEqual(
      new Map([
        [you, '250000000000000000'],
        [bob, '100000000000000000'],
      ]),
    )
    expect(sharesOf({ ...open, ...gives([bob, 35]) })).toEqual([[bob, '350000000000000000']])
    expect(sharesOf({ ...open, ...gives([you, 10]) })).toEqual([[you, '350000000000000000']])
    expect(sharesOf({ template: 'none', ...gives([bob, 35]) })).toEqual([])
  })

  test('is refused in words if others got more than is open', () => {
    expect(() => sharesOf({ template: 'open', ...gives([bob, 35], [eve, 1]) })).toThrow(
      'Others would get 36% of the trading fees, but this template lets you give away 35%',
    )
  })

  test('sums to what is open to the last unit, in ascending order and with nobody twice', () => {
    const part = fc.bigInt({ min: 1n, max: 35n * percent })
    const anyGiven = fc.array(fc.record({ who: fc.constantFrom(bob, eve, you), part }), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(anyGiven, (all) => {
        let left = 35n * percent
        const beneficiaries = all.flatMap(({ who, part }) => {
          if (part > left) return []
          left -= part
          return [{ beneficiary: who, shares: String(part) }]
        })
        const given = sharesOf({ template: 'open', wallet: you, beneficiaries })
        expect(given.reduce((sum, [, shares]) => sum + BigInt(shares ?? ''), 0n)).toBe(
          35n * percent,
        )
        const addresses = given.map(([who]) => BigInt(who ?? ''))
        expect(new Set(addresses).size).toBe(addresses.length)
        expect(addresses.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(addresses)
      }),
    )
  })

  test('asks for the full answer', () => {
    expect(request(complete)).toMatchObject({ template_id: 'standard', debug: true })
  })

  test.each<[missing: string, answers: Answers, words: string]>([
    ['a symbol', { ...complete, symbol: undefined }, 'Some questions'],
    ['a template that is still offered', { ...complete, template: 'gone' }, 'no longer offers'],
    ['a known launch contract', { ...complete, chain: 1 }, 'LAUNCHERS'],
  ])('needs %s', (_, answers, words) => {
    expect(() => launchInputs({ answers }, settings)).toThrow(words)
  })

  test('is confirmed by a digest of goal and answers, in whatever order they came', () => {
    const digest = confirmedDigest(draftOf({ name: 'Moon', symbol: 'OTTER' }))
    expect(confirmedDigest(draftOf({ symbol: 'OTTER', name: 'Moon' }))).toBe(digest)
    expect(confirmedDigest(draftOf({ name: 'Moon', symbol: 'OTHER' }))).not.toBe(digest)
    expect(confirmedDigest(draftOf({ name: 'Moon', symbol: 'OTTER' }, 'metadata'))).not.toBe(digest)
  })

  test('is confirmed for what the template sets, in fees or in any row', () => {
    const one = { id: 'one', label: 'One', chain: 8453, openShare: '95', expects: { supply: '5' } }
    const others = [undefined, { ...one, openShare: '35' }, { ...one, expects: { supply: '6' } }]
    const digests = [one, ...others].map((each) =>
      confirmedDigest({ ...draftOf({ name: 'Moon' }), shownTerms: termsDigest(each) }),
    )
    expect(new Set(digests).size).toBe(4)
    expect(termsDigest({ ...one, label: 'Renamed' })).toBe(termsDigest(one))
  })
})

describe('the fees', () => {
  test('are the launcher’s except for the protocol’s 5%, unless the template says otherwise', () => {
    expect(askedOf({ wallet: you }, undefined).shares).toEqual(
      lines(['you', '95'], ['protocol', '5']),
    )
    const shares = lines(['you', '50'], ['integrator', '45'], ['protocol', '5'])
    expect(askedOf({ wallet: you }, template({ shares })).shares).toEqual(shares)
    expect(ownShare(template({ shares }))).toBe(50n * percent)
    expect(ownShare(undefined)).toBe(95n * percent)
  })

  test('are what the template leaves open, where only that is known', () => {
    const open = { ...template({}), openShare: '90' }
    expect(ownShare(open)).toBe(90n * percent)
    expect(askedOf({ wallet: you }, open).shares).toEqual(lines(['you', '90'], ['protocol', '10']))
  })

  test('shared with others are taken from the launcher’s, to the last digit', () => {
    const asked = askedOf(gives([bob, 33.333333], [eve, 0.000001]), undefined).shares
    expect(asked).toEqual(
      lines(
        ['you', '61.666666'],
        ['protocol', '5'],
        [bob.toLowerCase(), '33.333333'],
        [eve.toLowerCase(), '0.000001'],
      ),
    )
  })

  test('shared with the launcher’s own wallet stay the launcher’s', () => {
    expect(askedOf(gives([you, 30]), undefined).shares).toEqual(
      lines(['you', '95'], ['protocol', '5']),
    )
  })

  test.each([
    ['none before graduation', []],
    ['shares without the launcher', lines(['integrator', '95'], ['protocol', '5'])],
    ['shares of nothing', { ofNothing: lines(['you', '95'], ['protocol', '5']) }],
  ])('stay as pinned if the template leaves nothing to share: %s', (_, shares) => {
    const pinned = template({ shares })
    expect(ownShare(pinned)).toBe(0n)
    expect(askedOf(gives([bob, 30]), pinned).shares).toEqual(shares)
  })

  test('sum to 100%, however they are shared', () => {
    const anyGiven = fc.array(fc.double({ min: 0.000001, max: 40, noNaN: true }), { maxLength: 2 })
    fc.assert(
      fc.property(anyGiven, (given) => {
        const people = [bob, eve].flatMap((who, index): [typeof bob, number][] => {
          const part = given[index]
          return part === undefined ? [] : [[who, part]]
        })
        const { shares } = askedOf(gives(...people), undefined)
        const read = readAsked({ shares })
        if (!('asked' in read) || !Array.isArray(shares)) throw new Error('not shares')
        const sum = shares.reduce(
          (total: number, each: { percent: string }) => total + Number(each.percent),
          0,
        )
        expect(sum).toBeCloseTo(100, 9)
      }),
    )
  })
})

describe('vesting', () => {
  const answers: Answers = {
    wallet: you,
    vesting: [
      { address: bob, amount: '1000.5' },
      { address: eve, percentage: '2.5' },
    ],
  }

  test('follows the answer, in tokens or in percent, on the template’s schedule', () => {
    expect(askedOf(answers, undefined).vesting).toEqual([
      { to: bob, tokens: '1000.5' },
      { to: eve, percent: '2.5' },
    ])
    const vesting = [{ to: 'asked', duration: 31_536_000, cliff: 60 }]
    expect(askedOf(answers, template({ vesting })).vesting).toEqual([
      { to: bob, tokens: '1000.5', duration: 31_536_000, cliff: 60 },
      { to: eve, percent: '2.5', duration: 31_536_000, cliff: 60 },
    ])
  })

  test('of the template is added to it, and is not asked for twice', () => {
    const vesting = [
      { to: 'you', tokens: '100000000', duration: 60 },
      { to: 'asked', duration: 30 },
    ]
    const pinned = template({ supply: '1000000000', vesting })
    const own = { ...answers, vesting: [{ address: you, percentage: '10' }] }
    expect(askedOf(own, pinned).vesting).toEqual(vesting.slice(0, 1))
    const more = { ...answers, vesting: [{ address: you, percentage: '11' }] }
    expect(askedOf(more, pinned).vesting).toEqual([
      vesting[0],
      { to: you, percent: '11', duration: 30 },
    ])
  })

  test('is taken from a pinned rest, which is no longer pinned if its amount is unknown', () => {
    const rest = { to: 'nobody', percent: '40' }
    const asked = askedOf(answers, template({ supply: '1000000000', rest }))
    expect(plainText([askedRows({ rest: asked.rest }, viewpoint)[0]?.asked ?? ''])).toBe(
      '37.5% to nobody (burned)',
    )
    expect(askedOf(answers, template({ rest })).rest).toBeUndefined()
    expect(askedOf({ wallet: you }, template({ rest })).rest).toEqual(rest)
    const all = { wallet: you, vesting: [{ address: bob, percentage: '50' }] }
    const none = askedOf(all, template({ supply: '1', rest })).rest
    expect(askedRows({ rest: none }, viewpoint)[0]?.asked).toEqual(t('terms-rest-none'))
  })
})

test('the other rows are expected as pinned, also those that must be absent', () => {
  const expects = { limit: null, tradingFee: { first: '1' }, quote: weth }
  expect(askedOf({ wallet: you }, template(expects))).toMatchObject(expects)
})

test('rows that depend on an answer are not the template’s alone', () => {
  const expects = { vesting: [], rest: {}, idle: [], shares: [], quote: weth }
  const rows = (answers: Answers) => pinnedRows(answers, template(expects))
  expect(rows({})).toEqual(['vesting', 'rest', 'idle', 'shares', 'quote'])
  expect(rows({ vesting: [{ address: bob, percentage: '1' }] })).toEqual(['shares', 'quote'])
  expect(rows(gives([bob, 1]))).toEqual(['vesting', 'rest', 'idle', 'quote'])
  expect(pinnedRows({}, undefined)).toEqual([])
})

test('an integrator is pinned by its address alone', () => {
  expect(pinnedIntegrator(template({ integrator }))).toBe(integrator)
  expect(pinnedIntegrator(template({ integrator: 'integrator' }))).toBeUndefined()
  expect(pinnedIntegrator(undefined)).toBeUndefined()
})

describe('the rows of a review', () => {
  const view = (expects: Template['expects']) =>
    reviewViewpoint({ wallet: you, chain: 8453 }, template(expects), new Map())

  test('with the quote token that the template pins, if it is a known one', () => {
    expect(view({ quote: weth }).quote).toMatchObject({ symbol: 'WETH', known: true })
    expect(view({ quote: zeroAddress }).quote).toMatchObject({ symbol: 'ETH', known: true })
    expect(view({ quote: bob }).quote).toMatchObject({ symbol: 'quote tokens', known: false })
    expect(view({}).quote.known).toBe(false)
  })
})
