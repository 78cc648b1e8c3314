import { afterAll, beforeAll, expect, test } from 'vitest'
import * as discordCast from '../../sandbox/discord/cast.ts'
import { showcaseAddresses } from '../../sandbox/interface/showcase.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { startTown, type Town } from './town.ts'

let town: Town
beforeAll(async () => {
  town = await startTown()
})
afterAll(() => town.stop())

const ada = telegramCast.ada.id
const club = telegramCast.club.id

test('inline mode offers cards, and sends the chosen one into any chat', async () => {
  const { people } = town.telegram
  const answer = await people.inline(ada, 'otter', '', { chatId: club })
  expect(answer?.results.map(({ title }) => title)).toEqual([
    'Moon Otter $OTTER',
    'Otter Space $OTTER',
  ])
  const [result] = answer?.results ?? []
  if (!result) throw new Error('no result')
  expect(result.description).toContain('Base')
  const sent = people.choose(ada, club, { query: 'otter', result })
  const seen = people.messages(club).find(({ id }) => id === sent.message_id)
  expect(seen).toMatchObject({ viaBot: 'gavel_bot', text: expect.stringContaining('42 % sold') })
})

test('a card sent through inline mode refreshes where it stands', async () => {
  const { people } = town.telegram
  const answer = await people.inline(ada, 'lantern', '', { chatId: club })
  const [result] = answer?.results ?? []
  if (!result) throw new Error('no result')
  const { message_id } = people.choose(ada, club, { query: 'lantern', result })
  const before = people.messages(club).length
  expect(await people.press(ada, club, message_id, { label: 'Refresh' })).toMatchObject({
    kind: 'answer',
  })
  await people.press(ada, club, message_id, { label: 'Auction' })
  const card = people.messages(club).find(({ id }) => id === message_id)
  expect(card?.text).toContain('Auction of Paper Lantern')
  expect(people.messages(club)).toHaveLength(before)
})

test('inline mode without a term asks for one, and without a hit says so', async () => {
  const { people } = town.telegram
  const nothing = await people.inline(ada, '')
  expect(nothing).toMatchObject({ results: [], button: { text: 'Type a name, symbol or address' } })
  const unknown = await people.inline(ada, 'zzzzqqqq')
  expect(unknown).toMatchObject({
    results: [],
    button: { text: expect.stringMatching(/^Nothing/u) },
  })
})

test('Discord suggests assets by name while one types', async () => {
  const { people } = town.discord
  const suggest = (typed: string) =>
    people.complete(discordCast.ada.id, discordCast.club.id, 'asset', { asset: typed }, 'asset')
  expect(await suggest('otter')).toEqual([
    { name: 'Moon Otter $OTTER · live', value: showcaseAddresses.moonOtter },
    { name: expect.stringContaining('Otter Space'), value: showcaseAddresses.otterSpace },
  ])
  expect(await suggest('')).toEqual([])
  expect(await suggest('zzzzqqqq')).toEqual([])
  const many = await suggest('a')
  expect(many.length).toBeGreaterThan(15)
  expect(many.length).toBeLessThanOrEqual(25)
})

test('suggestions of a dead interface are an empty list in time', async () => {
  town.upstream.faults.set({ kind: 'hang' })
  const { people } = town.discord
  const found = await people.complete(
    discordCast.ada.id,
    discordCast.club.id,
    'search',
    { term: 'canyon' },
    'term',
  )
  town.upstream.faults.clear()
  expect(found).toEqual([])
})
