import { beforeEach, expect, test } from 'vitest'
import { fast, Harness, type Person, standard, trial } from './conversing.ts'
import { ada } from './works.ts'

const account = '0x52908400098527886E0F7030069857D2E4169EE7'

let harness: Harness
let person: Person

beforeEach(async () => {
  harness = await Harness.start({ templates: [standard, fast, trial] })
  person = await harness.person()
})

test('with several chains and templates they are asked for first', async () => {
  await person.sends('launch')
  expect(person.view.title).toEqual(['Question 1 of 12: Chain'])
  expect(person.labels()).toEqual(['Base', 'Base Sepolia', 'Cancel'])
  const seen = await person.presses('Base')
  expect(seen[0]).toBe('Question 2 of 12: Template')
  expect(seen).toContain('Fast: Ends in a day.')
  expect((await person.presses('Fast'))[0]).toBe('Question 3 of 12: Name')
  expect((await person.draft()).answers).toEqual({ chain: 8453, template: 'fast one' })
})

test('another chain opens the template again where it does not fit', async () => {
  await person.sends('launch')
  await person.presses('Base')
  await person.presses('Fast')
  await person.says('chain: base-sepolia')
  expect((await person.draft()).answers).toMatchObject({ chain: 84532, template: 'trial' })
  const seen = await person.says('chain: base')
  expect(seen[0]).toBe('Question 2 of 12: Template')
  expect((await person.draft()).answers.template).toBeUndefined()
})

test('another chain asks for the template again, also where its own goes by the same id', async () => {
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
  expect((await person.says('chain: base-sepolia'))[0]).toBe('Question 2 of 12: Template')
  expect((await person.draft()).answers).toEqual({ chain: 84532 })
  expect((await person.says('template: Fast\nchain: base'))[0]).toBe('Question 3 of 12: Name')
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
  expect((await person.sends('launch'))[0]).toBe('Question 2 of 12: Template')
  expect((await person.presses('Fast'))[0]).toBe('Review: Tidal Wren $WREN')
  expect(person.line('Confirm')).not.toBe(confirm)
})

test('several answers at once are taken, and each that is not says why', async () => {
  await person.sends('launch')
  const seen = await person.says(
    `chain: base\ntemplate: standard\nname: Tidal\twren\nsymbol: WREN\nwallet: ${account.replace('EE7', 'Ee7')}`,
  )
  expect(seen[0]).toBe('Question 3 of 12: Name')
  expect(seen[1]).toBe('Taken: Chain, Template, Symbol.')
  expect(seen[2]).toMatch(/^Name: There is a tab/u)
  expect(seen[3]).toMatch(/^Wallet: The capital letters/u)
  await person.says('Tidal Wren')
  for (let left = 4; left > 0; left -= 1) await person.presses('Skip')
  const asked = await person.presses('◀ Back')
  expect(asked[0]).toBe('Question 8 of 12: Categories')
  await person.presses('Keep')
  expect(person.view.title).toEqual(['Question 9 of 12: Wallet'])
})

test('/metadata asks for what the upload takes, and ends in Upload', async () => {
  const first = await person.sends('metadata')
  expect(first[1]).toBe(
    'This uploads picture and metadata and gives you their address; no token is made.',
  )
  const titles = [first[0]]
  titles.push((await person.says('Tidal Wren'))[0])
  for (let left = 5; left > 0; left -= 1) titles.push((await person.presses('Skip'))[0])
  expect(titles).toEqual([
    'Question 1 of 7: Name',
    'Question 2 of 7: Description',
    'Question 3 of 7: Picture',
    'Question 4 of 7: Links',
    'Question 5 of 7: Categories',
    'Question 6 of 7: Fee receiver',
    'Question 7 of 7: Vesting',
  ])
  const review = await person.presses('Skip')
  expect(review).toEqual([
    'Review: Tidal Wren',
    'Name: Tidal Wren',
    'Fee receiver (in the metadata): not given',
    'Vesting: nobody',
    'Picture: none',
    'Categories: none',
    'Links: none',
    'Description: none',
    'This costs nothing: it is uploaded, and no token is made.',
    'Nothing is uploaded before you press Upload. Then you get the address of the metadata.',
  ])
  expect((await person.presses('Upload'))[0]).toBe('Uploaded: Tidal Wren')
})

test('while a launch is open /metadata offers to go on with it or to cancel it, and the other way round', async () => {
  await person.sends('launch')
  await person.says('base-sepolia')
  await person.says('Tidal Wren')
  const seen = await person.sends('metadata')
  expect(seen[0]).toBe('There is an open launch')
  expect((await person.presses('Go on with it'))[0]).toBe('Question 3 of 11: Symbol')
  await person.sends('metadata')
  expect((await person.presses('Cancel it'))[0]).toBe('Discard this launch?')
  await person.presses('Discard it')
  await person.sends('metadata')
  expect((await person.sends('launch'))[0]).toBe('There is an open metadata upload')
})

test('what is said of metadata leads to /metadata', async () => {
  await person.sends('metadata')
  await person.says('Tidal Wren')
  const skip = person.line('Skip')
  await person.presses('Skip')
  expect((await person.sends(skip))[1]).toBe(
    'This was already answered. /metadata goes on where you are.',
  )
  expect((await person.sends('cancel'))[0]).toBe('Discard this upload?')
  expect((await person.presses('Discard it'))[1]).toBe(
    'Nothing was uploaded. /metadata begins anew.',
  )
  expect((await person.sends(skip))[1]).toBe(
    'This upload is no longer there. /metadata begins a new one.',
  )
})
