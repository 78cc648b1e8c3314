import type { InlineKeyboardButton, User } from 'grammy/types'
import type { Api } from '../api.ts'
import { callbackPatience } from '../callbacks.ts'
import type { PressResult } from '../shown.ts'
import type { Place, Stored } from '../world.ts'
import { PeopleError } from './error.ts'

/** Which button: where it stands, what it says, or the data that a hostile app would send. */
export type PressTarget = { row: number; column: number } | { label: string } | { data: string }

export interface Press {
  place: Place
  stored: Stored
  target: PressTarget
  timeoutMs: number | undefined
}

export function press(api: Api, user: User, pressed: Press): Promise<PressResult> {
  const { target, stored } = pressed
  if ('data' in target) return callBack(api, user, pressed, target.data)
  const rows = stored.message.reply_markup?.inline_keyboard ?? []
  const button =
    'label' in target
      ? rows.flat().find(({ text }) => text === target.label)
      : rows[target.row]?.[target.column]
  if (!button) {
    const labels = rows.flat().map(({ text }) => text)
    return Promise.reject(
      new PeopleError(`no button ${JSON.stringify(target)} among ${JSON.stringify(labels)}`),
    )
  }
  return 'callback_data' in button
    ? callBack(api, user, pressed, button.callback_data)
    : Promise.resolve(follow(button))
}

function follow(button: InlineKeyboardButton): PressResult {
  if ('url' in button) return { kind: 'link', url: button.url }
  if ('web_app' in button) return { kind: 'link', url: button.web_app.url }
  if ('copy_text' in button) return { kind: 'copied', text: button.copy_text.text }
  if ('switch_inline_query' in button)
    return { kind: 'switch inline', query: button.switch_inline_query, here: false }
  if ('switch_inline_query_current_chat' in button)
    return { kind: 'switch inline', query: button.switch_inline_query_current_chat, here: true }
  return { kind: 'no answer' }
}

function callBack(
  api: Api,
  from: User,
  { place, stored, timeoutMs = callbackPatience }: Press,
  data: string,
): Promise<PressResult> {
  return new Promise((resolve) => {
    const id = api.callbacks.open(undefined, timeoutMs, (answer) =>
      resolve(answer ? { kind: 'answer', ...answer } : { kind: 'no answer' }),
    )
    const origin =
      stored.inlineId === undefined
        ? { message: stored.message }
        : { inline_message_id: stored.inlineId }
    api.queue.push({
      callback_query: { id, from, ...origin, chat_instance: place.instance, data },
    })
  })
}
