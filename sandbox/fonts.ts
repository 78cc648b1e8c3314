import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
