import {
  type APIButtonComponent,
  type APIComponentInLabel,
  type APIMessage,
  type APIMessageComponent,
  type APIModalInteractionResponseCallbackComponent,
  type APIModalInteractionResponseCallbackData,
  type APISelectMenuComponent,
  type APITextInputComponent,
  ComponentType,
} from 'discord-api-types/v10'
import type { World } from '../world.ts'
import { resolve } from './options.ts'
import { ClientRefusal } from './refused.ts'

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

function checkCount(count: number, min: number, max: number): void {
  if (count < min || count > max)
    throw new ClientRefusal(`Choose from ${min} to ${max}, not ${count}.`)
}

/** What a person entered, by custom id: text, chosen values, ids of uploads, or a tick. */
export type ModalValues = Readonly<Record<string, string | readonly string[] | boolean>>

/** JSON of the interaction's `data` for sending a modal, after the checks of the Discord app. */
export function modalData(
  world: World,
  channelId: string,
  modal: APIModalInteractionResponseCallbackData,
  values: ModalValues,
): string {
  let nextId = 0
  const picked: string[] = []
  const components = modal.components.map((component) => {
    const id = component.id ?? ++nextId
    return { type: component.type, id, ...filled(component, values, picked, () => ++nextId) }
  })
  const resolved = resolve(world, channelId, picked)
  return JSON.stringify({
    custom_id: modal.custom_id,
    components,
    ...(resolved === undefined ? {} : { resolved }),
  })
}

function filled(
  component: APIModalInteractionResponseCallbackComponent,
  values: ModalValues,
  picked: string[],
  nextId: () => number,
): object {
  switch (component.type) {
    case ComponentType.Label: {
      const child = component.component
      return { component: { ...entered(child, values, picked), id: child.id ?? nextId() } }
    }
    case ComponentType.ActionRow:
      return {
        components: component.components.map((child) => ({
          ...entered(child, values, picked),
          id: child.id ?? nextId(),
        })),
      }
    default:
      return {}
  }
}

function entered(child: APIComponentInLabel, values: ModalValues, picked: string[]): object {
  const common = { type: child.type, custom_id: child.custom_id }
  const given = values[child.custom_id]
  switch (child.type) {
    case ComponentType.TextInput:
      return { ...common, value: text(child, given) }
    case ComponentType.RadioGroup: {
      const value = typeof given === 'string' ? given : null
      if (value === null && child.required !== false) throw required(child.custom_id)
      return { ...common, value }
    }
    case ComponentType.Checkbox:
      return { ...common, value: given === true }
    default:
      return { ...common, values: chosen(child, given, picked) }
  }
}

type Choosing = Exclude<
  APIComponentInLabel,
  { type: ComponentType.TextInput | ComponentType.RadioGroup | ComponentType.Checkbox }
>

function chosen(
  child: Choosing,
  given: ModalValues[string] | undefined,
  picked: string[],
): readonly string[] {
  const values = list(given)
  const optional = child.required === false
  const max = child.max_values ?? (child.type === ComponentType.CheckboxGroup ? 10 : 1)
  if (values.length > 0 || !optional)
    checkCount(values.length, child.min_values ?? (optional ? 0 : 1), max)
  if (child.type !== ComponentType.StringSelect) picked.push(...values)
  return values
}

function list(given: ModalValues[string] | undefined): readonly string[] {
  if (typeof given === 'string') return given === '' ? [] : [given]
  return typeof given === 'object' ? given : []
}

function text(input: APITextInputComponent, given: ModalValues[string] | undefined): string {
  const value = typeof given === 'string' ? given : (input.value ?? '')
  if (value === '' && input.required !== false) throw required(input.custom_id)
  const { min_length: min = 0, max_length: max = 4000 } = input
  if (value !== '' && (value.length < min || value.length > max))
    throw new ClientRefusal(`${input.custom_id} must have ${min} to ${max} characters.`)
  return value
}

function required(customId: string): ClientRefusal {
  return new ClientRefusal(`${customId} is required.`)
}
