const discordEpoch = 1_420_070_400_000

/** Makes ids as Discord does: milliseconds since 2015 above 22 bits, of which the lowest count up. */
export class Snowflakes {
  readonly #now: () => number
  #count = 0

  constructor(now: () => number) {
    this.#now = now
  }

  next(): string {
    this.#count = (this.#count + 1) % 0x3fffff
    return String((BigInt(Math.floor(this.#now()) - discordEpoch) << 22n) | BigInt(this.#count))
  }
}

/** The shard that gets the events of a guild: `(guild_id >> 22) % count`; private chats go to shard 0. */
export function shardOf(guildId: string | undefined, count: number): number {
  return guildId === undefined ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count))
}
