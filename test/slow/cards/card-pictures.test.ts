import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { CardDrawer, PictureWorker } from '../../../src/cards/card-pictures.ts'
import { type CardFacts, drawable } from '../../../src/cards/layout.ts'
import { createLogger } from '../../../src/log.ts'
import { hostileNames } from '../../hostile.ts'
import { downloadFrom, PictureServer } from '../../unit/cards/picture-server.ts'
import { liveFacts, pixelAt, plain } from '../../unit/cards/sample.ts'
import { LogBook } from '../../unit/core/log-book.ts'

const minute = 60_000
const milliseconds = 120_000

let server: PictureServer
let book: LogBook
/** One for most tests: its process takes a second to start. Its clock is set by tests. */
let cards: CardDrawer
let now = 1
beforeAll(async () => {
  server = await PictureServer.start()
  book = new LogBook()
  const log = createLogger('debug', [], book)
  cards = new CardDrawer({ log, milliseconds, download: downloadFrom(server), now: () => now })
})
beforeEach(async () => {
  server.asked.length = 0
  server.serve('/red', await plain('#ff0000'))
})
afterAll(async () => {
  await cards.close()
  await server.stop()
})

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close()
})
function closed<Each extends { close(): Promise<void> }>(each: Each): Each {
  closing.push(each)
  return each
}

