import { command } from './services.ts'

export const start = command({
  name: 'start',
  about: 'Where to begin',
  params: {},
  run: async (_, { launches }) => ({
    title: ['Gavel: auctioned tokens'],
    blocks: [
      {
        kind: 'text',
        spans: [
          'Find tokens that are sold by auction. Try ',
          { code: '/search otter' },
          '. In a private chat with me, the address of an asset alone is enough.',
          ' To be told of auctions: ',
          { code: '/alerts' },
          '.',
          ...(launches ? [' To launch a token of your own: ', { code: '/launch' }, '.'] : []),
        ],
      },
      {
        kind: 'text',
        quiet: true,
        spans: [
          'This bot writes to you first only with alerts that you asked for, and never asks for a key or a seed phrase.',
        ],
      },
    ],
    buttons: [
      [
        { label: 'Live auctions', run: 'assets live', opens: true },
        { label: 'Newest', run: 'assets', opens: true },
        { label: 'Help', run: 'help', opens: true },
      ],
      ...(launches ? [[{ label: 'Launch a token', run: 'launch', opens: true }]] : []),
    ],
  }),
})
