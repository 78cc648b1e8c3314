import { ConfigError, readConfig } from '../src/config.ts'

/** The least that the bot starts with. */
export const needed = {
  API_BASE_URL: 'https://api.example.org/v1',
  API_KEY: 'an-api-key',
  TELEGRAM_TOKEN: '4242:telegram-token',
}

/** The settings of commands, all by default. */
export const commandSettings = readConfig(needed).commands

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
