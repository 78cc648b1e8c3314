import { command } from './services.ts'

export const start = command({
  name: 'start',
  about: 'Where to begin',
  params: {},
  run: async () => ({
    title: ['Gavel: auctioned tokens'],
    blocks: [
      {
        kind: 'text',
        spans: [
          'Find tokens that are sold by auction. Try ',
          { code: '/search otter' },
          '. In a private chat with me, the address of an asset alone is enough.',
        ],
      },
      {
        kind: 'text',
        quiet: true,
        spans: ['This bot never writes to you first and never asks for a key or a seed phrase.'],
      },
    ],
    buttons: [
      [
        { label: 'Live auctions', run: 'assets live', opens: true },
        { label: 'Newest', run: 'assets', opens: true },
        { label: 'Help', run: 'help', opens: true },
      ],
    ],
  }),
})
