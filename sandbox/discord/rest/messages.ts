import { type APIMessage, MessageFlags, PermissionFlagsBits } from 'discord-api-types/v10'
import { gavel } from '../cast.ts'
import { isThread } from '../channels.ts'
import { checkMessage, type Draft } from '../check/message.ts'
import { Form } from '../form.ts'
import { beforeEdit, type Messages, redact } from '../messages.ts'
import {
  cannotSendToUser,
  missingPermissions,
  notTheAuthor,
  threadArchived,
  threadLocked,
  unknownMessage,
} from '../refusal.ts'
import type { Held, Room, World } from '../world.ts'
import type { RestRequest, Route } from './router.ts'

const P = PermissionFlagsBits

/** Messages of a channel, as the bot reads and writes them without an interaction. */
export function messageRoutes(world: World, messages: Messages, seesContent: boolean): Route[] {
  const common = { access: 'bot', major: 1 } as const
  const open = ({ params }: RestRequest, needed: bigint): Room => {
    const room = world.room(params[0] ?? '')
    const inThread = isThread(room.channel) && needed === P.SendMessages
    world.demand(room.channel.id, inThread ? P.SendMessagesInThreads : needed)
    return room
  }
  // Ephemeral messages exist only for the interaction that made them, not for the channel's routes.
  const find = (room: Room, { params }: RestRequest): Held => {
    const held = messages.find(room, params[1] ?? '')
    if (held.viewer !== undefined) throw unknownMessage()
    return held
  }
  const shown = (room: Room, { message }: Held): APIMessage =>
    room.guildId === undefined || seesContent ? message : redact(message)
  return [
    {
      name: 'GET /channels/:id/messages',
      ...common,
      handle: (request) => {
        const room = open(request, P.ReadMessageHistory)
        return { status: 200, body: page(room, request.query).map((held) => shown(room, held)) }
      },
    },
    {
      name: 'GET /channels/:id/messages/:id',
      ...common,
      handle: (request) => {
        const room = open(request, P.ReadMessageHistory)
        return { status: 200, body: shown(room, find(room, request)) }
      },
    },
    {
      name: 'POST /channels/:id/messages',
      ...common,
      handle: (request) => {
        const room = open(request, P.SendMessages)
        const draft = checkMessage(request.body, request.files, new Form(), '')
        demandFor(world, room, draft)
        if (room.person !== undefined && world.closed.has(room.person)) throw cannotSendToUser()
        wake(world, room)
        const flags = (draft.flags ?? 0) & ~MessageFlags.Ephemeral
        return {
          status: 200,
          body: messages.create(room, world.bot, { ...draft, flags }).message,
        }
      },
    },
    {
      name: 'PATCH /channels/:id/messages/:id',
      ...common,
      handle: (request) => {
        const room = open(request, 0n)
        const held = find(room, request)
        if (held.message.author.id !== gavel.id) throw notTheAuthor()
        if (isThread(room.channel) && room.channel.thread_metadata?.archived) throw threadArchived()
        const before = beforeEdit(held.message)
        const draft = checkMessage(request.body, request.files, new Form(), '', before)
        demandFor(world, room, draft)
        return { status: 200, body: messages.edit(room, held, draft).message }
      },
    },
    {
      name: 'DELETE /channels/:id/messages/:id',
      ...common,
      handle: (request) => {
        const room = open(request, 0n)
        const held = find(room, request)
        if (held.message.author.id !== gavel.id) {
          if (room.guildId === undefined) throw missingPermissions()
          world.demand(room.channel.id, P.ManageMessages)
        }
        messages.remove(room, held)
        return { status: 204 }
      },
    },
    {
      name: 'POST /channels/:id/typing',
      ...common,
      handle: (request) => {
        open(request, P.SendMessages)
        return { status: 204 }
      },
    },
  ]
}

/** A message opens an archived thread again, but a locked one only for its moderators. */
function wake(world: World, { channel }: Room): void {
  if (!isThread(channel)) return
  const { archived = false, locked = false } = channel.thread_metadata ?? {}
  const moderates = (world.permissions(gavel.id, channel.id) & P.ManageThreads) !== 0n
  if (locked && !moderates) throw archived ? threadArchived() : threadLocked()
  if (archived) world.setThread(channel.id, { archived: false, locked })
}

function demandFor(world: World, room: Room, draft: Draft): void {
  if (draft.files.length > 0) world.demand(room.channel.id, P.AttachFiles)
}

function page(room: Room, query: URLSearchParams): Held[] {
  const limit = Math.min(Math.max(Number(query.get('limit') ?? 50), 1), 100)
  const before = query.get('before')
  const after = query.get('after')
  const public_ = [...room.messages.values()].filter((held) => held.viewer === undefined)
  if (after !== null) {
    const newer = public_.filter((held) => BigInt(held.message.id) > BigInt(after))
    return newer.slice(0, limit).reverse()
  }
  const older =
    before === null ? public_ : public_.filter((held) => BigInt(held.message.id) < BigInt(before))
  return older.slice(-limit).reverse()
}
