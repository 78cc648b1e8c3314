import { html } from 'lit-html'

const shapes = {
  send: 'M3 20.5v-7l9-1.5-9-1.5v-7l18.5 8.5z',
  attach:
    'M16.5 6.5v9.8a4.3 4.3 0 0 1-8.6 0V5.8a2.8 2.8 0 0 1 5.6 0v9.6a1.2 1.2 0 0 1-2.4 0V6.5H9.6v8.9a2.7 2.7 0 0 0 5.4 0V5.8a4.3 4.3 0 0 0-8.6 0v10.5a5.8 5.8 0 0 0 11.6 0V6.5z',
  link: 'M8 5v2h7.6L5 17.6 6.4 19 17 8.4V16h2V5z',
  copy: 'M16 2H6a2 2 0 0 0-2 2v12h2V4h10zm3 4H10a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2zm0 14H10V8h9z',
  keyboard:
    'M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7c0-1.1.9-2 2-2zm1 3v2h2V8zm4 0v2h2V8zm4 0v2h2V8zm4 0v2h2V8zM5 12v2h2v-2zm4 0v2h2v-2zm4 0v2h2v-2zm4 0v2h2v-2zM8 15.5v1.5h8v-1.5z',
  down: 'M7.4 9 12 13.6 16.6 9 18 10.4l-6 6-6-6z',
  close:
    'M18.3 7.1 16.9 5.7 12 10.6 7.1 5.7 5.7 7.1l4.9 4.9-4.9 4.9 1.4 1.4 4.9-4.9 4.9 4.9 1.4-1.4-4.9-4.9z',
  reply: 'M10 9V5l-7 7 7 7v-4.1c5 0 8.5 1.6 11 5.1-1-5-4-10-11-11z',
  ticks:
    'm1.5 12.7 4.6 4.6 1.3-1.4-4.5-4.6zM22 6.5 12.3 16.2l-3.5-3.5-1.4 1.4 4.9 4.9L23.4 7.9zM17 6.5l-6 6 1.4 1.4 6-6z',
  file: 'M6 2h8l6 6v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4c0-1.1.9-2 2-2zm7 1.5V9h5.5z',
  channel: 'M3 10v4h3l5 4V6L6 10zm10.5-1.8v7.6a4.2 4.2 0 0 0 0-7.6z',
  group:
    'M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zm7 0a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zm-7 1.7c-2.6 0-6.5 1.2-6.5 3.7V19h13v-2.6c0-2.5-3.9-3.7-6.5-3.7zm7 .3c1.1.8 1.6 2 1.6 3.4V19h4.9v-2.2c0-2.2-3.7-3.8-6.5-3.8z',
  supergroup: 'M4 5h16v3H4zm0 5.5h16v3H4zM4 16h10v3H4z',
  block:
    'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2a8 8 0 0 1 4.9 1.7L5.7 16.9A8 8 0 0 1 12 4zm0 16a8 8 0 0 1-4.9-1.7L18.3 7.1A8 8 0 0 1 12 20z',
  eye: 'M12 5c5 0 9 4.5 10 7-1 2.5-5 7-10 7S3 14.5 2 12c1-2.5 5-7 10-7Zm0 3.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
  check: 'M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4L9 16.2Z',
  slash: 'M15.5 3h2.2L8.5 21H6.3L15.5 3Z',
  gear: 'M4 6h8.2a3 3 0 0 1 5.6 0H20v2h-2.2a3 3 0 0 1-5.6 0H4zm11-.2a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM4 16h2.2a3 3 0 0 1 5.6 0H20v2h-8.2a3 3 0 0 1-5.6 0H4zm5-.2a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4z',
  gavel:
    'M3.5 20.5h11v1.8h-11zM12.8 2.2l6.3 6.3-1.9 1.9-.8-.8-2.7 2.7 7.3 7.3-2.3 2.3-7.3-7.3-2.7 2.7.8.8-1.9 1.9L1.3 13.7l1.9-1.9.8.8 7.6-7.6-.8-.8 2-2Z',
} as const

export type Icon = keyof typeof shapes

const isIcon = (name: string): name is Icon => Object.hasOwn(shapes, name)

export const icon = (name: Icon) =>
  html`<svg class="icon icon-${name}" viewBox="0 0 24 24" aria-hidden="true"><path d=${shapes[name]}></path></svg>`

const hues = ['#e17076', '#eda86c', '#a695e7', '#7bc862', '#6ec9cb', '#65aadd', '#ee7aae']

/** The colour of a name, always the same for the same id, as a declaration. */
export const hueOf = (id: string) =>
  `--hue: ${hues[Number(id.slice(-6)) % hues.length] ?? '#65aadd'}`

/** The round picture of someone: their colour and initial, a sign, or the bot's gavel. */
export function avatar(
  { id, name, isBot }: { id: string; name: string; isBot: boolean },
  sign = '',
) {
  const shape = isBot ? 'gavel' : sign
  const inside = isIcon(shape) ? icon(shape) : ([...name][0] ?? '?').toUpperCase()
  // Set as a property: the page's policy refuses style attributes.
  return html`<span class="avatar" aria-hidden="true" .style=${isBot ? '--hue: #b4542c' : hueOf(id)}>${inside}</span>`
}
