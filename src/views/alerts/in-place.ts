import { plainSpans, type View } from '../../chat/view.ts'

/** The view with the name of the other chat that it is about in its title, where there is one. */
export function inPlace(view: View, place: string | undefined): View {
  const title = plainSpans(view.title)
  if (place === undefined || title === '' || title.includes(place)) return view
  const last = view.title.at(-1)
  const asks = typeof last === 'string' && last.endsWith('?')
  const before = asks ? [...view.title.slice(0, -1), last.slice(0, -1)] : view.title
  return { ...view, title: [...before, ` in ${place}`, ...(asks ? ['?'] : [])] }
}
