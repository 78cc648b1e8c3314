import type { PressResult } from '../../telegram/shown.ts'
import { startParameter } from './telegram-bot.ts'
import type { Notices } from './telegram-notice.ts'

export interface PressEffects {
  notices: Notices
  copy(text: string): Promise<void>
  start(parameter: string): void
  switchInline(query: string, here: boolean): Promise<void>
}

/** Does what Telegram does after a button was pressed. */
export async function pressed(result: PressResult, effects: PressEffects): Promise<void> {
  switch (result.kind) {
    case 'answer':
      if (startParameter(result.url) !== undefined) return follow(result.url, effects)
      if (result.alert || result.url !== '') effects.notices.alert(result.text, result.url)
      else if (result.text !== '') effects.notices.toast(result.text)
      return
    case 'no answer':
      effects.notices.toast('The bot did not answer')
      return
    case 'copied':
      return effects.copy(result.text)
    case 'switch inline':
      return effects.switchInline(result.query, result.here)
    case 'link':
      return follow(result.url, effects)
  }
}

function follow(url: string, effects: PressEffects): void {
  const parameter = startParameter(url)
  if (parameter === undefined) open(url, '_blank', 'noopener,noreferrer')
  else effects.start(parameter)
}
