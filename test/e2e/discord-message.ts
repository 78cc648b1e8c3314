import { type APIMessage, ComponentType } from 'discord-api-types/v10'

type Part = NonNullable<APIMessage['components']>[number]

function partsOf(message: APIMessage): Part[] {
  return (message.components ?? []).flatMap((part) =>
    part.type === ComponentType.Container ? part.components : [part],
  )
}

/** What stands in the message, with markdown's escapes and mentions of commands resolved, and with no-break spaces as people read them. */
export function discordText(message: APIMessage): string {
  return partsOf(message)
    .flatMap((part) => {
      if (part.type === ComponentType.TextDisplay) return [part.content]
      return part.type === ComponentType.Section
        ? part.components.map(({ content }) => content)
        : []
    })
    .join('\n')
    .replaceAll(/<(\/[a-z]+):\d+>/gu, '$1')
    .replaceAll(/\\([^\p{L}\p{N}\s])/gu, '$1')
    .replaceAll('\u00a0', ' ')
}

function controlsOf(message: APIMessage) {
  return partsOf(message).flatMap((part) =>
    part.type === ComponentType.ActionRow ? part.components : [],
  )
}

/** The buttons of a message, in order. */
export function buttonsOf(message: APIMessage) {
  return controlsOf(message)
    .filter((control) => control.type === ComponentType.Button)
    .map((button) => ({
      label: 'label' in button ? (button.label ?? '') : '',
      customId: 'custom_id' in button ? button.custom_id : undefined,
      url: 'url' in button ? button.url : undefined,
    }))
}

/** The control that opens the items of a list. */
export function selectOf(message: APIMessage) {
  const select = controlsOf(message).find((control) => control.type === ComponentType.StringSelect)
  return select && { customId: select.custom_id, values: select.options.map(({ value }) => value) }
}

/** The id of the button that opens a form. */
export function formOf(message: APIMessage): string | undefined {
  return buttonsOf(message).find(({ customId }) => /^\d+\?/u.test(customId ?? ''))?.customId
}
