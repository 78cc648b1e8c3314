import type {
  APIComponentInLabel,
  APILabelComponent,
  APIModalInteractionResponseCallbackData,
  APIStringSelectComponent,
} from 'discord-api-types/v10'
import { html, nothing, render, type TemplateResult } from 'lit-html'
import { avatar } from './icons.ts'
import type { Part, Person, Select } from './model.ts'
import { chosenValues, showPart, showSelect } from './parts.ts'

/** Opens a box over the page; it goes when it closes. */
export function openDialog(
  root: Element,
  content: (dialog: HTMLDialogElement) => TemplateResult,
  label?: string,
): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  if (label !== undefined) dialog.ariaLabel = label
  render(content(dialog), dialog)
  dialog.addEventListener('close', () => dialog.remove())
  root.append(dialog)
  dialog.showModal()
  return dialog
}

type Value = string | string[]

/** What a modal needs of the panel. */
export interface ModalHost {
  bot: Person
  markdown(source: string): Part[]
  select(component: APIStringSelectComponent): Select
  /** The id of an uploaded file. */
  upload(file: File): Promise<string>
  /** Resolves with what was wrong, or nothing. */
  submit(values: Record<string, Value>): Promise<string | undefined>
}

const noActions = {
  tap: () => undefined,
  press: () => undefined,
  choose: () => undefined,
  isBusy: () => false,
}

/** Shows a bot's form. */
export function openModal(
  root: Element,
  { title, components }: APIModalInteractionResponseCallbackData,
  host: ModalHost,
): void {
  const send = async (event: Event, dialog: HTMLDialogElement) => {
    event.preventDefault()
    const button = dialog.querySelector<HTMLButtonElement>('[type=submit]')
    const error = dialog.querySelector<HTMLElement>('.error')
    if (button) button.disabled = true
    const wrong = await valuesIn(dialog, host).then(
      host.submit,
      () => 'The file could not be uploaded.',
    )
    if (button) button.disabled = false
    if (wrong === undefined) dialog.close()
    if (error) error.textContent = wrong ?? ''
  }
  openDialog(
    root,
    (dialog) => html`<form class="modal" @submit=${(event: Event) => send(event, dialog)}>
      <header>${avatar(host.bot)}<h2>${title}</h2></header>
      <p class="warning">This form will be submitted to ${host.bot.name}. Do not share passwords or other sensitive information.</p>
      ${components.map((part) => {
        if (part.type === 10)
          return host.markdown(part.content).map((each) => showPart(each, noActions))
        return part.type === 18 ? field(part, host) : nothing
      })}
      <p class="error" role="alert"></p>
      <footer><button type="button" class="button" @click=${() => dialog.close()}>Cancel</button>
        <button type="submit" class="button primary">Submit</button></footer></form>`,
    title,
  )
}

function field({ label, description, component }: APILabelComponent, host: ModalHost) {
  const isOptional = 'required' in component && component.required === false
  return html`<div class="field" data-field=${component.custom_id}>
    <b>${label}${isOptional ? nothing : html`<i>*</i>`}</b>${description ? html`<span>${description}</span>` : nothing}
    ${input(label, component, host)}</div>`
}

function input(label: string, component: APIComponentInLabel, host: ModalHost) {
  switch (component.type) {
    case 3:
      return showSelect(host.select(component), false, () => undefined)
    case 4: {
      const { placeholder = '', max_length = 4000, value = '' } = component
      return component.style === 2
        ? html`<textarea rows="4" aria-label=${label} placeholder=${placeholder} maxlength=${max_length} .value=${value}></textarea>`
        : html`<input aria-label=${label} autocomplete="off" placeholder=${placeholder} maxlength=${max_length} .value=${value}>`
    }
    case 19:
      return html`<input type="file" aria-label=${label} ?multiple=${(component.max_values ?? 1) > 1}>`
    default:
      return nothing
  }
}

async function valuesIn(dialog: Element, host: ModalHost): Promise<Record<string, Value>> {
  const values: Record<string, Value> = {}
  for (const part of dialog.querySelectorAll<HTMLElement>('.field')) {
    const value = await valueIn(part, host)
    if (value !== undefined) values[part.dataset.field ?? ''] = value
  }
  return values
}

async function valueIn(part: HTMLElement, { upload }: ModalHost): Promise<Value | undefined> {
  const select = part.querySelector('.select')
  if (select) return chosenValues(select)
  const input = part.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
  if (input?.type !== 'file') return input?.value
  const files = 'files' in input ? [...(input.files ?? [])] : []
  return files.length > 0 ? Promise.all(files.map(upload)) : undefined
}
