import { afterEach, beforeEach, expect, test } from 'vitest'
import { CardMaker } from '../../../src/cards/cards.ts'
import { createLogger } from '../../../src/log.ts'
import { liveFacts } from './facts-for-tests.ts'
import { fetching, PictureServer, plain } from './picture-server.ts'

const minute = 60_000

let server: PictureServer
let clock: { now: number }
beforeEach(async () => {
  server = await PictureServer.start()
  clock = { now: 1 }
})
afterEach(() => server.stop())

const clocked = () => fetching(server, { milliseconds: 20_000, now: () => clock.now })

test('a picture that could not be had is asked for again after ten minutes, one that could after a day', async () => {
  const pictures = clocked()
  const url = server.url('/a')
  expect(await pictures.of(url)).toBeUndefined()
  server.serve('/a', await plain('#ff0000'))
  clock.now += 9 * minute
  expect(await pictures.of(url)).toBeUndefined()
  clock.now += 2 * minute
  expect(await pictures.of(url)).toBeDefined()
  clock.now += 23 * 60 * minute
  await pictures.of(url)
  expect(server.asked).toHaveLength(2)
  clock.now += 2 * 60 * minute
  await pictures.of(url)
  expect(server.asked).toHaveLength(3)
  await pictures.close()
})

test('a card that lacks the token’s picture is drawn again after ten minutes, with it then', async () => {
  const cards = new CardMaker({
    log: createLogger('silent', []),
    milliseconds: 120_000,
    pictures: clocked(),
    now: () => clock.now,
  })
  const facts = { ...liveFacts, image: server.url('/a') }
  const without = await cards.of(facts)
  server.serve('/a', await plain('#ff0000'))
  clock.now += 9 * minute
  expect(await cards.of(facts)).toBe(without)
  clock.now += 2 * minute
  const complete = await cards.of(facts)
  expect(complete?.key).not.toBe(without?.key)
  clock.now += 600 * minute
  expect(await cards.of(facts)).toBe(complete)
  await cards.close()
})

test('a picture for which there was no room among those of its host may be asked for again at once', async () => {
  const bytes = await plain('#ff0000')
  const held: (() => void)[] = []
  const paths = Array.from({ length: 103 }, (_, index) => `/${index}`)
  for (const path of paths) {
    server.answers.set(path, (_, response) => {
      held.push(() => response.writeHead(404).end())
    })
  }
  const pictures = clocked()
  const last = server.url('/102')
  const others = paths.slice(0, 102).map((path) => pictures.of(server.url(path)))
  expect(await pictures.of(last)).toBeUndefined()
  server.serve('/102', bytes)
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(2)
  for (const path of paths.slice(0, 102)) {
    server.answers.set(path, (_, response) => response.writeHead(404).end())
  }
  for (const answer of held) answer()
  await Promise.all(others)
  expect(await pictures.of(last)).toBeDefined()
  await pictures.close()
})
