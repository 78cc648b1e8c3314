import { type Asker, isDirect } from '../../src/alerts/permission.ts'
import type { Whose } from '../../src/alerts/views/rule.ts'

/** Whose alerts somebody asks for; `place` is the name of the other chat, where it is one. */
export function whoseOf({ turn }: Pick<Asker, 'turn'>, place: string | undefined): Whose {
  if (place !== undefined) return { kind: 'elsewhere', name: place }
  if (isDirect(turn)) return { kind: 'own' }
  return { kind: turn.thread === undefined ? 'chat' : 'topic' }
}
