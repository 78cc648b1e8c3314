import { ConfigError, readConfig } from '../src/config.ts'

/** The least that the bot starts with. */
export const needed = {
  API_BASE_URL: 'https://api.example.org/v1',
  API_KEY: 'an-interface-key',
  TELEGRAM_TOKEN: '4242:telegram-token',
}

/** Every variable, in the order in which what is wrong with them is told. */
export const variables = [
  'API_BASE_URL',
  'API_KEY',
  'API_QUERY_NAMES',
  'API_STATUS',
  'API_UNITS',
  'TELEGRAM_TOKEN',
  'TELEGRAM_API_ROOT',
  'DISCORD_TOKEN',
  'DISCORD_API_ROOT',
  'TELEGRAM_UPDATES',
  'DISCORD_INTERACTIONS',
  'DISCORD_SHARDS',
  'DATABASE_URL',
  'PORT',
  'HOST',
  'COMMANDS_PER_PERSON',
  'COMMANDS_PER_CHAT',
  'WATCH_INTERVAL',
  'ALERTS_PER_CHAT',
  'CARDS',
  'PUBLIC_URL',
  'CHAINS',
  'TEMPLATES',
  'RPC_URLS',
  'LAUNCHERS',
  'MODULES',
  'INTEGRATOR',
  'SYMBOL_PATTERN',
  'SIGNING_URL_TEMPLATE',
  'IPFS_API_URL',
  'PINATA_JWT',
  'PINATA_API_ROOT',
  'IPFS_GATEWAY',
  'LOG_LEVEL',
]

/** What the bot says of these settings: nothing where it starts. */
export function problems(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
