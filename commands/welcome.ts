import { lineWriter, resumedBlock } from '../src/alerts/views/list.ts'
import type { Context } from '../src/core/command.ts'
import { type Button, t, type View } from '../src/core/view.ts'
import { chainName } from '../src/views/token.ts'
import type { Services } from './services.ts'

/**
 * Greets a chat that let the bot in: offers alerts, each with one press, or says that those it has go on. Undefined if there is
 * nothing to say, or it was said.
 */
export async function welcome(services: Services, context: Context): Promise<View | undefined> {
  const entered = await services.alerts.enter(context)
  if (entered === undefined) return undefined
  const { resumed } = entered
  if (resumed !== undefined) {
    return { title: [], blocks: [resumedBlock(resumed)] }
  }
  // Somebody who unblocks the bot has been greeted before.
  return context.isPrivate ? undefined : introduction(services, context)
}

function introduction({ chains: [chain] }: Services, { platform }: Context): View {
  const line = lineWriter({ platform })
  const presets: Button[] = [
    {
      ...(chain.neverGraduates
        ? {
            label: t('welcome-button-new', { chain: chainName(chain) }),
            line: line('add live', { chain: chain.slug }),
          }
        : {
            label: t('welcome-button-auctions', { chain: chainName(chain) }),
            line: line('add live graduated', { chain: chain.slug }),
          }),
      look: 'main',
    },
    {
      label: t('welcome-button-creator'),
      line: line('choose live creator', { chain: chain.slug }),
      asNew: true,
    },
    { label: t('alerts-kind-digest'), line: line('add digest', { hour: digestHour }) },
    { label: t('welcome-button-more'), line: line('add') },
  ]
  return {
    title: [t('welcome-title')],
    blocks: [
      { kind: 'text', spans: [t('welcome-text')] },
      {
        kind: 'text',
        small: true,
        spans: [
          t('welcome-later', {
            managers: [platform.texts.onlyManagers],
            command: { code: '/alerts' },
          }),
        ],
      },
    ],
    buttons: presets.map((button) => [button]),
  }
}

/** UTC, as the bot can't know a chat's own zone. */
const digestHour = 9
