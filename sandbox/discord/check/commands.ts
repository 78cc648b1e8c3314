import {
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
} from 'discord-api-types/v10'
import { type Fields, type Form, join } from './form.ts'

/** A command as the application described it, without what Discord adds. */
export interface CommandBody {
  name: string
  description: string
  type: number
  options?: APIApplicationCommandOption[]
  default_member_permissions?: string | null
  contexts?: number[] | null
  integration_types?: number[]
  nsfw?: boolean
}

const namePattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u
const {
  Subcommand,
  SubcommandGroup,
  Integer,
  Number: Decimal,
  String: Text,
} = ApplicationCommandOptionType
const types = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const maxSafe = 2 ** 53

/** Whether every item is a command Discord would take; names must be unique within the list and type. */
export function areCommands(list: unknown[], form: Form, at = ''): list is CommandBody[] {
  const seen = new Set<string>()
  for (const [index, item] of list.entries()) {
    const path = at === '' ? String(index) : at
    isCommand(item, path, form)
    const key = typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : ''
    if (key !== '' && seen.has(key))
      form.fail(
        path,
        'APPLICATION_COMMANDS_DUPLICATE_NAME',
        'Application command names must be unique',
      )
    seen.add(key)
  }
  return form.ok
}

/** Whether a value is one command Discord would take; what is wrong goes to the form. */
export function isCommand(value: unknown, path: string, form: Form): value is CommandBody {
  const fields = form.fields(value, path)
  if (fields === undefined) return false
  const type = fields.type ?? 1
  if (typeof type !== 'number' || ![1, 2, 3].includes(type))
    form.fail(join(path, 'type'), 'BASE_TYPE_CHOICES', 'Value must be one of {1, 2, 3}.')
  if (type === 1) {
    checkName(fields, path, form)
    form.text(fields, 'description', path, { min: 1, max: 100, required: true })
  } else form.text(fields, 'name', path, { min: 1, max: 32, required: true })
  checkScope(fields, path, form)
  if (fields.options !== undefined && fields.options !== null)
    checkOptions(fields.options, join(path, 'options'), form, 0)
  return form.ok
}

function checkScope(fields: Fields, path: string, form: Form): void {
  const permissions = fields.default_member_permissions
  if (permissions !== undefined && permissions !== null && !/^\d+$/.test(String(permissions)))
    form.fail(
      join(path, 'default_member_permissions'),
      'NUMBER_TYPE_COERCE',
      `Value "${String(permissions)}" is not snowflake.`,
    )
  checkNumbers(fields.contexts, [0, 1, 2], join(path, 'contexts'), form)
  checkNumbers(fields.integration_types, [0, 1], join(path, 'integration_types'), form)
}

function checkNumbers(value: unknown, allowed: number[], path: string, form: Form): void {
  if (value === undefined || value === null) return
  for (const [index, item] of form.list(value, path, 1, allowed.length).entries())
    if (typeof item !== 'number' || !allowed.includes(item))
      form.fail(
        join(path, index),
        'BASE_TYPE_CHOICES',
        `Value must be one of {${allowed.join(', ')}}.`,
      )
}

function checkName(fields: Fields, path: string, form: Form): void {
  const name = form.text(fields, 'name', path, { min: 1, max: 32, required: true })
  if (name === undefined) return
  if (!namePattern.test(name) || name !== name.toLowerCase())
    form.fail(join(path, 'name'), 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
}

function checkOptions(value: unknown, path: string, form: Form, depth: number): void {
  const names = new Set<string>()
  let optional = false
  for (const [index, item] of form.list(value, path, 0, 25).entries()) {
    const at = join(path, index)
    const option = form.fields(item, at)
    if (option === undefined) continue
    checkOption(option, at, form, depth)
    const name = String(option.name)
    if (names.has(name))
      form.fail(
        at,
        'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
        `Option name "${name}" already exists`,
      )
    names.add(name)
    if (option.required !== true) optional = true
    else if (optional)
      form.fail(
        at,
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        'Required options must be placed before non-required options',
      )
  }
}

function checkOption(option: Fields, path: string, form: Form, depth: number): void {
  const type = form.choice(option, 'type', path, types)
  checkName(option, path, form)
  form.text(option, 'description', path, { min: 1, max: 100, required: true })
  form.boolean(option, 'required', path)
  if (type === Subcommand || type === SubcommandGroup) checkNested(option, type, path, form, depth)
  else checkParameter(option, type, path, form)
}

function checkParameter(option: Fields, type: number | undefined, path: string, form: Form): void {
  checkBounds(option, type, path, form)
  const choices = option.choices
  const listed = Array.isArray(choices) && choices.length > 0
  if (form.boolean(option, 'autocomplete', path) && listed)
    form.fail(
      join(path, 'autocomplete'),
      'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES',
      'Choices and autocomplete are mutually exclusive',
    )
  if (choices !== undefined && choices !== null)
    checkChoices(
      form.list(choices, join(path, 'choices'), 0, 25),
      type,
      join(path, 'choices'),
      form,
    )
}

function checkNested(option: Fields, type: number, path: string, form: Form, depth: number): void {
  if (depth > (type === SubcommandGroup ? 0 : 1))
    form.fail(join(path, 'type'), 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', 'Nested too deeply')
  else if (option.options !== undefined)
    checkOptions(option.options, join(path, 'options'), form, depth + 1)
}

function checkBounds(option: Fields, type: number | undefined, path: string, form: Form): void {
  if (type === Text) {
    form.integer(option, 'min_length', path, { min: 0, max: 6000 })
    form.integer(option, 'max_length', path, { min: 1, max: 6000 })
  }
  if (type === Integer) {
    form.integer(option, 'min_value', path, { min: -maxSafe, max: maxSafe })
    form.integer(option, 'max_value', path, { min: -maxSafe, max: maxSafe })
  }
}

/** Checks choices of an option or of an autocomplete answer: names 1–100, values of the option's type. */
export function checkChoices(
  choices: readonly unknown[],
  type: number | undefined,
  path: string,
  form: Form,
): void {
  for (const [index, item] of choices.entries()) {
    const at = join(path, index)
    const choice = form.fields(item, at)
    if (choice === undefined) continue
    form.text(choice, 'name', at, { min: 1, max: 100, required: true })
    checkValue(choice, type, at, form)
  }
}

function checkValue(choice: Fields, type: number | undefined, at: string, form: Form): void {
  const value = choice.value
  if (value === undefined || value === null) form.missing(join(at, 'value'))
  else if (type === Text) form.text(choice, 'value', at, { min: 1, max: 100, required: true })
  else if (type === Integer) form.integer(choice, 'value', at, { min: -maxSafe, max: maxSafe })
  else if (type === Decimal && typeof value !== 'number')
    form.fail(join(at, 'value'), 'NUMBER_TYPE_COERCE', `Value "${String(value)}" is not float.`)
}
