/** How much is measured of replicas. */
export interface ReplicasPlan {
  /** Commands sent at once, in so many rows side by side. */
  batch: number
  inFlight: number
  warmUpBatches: number
  rounds: number
  batchesPerRound: number
  /** Commands one at a time, in so many turns of so many. */
  turns: number
  singlesPerTurn: number
  /** Stored subscriptions to match news with, and pieces of news that many of them want. */
  subscriptions: number
  newsRounds: number
  /** Deliveries claimed and settled. */
  deliveries: number
  /** Sends for each of which a limiter in the database is asked. */
  sends: number
}

/** How many replicas there are of the bot. */
export const replicaCounts = [1, 2, 4] as const

export const fullReplicas: ReplicasPlan = {
  batch: 100,
  inFlight: 4,
  warmUpBatches: 20,
  rounds: 10,
  batchesPerRound: 8,
  turns: 5,
  singlesPerTurn: 100,
  subscriptions: 1_000_000,
  newsRounds: 5,
  deliveries: 10_000,
  sends: 4_000,
}

/** For trying out: too little to rely on. */
export const quickReplicas: ReplicasPlan = {
  ...fullReplicas,
  warmUpBatches: 8,
  rounds: 3,
  batchesPerRound: 4,
  turns: 2,
  singlesPerTurn: 50,
  subscriptions: 100_000,
  newsRounds: 3,
  deliveries: 1_000,
  sends: 400,
}
