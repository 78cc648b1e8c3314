import type { Receiver } from '../core/adapter.ts'
import type { Platform } from '../core/command.ts'
import type { Task } from '../core/task.ts'
import { t } from '../core/view.ts'

export const discord: Platform = {
  name: 'discord',
  textInput: true,
  groupText: false,
  ephemeralAnswers: true,
  chatPicker: false,
  forms: true,
  namedOptions: true,
  texts: {
    onlyManagers: t('discord-only-managers'),
    notManager: t('discord-not-manager'),
    managerResumes: t('discord-manager-resumes'),
    alertsBegun: t('discord-alerts-begun'),
    notManaged: t('discord-not-managed'),
    cantPost: t('discord-cant-post'),
    managersUnseen: t('discord-managers-unseen'),
  },
}

/** Shards of Discord's gateway: `ids`, in order and without a gap, of `count` in total. */
export interface Shards {
  ids: readonly number[]
  count: number
}

/** Receives these shards: a range in each process that has one, and all of them where the leader is. */
export function gatewayReceiver(shards: Shards | undefined, begin: () => Task): Receiver {
  const isRange = shards !== undefined && shards.ids.length < shards.count
  return { name: 'discord gateway', begin, inEach: isRange }
}
