import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { commands } from '../../../commands/index.ts'
import { parseLine } from '../../../src/core/command.ts'
import { menu } from './bot.ts'

test('the commands, in the order of /help', () => {
  expect(menu.map(({ name }) => name)).toEqual([
    'search',
    'asset',
    'assets',
    'top',
    'auction',
    'watchlist',
    'alerts',
    'launch',
    'launches',
    'metadata',
    'cancel',
    'settings',
    'start',
    'help',
  ])
})

describe.each(menu)('/$name', ({ name, about, options }) => {
  test('has a name and words that both platforms take', () => {
    expect(name).toMatch(/^[a-z0-9_]{1,32}$/u)
    expect(about.length).toBeLessThanOrEqual(100)
    for (const option of options) {
      expect(option.name).toMatch(/^[a-z_]{1,32}$/u)
      expect(option.about.length).toBeLessThanOrEqual(100)
      expect(option.about).not.toBe('')
    }
  })

  test('requires no parameter but the first, which may be typed without its name', () => {
    const needed = options.map(({ required }) => required)
    expect(needed.slice(1)).not.toContain(true)
  })

  test('parses each of its own examples', () => {
    for (const option of options) {
      const { named } = parseLine(`${name} ${option.name}:${option.example}`)
      expect(named.get(option.name)).toBe(option.example)
      if (option.choices) expect(option.choices.map(({ value }) => value)).toContain(option.example)
    }
  })
})

test('only one command answers inline queries, since Telegram asks with a term alone', () => {
  expect(commands.filter(({ inline }) => inline).map(({ name }) => name)).toEqual(['search'])
})

test('a start, which waits for the menus, makes no formats of numbers for them', async () => {
  // In a process of its own: here other tests have made some.
  const script = `
    const made = []
    for (const name of ['NumberFormat', 'PluralRules', 'ListFormat', 'DateTimeFormat']) {
      Intl[name] = new Proxy(Intl[name], {
        construct: (target, args) => { made.push(name); return Reflect.construct(target, args) },
      })
    }
    const [, ...files] = process.argv
    const [{ commands }, { locales, plainText }] = await Promise.all(files.map((file) => import(file)))
    for (const locale of locales) {
      for (const { about, params = {} } of commands) {
        plainText(about, locale)
        for (const param of Object.values(params)) plainText(param.about, locale)
      }
    }
    console.log(made.join())`
  const files = ['commands/index.ts', 'src/core/catalogue.ts'].map((path) => `./${path}`)
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--input-type=module', '-e', script],
    ...files,
  ])
  expect(stdout.trim()).toBe('')
})

test('limits are those of the API', () => {
  const limits = menu.flatMap(({ options }) => options).filter(({ name }) => name === 'limit')
  expect(new Set(limits.map(({ integer }) => `${integer?.min} to ${integer?.max}`))).toEqual(
    new Set(['1 to 50']),
  )
})
