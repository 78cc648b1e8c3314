import { type APIApplicationCommand, ApplicationCommandType } from 'discord-api-types/v10'
import { gavel } from '../cast.ts'
import { areCommands, type CommandBody, isCommand } from '../check/commands.ts'
import { Form, isFields, Refusal, unknownCommand, unknownGuild } from '../check/form.ts'
import type { World } from '../world.ts'
import type { Route } from './server.ts'

const maxCommands = 100

/** Registering commands, globally and for one guild. */
export function commandRoutes(world: World): Route[] {
  return [...scoped(world, '', 1), ...scoped(world, '/guilds/:id', 2)]
}

function scoped(world: World, where: string, ids: number): Route[] {
  const path = `/applications/:id${where}/commands`
  const common = { access: 'bot', major: ids } as const
  const book = (params: readonly string[]) => new CommandBook(world, params, ids)
  return [
    {
      name: `GET ${path}`,
      ...common,
      handle: ({ params }) => ({ status: 200, body: book(params).list() }),
    },
    {
      name: `PUT ${path}`,
      ...common,
      handle: ({ params, body }) => ({ status: 200, body: book(params).replace(body) }),
    },
    {
      name: `POST ${path}`,
      ...common,
      handle: ({ params, body }) => book(params).upsert(body),
    },
    {
      name: `GET ${path}/:id`,
      ...common,
      handle: ({ params }) => ({ status: 200, body: book(params).get(params[ids]) }),
    },
    {
      name: `PATCH ${path}/:id`,
      ...common,
      handle: ({ params, body }) => ({ status: 200, body: book(params).change(params[ids], body) }),
    },
    {
      name: `DELETE ${path}/:id`,
      ...common,
      handle: ({ params }) => {
        book(params).remove(params[ids])
        return { status: 204 }
      },
    },
  ]
}

/** The commands of one scope. */
class CommandBook {
  readonly #world: World
  readonly #scope: string
  readonly #guildId: string | undefined

  constructor(world: World, params: readonly string[], ids: number) {
    if (params[0] !== gavel.id)
      throw new Refusal(
        403,
        20012,
        'You are not authorized to perform this action on this application',
      )
    this.#world = world
    this.#guildId = ids === 2 ? params[1] : undefined
    if (this.#guildId !== undefined && this.#guildId !== world.guild.id) throw unknownGuild()
    this.#scope = this.#guildId ?? 'global'
  }

  list(): APIApplicationCommand[] {
    return this.#world.commands.get(this.#scope) ?? []
  }

  get(id: string | undefined): APIApplicationCommand {
    const found = this.list().find((command) => command.id === id)
    if (found === undefined) throw unknownCommand()
    return found
  }

  replace(body: unknown): APIApplicationCommand[] {
    const form = new Form()
    const bodies: unknown[] = form.list(body, '', 0, Number.MAX_SAFE_INTEGER)
    if (bodies.length > maxCommands) throw full()
    if (!areCommands(bodies, form)) throw form.refusal()
    return this.#keep(bodies.map((each) => this.#stored(each)))
  }

  upsert(body: unknown): { status: number; body: APIApplicationCommand } {
    const form = new Form()
    if (!isCommand(body, '', form)) throw form.refusal()
    const known = this.#known(body)
    if (known === undefined && this.list().length >= maxCommands) throw full()
    const stored = this.#stored(body)
    this.#keep([...this.list().filter((each) => each.id !== stored.id), stored])
    return { status: known === undefined ? 201 : 200, body: stored }
  }

  change(id: string | undefined, body: unknown): APIApplicationCommand {
    const before = this.get(id)
    const form = new Form()
    const merged: unknown = isFields(body) ? { ...before, ...body } : body
    if (!isCommand(merged, '', form)) throw form.refusal()
    const stored = { ...this.#stored(merged), id: before.id }
    this.#keep(this.list().map((each) => (each.id === before.id ? stored : each)))
    return stored
  }

  remove(id: string | undefined): void {
    const { id: known } = this.get(id)
    this.#keep(this.list().filter((each) => each.id !== known))
  }

  #keep(commands: APIApplicationCommand[]): APIApplicationCommand[] {
    this.#world.commands.set(this.#scope, commands)
    for (const channelId of this.#world.rooms.keys()) this.#world.events.emit('change', channelId)
    return commands
  }

  #known(body: CommandBody): APIApplicationCommand | undefined {
    return this.list().find((each) => each.name === body.name && each.type === (body.type ?? 1))
  }

  #stored(body: CommandBody): APIApplicationCommand {
    const id = this.#known(body)?.id ?? this.#world.ids.next()
    return {
      id,
      application_id: gavel.id,
      version: this.#world.ids.next(),
      type: body.type ?? ApplicationCommandType.ChatInput,
      name: body.name,
      description: body.description ?? '',
      default_member_permissions: body.default_member_permissions ?? null,
      nsfw: body.nsfw ?? false,
      integration_types: body.integration_types ?? [0],
      contexts: body.contexts ?? null,
      ...(body.options === undefined ? {} : { options: body.options }),
      ...(this.#guildId === undefined ? {} : { guild_id: this.#guildId }),
    }
  }
}

function full(): Refusal {
  return new Refusal(400, 30032, `Maximum number of application commands reached (${maxCommands}).`)
}
