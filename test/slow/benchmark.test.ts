import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepAnswer } from '../../bench/benchmark.ts'
import { answerFile, type Ground, withContenders } from '../../bench/contender.ts'
import { rivals } from '../../bench/entries.ts'
import { fullPlan, type Plan } from '../../bench/plan.ts'
import { StandIns } from '../../bench/stand-ins/client.ts'
import { platforms } from '../../bench/stand-ins/protocol.ts'
import { throughput } from '../../bench/studies/throughput.ts'

/** As little as goes through every part. */
const smallest: Plan = {
  ...fullPlan,
  batch: 5,
  inFlight: 2,
  warmUpBatches: 1,
  batchesPerRound: 2,
}

let ground: Ground

beforeAll(async () => {
  ground = {
    standIns: new StandIns(),
    folder: await mkdtemp(join(tmpdir(), 'gavel-bench-test-')),
  }
})

afterAll(async () => {
  await ground.standIns.stop()
  await rm(ground.folder, { recursive: true, force: true })
})

test.each(platforms)(
  'the rivals of %s answer with the very card of Gavel',
  {
    timeout: 60_000,
  },
  async (platform) => {
    expect(await keepAnswer(ground, platform)).toBeGreaterThan(500)
    const { bare, raw } = rivals[platform]
    const card = await readFile(answerFile(ground.folder, platform), 'utf8')
    await withContenders(ground, [bare, raw], async (contenders) => {
      const rows = await throughput(contenders, { plan: smallest, rounds: 2, bare: bare.name })
      // The warm-up, and in each round one command before the two batches.
      expect(rows.map(({ commands }) => commands)).toEqual([27, 27])
      for (const contender of contenders) {
        expect(await contender.lastAnswer()).toMatchObject(JSON.parse(card))
      }
    })
  },
)