describe('a card', () => {
  /** Drawn by this code and looked at. `GOLDEN=write` draws them anew. */
  const goldens: Record<string, Partial<CardFacts>> = {
    live: {},
    falling: {
      line: [5, 3, 4, 1],
      change: '▼ 12.3%',
      span: 'over 3 h',
      tone: 'bad',
      asset: '0x1',
    },
    bare: {
      asset: '',
      name: '',
      symbol: '',
      chain: '',
      status: '',
      tone: 'neutral',
      line: [],
      outcome: 'Graduated',
    },
    scripts: {
      name: 'ẠữЖїΩψ月亮體龜あア躾𠮷ｱ달뷁ㅋहनকখதழతఖગજทยქაԱՖ₿𝕸𝖔',
      symbol: '$قشگپבע',
      line: [3, 3, 3],
      progress: { ratio: 0.99999, label: '99% sold' },
    },
    emoji: {
      name: '🚀🦦🇩🇪👨‍👩‍👧‍👦👍🏽1️⃣❤️‍🔥❤ \u{12000}',
      symbol: '$🏳️‍🌈',
      line: [],
      progress: { ratio: 0.001, label: '0% sold' },
    },
    hostile: {
      name: '<b>bold</b> &lt; <script>alert(1)</script> \u202egnp.exe '.repeat(3),
      symbol: '</text><image href="https://evil.example/x"/>',
      status: 'paused by \u202evote of everybody',
      line: [Number.NaN, 0, 5e-324, Number.POSITIVE_INFINITY, 1],
    },
  }

  test.each(Object.entries(goldens))('%s looks as it should', async (name, { ...facts }) => {
    const complete = { ...liveFacts, ...facts }
    const { price, change, marketCap, progress, ...bare } = complete
    const picture = await cards.of(name === 'bare' ? bare : complete)
    const bytes = picture?.bytes ?? new Uint8Array()
    const file = new URL(`golden/${name}.jpg`, import.meta.url)
    if (process.env.GOLDEN === 'write') await writeFile(file, bytes)
    expect(bytes.length).toBeLessThan(80 * 1024)
    expect(await differingPixels(bytes, await readFile(file))).toBeLessThan(150)
  })

  test('is drawn once for the same facts, and has the same key and bytes in another process', async () => {
    const [one, two] = await Promise.all([cards.of(liveFacts), cards.of({ ...liveFacts })])
    expect(two).toBe(one)
    expect(await cards.soon(liveFacts, 0)).toBe(one)
    const other = closed(new CardDrawer({ log: createLogger('silent', []), milliseconds }))
    expect(await other.of(liveFacts)).toEqual(one)
  })

  test('has the same bytes without fonts and a home of its own, and writes nothing there', async () => {
    const home = await mkdtemp(join(tmpdir(), 'gavel-home-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const facts = { ...liveFacts, name: 'Moon 月 قمر 🚀 ▲' }
    const module = new URL('../../../src/cards/card-pictures.ts', import.meta.url).href
    const script = `
      const { CardDrawer } = await import(${JSON.stringify(module)})
      const cards = new CardDrawer({ log: { warn: console.error, debug() {} }, milliseconds: ${milliseconds} })
      const { bytes } = await cards.of(${JSON.stringify(facts)})
      console.log(Buffer.from(bytes).toString('base64'))
      await cards.close()`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      {
        env: {
          PATH: process.env.PATH,
          HOME: home,
          XDG_CACHE_HOME: home,
          FONTCONFIG_FILE: '/dev/null',
          FONTCONFIG_PATH: home,
        },
        maxBuffer: 2 ** 24,
      },
    )
    const usual = await cards.of(facts)
    expect(stdout.trim()).toBe(Buffer.from(usual?.bytes ?? []).toString('base64'))
    expect(await readdir(home)).toEqual([])
  })

  test('shows every fact, and has another key for each', async () => {
    const { progress: _, ...ended } = liveFacts
    const changes: Partial<CardFacts>[] = [
      { asset: '0xother' },
      { name: 'Sun Otter' },
      { symbol: '$SUN' },
      { chain: 'Ink' },
      { status: 'Ended' },
      { tone: 'bad' },
      { price: '$0.0₇1234' },
      { change: '▼ 12.3%' },
      { marketCap: '$1.24M' },
      { outcome: 'Ended' },
      { span: 'over 3 h' },
      { line: [1, 2] },
      { progress: { ratio: 0.5, label: '51% sold' } },
    ]
    const all = [liveFacts, ended, ...changes.map((change) => ({ ...liveFacts, ...change }))]
    const pictures = await Promise.all(all.map((facts) => cards.of(facts)))
    const bytes = pictures.map((picture) => Buffer.from(picture?.bytes ?? []).toString('base64'))
    expect(new Set(bytes).size).toBe(all.length)
    expect(new Set(pictures.map((picture) => picture?.key)).size).toBe(all.length)
  })

  test('is drawn whatever the token is called', async () => {
    const names = hostileNames.map(([, name]) => name)
    const all = names.flatMap((name, index) =>
      index % 3 > 0
        ? []
        : { ...liveFacts, name, symbol: names[index + 1] ?? '', status: names[index + 2] ?? '' },
    )
    const pictures = await Promise.all(all.map((facts) => cards.of(facts)))
    expect(pictures).not.toContain(undefined)
  })
})

describe('the token’s own picture', () => {
  const centre = async (bytes: Uint8Array = new Uint8Array()) =>
    (await pixelAt(bytes, 126, 126)).colour

  test('is on the card, and another one at the same address has another key', async () => {
    const facts = { ...liveFacts, image: server.url('/red') }
    const red = await cards.of(facts)
    const [r = 0, g = 0] = await centre(red?.bytes)
    expect([r > 200, g < 50]).toEqual([true, true])
    server.serve('/red', await plain('#0000ff'))
    const download = downloadFrom(server)
    const other = closed(
      new CardDrawer({ log: createLogger('silent', []), milliseconds, download }),
    )
    const blue = await other.of(facts)
    expect(blue?.key).toBeDefined()
    expect(blue?.key).not.toBe(red?.key)
  })

  test('that can’t be loaded leaves the avatar, under another key, and is requested again after ten minutes', async () => {
    const facts = { ...liveFacts, image: server.url('/later') }
    const avatar = await cards.of(liveFacts)
    const without = await cards.of(facts)
    expect(without?.bytes).toEqual(avatar?.bytes)
    expect(without?.key).not.toBe(avatar?.key)
    server.serve('/later', await plain('#ff0000'))
    now += 9 * minute
    expect(await cards.of(facts)).toBe(without)
    now += 2 * minute
    const complete = await cards.of(facts)
    expect(complete?.key).not.toBe(without?.key)
    now += 600 * minute
    expect(await cards.of(facts)).toBe(complete)
  })

  test('is not waited for if there is no time, and is on the next drawing', async () => {
    let answer = () => {}
    const bytes = await plain('#ff0000')
    server.answers.set('/slow', (_, response) => {
      answer = () => response.end(bytes)
    })
    const facts = { ...liveFacts, image: server.url('/slow') }
    const avatar = await cards.of(liveFacts)
    expect(await cards.soon(facts, milliseconds)).toBe(avatar)
    await expect.poll(() => server.asked).toEqual(['/slow'])
    answer()
    await expect.poll(async () => (await cards.soon(facts, 60_000))?.key).not.toBe(avatar?.key)
    expect(server.asked).toEqual(['/slow'])
  })
})

describe('there is no picture', () => {
  const limited = (limits: { waiting?: number; milliseconds?: number }) => {
    const warnings = new LogBook()
    const log = createLogger('debug', [], warnings)
    return { maker: closed(new CardDrawer({ log, milliseconds, ...limits })), warnings }
  }

  test('in time: it is undefined now and available later', async () => {
    const facts = { ...liveFacts, name: 'Slow Otter' }
    expect(await cards.soon(facts, 0)).toBeUndefined()
    await expect.poll(() => cards.soon(facts, 0)).toBeDefined()
  })

  test('if too many wait, which is logged', async () => {
    const { maker, warnings } = limited({ waiting: 1 })
    const facts = Array.from({ length: 5 }, (_, index) => ({ ...liveFacts, asset: `0x${index}` }))
    const drawn = await Promise.all(facts.map((each) => maker.of(each)))
    expect(drawn.filter((picture) => picture !== undefined)).toHaveLength(2)
    expect(warnings.of('warn')).toHaveLength(3)
    // There was no room, which says nothing of the card.
    expect(await maker.of(facts[4] ?? liveFacts)).toBeDefined()
  })

  test('if it took too long, which is logged once, and not tried again at once', async () => {
    const { maker, warnings } = limited({ milliseconds: 1 })
    expect(await maker.of(liveFacts)).toBeUndefined()
    expect(await maker.of(liveFacts)).toBeUndefined()
    expect(warnings.of('warn')).toHaveLength(1)
  })

  test('during a stop, which is not logged', async () => {
    const { maker, warnings } = limited({})
    const asked = [maker.of(liveFacts), maker.of({ ...liveFacts, name: 'Sun Otter' })]
    await maker.close()
    expect(await Promise.all(asked)).toEqual([undefined, undefined])
    expect(await maker.of(liveFacts)).toBeUndefined()
    expect(warnings.of('warn')).toEqual([])
  })
})

test('the worker goes on after a failure, a crash and a pause', async () => {
  const worker = closed(new PictureWorker({ idleMs: 50 }))
  const draw = (image?: string) => worker.ask({ do: 'draw', facts: drawable(liveFacts), image })
  await expect(draw('no url')).rejects.toThrow('could not be made')
  const asked = expect(draw()).rejects.toThrow('the process that draws ended')
  process.kill(worker.pid ?? 0, 'SIGKILL')
  await asked
  expect((await draw()).length).toBeGreaterThan(1000)
  const { pid = 0 } = worker
  await expect.poll(() => worker.pid).toBeUndefined()
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000)
  expect((await draw()).length).toBeGreaterThan(1000)
})

async function differingPixels(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [ours, golden] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).raw().toBuffer()),
  )
  let count = 0
  for (let at = 0; at < 1200 * 630 * 3; at += 3) {
    if (Math.abs((ours?.[at + 1] ?? 0) - (golden?.[at + 1] ?? 255)) > 40) count += 1
  }
  return count
}
