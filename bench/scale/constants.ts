/** Source of a figure: a platform's documentation, a measurement, this code, or a guess from experience. */
export type Basis = 'documented' | 'measured' | 'code' | 'guess'

export interface Constant {
  value: number
  unit: string
  about: string
  basis: Basis
  source: string
}

/** All of the model's assumptions about the outside world. */
export const constants = {
  telegramPermits: {
    value: 30,
    unit: 'messages/s',
    about: 'what Telegram lets a bot send in all',
    basis: 'documented',
    source: 'core.telegram.org/bots/faq',
  },
  telegramPaid: {
    value: 1000,
    unit: 'messages/s',
    about: 'with `allow_paid_broadcast`, not built',
    basis: 'documented',
    source: 'core.telegram.org/bots/api, sendMessage',
  },
  starsEach: {
    value: 0.1,
    unit: 'Stars',
    about: 'what such a message costs',
    basis: 'documented',
    source: 'core.telegram.org/bots/api, sendMessage',
  },
  telegramPace: {
    value: 29.7,
    unit: 'messages/s',
    about: 'what Gavel sends on Telegram, answers included',
    basis: 'code',
    source: 'src/telegram/pacing.ts',
  },
  discordPermits: {
    value: 50,
    unit: 'requests/s',
    about: 'what Discord lets a bot ask in all, answers to interactions aside',
    basis: 'documented',
    source: 'docs.discord.com/developers/topics/rate-limits',
  },
  discordSecond: {
    value: 1.002,
    unit: 's',
    about: 'what Gavel takes for a second of Discord’s',
    basis: 'code',
    source: 'src/discord/transport.ts',
  },
  guildsAShard: {
    value: 2500,
    unit: 'servers',
    about: 'most servers of one gateway connection',
    basis: 'documented',
    source: 'docs.discord.com/developers/events/gateway',
  },
  shardStart: {
    value: 5,
    unit: 's',
    about: 'from the start of one shard to the next',
    basis: 'documented',
    source: 'docs.discord.com/developers/events/gateway (`max_concurrency` 1)',
  },
  page: {
    value: 50,
    unit: 'assets',
    about: 'most assets on a page of the interface',
    basis: 'documented',
    source: 'the interface’s own document, section 8',
  },
  interfaceAnswer: {
    value: 0.2,
    unit: 's',
    about: 'until the interface has answered one request',
    basis: 'guess',
    source: 'as the slow interface of docs/performance.md',
  },
  pageWork: {
    value: 0.0003,
    unit: 's',
    about: 'processor time to read one page',
    basis: 'measured',
    source: 'JSON 185 µs and zod 116 µs a page, when the parts were chosen',
  },
  watchInterval: {
    value: 15,
    unit: 's',
    about: '`WATCH_INTERVAL`, from the end of a look to the next',
    basis: 'code',
    source: 'docs/operating.md',
  },
  maxOpen: {
    value: 20_000,
    unit: 'assets',
    about: 'open auctions of a chain that are watched at most',
    basis: 'code',
    source: 'src/alerts/poll.ts, recording.ts',
  },
  gathering: {
    value: 2,
    unit: 's',
    about: 'that an alert waits for others to the same chat',
    basis: 'code',
    source: 'src/alerts/outbox.ts',
  },
  together: {
    value: 10,
    unit: 'alerts',
    about: 'most alerts in one message',
    basis: 'code',
    source: 'src/alerts/notifier.ts',
  },
  editsASecond: {
    value: 5,
    unit: 'edits/s',
    about: 'most edits of live messages on a platform, while nothing is to be told',
    basis: 'code',
    source: 'src/alerts/live-messages.ts',
  },
  matched: {
    value: 240_000,
    unit: 'alerts/s',
    about: 'matched and stored, on SQLite',
    basis: 'measured',
    source: 'docs/performance.md, Alerts',
  },
  matchedPostgres: {
    value: 41_000,
    unit: 'alerts/s',
    about: 'matched and stored, on PostgreSQL',
    basis: 'measured',
    source: 'docs/performance.md, Replicas',
  },
  kept: {
    value: 30,
    unit: 'days',
    about: 'for which it is remembered what was told to whom',
    basis: 'code',
    source: 'src/alerts/outbox.ts',
  },
  deliveryBytes: {
    value: 34,
    unit: 'bytes',
    about: 'an alert for a chat, once it was sent',
    basis: 'measured',
    source: 'below',
  },
  followBytes: {
    value: 23,
    unit: 'bytes',
    about: 'a chat’s wish to hear of something',
    basis: 'measured',
    source: 'below',
  },
  destinationBytes: {
    value: 73,
    unit: 'bytes',
    about: 'a chat',
    basis: 'measured',
    source: 'below',
  },
  outboxRate: {
    value: 850,
    unit: 'messages/s',
    about: 'claimed and settled by one process on SQLite, the sending left out',
    basis: 'measured',
    source: 'below',
  },
  outboxRatePostgres: {
    value: 350,
    unit: 'messages/s',
    about: 'claimed and settled by one teller on PostgreSQL, the sending left out',
    basis: 'measured',
    source: 'docs/performance.md, Replicas',
  },
  postgresBytes: {
    value: 4,
    unit: '×',
    about: 'what PostgreSQL takes for the rows that SQLite has in one byte, dead rows aside',
    basis: 'measured',
    source:
      '133 bytes an alert, 106 a wish, 181 a chat, by pg_total_relation_size of tables just filled',
  },
  assetBytes: {
    value: 2000,
    unit: 'bytes',
    about: 'an asset as the interface gives it; what is kept of it is less',
    basis: 'measured',
    source: 'a page of 50 has 100 kB',
  },
  historyBytes: {
    value: 6000,
    unit: 'bytes',
    about: 'the course of an asset: at most 96 points of some 60 bytes',
    basis: 'code',
    source: 'src/alerts/watcher.ts',
  },
  inMemory: {
    value: 3,
    unit: '×',
    about: 'what JSON takes as objects',
    basis: 'guess',
    source: 'experience with V8',
  },
  cardSeconds: {
    value: 0.033,
    unit: 's',
    about: 'processor time to draw one picture',
    basis: 'measured',
    source: 'satori and sharp as JPEG, when the parts were chosen',
  },
  cardBytes: {
    value: 62_000,
    unit: 'bytes',
    about: 'a picture: Telegram takes it once, Discord with every message',
    basis: 'measured',
    source: 'a card with a course, drawn by src/cards/draw.ts',
  },
} as const satisfies Record<string, Constant>
