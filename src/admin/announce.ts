import { z } from 'zod'
import {
  type Announcement,
  beginAnnouncement,
  latestAnnouncements,
  recipients,
  stopAnnouncement,
} from '../alerts/announcements.ts'
import {
  type Action,
  type AdminContext,
  AdminError,
  durationText,
  type Step,
  sinceText,
} from './action.ts'

const maxListed = 10
const maxText = 1_500
/** Seconds after its preview in which an announcement can be sent. */
const previewLifetime = 3_600
const maxPreview = 60

/** Sends a message to all chats. */
export const announce: Action = {
  name: 'announce',
  uses: [
    [
      'announce TEXT',
      'previews a message and the chats it would reach (\\n starts a new line); once you confirm, each of them gets it once',
    ],
    ['announce', `the latest ${maxListed} announcements, and their progress`],
    ['announce stop NUMBER', 'stops sending one'],
  ],
  read: async (words, context) => {
    if (words === '') return list(context)
    const stopped = /^stop(?:\s+(?<number>\S+))?$/u.exec(words)
    if (stopped) return stop(stopped.groups?.number, context)
    const { at, text } = /^send\s+(?<at>\d{10})\s+(?<text>.+)$/su.exec(words)?.groups ?? {}
    if (at !== undefined && text !== undefined) return send(text, Number(at), context)
    return preview(words, context)
  },
}

async function list({ store, now }: AdminContext): Promise<string[]> {
  const all = await latestAnnouncements(store, maxListed)
  if (all.length === 0) return ['Nothing was announced in the last month.']
  return all.map((each) => announcementLine(each, now()))
}

function announcementLine({ id, at, text, isGrowing, states }: Announcement, now: number): string {
  const counts = [...states].map(([state, count]) => `${count} ${state}`)
  const progress = isGrowing ? [...counts, 'more chats follow'] : counts
  const [first = ''] = text.split('\n')
  return `${id}, ${sinceText(at, now)}: ${progress.join(', ') || 'no chat'} – ${first.slice(0, maxPreview)}`
}

async function preview(typed: string, context: AdminContext): Promise<readonly string[] | Step> {
  const text = unescaped(typed)
  if (text.length > maxText)
    throw new AdminError(`That’s too long: ${text.length} characters, at most ${maxText}.`)
  const at = context.now()
  const reached = await recipients(context.store, at)
  const count = reached.reduce((sum, { chats }) => sum + chats, 0)
  if (count === 0) return ['There is no chat that the bot could send this to.']
  const to = reached.map(({ platform, chats, paused, muted }) => {
    const left = [paused > 0 && `${paused} paused`, muted > 0 && `${muted} muted`].filter(Boolean)
    const rest = left.length > 0 ? `; not to ${left.join(' and ')}` : ''
    return `  ${platform}: ${chatsText(chats)}${rest}`
  })
  return {
    what: `announce to ${chatsText(count)}: ${text.slice(0, maxPreview)}`,
    preview: {
      lines: [
        'The text, below a line that says it is from the operator:',
        ...text.split('\n').map((line) => `  ${line}`),
        'It goes to:',
        ...to,
        'Each chat gets it once, in one of its topics. A chat in its quiet hours gets it afterwards.',
        'A chat that the bot stores nothing about does not get it.',
      ],
      question: `Send it to ${chatsText(count)}?`,
      line: `announce send ${at} ${typed}`,
    },
    run: () => begin(text, at, context),
  }
}

/** A message with several lines is typed with `\\n` between them: chats read a command as one line. */
function unescaped(typed: string): string {
  return typed.replaceAll('\\n', '\n')
}

function chatsText(count: number): string {
  return count === 1 ? '1 chat' : `${count} chats`
}

function send(typed: string, at: number, context: AdminContext): Step {
  const text = unescaped(typed)
  const age = context.now() - at
  if (age < 0 || age > previewLifetime)
    throw new AdminError(
      `That preview is more than ${durationText(previewLifetime)} old. Type announce and the text again.`,
    )
  return { what: `announce: ${text.slice(0, maxPreview)}`, run: () => begin(text, at, context) }
}

async function begin(text: string, at: number, { store, now }: AdminContext): Promise<string[]> {
  const id = await beginAnnouncement(store, text, at, now())
  if (id === undefined)
    return [
      'It has already been sent, and is not sent twice within an hour. announce shows its progress.',
    ]
  return [
    `It starts within a minute, as number ${id}, at the pace of alerts. announce shows its progress, announce stop ${id} ends it.`,
  ]
}

function stop(word: string | undefined, { store, now }: AdminContext): Step {
  const { data: id } = z.coerce.number().int().positive().safeParse(word)
  if (id === undefined)
    throw new AdminError('Which? announce lists them with their numbers: announce stop 7')
  return {
    what: `announce stop ${id}`,
    preview: { question: `Stop sending announcement ${id}?` },
    run: async () => {
      const dropped = await stopAnnouncement(store, id, now())
      if (dropped === undefined) throw new AdminError(`There is no announcement ${id}.`)
      return [`Stopped. ${dropped} waiting deliveries were dropped.`]
    },
  }
}
