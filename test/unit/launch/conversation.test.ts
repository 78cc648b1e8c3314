import { afterEach, beforeEach, expect, test } from 'vitest'
import { discord } from '../../../src/discord/platform.ts'
import { shown } from '../views/shown.ts'
import { ada, bob, fileOf, type Person, Town } from './conversing.ts'

const account = '0x52908400098527886E0F7030069857D2E4169EE7'
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

let town: Town
let person: Person

beforeEach(async () => {
  town = await Town.start()
  person = await town.person()
})
afterEach(() => town.stop())

test('every question in turn, with its example and what is allowed, and then the review', async () => {
  expect(await person.sends('launch')).toEqual([
    'Question 1 of 10: Name',
    'What is the token called?',
    'Example: Moon Otter',
    'Allowed: 1 to 32 characters on one line, emoji too.',
    '0 of 10 answered [0]',
  ])
  expect(person.labels()).toEqual(['Cancel'])
  expect(await person.says('Tidal Wren')).toContain('Question 2 of 10: Symbol')
  expect(await person.says('$WREN')).toContain('Question 3 of 10: Description')
  expect(person.labels()).toEqual(['Skip', '◀ Back', 'Cancel'])
  expect(await person.says('A bird, at sea.')).toContain('Question 4 of 10: Picture')
  expect(await person.presses('Skip')).toContain('Question 5 of 10: Links')
  expect(await person.says('https://wren.example')).toContain('Question 6 of 10: Categories')
  expect(await person.presses('Both')).toContain('Question 7 of 10: Wallet')
  expect(await person.says(account)).toContain('Question 8 of 10: Fee receiver')
  expect(await person.presses('The same wallet')).toContain('Question 9 of 10: Vesting')
  expect(await person.says(`${other} 2.5%`)).toContain('Question 10 of 10: Beneficiaries')
  expect(await person.says(`${other} 35%`)).toEqual([
    'Review: Tidal Wren $WREN',
    'Chain: Base',
    'Template: Standard',
    'Name: Tidal Wren',
    'Symbol: $WREN',
    `Wallet that signs: ${account}`,
    'Fee receiver (in the metadata): the same wallet',
    expect.stringMatching(/^Vesting: 2\.5% to 0x8617E340B3D01FA5F11F306F4090FD50E238070D/iu),
    expect.stringMatching(
      /fees: 60% you, 35% 0x8617E340B3D01FA5F11F306F4090FD50E238070D, 5% the protocol$/iu,
    ),
    'Picture: none',
    'Categories: builder-coin, product-coin',
    'Link Website: wren.example',
    'Description: A bird, at sea.',
    'Cost: your wallet pays the gas; the bot takes nothing.',
    expect.stringContaining('Nothing is built before you confirm.'),
  ])
  expect((await person.draft()).answers).toEqual({
    chain: 8453,
    template: 'standard',
    name: 'Tidal Wren',
    symbol: 'WREN',
    description: 'A bird, at sea.',
    picture: null,
    links: [{ label: 'Website', url: 'https://wren.example/' }],
    categories: ['builder-coin', 'product-coin'],
    wallet: account,
    feeReceiver: null,
    vesting: [{ address: other, percentage: '2.5' }],
    beneficiaries: [{ beneficiary: other, shares: '350000000000000000' }],
  })
})

test('an answer that is refused says why and asks again, and nothing is lost', async () => {
  await person.sends('launch')
  await person.says('Tidal Wren')
  const again = await person.says('two words')
  expect(again[0]).toBe('Question 2 of 10: Symbol')
  expect(again[1]).toBe(
    '“two words” can’t be a symbol. Allowed: 1 to 15 letters and digits, without spaces.',
  )
  expect(again).toContain('You typed: two words')
  expect(again.filter((line) => line.includes('without spaces'))).toHaveLength(1)
  expect(person.view.tone).toBe('warn')
  expect((await person.draft()).answers.name).toBe('Tidal Wren')
  const next = await person.says('WREN')
  expect(next[0]).toBe('Question 3 of 10: Description')
  expect((await person.draft()).typed).toEqual({})
})

test('back leads to the answer before, which can be kept, and on to the open question', async () => {
  await person.sends('launch')
  await person.says('Tidal Wren')
  await person.says('WREN')
  await person.presses('◀ Back')
  const first = await person.presses('◀ Back')
  expect(first[0]).toBe('Question 1 of 10: Name')
  expect(first).toContain('Now: Tidal Wren')
  expect(person.labels()).toEqual(['Keep', 'Cancel'])
  expect((await person.presses('Keep'))[0]).toBe('Question 3 of 10: Description')
})

test('any answer is changed from the review, which comes back after it', async () => {
  await person.answersAll(account)
  expect(person.labels()).toEqual([
    'Confirm',
    '✎ Name',
    '✎ Symbol',
    '✎ Description',
    '✎ Picture',
    '✎ Links',
    '✎ Categories',
    '✎ Wallet',
    '✎ Fee receiver',
    '✎ Vesting',
    '✎ Beneficiaries',
    'Cancel',
  ])
  const asked = await person.presses('✎ Description')
  expect(asked).toContain('Now: left out')
  expect(person.labels()).toEqual(['Keep', '◀ Back', 'Cancel'])
  const review = await person.says('A bird.')
  expect(review[0]).toBe('Review: Tidal Wren $WREN')
  expect(review).toContain('Description: A bird.')
  await person.presses('✎ Description')
  expect(await person.presses('Leave it out')).toContain('Description: none')
})

test('words at the review change nothing but where they name an answer', async () => {
  await person.answersAll(account)
  const { rev } = await person.draft()
  const hint = await person.says('yes please')
  expect(hint).toContain('Everything is answered. Confirm below, or change an answer.')
  expect((await person.draft()).rev).toBe(rev)
  expect(await person.says('name: Tidal Owl')).toContain('Name: Tidal Owl')
})

