import type { Platform } from '../../core/command.ts'
import type { View } from '../../core/view.ts'

/** The first message in a chat that was set up from somebody's private chat. */
export function begunView(platform: Platform): View {
  const { all, one } = platform.words.managers
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
