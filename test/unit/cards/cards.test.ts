import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterEach, describe, expect, test } from 'vitest'
import { CardMaker, type CardMakerParts } from '../../../src/cards/cards.ts'
import { DrawingProcess } from '../../../src/cards/drawing-process.ts'
import { drawable } from '../../../src/cards/layout.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../core/log-book.ts'
import { alike, liveFacts, pixelsOf } from './facts-for-tests.ts'
import { fetching, PictureServer } from './picture-server.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function maker(parts: Partial<CardMakerParts> = {}) {
  const book = new LogBook()
  const cards = new CardMaker({
    log: createLogger('debug', [], book),
    milliseconds: 120_000,
    ...parts,
  })
  closing.push(() => cards.close())
  return { cards, book }
}

async function serving() {
  const server = await PictureServer.start()
  closing.push(() => server.stop())
  const red = { width: 200, height: 200, channels: 3, background: '#ff0000' } as const
  server.serve('/red', await sharp({ create: red }).png().toBuffer())
  return server
}

describe('one state', () => {
  test('is drawn once and is one and the same picture', async () => {
    const { cards } = maker()
    const [one, two] = await Promise.all([cards.of(liveFacts), cards.of({ ...liveFacts })])
    expect(one).toBeDefined()
    expect(two).toBe(one)
    expect(await cards.soon(liveFacts, 0)).toBe(one)
    expect(one).toMatchObject({ name: 'card.jpg', type: 'image/jpeg' })
  })

  test('has the same key and bytes in another process, without fonts and without a home of its own', async () => {
    const home = await mkdtemp(join(tmpdir(), 'gavel-home-'))
    closing.push(() => rm(home, { recursive: true }))
    const name = 'Moon 月 قمر 🚀 ▲'
    const script = `
      const { CardMaker } = await import(${JSON.stringify(new URL('../../../src/cards/cards.ts', import.meta.url).href)})
      const { createHash } = await import('node:crypto')
      const cards = new CardMaker({ log: { warn: console.error, debug() {} } })
      const { key, bytes } = await cards.of(${JSON.stringify({ ...liveFacts, name })})
      console.log(JSON.stringify({ key, hash: createHash('sha256').update(bytes).digest('hex') }))
      await cards.close()`
    const run = async (env: NodeJS.ProcessEnv) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '-e', script],
        { env: { PATH: process.env.PATH, ...env } },
      )
      return stdout
    }
    const bare = {
      HOME: home,
      XDG_CACHE_HOME: home,
      FONTCONFIG_FILE: '/dev/null',
      FONTCONFIG_PATH: home,
    }
    const [usual, without] = await Promise.all([run({ HOME: home }), run(bare)])
    expect(without).toBe(usual)
    const { cards } = maker()
    expect(usual).toContain((await cards.of({ ...liveFacts, name }))?.key)
    expect(await readdir(home)).toEqual([])
  })

  test('that differs in anything has another key', async () => {
    const { cards } = maker()
    const { progress: _, ...others } = liveFacts
    const variants = [
      liveFacts,
      others,
      { ...liveFacts, line: [1, 2] },
      { ...liveFacts, name: 'Sun' },
      { ...liveFacts, span: 'over 3 h' },
    ]
    const keys = await Promise.all(variants.map(async (facts) => (await cards.of(facts))?.key))
    expect(new Set(keys).size).toBe(variants.length)
    expect(keys).not.toContain(undefined)
  })
})

describe('the token’s own picture', () => {
  test('stands on the card', async () => {
    const server = await serving()
    const { cards } = maker({ pictures: fetching(server) })
    const card = await cards.of({ ...liveFacts, image: server.url('/red') })
    const pixels = await pixelsOf(card?.bytes ?? new Uint8Array())
    expect(alike(pixels.at(126, 126), [255, 0, 0])).toBe(true)
  })

  test('leaves its place to the same avatar as ever where it can’t be had, under another key', async () => {
    const server = await serving()
    const { cards } = maker({ pictures: fetching(server) })
    const gone = await cards.of({ ...liveFacts, image: server.url('/gone') })
    const none = await cards.of(liveFacts)
    const red = await cards.of({ ...liveFacts, image: server.url('/red') })
    expect(gone?.bytes).toEqual(none?.bytes)
    expect(new Set([gone?.key, none?.key, red?.key]).size).toBe(3)
  })

  test('that is another one at the same address has another key', async () => {
    const server = await serving()
    const image = server.url('/red')
    const before = await maker({ pictures: fetching(server) }).cards.of({ ...liveFacts, image })
    const blue = { width: 200, height: 200, channels: 3, background: '#0000ff' } as const
    server.serve('/red', await sharp({ create: blue }).png().toBuffer())
    const after = await maker({ pictures: fetching(server) }).cards.of({ ...liveFacts, image })
    expect(after?.key).toBeDefined()
    expect(after?.key).not.toBe(before?.key)
  })

  test('is not waited for by who is in a hurry, and is on the next drawing', async () => {
    const server = await serving()
    let answer = () => {}
    const red = server.answers.get('/red')
    server.answers.set('/red', (request, response) => {
      answer = () => red?.(request, response)
    })
    const { cards } = maker({ pictures: fetching(server, { milliseconds: 120_000 }) })
    const facts = { ...liveFacts, image: server.url('/red') }
    const avatar = await cards.of(liveFacts)
    // It is drawn already, and the server keeps its answer back: who waited would wait for ever.
    expect(await cards.soon(facts, 2_000_000)).toBe(avatar)
    await expect.poll(() => server.asked, { timeout: 30_000 }).toEqual(['/red'])
    answer()
    await expect
      .poll(async () => (await cards.soon(facts, 60_000))?.key, { timeout: 60_000 })
      .not.toBe(avatar?.key)
    expect(server.asked).toEqual(['/red'])
  })
})

