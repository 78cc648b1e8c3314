/** The platforms by the names that the database, the log and the metrics have for them. */
export type PlatformName = 'telegram' | 'discord'
