import type { Show, Turn } from '../chat/command.ts'
import type { View } from '../chat/view.ts'
import type { LaunchConversation } from './conversation.ts'

/** What commands do with launches; there is none where the operator set up no template. */
export interface Launches {
  conversation: LaunchConversation
  /** Building, handing over, and what comes after. */
  handover: {
    act(action: string, words: readonly string[], turn: Turn, show: Show): Promise<View>
    list(turn: Turn): Promise<View>
  }
}
