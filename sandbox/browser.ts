import { setTimeout as delay } from 'node:timers/promises'
import bundled from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

// Chromium's own sandbox does not work for root, as which many containers run. Of the package's
// further arguments most belong to a cloud function, and one switches the web's security off.
const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-gpu']
const triesWhileUnpacking = 60

/**
 * A headless Chromium that comes from npm, for pictures of the console and for tests that use it.
 * `env` is added to its environment.
 */
export async function launchBrowser(env: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const executablePath = await bundled.executablePath()
  const { PATH = '', HOME = '' } = process.env
  for (let tries = 1; ; tries += 1) {
    try {
      return await chromium.launch({ args, executablePath, env: { PATH, HOME, ...env } })
    } catch (error) {
      // Another process, such as a test that runs beside this one, is still unpacking the program.
      const busy = error instanceof Error && error.message.includes('ETXTBSY')
      if (!busy || tries === triesWhileUnpacking) throw error
      await delay(1000)
    }
  }
}
