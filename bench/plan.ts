/** Amount of work. */
export interface Plan {
  /** Commands sent at once. */
  batch: number
  /** Number of concurrent sequences of batches. */
  inFlight: number
  warmUpBatches: number
  rounds: number
  batchesPerRound: number
  /** Rounds with a slow platform, which take longer. */
  lateRounds: number
  /** Commands one at a time: number of turns, and commands per turn. */
  turns: number
  singlesPerTurn: number
  /** Commands for assets that are not cached. */
  cold: number
  /** Number of batches sent when the cache has just expired. */
  expiries: number
  starts: number
}

/** 10,000 commands for each bot: the warm-up's and the rounds'. */
export const fullPlan: Plan = {
  batch: 100,
  inFlight: 4,
  warmUpBatches: 20,
  rounds: 10,
  batchesPerRound: 8,
  lateRounds: 6,
  turns: 10,
  singlesPerTurn: 100,
  cold: 40,
  expiries: 2,
  starts: 5,
}

/** A short run to try it out; its figures are not reliable. */
export const quickPlan: Plan = {
  ...fullPlan,
  warmUpBatches: 8,
  rounds: 3,
  batchesPerRound: 4,
  lateRounds: 2,
  turns: 2,
  singlesPerTurn: 50,
  cold: 8,
  expiries: 1,
  starts: 1,
}
