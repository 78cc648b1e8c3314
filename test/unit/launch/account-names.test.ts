import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { discord } from '../../../src/discord/platform.ts'
import { namesIn, withAddresses, withNames } from '../../../src/launch/questions/accounts.ts'
import { ConversationHarness, type Person, standard, trial } from './conversing.ts'
import { ada, chainId, launcher, stranger, wallet } from './harness.ts'

const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const onBase = 0x8000_0000 + chainId

let chain: LocalChain

beforeAll(async () => {
  chain = await startChain({
    chainId,
    launcher,
    names: [
      { name: 'ada.base.eth', addresses: { 60: wallet } },
      { name: 'bob.base.eth', addresses: { 60: other, [onBase]: stranger } },
      { name: '月.base.eth', addresses: { 60: other } },
    ],
  })
})

afterAll(() => chain.stop())

describe('accounts by name', () => {
  let harness: ConversationHarness
  let person: Person

  beforeEach(async () => {
    harness = await ConversationHarness.start({ chain })
    person = await harness.person()
  })

  /** Answers what comes before the wallet. */
  async function untilWallet(): Promise<string[]> {
    await person.sends('launch')
    await person.says('Tidal Wren')
    await person.says('$WREN')
    let asked: string[] = []
    for (let left = 4; left > 0; left -= 1) asked = await person.presses('Skip')
    return asked
  }

  test('are offered, looked up at the answer, and shown beside their address up to the review', async () => {
    expect(await untilWallet()).toContain(
      'Allowed: 0x and 40 characters. Or a name, such as ada.base.eth.',
    )
    const next = await person.says('Ada.base.eth')
    expect(next[0]).toBe('Question 8 of 9: Vesting')
    expect(next).toContain(
      `ada.base.eth is ${wallet}. I’ll use this address even if the name changes later.`,
    )
    await person.says(`bob.base.eth 5%\n${other} 2%`)
    const review = await person.says('bob.base.eth: 10%')
    expect(review).toContain(`Wallet: ada.base.eth (${wallet})`)
    expect(review.join('\n')).toMatch(
      new RegExp(`5% to bob\\.base\\.eth \\(${stranger}\\).* and 2% to ${other}`, 'iu'),
    )
    expect(review.join('\n')).toMatch(/10% to bob\.base\.eth \(0x7099/iu)
    expect((await person.draft()).answers).toMatchObject({
      wallet,
      vesting: [
        { address: stranger, percentage: '5' },
        { address: other, percentage: '2' },
      ],
      beneficiaries: [{ beneficiary: stranger, shares: '100000000000000000' }],
    })
    expect(await person.presses('✎ Wallet')).toContain(`Now: ada.base.eth (${wallet})`)
  })

  test('are taken in a form on Discord, too', async () => {
    person = await harness.person({ ...ada, platform: discord })
    await untilWallet()
    const form = await person.opens()
    const next = await person.fills(form, { wallet: 'ada.base.eth', vesting: 'bob.base.eth 5%' })
    expect(next).toContain(
      `bob.base.eth is ${stranger}. I’ll use this address even if the name changes later.`,
    )
    expect(next).toContain(`Wallet: ada.base.eth (${wallet})`)
  })

  test('stay the address of the answer: nothing is looked up again', async () => {
    await untilWallet()
    await person.says('ada.base.eth')
    const later = await harness.person()
    const { accountNames: names } = await later.draft()
    expect(names).toEqual({ [wallet.toLowerCase()]: 'ada.base.eth' })
    await later.sends('launch')
    await later.presses('Skip')
    expect(await later.presses('Skip')).toContain(`Wallet: ada.base.eth (${wallet})`)
  })

  test('are forgotten once other accounts take their place', async () => {
    await untilWallet()
    await person.says('ada.base.eth')
    await person.says('bob.base.eth 5%')
    await person.says('vesting: 月.base.eth 5%')
    await person.says('vesting: 月.base.eth 2%')
    expect((await person.draft()).accountNames).toEqual({
      [wallet.toLowerCase()]: 'ada.base.eth',
      [other.toLowerCase()]: '月.base.eth',
    })
  })

  test('a doubted answer keeps the address until it is confirmed', async () => {
    await untilWallet()
    await person.says(wallet)
    await person.says('bob.base.eth 150 tokens')
    expect((await person.draft()).rejectedTexts.vesting).toBe(`${stranger} 150 tokens`)
    await person.presses('Yes, that’s right')
    expect((await person.draft()).answers.vesting).toEqual([{ address: stranger, amount: '150' }])
  })

  test('that are not found say what to do, and can be corrected', async () => {
    await untilWallet()
    const again = await person.says('nobody.base.eth')
    expect(again[0]).toBe('Question 7 of 9: Wallet')
    expect(again).toContain(
      'I found no address for nobody.base.eth. Check the spelling, or send the address (0x…).',
    )
    expect(again).toContain('You typed: nobody.base.eth')
    expect((await person.says('ada.eth')).join(' ')).toContain('isn’t connected to Ethereum')
    expect((await person.says('ada.base.eth'))[0]).toBe('Question 8 of 9: Vesting')
  })

  test('of other letters are taken with a warning', async () => {
    await untilWallet()
    expect((await person.says('月.base.eth')).join(' ')).toContain('check the address')
  })

  test('two names of one account are one account', async () => {
    await untilWallet()
    await person.says(wallet)
    const again = await person.says(`bob.base.eth 5%, ${stranger} 5%`)
    expect(again.join(' ')).toContain('This address is listed twice')
  })

  test('are asked for again if the chain changes, unlike addresses', async () => {
    harness = await ConversationHarness.start({ chain, templates: [standard, trial] })
    person = await harness.person()
    await person.sends('launch')
    await person.presses('Base')
    await person.says('Tidal Wren')
    await person.says('$WREN')
    for (let left = 4; left > 0; left -= 1) await person.presses('Skip')
    await person.says('ada.base.eth')
    await person.says(`${other} 2%`)
    await person.presses('Skip')
    await person.presses('✎ Chain')
    const asked = await person.presses('Base Sepolia')
    expect(asked[0]).toContain('Wallet')
    const { answers } = await person.draft()
    expect(answers.wallet).toBeUndefined()
    expect(answers.vesting).toEqual([{ address: other, percentage: '2' }])
  })
})

test('names are told from addresses, amounts and secrets', () => {
  expect(namesIn(`ada.eth 5%, 0x12 2.5M; bob.base.eth=1.5 tokens\n${other} 2.5%`)).toEqual([
    'ada.eth',
    'bob.base.eth',
  ])
  expect(namesIn('ada.eth ada.eth')).toEqual(['ada.eth'])
  expect(withAddresses('ada.eth: 5%', new Map([['ada.eth', other]]))).toBe(`${other}: 5%`)
  expect(withNames(`${other} 5%`, { [other.toLowerCase()]: 'ada.eth' })).toBe(
    `ada.eth (${other}) 5%`,
  )
})
