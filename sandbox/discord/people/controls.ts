import {
  type APIButtonComponent,
  type APIMessage,
  type APIMessageComponent,
  type APISelectMenuComponent,
  ComponentType,
} from 'discord-api-types/v10'
import type { World } from '../world.ts'
import { ClientRefusal } from './refused.ts'
import { resolve } from './resolved.ts'

type Control = APIButtonComponent | APISelectMenuComponent

/** All buttons and selects of a message, wherever they stand. */
function controlsOf(message: APIMessage): Control[] {
  return (message.components ?? []).flatMap(within)
}

function within(component: APIMessageComponent): Control[] {
  switch (component.type) {
    case ComponentType.ActionRow:
    case ComponentType.Container:
      return component.components.flatMap(within)
    case ComponentType.Section:
      return within(component.accessory)
    case ComponentType.Button:
    case ComponentType.StringSelect:
    case ComponentType.UserSelect:
    case ComponentType.RoleSelect:
    case ComponentType.MentionableSelect:
    case ComponentType.ChannelSelect:
      return [component]
    default:
      return []
  }
}

function find(message: APIMessage, customId: string): Control {
  const found = controlsOf(message).find(
    (control) => 'custom_id' in control && control.custom_id === customId,
  )
  if (found === undefined) throw new ClientRefusal(`The message has no ${customId}.`)
  if (found.disabled) throw new ClientRefusal(`${customId} is disabled.`)
  return found
}

/** JSON of the interaction's `data` for a press of a button. */
export function pressData(message: APIMessage, customId: string): string {
  const button = find(message, customId)
  if (button.type !== ComponentType.Button) throw new ClientRefusal(`${customId} is no button.`)
  return JSON.stringify({ component_type: button.type, id: button.id, custom_id: customId })
}

/** JSON of the interaction's `data` for choosing values in a select. */
export function selectData(
  world: World,
  message: APIMessage,
  customId: string,
  values: readonly string[],
): string {
  const select = find(message, customId)
  if (select.type === ComponentType.Button) throw new ClientRefusal(`${customId} is no select.`)
  checkCount(values.length, select.min_values ?? 1, select.max_values ?? 1)
  if (select.type === ComponentType.StringSelect) {
    const known = select.options.map((option) => option.value)
    const stranger = values.find((value) => !known.includes(value))
    if (stranger !== undefined) throw new ClientRefusal(`${stranger} is none of the options.`)
  }
  const picked = select.type === ComponentType.StringSelect ? [] : values
  const resolved = resolve(world, message.channel_id, picked)
  return JSON.stringify({
    component_type: select.type,
    id: select.id,
    custom_id: customId,
    values,
    ...(resolved === undefined ? {} : { resolved }),
  })
}

export function checkCount(count: number, min: number, max: number): void {
  if (count < min || count > max)
    throw new ClientRefusal(`Choose from ${min} to ${max}, not ${count}.`)
}
