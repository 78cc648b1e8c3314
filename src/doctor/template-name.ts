import type { Template } from '../launch/draft.ts'

/** The template that a name means, or why it means none, in lines for the operator. */
export type NamedTemplate = { template: Template } | { problem: readonly string[] }

/** Finds a template by its label or its id; where one id is on two chains, by the chain's id before it. */
export function templateNamed(name: string, templates: readonly Template[]): NamedTemplate {
  const wanted = name.trim().toLowerCase()
  const [template, ...others] = templates.filter((each) =>
    [each.label, each.id, keyOf(each)].some((known) => known.toLowerCase() === wanted),
  )
  if (!template) {
    if (templates.length === 0) return { problem: ['TEMPLATES names no template.'] }
    const said =
      wanted === '' ? 'Which template? There are:' : `There is no template “${name}”. There are:`
    return { problem: [said, ...templates.map(lineOf)] }
  }
  if (others.length === 0) return { template }
  const all = [template, ...others]
  const isById = new Set(all.map(({ id }) => id)).size === all.length
  return {
    problem: [
      `Several templates are called “${name}”. Name it by its id${isById ? '' : ' with its chain before it'}:`,
      ...all.map(lineOf),
    ],
  }
}

function keyOf({ chain, id }: Template): string {
  return `${chain} ${id}`
}

function lineOf(template: Template): string {
  return `  ${keyOf(template)}   ${template.label}`
}
