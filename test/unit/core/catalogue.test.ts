import { describe, expect, test } from 'vitest'
import {
  addedIn,
  localeFor,
  localise,
  localiseSpans,
  plainText,
  plainView,
} from '../../../src/core/catalogue.ts'
import { amount, changePercent, figureFormatter, inDollars } from '../../../src/core/number.ts'
import { t, type View } from '../../../src/core/view.ts'

const spans = (...parts: Parameters<typeof localiseSpans>[0]) => localiseSpans(parts, 'en')

describe('a message', () => {
  test('keeps the markup of its arguments, and strangers’ text apart from our words', () => {
    const needs = t('command-needs', {
      command: { code: '/find' },
      what: 'a stranger’s { $example }',
      example: [{ bold: 'Ada' }, ' or ben'],
    })
    expect(spans(needs)).toEqual([
      { code: '/find' },
      { own: ' needs: ' },
      'a stranger’s { $example }',
      { own: '. For example: ' },
      { bold: 'Ada' },
      ' or ben',
    ])
    expect(plainText(needs)).toBe('/find needs: a stranger’s { $example }. For example: Ada or ben')
  })

  test('can be an argument of another, in a bold part and in a link', () => {
    const wait = t('flood-person', { seconds: 5 })
    const words = plainText(wait)
    expect(words).toContain(' 5 s')
    expect(spans({ bold: wait })).toEqual([{ bold: words }])
    expect(spans({ link: wait, url: 'https://a.example/' })).toEqual([
      { link: words, url: 'https://a.example/' },
    ])
    expect(plainText(t('command-needs', { command: '/a', what: wait, example: '' }))).toContain(
      `/a needs: ${words}`,
    )
  })

  test('that is missing is shown by its key, so that an answer still comes', () => {
    expect(plainText(t('no-such-message'))).toBe('no-such-message')
  })
})

test('a figure and its unit stay on one line, and what strangers wrote may break', () => {
  const name = 'Moon\u00a0Otter\u202f2'
  expect(localiseSpans([inDollars(amount('2780000')), name, { bold: name }], 'es')).toEqual([
    { own: '$2,78\u00a0M' },
    'Moon Otter 2',
    { bold: 'Moon Otter 2' },
  ])
  expect(plainText([name, ' ', inDollars(amount('2780000'))], 'ru')).toBe(
    'Moon Otter 2 $2,78\u00a0млн',
  )
})

test('figures and lists are written as the language writes them', () => {
  expect(plainText([inDollars(amount('0.001')), ' ', changePercent('-0.031')])).toBe(
    '<$0.01 ▼ 3.1%',
  )
  expect(plainText({ list: ['a', { code: 'b' }, 'c'], as: 'and' })).toBe('a, b and c')
  expect(plainText({ list: ['a', 'b'], as: 'or' })).toBe('a or b')
  const days = (['en', 'es', 'ru', 'tr', 'zh-CN'] as const).map((locale) =>
    plainText({ day: '2026-11-01' }, locale),
  )
  expect(days).toEqual([
    '1 November 2026',
    '1 de noviembre de 2026',
    '1 ноября 2026 г.',
    '1 Kasım 2026',
    '2026年11月1日',
  ])
  expect(plainText({ day: 'none' })).toBe('none')
  const spanish = figureFormatter('es')
  expect(spanish(amount('1234.5'))).toBe('1,23\u00a0mil')
  expect(spanish({ number: '0.00000123', as: 'price' })).toBe('0,0₅123')
  expect(spanish({ number: '1234567.50', as: 'exact' })).toBe('1.234.567,5')
  // A space before the sign would let lines break there.
  const fallen = changePercent('-0.154')
  expect(['es', 'ru', 'tr'].map((locale) => figureFormatter(locale)(fallen))).toEqual([
    '▼ 15,4%',
    '▼ 15,4%',
    '▼ %15,4',
  ])
  // Not B, as Turkish abbreviates thousands: that is a billion to whoever reads prices.
  expect(figureFormatter('tr')(amount('12345.6'))).toBe('12,3K')
})

describe('a view', () => {
  const view: View = {
    title: [amount('5'), ' ETH'],
    blocks: [
      { kind: 'text', spans: ['plain ', t('private-invitation')] },
      { kind: 'fields', fields: [[t('private-invitation'), [amount('1000')]]] },
      { kind: 'progress', ratio: 0.5, label: t('private-invitation') },
      {
        kind: 'list',
        first: 1,
        items: [{ spans: [amount('2')], open: { label: amount('3'), line: 'asset 0x1' } }],
      },
    ],
    buttons: [[{ label: t('private-invitation'), line: 'help' }]],
    form: { label: t('private-invitation'), line: 'launch' },
    picker: { channel: amount('1'), group: amount('2'), line: 'alerts' },
  }

  test('is localised in each of its parts', () => {
    const only = 'Let’s continue in our private chat, so only you see it.'
    expect(localise(view, 'en')).toEqual({
      added: addedIn('en'),
      title: [{ own: '5' }, ' ETH'],
      blocks: [
        { kind: 'text', spans: ['plain ', { own: only }] },
        { kind: 'fields', fields: [[`${only}:`, [{ own: '1K' }]]] },
        { kind: 'progress', ratio: 0.5, label: only },
        {
          kind: 'list',
          first: 1,
          items: [{ spans: [{ own: '2' }], open: { label: '3', line: 'asset 0x1' } }],
        },
      ],
      buttons: [[{ label: only, line: 'help' }]],
      form: { label: only, line: 'launch' },
      picker: { channel: '1', group: '2', line: 'alerts' },
    })
    expect(plainView(view)).toBe(`5 ETH\nplain ${only}`)
  })
})

test('a language tag of a platform gives the language of the catalogue, or English', () => {
  expect(['en', 'en-GB', 'EN', undefined, '', 'xx', 'tlh-Latn'].map(localeFor)).toEqual(
    Array(7).fill('en'),
  )
})
