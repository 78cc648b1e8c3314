import type { Entry } from './contender.ts'
import type { PlatformName } from './stand-ins/protocol.ts'

/** Milliseconds that a slow platform, or a slow interface, takes. */
export const lateMs = 40
export const slowMs = 200

const smallYoungGeneration = '--max-semi-space-size=2'

interface Baselines {
  bare: Entry
  raw: Entry
}

/** The baselines. All answer with the same message as Gavel. */
export const rivals: Record<PlatformName, Baselines> = {
  telegram: {
    bare: {
      name: 'bare grammY runner',
      platform: 'telegram',
      program: 'bench/bots/bare-grammy.ts',
    },
    raw: { name: 'raw undici loop', platform: 'telegram', program: 'bench/bots/raw-telegram.ts' },
  },
  discord: {
    bare: { name: 'bare discord.js', platform: 'discord', program: 'bench/bots/bare-discord.ts' },
    raw: { name: 'raw ws and undici', platform: 'discord', program: 'bench/bots/raw-discord.ts' },
  },
}

export function gavel(platform: PlatformName): Entry {
  return { name: 'Gavel', platform }
}

/** Gavel with a slow interface. */
export function gavelSlowUpstream(platform: PlatformName): Entry {
  return { name: `Gavel, interface takes ${slowMs} ms`, platform, upstreamMs: slowMs }
}

export function gavelSmallYoungGeneration(platform: PlatformName): Entry {
  return { name: `Gavel, ${smallYoungGeneration}`, platform, nodeOptions: smallYoungGeneration }
}

/** The same entry with a slow platform. */
export function late(entry: Entry): Entry {
  return { ...entry, answerDelayMs: lateMs }
}
