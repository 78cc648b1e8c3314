import { isDirect, type Permissions } from '../../src/alerts/permission.ts'
import type { Whose } from '../../src/alerts/views/rule.ts'

/** Whose alerts are shown. `chatName` is the title of the other chat if they are another chat's, else undefined. */
export function whoseOf(
  { context }: Pick<Permissions, 'context'>,
  chatName: string | undefined,
): Whose {
  if (chatName !== undefined) return { kind: 'elsewhere', name: chatName }
  if (isDirect(context)) return { kind: 'own' }
  return { kind: context.thread === undefined ? 'chat' : 'topic' }
}
