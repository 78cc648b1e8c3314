import type { APIEmbed } from 'discord-api-types/v10'
import { checkUrl, type Fields, type Form, isFields, join } from '../form.ts'

const maxTotal = 6000

/** Whether a value is a list of embeds within Discord's limits; what is wrong goes to the form. */
export function areEmbeds(value: unknown, path: string, form: Form): value is APIEmbed[] {
  let total = 0
  for (const [index, item] of form.list(value, path, 0, 10).entries()) {
    const at = join(path, index)
    const fields = form.fields(item, at)
    if (fields !== undefined) total += checkEmbed(fields, at, form)
  }
  if (total > maxTotal)
    form.fail(path, 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${maxTotal}`)
  return form.ok
}

function checkEmbed(fields: Fields, path: string, form: Form): number {
  const texts = [
    form.text(fields, 'title', path, { max: 256 }),
    form.text(fields, 'description', path, { max: 4096 }),
    inner(fields, 'footer', 'text', 2048, path, form),
    inner(fields, 'author', 'name', 256, path, form),
    ...checkFields(fields, path, form),
  ].filter((text) => text !== undefined)
  form.integer(fields, 'color', path, { min: 0, max: 0xffffff })
  for (const key of ['url', 'image', 'thumbnail']) embedUrl(fields[key], join(path, key), form)
  if (texts.length === 0 && !isFields(fields.image) && !isFields(fields.thumbnail))
    form.missing(join(path, 'description'))
  return texts.reduce((sum, text) => sum + text.length, 0)
}

function inner(
  fields: Fields,
  key: string,
  textKey: string,
  max: number,
  path: string,
  form: Form,
): string | undefined {
  const value = fields[key]
  if (value === undefined || value === null) return undefined
  const found = form.fields(value, join(path, key))
  return found && form.text(found, textKey, join(path, key), { max, required: true })
}

function checkFields(fields: Fields, path: string, form: Form): (string | undefined)[] {
  if (fields.fields === undefined || fields.fields === null) return []
  const at = join(path, 'fields')
  return form.list(fields.fields, at, 0, 25).flatMap((item, index) => {
    const field = form.fields(item, join(at, index))
    if (field === undefined) return []
    return [
      form.text(field, 'name', join(at, index), { min: 1, max: 256, required: true }),
      form.text(field, 'value', join(at, index), { min: 1, max: 1024, required: true }),
    ]
  })
}

function embedUrl(value: unknown, path: string, form: Form): void {
  const url = isFields(value) ? value.url : value
  if (typeof url === 'string') checkUrl(form, url, path, ['http:', 'https:', 'attachment:'])
}
