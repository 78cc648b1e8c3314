import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../../../commands/index.ts'
import { findEntities } from '../../../sandbox/telegram/tdlib.ts'
import { locales } from '../../../src/core/catalogue.ts'

test.each(locales)('Telegram finds nothing to tap in our texts but commands: %s', (locale) => {
  const lines = readFileSync(`locales/${locale}.ftl`, 'utf8').split('\n')
  // Discord's own name of a permission has an @ in it; Telegram never shows these.
  const shown = lines.filter((line) => !/^(?:#|discord-)/u.test(line))
  const texts = shown.join('\n')
  const found = findEntities(texts).map(({ offset, length }) => texts.substr(offset, length))
  const known = commands.map(({ name }) => `/${name}`)
  expect(found.filter((each) => !known.includes(each))).toEqual([])
})
