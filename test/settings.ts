import { ConfigError, readConfig } from '../src/config.ts'
import { checkTemplates } from '../src/launch/settings.ts'

/** The least that the bot starts with. */
export const needed = {
  API_BASE_URL: 'https://api.example.org/v1',
  API_KEY: 'an-api-key',
  TELEGRAM_TOKEN: '4242:telegram-token',
}

/** The settings of commands, all by default. */
export const { commands: commandSettings } = await readConfig(needed)

/** What the bot says of these settings: nothing where it starts. */
export async function problems(
  env: Record<string, string | undefined>,
): Promise<readonly string[]> {
  try {
    const { launch } = await readConfig(env)
    checkTemplates(launch.templates)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

/** For administrators of a bot that has no jobs. */
export const noJobs = async () => ({
  stuck: async () => [],
  retry: async () => 0,
  drop: async () => 0,
})
