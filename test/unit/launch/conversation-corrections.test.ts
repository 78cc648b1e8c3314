import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Person, Town } from './conversing.ts'

const account = '0x52908400098527886E0F7030069857D2E4169EE7'

let town: Town
let person: Person

beforeEach(async () => {
  town = await Town.start()
  person = await town.person()
})
afterEach(() => town.stop())

test('Back from an answer that is changed leads to the review, and leaves it as it was', async () => {
  await person.answersAll(account)
  await person.presses('✎ Name')
  expect(person.labels()).toEqual(['Keep', '◀ Back', 'Cancel'])
  await person.says('Two\twrens')
  expect((await person.presses('◀ Back'))[0]).toBe('Review: Tidal Wren $WREN')
  expect((await person.draft()).typed).toEqual({})
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
