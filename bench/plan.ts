/** How much is measured. */
export interface Plan {
  /** Commands sent at once. */
  batch: number
  /** Rows of batches side by side. */
  inFlight: number
  warmUpBatches: number
  rounds: number
  batchesPerRound: number
  /** Rounds where the platform answers late: each takes longer there. */
  lateRounds: number
  /** Commands one at a time, in so many turns of so many. */
  turns: number
  singlesPerTurn: number
  /** Commands for assets that were not read before. */
  cold: number
  /** How often a batch meets a cache that has run out. */
  expiries: number
  starts: number
}

/** 10,000 commands for each contender: the warm-up's and the rounds'. */
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

/** For trying out: too little to rely on. */
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
