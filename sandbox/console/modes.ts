import type { Fault, Faults } from '../interface/faults.ts'

/** How the page's "Interface" menu lets the v1 interface behave; without a fault it behaves well. */
const modes = {
  normal: undefined,
  slow: { kind: 'slow', delayMs: 1500 },
  down: { kind: 'status', status: 500 },
  'rate-limited': { kind: '429', retryAfter: 5 },
  html: { kind: 'html' },
  'broken-json': { kind: 'broken-json' },
} as const satisfies Record<string, Fault | undefined>

export type Mode = keyof typeof modes

export function isMode(name: string): name is Mode {
  return Object.hasOwn(modes, name)
}

/** Puts the mode's fault in force in place of whatever was. */
export function setMode(faults: Faults, mode: Mode): void {
  faults.clear()
  const fault = modes[mode]
  if (fault) faults.set(fault)
}
