/** How a report was made. */
export interface Run {
  command: string
  node: string
  cores: number
  /** Date as year, month, day. */
  date: string
  /** Load average of the minute before the run. */
  load: number
}

/** Formats the line above the figures that says how they were made. */
export function origin({ command, node, cores, date, load }: Run): string {
  return `\`${command}\` · Node.js ${node} · ${cores} cores · ${date} · load before it ${load.toFixed(1)}`
}

/** Returns the page with this command's figures replaced. */
export function withFigures(page: string, command: string, figures: string): string {
  const begin = `<!-- figures: ${command} -->`
  const end = '<!-- end of figures -->'
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < from) throw new Error(`the page has no place for figures: ${begin}`)
  return `${page.slice(0, from)}${begin}\n\n${figures}\n${page.slice(to)}`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}

export function whole(value: number): string {
  return Number.isNaN(value) ? '–' : Math.round(value).toLocaleString('en')
}

export function millis(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
}
