import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../../../commands/index.ts'
import { findEntities } from '../../../sandbox/telegram/tdlib.ts'
import { locales } from '../../../src/core/catalogue.ts'

test.each(locales)('Telegram finds nothing to tap in our texts but commands: %s', (locale) => {
  const lines = readFileSync(`locales/${locale}.ftl`, 'utf8').split('\n')
  const texts = lines.filter((line) => !line.startsWith('#')).join('\n')
  const found = findEntities(texts).map(({ offset, length }) => texts.substr(offset, length))
  const known = commands.map(({ name }) => `/${name}`)
  expect(found.filter((each) => !known.includes(each))).toEqual([])
})
