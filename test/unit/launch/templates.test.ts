import { HTTPException } from 'hono/http-exception'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { Api } from '../../../src/api/client.ts'
import { tickerPattern } from '../../../src/chain/airlock/tickers.ts'
import { ownShare } from '../../../src/launch/build-inputs.ts'
import type { Template } from '../../../src/launch/settings.ts'
import { TemplateList } from '../../../src/launch/templates.ts'
import { createLogger } from '../../../src/log.ts'
import { defaultTables, silent } from '../api/server.ts'
import { LogBook } from '../core/log-book.ts'
import { settingsOf } from './conversing.ts'
import { launcher } from './harness.ts'

const key = 'a-key-for-tests'
const chain = 8453

async function started(
  configured: readonly Template[] = [],
  chains: [number, ...number[]] = [chain],
  launched: readonly number[] = [chain],
) {
  const server = await ApiServer.start({ key })
  const api = new Api({
    baseUrl: server.baseUrl,
    key,
    ...defaultTables,
    chains,
    log: silent,
    retryPauseMs: 1,
  })
  onTestFinished(async () => {
    await api.close()
    await server.stop()
  })
  const clock = { seconds: 1_000 }
  const launchers = Object.fromEntries(launched.map((each) => [each, launcher]))
  const settings = { ...settingsOf(configured), launchers }
  const book = new LogBook()
  const log = createLogger('info', [], book)
  const list = new TemplateList({ settings, chains, api, log, now: () => clock.seconds })
  const asked = (method: string) =>
    server.requests.filter((each) => each.path === '/auction-templates' && each.method === method)
      .length
  return { server, list, clock, asked, book }
}

const two: [number, number] = [chain, 4663]
const onTwoChains = () => started([], two, two)

describe('without TEMPLATES', () => {
  test('the API’s templates are offered, on chains whose launch contract is known', async () => {
    const { list } = await started([], [chain, 84532])
    await list.ready()
    expect(list.current).toHaveLength(4)
    expect(list.current[0]).toEqual({
      id: 'sandbox-standard',
      chain,
      label: 'Standard curve',
      about: 'A price curve that opens as soon as you sign.',
    })
    expect(list.current[1]).toEqual({ id: 'sandbox-hook', chain, label: 'Curve with a hook' })
  })

  test('they are listed once in ten minutes, and the last list stays if there is no other', async () => {
    const { list, clock, server, asked } = await started()
    await Promise.all([list.ready(), list.ready()])
    clock.seconds += 599
    await list.ready()
    expect(asked('GET')).toBe(1)
    clock.seconds += 1
    server.faults.set({ match: '/auction-templates', kind: 'status', status: 500 })
    await list.ready()
    expect(list.current).toHaveLength(4)
  })

  test.each([
    [404, 'Launching isn’t set up here'],
    [500, 'can’t list its templates right now'],
  ])('a list that is answered with %s is said in words', async (status, words) => {
    const { list, server } = await started()
    server.faults.set({ match: '/auction-templates', kind: 'status', status })
    await expect(list.ready()).rejects.toThrow(words)
  })

  test('an empty list is as none', async () => {
    const { list, server } = await started()
    server.launches.list = () => []
    await expect(list.ready()).rejects.toThrow('Launching isn’t set up here')
  })

  test('as many are offered on each chain as there is room for, and the log names the others', async () => {
    const { list, server, book } = await onTwoChains()
    const names = Array.from({ length: 27 }, (_, index) => `t${index}`)
    server.launches.list = () => names.map((id) => ({ id, name: id, description: null }))
    await list.ready()
    for (const each of two) {
      const offered = list.current.filter((template) => template.chain === each)
      expect(offered.map(({ id }) => id)).toEqual(names.slice(0, 25))
    }
    expect(book.of('warn').join()).toContain('"leftOut":["t25","t26"]')
  })

  test('one that the API has not on a chain is not offered there until the list is read anew', async () => {
    const { list, server, clock } = await onTwoChains()
    const build = server.launches.build.bind(server.launches)
    server.launches.build = async (on, asked) => {
      if (on === 4663) throw new HTTPException(404, { message: 'Template not found' })
      return build(on, asked)
    }
    await list.ready()
    const id = 'sandbox-standard'
    for (const each of two) await list.learnTerms({ chain: each, template: id })
    const chains = () => list.current.filter((each) => each.id === id).map((each) => each.chain)
    expect(chains()).toEqual([chain])
    list.forget({ chain: 4663, template: id })
    await list.ready()
    expect(chains()).toEqual([chain])
    clock.seconds += 600
    await list.ready()
    expect(chains()).toEqual(two)
  })

  test('none that the API has is as no list', async () => {
    const { list, server } = await started()
    server.launches.list = () => [{ id: 'gone', name: 'Gone', description: null }]
    await list.ready()
    await list.learnTerms({ chain, template: 'gone' })
    await expect(list.ready()).rejects.toThrow('Launching isn’t set up here')
  })

  test('what strangers wrote is one short line', async () => {
    const { list, server } = await started()
    server.launches.list = () => [
      { id: 'evil', name: `Ev\u202eil\n${'x'.repeat(500)}`, description: '\u200b' },
      { id: 'nameless', name: ' ', description: null },
    ]
    await list.ready()
    const [evil, nameless] = list.current
    expect(evil?.label).toMatch(/^Evil x{50,}…$/u)
    expect(evil?.label.length).toBeLessThanOrEqual(61)
    expect(nameless).toEqual({ id: 'nameless', chain, label: 'nameless' })
  })
})

