import type { APISelectMenuComponent } from 'discord-api-types/v10'
import { button, el, icon, icons } from './discord-dom.ts'
import type { Names } from './discord-text.ts'

/** What can be chosen: a label, a value, and what stands beside it. */
interface Choice {
  value: string
  label: string
  about?: string | undefined
  emoji?: string | undefined
}

/** Everyone and everything that selects other than string selects offer. */
export type Roster = () => { users: string[]; roles: string[]; channels: string[] }

function choicesOf(select: APISelectMenuComponent, roster: Roster, names: Names): Choice[] {
  if (select.type === 3)
    return select.options.map(({ value, label, description, emoji }) => ({
      value,
      label,
      about: description,
      emoji: emoji?.name ?? undefined,
    }))
  const { users, roles, channels } = roster()
  const named = (kind: 'user' | 'role' | 'channel', ids: string[]) =>
    ids.map((value) => ({ value, label: names(kind, value) ?? value }))
  if (select.type === 5) return named('user', users)
  if (select.type === 6) return named('role', roles)
  if (select.type === 8) return named('channel', channels)
  return [...named('user', users), ...named('role', roles)]
}

/** A select as Discord draws it: a box that opens a list. `onChoose` gets the values when it closes. */
export function renderSelect(
  select: APISelectMenuComponent,
  roster: Roster,
  names: Names,
  onChoose: (values: string[]) => void,
): HTMLElement {
  const choices = choicesOf(select, roster, names)
  const several = (select.max_values ?? 1) > 1
  const preset = select.type === 3 ? select.options.filter((option) => option.default) : []
  const chosen = new Set(preset.map((option) => option.value))
  const label = el('span', { class: 'dc-select-label' })
  const list = el('div', { class: 'dc-select-list', role: 'listbox', hidden: true })
  const box = button(
    {
      class: 'dc-select-box',
      'aria-haspopup': 'listbox',
      'aria-expanded': 'false',
      disabled: select.disabled === true,
      'data-control': select.custom_id,
    },
    () => toggle(list.hidden !== false),
    label,
    icon(icons.chevron),
  )
  const root = el('div', { class: 'dc-select' }, box, list)
  const outside = (event: Event) => {
    if (!root.isConnected) document.removeEventListener('pointerdown', outside)
    else if (event.target instanceof Node && !root.contains(event.target)) toggle(false)
  }
  let before = ''
  const toggle = (open: boolean) => {
    if (open === (list.hidden === false)) return
    list.hidden = !open
    box.setAttribute('aria-expanded', String(open))
    if (open) {
      before = [...chosen].join()
      document.addEventListener('pointerdown', outside)
      list.querySelector<HTMLElement>('[role=option]')?.focus()
    } else {
      document.removeEventListener('pointerdown', outside)
      const fits = chosen.size >= (select.min_values ?? 1)
      if (fits && [...chosen].join() !== before) onChoose([...chosen])
    }
  }
  const pick = (value: string) => {
    if (!several) chosen.clear()
    if (several && chosen.has(value)) chosen.delete(value)
    else if (chosen.size < (select.max_values ?? 1)) chosen.add(value)
    draw()
    if (!several) toggle(false)
  }
  const lines = choices.map((choice) => {
    const line = button(
      { class: 'dc-select-line', role: 'option', 'data-value': choice.value },
      () => pick(choice.value),
      choice.emoji === undefined
        ? undefined
        : el('span', { class: 'dc-select-emoji' }, choice.emoji),
      el(
        'span',
        { class: 'dc-select-text' },
        el('span', {}, choice.label),
        choice.about ? el('span', { class: 'dc-select-about' }, choice.about) : undefined,
      ),
      icon(icons.check, 'dc-icon dc-select-tick'),
    )
    return { choice, line }
  })
  list.append(...lines.map(({ line }) => line))
  list.addEventListener('keydown', (event) => walk(event, list, () => toggle(false), box))
  const draw = () => {
    const shown = choices.filter((choice) => chosen.has(choice.value)).map((choice) => choice.label)
    label.textContent = shown.join(', ') || (select.placeholder ?? 'Make a selection')
    label.classList.toggle('dc-placeholder', shown.length === 0)
    for (const { choice, line } of lines)
      line.setAttribute('aria-selected', String(chosen.has(choice.value)))
  }
  draw()
  return root
}

function walk(event: KeyboardEvent, list: HTMLElement, close: () => void, box: HTMLElement): void {
  if (event.key === 'Escape') {
    close()
    box.focus()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const options = [...list.querySelectorAll<HTMLElement>('[role=option]')]
  const at = options.findIndex((option) => option.matches(':focus'))
  options[(at + step + options.length) % options.length]?.focus()
}
