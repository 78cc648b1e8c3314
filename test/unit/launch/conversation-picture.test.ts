import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import { fileOf, Harness, type Person } from './conversing.ts'
import { ada } from './works.ts'

const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'

let harness: Harness
let person: Person

beforeEach(async () => {
  harness = await Harness.start()
  person = await harness.person()
  await person.sends('launch')
  await person.says('name: Tidal Wren, symbol: WREN, description: none')
})

async function png(colour: string): Promise<Uint8Array> {
  const create = { width: 300, height: 200, channels: 3, background: colour } as const
  return new Uint8Array(await sharp({ create }).png().toBuffer())
}

test('a picture is shown as it will be, and taken once it is accepted', async () => {
  const seen = await person.says('', fileOf(await png('red')))
  expect(seen.slice(0, 2)).toEqual([
    'Question 4 of 10: Picture',
    'This is how it will look: the middle of your picture, as a square of 512 pixels.',
  ])
  expect(person.labels()).toEqual(['Use it', 'No picture', '◀ Back', 'Cancel'])
  const [file] = person.view.files ?? []
  expect(file?.type).toBe('image/webp')
  expect(await sharp(file?.bytes).metadata()).toMatchObject({ width: 512, height: 512 })
  const { answers, offered } = await person.draft()
  expect(answers.picture).toBeUndefined()
  expect((await person.presses('Use it'))[0]).toBe('Question 5 of 10: Links')
  const draft = await person.draft()
  expect(draft.answers.picture).toEqual({ cid: offered, stored: true })
  expect(draft.offered).toBeUndefined()
  expect(await person.pictures.find(offered ?? '')).toBeDefined()
})

test('another one takes its place, and the button of the first is too old', async () => {
  await person.says('', fileOf(await png('red')))
  const first = person.line('Use it')
  const { offered } = await person.draft()
  await person.says('', fileOf(await png('blue')))
  expect((await person.draft()).offered).not.toBe(offered)
  const { view } = person
  expect((await person.sends(first))[1]).toMatch(/^This was already answered/u)
  person.view = view
  await person.presses('Use it')
  expect((await person.draft()).answers.picture?.cid).not.toBe(offered)
})

test.each([
  ['an SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'SVG drawings'],
  ['a page', new TextEncoder().encode('<!doctype html><p>hello'), 'web page'],
  ['nothing', new Uint8Array(), 'empty'],
])('%s is refused in words, and the question is asked again', async (_, bytes, words) => {
  const seen = await person.says('', fileOf(bytes))
  expect(seen[0]).toBe('Question 4 of 10: Picture')
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

test('of several files the first is taken, and words beside it are no answer', async () => {
  const seen = await person.says('look', fileOf(await png('red')), fileOf(await png('blue')))
  expect(seen.slice(1, 3)).toEqual([
    'Only the first of the files was taken.',
    'The words beside the picture are no answer; send them on their own.',
  ])
  expect(person.view.files).toHaveLength(1)
})

test('a picture is taken whenever it comes, and labelled words beside it too', async () => {
  await person.presses('Skip')
  const seen = await person.says('links: https://wren.example', fileOf(await png('red')))
  expect(seen[0]).toBe('Question 4 of 10: Picture')
  expect((await person.presses('Use it'))[0]).toBe('Question 6 of 10: Categories')
})

test('where nothing can be published a file is refused in words, and a CID is asked for', async () => {
  const poor = await harness.person(ada, { canPublish: false })
  expect((await poor.sends('launch'))[2]).toMatch(/This bot can’t publish files/u)
  const seen = await poor.says('', fileOf(await png('red')))
  expect(seen[1]).toMatch(/^This bot can’t publish files\. Put the picture on IPFS yourself/u)
  expect((await poor.says(cid))[0]).toBe('Question 5 of 10: Links')
})
