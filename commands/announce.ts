import { oneOf, optional, text } from '../src/core/command.ts'
import { t, type View } from '../src/core/view.ts'
import { launchesOf } from './launch.ts'
import { otherChat } from './params.ts'
import { command, type Services } from './services.ts'

/** Maximum chats to choose from: a longer list is no better. */
const maxChats = 10

/** Behind the Announce button of a launch: posts its card in a chat that the person manages. */
export const announce = command({
  name: 'announce',
  about: t('launch-announce-command'),
  ephemeral: true,
  unlisted: true,
  params: {
    launch: text(t('launch-announce-launch'), '3f9a2bc40d1e', 20),
    in: optional(otherChat()),
    step: optional(
      oneOf<'pick' | 'post', Services>(t('launch-param-step'), [
        { value: 'pick', label: t('launch-announce-other') },
        { value: 'post', label: t('launch-announce-yes') },
      ]),
    ),
  },
  mutates: ({ named }) => named.get('step') === 'post',
  run: async ({ launch, in: chat, step }, services, context): Promise<View> => {
    const launches = launchesOf(services)
    // Loaded with the rest of launches: a start without them does without viem.
    const { announcedView, announcePickView, announceView, confirmAnnouncementView } = await import(
      '../src/launch/views/launched.ts'
    )
    const { alerts } = services
    const { payload, origin } = await launches.launched(launch, context)
    const canPick = context.platform.chatPicker && context.isPrivate
    if (chat !== undefined) {
      // Their right is checked at each step.
      const name = await alerts.chatName(alerts.permissions({ context, targetChat: chat }))
      const shown = { id: chat, name: name ?? chat }
      if (step !== 'post') return confirmAnnouncementView(payload, shown)
      await launches.notices.announceIn(payload, chat, context.platform)
      return announcedView(payload, shown)
    }
    if (step === 'pick' && canPick) return announcePickView(payload)
    const here = context.isPrivate ? [] : [context.chat]
    const chats = await alerts.managedBy(context, origin === undefined ? here : [...here, origin])
    if (chats.length === 0 && canPick) return announcePickView(payload)
    return announceView(payload, chats.slice(0, maxChats), canPick)
  },
})
