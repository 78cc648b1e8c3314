import type {
  APICheckboxGroupComponent,
  APIComponentInLabel,
  APIFileUploadComponent,
  APIModalInteractionResponseCallbackComponent,
  APIModalInteractionResponseCallbackData,
  APIRadioGroupComponent,
  APITextInputComponent,
} from 'discord-api-types/v10'
import type { Outcome } from '../../discord/console-view.ts'
import type { DiscordClient } from './discord-client.ts'
import { button, el } from './discord-dom.ts'
import { avatar } from './discord-message.ts'
import { type Roster, renderSelect } from './discord-select.ts'
import { type Names, renderMarkdown } from './discord-text.ts'

/** What a modal needs of the panel. */
export interface ModalHost {
  client: DiscordClient
  names: Names
  roster: Roster
  bot: { id: string; name: string }
  submit: (values: ModalValues) => Promise<Outcome>
}

type Value = string | string[] | boolean
type ModalValues = Record<string, Value>
/** A file counts as chosen while it is still on its way. */
type Chosen = Record<string, Value | Promise<Value>>

/** A modal over the panel; it goes when it is sent, cancelled or dismissed. */
export function openModal(
  modal: APIModalInteractionResponseCallbackData,
  host: ModalHost,
): HTMLElement {
  const values: Chosen = {}
  const error = el('p', { class: 'dc-modal-error', role: 'alert', hidden: true })
  const send = button({ class: 'dc-button primary' }, () => void submit(), 'Submit')
  const cancel = button({ class: 'dc-button secondary' }, () => cover.remove(), 'Cancel')
  const body = el(
    'div',
    { class: 'dc-modal-body' },
    el(
      'p',
      { class: 'dc-modal-warning' },
      `This form will be submitted to ${host.bot.name}. Do not share passwords or other sensitive information.`,
    ),
    ...modal.components.map((component) => renderPart(component, values, host)),
    error,
  )
  const card = el(
    'div',
    { class: 'dc-modal', role: 'dialog', 'aria-modal': 'true', 'aria-label': modal.title },
    el(
      'header',
      { class: 'dc-modal-head' },
      avatar(host.bot.id, host.bot.name, true),
      el('h2', {}, modal.title),
    ),
    body,
    el('footer', { class: 'dc-modal-foot' }, cancel, send),
  )
  const cover = el('div', { class: 'dc-cover' }, card)
  cover.addEventListener('pointerdown', (event) => event.target === cover && cover.remove())
  cover.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') cover.remove()
    const inLine = event.target instanceof HTMLInputElement
    if (event.key === 'Enter' && inLine) void submit()
  })
  const submit = async () => {
    send.disabled = true
    const outcome = await arrived(values).then(host.submit, unsent)
    send.disabled = false
    if (outcome.kind === 'done' || outcome.kind === 'modal') cover.remove()
    error.hidden = false
    error.textContent =
      outcome.kind === 'refused' ? outcome.message : 'Something went wrong. Try again.'
  }
  queueMicrotask(() => card.querySelector<HTMLElement>('input, textarea')?.focus())
  return cover
}

async function arrived(values: Chosen): Promise<ModalValues> {
  const all = Object.entries(values).map(async ([id, value]) => [id, await value] as const)
  return Object.fromEntries(await Promise.all(all))
}

function unsent(): Outcome {
  return { kind: 'refused', message: 'The file could not be uploaded.' }
}

function renderPart(
  part: APIModalInteractionResponseCallbackComponent,
  values: Chosen,
  host: ModalHost,
): HTMLElement {
  if (part.type === 10) return renderMarkdown(part.content, host.names)
  if (part.type === 1)
    return el(
      'div',
      {},
      ...part.components.map((input) =>
        labelled(input.label ?? '', undefined, input, values, host),
      ),
    )
  return labelled(part.label, part.description, part.component, values, host)
}

