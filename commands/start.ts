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
          'Find and follow tokens that are sold by auction. Send a name, as in ',
          { code: '/search otter' },
          ', or just paste the address of an asset.',
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
