import { expect, test } from 'vitest'
import { readInteraction, readWritten } from '../../../src/discord/incoming.ts'

const common = {
  id: '1300000000000000009',
  token: 'a-token',
  application_id: '1300000000000000001',
  channel_id: '12',
  guild_id: '11',
  member: { user: { id: '7' } },
}
const act = {
  id: '1300000000000000009',
  token: 'a-token',
  applicationId: '1300000000000000001',
  user: '7',
  chat: '12',
  isPrivate: false,
  locale: 'en',
}

test('a command is read with its options, and unknown fields are ignored', () => {
  const data = {
    type: 1,
    id: '5',
    name: 'asset',
    options: [{ name: 'asset', type: 3, value: 'x' }],
  }
  expect(readInteraction({ ...common, type: 2, data, locale: 'de' })).toEqual({
    ...act,
    kind: 'command',
    name: 'asset',
    options: [{ name: 'asset', value: 'x' }],
  })
})

test('without a channel the person’s id is the chat', () => {
  const data = { name: 'help' }
  const alone = { ...common, channel_id: null, guild_id: undefined, member: undefined }
  expect(readInteraction({ ...alone, user: { id: '7' }, type: 2, data })).toMatchObject({
    user: '7',
    chat: '7',
    isPrivate: true,
    locale: 'en',
  })
})

test('a form is read whether its fields have labels or are in rows', () => {
  const data = {
    custom_id: '?x',
    components: [
      { type: 18, component: { type: 4, custom_id: 'a', value: 'one' } },
      { type: 1, components: [{ type: 4, custom_id: 'b', value: 'two' }] },
      { type: 18, component: { type: 19, custom_id: 'c', values: ['1', 'gone'] } },
      { type: 10, content: 'words' },
    ],
    resolved: { attachments: { 1: { filename: 'a.png', size: 3, url: 'https://x.example' } } },
  }
  expect(readInteraction({ ...common, type: 5, data })).toEqual({
    ...act,
    kind: 'form',
    form: '?x',
    fields: 3,
    texts: [
      ['a', 'one'],
      ['b', 'two'],
    ],
    files: [{ name: 'a.png', size: 3, url: 'https://x.example' }],
    message: undefined,
  })
})

test.each([
  ['of a kind that is not known', { ...common, type: 9, data: {} }],
  ['that is a command on a message', { ...common, type: 2, data: { type: 3, name: 'asset' } }],
  ['of nobody', { ...common, type: 2, data: { name: 'x' }, member: undefined }],
  ['without an id', { ...common, id: undefined, type: 2, data: { name: 'x' } }],
  ['with an id that is none', { ...common, id: 'x', type: 2, data: { name: 'x' } }],
  ['that types into nothing', { ...common, type: 4, data: { name: 'x', options: [] } }],
  [
    'that presses what is nowhere',
    { ...common, type: 3, data: { custom_id: 'x', component_type: 2 } },
  ],
  ['that is none', 'x'],
])('an interaction %s is ignored', (_, payload) => {
  expect(readInteraction(payload)).toBeUndefined()
})

test('a message without its author is ignored', () => {
  expect(readWritten({ id: '1', channel_id: '2', content: 'gm' })).toBeUndefined()
})
