import type { Context } from '../../core/command.ts'
import type { View } from '../../core/view.ts'
import { managers } from './rule.ts'

/** The first message in a chat that was set up from somebody's private chat. */
export function begunView(platform: Context['platform']): View {
  const { all, one } = managers[platform]
  return {
    title: ['🔔 Alerts go here now'],
    blocks: [
      {
        kind: 'text',
        spans: [
          `${capitalised(one)} chose to follow auctions here. ${capitalised(all)} see and change what is told with `,
          { code: '/alerts' },
          '.',
        ],
      },
    ],
  }
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
