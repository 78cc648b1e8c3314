import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/**
 * Writes a font configuration into a folder that puts Open Sans, which comes with the npm package
 * of Chromium, before this machine's fonts, so that pictures look alike everywhere. Returns what to
 * add to the browser's environment.
 */
export async function pictureFonts(folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'fonts.conf')
  const aliases = ['system-ui', 'sans-serif'].map(
    (family) =>
      `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit></match>`,
  )
  await mkdir(folder, { recursive: true })
  await writeFile(
    file,
    [
      '<?xml version="1.0"?>',
      '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
      '<fontconfig>',
      '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
      `<dir>${join(tmpdir(), 'fonts')}</dir>`,
      `<cachedir>${join(folder, 'cache')}</cachedir>`,
      ...aliases,
      '</fontconfig>',
    ].join('\n'),
  )
  return { FONTCONFIG_FILE: file }
}
