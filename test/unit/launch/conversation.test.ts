import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { Api } from '../../../src/api/client.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { Form } from '../../../src/core/conversation.ts'
import { discord } from '../../../src/discord/platform.ts'
import { UserError } from '../../../src/errors.ts'
import { checkName, checkSymbol } from '../../../src/launch/answers.ts'
import { createLogger } from '../../../src/log.ts'
import { defaultTables } from '../api/server.ts'
import { shown } from '../views/shown.ts'
import { ConversationHarness, fast, fileOf, type Person, standard, trial } from './conversing.ts'
import { ada, bob } from './harness.ts'
import { payloadBody } from './payload-body.ts'

const account = '0x52908400098527886E0F7030069857D2E4169EE7'
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

let harness: ConversationHarness
let person: Person

describe('a conversation', () => {
  beforeEach(async () => {
    harness = await ConversationHarness.start()
    person = await harness.person()
  })

  test('says to a picture alone how to launch a token with it, unless a launch asks for one', async () => {
    const picture = fileOf(Buffer.from('otter'))
    expect(await person.says('', picture)).toEqual([
      'Launch a token with this picture?',
      'Send the picture again with the caption /launch RIVER "River Heron", or start with /launch and send it when I ask for the logo.',
    ])
    expect(await person.presses('🚀 Launch a token')).toContain('Question 1 of 9: Name')
    expect((await person.says('', picture)).join()).not.toContain(
      'Launch a token with this picture?',
    )
    const onDiscord = await harness.person({ ...bob, platform: discord })
    expect((await onDiscord.says('', picture)).join()).toContain('Start with /launch and send')
  })

  test('offers on Discord what is typed there to answer all at once: a command has no caption', async () => {
    const onDiscord = await harness.person({ ...ada, platform: discord })
    const said = await onDiscord.sends('launch')
    expect(said[1]).toBe(
      'What’s your token called? Or all at once: /launch token:RIVER River Heron – I’ll ask for the logo next.',
    )
    const next = await onDiscord.sends('launch token:"RIVER River Heron"')
    expect(next.join()).toContain('Logo')
  })

  test('asks every question in turn, with an example and what is allowed, and then shows the review', async () => {
    expect(await person.sends('launch')).toEqual([
      'Question 1 of 9: Name',
      'What’s your token called? Or send it all at once: your logo with the caption /launch RIVER "River Heron"',
      'Example: Moon Otter',
      'Allowed: 1–32 characters on one line; emoji are fine.',
      '0 of 9 answered [0]',
    ])
    expect(person.labels()).toEqual(['Cancel'])
    expect(await person.says('Tidal Wren')).toContain('Question 2 of 9: Symbol')
    expect(await person.says('$WREN')).toContain('Question 3 of 9: Description')
    expect(person.labels()).toEqual(['Skip', '◀ Back', 'Cancel'])
    expect(await person.says('A bird, at sea.')).toContain('Question 4 of 9: Logo')
    expect(await person.presses('Skip')).toContain('Question 5 of 9: Links')
    expect(await person.says('https://wren.example')).toContain('Question 6 of 9: Categories')
    expect(await person.presses('Both')).toContain('Question 7 of 9: Wallet')
    expect(await person.says(account)).toContain('Question 8 of 9: Vesting')
    expect(await person.says(`${other} 2.5%`)).toContain('Question 9 of 9: Fee split')
    expect(await person.says(`${other} 35%`)).toEqual([
      'Review: Tidal Wren $WREN',
      'Chain: Base',
      'Template: Standard',
      'Name: Tidal Wren',
      'Symbol: $WREN',
      `Wallet: ${account}`,
      'Fee receiver: Same wallet',
      'For sale: shown after Confirm',
      expect.stringMatching(/^Vesting: 2\.5% to 0x8617E340B3D01FA5F11F306F4090FD50E238070D/iu),
      'Starting price: shown after Confirm',
      'Trading fee: shown after Confirm',
      expect.stringMatching(
        /fees go: 60% to you, 35% to 0x8617E340B3D01FA5F11F306F4090FD50E238070D and 5% to the protocol$/iu,
      ),
      'Logo: none',
      'Categories: Builder coin and Product coin',
      'Link: Website: wren.example',
      'Description: A bird, at sea.',
      'Cost: only the gas, paid by your wallet. This bot takes nothing.',
      expect.stringContaining('Nothing happens until you confirm and sign in your own wallet.'),
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
      vesting: [{ address: other, percentage: '2.5' }],
      beneficiaries: [{ beneficiary: other, shares: '350000000000000000' }],
    })
  })

  test('an answer that is refused says why and asks again, and nothing is lost', async () => {
    await person.sends('launch')
    await person.says('Tidal Wren')
    const again = await person.says('two words')
    expect(again[0]).toBe('Question 2 of 9: Symbol')
    expect(again[1]).toBe('“two words” can’t be a symbol. Allowed: 1–15 letters A–Z and digits.')
    expect(again).toContain('You typed: two words')
    expect(again.filter((line) => line.includes('letters A–Z'))).toHaveLength(1)
    expect(person.view.tone).toBe('warn')
    expect((await person.draft()).answers.name).toBe('Tidal Wren')
    const next = await person.says('WREN')
    expect(next[0]).toBe('Question 3 of 9: Description')
    expect((await person.draft()).rejectedTexts).toEqual({})
  })

  test('any answer can be changed from the review, which is shown again after it', async () => {
    await person.answersAll(account)
    expect(person.labels()).toEqual([
      'Confirm',
      '✎ Name',
      '✎ Symbol',
      '✎ Description',
      '✎ Logo',
      '✎ Links',
      '✎ Categories',
      '✎ Wallet',
      '✎ Fee receiver',
      '✎ Vesting',
      '✎ Fee split',
      'Cancel',
    ])
    const asked = await person.presses('✎ Description')
    expect(asked).toContain('Now: skipped')
    expect(person.labels()).toEqual(['Keep', '◀ Back', 'Cancel'])
    const review = await person.says('A bird.')
    expect(review[0]).toBe('Review: Tidal Wren $WREN')
    expect(review).toContain('Description: A bird.')
    await person.presses('✎ Description')
    expect(await person.presses('Remove')).toContain('Description: none')
  })

  test('words at the review change nothing but where they name an answer', async () => {
    await person.answersAll(account)
    const { rev } = await person.draft()
    const hint = await person.says('yes please')
    expect(hint).toContain('Everything is answered. Confirm below, or change an answer.')
    expect((await person.draft()).rev).toBe(rev)
    expect(await person.says('name: Tidal Owl')).toContain('Name: Tidal Owl')
  })

  test('a button of an earlier state is answered "already answered", and changes nothing', async () => {
    await person.answersAll(account)
    const change = person.line('✎ Name')
    await person.sends(change)
    const { rev } = await person.draft()
    expect(await person.sends(change)).toEqual([
      '',
      'Already answered. /launch continues where you are.',
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
    expect(both.map(([title]) => title).sort()).toEqual(['', 'Question 4 of 9: Logo'])
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
      expect(seen).toContain('and this one wasn’t saved. Here’s where you are')
      await person.sends('cancel')
      await person.presses('Discard')
    }
  })

  test('a text that its platform brings twice is taken once, and shows where the person is', async () => {
    await person.sends('launch')
    const name = await harness.person({ ...ada, update: '41' })
    expect(await name.says('Tidal Wren')).toContain('Question 2 of 9: Symbol')
    expect(await name.says('Tidal Wren')).toContain('Question 2 of 9: Symbol')
    const symbol = await harness.person({ ...ada, update: '42' })
    expect(await symbol.says('$WREN')).toContain('Question 3 of 9: Description')
    // An update of another queue of the platform may come between the two.
    expect(await name.says('Tidal Wren')).toContain('Question 3 of 9: Description')
    expect((await person.draft()).answers).toMatchObject({ name: 'Tidal Wren', symbol: 'WREN' })
    // Nor does it answer what was asked after it.
    const asset = showcaseAddresses.moonOtter
    const question = await person.sends(`alerts choose mcap asset:${asset}`)
    expect(question.join()).toContain('Market cap')
    expect(await name.says('Tidal Wren')).toContain('Question 3 of 9: Description')
  })

  test('a press that its platform brings twice shows where the person is', async () => {
    await person.answersAll(account)
    const again = await harness.person({ ...ada, update: '41' })
    again.view = person.view
    const asked = await again.presses('✎ Name')
    again.view = person.view
    expect(await again.presses('✎ Name')).toEqual(asked)
    expect(again.outcome).toBe('answered')
  })

  test('messages that two replicas receive at once are all used if they don’t conflict', async () => {
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

  test('text copied from the bot’s own message is read without the characters that it adds', async () => {
    await person.sends('launch')
    await person.says('wren.\u2060example')
    expect((await person.draft()).answers.name).toBe('wren.example')
  })

  test('what could be a private key is stored nowhere', async () => {
    const secret = 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'
    await person.sends('launch')
    await person.says(`name: Tidal Wren\nsymbol: WREN\nwallet: 0x${secret}`)
    expect(plainText(person.view.title)).toBe('Question 3 of 9: Wallet')
    await person.says('test test test test test test test test test test test junk')
    expect(JSON.stringify([await person.draft(), person.view])).not.toMatch(/e9873d79|junk/u)
  })

  test('a transaction’s hash, which could be a key, is stored nowhere either, and its sender is not frightened', async () => {
    const hash = '0xe9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'
    const both = expect.stringContaining('a private key, a transaction hash or a pool ID')
    expect(await person.says(hash)).toContainEqual(both)
    await person.sends('launch')
    expect((await person.says(hash)).join()).not.toContain('transaction hash')
    expect(JSON.stringify([await person.draft(), person.view])).not.toContain('e9873d79')
  })

  test('a seed phrase is stored nowhere, whatever it is given as', async () => {
    const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    const numbered = words.split(' ').map((word, index) => `${index + 1}. ${word}`)
    await person.sends('launch')
    for (const text of [
      `name: Tidal Wren\ndescription: ${words}`,
      `wallet: ${numbered.join(' ')}`,
      `links: ${words}`,
      `picture: ${numbered.join('\n')}`,
    ]) {
      expect((await person.says(text)).join('\n')).toContain('Never send one to anyone')
      expect(JSON.stringify([await person.draft(), person.view]), text).not.toContain('sausage')
    }
    expect((await person.draft()).answers.name).toBe('Tidal Wren')
  })

  test('a seed phrase is warned of also after all questions are answered, and beside a picture', async () => {
    const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    await person.answersAll(account)
    expect((await person.says(words)).join('\n')).toContain('Never send one to anyone')
    const file = fileOf(new Uint8Array([1]))
    expect((await person.says(words, file)).join('\n')).toContain('Never send one to anyone')
  })

  test('as an address only a wrong address is stored, and nothing else', async () => {
    await person.sends('launch')
    await person.says('name: Tidal Wren\nsymbol: WREN\nwallet: correct horse battery staple')
    expect(plainText(person.view.title)).toBe('Question 3 of 9: Wallet')
    expect(JSON.stringify([await person.draft(), person.view])).not.toContain('horse')
    await person.says(account.slice(0, 41))
    expect((await person.draft()).rejectedTexts.wallet).toBe(account.slice(0, 41))
  })

  test('another person gets the same answer for a draft as for one that does not exist', async () => {
    await person.answersAll(account)
    const line = person.line('✎ Name')
    const stranger = await harness.person(bob)
    const refused = await stranger.sends(line)
    expect(refused).toEqual(['', 'This launch is gone. /launch starts a new one.'])
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

  test('a later rejected answer removes the earlier text, even if it is not stored itself', async () => {
    await person.answersAll(account)
    await person.presses('✎ Wallet')
    expect(await person.says('0x12')).toContain('You typed: 0x12')
    const seen = await person.says('my wallet is the blue one')
    expect(seen.join('\n')).not.toContain('You typed')
  })

  test('the text behind a mistyped label is not used, and the other answers are', async () => {
    await person.sends('launch')
    const seen = await person.says(
      `name: Tidal Wren\ndescription: A bird.\nwalet: ${account}\nsymbol: WREN`,
    )
    expect(seen.slice(0, 3)).toEqual([
      'Question 4 of 9: Logo',
      'Saved: Name, Symbol and Description.',
      'There’s no answer called “walet”. Did you mean “wallet”?',
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
    expect(again[0]).toBe('Question 2 of 9: Symbol')
    expect(again[1]).toMatch(/^Continuing your launch from 2023-11-14/u)
    await person.says('WREN')
    expect((await person.draft()).answers).toMatchObject({ name: 'Tidal Wren', symbol: 'WREN' })
  })

  test('a draft that nobody touched for a week expires, and the next /launch says so once', async () => {
    await person.sends('launch')
    await person.says('Tidal Wren')
    const late = person.line('◀ Back')
    harness.passes(7 * 86_400)
    expect(await person.says('WREN')).toEqual(['', 'There is no command /asset. See /help.'])
    expect(await person.sends(late)).toEqual([
      '',
      'This draft expired after a week without changes. /launch starts a new one.',
    ])
    const fresh = await person.sends('launch')
    expect(fresh[0]).toBe('Question 1 of 9: Name')
    expect(fresh[1]).toMatch(
      /^Your last draft expired: .* since 2023-11-14 22:13\. This is a new one\.$/u,
    )
    expect((await person.sends('launch'))[1]).toMatch(/^Continuing your launch/u)
  })

  test('an answer keeps the draft alive for another week', async () => {
    await person.sends('launch')
    for (const answer of ['Tidal Wren', 'WREN']) {
      harness.passes(6 * 86_400)
      await person.says(answer)
    }
    expect((await person.draft()).answers).toMatchObject({ name: 'Tidal Wren', symbol: 'WREN' })
  })

  test('/cancel asks before it discards a draft, and says so if there is none', async () => {
    expect((await person.sends('cancel'))[1]).toMatch(/^There’s nothing to cancel\./u)
    await person.sends('launch')
    await person.says('Tidal Wren')
    await person.sends('cancel')
    expect((await person.presses('Keep editing'))[0]).toBe('Question 2 of 9: Symbol')
    await person.presses('Cancel')
    const drop = person.line('Discard')
    expect(await person.sends(drop)).toEqual([
      'Draft discarded',
      'Nothing was launched. /launch starts a new one.',
    ])
    expect((await person.sends(drop))[1]).toBe('This launch is gone. /launch starts a new one.')
    expect((await person.sends('launch'))[0]).toBe('Question 1 of 9: Name')
  })

  test('nothing that was typed or chosen outlives the discarded draft', async () => {
    await person.sends('launch')
    await person.says('Tidal Wren')
    await person.says('no symbol, this')
    const { id, rejectedTexts: typed } = await person.draft()
    expect(typed).not.toEqual({})
    await person.sends('cancel')
    await person.presses('Discard')
    expect(await person.drafts.find(id)).toMatchObject({
      state: 'cancelled',
      answers: {},
      acceptedDoubts: {},
      rejectedTexts: {},
      stepResults: {},
    })
  })

  test('a built launch is listed by /launches, and the next /launch mentions it', async () => {
    await person.answersAll(account)
    const change = person.line('✎ Name')
    const { id } = await person.drafts.save({ ...(await person.draft()), state: 'handed' })
    expect((await person.sends(change))[1]).toBe('This launch is already built – see /launches.')
    const payload = await person.payloads.create(id, payloadBody)
    expect((await person.sends('launch'))[1]).toMatch(/waiting for your signature/u)
    await person.payloads.change(payload.id, (each) => ({ ...each, state: 'revoked' }))
    await person.sends('cancel')
    await person.presses('Discard')
    expect((await person.sends('launch'))[1]).toMatch(/^What’s your token called/u)
  })

  test('if it began in a group, the review offers to announce it there', async () => {
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

  describe('in one message', () => {
    const picture = async () => {
      const create = { width: 80, height: 80, channels: 3, background: 'teal' } as const
      return fileOf(new Uint8Array(await sharp({ create }).png().toBuffer()))
    }

    test('symbol and name, a description, a wallet and the logo lead to the review', async () => {
      const text = `/launch RIVER "River Heron"\nFishes at dawn.\nEvery dawn.\nwallet: ${account}`
      const seen = await person.says(text, await picture())
      expect(seen[0]).toBe('Question 9 of 9: Logo')
      expect(seen).toContain('Saved: Name, Symbol, Description and Wallet.')
      expect(seen).toContain(
        'Skipped: Links, Categories, Vesting and Fee split. You can add more at the review.',
      )
      expect((await person.presses('Use it'))[0]).toBe('Review: River Heron $RIVER')
      expect((await person.draft()).answers).toMatchObject({
        name: 'River Heron',
        symbol: 'RIVER',
        description: 'Fishes at dawn.\nEvery dawn.',
        wallet: account,
        links: [],
      })
    })

    test('labelled lines do, too, and what is required and missing is asked', async () => {
      await person.says('/launch@gavel_bot\nname: River Heron\nsymbol: RIVER', await picture())
      expect((await person.presses('Use it'))[0]).toBe('Question 9 of 9: Wallet')
      expect((await person.says(account))[0]).toBe('Review: River Heron $RIVER')
    })

    test('without a picture the logo is asked for; where there are options, one holds symbol and name', async () => {
      expect((await person.sends('launch RIVER "River Heron"'))[0]).toBe('Question 8 of 9: Logo')
      expect((await person.draft()).answers).toMatchObject({ name: 'River Heron', symbol: 'RIVER' })
    })

    test('a refused answer is asked again, and the others are kept', async () => {
      const seen = await person.says('/launch RIV-ER “River Heron”')
      expect(seen[0]).toBe('Question 7 of 9: Symbol')
      expect((await person.draft()).answers.name).toBe('River Heron')
      expect((await person.says('RIVER'))[0]).toBe('Question 8 of 9: Logo')
    })

    test('it replaces no draft that has a name, and nothing if it comes twice', async () => {
      await person.says('/launch RIVER "River Heron"')
      expect((await person.says('/launch TOWL Tidal Owl'))[0]).toBe('You have an open launch draft')
      expect((await person.draft()).answers.name).toBe('River Heron')
      const update = { ...ada, user: '70', update: 'u1' }
      const again = await harness.person(update)
      await again.says('/launch RIVER River Heron')
      const { rev } = await again.draft()
      expect((await again.says('/launch RIVER River Heron'))[0]).toBe('Question 8 of 9: Logo')
      expect((await again.draft()).rev).toBe(rev)
    })

    test('a seed phrase behind it is stored nowhere', async () => {
      const phrase = 'test test test test test test test test test test test junk'
      expect((await person.says(`/launch ${phrase}`)).join()).toContain(
        'private key or seed phrase',
      )
      expect(await person.drafts.current(ada)).toBeUndefined()
    })
  })

  test('the wallet of last time is one tap', async () => {
    await person.sends('launch')
    await person.says(`name: Tidal Wren\nsymbol: WREN\nwallet: ${account}`)
    const before = await person.draft()
    await person.drafts.save({ ...before, state: 'launched' })
    await person.says('/launch RIVER River Heron')
    await person.presses('Skip')
    expect((await person.presses('Same as last time: 0x5290…9EE7'))[0]).toMatch(/^Review/u)
    expect((await person.draft()).answers.wallet).toBe(account)
  })

  test('without a template nothing can be launched, and words are no answers', async () => {
    const idle = await harness.person(ada, { templates: [] })
    expect((await idle.sends('launch'))[1]).toMatch(/isn’t set up here/u)
    expect((await idle.sends('metadata'))[1]).toMatch(/isn’t set up here/u)
    expect((await idle.says('Tidal Wren'))[1]).toMatch(/^There is no command/u)
  })
})

describe('chains, templates and goals', () => {
  beforeEach(async () => {
    harness = await ConversationHarness.start({ templates: [standard, fast, trial] })
    person = await harness.person()
  })

  test('several chains and templates are asked for first', async () => {
    await person.sends('launch')
    expect(plainText(person.view.title)).toBe('Question 1 of 11: Chain')
    expect(person.labels()).toEqual(['Base', 'Base Sepolia', 'Cancel'])
    const seen = await person.presses('Base')
    expect(seen[0]).toBe('Question 2 of 11: Template')
    expect(seen).toContain('Fast: Ends in a day.')
    expect((await person.presses('Fast'))[0]).toBe('Question 3 of 11: Name')
    expect((await person.draft()).answers).toEqual({ chain: 8453, template: 'fast one' })
  })

  test('another chain asks for the template again if it does not fit', async () => {
    await person.sends('launch')
    await person.presses('Base')
    await person.presses('Fast')
    await person.says('chain: base-sepolia')
    expect((await person.draft()).answers).toMatchObject({ chain: 84532, template: 'trial' })
    const seen = await person.says('chain: base')
    expect(seen[0]).toBe('Question 2 of 11: Template')
    expect((await person.draft()).answers.template).toBeUndefined()
  })

  test('another chain asks for the template again, even if one of its own has the same id', async () => {
    const twins = [standard, fast, { ...standard, chain: 84532 }, { ...fast, chain: 84532 }]
    person = await harness.person(ada, { templates: twins })
    await person.sends('launch')
    await person.presses('Base')
    await person.presses('Fast')
    await person.presses('◀ Back')
    await person.presses('◀ Back')
    await person.presses('Base')
    expect((await person.draft()).answers.template).toBe('fast one')
    await person.says('chain: base')
    expect((await person.draft()).answers.template).toBe('fast one')
    expect((await person.says('chain: base-sepolia'))[0]).toBe('Question 2 of 11: Template')
    expect((await person.draft()).answers).toEqual({ chain: 84532 })
    expect((await person.says('template: Fast\nchain: base'))[0]).toBe('Question 3 of 11: Name')
    expect((await person.draft()).answers).toEqual({ chain: 8453, template: 'fast one' })
  })

  test('a template that the operator took away is asked for again, before anything is confirmed', async () => {
    await person.sends('launch')
    await person.says(
      `chain: base\ntemplate: Fast\nname: Tidal Wren\nsymbol: WREN\nwallet: ${account}\nfees: wallet`,
    )
    for (let left = 6; left > 0; left -= 1) await person.presses('Skip')
    const confirm = person.line('Confirm')
    person = await harness.person(ada, { templates: [standard, { ...fast, id: 'faster' }, trial] })
    expect((await person.sends('launch'))[0]).toBe('Question 11 of 11: Template')
    expect((await person.presses('Fast'))[0]).toBe('Review: Tidal Wren $WREN')
    expect(person.line('Confirm')).not.toBe(confirm)
  })

  test('of several answers at once the good ones are applied, and each refused one says why', async () => {
    await person.sends('launch')
    const seen = await person.says(
      `chain: base\ntemplate: standard\nname: Tidal\twren\nsymbol: WREN\nwallet: ${account.replace('EE7', 'Ee7')}`,
    )
    expect(seen[0]).toBe('Question 4 of 11: Name')
    expect(seen[1]).toBe('Saved: Chain, Template and Symbol.')
    expect(seen[2]).toMatch(/^Name: There’s a tab/u)
    expect(seen[3]).toMatch(/^Wallet: The capital letters/u)
    await person.says('Tidal Wren')
    for (let left = 4; left > 0; left -= 1) await person.presses('Skip')
    const asked = await person.presses('◀ Back')
    expect(asked[0]).toBe('Categories')
    await person.presses('Keep')
    expect(plainText(person.view.title)).toBe('Question 9 of 11: Wallet')
  })

  test('/metadata asks only for what is uploaded, and ends with Upload', async () => {
    const first = await person.sends('metadata')
    expect(first.join('\n')).not.toContain('/launch')
    expect(first[1]).toBe(
      'This uploads logo and metadata and gives you their address. No token is launched.',
    )
    const titles = [first[0]]
    titles.push((await person.says('Tidal Wren'))[0])
    for (let left = 4; left > 0; left -= 1) titles.push((await person.presses('Skip'))[0])
    expect(titles).toEqual([
      'Question 1 of 6: Name',
      'Question 2 of 6: Description',
      'Question 3 of 6: Logo',
      'Question 4 of 6: Links',
      'Question 5 of 6: Categories',
      'Question 6 of 6: Vesting',
    ])
    const review = await person.presses('Skip')
    expect(review).toEqual([
      'Review: Tidal Wren',
      'Name: Tidal Wren',
      'Fee receiver: none',
      'Vesting: none',
      'Logo: none',
      'Categories: none',
      'Links: none',
      'Description: none',
      'This costs nothing: it’s an upload, and no token is launched.',
      'Nothing is uploaded until you press Upload. Then you get the address of the metadata.',
    ])
    expect((await person.presses('Upload'))[0]).toBe('Uploaded: Tidal Wren')
  })

  test('while a launch is open /metadata offers to go on with it or to cancel it, and the other way round', async () => {
    await person.sends('launch')
    await person.says('base-sepolia')
    await person.says('Tidal Wren')
    const seen = await person.sends('metadata')
    expect(seen[0]).toBe('You have an open launch draft')
    expect((await person.presses('Keep editing'))[0]).toBe('Question 3 of 10: Symbol')
    await person.sends('metadata')
    expect((await person.presses('Discard it'))[0]).toBe('Discard this draft?')
    await person.presses('Discard')
    await person.sends('metadata')
    expect((await person.sends('launch'))[0]).toBe('You have an open metadata upload')
  })

  test('a message about metadata leads to /metadata', async () => {
    await person.sends('metadata')
    await person.says('Tidal Wren')
    const skip = person.line('Skip')
    await person.presses('Skip')
    expect((await person.sends(skip))[1]).toBe(
      'Already answered. /metadata continues where you are.',
    )
    expect((await person.sends('cancel'))[0]).toBe('Discard this upload?')
    expect((await person.presses('Discard'))[1]).toBe(
      'Nothing was uploaded. /metadata starts a new one.',
    )
    expect((await person.sends(skip))[1]).toBe('This upload is gone. /metadata starts a new one.')
  })
})

describe('a symbol that exists already', () => {
  beforeEach(async () => {
    harness = await ConversationHarness.start()
    person = await harness.person()
    await person.sends('launch')
    await person.says('Tidal Wren')
  })

  test('a symbol that exists already needs confirmation, with the card of its asset', async () => {
    const seen = await person.says('$otter')
    expect(seen[0]).toBe('Question 2 of 9: Symbol')
    expect(seen[1]).toMatch(
      /^\$otter already exists on Base\. Send another symbol, or use it anyway/u,
    )
    expect(seen).toContain('Moon Otter $OTTER')
    expect(seen).toContain(showcaseAddresses.moonOtter)
    expect(person.view.tone).toBe('warn')
    expect(person.labels().slice(0, 2)).toEqual(['Use it anyway', 'Show that token'])
    expect(person.line('Show that token')).toBe(`asset ${showcaseAddresses.moonOtter} chain:8453`)
    expect((await person.draft()).answers.symbol).toBeUndefined()
  })

  test('it can be used anyway, and that is remembered', async () => {
    await person.says('OTTER')
    expect((await person.presses('Use it anyway'))[0]).toBe('Question 3 of 9: Description')
    expect((await person.draft()).answers.symbol).toBe('OTTER')
    await person.presses('◀ Back')
    expect((await person.says('OTTER'))[0]).toBe('Question 3 of 9: Description')
    await person.presses('◀ Back')
    expect((await person.says('SPACE'))[0]).toBe('Question 3 of 9: Description')
  })

  test('a person who comes back later is warned again, and can still use it', async () => {
    await person.says('OTTER')
    person = await harness.person()
    const seen = await person.sends('launch')
    expect(seen).toContain('$OTTER already exists. Send another symbol, or use it anyway.')
    await person.presses('Use it anyway')
    expect((await person.draft()).answers.symbol).toBe('OTTER')
  })

  test('among several answers it needs confirmation, and the others are applied', async () => {
    const seen = await person.says('symbol: OTTER, description: A bird.')
    expect(seen[0]).toBe('Question 3 of 9: Symbol')
    expect(seen).toContain('Saved: Description.')
    expect(person.labels()).toContain('Use it anyway')
    await person.presses('Use it anyway')
    expect((await person.draft()).answers).toMatchObject({
      symbol: 'OTTER',
      description: 'A bird.',
    })
  })

  test('the previous symbol stays while an existing one waits for confirmation', async () => {
    await person.says('WREN')
    await person.presses('◀ Back')
    const seen = await person.says('OTTER')
    expect(seen).toContain('Now: WREN')
    expect((await person.presses('Keep'))[0]).toBe('Question 3 of 9: Description')
    expect(await person.draft()).toMatchObject({ answers: { symbol: 'WREN' }, rejectedTexts: {} })
  })

  test('if the API is down the answer is applied, and the person reads that it is unchecked', async () => {
    harness.apiServer.faults.set({ kind: 'status', status: 503, body: 'html' })
    const seen = await person.says('OTTER')
    expect(seen[0]).toBe('Question 3 of 9: Description')
    expect(seen[1]).toBe(
      'I couldn’t check whether $OTTER already exists: the data provider isn’t responding.',
    )
  })

  test('it is searched for again on another chain', async () => {
    const traveller = await harness.person(ada, { templates: [standard, trial] })
    await traveller.sends('cancel')
    await traveller.presses('Discard')
    await traveller.sends('launch')
    await traveller.presses('Base Sepolia')
    await traveller.says('name: Tidal Wren, symbol: OTTER')
    expect((await traveller.draft()).answers.symbol).toBe('OTTER')
    const seen = await traveller.says('chain: base')
    expect(seen.join('\n')).toContain('$OTTER already exists on Base.')
    expect((await traveller.draft()).answers.symbol).toBeUndefined()
  })
})

describe('what looks like a mistake', () => {
  beforeEach(async () => {
    harness = await ConversationHarness.start()
    person = await harness.person()
    await person.sends('launch')
  })

  describe('a name that looks like another', () => {
    const asked =
      '“РЕРЕ” is written with look-alike letters: it reads like PEPE, a well-known coin, but isn’t. People will see a warning.'

    test('needs confirmation', async () => {
      const seen = await person.says('РЕРЕ')
      expect(seen.slice(0, 2)).toEqual(['Question 1 of 9: Name', asked])
      expect(seen).toContain('You typed: РЕРЕ')
      expect(person.view.tone).toBe('warn')
      expect((await person.draft()).answers.name).toBeUndefined()
      expect((await person.presses('Use this name'))[0]).toBe('Question 2 of 9: Symbol')
      expect((await person.draft()).answers.name).toBe('РЕРЕ')
    })

    test('is not asked about again, alone or among other answers', async () => {
      await person.says('РЕРЕ')
      await person.presses('Use this name')
      await person.says('name: РЕРЕ, symbol: WREN')
      expect(plainText(person.view.title)).toBe('Question 3 of 9: Description')
    })

    test('is asked about again if the person comes back later', async () => {
      await person.says('uniswap․org')
      person = await harness.person()
      expect(await person.sends('launch')).toContain(
        '“uniswap․org” looks like a link (uniswap.org). People will see a warning.',
      )
      expect((await person.presses('Use this name'))[0]).toBe('Question 2 of 9: Symbol')
    })

    test('needs confirmation if it looks like a listed token', async () => {
      const words =
        '“ＭＯＯＮ ＯＴＴＥＲ” uses look-alike letters: it reads like a token that already exists.'
      expect(await person.says('ＭＯＯＮ ＯＴＴＥＲ')).toContain(words)
      person = await harness.person()
      expect(await person.sends('launch')).toContain(words)
      expect((await person.presses('Use this name'))[0]).toBe('Question 2 of 9: Symbol')
      await person.presses('◀ Back')
      expect((await person.says('ＭＯＯＮ ＯＴＴＥＲ'))[0]).toBe('Question 2 of 9: Symbol')
    })
  })

  describe('a symbol that looks like another', () => {
    test('needs confirmation if it is that of a well-known coin', async () => {
      await person.says('Tidal Wren')
      const seen = await person.says('usdc')
      expect(seen[1]).toBe(
        '“usdc” is the name of a well-known coin. People may mix them up, and will see a warning.',
      )
      expect((await person.presses('Use it anyway'))[0]).toBe('Question 3 of 9: Description')
      expect((await person.draft()).answers.symbol).toBe('usdc')
      await person.presses('◀ Back')
      expect((await person.says('usdc'))[0]).toBe('Question 3 of 9: Description')
    })

    test('and a name that does both need confirmation, each with its button', async () => {
      const seen = await person.says('name: РЕРЕ, symbol: USDC, description: A bird.')
      expect(seen[0]).toBe('Question 2 of 9: Name')
      expect(seen).toContain('Saved: Description.')
      expect(person.labels().slice(0, 2)).toEqual(['Use this name', 'Use it anyway'])
      expect((await person.presses('Use this name'))[0]).toBe('Question 3 of 9: Symbol')
      expect((await person.presses('Use it anyway'))[0]).toBe('Question 4 of 9: Logo')
      expect((await person.draft()).answers).toMatchObject({ name: 'РЕРЕ', symbol: 'USDC' })
    })

    test('finds the listed token that it looks like', async () => {
      const { baseUrl } = harness.apiServer
      const key = 'an-api-key-for-tests'
      const log = createLogger('silent', [])
      const api = new Api({ baseUrl, key, ...defaultTables, chains: [8453], log })
      try {
        for (const symbol of ['ОТТЕR', 'ᴏᴛᴛᴇʀ', 'OTTER']) {
          expect(await checkSymbol(api, symbol, 8453)).toMatchObject({ kind: 'known' })
        }
        expect(await checkSymbol(api, 'ВЫДРА', 8453)).toEqual({ kind: 'free' })
        expect(await checkName(api, 'Мооn Оttеr', 8453)).toMatchObject({ kind: 'known' })
        // Who writes it in its own letters is asked about the symbol alone.
        expect(await checkName(api, 'Moon Otter', 8453)).toEqual({ kind: 'free' })
        harness.apiServer.faults.set({ kind: 'status', status: 503, body: 'html' })
        expect(await checkName(api, 'Ꮇooո', 8453)).toEqual({ kind: 'unchecked' })
      } finally {
        await api.close()
      }
    })
  })

  describe('vesting of hardly anything', () => {
    const words =
      '0x5290…9EE7 gets 150 tokens, only 0.000015% of the supply of 1,000,000,000. Is that what you meant?'

    beforeEach(async () => {
      await person.answersAll(other)
    })

    test('is asked about once, and applied if it was meant', async () => {
      const seen = await person.says(`vesting: ${account} 150 tokens\n${other} 5%`)
      expect(seen[0]).toBe('Vesting')
      expect(seen).toContain(`Vesting: ${words}`)
      expect((await person.draft()).answers.vesting).toEqual([])
      expect((await person.presses('Yes, that’s right'))[0]).toMatch(/^Review/u)
      const small = { address: account, amount: '150' }
      expect((await person.draft()).answers.vesting).toEqual([
        small,
        { address: other, percentage: '5' },
      ])
      expect((await person.says(`vesting: ${account} 150 tokens`))[0]).toMatch(/^Review/u)
      expect((await person.draft()).answers.vesting).toEqual([small])
    })

    test('is asked about in a form, too, where a bare number is refused', async () => {
      await person.sends(person.line('✎ Vesting'))
      const form = await person.opens()
      expect(await person.fills(form, { vesting: `${account} 150` })).toContain(
        'Vesting: Entry 1: Write 150 tokens if you mean that: a number needs its unit.',
      )
      const corrected = await person.opens()
      expect(await person.fills(corrected, { vesting: `${account} 150 tokens` })).toContain(
        `Vesting: ${words}`,
      )
      expect((await person.presses('Yes, that’s right'))[0]).toMatch(/^Review/u)
    })
  })
})

describe('a picture', () => {
  const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'

  beforeEach(async () => {
    harness = await ConversationHarness.start()
    person = await harness.person()
    await person.sends('launch')
    await person.says('name: Tidal Wren, symbol: WREN, description: none')
  })

  async function png(colour: string): Promise<Uint8Array> {
    const create = { width: 300, height: 200, channels: 3, background: colour } as const
    return new Uint8Array(await sharp({ create }).png().toBuffer())
  }

  test('a picture is shown as it will be, and applied once it is accepted', async () => {
    const seen = await person.says('', fileOf(await png('red')))
    expect(seen.slice(0, 2)).toEqual([
      'Question 4 of 9: Logo',
      'This is how your logo will look: the middle of your picture, 512 × 512 pixels.',
    ])
    expect(person.labels()).toEqual(['Use it', 'No logo', '◀ Back', 'Cancel'])
    const [file] = person.view.files ?? []
    expect(file?.type).toBe('image/webp')
    expect(await sharp(file?.bytes).metadata()).toMatchObject({ width: 512, height: 512 })
    const { answers, pendingPicture: offered } = await person.draft()
    expect(answers.picture).toBeUndefined()
    expect((await person.presses('Use it'))[0]).toBe('Question 5 of 9: Links')
    const draft = await person.draft()
    expect(draft.answers.picture).toEqual({ cid: offered, stored: true })
    expect(draft.pendingPicture).toBeUndefined()
    expect(await person.pictures.find(offered ?? '')).toBeDefined()
  })

  test('another one replaces it, and the button of the first is outdated', async () => {
    await person.says('', fileOf(await png('red')))
    const first = person.line('Use it')
    const { pendingPicture: offered } = await person.draft()
    await person.says('', fileOf(await png('blue')))
    expect((await person.draft()).pendingPicture).not.toBe(offered)
    const { view } = person
    expect((await person.sends(first))[1]).toMatch(/^Already answered/u)
    person.view = view
    await person.presses('Use it')
    expect((await person.draft()).answers.picture?.cid).not.toBe(offered)
  })

  test.each([
    ['an SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'SVG files'],
    ['a page', new TextEncoder().encode('<!doctype html><p>hello'), 'web page'],
    ['nothing', new Uint8Array(), 'empty'],
  ])('%s is refused in words, and the question is asked again', async (_, bytes, words) => {
    const seen = await person.says('', fileOf(bytes))
    expect(seen[0]).toBe('Question 4 of 9: Logo')
    expect(seen[1]).toContain(words)
    expect(person.view.tone).toBe('warn')
  })

  test('a file that says it is too large is not even fetched', async () => {
    const seen = await person.says('', {
      name: 'big.png',
      size: 11 * 2 ** 20,
      read: async () => {
        throw new Error('fetched')
      },
    })
    expect(seen[1]).toBe('This file is over 10 MB. Send a smaller picture.')
  })

  test('a file that can’t be fetched leaves everything as it was', async () => {
    const seen = await person.says('', {
      name: 'gone.png',
      read: async () => {
        throw new UserError('The file could not be fetched. Send it again.')
      },
    })
    expect(seen[1]).toBe('The file could not be fetched. Send it again.')
    expect((await person.draft()).answers.name).toBe('Tidal Wren')
  })

  test('of several files the first is used, and words beside it are no answer', async () => {
    const seen = await person.says('look', fileOf(await png('red')), fileOf(await png('blue')))
    expect(seen.slice(1, 3)).toEqual([
      'I took only the first file.',
      'I didn’t use the caption as an answer; send it on its own.',
    ])
    expect(person.view.files).toHaveLength(1)
  })

  test('a picture is used whenever it is sent, and so are labelled answers beside it', async () => {
    await person.presses('Skip')
    const seen = await person.says('links: https://wren.example', fileOf(await png('red')))
    expect(seen[0]).toBe('Logo')
    expect((await person.presses('Use it'))[0]).toBe('Question 6 of 9: Categories')
  })

  test('without an IPFS service a file is refused, and a CID is asked for', async () => {
    const poor = await harness.person(ada, { canPublish: false })
    expect((await poor.sends('launch'))[2]).toMatch(/This bot can’t upload files/u)
    const seen = await poor.says('', fileOf(await png('red')))
    expect(seen[1]).toMatch(/^This bot can’t upload files\. Put the picture on IPFS yourself/u)
    expect((await poor.says(cid))[0]).toBe('Question 5 of 9: Links')
  })
})

describe('forms', () => {
  beforeEach(async () => {
    harness = await ConversationHarness.start()
    person = await harness.person({ ...ada, platform: discord })
    await person.sends('launch')
  })

  test('two forms and the categories between them make a launch', async () => {
    const first = await person.opens()
    expect(first.fields.map(({ id, kind, required }) => [id, kind, required])).toEqual([
      ['name', 'line', true],
      ['symbol', 'line', false],
      ['description', 'paragraph', false],
      ['pictureFile', 'file', false],
      ['picture', 'line', false],
    ])
    const file = fileOf(
      new Uint8Array(
        await sharp({ create: { width: 99, height: 99, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      ),
    )
    await person.fills(first, { name: 'Tidal Wren', symbol: '$WREN', description: 'A bird.' }, file)
    expect(person.view.files).toHaveLength(1)
    expect((await person.presses('Use it'))[0]).toBe('Question 5 of 9: Links')
    const second = await person.opens()
    expect(second.fields.map(({ id }) => id)).toEqual([
      'links',
      'wallet',
      'vesting',
      'beneficiaries',
    ])
    const asked = await person.fills(second, { wallet: account })
    expect(asked[0]).toBe('Question 9 of 9: Categories')
    expect(asked.slice(1, 3)).toEqual([
      'Saved: Wallet.',
      'Skipped: Links, Vesting and Fee split. You can add more at the review.',
    ])
    expect(person.view.form).toBeUndefined()
    expect((await person.presses('Skip'))[0]).toBe('Review: Tidal Wren $WREN')
    expect((await person.draft()).answers).toMatchObject({
      links: [],
      vesting: [],
      beneficiaries: [],
    })
  })

  test('of a form the good answers are applied, and the refused one is asked next with its text', async () => {
    const seen = await person.fills(await person.opens(), {
      name: 'Tidal Wren',
      symbol: 'not a symbol',
      description: 'A bird.',
      picture: 'no picture',
    })
    expect(seen.slice(0, 4)).toEqual([
      'Question 3 of 9: Symbol',
      'Saved: Name and Description.',
      'Symbol: “not a symbol” can’t be a symbol. Allowed: 1–15 letters A–Z and digits.',
      'Logo: That isn’t an IPFS CID or link. Send the picture itself, or its CID.',
    ])
    const again = await person.opens()
    expect(again.fields.map(({ id, value }) => [id, value])).toEqual([['symbol', 'not a symbol']])
    await person.fills(again, { symbol: 'WREN' })
    const next = await person.opens()
    expect(next.fields.map(({ id, value }) => [id, value])).toEqual([
      ['pictureFile', undefined],
      ['picture', 'no picture'],
    ])
    await person.fills(next, { picture: '' })
    const { answers } = await person.draft()
    expect(answers).toMatchObject({
      name: 'Tidal Wren',
      symbol: 'WREN',
      description: 'A bird.',
      picture: null,
    })
    expect(answers.links).toBeUndefined()
  })

  test('a field’s own text takes precedence over labelled text in another field', async () => {
    const seen = await person.fills(await person.opens(), {
      name: 'name: Pasted One, symbol: PASTD, descripton: A bird.',
      symbol: 'OWN',
    })
    expect(seen).toContain('There’s no answer called “descripton”. Did you mean “description”?')
    expect((await person.draft()).answers).toMatchObject({ name: 'Pasted One', symbol: 'OWN' })
    for (let left = 3; left > 0; left -= 1) await person.presses('◀ Back')
    await person.fills(await person.opens(), { symbol: 'name: Later One' })
    expect((await person.draft()).answers).toMatchObject({ name: 'Later One', symbol: 'OWN' })
  })

  test('a field says if it may be left empty', async () => {
    const about = async () =>
      Object.fromEntries((await person.opens()).fields.map(({ id, about }) => [id, about]))
    expect(await about()).toMatchObject({
      name: 'Up to 32 characters',
      description: 'Up to 500 characters (optional)',
      pictureFile: 'PNG, JPEG, WebP or GIF up to 10 MB (optional)',
    })
    await person.says(
      'name: Tidal Wren\nsymbol: WREN\ndescription: none\npicture: none\nlinks: none',
    )
    await person.presses('Skip')
    expect(await about()).toMatchObject({
      wallet: 'The address that signs and pays the gas',
      vesting: 'One per line: address and 5%, or address and 5000000 tokens (optional)',
    })
    const form = await person.opens()
    expect((await person.fills(form, { wallet: account }))[0]).toBe('Review: Tidal Wren $WREN')
  })

  test('a form of a discarded launch is refused, whatever was begun since', async () => {
    const form = await person.opens()
    await person.presses('Cancel')
    await person.presses('Discard')
    expect((await person.fills(form, { name: 'Old' }))[1]).toMatch(/is gone/u)
    await person.sends('launch')
    expect((await person.fills(form, { name: 'Old' }))[1]).toMatch(/is gone/u)
    expect((await person.draft()).answers.name).toBeUndefined()
  })

  test('an outdated form button opens nothing', async () => {
    const { view } = person
    await person.says('Tidal Wren')
    person.view = view
    await expect(person.opens()).rejects.toThrow('Already answered')
  })

  test('a form of an answered question holds the answer, and sent unchanged changes nothing', async () => {
    const bytes = await sharp({ create: { width: 99, height: 99, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    await person.fills(
      await person.opens(),
      { name: 'Tidal Wren', symbol: 'WREN' },
      fileOf(new Uint8Array(bytes)),
    )
    await person.presses('Use it')
    const before = (await person.draft()).answers
    await person.presses('◀ Back')
    const form = await person.opens()
    expect(form.fields.find(({ id }) => id === 'picture')?.value).toBe(before.picture?.cid)
    await person.fills(form, {})
    expect((await person.draft()).answers).toEqual({ ...before, links: [], vesting: [] })
  })

  test('every form stays within what Discord shows', async () => {
    const ways: Record<string, string> = { Name: 'Tidal Wren', Symbol: 'WREN', Wallet: account }
    const forms: Form<string>[] = []
    while (!person.labels().includes('Confirm')) {
      if (person.view.form) forms.push(await person.opens())
      const label = plainText(person.view.title).split(': ')[1] ?? ''
      const press = person.labels().find((each) => each === 'Skip')
      await (press === undefined ? person.says(ways[label] ?? '') : person.presses(press))
    }
    expect(forms).toHaveLength(8)
    for (const { title, fields } of forms) {
      expect(title.length).toBeLessThanOrEqual(45)
      expect(fields.length).toBeLessThanOrEqual(5)
    }
    for (const { label, about, example = '', maxLength = 0 } of forms.flatMap(
      ({ fields }) => fields,
    )) {
      expect(label.length).toBeLessThanOrEqual(45)
      expect(about.length).toBeLessThanOrEqual(100)
      expect(example.length).toBeLessThanOrEqual(100)
      expect(maxLength).toBeLessThanOrEqual(4000)
    }
  })
})
