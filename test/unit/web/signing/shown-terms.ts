import type { Page } from 'playwright-core'
import type { Span } from '../../../../src/core/view.ts'
import type { CheckedPayload } from '../../../../src/launch/verify.ts'
import { termsBlocks } from '../../../../src/launch/views/terms.ts'

/** A row as the page shows it; addresses as short as the chat has them. */
export interface ShownRow {
  label: string
  does: string
  asked: string | null
  why: string | null
  mark: string | null
}

/** Every part of the page's table under its title. */
async function tableOf(page: Page): Promise<{ title: string; rows: ShownRow[] }[]> {
  await page.locator('#summary h1').waitFor()
  return page.evaluate<{ title: string; rows: ShownRow[] }[]>(`(() => {
    const textOf = (node) => {
      if (!node) return null
      const copy = node.cloneNode(true)
      for (const code of copy.querySelectorAll('.address')) {
        code.textContent = code.textContent.slice(0, 6) + '…' + code.textContent.slice(-4)
      }
      return copy.textContent
    }
    return [...document.querySelectorAll('#summary .terms')].map((section) => ({
      title: section.querySelector('h2').textContent,
      rows: [...section.querySelectorAll('dt')].map((term) => {
        const told = term.nextElementSibling
        const [does, asked] = [...told.querySelectorAll('.words')]
        return {
          label: term.textContent,
          does: textOf(does),
          asked: textOf(asked),
          why: textOf(told.querySelector('.why')),
          mark: textOf(told.querySelector('.tick')),
        }
      }),
    }))
  })()`)
}

/** Only what the launch does: who sends what where is not in the table of the chat. */
export async function termsOf(page: Page) {
  return (await tableOf(page)).filter(({ title }) => title !== 'Who and where')
}

const clock = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function textOf(span: Span): string {
  if (typeof span === 'string') return span
  if ('time' in span) return `${clock.format(new Date(span.time * 1000))} UTC`
  if ('link' in span) return span.link
  return 'code' in span ? span.code : span.bold
}

/** The chat's rows, group by group; the last group says where it is sent. */
export function chatRows(payload: CheckedPayload): [label: string, text: string][][] {
  const groups = termsBlocks(payload).flatMap((block) =>
    block.kind === 'fields'
      ? [
          block.fields.map(([label, spans]): [string, string] => [
            label,
            spans.map(textOf).join(''),
          ]),
        ]
      : [],
  )
  return groups.slice(0, -1)
}

/** A row of the page as the chat writes it. */
export function inOneLine({
  label,
  does,
  asked,
  why,
  mark,
}: ShownRow): [label: string, text: string] {
  const parts = [
    does,
    asked === null ? '' : `. Asked: ${asked}`,
    why === null ? '' : ` (${why})`,
    mark ?? '',
  ]
  return [label, parts.join('')]
}
