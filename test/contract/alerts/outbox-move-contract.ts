import { expect, test } from 'vitest'
import type { DeliveryResult } from '../../../src/alerts/outbox.ts'
import { claimOne, due, limits, type OutboxEngine, withEngine } from './outbox-engine.ts'

/** What every outbox must do with a chat that goes on under another id. */
export function outboxMoveContract(open: () => Promise<OutboxEngine>): void {
  test('a chat that goes on under another id takes what waits along', () =>
    withEngine(open, async (engine, outbox) => {
      const ada = await engine.destination('ada')
      const ids = await due(engine, ada, 2)
      const claim = await claimOne(outbox)
      await outbox.move(ada, '-100ada')
      await outbox.record(claim, claim.news, { kind: 'later', runAt: 0, reason: 'moved' }, 0)
      expect(await claimOne(outbox)).toMatchObject({
        destination: { id: ada, chat: '-100ada' },
        news: ids,
      })
    }))

  test.each<DeliveryResult>([{ kind: 'sent' }, { kind: 'uncertain', reason: 'no answer' }])(
    'where the other id is known already, both become one, and what was $kind goes there no more',
    (outcome) =>
      withEngine(open, async (engine, outbox) => {
        const old = await engine.destination('ada')
        const there = await engine.destination('-100ada')
        const sent = await engine.tell(old, there)
        engine.clock.now += 10_000
        const claims = await outbox.claim('telegram', limits)
        for (const claim of claims) {
          const isOld = claim.destination.id === old
          const later = { kind: 'later', runAt: 0, reason: 'busy' } as const
          await outbox.record(claim, claim.news, isOld ? outcome : later, 0)
        }
        const both = await engine.tell(old, there)
        const first = await engine.tell(old)
        engine.clock.now += 10_000
        const held = await outbox.claim('telegram', { ...limits, most: 2 })
        await outbox.release(held.filter(({ destination }) => destination.id === there))
        await outbox.move(old, '-100ada')
        const [own] = held.filter(({ destination }) => destination.id === old)
        if (own === undefined) throw new Error('the old chat had nothing')
        await outbox.record(own, own.news, { kind: 'later', runAt: 0, reason: 'moved' }, 0)
        const claim = await claimOne(outbox)
        expect(claim.destination.id).toBe(there)
        expect(claim.news).toEqual([both, first])
        expect((await engine.kept(sent, there)).state).toBe('dropped')
        await outbox.record(claim, claim.news, { kind: 'sent' }, 0)
        expect(await outbox.claim('telegram', limits)).toEqual([])
      }),
  )

  test.each([
    ['lost', 'blocked'],
    ['muted', 'muted'],
  ])('what waits for a chat whose other id is %s is dropped', (state, reason) =>
    withEngine(open, async (engine, outbox) => {
      const old = await engine.destination('ada')
      const there = await engine.destination('-100ada')
      const [id = 0] = await due(engine, old)
      if (state === 'lost') await outbox.pause(there, 'blocked')
      else await engine.mute(there, engine.clock.now / 1000 + 3600)
      await outbox.move(old, '-100ada')
      expect(await engine.kept(id, there)).toEqual({ state: 'dropped', reason })
      engine.clock.now += 86_400_000
      expect(await outbox.claim('telegram', limits)).toEqual([])
    }),
  )

  test('a muted chat stays muted under an id that is known already', () =>
    withEngine(open, async (engine, outbox) => {
      const old = await engine.destination('ada')
      const there = await engine.destination('-100ada')
      const [id = 0] = await due(engine, old)
      const claim = await claimOne(outbox)
      await engine.mute(old, engine.clock.now / 1000 + 3600)
      await outbox.move(old, '-100ada')
      await outbox.record(claim, claim.news, { kind: 'sent' }, 0)
      engine.clock.now += 60_000
      expect(await engine.kept(id, old)).toMatchObject({ state: 'sent' })
      await expect(engine.tell(there)).rejects.toThrow()
      expect(await outbox.claim('telegram', limits)).toEqual([])
    }))

  test('what moves waits as long as all else that goes there', () =>
    withEngine(open, async (engine, outbox) => {
      const old = await engine.destination('ada')
      const there = await engine.destination('-100ada')
      await due(engine, there)
      const claim = await claimOne(outbox)
      const next = engine.clock.now + 30_000
      await outbox.record(claim, claim.news, { kind: 'sent' }, next)
      await due(engine, old)
      await outbox.move(old, '-100ada')
      expect(await outbox.nextAt('telegram')).toBe(next)
    }))

  test('what the old chat followed is followed under the other id', () =>
    withEngine(open, async (engine, outbox) => {
      const old = await engine.destination('ada')
      const there = await engine.destination('-100ada')
      await engine.tell(old)
      const before = await engine.follows(there)
      await outbox.move(old, '-100ada')
      expect(await engine.follows(there)).toBe(before + 1)
    }))

  test('a topic of that id, or the same id elsewhere, is another chat', () =>
    withEngine(open, async (engine, outbox) => {
      const old = await engine.destination('ada')
      await engine.destination('-100ada', { thread: '2' })
      await engine.destination('-100ada', { platform: 'discord' })
      const ids = await due(engine, old)
      await outbox.move(old, '-100ada')
      expect(await claimOne(outbox)).toMatchObject({
        destination: { id: old, chat: '-100ada', thread: '' },
        news: ids,
      })
    }))
}
