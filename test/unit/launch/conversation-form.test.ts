import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import type { Form } from '../../../src/core/conversation.ts'
import { discord } from '../../../src/discord/platform.ts'
import { fileOf, Harness, type Person } from './conversing.ts'
import { ada } from './works.ts'

const account = '0x52908400098527886E0F7030069857D2E4169EE7'

let harness: Harness
let person: Person

beforeEach(async () => {
  harness = await Harness.start()
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
  expect((await person.presses('Use it'))[0]).toBe('Question 5 of 10: Links')
  const second = await person.opens()
  expect(second.fields.map(({ id }) => id)).toEqual([
    'links',
    'wallet',
    'feeReceiver',
    'vesting',
    'beneficiaries',
  ])
  const asked = await person.fills(second, { wallet: account, feeReceiver: 'wallet' })
  expect(asked[0]).toBe('Question 6 of 10: Categories')
  expect(asked.slice(1, 3)).toEqual([
    'Taken: Wallet, Fee receiver.',
    'Left out: Links, Vesting, Beneficiaries. You can add that at the review.',
  ])
  expect(person.view.form).toBeUndefined()
  expect((await person.presses('Skip'))[0]).toBe('Review: Tidal Wren $WREN')
  expect((await person.draft()).answers).toMatchObject({
    links: [],
    vesting: [],
    beneficiaries: [],
  })
})

test('of a form the good answers are kept, and the refused one is asked next with what was typed', async () => {
  const seen = await person.fills(await person.opens(), {
    name: 'Tidal Wren',
    symbol: 'not a symbol',
    description: 'A bird.',
    picture: 'no picture',
  })
  expect(seen.slice(0, 4)).toEqual([
    'Question 2 of 10: Symbol',
    'Taken: Name, Description.',
    'Symbol: “not a symbol” can’t be a symbol. Allowed: 1 to 15 letters and digits, without spaces.',
    'Picture: That is no CID and no IPFS link. Send the picture itself, or paste its CID.',
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

test('what is written into its own field comes before what is pasted into another', async () => {
  const seen = await person.fills(await person.opens(), {
    name: 'name: Pasted One, symbol: PASTD, descripton: A bird.',
    symbol: 'OWN',
  })
  expect(seen).toContain('There is no answer called descripton. Did you mean description?')
  expect((await person.draft()).answers).toMatchObject({ name: 'Pasted One', symbol: 'OWN' })
  for (let left = 3; left > 0; left -= 1) await person.presses('◀ Back')
  await person.fills(await person.opens(), { symbol: 'name: Later One' })
  expect((await person.draft()).answers).toMatchObject({ name: 'Later One', symbol: 'OWN' })
})

test('a field says where it may be left empty, and the fee receiver is then the wallet', async () => {
  const about = async () =>
    Object.fromEntries((await person.opens()).fields.map(({ id, about }) => [id, about]))
  expect(await about()).toMatchObject({
    name: 'Up to 32 characters',
    description: 'What it is, in up to 500 characters; optional',
    pictureFile: 'PNG, JPEG, WebP or GIF up to 10 MB; optional',
  })
  await person.says('name: Tidal Wren\nsymbol: WREN\ndescription: none\npicture: none\nlinks: none')
  await person.presses('Skip')
  expect(await about()).toMatchObject({
    wallet: 'The address that signs and pays the gas',
    feeReceiver: 'An address; empty: the wallet that signs',
  })
  const form = await person.opens()
  expect((await person.fills(form, { wallet: account }))[0]).toBe('Review: Tidal Wren $WREN')
  expect((await person.draft()).answers.feeReceiver).toBeNull()
})

test('a form of a launch that was dropped is refused, whatever was begun since', async () => {
  const form = await person.opens()
  await person.presses('Cancel')
  await person.presses('Discard it')
  expect((await person.fills(form, { name: 'Old' }))[1]).toMatch(/no longer there/u)
  await person.sends('launch')
  expect((await person.fills(form, { name: 'Old' }))[1]).toMatch(/no longer there/u)
  expect((await person.draft()).answers.name).toBeUndefined()
})

test('a form button that is too old opens nothing', async () => {
  const { view } = person
  await person.says('Tidal Wren')
  person.view = view
  await expect(person.opens()).rejects.toThrow('already answered')
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
  expect((await person.draft()).answers).toEqual({ ...before, links: [], feeReceiver: null })
})

test('every form stays within what Discord shows', async () => {
  const ways: Record<string, string> = { Name: 'Tidal Wren', Symbol: 'WREN', Wallet: account }
  const forms: Form[] = []
  while (!person.labels().includes('Confirm')) {
    if (person.view.form) forms.push(await person.opens())
    const label = String(person.view.title[0]).split(': ')[1] ?? ''
    const press = person.labels().find((each) => each === 'Skip' || each === 'The same wallet')
    await (press === undefined ? person.says(ways[label] ?? '') : person.presses(press))
  }
  expect(forms).toHaveLength(9)
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
