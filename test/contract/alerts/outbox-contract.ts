import { expect, test } from 'vitest'
import type { Claim, DeliveryResult } from '../../../src/alerts/outbox.ts'
import { claimOne, due, limits, type OutboxEngine, withEngine } from './outbox-engine.ts'
import { outboxLifeContract } from './outbox-life-contract.ts'

const day = 86_400_000

function brief({ destination, news, attempts, uncertain }: Claim) {
  return { to: destination.id, news, attempts, uncertain }
}

/** What every outbox must do; call it inside a `describe`. */
export function outboxContract(open: () => Promise<OutboxEngine>): void {
  test('what is due to one chat within a moment is claimed together, oldest first, and not before', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const first = await engine.tell(ada)
      expect(await outbox.claim('telegram', limits)).toEqual([])
      expect(await outbox.nextAt('telegram')).toBe(engine.clock.now + engine.gathering * 1000)
      const [second] = await due(engine, ada)
      expect(await outbox.claim('discord', limits)).toEqual([])
      expect(await outbox.claim('telegram', limits)).toMatchObject([
        {
          destination: { id: ada, platform: 'telegram', kind: 'chat', chat: 'ada', thread: '' },
          news: [first, second],
          attempts: 1,
          uncertain: false,
        },
      ])
    }))

  test('no more chats and no more news are claimed than asked for, and the rest afterwards', () =>
    withEngine(open, async (engine, outbox) => {
      const all = [await engine.destination('ada'), await engine.destination('bob')]
      const ids: number[] = []
      for (let each = 0; each < 5; each += 1) ids.push(await engine.tell(...all))
      engine.clock.now += 10_000
      const few = { most: 1, together: 3, lease: 60 }
      const seen: unknown[] = []
      for (let [claim] = await outbox.claim('telegram', few); claim; ) {
        seen.push([claim.destination.chat, claim.news])
        await outbox.record(claim, claim.news, { kind: 'sent' }, engine.clock.now + 1000)
        engine.clock.now += 1
        const [next] = await outbox.claim('telegram', few)
        if (next === undefined && seen.length < 4) engine.clock.now += 1000
        claim = next ?? (await outbox.claim('telegram', few))[0]
      }
      expect(seen).toEqual([
        ['ada', ids.slice(0, 3)],
        ['bob', ids.slice(0, 3)],
        ['ada', ids.slice(3)],
        ['bob', ids.slice(3)],
      ])
    }))

  test('who has waited longest is claimed first, and who has much keeps nobody waiting', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const bob = await engine.destination('bob')
      await due(engine, bob, 30)
      await due(engine, ada)
      const claims = await outbox.claim('telegram', { ...limits, most: 2 })
      expect(claims.map(({ destination }) => destination.id)).toEqual([bob, ada])
    }))

  test('several processes never hold the same chat', () =>
    withEngine(open, async (engine, outbox) => {
      const chats = await Promise.all(
        Array.from({ length: 40 }, (_, each) => engine.destination(`chat ${each}`)),
      )
      await engine.tell(...chats)
      engine.clock.now += 10_000
      const processes = [outbox, engine.outbox(), engine.outbox()]
      const claimed: number[] = []
      for (let round = 0; round < 9; round += 1) {
        for (const each of processes) {
          const claims = await each.claim('telegram', { ...limits, most: 3 })
          claimed.push(...claims.map(({ destination }) => destination.id))
        }
      }
      expect(claimed.toSorted((one, other) => one - other)).toEqual(
        chats.toSorted((one, other) => one - other),
      )
      expect(await outbox.claim('telegram', limits)).toEqual([])
    }))

  test('nothing more goes to a chat before its next message may', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const [first = 0] = await due(engine, ada)
      const claim = await claimOne(outbox)
      const [second] = await due(engine, ada)
      expect(await outbox.claim('telegram', limits)).toEqual([])
      const next = engine.clock.now + 3000
      await outbox.record(claim, claim.news, { kind: 'sent' }, next)
      expect(await engine.kept(first, ada)).toEqual({ state: 'sent', reason: null })
      expect(await outbox.claim('telegram', limits)).toEqual([])
      expect(await outbox.nextAt('telegram')).toBe(next)
      const [third] = await due(engine, ada)
      engine.clock.now = next
      expect((await claimOne(outbox)).news).toEqual([second, third])
    }))

  test('an outbox with nothing to do says so', () =>
    withEngine(open, async (engine, outbox) => {
      expect(await outbox.nextAt('telegram')).toBeUndefined()
      const ada = await engine.destination('ada')
      await due(engine, ada)
      const claim = await claimOne(outbox)
      expect(await outbox.nextAt('telegram')).toBeUndefined()
      await outbox.record(claim, claim.news, { kind: 'sent' }, 0)
      expect(await outbox.nextAt('telegram')).toBeUndefined()
      expect(await outbox.claim('telegram', limits)).toEqual([])
    }))

  test.each<DeliveryResult>([
    { kind: 'given-up', reason: 'too long' },
    { kind: 'dropped', reason: 'too late' },
    { kind: 'uncertain', reason: 'no answer' },
  ])('what is $kind is kept with its reason and never claimed again', (settlement) =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const [id = 0] = await due(engine, ada)
      const claim = await claimOne(outbox)
      await outbox.record(claim, claim.news, settlement, 0)
      const { kind: state, ...rest } = settlement
      expect(await engine.kept(id, ada)).toEqual({ state, ...rest })
      engine.clock.now += day
      expect(await outbox.claim('telegram', limits)).toEqual([])
    }),
  )

  test('what is put off waits until then, counts its tries, and goes with what came meanwhile', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const [first = 0] = await due(engine, ada)
      const claim = await claimOne(outbox)
      const runAt = engine.clock.now / 1000 + 20
      await outbox.record(claim, claim.news, { kind: 'later', runAt, reason: 'busy' }, 0)
      expect(await engine.kept(first, ada)).toEqual({ state: 'waiting', reason: 'busy' })
      expect(await outbox.claim('telegram', limits)).toEqual([])
      expect(await outbox.nextAt('telegram')).toBe(runAt * 1000)
      engine.clock.now = runAt * 1000 - engine.gathering * 1000
      const second = await engine.tell(ada)
      engine.clock.now = runAt * 1000
      expect((await outbox.claim('telegram', limits)).map(brief)).toEqual([
        { to: ada, news: [first, second], attempts: 2, uncertain: false },
      ])
    }))

  test('news that comes while an older one is put off does not wait for it', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      await due(engine, ada)
      const claim = await claimOne(outbox)
      const runAt = engine.clock.now / 1000 + 600
      await outbox.record(claim, claim.news, { kind: 'later', runAt, reason: 'busy' }, 0)
      const [second] = await due(engine, ada)
      expect((await claimOne(outbox)).news).toEqual([second])
    }))

  test('what may be there already is claimed again as it was, alone, and known as such', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const ids = await due(engine, ada, 2)
      const claim = await claimOne(outbox)
      const runAt = engine.clock.now / 1000
      const later = { kind: 'later', runAt, reason: 'no answer', uncertain: true } as const
      await outbox.record(claim, claim.news, later, 0)
      const [third] = await due(engine, ada)
      const again = await claimOne(outbox)
      expect(brief(again)).toEqual({ to: ada, news: ids, attempts: 2, uncertain: true })
      await outbox.record(again, again.news, { kind: 'uncertain', reason: 'no answer' }, 0)
      expect(brief(await claimOne(outbox))).toEqual({
        to: ada,
        news: [third],
        attempts: 1,
        uncertain: false,
      })
    }))

  test('it is remembered that something may be there, also when it is refused in between', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const ids = await due(engine, ada, 2)
      const runAt = engine.clock.now / 1000
      for (const uncertain of [true, false]) {
        const claim = await claimOne(outbox)
        await outbox.record(claim, claim.news, { kind: 'later', runAt, reason: '', uncertain }, 0)
        // Another message would be a second one, where the platform knows the first by what is in it.
        await due(engine, ada)
      }
      expect(await claimOne(outbox)).toMatchObject({ news: ids, attempts: 3, uncertain: true })
    }))

  test('what may be there already is the same message also after it was given back', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const ids = await due(engine, ada, 2)
      const runAt = engine.clock.now / 1000
      const claim = await claimOne(outbox)
      const later = { kind: 'later', runAt, reason: '', uncertain: true } as const
      await outbox.record(claim, claim.news, later, 0)
      await outbox.release([await claimOne(outbox)])
      await due(engine, ada)
      expect(await claimOne(outbox)).toMatchObject({ news: ids, attempts: 2, uncertain: true })
    }))

  test('what a lost process held is taken up as the same message when its lease has run out', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const ids = await due(engine, ada, 2)
      await claimOne(outbox)
      const [third] = await due(engine, ada)
      const other = engine.outbox()
      expect(await other.claim('telegram', limits)).toEqual([])
      engine.clock.now = (await other.nextAt('telegram')) ?? 0
      const again = await claimOne(other)
      expect(brief(again)).toEqual({ to: ada, news: ids, attempts: 2, uncertain: false })
      await other.record(again, again.news, { kind: 'sent' }, 0)
      expect((await claimOne(other)).news).toEqual([third])
    }))

  test('of a holder whose lease ran out nothing is believed but that it was sent', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const [id = 0] = await due(engine, ada)
      const late = await claimOne(outbox)
      engine.clock.now += 61_000
      const other = engine.outbox()
      const claim = await claimOne(other)
      const runAt = engine.clock.now / 1000
      await outbox.record(late, late.news, { kind: 'later', runAt, reason: 'busy' }, 0)
      await outbox.record(late, late.news, { kind: 'given-up', reason: 'no' }, 0)
      await outbox.release([late])
      expect(await engine.kept(id, ada)).toEqual({ state: 'waiting', reason: null })
      expect(await engine.outbox().claim('telegram', limits)).toEqual([])
      await outbox.record(late, late.news, { kind: 'sent' }, 0)
      await other.record(claim, claim.news, { kind: 'later', runAt, reason: 'busy' }, 0)
      await other.record(claim, claim.news, { kind: 'given-up', reason: 'no' }, 0)
      expect(await engine.kept(id, ada)).toEqual({ state: 'sent', reason: null })
      expect(await other.claim('telegram', limits)).toEqual([])
    }))

  test('a chat is held until it is said what became of all that was claimed', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const [first = 0, ...rest] = await due(engine, ada, 3)
      const claim = await claimOne(outbox)
      await outbox.record(claim, [first], { kind: 'dropped', reason: 'too late' }, 0)
      const [fourth] = await due(engine, ada)
      for (const each of [outbox, engine.outbox()]) {
        expect(await each.claim('telegram', limits)).toEqual([])
      }
      await outbox.record(claim, rest, { kind: 'sent' }, 0)
      expect((await claimOne(outbox)).news).toEqual([fourth])
    }))

  test('what is given back is as due as before, and counts as never tried', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const ids = await due(engine, ada, 2)
      await outbox.release([await claimOne(outbox)])
      await outbox.release([])
      const third = await due(engine, ada)
      const again = await claimOne(engine.outbox())
      expect(brief(again)).toEqual({
        to: ada,
        news: [...ids, ...third],
        attempts: 1,
        uncertain: false,
      })
    }))

  outboxLifeContract(open)
}