function labelled(
  label: string,
  about: string | undefined,
  component: APIComponentInLabel,
  values: Chosen,
  host: ModalHost,
): HTMLElement {
  const required = !('required' in component) || component.required !== false
  const mark =
    component.type === 23 || !required ? undefined : el('span', { class: 'dc-required' }, '*')
  return el(
    'div',
    { class: 'dc-modal-part', 'data-field': component.custom_id },
    el('div', { class: 'dc-modal-label' }, label, mark),
    about === undefined ? undefined : el('div', { class: 'dc-modal-about' }, about),
    renderInput(component, label, values, host),
  )
}

function renderInput(
  component: APIComponentInLabel,
  label: string,
  values: Chosen,
  host: ModalHost,
): HTMLElement {
  const set = (value: Value | Promise<Value>) => {
    values[component.custom_id] = value
  }
  switch (component.type) {
    case 4:
      return renderText(component, label, set)
    case 19:
      return renderUpload(component, label, set, host.client)
    case 21:
      return renderRadio(component, set)
    case 22:
      return renderChecks(component, set)
    case 23: {
      const box = el('input', { type: 'checkbox', 'aria-label': label })
      box.checked = component.default === true
      set(box.checked)
      box.addEventListener('change', () => set(box.checked))
      return box
    }
    default: {
      if (component.type === 3)
        set(component.options.filter((option) => option.default).map((option) => option.value))
      return renderSelect(component, host.roster, host.names, set)
    }
  }
}

function renderText(
  input: APITextInputComponent,
  label: string,
  set: (value: string) => void,
): HTMLElement {
  const attributes = {
    'aria-label': label,
    class: 'dc-input',
    placeholder: input.placeholder,
    maxlength: String(input.max_length ?? 4000),
  }
  const field =
    input.style === 2
      ? el('textarea', { ...attributes, rows: '4' })
      : el('input', { ...attributes, type: 'text', autocomplete: 'off' })
  field.value = input.value ?? ''
  set(field.value)
  field.addEventListener('input', () => set(field.value))
  return field
}

function renderUpload(
  upload: APIFileUploadComponent,
  label: string,
  set: (values: Promise<string[]>) => void,
  client: DiscordClient,
): HTMLElement {
  const field = el('input', {
    type: 'file',
    class: 'dc-upload',
    'aria-label': label,
    multiple: (upload.max_values ?? 1) > 1,
  })
  field.addEventListener('change', () => {
    const uploads = [...(field.files ?? [])].map(async (file) => (await client.upload(file)).id)
    const ids = Promise.all(uploads)
    // Whoever sends the form hears of a failure.
    ids.catch(() => undefined)
    set(ids)
  })
  return field
}

function renderRadio(group: APIRadioGroupComponent, set: (value: string) => void): HTMLElement {
  return el(
    'div',
    { class: 'dc-ticks', role: 'radiogroup' },
    ...group.options.map((option) => {
      const box = el('input', { type: 'radio', name: group.custom_id, value: option.value })
      box.checked = option.default === true
      if (box.checked) set(option.value)
      box.addEventListener('change', () => set(option.value))
      return tick(box, option.label, option.description)
    }),
  )
}

function renderChecks(
  group: APICheckboxGroupComponent,
  set: (values: string[]) => void,
): HTMLElement {
  const chosen = new Set(group.options.filter((option) => option.default).map(({ value }) => value))
  set([...chosen])
  return el(
    'div',
    { class: 'dc-ticks' },
    ...group.options.map((option) => {
      const box = el('input', { type: 'checkbox', value: option.value })
      box.checked = chosen.has(option.value)
      box.addEventListener('change', () => {
        if (box.checked) chosen.add(option.value)
        else chosen.delete(option.value)
        set([...chosen])
      })
      return tick(box, option.label, option.description)
    }),
  )
}

function tick(box: HTMLElement, label: string, about: string | undefined): HTMLElement {
  const text = about ? el('span', { class: 'dc-select-about' }, about) : undefined
  return el(
    'label',
    { class: 'dc-tick' },
    box,
    el('span', { class: 'dc-select-text' }, label, text),
  )
}
