import { resumedBlock } from '../src/alerts/views/list.ts'
import type { Context } from '../src/core/command.ts'
import type { Block } from '../src/core/view.ts'
import { command, type Services } from './services.ts'

export const start = command({
  name: 'start',
  about: 'Where to begin',
  params: {},
  run: async (_, services, context) => ({
    title: ['Gavel: auctioned tokens'],
    blocks: [
      ...(await resumed(services, context)),
      {
        kind: 'text',
        spans: [
          'Find tokens that are sold by auction. Try ',
          { code: '/search otter' },
          context.platform.textInput
            ? '. In a private chat with me, the address of an asset alone is enough.'
            : '.',
          ' To be told of auctions: ',
          { code: '/alerts' },
          '.',
          ...(services.launches
            ? [' To launch a token of your own: ', { code: '/launch' }, '.']
            : []),
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
        { label: 'Live auctions', line: 'assets live', opens: true },
        { label: 'Newest', line: 'assets', opens: true },
        { label: 'Help', line: 'help', opens: true },
      ],
      ...(services.launches ? [[{ label: 'Launch a token', line: 'launch', opens: true }]] : []),
    ],
  }),
})

/** Resumes alerts that were paused because the person had blocked the bot, as `/alerts` does. */
async function resumed({ alerts }: Services, context: Context): Promise<Block[]> {
  if (!context.isPrivate) return []
  const { resumed: loss } = await alerts.openList(alerts.permissions({ context }))
  return loss === undefined ? [] : [resumedBlock(loss, { kind: 'own' })]
}
