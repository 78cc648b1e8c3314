// The pieces of messages and modals from which the tests of refusals are made.
export const v2 = (...components: unknown[]) => ({ flags: 1 << 15, components })
export const text = (content: unknown) => ({ type: 10, content })
export const row = (...components: unknown[]) => ({ type: 1, components })
export const button = (more: object = {}) => ({
  type: 2,
  style: 1,
  label: 'Go',
  custom_id: 'go',
  ...more,
})
export const link = (url: string, more: object = {}) => ({
  type: 2,
  style: 5,
  label: 'Go',
  url,
  ...more,
})
export const option = (value: string, label = value) => ({ label, value })
export const select = (more: object = {}) => ({
  type: 3,
  custom_id: 's',
  options: [option('a')],
  ...more,
})
export const thumbnail = (url: string) => ({ type: 11, media: { url } })
export const section = (more: object) => ({ type: 9, components: [text('x')], ...more })
export const long = (length: number) => 'x'.repeat(length)
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
