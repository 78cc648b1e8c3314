import type { Permissions } from '../../src/alerts/permission.ts'
import type { Whose } from '../../src/alerts/views/rule.ts'

/** Returns the owner of the alerts shown. `chatName` is the other chat's title, undefined if they are of this chat. */
export function whoseOf(
  { context }: Pick<Permissions, 'context'>,
  chatName: string | undefined,
): Whose {
  if (chatName !== undefined) return { kind: 'elsewhere', name: chatName }
  if (context.isPrivate) return { kind: 'own' }
  return { kind: context.thread === undefined ? 'chat' : 'topic' }
}
