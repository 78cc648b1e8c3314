import { beforeEach, expect, test } from 'vitest'
import { discord } from '../../../src/discord/platform.ts'
import { shown } from '../views/shown.ts'
import { fileOf, Harness, type Person } from './conversing.ts'
import { payloadBody } from './payload-body.ts'
import { ada, bob } from './works.ts'

const account = '0x52908400098527886E0F7030069857D2E4169EE7'
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

let harness: Harness
let person: Person

beforeEach(async () => {
  harness = await Harness.start()
  person = await harness.person()
})

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
  await person.says('name: Tidal Wren, symbol: WREN')
  const twin = await harness.person()
  const skip = person.line('Skip')
  const both = await Promise.all([person.sends(skip), twin.sends(skip)])
  expect(both.map(([title]) => title).sort()).toEqual(['', 'Question 4 of 10: Picture'])
  expect((await person.draft()).answers).toMatchObject({ description: '' })
})

test('of two texts at once, the one that comes second is not taken for the next answer', async () => {
  const twin = await harness.person()
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
  const twin = await harness.person()
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

test('a seed phrase is kept nowhere, whatever it is given as', async () => {
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
  const stranger = await harness.person(bob)
  const refused = await stranger.sends(line)
  expect(refused).toEqual(['', 'This launch is no longer there. /launch begins a new one.'])
  expect(await stranger.sends('launching change aaaaaaaa.1 name')).toEqual(refused)
  const elsewhere = await harness.person({ ...ada, platform: discord })
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

test('what was typed before goes with what is refused later, also where that is not kept', async () => {
  await person.answersAll(account)
  await person.presses('✎ Wallet')
  expect(await person.says('0x12')).toContain('You typed: 0x12')
  const seen = await person.says('my wallet is the blue one')
  expect(seen.join('\n')).not.toContain('You typed')
})

test('behind a mistyped label nothing is taken, and the other answers are', async () => {
  await person.sends('launch')
  const seen = await person.says(
    `name: Tidal Wren\ndescription: A bird.\nwalet: ${account}\nsymbol: WREN`,
  )
  expect(seen.slice(0, 3)).toEqual([
    'Question 4 of 10: Picture',
    'Taken: Name, Symbol, Description.',
    'There is no answer called walet. Did you mean wallet?',
  ])
  expect(person.view.tone).toBe('warn')
  const { answers } = await person.draft()
  expect(answers).toMatchObject({ name: 'Tidal Wren', symbol: 'WREN', description: 'A bird.' })
  expect(answers.wallet).toBeUndefined()
  const key = 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'
  expect((await person.says(`name: Tidal Wren\nwalet: 0x${key}`)).join('\n')).toContain(
    'looks like a private key',
  )
})

test('/launch goes on with the open draft, also after a restart and for another replica', async () => {
  await person.sends('launch')
  await person.says('Tidal Wren')
  harness.passes(3 * 86_400)
  person = await harness.person()
  const again = await person.sends('launch')
  expect(again[0]).toBe('Question 2 of 10: Symbol')
  expect(again[1]).toMatch(/^Going on with your launch from 2023-11-14/u)
  await person.says('WREN')
  expect((await person.draft()).answers).toMatchObject({ name: 'Tidal Wren', symbol: 'WREN' })
})

test('a draft that was left alone for a week expires, and the next /launch says so once', async () => {
  await person.sends('launch')
  await person.says('Tidal Wren')
  const late = person.line('◀ Back')
  harness.passes(7 * 86_400)
  expect(await person.says('WREN')).toEqual([
    '',
    'There is no command /start. /help lists them all.',
  ])
  expect(await person.sends(late)).toEqual([
    '',
    'This draft expired: it was left alone for a week. /launch begins a new one.',
  ])
  const fresh = await person.sends('launch')
  expect(fresh[0]).toBe('Question 1 of 10: Name')
  expect(fresh[1]).toMatch(
    /^Your last draft expired: .* since 2023-11-14 22:13\. This is a new one\.$/u,
  )
  expect((await person.sends('launch'))[1]).toMatch(/^Going on with/u)
})

test('an answer keeps the draft alive for another week', async () => {
  await person.sends('launch')
  for (const answer of ['Tidal Wren', 'WREN']) {
    harness.passes(6 * 86_400)
    await person.says(answer)
  }
  expect((await person.draft()).answers).toMatchObject({ name: 'Tidal Wren', symbol: 'WREN' })
})

test('/cancel asks before it drops, and says so where there is nothing', async () => {
  expect((await person.sends('cancel'))[1]).toMatch(/^There is nothing to cancel\./u)
  await person.sends('launch')
  await person.says('Tidal Wren')
  await person.sends('cancel')
  expect((await person.presses('Go on with it'))[0]).toBe('Question 2 of 10: Symbol')
  await person.presses('Cancel')
  const drop = person.line('Discard it')
  expect(await person.sends(drop)).toEqual(['Dropped', 'Nothing was built. /launch begins anew.'])
  expect((await person.sends(drop))[1]).toBe(
    'This launch is no longer there. /launch begins a new one.',
  )
  expect((await person.sends('launch'))[0]).toBe('Question 1 of 10: Name')
})

test('a launch that was built is left to /launches, and the next one says that it waits', async () => {
  await person.answersAll(account)
  const change = person.line('✎ Name')
  const { id } = await person.drafts.save({ ...(await person.draft()), state: 'handed' })
  expect((await person.sends(change))[1]).toBe(
    'This was built already. /launches shows how it stands.',
  )
  const payload = await person.payloads.create(id, payloadBody)
  expect((await person.sends('launch'))[1]).toMatch(/waits for a signature/u)
  await person.payloads.change(payload.id, (each) => ({ ...each, state: 'revoked' }))
  await person.sends('cancel')
  await person.presses('Discard it')
  expect((await person.sends('launch'))[1]).toBe('What is the token called?')
})

test('where it began in a group, the review offers to tell the group', async () => {
  await person.sends('launch from:-100123')
  await person.says(`name: Tidal Wren\nsymbol: WREN\nwallet: ${account}\nfees: wallet`)
  for (let left = 6; left > 0; left -= 1) await person.presses('Skip')
  await person.presses('🔕 Announce it there: off')
  expect(await person.draft()).toMatchObject({ announce: true, origin: '-100123' })
  await person.presses('🔔 Announce it there: on')
  expect((await person.draft()).announce).toBe(false)
  await person.presses('🔕 Announce it there: off')
  await person.sends('launch from:-100999')
  expect(await person.draft()).toMatchObject({ announce: false, origin: '-100999' })
})

test('words behind /launch are no answer to anything', async () => {
  expect(await person.sends('launch Tidal Wren')).toEqual([
    '',
    'I ask for everything one by one. Send the command on its own.',
  ])
  expect(await person.sends('launch name: Tidal')).not.toContain('from:')
})

test('without a template nothing can be launched, and words are no answers', async () => {
  const idle = await harness.person(ada, { templates: [] })
  expect((await idle.sends('launch'))[1]).toMatch(/its operator has set up no template/u)
  expect((await idle.sends('metadata'))[1]).toMatch(/its operator has set up no template/u)
  expect((await idle.says('Tidal Wren'))[1]).toMatch(/^There is no command/u)
})
