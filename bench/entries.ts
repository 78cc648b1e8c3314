import type { Entry } from './contender.ts'
import type { PlatformName } from './stand-ins/protocol.ts'

/** Milliseconds that the platform, or the interface, takes where it is not answering at once. */
export const lateMs = 40
export const slowMs = 200

const smallYoungGeneration = '--max-semi-space-size=2'

interface Rivals {
  bare: Entry
  raw: Entry
}

/** What Gavel is measured beside. All of them answer with the one message that Gavel answers with. */
export const rivals: Record<PlatformName, Rivals> = {
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

/** Gavel with a slow interface behind it. */
export function gavelSlowUpstream(platform: PlatformName): Entry {
  return { name: `Gavel, interface takes ${slowMs} ms`, platform, upstreamMs: slowMs }
}

export function gavelSmallYoungGeneration(platform: PlatformName): Entry {
  return { name: `Gavel, ${smallYoungGeneration}`, platform, nodeOptions: smallYoungGeneration }
}

/** The same entry where the platform answers late. */
export function late(entry: Entry): Entry {
  return { ...entry, answerDelayMs: lateMs }
}
