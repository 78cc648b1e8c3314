import type { Platform } from '../core/command.ts'
import { t } from '../core/view.ts'

export const telegram: Platform = {
  name: 'telegram',
  textInput: true,
  groupText: true,
  ephemeralAnswers: false,
  chatPicker: true,
  forms: false,
  namedOptions: false,
  texts: {
    onlyManagers: t('telegram-only-managers'),
    notManager: t('telegram-not-manager'),
    managerResumes: t('telegram-manager-resumes'),
    alertsBegun: t('telegram-alerts-begun'),
    notManaged: t('telegram-not-managed'),
    cantPost: t('telegram-cant-post'),
    managersUnseen: t('telegram-managers-unseen'),
  },
}

/** Messages that Telegram lets a bot send: a second in all, a second to one chat, and a minute to one group or channel. */
export interface MessageLimits {
  all: number
  person: number
  group: number
}

/** https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
export const defaultMessageLimits: MessageLimits = { all: 30, person: 1, group: 20 }

/**
 * Commands that are answered in a group within a minute, and those that are answered with an invitation to the private
 * chat, of one member and of all. The rest of Telegram's limit is for alerts, and for the refusals of further commands.
 */
export function groupLimits({ group }: MessageLimits) {
  const part = (twentieths: number) => Math.max(1, Math.floor((group * twentieths) / 20))
  return {
    commands: { person: part(10), chat: part(12) },
    invitations: { person: part(2), chat: part(3) },
  }
}
