import type { Turn } from '../../chat/command.ts'

/** Whose alerts are shown: the asker's own, those of the chat or of one topic of it, or those of another chat. */
export type Whose =
  | { kind: 'own' }
  | { kind: 'chat' }
  | { kind: 'topic' }
  | { kind: 'elsewhere'; name: string }

/** `this chat`, as it is called where one reads of it. */
export function placeWords({ kind }: Whose): string {
  if (kind === 'elsewhere') return 'that chat'
  return kind === 'topic' ? 'this topic' : 'this chat'
}

/** `You follow`, `This topic follows` */
export function followerWords(whose: Whose): string {
  if (whose.kind === 'own') return 'You follow'
  if (whose.kind === 'elsewhere') return `${whose.name} follows`
  return whose.kind === 'topic' ? 'This topic follows' : 'This chat follows'
}

const rights = 'Manage Server or Manage Webhooks'

/** Who may change what a chat follows, in the platform's own words: all of them, and any of them. */
export const managers: Readonly<Record<Turn['platform'], { all: string; one: string }>> = {
  telegram: { all: 'administrators', one: 'an administrator' },
  discord: { all: `people with ${rights}`, one: `somebody with ${rights}` },
}
