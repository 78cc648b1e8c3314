import { resumedBlock } from '../src/alerts/views/list.ts'
import { type Context, readsText } from '../src/core/command.ts'
import { type Block, type Button, type Span, t } from '../src/core/view.ts'
import { command, type Services } from './services.ts'

export const start = command({
  name: 'start',
  about: t('start-about'),
  forAsker: true,
  audience: 'private',
  params: {},
  run: async (_, services, context) => ({
    title: [t('start-title')],
    blocks: [
      ...(await resumed(services, context)),
      { kind: 'text', spans: [t('start-text')] },
      { kind: 'lines', lines: lines(services, context) },
      { kind: 'text', small: true, spans: [t('start-never-asks')] },
    ],
    buttons: [...buttons(services), ...invitations(context)],
  }),
})

function lines({ launches }: Services, context: Context): Span[][] {
  const search = { code: '/search' }
  return [
    [readsText(context) ? t('start-send-name') : t('start-search', { command: search })],
    [t('start-alerts', { command: { code: '/alerts' } })],
    ...(launches ? [[t('start-launch', { command: { code: '/launch' } })]] : []),
  ]
}

function buttons({ launches }: Services): Button[][] {
  const launch: Button = {
    label: t('start-button-launch'),
    line: 'launch',
    asNew: true,
    look: 'main',
  }
  return [
    ...(launches ? [[launch]] : []),
    [
      { label: t('start-button-live'), line: 'assets live', asNew: true },
      { label: t('start-button-newest'), line: 'assets', asNew: true },
    ],
    [
      { label: t('start-button-alerts'), line: 'alerts', asNew: true },
      { label: t('start-button-help'), line: 'help', asNew: true },
    ],
  ]
}

/** Buttons that add the bot to a group, channel or server of the person's. */
function invitations({ invitations: links }: Context): Button[][] {
  const { group, channel, server } = links ?? {}
  const row: Button[] = [
    ...(group === undefined ? [] : [{ label: t('start-button-group'), url: group }]),
    ...(channel === undefined ? [] : [{ label: t('start-button-channel'), url: channel }]),
    ...(server === undefined ? [] : [{ label: t('start-button-server'), url: server }]),
  ]
  return row.length === 0 ? [] : [row]
}

/** Resumes alerts that were paused because the person had blocked the bot, as `/alerts` does. */
async function resumed({ alerts }: Services, context: Context): Promise<Block[]> {
  if (!context.isPrivate) return []
  const { resumed: loss } = await alerts.openList(alerts.permissions({ context }))
  return loss === undefined ? [] : [resumedBlock(loss)]
}