test('those of TEMPLATES win: nothing is listed', async () => {
  const own = { id: 'sandbox-standard', label: 'Ours', chain, openShare: '95' }
  const { list, asked } = await started([own])
  await list.ready()
  await list.learnTerms({ chain, template: own.id })
  expect(list.current).toEqual([own])
  expect([asked('GET'), asked('POST')]).toEqual([0, 0])
})

describe('what a template does about the fees', () => {
  const of = (template: string) => ({ chain, template })
  const one = async (id: string) => {
    const made = await started([{ id, label: 'One', chain }])
    await made.list.learnTerms(of(id))
    return { ...made, template: made.list.current[0] }
  }

  test.each([
    ['sandbox-standard', '95', 3],
    ['sandbox-shared', '35', 4],
    ['sandbox-dynamic', '0', 1],
  ])('is found by asking, and by few requests: %s', async (id, openShare, requests) => {
    const { template, asked, list } = await one(id)
    expect(template?.openShare).toBe(openShare)
    expect(asked('POST')).toBeLessThanOrEqual(requests)
    await list.learnTerms(of(id))
    expect(asked('POST')).toBeLessThanOrEqual(requests)
  })

  test('is asked of one of TEMPLATES that leaves another share than usual, for it may pay others the rest', async () => {
    const own = { id: 'sandbox-shared', label: 'Ours', chain, openShare: '35' }
    const { list, asked } = await started([own])
    await list.learnTerms(of(own.id))
    expect(asked('POST')).toBe(1)
    const [template] = list.current
    expect(template?.openShare).toBe('35')
    expect(template?.expects?.shares).toContainEqual(expect.objectContaining({ percent: '60' }))
  })

  test('is not asked of one of TEMPLATES that says who gets it all', async () => {
    const shares = [{ to: 'you', percent: '100' }]
    const own = { id: 'sandbox-shared', label: 'Ours', chain, openShare: '35', expects: { shares } }
    const { list, asked } = await started([own])
    await list.learnTerms(of(own.id))
    expect(asked('POST')).toBe(0)
  })

  test('names all accounts that get some of them, and the supply', async () => {
    const { template } = await one('sandbox-shared')
    expect(template?.expects?.supply).toBe('1000000000')
    const shares = template?.expects?.shares
    expect(shares).toHaveLength(3)
    expect(shares).toContainEqual({ to: 'you', percent: '35' })
    expect(shares).toContainEqual(expect.objectContaining({ percent: '60' }))
    expect(ownShare(template)).toBe(35n * 10n ** 16n)
  })

  test('is read out of the refusal’s own words first', async () => {
    const { list, server, asked } = await started([{ id: 'sandbox-shared', label: 'One', chain }])
    const build = server.launches.build.bind(server.launches)
    server.launches.build = (...args) =>
      build(...args).catch(() => {
        throw new HTTPException(400, { message: 'this template presets 65% of the fees' })
      })
    await list.learnTerms(of('sandbox-shared'))
    expect(list.current[0]?.openShare).toBe('35')
    expect(asked('POST')).toBe(3)
  })

  test.each([
    ['metadata.token_symbol: Reserved', 1],
    ['token_uri: Invalid', 1],
    ['body.metadata.category: Required', 1],
    ['metadata.beneficiaries: Required; metadata.category: Required', 1],
    ['metadata.beneficiaries.0.shares: Too small', 9],
    ['metadata: the sum is wrong', 9],
    ['The sum is wrong; expected: all', 9],
  ])('is not asked for again if another field is refused: %s', async (message, requests) => {
    const { list, server, asked } = await started([{ id: 'sandbox-shared', label: 'One', chain }])
    server.launches.build = async () => {
      throw new HTTPException(400, { message })
    }
    await list.learnTerms(of('sandbox-shared'))
    expect(asked('POST')).toBe(requests)
  })

  test('is asked for a token whose symbol nobody can know, of letters alone', async () => {
    const symbols = new Set<string>()
    for (const each of [1, 2]) {
      const { list, server } = await started([{ id: 'sandbox-shared', label: 'One', chain }])
      const build = server.launches.build.bind(server.launches)
      server.launches.build = (on, asked) => {
        symbols.add(asked.metadata.token_symbol)
        return build(on, asked)
      }
      await list.learnTerms(of('sandbox-shared'))
      expect(symbols.size).toBeGreaterThan(each)
    }
    for (const symbol of symbols) expect(symbol).toMatch(tickerPattern)
  })

  test('stays unknown if the API refuses everything, until it is forgotten', async () => {
    const { list, server, asked } = await started([{ id: 'sandbox-standard', label: 'One', chain }])
    server.faults.set({ match: '/auction-templates', kind: 'status', status: 422 })
    await list.learnTerms(of('sandbox-standard'))
    expect(list.current[0]?.openShare).toBeUndefined()
    const requests = asked('POST')
    expect(requests).toBeLessThan(10)
    server.faults.clear()
    await list.learnTerms(of('sandbox-standard'))
    expect(asked('POST')).toBe(requests)
    list.forget(of('sandbox-standard'))
    await list.learnTerms(of('sandbox-standard'))
    expect(list.current[0]?.openShare).toBe('95')
  })

  test('is asked again if the API did not answer', async () => {
    const { list, server } = await started([{ id: 'sandbox-standard', label: 'One', chain }])
    server.faults.set({ match: '/auction-templates', kind: 'status', status: 500 })
    await expect(list.learnTerms(of('sandbox-standard'))).rejects.toThrow('500')
    server.faults.clear()
    await list.learnTerms(of('sandbox-standard'))
    expect(list.current[0]?.openShare).toBe('95')
  })
})
