/** Amount of work of the alerts benchmark. */
export interface AlertsPlan {
  /** Subscribed chats on each platform. */
  chats: number
  /** Interval of commands on each platform, in milliseconds. */
  commandEveryMs: number
  /** Seconds of commands to the idle bot, before and after the alerts. */
  idleSeconds: number
  /** Timeout of a run in seconds. */
  patienceSeconds: number
  /** Stored subscriptions to match events with. */
  subscriptions: number
  /** Events of each sort to match. */
  rounds: number
}

export const fullAlerts: AlertsPlan = {
  chats: 10_000,
  commandEveryMs: 400,
  idleSeconds: 100,
  patienceSeconds: 600,
  subscriptions: 1_000_000,
  rounds: 9,
}

/** A short run to try it out; its figures are not reliable. */
export const quickAlerts: AlertsPlan = {
  ...fullAlerts,
  chats: 500,
  idleSeconds: 12,
  patienceSeconds: 120,
  subscriptions: 100_000,
  rounds: 3,
}
