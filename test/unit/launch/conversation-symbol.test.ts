import { beforeEach, expect, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/interface/showcase.ts'
import { Harness, type Person, standard, trial } from './conversing.ts'
import { ada } from './works.ts'

let harness: Harness
let person: Person

beforeEach(async () => {
  harness = await Harness.start()
  person = await harness.person()
  await person.sends('launch')
  await person.says('Tidal Wren')
})

test('a symbol that is there already is held back, with the card of the one that has it', async () => {
  const seen = await person.says('$otter')
  expect(seen[0]).toBe('Question 2 of 10: Symbol')
  expect(seen[1]).toMatch(
    /^\$otter exists on Base already\. Type another symbol, or use it anyway/u,
  )
  expect(seen).toContain('Moon Otter $OTTER')
  expect(seen).toContain(showcaseAddresses.moonOtter)
  expect(person.view.tone).toBe('warn')
  expect(person.labels().slice(0, 2)).toEqual(['Use it anyway', 'Show that one'])
  expect(person.line('Show that one')).toBe(`asset ${showcaseAddresses.moonOtter} chain:8453`)
  expect((await person.draft()).answers.symbol).toBeUndefined()
})

test('it can be used anyway, and that is remembered', async () => {
  await person.says('OTTER')
  expect((await person.presses('Use it anyway'))[0]).toBe('Question 3 of 10: Description')
  expect((await person.draft()).answers.symbol).toBe('OTTER')
  await person.presses('◀ Back')
  expect((await person.says('OTTER'))[0]).toBe('Question 3 of 10: Description')
  await person.presses('◀ Back')
  expect((await person.says('SPACE'))[0]).toBe('Question 3 of 10: Description')
})

test('who comes back later is told again, and can still use it', async () => {
  await person.says('OTTER')
  person = await harness.person()
  const seen = await person.sends('launch')
  expect(seen).toContain('$OTTER exists already. Type another symbol, or use it anyway.')
  await person.presses('Use it anyway')
  expect((await person.draft()).answers.symbol).toBe('OTTER')
})

test('in a paste it is held back, and the other answers are taken', async () => {
  const seen = await person.says('symbol: OTTER, description: A bird.')
  expect(seen[0]).toBe('Question 2 of 10: Symbol')
  expect(seen).toContain('Taken: Description.')
  expect(person.labels()).toContain('Use it anyway')
  await person.presses('Use it anyway')
  expect((await person.draft()).answers).toMatchObject({ symbol: 'OTTER', description: 'A bird.' })
})

test('a symbol that was given before stays while a known one waits', async () => {
  await person.says('WREN')
  await person.presses('◀ Back')
  const seen = await person.says('OTTER')
  expect(seen).toContain('Now: WREN')
  expect((await person.presses('Keep'))[0]).toBe('Question 3 of 10: Description')
  expect(await person.draft()).toMatchObject({ answers: { symbol: 'WREN' }, typed: {} })
})

test('where the interface is down the answer is taken, and the person is told', async () => {
  harness.upstream.faults.set({ kind: 'status', status: 503, body: 'html' })
  const seen = await person.says('OTTER')
  expect(seen[0]).toBe('Question 3 of 10: Description')
  expect(seen[1]).toBe(
    'Whether $OTTER exists already could not be checked: the data source gives no answer.',
  )
})

test('on another chain it is looked for again', async () => {
  const traveller = await harness.person(ada, { templates: [standard, trial] })
  await traveller.sends('cancel')
  await traveller.presses('Discard it')
  await traveller.sends('launch')
  await traveller.presses('Base Sepolia')
  await traveller.says('name: Tidal Wren, symbol: OTTER')
  expect((await traveller.draft()).answers.symbol).toBe('OTTER')
  const seen = await traveller.says('chain: base')
  expect(seen.join('\n')).toContain('$OTTER exists on Base already.')
  expect((await traveller.draft()).answers.symbol).toBeUndefined()
})
