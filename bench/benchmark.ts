import { writeFile } from 'node:fs/promises'
import { answerFile, type Contender, type Ground, withContenders } from './contender.ts'
import { gavel, gavelSlowUpstream, gavelSmallYoungGeneration, late, rivals } from './entries.ts'
import type { Plan } from './plan.ts'
import type { PlatformName } from './stand-ins/protocol.ts'
import { coldLatency, type Expiry, expiry, type Latency, latency } from './studies/latency.ts'
import { type Start, starts } from './studies/start.ts'
import { type Throughput, throughput } from './studies/throughput.ts'
import { warmAsset } from './warm-asset.ts'

/** All results on one platform. */
export interface PlatformResult {
  platform: PlatformName
  /** Bytes of the message that every bot answers with. */
  answerBytes: number
  starts: Start[]
  /** Throughput if the platform answers at once. */
  prompt: Throughput[]
  /** Throughput if the platform takes 40 ms for each answer. */
  late: Throughput[]
  warm: Latency[]
  cold: Latency
  expiry: Expiry
}

/** Stores one of Gavel's cards as the message for the baselines to answer with; returns its size in bytes. */
export async function keepAnswer(ground: Ground, platform: PlatformName): Promise<number> {
  return withContenders(ground, [gavel(platform)], async (contenders) => {
    const [only] = contenders
    if (!only) throw new Error('nothing was started')
    await only.send({ address: warmAsset, batch: 1, batches: 1, inFlight: 1 })
    const answer = JSON.stringify(await only.lastAnswer())
    await writeFile(answerFile(ground.folder, platform), answer)
    return Buffer.byteLength(answer)
  })
}

/** Measures one platform, and reports each step. */
export async function measure(
  ground: Ground,
  platform: PlatformName,
  plan: Plan,
  say: (step: string) => void,
): Promise<PlatformResult> {
  const answerBytes = await keepAnswer(ground, platform)
  const { bare, raw } = rivals[platform]
  const three = [gavel(platform), bare, raw]
  say(`${platform}: start to ready`)
  const started = await starts(ground, three, plan)
  say(`${platform}: commands a second, the platform answering late`)
  const lateThroughput = await withContenders(ground, three.map(late), (contenders) =>
    throughput(contenders, { plan, rounds: plan.lateRounds, bare: bare.name }),
  )
  const slow = gavelSlowUpstream(platform)
  const small = gavelSmallYoungGeneration(platform)
  const rest = await withContenders(ground, [...three, slow, small], async (contenders) => {
    say(`${platform}: commands a second`)
    const prompt = await throughput(contenders, { plan, rounds: plan.rounds, bare: bare.name })
    say(`${platform}: latency`)
    const warm = await latency(named(contenders, three), plan)
    const [behindSlow] = named(contenders, [slow])
    if (!behindSlow) throw new Error('nothing was started')
    const cold = await coldLatency(behindSlow, plan)
    return { prompt, warm, cold, expiry: await expiry(behindSlow, plan) }
  })
  return { platform, answerBytes, starts: started, late: lateThroughput, ...rest }
}

function named(
  contenders: readonly Contender[],
  entries: readonly { name: string }[],
): Contender[] {
  return contenders.filter(({ name }) => entries.some((entry) => entry.name === name))
}
