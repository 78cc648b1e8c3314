/** Amount of work of the replicas benchmark. */
export interface ReplicasPlan {
  /** Commands sent at once, and the number of concurrent sequences. */
  batch: number
  inFlight: number
  warmUpBatches: number
  rounds: number
  batchesPerRound: number
  /** Commands one at a time: number of turns, and commands per turn. */
  turns: number
  singlesPerTurn: number
  /** Stored subscriptions, and events that match many of them. */
  subscriptions: number
  newsRounds: number
  /** Deliveries to claim and record. */
  deliveries: number
  /** Sends that ask a limiter in the database. */
  sends: number
}

/** Numbers of replicas to measure. */
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

/** A short run to try it out; its figures are not reliable. */
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
