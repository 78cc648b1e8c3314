import type { View } from '../../chat/view.ts'

/** What a chat reads when it was set up from somebody's private chat. */
export function begunView(): View {
  return {
    title: ['🔔 Alerts go here now'],
    blocks: [
      {
        kind: 'text',
        spans: [
          'An administrator chose to follow auctions here. Administrators see and change what is told with ',
          { code: '/alerts' },
          '.',
        ],
      },
    ],
  }
}
