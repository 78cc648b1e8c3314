import type { ChatMemberUpdated } from 'grammy/types'
import { expect, test } from 'vitest'
import { isEntry } from '../../../src/telegram/membership.ts'

const me = { id: 1, is_bot: true, first_name: 'Gavel', username: 'gavel_bot' }
const member = { status: 'member' }
const restricted = (is_member: boolean) => ({
  status: 'restricted',
  is_member,
  can_send_messages: true,
})

test.each([
  ['who had left', { status: 'left' }, member, true],
  ['who was removed', { status: 'kicked' }, member, true],
  ['who was restricted and out', restricted(false), member, true],
  ['who was restricted and in', restricted(true), member, false],
  ['who was a member', member, restricted(true), false],
  [
    'who may not write there',
    { status: 'left' },
    { ...restricted(true), can_send_messages: false },
    false,
  ],
])('an entry is that of a bot %s: %j → %j', (_, before, after, isOne) => {
  const update = {
    chat: { id: -1, type: 'supergroup', title: 'Otters' },
    from: { id: 2, is_bot: false, first_name: 'Ada' },
    date: 1,
    old_chat_member: { user: me, ...before },
    new_chat_member: { user: me, ...after },
  }
  expect(isEntry(update as ChatMemberUpdated)).toBe(isOne)
})