describe('where there is no picture', () => {
  test('in the time that there is, it is undefined now and there later', async () => {
    const { cards } = maker()
    expect(await cards.soon(liveFacts, 0)).toBeUndefined()
    await expect.poll(() => cards.soon(liveFacts, 0), { timeout: 30_000 }).toBeDefined()
  })

  test('because too many wait, it is undefined and the log says so', async () => {
    const { cards, book } = maker({ waiting: 1 })
    const facts = Array.from({ length: 6 }, (_, index) => ({ ...liveFacts, asset: `0x${index}` }))
    const drawn = await Promise.all(facts.map((each) => cards.of(each)))
    expect(drawn.filter((picture) => picture !== undefined)).toHaveLength(3)
    expect(book.of('warn')).toHaveLength(3)
    // There was no room, which says nothing of the card.
    expect(await cards.of(facts[5] ?? liveFacts)).toBeDefined()
  })

  test('because it took too long, it is undefined, once said, and not tried again at once', async () => {
    const { cards, book } = maker({ milliseconds: 1 })
    expect(await cards.of(liveFacts)).toBeUndefined()
    expect(await cards.of(liveFacts)).toBeUndefined()
    expect(book.of('warn')).toHaveLength(1)
  })

  test('because all ends, it is undefined without a word', async () => {
    const { cards, book } = maker()
    const asked = cards.of(liveFacts)
    await cards.close()
    expect(await asked).toBeUndefined()
    expect(await cards.of(liveFacts)).toBeUndefined()
    expect(book.of('warn')).toEqual([])
  })
})

describe('the drawing process', () => {
  test('goes on after something that it can’t draw', async () => {
    const drawing = new DrawingProcess(60_000)
    closing.push(() => drawing.close())
    const facts = drawable(liveFacts)
    await expect(drawing.draw({ ...facts, line: [1, 2], name: 'Moon' }, 'no url')).rejects.toThrow(
      'could not be drawn',
    )
    expect((await drawing.draw(facts, undefined)).length).toBeGreaterThan(1000)
  })

  test('is started again when it ended over something', async () => {
    const drawing = new DrawingProcess(60_000)
    closing.push(() => drawing.close())
    const facts = drawable(liveFacts)
    const asked = expect(drawing.draw(facts, undefined)).rejects.toThrow(
      'the drawing process ended',
    )
    await drawing.close()
    await asked
    expect((await drawing.draw(facts, undefined)).length).toBeGreaterThan(1000)
  })

  test('ends when it has nothing to do, and comes again', async () => {
    const drawing = new DrawingProcess(60_000, 50)
    closing.push(() => drawing.close())
    const facts = drawable(liveFacts)
    await drawing.draw(facts, undefined)
    const { pid = 0 } = drawing
    await expect.poll(() => drawing.pid, { timeout: 30_000 }).toBeUndefined()
    await expect.poll(() => runs(pid), { timeout: 30_000 }).toBe(false)
    expect((await drawing.draw(facts, undefined)).length).toBeGreaterThan(1000)
  })

  test('that was killed loses what was under way, and comes again', async () => {
    const drawing = new DrawingProcess(60_000)
    closing.push(() => drawing.close())
    const facts = drawable(liveFacts)
    const asked = expect(drawing.draw(facts, undefined)).rejects.toThrow(
      'the drawing process ended',
    )
    process.kill(drawing.pid ?? 0, 'SIGKILL')
    await asked
    expect((await drawing.draw(facts, undefined)).length).toBeGreaterThan(1000)
  })
})

function runs(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
