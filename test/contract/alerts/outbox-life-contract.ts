import { expect, test } from 'vitest'
import { claimOne, due, limits, type OutboxEngine, withEngine } from './outbox-engine.ts'
import { outboxMoveContract } from './outbox-move-contract.ts'

const day = 86_400_000

/** What every outbox must do over time: chats that are lost and move, clocks that jump, and what is too old. */
export function outboxLifeContract(open: () => Promise<OutboxEngine>): void {
  test('a lost chat gets nothing, what waited is dropped with the reason, until it is back', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const [first = 0] = await due(engine, ada)
      const claim = await claimOne(outbox)
      const [second = 0] = await due(engine, ada)
      await outbox.pause(ada, 'blocked')
      for (const id of [first, second]) {
        expect(await engine.kept(id, ada)).toEqual({ state: 'dropped', reason: 'blocked' })
      }
      await outbox.record(claim, claim.news, { kind: 'given-up', reason: '403' }, 0)
      expect(await engine.kept(first, ada)).toEqual({ state: 'given-up', reason: '403' })
      engine.clock.now += day
      expect(await outbox.claim('telegram', limits)).toEqual([])
      expect(await outbox.nextAt('telegram')).toBeUndefined()
      await engine.resume(ada)
      const third = await due(engine, ada)
      expect((await claimOne(outbox)).news).toEqual(third)
    }))

  test('a chat that is lost while it is sent to and back at once hears of what comes next at once', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      await due(engine, ada)
      const claim = await claimOne(outbox)
      await outbox.pause(ada, 'blocked')
      await engine.resume(ada)
      const next = await due(engine, ada)
      expect((await claimOne(engine.outbox())).news).toEqual(next)
      await outbox.record(claim, claim.news, { kind: 'sent' }, 0)
      expect(await engine.outbox().claim('telegram', limits)).toEqual([])
    }))

  test('what is put off for a chat that was muted meanwhile is not sent to it later', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      await due(engine, ada)
      const claim = await claimOne(outbox)
      const seconds = engine.clock.now / 1000
      await engine.mute(ada, seconds + 3600)
      const later = { kind: 'later', runAt: seconds, reason: 'busy' } as const
      await outbox.record(claim, claim.news, later, 0)
      expect(await outbox.claim('telegram', limits)).toEqual([])
      engine.clock.now += day
      expect(await outbox.claim('telegram', limits)).toEqual([])
      const fresh = await due(engine, ada)
      expect((await claimOne(outbox)).news).toEqual(fresh)
    }))

  outboxMoveContract(open)

  test('a clock that jumps ahead does not have a process take twice what it is at', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const [first = 0] = await due(engine, ada)
      const claim = await claimOne(outbox)
      engine.clock.now += 3_600_000
      expect(await outbox.claim('telegram', limits)).toEqual([])
      await outbox.record(claim, claim.news, { kind: 'sent' }, 0)
      expect((await engine.kept(first, ada)).state).toBe('sent')
    }))

  test('a clock that ran ahead and was put right keeps nobody waiting', () =>
    withEngine(open, async (engine, outbox) => {
      const hour = 3_600_000
      const right = engine.clock.now
      const [ada, bob, eve] = [
        await engine.destination('ada'),
        await engine.destination('bob'),
        await engine.destination('eve'),
      ]
      await engine.tell(ada)
      engine.clock.now = right + hour
      const claim = await claimOne(outbox)
      await outbox.record(claim, claim.news, { kind: 'sent' }, engine.clock.now + 3000)
      await due(engine, bob)
      await due(engine, eve)
      const [held] = await outbox.claim('telegram', { ...limits, most: 1 })
      expect(held?.destination.id).toBe(bob)
      engine.clock.now = right + 10_000
      // Who is being sent to is left alone for as long as that may take.
      expect(await claimOne(outbox)).toMatchObject({ destination: { id: eve } })
      const [fresh] = await due(engine, ada)
      expect(await claimOne(outbox)).toMatchObject({ destination: { id: ada }, news: [fresh] })
      const other = engine.outbox()
      expect(await other.claim('telegram', limits)).toEqual([])
      engine.clock.now += 61_000
      const chats = (await other.claim('telegram', limits)).map(({ destination }) => destination.id)
      expect(chats.toSorted((one, next) => one - next)).toEqual([ada, bob, eve])
    }))

  test('what a clock that ran ahead put off goes with what happens once that was put right', () =>
    withEngine(open, async (engine) => {
      const ada = await engine.destination('ada')
      const right = engine.clock.now
      engine.clock.now = right + 3_600_000
      const ids = await due(engine, ada)
      engine.clock.now = right
      const fresh = await due(engine, ada)
      expect((await claimOne(engine.outbox())).news).toEqual([...ids, ...fresh])
    }))

  test('a chat that was muted for an hour by a clock that ran ahead is muted for an hour', () =>
    withEngine(open, async (engine, outbox) => {
      const right = engine.clock.now
      const ada = await engine.destination('ada')
      engine.clock.now = right + 5 * 3_600_000
      await engine.mute(ada, engine.clock.now / 1000 + 3600)
      await outbox.claim('telegram', limits)
      engine.clock.now = right
      await outbox.claim('telegram', limits)
      engine.clock.now = right + 3_600_000
      const ids = await due(engine, ada)
      expect((await claimOne(outbox)).news).toEqual(ids)
    }))

  test('a chat that is muted by the right clock hears nothing of what a clock ahead let through', () =>
    withEngine(open, async (engine) => {
      const ada = await engine.destination('ada')
      const right = engine.clock.now
      await engine.mute(ada, right / 1000 + 3600)
      engine.clock.now = right + 7_200_000
      const ids = await due(engine, ada)
      engine.clock.now = right
      const outbox = engine.outbox()
      expect(await outbox.claim('telegram', limits)).toEqual([])
      expect(await outbox.nextAt('telegram')).toBeUndefined()
      engine.clock.now = right + 3_600_000
      expect((await claimOne(outbox)).news).toEqual(ids)
    }))

  test('what ended long ago is forgotten, what waits or is fresh is not', () =>
    withEngine(open, async (engine, outbox) => {
      const chats = await Promise.all(['ada', 'bob'].map((chat) => engine.destination(chat)))
      await engine.tell(...chats)
      engine.clock.now += 10_000
      for (const claim of await outbox.claim('telegram', limits)) {
        await outbox.record(claim, claim.news, { kind: 'sent' }, 0)
      }
      expect(await outbox.prune()).toBe(0)
      engine.clock.now += 32 * day
      const [ada = 0] = chats
      const [fresh = 0] = await due(engine, ada)
      expect(await outbox.prune()).toBe(3)
      expect(await engine.bodies()).toBe(1)
      expect((await engine.kept(fresh, ada)).state).toBe('waiting')
      expect(await outbox.prune()).toBe(0)
    }))
}