test('a button that was made for an earlier state says already answered, and changes nothing', async () => {
  await person.answersAll(account)
  const change = person.line('✎ Name')
  await person.sends(change)
  const { rev } = await person.draft()
  expect(await person.sends(change)).toEqual([
    '',
    'This was already answered. /launch goes on where you are.',
  ])
  expect(person.outcome).toBe('refused')
  expect((await person.draft()).rev).toBe(rev)
})

test('of two presses at once, at two replicas, one counts', async () => {
  await person.sends('launch')
  await person.says('Tidal Wren')
  await person.says('WREN')
  const twin = await town.person()
  const skip = person.line('Skip')
  const both = await Promise.all([person.sends(skip), twin.sends(skip)])
  const titles = both.map(([title]) => title).sort()
  expect(titles).toEqual(['', 'Question 4 of 10: Picture'])
  expect((await person.draft()).answers.description).toBe('')
})

test('of two texts at once, the one that comes second is not taken for the next answer', async () => {
  const twin = await town.person()
  for (let round = 0; round < 5; round += 1) {
    await person.sends('launch')
    await Promise.all([person.says('Wren'), twin.says('Owl')])
    const { answers } = await person.draft()
    expect(answers.name).toMatch(/^(?:Wren|Owl)$/u)
    expect(answers.symbol).toBeUndefined()
    const seen = [...shown(person.view), ...shown(twin.view)].join('\n')
    expect(seen).toContain('so this one was not taken. Here is where you are')
    await person.sends('cancel')
    await person.presses('Discard it')
  }
})

test('what two replicas hear at once is all taken where it does not compete', async () => {
  const twin = await town.person()
  await person.sends('launch')
  await person.says('Tidal Wren')
  await Promise.all([
    person.says('WREN'),
    twin.says('description: A bird.'),
    twin.says(`wallet: ${account}`),
  ])
  expect((await person.draft()).answers).toMatchObject({
    symbol: 'WREN',
    description: 'A bird.',
    wallet: account,
  })
})

test('what is copied from a message of the bot’s own is read without what it adds', async () => {
  await person.sends('launch')
  await person.says('wren.\u2060example')
  expect((await person.draft()).answers.name).toBe('wren.example')
})

test('what could be a private key is kept nowhere', async () => {
  const secret = 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'
  await person.sends('launch')
  await person.says(`name: Tidal Wren\nsymbol: WREN\nwallet: 0x${secret}`)
  expect(person.view.title).toEqual(['Question 7 of 10: Wallet'])
  await person.says('test test test test test test test test test test test junk')
  expect(JSON.stringify([await person.draft(), person.view])).not.toMatch(/e9873d79|junk/u)
})

test('a numbered seed phrase is kept nowhere, whatever it is given as', async () => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  const numbered = words.split(' ').map((word, index) => `${index + 1}. ${word}`)
  await person.sends('launch')
  for (const text of [
    `name: Tidal Wren\ndescription: ${words}`,
    `wallet: ${numbered.join(' ')}`,
    `links: ${words}`,
    `picture: ${numbered.join('\n')}`,
  ]) {
    expect((await person.says(text)).join('\n')).toContain('Never paste one anywhere')
    expect(JSON.stringify([await person.draft(), person.view]), text).not.toContain('sausage')
  }
  expect((await person.draft()).answers.name).toBe('Tidal Wren')
})

test('a seed phrase is warned of where everything is answered, and beside a picture', async () => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  await person.answersAll(account)
  expect((await person.says(words)).join('\n')).toContain('Never paste one anywhere')
  const file = fileOf(new Uint8Array([1]))
  expect((await person.says(words, file)).join('\n')).toContain('Never paste one anywhere')
})

test('what is no address is not kept where one is asked for, and an address that is wrong is', async () => {
  await person.sends('launch')
  await person.says('name: Tidal Wren\nsymbol: WREN\nwallet: correct horse battery staple')
  expect(person.view.title).toEqual(['Question 7 of 10: Wallet'])
  expect(JSON.stringify([await person.draft(), person.view])).not.toContain('horse')
  await person.says(account.slice(0, 41))
  expect((await person.draft()).typed.wallet).toBe(account.slice(0, 41))
})

test('another person gets the same answer for a draft as for one that does not exist', async () => {
  await person.answersAll(account)
  const line = person.line('✎ Name')
  const stranger = await town.person(bob)
  const refused = await stranger.sends(line)
  expect(refused).toEqual(['', 'This launch is no longer there. /launch begins a new one.'])
  expect(await stranger.sends('launching change aaaaaaaa.1 name')).toEqual(refused)
  const elsewhere = await town.person({ ...ada, platform: discord })
  expect(await elsewhere.sends(line)).toEqual(refused)
})

test('nonsense behind launching is refused in words', async () => {
  await person.sends('launch')
  const { id, rev } = await person.draft()
  const at = `${id}.${rev}`
  for (const line of [
    'launching set',
    `launching set ${at} nothing x`,
    `launching set ${at} symbol`,
    `launching skip ${at} name`,
    `launching skip ${at} __proto__`,
    `launching keep ${at}`,
    `launching back ${at}`,
    `launching accept ${at}`,
    `launching known ${at}`,
    `launching announce ${at} on`,
    `launching change ${at} chain`,
    'launching change aaaaaaaa.99999999999999 name',
  ]) {
    await person.sends(line)
    expect(person.view.tone, line).toBe('warn')
  }
  expect((await person.draft()).answers).toEqual({ chain: 8453, template: 'standard' })
})
