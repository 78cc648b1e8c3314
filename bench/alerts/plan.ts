/** How much is measured of alerts. */
export interface AlertsPlan {
  /** Chats on each platform that follow the one piece of news. */
  chats: number
  /** A command goes out on each platform so often, in milliseconds. */
  commandEveryMs: number
  /** Seconds of commands to the idle bot, before the news and again after it. */
  idleSeconds: number
  /** Seconds after which a run is given up. */
  patienceSeconds: number
  /** Stored subscriptions to match news with. */
  subscriptions: number
  /** Pieces of news of each sort that are matched. */
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

/** For trying out: too little to rely on. */
export const quickAlerts: AlertsPlan = {
  ...fullAlerts,
  chats: 500,
  idleSeconds: 12,
  patienceSeconds: 120,
  subscriptions: 100_000,
  rounds: 3,
}
