import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, type Person, Town } from './conversing.ts'
import { payloadBody } from './payload-body.ts'

const account = '0x52908400098527886E0F7030069857D2E4169EE7'

let town: Town
let person: Person

beforeEach(async () => {
  town = await Town.start()
  person = await town.person()
})
afterEach(() => town.stop())

test('/launch goes on with the open draft, also after a restart and for another replica', async () => {
  await person.sends('launch')
  await person.says('Tidal Wren')
  town.now += 3 * 86_400
  person = await town.person()
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
  town.now += 7 * 86_400
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
  for (const words of ['Tidal Wren', 'WREN', 'A bird.']) {
    town.now += 6 * 86_400
    await person.says(words)
  }
  expect((await person.draft()).answers.description).toBe('A bird.')
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
  const idle = await town.person(ada, { templates: [] })
  expect((await idle.sends('launch'))[1]).toMatch(/its operator has set up no template/u)
  expect((await idle.sends('metadata'))[1]).toMatch(/its operator has set up no template/u)
  expect((await idle.says('Tidal Wren'))[1]).toMatch(/^There is no command/u)
})
